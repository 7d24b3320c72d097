// The plan of a COMMIT: the entity group transactions (EGTs) for the writes of a transaction, and
// the order in which they must be sent. It is made once for a COMMIT. A repeated COMMIT continues
// with it.
// Source: Microsoft, "Performing entity group transactions".
//
// Tables are in order, partitions by first appearance, entities in the order of their first write.
// If a key was moved, the removal of the old entity may only be applied with, or after, the write
// that now holds its properties. Such linked writes share an EGT if one can hold them. Else the
// EGTs have phases: all EGTs of one phase are acknowledged before one of the next phase is sent.
//
// Ownership: the plan points into the logs, which must not change as long as it is used.
// Thread rule: pure; the thread of the database connection.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/limits.h"
#include "table/service_client.h"
#include "write/write_log.h"

namespace aztables {

// One remote table of the transaction.
struct TableWrites {
  const ServiceClient* client = nullptr;
  std::string table;
  CallOptions options;
  bool create_missing = false;  // create the remote table if the service reports that it is missing
  size_t batch = kMaxEgtOperations;  // most operations of an EGT
  size_t parallel = 8;               // EGTs under way at once
  const WriteLog* log = nullptr;
  std::shared_ptr<const TransactionMark> mark = nullptr;  // of each entity written; null: none
  // on_error=continue: a refused operation is skipped and reported as refused.
  bool continue_on_error = false;
  // Whether the entity's writes are not planned yet; null: all are planned. A write waits with
  // those that moves link to it.
  std::function<bool(EntityKeyView)> waits = nullptr;
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
  size_t table = 0;  // which TableWrites
  size_t phase = 0;
  std::vector<EntityOperation> operations;  // one or more, of one partition; none if all were
                                            // skipped
  std::vector<Skip> skips;                  // per operation
  // Per operation, its group of moved keys, which is skipped as a whole; 0: none. Empty if no key
  // was moved.
  std::vector<size_t> groups;
  std::string_view partition_key;
  std::shared_ptr<const TransactionMark> mark = nullptr;  // that the operations point to
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

// The plan for display. If a cycle of moved keys does not fit into one EGT, its writes are in
// separate EGTs, with an error as their status.
std::vector<Egt> PlanAllEgts(const std::vector<TableWrites>& writes);
// The plan to send; that error if there is such a cycle.
Result<std::vector<Egt>> PlanEgts(const std::vector<TableWrites>& writes);

// The atomicity that the option `atomic` requires of a COMMIT.
enum class Atomicity : uint8_t { kEgt, kPartition, kStrict };
// OK, or why the plan violates `atomicity`. `sent_before`: EGTs of the transaction that were
// applied before this plan was made.
Status CheckAtomicity(const std::vector<Egt>& egts, const std::vector<TableWrites>& writes,
                      Atomicity atomicity, size_t sent_before = 0);

}  // namespace aztables
