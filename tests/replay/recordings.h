// Reads recorded traffic of the live service: one JSON object per line, with the request and the
// response. AZTABLES_RECORDINGS names its folder. If it is not set, these tests are skipped.
//
// In "shortened" recordings, entities of a list or operations of a request are missing. The
// response is still a complete document, so the tests read it. Its number of entities is not
// compared.
#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/encoding.h"
#include "http/message.h"

namespace aztables::replay {

struct Recording {
  std::string id;
  std::string method;
  std::string path;  // without the query
  std::string url;   // path and query as sent, percent-encoded
  Headers request_headers;
  std::string request_body;
  int status = 0;
  Headers headers;
  std::string body;
  size_t entities = 0;  // the number before the recording was shortened; 0: not shortened
};

// The reader for a response.
enum class Kind {
  kQuery,   // a page of entities
  kEntity,  // one entity: a point read or the echo of an insert
  kTable,   // one table: the client ignores the body, which has the form of an entity
  kTables,  // a list of tables
  kError,
  kBatch,
  kXml,    // ACL, service properties, statistics: the client has no reader for them
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
      [[maybe_unused]] static const int kReportedOnce =
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

  // The recording with this id. The test fails if it does not exist.
  const Recording& Get(const std::string& id) const {
    static const Recording kNone;
    const auto found = by_id_.find(id);
    EXPECT_NE(found, by_id_.end()) << "no recording " << id;
    return found == by_id_.end() ? kNone : all_[found->second];
  }

 private:
  static Recording Load(const simdjson::dom::element& json) {
    Recording recording;
    recording.id = Text(json["id"]);
    recording.method = Text(json["request"]["method"]);
    recording.url = Text(json["request"]["url"]);
    const std::string url = PercentDecode(recording.url);
    recording.path = url.substr(0, url.find('?'));
    LoadHeaders(json["request"], recording.request_headers);
    simdjson::dom::element body;  // not all requests have one
    if (json["request"]["body"].get(body) == simdjson::SUCCESS) recording.request_body = Text(body);
    int64_t status = 0;
    EXPECT_EQ(json["response"]["status"].get_int64().get(status), simdjson::SUCCESS);
    recording.status = static_cast<int>(status);
    LoadHeaders(json["response"], recording.headers);
    recording.body = Text(json["response"]["body"]);
    int64_t entities = 0;
    if (json["entities_in_recording"].get(entities) == simdjson::SUCCESS) {
      recording.entities = static_cast<size_t>(entities);
    }
    return recording;
  }

  using Element = simdjson::simdjson_result<simdjson::dom::element>;

  // `element` is an element or the result of a lookup.
  template <typename Source>
  static std::string Text(const Source& element) {
    std::string_view value;
    EXPECT_EQ(element.get_string().get(value), simdjson::SUCCESS);
    return std::string(value);
  }

  static void LoadHeaders(Element message, Headers& headers) {
    simdjson::dom::object members;
    EXPECT_EQ(message["headers"].get_object().get(members), simdjson::SUCCESS);
    for (const auto& [name, value] : members) headers.Add(std::string(name), Text(value));
  }

  std::vector<Recording> all_;
  std::map<std::string, size_t> by_id_;
};

}  // namespace aztables::replay
