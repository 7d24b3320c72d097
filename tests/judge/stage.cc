// Stages: see stage.h.
#include "judge/stage.h"

#include <algorithm>
#include <regex>

#include "base/encoding.h"
#include "model/datetime.h"

namespace aztables::judge {
namespace {

// The account of the first address in the response.
std::string AccountOf(const Recording& recording) {
  static const std::regex kAddress(R"(https://([a-z0-9_]+)\.table\.core\.windows\.net)");
  std::smatch match;
  if (std::regex_search(recording.body, match, kAddress)) return match[1];
  const std::string location(recording.headers.Get("Location"));
  if (std::regex_search(location, match, kAddress)) return match[1];
  return "storagename";
}

// The time of the response, if the response contains it.
int64_t TimeOf(const Recording& recording) {
  static const std::regex kStats("<LastSyncTime>([^<]*)<");
  static const std::regex kTime(
      R"re((?:Time:|datetime'|"Timestamp":")(\d{4}-\d\d-\d\dT\d\d)(?:%3A|:)(\d\d)(?:%3A|:)(\d\d))re");
  std::smatch match;
  if (std::regex_search(recording.body, match, kStats)) {
    return ParseHttpDate(match[1].str()).value_or(0);
  }
  const std::string etag(recording.headers.Get("ETag"));
  std::string text = "2017-11-10T02:43:41Z";
  if (std::regex_search(recording.body, match, kTime) || std::regex_search(etag, match, kTime)) {
    text = match[1].str() + ":" + match[2].str() + ":" + match[3].str() + "Z";
  }
  return (ParseDateTime(text).value_or(kUnixEpochTicks) - kUnixEpochTicks) / 10'000;
}

std::string Raw(const simdjson::dom::element& element) { return simdjson::minify(element); }

Members ReadMembers(const simdjson::dom::object& object) {
  Members members;
  for (const auto& [name, value] : object) {
    const bool of_service = name.starts_with("odata.") || name.starts_with("Timestamp");
    if (!of_service) members.emplace_back(name, Raw(value));
  }
  return members;
}

Question QuestionOf(const Recording& recording) {
  Question question;
  question.method = recording.method;
  question.url = recording.url;
  question.headers = recording.request_headers;
  question.body = recording.request_body;
  // If the recording has no headers, the request has those of all clients.
  if (question.headers.Find("x-ms-version") == nullptr) {
    if (const std::string* version = recording.headers.Find("x-ms-version")) {
      question.headers.Set("x-ms-version", *version);
    }
  }
  if (question.headers.Find("Accept") == nullptr && recording.path != "/$batch") {
    question.headers.Set("Accept", "application/json;odata=minimalmetadata");
  }
  return question;
}

std::string BatchPart(const AskedOperation& operation) {
  std::string part = "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n" +
                     operation.method + " " + operation.url + " HTTP/1.1\r\n";
  for (const std::string& header : operation.headers) part += header + "\r\n";
  return part + "\r\n" + operation.body + "\r\n";
}

}  // namespace

std::string Quoted(const std::string& text) { return "\"" + text + "\""; }

std::string ToJson(const Members& members) {
  std::string json = "{";
  for (const auto& [name, value] : members) {
    if (json.size() > 1) json += ',';
    json += Quoted(name) + ":" + value;
  }
  return json + "}";
}

Members With(Members members, const std::string& name, const std::string& value) {
  for (auto& member : members) {
    if (member.first == name) member.second = value;
  }
  return members;
}

void MakeBatch(Question& question, const std::vector<AskedOperation>& operations) {
  question.method = "POST";
  question.headers.Set("Content-Type", "multipart/mixed; boundary=batch_1");
  const bool changeset = operations.empty() || operations.front().method != "GET";
  std::string& body = question.body;
  body = "--batch_1\r\n";
  if (changeset) body += "Content-Type: multipart/mixed; boundary=changeset_1\r\n\r\n";
  for (const AskedOperation& operation : operations) {
    if (changeset) body += "--changeset_1\r\n";
    body += BatchPart(operation);
  }
  if (changeset) body += "--changeset_1--\r\n";
  body += "--batch_1--\r\n";
}

