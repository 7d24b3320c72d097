// Reads recorded traffic of the live service: one JSON object a line, with the request and the
// response. Where it lies is said by the environment; a machine without it skips these tests.
//
// In some lines ("shortened") entities were left out of a list, or operations out of a request; the
// response is a whole document all the same, so they are read like the others, and only the number
// of entities says nothing.
#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "aztables/base/encoding.h"
#include "aztables/http/message.h"

namespace aztables::replay {

struct Recording {
  std::string id;
  std::string method;
  std::string path;  // without the query
  int status = 0;
  Headers headers;
  std::string body;
};

// Which reader a response is for.
enum class Kind {
  kQuery,   // a page of entities
  kEntity,  // one entity: a point read or the echo of an insert
  kTable,   // one table: the client ignores the body, which has the form of an entity
  kTables,  // a list of tables
  kError,
  kBatch,
  kXml,    // ACL, service properties, stats: the client has no reader for them
  kEmpty,  // no body
};

inline Kind KindOf(const Recording& recording) {
  const std::string_view type = recording.headers.Get("Content-Type");
  if (recording.body.empty()) return Kind::kEmpty;
  if (type.starts_with("multipart/")) return Kind::kBatch;
  if (recording.status >= 400) return Kind::kError;
  if (type.starts_with("application/xml")) return Kind::kXml;
  if (recording.path == "/Tables") {
    return recording.method == "GET" ? Kind::kTables : Kind::kTable;
  }
  if (recording.path.starts_with("/Tables(")) return Kind::kTable;
  const bool keys = recording.path.find("(PartitionKey=") != std::string::npos;
  return recording.method == "POST" || keys ? Kind::kEntity : Kind::kQuery;
}

class RecordingsTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* const folder = std::getenv("AZTABLES_RECORDINGS");
    std::ifstream file(std::string(folder == nullptr ? "." : folder) + "/recordings-storage.jsonl");
    if (folder == nullptr || !file) {
      [[maybe_unused]] static const int kToldOnce =
          std::puts("AZTABLES_RECORDINGS names no folder with recordings-storage.jsonl: skipped");
      GTEST_SKIP();
    }
    simdjson::dom::parser parser;
    for (std::string line; std::getline(file, line);) {
      simdjson::dom::element json;
      ASSERT_EQ(parser.parse(line).get(json), simdjson::SUCCESS) << line;
      Recording recording = Load(json);
      ASSERT_TRUE(by_id_.emplace(recording.id, all_.size()).second) << recording.id;
      all_.push_back(std::move(recording));
    }
    ASSERT_GE(all_.size(), 100U);
  }

  const std::vector<Recording>& all() const { return all_; }

  // The recording of that id; a fact about one that is not there is a mistake.
  const Recording& Get(const std::string& id) const {
    static const Recording kNone;
    const auto found = by_id_.find(id);
    EXPECT_NE(found, by_id_.end()) << "no recording " << id;
    return found == by_id_.end() ? kNone : all_[found->second];
  }

 private:
  static Recording Load(const simdjson::dom::element& json) {
    const auto text = [](simdjson::simdjson_result<simdjson::dom::element> element) {
      std::string_view value;
      EXPECT_EQ(element.get_string().get(value), simdjson::SUCCESS);
      return std::string(value);
    };
    Recording recording;
    recording.id = text(json["id"]);
    recording.method = text(json["request"]["method"]);
    const std::string url = PercentDecode(text(json["request"]["url"]));
    recording.path = url.substr(0, url.find('?'));
    int64_t status = 0;
    EXPECT_EQ(json["response"]["status"].get_int64().get(status), simdjson::SUCCESS);
    recording.status = static_cast<int>(status);
    simdjson::dom::object headers;
    EXPECT_EQ(json["response"]["headers"].get_object().get(headers), simdjson::SUCCESS);
    for (const auto& [name, value] : headers) {
      recording.headers.Add(std::string(name), text(simdjson::dom::element(value)));
    }
    recording.body = text(json["response"]["body"]);
    return recording;
  }

  std::vector<Recording> all_;
  std::map<std::string, size_t> by_id_;
};

}  // namespace aztables::replay
