// ServiceClient: see include/aztables/table/service_client.h. Entity group transactions are in
// egt.cc.
#include "aztables/table/service_client.h"

#include "aztables/base/encoding.h"
#include "aztables/odata/answers.h"
#include "aztables/odata/json_writer.h"
#include "service_error.h"

namespace aztables {
namespace {

// A longer path segment is refused by the service's front end (measured limit 260).
constexpr size_t kMaxSegment = 250;
// Above this many characters of options $select is left out; servers refuse lines of 16 KB.
constexpr size_t kMaxQuery = 8 * 1024;
constexpr std::string_view kReading = "reading";

std::string DoubleQuotes(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (c == '\'') out += '\'';
    out += c;
  }
  return out;
}

void AppendOption(std::string& query, std::string_view name, std::string_view value) {
  if (!query.empty()) query += '&';
  query += name;
  query += '=';
  AppendPercentEncoded(query, value);
}

std::string JoinNames(const std::vector<std::string>& names) {
  std::string joined;
  for (const std::string& name : names) {
    if (!joined.empty()) joined += ',';
    joined += name;
  }
  return joined;
}

std::optional<std::string> Continuation(const Response& response, std::string_view name) {
  const std::string* value = response.headers.Find(name);
  if (value == nullptr || value->empty()) return std::nullopt;
  return *value;
}

// Every entity that was asked for has its keys: what else comes is no answer of a table service.
Status CheckKeys(EntityPage& page) {
  for (size_t row = 0; row < page.size(); ++row) {
    if (page.At(row, EntityPage::kPartitionKey).type != EdmType::kString ||
        page.At(row, EntityPage::kRowKey).type != EdmType::kString) {
      page.Clear();
      return Status::Error("the answer has an entity without PartitionKey and RowKey");
    }
  }
  return {};
}

}  // namespace

std::string EntityAddress(std::string_view table, std::string_view partition_key,
                          std::string_view row_key) {
  return PercentEncode(table) + "(PartitionKey='" + PercentEncode(DoubleQuotes(partition_key)) +
         "',RowKey='" + PercentEncode(DoubleQuotes(row_key)) + "')";
}

ServiceClient::ServiceClient(ServiceEndpoint endpoint, Pipeline* pipeline, RequestLog* log)
    : endpoint_(std::move(endpoint)), pipeline_(pipeline), log_(log) {}

Request ServiceClient::MakeRequest(std::string_view method, std::string path,
                                   std::string_view table, std::string_view kind,
                                   const CallOptions& options) const {
  Request request;
  request.method = method;
  request.origin = endpoint_.origin;
  request.path = endpoint_.path + "/" + std::move(path);
  request.is_read = method == "GET";
  request.max_retries = options.retries;
  request.timeout = options.timeout;
  request.label.statement_id = options.statement_id;
  request.label.scan = options.scan;
  request.budget = options.budget;
  request.label.connection = endpoint_.connection;
  request.label.table = table;
  request.label.kind = kind;
  // Source: the official clients; 2019-02-02 is accepted everywhere.
  request.headers.Add("x-ms-version", "2019-02-02");
  request.headers.Add("DataServiceVersion", "3.0");
  request.headers.Add("MaxDataServiceVersion", "3.0;NetFx");
  request.headers.Add("Accept", "application/json;odata=minimalmetadata");
  request.headers.Add("User-Agent", "sqlite-aztables");
  return request;
}

void ServiceClient::Record(int64_t log_id, const Status& status, int64_t entities) const {
  RequestRecord* const record = log_->Find(log_id);
  if (record == nullptr) return;
  record->entities = entities;
  record->code = status.detail().code;
}

Result<ServiceClient::Answer> ServiceClient::Ask(Request request, std::string_view what,
                                                 int success, int also,
                                                 const Cancel& cancel) const {
  const auto exchange = pipeline_->Start(std::move(request));
  Exchange* const waiting = exchange.get();
  AZTABLES_RETURN_IF_ERROR(pipeline_->WaitAny({&waiting, 1}, cancel));
  const std::string& table = exchange->request().label.table;
  Outcome outcome = exchange->Take();
  if (!outcome.ok()) {
    return TransportError(endpoint_, what, table, outcome.status(), exchange->attempts());
  }
  if (outcome->status != success && outcome->status != also) {
    Status status = AnswerError(endpoint_, what, table, "", *outcome, exchange->attempts());
    Record(exchange->log_id(), status, 0);
    return status;
  }
  return Answer{std::move(*outcome), exchange->log_id()};
}

std::string ServiceClient::QueryOptions(const std::string& filter,
                                        const std::vector<std::string>& select, size_t top,
                                        const ContinuationToken& from) const {
  std::string options;
  if (!filter.empty()) AppendOption(options, "$filter", filter);
  if (!select.empty()) {
    std::string with_select = options;
    AppendOption(with_select, "$select", JoinNames(select));
    if (with_select.size() <= kMaxQuery) options = std::move(with_select);
  }
  if (top > 0) AppendOption(options, "$top", std::to_string(top));
  // An absent half of the token stays absent: an empty one is refused.
  if (from.next_partition_key) AppendOption(options, "NextPartitionKey", *from.next_partition_key);
  if (from.next_row_key) AppendOption(options, "NextRowKey", *from.next_row_key);
  return options;
}

bool ServiceClient::HasPointAddress(const EntityQuery& query) const {
  return query.point &&
         EntityAddress(query.table, query.point->first, query.point->second).size() <= kMaxSegment;
}

