// PageService. See page_service.h.
#include "server/page_service.h"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "server/key_filter.h"

namespace aztables::bench {
namespace {

using std::chrono::steady_clock;

constexpr size_t kPageEntities = 1000;
constexpr const char* kNextPartition = "NextPartitionKey";
constexpr const char* kNextRow = "NextRowKey";
constexpr std::string_view kBatchBoundary = "batchresponse_6bb9b5ef-b5ac-41b6-b5c8-2d2d0e9b7d4c";
constexpr std::string_view kChangeBoundary =
    "changesetresponse_9c7b8a3e-0f7a-4f0e-8f59-0d0ef1b2a3c4";
constexpr std::string_view kPart =
    "\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
    "HTTP/1.1 204 No Content\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n"
    "Preference-Applied: return-no-content\r\nDataServiceVersion: 3.0;\r\n"
    "ETag: W/\"datetime'2026-11-02T10%3A00%3A00.0000000Z'\"\r\n\r\n\r\n";

ServedResponse Json(int status, std::string body) {
  return {.status = status,
          .headers = {{"Content-Type", "application/json;odata=minimalmetadata;streaming=true"}},
          .body = std::move(body)};
}

ServedResponse Error(int status, std::string_view code, std::string_view message) {
  return Json(status, "{\"odata.error\":{\"code\":\"" + std::string(code) +
                          "\",\"message\":{\"lang\":\"en-US\",\"value\":\"" + std::string(message) +
                          "\"}}}");
}

ServedResponse Unknown() {
  return Error(501, "NotImplemented", "page_server does not know this request");
}

// The projection of a request. The table Whole ignores $select, so that all properties are sent.
std::string SelectOf(const ServedRequest& request) {
  if (request.path.find("/Whole(") != std::string::npos) return {};
  return request.query_parameter("$select");
}

// The text between `before` and `after`.
std::optional<std::string_view> Between(std::string_view text, std::string_view before,
                                        std::string_view after) {
  const size_t begin = text.find(before);
  if (begin == std::string_view::npos) return std::nullopt;
  const size_t end = text.find(after, begin + before.size());
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(begin + before.size(), end - begin - before.size());
}

size_t CountOf(std::string_view text, std::string_view word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + word.size())) {
    ++count;
  }
  return count;
}

// $top, at most a page; empty optional: not a number.
std::optional<size_t> LimitOf(const ServedRequest& request) {
  const std::string top = request.query_parameter("$top");
  size_t limit = kPageEntities;
  if (top.empty()) return limit;
  const auto [end, error] = std::from_chars(top.data(), top.data() + top.size(), limit);
  if (error != std::errc() || end != top.data() + top.size()) return std::nullopt;
  return std::min(limit, kPageEntities);
}

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

ServedResponse PageService::Handle(const ServedRequest& request) {
  if (request.path == kStatusPath) return Counters();
  ++requests_;
  ServedResponse response = Unknown();
  const std::string_view path = request.path;
  const size_t address = path.find('(');
  if (request.method == "POST" && path.ends_with("/$batch")) {
    response = Batch(request);
  } else if (request.method == "POST" || request.method == "DELETE") {
    response = Write(request);
  } else if (request.method == "GET" && address != path.npos) {
    const std::string_view keys = path.substr(address);
    response = keys == "()" ? Page(request) : Point(request, keys);
  }
  if (response.status == 501) ++refused_;
  return response;
}

