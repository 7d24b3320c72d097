// ServiceClient's reads: query pages, points and lists of tables; see service_client.h.
#include <unordered_set>

#include "base/encoding.h"
#include "model/limits.h"
#include "odata/response_body.h"
#include "table/service_client.h"
#include "table/service_error.h"

namespace aztables {
namespace {

// The service's front end refuses a longer path segment (measured limit 260).
constexpr size_t kMaxSegment = 250;
// If the options have more characters, $select is omitted; servers refuse lines of 16 KB.
constexpr size_t kMaxQuery = 8 * 1024;
constexpr size_t kUsualQuery = 100;  // characters, without the filter
constexpr std::string_view kReading = "reading";

// Adds name=value, percent-encoded, to the options of a request.
void AppendOption(std::string& options, std::string_view name, std::string_view value) {
  if (!options.empty()) options += '&';
  options += name;
  options += '=';
  AppendPercentEncoded(options, value);
}

// One half of the continuation token, from a header of the response. Nothing if the header is
// absent, or if it is empty and not `may_be_empty`.
std::optional<std::string> Continuation(const Response& response, std::string_view name,
                                        bool may_be_empty = false) {
  const std::string* value = response.headers.Find(name);
  if (value == nullptr || (value->empty() && !may_be_empty)) return std::nullopt;
  return *value;
}

std::string JoinNames(const std::vector<std::string>& names) {
  std::string joined;
  for (const std::string& name : names) {
    if (!joined.empty()) joined += ',';
    joined += name;
  }
  return joined;
}

// The keys that the query requires.
struct RequiredKeys {
  std::optional<std::string_view> partition;
  std::optional<std::string_view> row;
};
RequiredKeys RequiredBy(const EntityQuery& query) {
  if (query.point) return {query.point->first, query.point->second};
  RequiredKeys required;
  for (const Comparison& one : query.filter) {
    if (one.op != CompareOp::kEq) continue;
    if (one.property == "PartitionKey") required.partition = one.literal.text;
    if (one.property == "RowKey") required.row = one.literal.text;
  }
  return required;
}

// Every entity must have its keys, and they must equal the keys that the query requires. Any other
// response is not from a table service, or belongs to another request.
Status CheckKeys(const EntityQuery& query, const EntityPage& page) {
  const RequiredKeys required = RequiredBy(query);
  for (size_t row = 0; row < page.size(); ++row) {
    const Cell& partition_key = page.At(row, EntityPage::kPartitionKey);
    const Cell& row_key = page.At(row, EntityPage::kRowKey);
    if (partition_key.type != EdmType::kString || row_key.type != EdmType::kString) {
      return Status::Error("the response has an entity without PartitionKey and RowKey");
    }
    if ((required.partition && partition_key.view() != *required.partition) ||
        (required.row && row_key.view() != *required.row)) {
      return Status::Error("the response has an entity with other keys than were asked for");
    }
  }
  return {};
}

// SQLITE_FULL would roll back the transaction around a SELECT.
Status NotFull(const Status& status) {
  return status.code() == Code::kFull ? status.As(Code::kError) : status;
}

std::string FilterOf(const EntityQuery& query) {
  if (!query.raw_filter.empty()) return query.raw_filter;
  if (query.point) return FilterText(query.Conditions());
  return FilterText(query.filter, query.clauses);
}

// Names the option that helps if the service does not take the filter.
Status WithRemedy(const EntityQuery& query, const Status& status) {
  const int http = status.code() == Code::kNoMemory ? 0 : status.failure().http_status;
  const bool refused = http == 400 || http == 500 || http == 501;
  if (!refused || query.point || !ComparesProperties(query.clauses)) return status;
  return status.Noting("; if it does not take comparisons of properties, set pushdown=keys");
}

// The options of the request for a page; of a point, $select alone.
std::string OptionsOf(const EntityQuery& query, const std::string& filter, size_t top,
                      const ContinuationToken& from) {
  std::string options;
  options.reserve(kUsualQuery + 2 * filter.size());
  if (!filter.empty()) AppendOption(options, "$filter", filter);
  if (!query.select.empty()) {
    const size_t size = options.size();
    AppendOption(options, "$select", JoinNames(query.select));
    if (options.size() > kMaxQuery) options.resize(size);
  }
  if (top > 0) AppendOption(options, "$top", std::to_string(top));
  // An absent half of the token stays absent, because the service refuses an empty one.
  if (from.next_partition_key) AppendOption(options, "NextPartitionKey", *from.next_partition_key);
  if (from.next_row_key) AppendOption(options, "NextRowKey", *from.next_row_key);
  return options;
}

bool IsMissing(const Status& status) {
  return status.code() == Code::kNotFound && status.failure().code == "ResourceNotFound";
}

std::string PointAddress(const EntityQuery& query) {
  return query.point ? EntityAddress(query.table, query.point->first, query.point->second) : "";
}

bool IsPointAddress(std::string_view address) {
  return !address.empty() && address.size() <= kMaxSegment;
}

}  // namespace

bool ServiceClient::HasPointAddress(const EntityQuery& query) const {
  if (!query.point) return false;
  // A byte needs at most three characters, and a quote in a key six.
  constexpr size_t kAround = std::string_view("(PartitionKey='',RowKey='')").size();
  const auto& [partition_key, row_key] = *query.point;
  if (kAround + 3 * query.table.size() + 6 * (partition_key.size() + row_key.size()) <=
      kMaxSegment) {
    return true;
  }
  return IsPointAddress(PointAddress(query));
}

std::unique_ptr<Exchange> ServiceClient::StartPage(const EntityQuery& query, size_t top,
                                                   const ContinuationToken& from,
                                                   const CallOptions& options, bool waits) const {
  if (std::string address = PointAddress(query); IsPointAddress(address)) {
    Request request = MakeRequest("GET", std::move(address), query.table, query.kind, options);
    request.query = OptionsOf(query, {}, 0, {});
    request.waits = waits;
    return pipeline_->Start(std::move(request));
  }
  Request request =
      MakeRequest("GET", PercentEncode(query.table) + "()", query.table, query.kind, options);
  std::string filter = FilterOf(query);
  request.query = OptionsOf(query, filter, top, from);
  request.label.filter = std::move(filter);
  request.wants_head = true;
  request.waits = waits;
  return pipeline_->Start(std::move(request));
}

// An emulator's token is the key itself, which may be empty. An empty NextRowKey has no meaning,
// and the service refuses it.
ContinuationToken ServiceClient::NextOf(const Response& head) {
  ContinuationToken next;
  next.next_partition_key = Continuation(head, "x-ms-continuation-NextPartitionKey", true);
  next.next_row_key = Continuation(head, "x-ms-continuation-NextRowKey");
  return next;
}

Result<ContinuationToken> ServiceClient::FinishPage(const EntityQuery& query,
                                                    const CallOptions& options, Exchange& exchange,
                                                    PageSequence& sequence, EntityPage& page,
                                                    std::string* body) const {
  page.Clear();
  const bool point = HasPointAddress(query);
  auto received = ResponseOf(exchange, kReading, 200, 200);
  if (!received.ok()) {
    if (point && IsMissing(received.status())) return ContinuationToken();
    return WithRemedy(query, NotFull(received.status()));
  }
  Response& response = received->response;
  if (body != nullptr) *body = response.body;
  Status status =
      point ? page.ReadEntity(std::move(response.body)) : page.ReadQuery(std::move(response.body));
  if (!status.ok()) {
    page.Clear();
    return UnreadableError(endpoint_, kReading, query.table, status, response, exchange);
  }
  status = CheckKeys(query, page);
  if (status.ok()) status = sequence.CheckPage(page);
  ContinuationToken next;
  if (status.ok()) {
    const auto entities = static_cast<int64_t>(page.size());
    Record(received->log_id, {}, entities);
    options.budget.CountEntities(entities);
    if (point) return next;
    next = NextOf(response);
    status = sequence.CheckToken(next);
  }
  if (status.ok()) return next;
  page.Clear();
  return ShapeError(endpoint_, kReading, query.table, status, response);
}

Result<ContinuationToken> ServiceClient::QueryPage(const EntityQuery& query, size_t top,
                                                   const ContinuationToken& from,
                                                   const CallOptions& options, EntityPage& page,
                                                   const Cancel& cancel,
                                                   PageSequence* sequence) const {
  const auto exchange = StartPage(query, top, from, options, true);
  Exchange* const waiting = exchange.get();
  PageSequence only = NewSequence();
  while (true) {
    AZTABLES_RETURN_IF_ERROR(pipeline_->WaitAny({&waiting, 1}, cancel));
    auto next = FinishPage(query, options, *exchange, sequence ? *sequence : only, page);
    if (next.ok() || !pipeline_->TryAgain(*exchange, next.status())) return next;
  }
}

Result<std::vector<std::string>> ServiceClient::ListTables(const CallOptions& options,
                                                           const Cancel& cancel) const {
  constexpr std::string_view kWhat = "listing the tables";
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;  // lower case, except for Cosmos DB
  std::optional<std::string> next;
  PageSequence sequence(false);
  while (true) {
    AZTABLES_RETURN_IF_ERROR(cancel.Check());
    Request request = MakeRequest("GET", "Tables", "", "list tables", options);
    if (next) AppendOption(request.query, "NextTableName", *next);
    Result<std::vector<std::string>> page = std::vector<std::string>();
    auto received = Ask(std::move(request), kWhat, 200, 200, cancel, [&page](Response& response) {
      page = ReadTableNames(std::move(response.body));
      return page.status();
    });
    if (!received.ok()) return received.status();
    Record(received->log_id, {}, static_cast<int64_t>(page->size()));
    for (std::string& name : *page) {
      if (!seen.insert(endpoint_.cosmos ? name : ToLowerAscii(name)).second) {
        const Status twice = Status::Error("the service listed the table " + QuoteForMessage(name) +
                                           " twice, but it lists each table once");
        return ShapeError(endpoint_, kWhat, "", twice, received->response);
      }
      names.push_back(std::move(name));
    }
    auto token = Continuation(received->response, "x-ms-continuation-NextTableName");
    if (!token) return names;
    if (const Status status = sequence.CheckToken({token, {}}); !status.ok()) {
      return ShapeError(endpoint_, kWhat, "", status, received->response);
    }
    next = std::move(token);
  }
}

}  // namespace aztables
