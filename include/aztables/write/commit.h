// Commit: sends what the logs of a transaction hold, as entity group transactions: per table, per
// partition, at most 100 operations and the endpoint's most bytes each. Up to kEgtsInFlight are
// under way at once. After the first failure nothing more is sent; what is under way is waited for.
// Source: Microsoft, "Performing entity group transactions".
//
// Ownership: logs and clients outlive the call.
// Thread rule: the thread of the database connection.
#pragma once

#include <string>
#include <vector>

#include "aztables/base/cancel.h"
#include "aztables/base/status.h"
#include "aztables/table/service_client.h"
#include "aztables/write/write_log.h"

namespace aztables {

inline constexpr size_t kEgtsInFlight = 8;

// One remote table of the transaction.
struct TableWrites {
  const ServiceClient* client = nullptr;
  std::string table;
  CallOptions options;
  bool create_missing = false;  // create the remote table where the service says that there is none
  const WriteLog* log = nullptr;
};

enum class EgtOutcome : uint8_t { kNotSent, kApplied, kFailed, kUnknown };

// One EGT of the plan, and what became of it.
struct Egt {
  size_t table = 0;                             // which TableWrites
  std::vector<const InsertOperation*> inserts;  // one or more, of one partition
  EgtOutcome outcome = EgtOutcome::kNotSent;
  Status status;  // of kFailed and kUnknown; of a kNotSent, the interrupt that came before it

  const std::string& partition_key() const { return inserts.front()->partition_key; }
};

// The EGTs that the writes come to: tables in order, partitions by first appearance, entities in
// the order in which they were written.
std::vector<Egt> PlanEgts(const std::vector<TableWrites>& writes);

// Sends them all, if `budget` has enough left for them: where it has not, nothing is sent. On
// failure the message names every partition as applied, failed, unknown (no answer came: it may
// have been applied) or not sent.
Status CommitWrites(const std::vector<TableWrites>& writes, const Cancel& cancel,
                    const Budget& budget = {});

// The sentence for a commit in which at least one EGT failed.
Status ReportFailure(const std::vector<TableWrites>& writes, const std::vector<Egt>& egts);

}  // namespace aztables