Result<ContinuationToken> ServiceClient::QueryPage(const EntityQuery& query, size_t top,
                                                   const ContinuationToken& from,
                                                   const CallOptions& options, EntityPage& page,
                                                   const Cancel& cancel) const {
  const BodyReader read = [&page](std::string body) -> Result<size_t> {
    AZTABLES_RETURN_IF_ERROR(page.ReadQuery(std::move(body)));
    AZTABLES_RETURN_IF_ERROR(CheckKeys(page));
    return page.size();
  };
  return QueryPage(query, top, from, options, read, cancel);
}

Result<ContinuationToken> ServiceClient::QueryPage(const EntityQuery& query, size_t top,
                                                   const ContinuationToken& from,
                                                   const CallOptions& options,
                                                   const BodyReader& read,
                                                   const Cancel& cancel) const {
  std::string filter = query.raw_filter.empty() ? FilterText(query.filter) : query.raw_filter;
  if (query.point) {
    filter = FilterText({{"PartitionKey", CompareOp::kEq, Value::String(query.point->first)},
                         {"RowKey", CompareOp::kEq, Value::String(query.point->second)}});
  }
  Request request =
      MakeRequest("GET", PercentEncode(query.table) + "()", query.table, query.kind, options);
  request.query = QueryOptions(filter, query.select, top, from);
  request.label.filter = std::move(filter);
  auto answer = Ask(std::move(request), kReading, 200, 200, cancel);
  if (!answer.ok()) return answer.status();
  const Result<size_t> entities = read(std::move(answer->response.body));
  if (!entities.ok()) {
    return ShapeError(endpoint_, kReading, query.table, entities.status(), answer->response);
  }
  Record(answer->log_id, {}, static_cast<int64_t>(*entities));
  options.budget.CountEntities(static_cast<int64_t>(*entities));
  ContinuationToken next;
  next.next_partition_key = Continuation(answer->response, "x-ms-continuation-NextPartitionKey");
  next.next_row_key = Continuation(answer->response, "x-ms-continuation-NextRowKey");
  return next;
}

Status ServiceClient::GetEntity(const EntityQuery& query, const CallOptions& options,
                                EntityPage& page, const Cancel& cancel) const {
  const auto& [partition_key, row_key] = *query.point;
  Request request = MakeRequest("GET", EntityAddress(query.table, partition_key, row_key),
                                query.table, query.kind, options);
  request.query = QueryOptions({}, query.select, 0, {});
  auto answer = Ask(std::move(request), kReading, 200, 200, cancel);
  if (!answer.ok()) {
    const bool missing = answer.status().code() == Code::kNotFound &&
                         answer.status().detail().code == "ResourceNotFound";
    return missing ? Status() : answer.status();
  }
  Status read = page.ReadEntity(std::move(answer->response.body));
  if (read.ok()) read = CheckKeys(page);
  if (!read.ok()) {
    return ShapeError(endpoint_, kReading, query.table, read, answer->response);
  }
  Record(answer->log_id, {}, static_cast<int64_t>(page.size()));
  options.budget.CountEntities(static_cast<int64_t>(page.size()));
  return {};
}

Result<bool> ServiceClient::CreateTable(const std::string& table, const CallOptions& options,
                                        const Cancel& cancel) const {
  Request request = MakeRequest("POST", "Tables", table, "create table", options);
  request.headers.Set("Content-Type", "application/json");
  request.headers.Set("Prefer", "return-no-content");
  request.body = "{\"TableName\":";
  AppendJsonString(request.body, table);
  request.body += '}';
  const auto answer = Ask(std::move(request), "creating", 204, 201, cancel);
  if (answer.ok()) return true;
  if (answer.status().detail().code == "TableAlreadyExists") return false;
  return answer.status();
}

Result<bool> ServiceClient::DeleteTable(const std::string& table, const CallOptions& options,
                                        const Cancel& cancel) const {
  Request request = MakeRequest("DELETE", "Tables('" + PercentEncode(table) + "')", table,
                                "delete table", options);
  const auto answer = Ask(std::move(request), "deleting", 204, 204, cancel);
  if (answer.ok()) return true;
  const std::string& code = answer.status().detail().code;
  if (code == "ResourceNotFound" || code == "TableNotFound") return false;
  return answer.status();
}

Result<std::vector<std::string>> ServiceClient::ListTables(const CallOptions& options,
                                                           const Cancel& cancel) const {
  constexpr std::string_view kWhat = "listing the tables";
  std::vector<std::string> names;
  std::optional<std::string> next;
  while (true) {
    Request request = MakeRequest("GET", "Tables", "", "list tables", options);
    if (next) AppendOption(request.query, "NextTableName", *next);
    auto answer = Ask(std::move(request), kWhat, 200, 200, cancel);
    if (!answer.ok()) return answer.status();
    auto page = ReadTableNames(std::move(answer->response.body));
    if (!page.ok()) return ShapeError(endpoint_, kWhat, "", page.status(), answer->response);
    Record(answer->log_id, {}, static_cast<int64_t>(page->size()));
    names.insert(names.end(), page->begin(), page->end());
    auto token = Continuation(answer->response, "x-ms-continuation-NextTableName");
    if (!token) return names;
    if (token == next) {
      return Status::Error(AskedOf(endpoint_, kWhat, "") +
                           " failed: the service sends the same continuation token over and over");
    }
    next = std::move(token);
  }
}

}  // namespace aztables