ServedResponse PageService::Page(const ServedRequest& request) {
  const auto* shape = table_.FindShape(SelectOf(request));
  const auto ranges = SelectedRanges(table_, request.query_parameter("$filter"));
  const auto limit = LimitOf(request);
  const std::string partition = request.query_parameter(kNextPartition);
  const auto first = partition.empty() ? std::optional<size_t>(0)
                                       : table_.Find(partition, request.query_parameter(kNextRow));
  if (shape == nullptr || !ranges || !limit || !first) return Unknown();

  std::string body = "{\"odata.metadata\":\"http://127.0.0.1/$metadata#Bench\",\"value\":[";
  body.reserve(*limit * 1100);
  size_t count = 0;
  std::optional<size_t> next;
  for (const IndexRange& range : *ranges) {
    for (size_t index = std::max(range.begin, *first); index < range.end && !next; ++index) {
      if (count == *limit) {
        next = index;
      } else {
        if (count++ > 0) body += ',';
        table_.Render(*shape, index, &body);
      }
    }
    if (next) break;
  }
  body += "]}";
  entities_ += count;
  ServedResponse response = Json(200, std::move(body));
  response.entities = count;
  if (next) {
    const std::string prefix = "x-ms-continuation-";
    response.headers.emplace_back(prefix + kNextPartition, table_.PartitionKey(*next));
    response.headers.emplace_back(prefix + kNextRow, table_.RowKey(*next));
  }
  return response;
}

ServedResponse PageService::Point(const ServedRequest& request, std::string_view address) {
  const auto* shape = table_.FindShape(SelectOf(request));
  const auto partition = Between(address, "PartitionKey='", "'");
  const auto row = Between(address, "RowKey='", "'");
  if (shape == nullptr || !partition || !row) return Unknown();
  const auto index = table_.Find(std::string(*partition), std::string(*row));
  if (!index) return Error(404, "ResourceNotFound", "The specified resource does not exist.");
  std::string entity;
  table_.Render(*shape, *index, &entity);
  entity.replace(0, 1, "{\"odata.metadata\":\"http://127.0.0.1/$metadata#Bench/@Element\",");
  ++entities_;
  ServedResponse response = Json(200, std::move(entity));
  response.entities = 1;
  return response;
}

ServedResponse PageService::Batch(const ServedRequest& request) {
  const size_t inserts = CountOf(request.body, "\nPOST http");
  const size_t deletes = CountOf(request.body, "\nDELETE http");
  if (inserts + deletes != CountOf(request.body, " HTTP/1.1\r\n")) return Unknown();
  inserts_ += inserts;
  deletes_ += deletes;
  const std::string batch(kBatchBoundary);
  const std::string change(kChangeBoundary);
  std::string body =
      "--" + batch + "\r\nContent-Type: multipart/mixed; boundary=" + change + "\r\n\r\n";
  for (size_t i = 0; i < inserts + deletes; ++i) {
    body += "--" + change;
    body += kPart;
  }
  body += "--" + change + "--\r\n--" + batch + "--\r\n";
  return {.status = 202,
          .headers = {{"Content-Type", "multipart/mixed; boundary=" + batch}},
          .body = std::move(body),
          .entities = inserts + deletes};
}

ServedResponse PageService::Write(const ServedRequest& request) {
  ++(request.method == "POST" ? inserts_ : deletes_);
  return {.status = 204,
          .headers = {{"ETag", "W/\"datetime'2026-11-02T10%3A00%3A00.0000000Z'\""}},
          .entities = 1};
}

ServedResponse PageService::Counters() const {
  const auto field = [](std::string_view name, const std::string& value) {
    return '"' + std::string(name) + "\":" + value;
  };
  return Json(200, '{' + field("cpu", std::to_string(CpuSeconds())) + ',' +
                       field("requests", std::to_string(requests_)) + ',' +
                       field("entities", std::to_string(entities_)) + ',' +
                       field("inserts", std::to_string(inserts_)) + ',' +
                       field("deletes", std::to_string(deletes_)) + ',' +
                       field("refused", std::to_string(refused_)) + '}');
}

steady_clock::time_point RateLimit::Reserve(size_t entities) {
  const auto now = steady_clock::now();
  if (rate_ <= 0) return now;
  const std::chrono::duration<double> share(static_cast<double>(entities) / rate_);
  const std::lock_guard lock(mutex_);
  free_ = std::max(free_, now) + std::chrono::duration_cast<steady_clock::duration>(share);
  return free_;
}

}  // namespace aztables::bench
