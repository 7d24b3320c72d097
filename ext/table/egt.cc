// Entity group transactions of ServiceClient; see service_client.h.
// Source: Microsoft, "Performing entity group transactions". Only the outer request is signed.
#include "base/crypto.h"
#include "base/encoding.h"
#include "model/limits.h"
#include "odata/batch/batch.h"
#include "odata/json_writer.h"
#include "odata/response_body.h"
#include "table/service_client.h"
#include "table/service_error.h"

namespace aztables {
namespace {

constexpr std::string_view kWriting = "writing to";

// Whether it is unknown, after a complete response of this status, if the EGT was applied.
// Refusals, 429 and 503 mean that nothing was done.
bool LeavesOpen(int status) {
  return status < 300 || DoubtAfter(Response{.status = status}) == Doubt::kOpen;
}

std::string_view MethodOf(EntityVerb verb) {
  switch (verb) {
    case EntityVerb::kInsert:
      return "POST";
    case EntityVerb::kInsertOrReplace:
    case EntityVerb::kReplace:
      return "PUT";
    case EntityVerb::kInsertOrMerge:
    case EntityVerb::kMerge:
      return "MERGE";
    case EntityVerb::kDelete:
      return "DELETE";
  }
  return "";
}

BatchOperation Encode(const ServiceEndpoint& endpoint, const std::string& table,
                      const EntityOperation& operation) {
  BatchOperation encoded;
  encoded.method = MethodOf(operation.verb);
  encoded.url = endpoint.origin + endpoint.path + "/";
  encoded.if_match = operation.if_match;
  encoded.url += operation.verb == EntityVerb::kInsert
                     ? PercentEncode(table)
                     : EntityAddress(table, operation.partition_key, operation.row_key);
  if (operation.verb == EntityVerb::kDelete) return encoded;
  // The body always has the keys, as in the official clients: an emulator needs empty keys in it.
  encoded.rest = BeginEntityJson(encoded.body, operation.partition_key, operation.row_key,
                                 operation.properties);
  return encoded;
}

// The error for a response to the whole batch.
Status RefusedBatch(const ServiceEndpoint& endpoint, const std::string& table,
                    const Response& response, const Exchange& exchange) {
  const Status status = ResponseError(endpoint, kWriting, table, "", response, exchange);
  Failure failure = status.failure();
  failure.inconclusive = failure.inconclusive || response.status < 300;
  failure.may_have_reached = failure.inconclusive || LeavesOpen(response.status);
  return {status.code(), std::move(failure)};
}

// The error for the part that names the failed operation. It fails the whole EGT.
Status FailedPart(const ServiceEndpoint& endpoint, const std::string& table,
                  std::span<const EntityOperation> operations, const Response& part,
                  const Exchange& exchange) {
  int index = ReadErrorBody(part.body).operation_index;
  // The index may be missing if there is only one operation.
  if (operations.size() == 1) index = 0;
  if (index >= static_cast<int>(operations.size())) index = -1;
  std::string entity;
  if (index >= 0) {
    const EntityOperation& failed = operations[static_cast<size_t>(index)];
    entity = DescribeEntity(failed.partition_key, failed.row_key);
  }
  const Status status = ResponseError(endpoint, kWriting, table, entity, part, exchange);
  Failure failure = status.failure();
  failure.operation_index = index;
  failure.inconclusive = IsTransient(part.status);
  failure.may_have_reached = LeavesOpen(part.status);
  // The version that was read is gone, whether or not there is another one.
  const bool of_version = index >= 0 && !operations[static_cast<size_t>(index)].if_match.empty() &&
                          operations[static_cast<size_t>(index)].if_match != "*";
  const bool lost = of_version && failure.code == "ResourceNotFound";
  return {lost ? Code::kPrecondition : status.code(), std::move(failure)};
}

// Reads a response with one part per operation. If the response cannot be read, it is unknown
// whether the EGT was applied.
Status ReadBatch(const ServiceEndpoint& endpoint, const std::string& table,
                 std::span<const EntityOperation> operations, const Response& response,
                 const Exchange& exchange) {
  auto parts = DecodeBatch(response.headers.Get("Content-Type"), response.body);
  const auto unreadable = [&](const Status& error) {
    return UnreadableError(endpoint, kWriting, table, error, response, exchange);
  };
  if (!parts.ok()) return unreadable(parts.status());
  for (const BatchPart& part : *parts) {
    if (part.status >= 200 && part.status < 300) continue;
    const ErrorBody error = ReadErrorBody(part.body);
    if (error.lacks_memory) return unreadable({Code::kNoMemory, "there is no memory to read it"});
    if (part.status < 400 || !error.recognized) {
      return unreadable(Status::Error("the response has a part of status " +
                                      std::to_string(part.status) + " that no operation gets"));
    }
    Response failed{.status = part.status, .headers = {}, .body = part.body};
    failed.headers.Set("x-ms-request-id", std::string(response.headers.Get("x-ms-request-id")));
    return FailedPart(endpoint, table, operations, failed, exchange);
  }
  if (parts->size() == operations.size()) return {};
  return unreadable(Status::Error("the response has " + std::to_string(parts->size()) +
                                  " parts for " + std::to_string(operations.size()) +
                                  " operations"));
}

}  // namespace

std::string_view VerbName(EntityVerb verb) {
  constexpr std::string_view kNames[] = {"Insert",  "InsertOrReplace", "InsertOrMerge",
                                         "Replace", "Merge",           "Delete"};
  return kNames[static_cast<size_t>(verb)];
}

size_t ServiceClient::MaxEgtBytes() const {
  return endpoint_.cosmos ? kMaxEgtBytesCosmos : kMaxEgtBytes;
}

size_t ServiceClient::EncodedOperationSize(const std::string& table,
                                           const EntityOperation& operation) const {
  return EncodedSize(Encode(endpoint_, table, operation));
}

std::string ServiceClient::NewRequestId() { return std::string(kWriteIdPrefix) + RandomGuid(); }

std::unique_ptr<Exchange> ServiceClient::StartEgt(const std::string& table,
                                                  std::span<const EntityOperation> operations,
                                                  const CallOptions& options,
                                                  const std::string& client_request_id) const {
  std::vector<BatchOperation> encoded;
  encoded.reserve(operations.size());
  for (const EntityOperation& operation : operations) {
    encoded.push_back(Encode(endpoint_, table, operation));
  }
  Request request = MakeRequest("POST", "$batch", table, "EGT", options);
  const std::string id = client_request_id.empty() ? NewRequestId() : client_request_id;
  const std::string guid = id.substr(kWriteIdPrefix.size());
  EncodedBatch batch = EncodeBatch(encoded, guid, guid);
  request.headers.Set(kClientRequestIdHeader, id);
  request.headers.Set("Content-Type", batch.content_type);
  request.body = std::move(batch.body);
  return pipeline_->Start(std::move(request));
}

EgtResponse ServiceClient::FinishEgt(const std::string& table,
                                     std::span<const EntityOperation> operations,
                                     Exchange& exchange) const {
  const Outcome outcome = exchange.Take();
  EgtResponse response;
  if (!outcome.ok()) {
    response.status = TransportError(endpoint_, kWriting, table, outcome.status(), exchange);
  } else {
    NoteServer(*outcome);
    response.http_status = outcome->status;
    response.request_id = outcome->headers.Get("x-ms-request-id");
    const auto remembers = ParseInteger(outcome->headers.Get(kRemembersWritesHeader));
    response.remembers = std::chrono::seconds(remembers.value_or(0));
    response.status = outcome->status == 202
                          ? ReadBatch(endpoint_, table, operations, *outcome, exchange)
                          : RefusedBatch(endpoint_, table, *outcome, exchange);
  }
  // As after a broken connection: COMMIT can be repeated.
  if (response.status.failure().inconclusive && !exchange.IsForeign(response.request_id)) {
    response.status = response.status.As(Code::kBusy);
  }
  const bool applied = response.status.ok();
  const auto entities = applied ? static_cast<int64_t>(operations.size()) : 0;
  Record(exchange.log_id(), response.status, entities);
  if (applied) exchange.request().budget.CountEntities(entities);
  return response;
}

}  // namespace aztables
