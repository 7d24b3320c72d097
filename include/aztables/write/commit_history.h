// CommitHistory: what became of the entity group transactions of the last COMMITs, for
// aztables_commits.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "aztables/base/clock.h"
#include "aztables/write/egt_plan.h"

namespace aztables {

// One EGT of one COMMIT. A COMMIT that is repeated is another one, of what was left.
struct CommitRecord {
  int64_t commit_id = 0;
  int64_t time_ms = 0;  // since 1970, when the COMMIT ended
  std::string connection;
  std::string table;
  std::string partition_key;
  bool has_entity = false;  // which operation failed is known
  std::string row_key;      // of the operation that failed
  std::string operation;    // which it was: "Insert", "Merge" ...
  int64_t operations = 0;
  int64_t bytes = 0;
  EgtOutcome outcome = EgtOutcome::kNotSent;
  int http_status = 0;
  std::string code;
  std::string message;
  std::string request_id;
};

// "applied", "failed", "not sent", "unknown".
std::string_view OutcomeName(EgtOutcome outcome);

class CommitHistory {
 public:
  static constexpr size_t kCapacity = 10'000;

  // Adds the EGTs of a COMMIT that has ended, but those that an earlier one had applied.
  void Add(const std::vector<TableWrites>& writes, std::vector<Egt>& egts);
  const std::deque<CommitRecord>& records() const { return records_; }

 private:
  std::deque<CommitRecord> records_;
  int64_t commits_ = 0;
};

}  // namespace aztables
