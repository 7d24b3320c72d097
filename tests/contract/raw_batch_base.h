// RawBatchTest: sends entity group transactions with arbitrary operations, and reads the parts of
// the response.
#pragma once

#include "odata/batch/batch.h"
#include "raw_test_base.h"

namespace aztables {

class RawBatchTest : public RawTest {
 protected:
  struct BatchOutcome {
    ParsedResponse response;  // the response to the batch
    std::vector<BatchPart> parts;
    bool readable = true;

    // The outcome of the batch, or of its parts: "204 204", "409 EntityAlreadyExists 1:The ...".
    std::string text() const {
      if (response.status != 202) return response.outcome();
      std::string all;
      for (const BatchPart& part : parts) {
        if (!all.empty()) all += ' ';
        all += std::to_string(part.status);
        if (part.status < 400) continue;
        std::string message = JsonStringAt(part.body, "/odata.error/message/value");
        message.resize(std::min(message.find("\\nRequestId:"), message.size()));
        all += " " + JsonStringAt(part.body, "/odata.error/code") + " " + message;
      }
      return all;
    }
  };

  // The URL of an operation.
  std::string Url(const std::string& path) const {
    return wire_->settings().endpoint.Origin() + wire_->settings().endpoint.path + "/" + path;
  }
  BatchOperation InsertOf(const std::string& row_key, const std::string& partition_key = "p",
                          const std::string& properties = "") const {
    return {"POST", Url(table_), "", Body(row_key, properties, partition_key)};
  }
  BatchOperation ChangeOf(const std::string& method, const std::string& row_key,
                          const std::string& if_match, const std::string& body) const {
    return {method, Url(Address("p", row_key)), if_match, body};
  }
  BatchOutcome SendBatch(const std::vector<BatchOperation>& operations) const {
    const EncodedBatch batch =
        EncodeBatch(operations, "batch_" + RandomGuid(), "changeset_" + RandomGuid());
    return SendBody(batch.content_type, batch.body);
  }
  // `accept` is the batch's Accept header; empty: the default of every request.
  BatchOutcome SendBody(const std::string& content_type, const std::string& body,
                        const std::string& accept = "") const {
    BatchOutcome outcome;
    Ask ask{.method = "POST", .path = "$batch", .body = body};
    ask.headers.emplace_back("Content-Type", content_type);
    if (!accept.empty()) ask.headers.emplace_back("Accept", accept);
    outcome.response = Send(ask);
    if (outcome.response.status != 202) return outcome;
    auto parts = DecodeBatch(outcome.response.headers.Get("Content-Type"), outcome.response.body);
    outcome.readable = parts.ok();
    if (parts.ok()) outcome.parts = std::move(*parts);
    return outcome;
  }
};

}  // namespace aztables
