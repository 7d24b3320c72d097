// Entity group transactions of ServiceClient; see include/aztables/table/service_client.h.
// Source: Microsoft, "Performing entity group transactions". Only the outer request is signed.
#include "aztables/base/crypto.h"
#include "aztables/base/encoding.h"
#include "aztables/model/limits.h"
#include "aztables/odata/answers.h"
#include "aztables/odata/batch.h"
#include "aztables/table/service_client.h"
#include "service_error.h"

namespace aztables {
namespace {

constexpr std::string_view kWriting = "writing to";

// Whether a complete answer of this status leaves open if the EGT was applied. Refusals do not, nor
// does a 503, which says that nothing was done; other failures of a server do, and so does a
// success that is not the protocol's own (202).
bool LeavesOpen(int status) {
  return status < 300 || status == 408 || (status >= 500 && status != 503);
}

// An answer to the batch as a whole.
Status RefusedBatch(const ServiceEndpoint& endpoint, const std::string& table,
                    const Response& response, int attempts) {
  const Status status = AnswerError(endpoint, kWriting, table, "", response, attempts);
  ServiceDetail detail = status.detail();
  detail.may_have_reached = LeavesOpen(response.status);
  return {status.code(), std::string(status.message()), std::move(detail)};
}

// The part that says which operation failed: a refusal of it is one of the whole EGT.
Status FailedPart(const ServiceEndpoint& endpoint, const std::string& table,
                  const std::vector<const InsertOperation*>& inserts, const BatchPart& part,
                  std::string_view request_id, int attempts) {
  int index = ReadErrorBody(part.body).operation_index;
  // The index may be missing where there is one operation only.
  if (inserts.size() == 1) index = 0;
  if (index >= static_cast<int>(inserts.size())) index = -1;
  std::string entity;
  if (index >= 0) {
    const InsertOperation& failed = *inserts[static_cast<size_t>(index)];
    entity = DescribeEntity(failed.partition_key, failed.row_key);
  }
  const Status status = AnswerError(endpoint, kWriting, table, entity, part.status, request_id, "",
                                    part.body, attempts);
  ServiceDetail detail = status.detail();
  detail.operation_index = index;
  detail.may_have_reached = LeavesOpen(part.status);
  return {status.code(), std::string(status.message()), std::move(detail)};
}

// An answer with a part per operation. One that cannot be read leaves open what was done.
Status ReadBatch(const ServiceEndpoint& endpoint, const std::string& table,
                 const std::vector<const InsertOperation*>& inserts, const Response& response,
                 int attempts) {
  const auto parts = DecodeBatch(response.headers.Get("Content-Type"), response.body);
  if (!parts.ok()) return ShapeError(endpoint, kWriting, table, parts.status(), response);
  for (const BatchPart& part : *parts) {
    if (part.status < 400) continue;
    return FailedPart(endpoint, table, inserts, part, response.headers.Get("x-ms-request-id"),
                      attempts);
  }
  if (parts->size() == inserts.size()) return {};
  return ShapeError(endpoint, kWriting, table,
                    Status::Error("the answer has " + std::to_string(parts->size()) +
                                  " parts for " + std::to_string(inserts.size()) + " operations"),
                    response);
}

}  // namespace

size_t ServiceClient::MaxEgtBytes() const {
  return endpoint_.cosmos ? kMaxEgtBytesCosmos : kMaxEgtBytes;
}

size_t ServiceClient::EncodedInsertSize(const std::string& table,
                                        const InsertOperation& insert) const {
  BatchOperation operation;
  operation.method = "POST";
  operation.url = endpoint_.origin + endpoint_.path + "/" + PercentEncode(table);
  return EncodedSize(operation) + insert.body.size();
}

std::unique_ptr<Exchange> ServiceClient::StartEgt(
    const std::string& table, const std::vector<const InsertOperation*>& inserts,
    const CallOptions& options) const {
  std::vector<BatchOperation> operations;
  operations.reserve(inserts.size());
  for (const InsertOperation* insert : inserts) {
    operations.push_back({.method = "POST",
                          .url = endpoint_.origin + endpoint_.path + "/" + PercentEncode(table),
                          .if_match = "",
                          .body = insert->body});
  }
  Request request = MakeRequest("POST", "$batch", table, "EGT", options);
  EncodedBatch batch = EncodeBatch(operations, RandomGuid(), RandomGuid());
  request.headers.Set("Content-Type", batch.content_type);
  request.body = std::move(batch.body);
  return pipeline_->Start(std::move(request));
}

Status ServiceClient::FinishEgt(const std::string& table,
                                const std::vector<const InsertOperation*>& inserts,
                                Exchange& exchange) const {
  const int attempts = exchange.attempts();
  const Outcome outcome = exchange.Take();
  Status status;
  if (!outcome.ok()) {
    status = TransportError(endpoint_, kWriting, table, outcome.status(), attempts);
  } else if (outcome->status != 202) {
    status = RefusedBatch(endpoint_, table, *outcome, attempts);
  } else {
    status = ReadBatch(endpoint_, table, inserts, *outcome, attempts);
  }
  Record(exchange.log_id(), status, status.ok() ? static_cast<int64_t>(inserts.size()) : 0);
  if (status.ok()) exchange.request().budget.CountEntities(static_cast<int64_t>(inserts.size()));
  return status;
}

}  // namespace aztables
