// ScriptedTables: a script that responds to entity group transactions and Create Table like a
// service with some tables. Tests choose errors for partitions.
//
// Thread rule: one thread.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/batch_response.h"
#include "support/scripted_client.h"

namespace aztables::support {

class ScriptedTables {
 public:
  std::set<std::string> tables{"T"};
  int delay = 0;  // of every response
  std::map<std::string, std::vector<ScriptedReply>>
      replies;  // for the first EGTs of each partition
                // "?": for queries
  ScriptedReply create_reply{MakeResponse(204)};
  bool create_takes_effect = true;

  std::vector<std::string> sent;      // "T/partition" of every EGT
  std::multiset<std::string> stored;  // "T/partition/row" of every accepted insert
  int creations = 0;

  ScriptedTransport::Handler Handler() {
    return [this](const Request& request) { return Reply(request); };
  }

 private:
  // The text between `begin` and `end` after `at`. Advances `at`.
  static std::string Between(const std::string& text, const std::string& begin,
                             const std::string& end, size_t& at) {
    at = text.find(begin, at);
    if (at == std::string::npos) return "";
    at += begin.size();
    return text.substr(at, text.find(end, at) - at);
  }

  ScriptedReply NextReply(const std::string& of) {
    std::vector<ScriptedReply>& special = replies[of];
    ScriptedReply reply = special.front();
    special.erase(special.begin());
    return reply;
  }

  ScriptedReply Reply(const Request& request) {
    size_t at = 0;
    if (request.path.ends_with("/Tables")) {
      ++creations;
      if (create_takes_effect) tables.insert(Between(request.body, R"("TableName":")", "\"", at));
      return create_reply;
    }
    if (request.method == "GET") return NextReply("?");
    std::string table = Between(request.body, "http://127.0.0.1:10002/devstoreaccount1/", " ", at);
    size_t keys = 0;
    std::string partition = Between(table, "(PartitionKey='", "'", keys);
    if (keys == std::string::npos) {
      partition = Between(request.body, R"({"PartitionKey":")", "\"", at);
    }
    table.resize(std::min(table.size(), table.find('(')));
    sent.push_back(table + "/" + partition);
    if (!tables.contains(table)) {
      return {BatchFailure(404, "TableNotFound", "0:The table specified does not exist."), delay};
    }
    if (!replies[partition].empty()) return NextReply(partition);
    for (at = 0; at != std::string::npos;) {
      const std::string row = Between(request.body, R"("RowKey":")", "\"", at);
      if (at != std::string::npos) stored.insert(sent.back() + "/" + row);
    }
    return {BatchSuccess(OperationsIn(request)), delay};
  }
};

}  // namespace aztables::support
