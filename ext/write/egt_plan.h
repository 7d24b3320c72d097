// The plan of a COMMIT: which entity group transactions the writes of a transaction come to, and in
// which order they have to be sent. Made once for a COMMIT; a COMMIT that is repeated goes on with
// it. Source: Microsoft, "Performing entity group transactions".
//
// Tables in order, partitions by first appearance, entities in the order in which they were first
// written. Where a key was moved, what takes the old entity away may only be applied with, or
// after, what holds its properties now: linked writes share an EGT where one can hold them, else
// the EGTs have phases, and those of one phase are all acknowledged before one of the next is sent.
//
// Ownership: the plan points into the logs, which stay unchanged as long as it is used.
// Thread rule: pure; the thread of the database connection.
#pragma once

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
  bool create_missing = false;  // create the remote table where the service says that there is none
  size_t batch = kMaxEgtOperations;  // most operations of an EGT
  size_t parallel = 8;               // EGTs under way at once
  const WriteLog* log = nullptr;
  // on_error=continue: an operation that the service refuses is left out and told as refused.
  bool leave_out_refused = false;
  bool keep_etags = false;  // in Egt::etags
};

enum class EgtOutcome : uint8_t { kNotSent, kApplied, kFailed, kUnknown };

// When an operation is left out without a word and the EGT sent without it.
enum class Skip : uint8_t { kNever, kIfExists, kIfMissing };

// An operation that was left out for a reason to be told.
struct RefusedOperation {
  EntityOperation operation;
  size_t group = 0;  // of moved keys
  Status status;
  std::string request_id;
  bool named = false;  // the status says where the entity is, too
};

// One EGT of the plan, and what became of it.
struct Egt {
  size_t table = 0;  // which TableWrites
  size_t phase = 0;
  std::vector<EntityOperation> operations;  // one or more, of one partition; none if all were left
                                            // out
  std::vector<Skip> skips;                  // per operation
  // Per operation, the group of moved keys that it belongs to, which goes as a whole or not at all;
  // 0: none. Empty where no key was moved.
  std::vector<size_t> groups;
  std::string_view partition_key;
  size_t bytes = 0;
  bool full = false;  // nothing more fits
  EgtOutcome outcome = EgtOutcome::kNotSent;
  // Of kFailed and kUnknown. Of kNotSent: the interrupt that came before it, or the circle of moved
  // keys that it is a part of.
  Status status;
  int http_status = 0;
  std::string request_id;
  size_t left_out = 0;                    // how often an operation failed and was skipped
  std::vector<RefusedOperation> refused;  // that no history has yet
  std::vector<std::string> etags;  // of what was applied, per operation, where they are to be kept
  bool told = false;               // a history has it as applied
};

// The plan for a reader. Writes that belong to a circle of moved keys which no EGT can hold are in
// EGTs of their own, with an error as their status.
std::vector<Egt> PlanAllEgts(const std::vector<TableWrites>& writes);
// The plan to be sent; that error if there is such a circle.
Result<std::vector<Egt>> PlanEgts(const std::vector<TableWrites>& writes);

// What the option `atomic` demands of a COMMIT.
enum class Atomicity : uint8_t { kEgt, kPartition, kStrict };
// OK, or why the plan is more than `atomicity` allows. `sent_before`: EGTs of the transaction that
// were applied before there was this plan.
Status CheckAtomicity(const std::vector<Egt>& egts, const std::vector<TableWrites>& writes,
                      Atomicity atomicity, size_t sent_before = 0);

}  // namespace aztables
