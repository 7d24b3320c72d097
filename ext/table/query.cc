// ServiceClient's reads: query pages and points; see service_client.h.
#include "base/encoding.h"
#include "table/query_options.h"
#include "table/service_client.h"
#include "table/service_error.h"

namespace aztables {
namespace {

// The service's front end refuses a longer path segment (measured limit 260).
constexpr size_t kMaxSegment = 250;
// If the options have more characters, $select is omitted; servers refuse lines of 16 KB.
constexpr size_t kMaxQuery = 8 * 1024;
constexpr std::string_view kReading = "reading";

std::string JoinNames(const std::vector<std::string>& names) {
  std::string joined;
  for (const std::string& name : names) {
    if (!joined.empty()) joined += ',';
    joined += name;
  }
  return joined;
}

Status CheckKeys(const EntityQuery& query, const EntityPage& page) {
  std::vector<std::pair<size_t, std::string_view>> equal;
  if (query.point) {
    equal = {{EntityPage::kPartitionKey, query.point->first},
             {EntityPage::kRowKey, query.point->second}};
  }
  for (const Comparison& comparison : query.filter) {
    if (comparison.op != CompareOp::kEq) continue;
    if (comparison.property == "PartitionKey") {
      equal.emplace_back(EntityPage::kPartitionKey, comparison.literal.text);
    }
    if (comparison.property == "RowKey") {
      equal.emplace_back(EntityPage::kRowKey, comparison.literal.text);
    }
  }
  for (size_t row = 0; row < page.size(); ++row) {
    if (page.At(row, EntityPage::kPartitionKey).type != EdmType::kString ||
        page.At(row, EntityPage::kRowKey).type != EdmType::kString) {
      return Status::Error("the response has an entity without PartitionKey and RowKey");
    }
    for (const auto& [key, text] : equal) {
      if (page.At(row, key).view() == text) continue;
      return Status::Error("the response has an entity with other keys than were asked for");
    }
  }
  return {};
}

// Every entity must have its keys, and they must equal the keys that the query requires. Any other
// response is not from a table service, or belongs to another request.
Status CheckPage(const EntityQuery& query, PageSequence& sequence, const EntityPage& page) {
  AZTABLES_RETURN_IF_ERROR(CheckKeys(query, page));
  return sequence.CheckPage(page);
}

// SQLITE_FULL would roll back the transaction around a SELECT.
Status NotFull(const Status& status) {
  if (status.code() != Code::kFull) return status;
  return {Code::kError, std::string(status.message()), status.detail()};
}

std::string FilterOf(const EntityQuery& query) {
  if (query.point) {
    return FilterText({{"PartitionKey", CompareOp::kEq, Value::String(query.point->first)},
                       {"RowKey", CompareOp::kEq, Value::String(query.point->second)}});
  }
  return query.raw_filter.empty() ? FilterText(query.filter, query.clauses) : query.raw_filter;
}

// Names the option that helps if the service does not take the filter.
Status WithRemedy(const EntityQuery& query, const Status& status) {
  const int http = status.detail().http_status;
  const bool refused = http == 400 || http == 500 || http == 501;
  if (!refused || query.point || !ComparesProperties(query.clauses)) return status;
  return status.WithMessage(std::string(status.message()) +
                            "; if it does not take comparisons of properties, set pushdown=keys");
}

bool IsMissing(const Status& status) {
  return status.code() == Code::kNotFound && status.detail().code == "ResourceNotFound";
}

}  // namespace

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
  // An absent half of the token stays absent, because the service refuses an empty one.
  if (from.next_partition_key) AppendOption(options, "NextPartitionKey", *from.next_partition_key);
  if (from.next_row_key) AppendOption(options, "NextRowKey", *from.next_row_key);
  return options;
}

bool ServiceClient::HasPointAddress(const EntityQuery& query) const {
  return query.point &&
         EntityAddress(query.table, query.point->first, query.point->second).size() <= kMaxSegment;
}

std::unique_ptr<Exchange> ServiceClient::StartPage(const EntityQuery& query, size_t top,
                                                   const ContinuationToken& from,
                                                   const CallOptions& options) const {
  if (HasPointAddress(query)) {
    const auto& [partition_key, row_key] = *query.point;
    Request request = MakeRequest("GET", EntityAddress(query.table, partition_key, row_key),
                                  query.table, query.kind, options);
    request.query = QueryOptions({}, query.select, 0, {});
    return pipeline_->Start(std::move(request));
  }
  Request request =
      MakeRequest("GET", PercentEncode(query.table) + "()", query.table, query.kind, options);
  std::string filter = FilterOf(query);
  request.query = QueryOptions(filter, query.select, top, from);
  request.label.filter = std::move(filter);
  return pipeline_->Start(std::move(request));
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
  if (status.ok()) status = CheckPage(query, sequence, page);
  ContinuationToken next;
  if (status.ok()) {
    const auto entities = static_cast<int64_t>(page.size());
    Record(received->log_id, {}, entities);
    options.budget.CountEntities(entities);
    if (point) return next;
    // An emulator's token is the key itself, which may be empty. An empty NextRowKey has no
    // meaning, and the service refuses it.
    next.next_partition_key = Continuation(response, "x-ms-continuation-NextPartitionKey", true);
    next.next_row_key = Continuation(response, "x-ms-continuation-NextRowKey");
    status = sequence.CheckToken(next);
  }
  if (status.ok()) return next;
  page.Clear();
  return ShapeError(endpoint_, kReading, query.table, status, response);
}

Result<ContinuationToken> ServiceClient::QueryPage(const EntityQuery& query, size_t top,
                                                   const ContinuationToken& from,
                                                   const CallOptions& options, EntityPage& page,
                                                   const Cancel& cancel) const {
  PageSequence only = NewSequence();
  return QueryPage(query, top, from, options, only, page, cancel);
}

Result<ContinuationToken> ServiceClient::QueryPage(const EntityQuery& query, size_t top,
                                                   const ContinuationToken& from,
                                                   const CallOptions& options,
                                                   PageSequence& sequence, EntityPage& page,
                                                   const Cancel& cancel) const {
  const auto exchange = StartPage(query, top, from, options);
  Exchange* const waiting = exchange.get();
  AZTABLES_RETURN_IF_ERROR(pipeline_->WaitAny({&waiting, 1}, cancel));
  return FinishPage(query, options, *exchange, sequence, page);
}

}  // namespace aztables