Stage::Stage(const Recording& recorded, Find find)
    : question(QuestionOf(recorded)), recorded_(&recorded), find_(std::move(find)) {
  scene_ = std::make_unique<Scene>(AccountOf(recorded), TimeOf(recorded));
}

std::string Stage::Table() const {
  static const std::regex kQuoted("/Tables\\('([^']*)'\\)");
  static const std::regex kBody(R"re("TableName": ?"([^"]*)")re");
  // In a batch: the table of its first operation, or of its response.
  static const std::regex kInner(
      R"((?:POST|PUT|MERGE|PATCH|DELETE) (?:https://[^/]*)?/([A-Za-z0-9]+))");
  static const std::regex kResponse(R"(windows\.net/(?:\$metadata#)?([A-Za-z0-9]+))");
  const std::string& path = recorded_->path;
  std::smatch match;
  if (path == "/$batch") {
    if (std::regex_search(question.body, match, kInner)) return match[1];
    return std::regex_search(recorded_->body, match, kResponse) ? match[1].str() : "tableofbatch";
  }
  if (std::regex_search(path, match, kQuoted)) return match[1];
  if (std::regex_search(question.body, match, kBody)) return match[1];
  return path.substr(1, path.find('(') - 1);
}

std::vector<Members> Stage::Shown() const {
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  std::vector<Members> shown;
  if (recorded_->path == "/$batch") {
    static const std::regex kEntity(R"(\r\n\r\n(\{.*\})\r\n--)");
    const std::string& body = recorded_->body;
    for (std::sregex_iterator it(body.begin(), body.end(), kEntity), end; it != end; ++it) {
      EXPECT_EQ(parser.parse((*it)[1].str()).get(object), simdjson::SUCCESS);
      shown.push_back(ReadMembers(object));
    }
    return shown;
  }
  EXPECT_EQ(parser.parse(recorded_->body).get(object), simdjson::SUCCESS) << recorded_->body;
  simdjson::dom::array array;
  if (object["value"].get(array) != simdjson::SUCCESS) return {ReadMembers(object)};
  for (const simdjson::dom::element& element : array) {
    EXPECT_EQ(element.get(object), simdjson::SUCCESS);
    shown.push_back(ReadMembers(object));
  }
  return shown;
}

void Stage::PutReversed(const Members& entity) {
  Members reversed;
  std::string keys[2];
  for (const auto& [name, value] : entity) {
    const bool key = name == "PartitionKey" || name == "RowKey";
    if (key) keys[name == "RowKey"] = value.substr(1, value.size() - 2);
    reversed.insert(reversed.begin(), {name, value});
  }
  for (std::string& key : keys) {
    key = std::regex_replace(PercentEncode(key), std::regex("%27"), "''");
  }
  Question put;
  put.method = "PUT";
  put.url = "/" + Table() + "(PartitionKey='" + keys[0] + "',RowKey='" + keys[1] + "')";
  put.body = ToJson(reversed);
  scene_->Prepare(put, 204);
}

std::string Stage::StandardEntity(const std::string& partition_key,
                                  const std::string& row_key) const {
  std::string body = find_("entity-insert-204").request_body;
  body = std::regex_replace(body, std::regex(R"re("PartitionKey": "[^"]*")re"),
                            "\"PartitionKey\": \"" + partition_key + "\"");
  return std::regex_replace(body, std::regex(R"re("RowKey": "[^"]*")re"),
                            "\"RowKey\": \"" + row_key + "\"");
}

std::string Stage::StandardEntity() const {
  static const std::regex kInPath("PartitionKey='([^']*)',RowKey='([^']*)'");
  static const std::regex kInBody(R"re("PartitionKey": "([^"]*)", "RowKey": "([^"]*)")re");
  std::smatch match;
  const bool found = std::regex_search(question.url, match, kInPath) ||
                     std::regex_search(question.body, match, kInBody);
  EXPECT_TRUE(found) << question.url;
  return found ? StandardEntity(match[1], match[2]) : "";
}

void Stage::Replay(const std::string& id) {
  const Recording& other = find_(id);
  scene_->Prepare(QuestionOf(other), other.status);
}

}  // namespace aztables::judge
