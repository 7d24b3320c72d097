// Egt: an entity group transaction (EGT) to send, and its result.
// Source: Microsoft, "Performing entity group transactions".
//
// Ownership: the texts of the operations belong to whoever made the EGT.
// Thread rule: the thread of the database connection.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "table/service_client.h"

namespace aztables {

// Where EGTs are sent, and how.
struct EgtTarget {
  const ServiceClient* client = nullptr;
  std::string table;
  CallOptions options;
  bool create_missing = false;  // create the remote table if the service reports that it is missing
  size_t parallel = 8;          // EGTs under way at once
  // on_error=continue: a refused operation is skipped and reported as refused.
  bool continue_on_error = false;
};

enum class EgtOutcome : uint8_t { kNotSent, kApplied, kFailed, kUnknown };

// When an operation is skipped without a report.
enum class Skip : uint8_t { kNever, kIfExists, kIfMissing };

// An operation that was skipped for a reason that is reported.
struct RefusedOperation {
  EntityOperation operation;
  size_t group = 0;  // of moved keys
  Status status;
  std::string request_id;
  bool named = false;     // the status already names the entity's other key
  bool recorded = false;  // in a history
};

// One EGT of the plan, and its result.
struct Egt {
  size_t table = 0;  // which table of the plan
  size_t phase = 0;
  std::vector<EntityOperation> operations;  // one or more, of one partition; none if all were
                                            // skipped
  std::vector<Skip> skips;                  // per operation
  // Per operation, its group of moved keys, which is skipped as a whole; 0: none. Empty if no key
  // was moved.
  std::vector<size_t> groups;
  std::string_view partition_key;
  size_t bytes = 0;
  bool full = false;  // nothing more fits
  EgtOutcome outcome = EgtOutcome::kNotSent;
  // For kFailed and kUnknown. For kNotSent: the interrupt that prevented it, or the cycle of moved
  // keys that it belongs to.
  Status status;
  int http_status = 0;
  std::string request_id;
  size_t retries = 0;  // how often an operation failed and was skipped
  // The doubt of earlier attempts to send these operations, and what belongs to it: the id of the
  // request, which a repeated COMMIT uses again, and when the first attempt began.
  Doubt doubt = Doubt::kNone;
  std::string client_request_id;
  std::optional<std::chrono::steady_clock::time_point> first_attempt;
  // The service knows this EGT by its id: it would have responded as to the first attempt.
  bool is_remembered = false;
  bool settled = false;     // it was in doubt, and was found to be applied or not
  size_t settle_reads = 0;  // requests that this took
  std::vector<RefusedOperation> refused;
  std::vector<EntityOperation> skipped;  // without a report
  bool recorded = false;                 // a history has it as applied
};

size_t CountEgts(const std::vector<Egt>& egts, EgtOutcome outcome);

}  // namespace aztables
