// Entity group transactions of ServiceClient; see include/aztables/table/service_client.h.
// Source: Microsoft, "Performing entity group transactions". Only the outer request is signed.
#include "aztables/base/crypto.h"
#include "aztables/base/encoding.h"
#include "aztables/model/limits.h"
#include "aztables/odata/batch.h"
#include "aztables/table/service_client.h"
#include "service_error.h"

namespace aztables {
namespace {

constexpr std::string_view kWriting = "writing to";

// What is known of an EGT whose answer cannot be read: it may have been applied.
Status UnreadableAnswer(const ServiceEndpoint& endpoint, const std::string& table,
                        const Status& error, const Response& response) {
  return ShapeError(endpoint, kWriting, table, error, response);
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
  const auto done = [&](Status status) {
    const auto written = status.ok() ? static_cast<int64_t>(inserts.size()) : 0;
    Record(exchange.log_id(), status, written);
    return status;
  };
  if (!outcome.ok()) {
    return done(TransportError(endpoint_, kWriting, table, outcome.status(), attempts));
  }
  if (outcome->status != 202) {
    Status status = AnswerError(endpoint_, kWriting, table, "", *outcome, attempts);
    // A complete 429 or 503 says that nothing was done; the other failures of a server do not.
    const bool refused = outcome->status < 500 || outcome->status == 503;
    if (refused && outcome->status != 408) return done(std::move(status));
    ServiceDetail detail = status.detail();
    detail.may_have_reached = true;
    return done({status.code(), std::string(status.message()), detail});
  }
  const auto parts = DecodeBatch(outcome->headers.Get("Content-Type"), outcome->body);
  if (!parts.ok()) return done(UnreadableAnswer(endpoint_, table, parts.status(), *outcome));
  for (const BatchPart& part : *parts) {
    if (part.status < 400) continue;
    Status status = AnswerError(endpoint_, kWriting, table, "", part.status,
                                outcome->headers.Get("x-ms-request-id"), "", part.body, attempts);
    ServiceDetail detail = status.detail();
    // The index may be missing where there is one operation only.
    if (detail.operation_index < 0 && inserts.size() == 1) detail.operation_index = 0;
    const auto index = static_cast<size_t>(detail.operation_index);
    if (detail.operation_index < 0 || index >= inserts.size()) {
      detail.operation_index = -1;
      return done({status.code(), std::string(status.message()), detail});
    }
    const InsertOperation& failed = *inserts[index];
    const std::string entity = DescribeEntity(failed.partition_key, failed.row_key);
    status = AnswerError(endpoint_, kWriting, table, entity, part.status,
                         outcome->headers.Get("x-ms-request-id"), "", part.body, attempts);
    return done({status.code(), std::string(status.message()), detail});
  }
  if (parts->size() != inserts.size()) {
    return done(UnreadableAnswer(
        endpoint_, table,
        Status::Error("the answer has " + std::to_string(parts->size()) + " parts for " +
                      std::to_string(inserts.size()) + " operations"),
        *outcome));
  }
  return done({});
}

}  // namespace aztables
