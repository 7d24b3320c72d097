// ServiceClient: see service_client.h. Reads are in query.cc, entity group transactions in egt.cc,
// tables in table_operations.cc.
#include "table/service_client.h"

#include <algorithm>

#include "base/encoding.h"
#include "table/service_error.h"

namespace aztables {
std::string EntityAddress(std::string_view table, std::string_view partition_key,
                          std::string_view row_key) {
  constexpr std::string_view kBegin = "(PartitionKey='";
  constexpr std::string_view kMiddle = "',RowKey='";
  constexpr std::string_view kEnd = "')";
  std::string address;
  address.reserve(table.size() + partition_key.size() + row_key.size() + kBegin.size() +
                  kMiddle.size() + kEnd.size());
  // The quotes around a key are not encoded.
  const auto append = [&address](std::string_view key) {
    for (size_t quote = key.find('\''); quote != key.npos; quote = key.find('\'')) {
      AppendPercentEncoded(address, key.substr(0, quote));
      AppendPercentEncoded(address, "''");
      key.remove_prefix(quote + 1);
    }
    AppendPercentEncoded(address, key);
  };
  AppendPercentEncoded(address, table);
  address += kBegin;
  append(partition_key);
  address += kMiddle;
  append(row_key);
  address += kEnd;
  return address;
}

std::chrono::seconds RequestOptions::WriteTimeout() const {
  using std::chrono::seconds;
  return std::clamp(std::chrono::ceil<seconds>(timeout), seconds(1), seconds(30));
}

ServiceClient::ServiceClient(ServiceEndpoint endpoint, Pipeline* pipeline, RequestLog* log)
    : endpoint_(std::move(endpoint)), pipeline_(pipeline), log_(log) {}

Request ServiceClient::MakeRequest(std::string_view method, std::string path,
                                   std::string_view table, std::string_view kind,
                                   const CallOptions& options) const {
  Request request;
  request.method = method;
  request.origin = endpoint_.origin;
  request.ca_file = endpoint_.ca_file;
  request.path = endpoint_.path + "/" + std::move(path);
  const bool reads = method == "GET";
  if (!reads && !endpoint_.local && !endpoint_.cosmos) {
    request.query = "timeout=" + std::to_string(options.WriteTimeout().count());
  }
  request.may_repeat = reads || options.settle;
  request.max_retries = options.retries;
  request.timeout = options.timeout;
  request.label.statement_id = options.statement_id;
  request.label.scan = options.scan;
  request.budget = options.budget;
  request.label.connection = endpoint_.connection;
  request.label.table = table;
  request.label.kind = kind;
  constexpr size_t kMostHeaders = 12;  // of most requests, with those that are added to send it
  request.headers.all().reserve(kMostHeaders);
  // Source: the official clients; 2019-02-02 is accepted everywhere. With a token, a refusal names
  // the account's tenant only from 2020-12-06 on.
  request.headers.Add("x-ms-version", endpoint_.token ? "2020-12-06" : "2019-02-02");
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
  record->code = status.failure().code;
}

void ServiceClient::NoteServer(const Response& response) const {
  const std::string_view server = response.headers.Get("Server");
  if (!server.empty()) filters_properties_ = !server.starts_with("Azurite-Table/");
  service_date_ms_ = ParseHttpDate(response.headers.Get("Date"));
}

int64_t ServiceClient::ServiceNowMs() const {
  return service_date_ms_.value_or(Clock::System().NowMs());
}

Result<ServiceClient::LoggedResponse> ServiceClient::Ask(
    Request request, std::string_view what, int success, int also, const Cancel& cancel,
    const std::function<Status(Response&)>& read, Doubt* doubt) const {
  request.waits = true;
  const auto exchange = pipeline_->Start(std::move(request));
  Exchange* const waiting = exchange.get();
  while (true) {
    AZTABLES_RETURN_IF_ERROR(pipeline_->WaitAny({&waiting, 1}, cancel));
    auto received = ResponseOf(*exchange, what, success, also);
    Status status = received.ok() && read ? read(received->response) : Status();
    if (!status.ok()) {
      received = UnreadableError(endpoint_, what, exchange->request().label.table, status,
                                 received->response, *exchange);
    }
    if (doubt != nullptr) *doubt = exchange->doubt();
    if (received.ok() || !pipeline_->TryAgain(*exchange, received.status())) return received;
  }
}

Result<ServiceClient::LoggedResponse> ServiceClient::ResponseOf(Exchange& exchange,
                                                                std::string_view what, int success,
                                                                int also) const {
  const std::string& table = exchange.request().label.table;
  Outcome outcome = exchange.Take();
  if (!outcome.ok()) {
    return TransportError(endpoint_, what, table, outcome.status(), exchange);
  }
  NoteServer(*outcome);
  if (outcome->status != success && outcome->status != also) {
    Status status = ResponseError(endpoint_, what, table, "", *outcome, exchange);
    Record(exchange.log_id(), status, 0);
    return status;
  }
  return LoggedResponse{std::move(*outcome), exchange.log_id()};
}

}  // namespace aztables
