// CommitHistory: the results of the entity group transactions (EGTs) of the last COMMITs, for
// aztables_commits. It also has the rows that were refused if the option on_error continues. It
// keeps the last records of each kind. Older ones are summed for each COMMIT, table and outcome, so
// that the sums of EGTs, operations and bytes are always those of everything that was sent.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/clock.h"
#include "write/egt_plan.h"

namespace aztables {

// One EGT of one COMMIT, or one refused row, or the sum of older records. A repeated COMMIT counts
// as another COMMIT, of the rest. An EGT that was sent before a COMMIT belongs to that COMMIT.
struct CommitRecord {
  int64_t id = 0;         // ascending
  int64_t commit_id = 0;  // 0: several
  int64_t time_ms = 0;    // since 1970, when the COMMIT ended
  std::string connection;
  std::string table;
  bool has_partition = true;  // a refused row may have no keys
  std::string partition_key;
  bool has_entity = false;  // the failed operation is known
  std::string row_key;      // of the failed operation
  std::string operation;    // the failed operation: "Insert", "Merge" ...
  int64_t egts = 1;         // 0: a refused row
  int64_t operations = 0;
  int64_t bytes = 0;
  EgtOutcome outcome = EgtOutcome::kNotSent;
  int http_status = 0;
  std::string code;
  std::string message;
  std::string request_id;
  int64_t settled = 0;  // 1: it was in doubt, and was found to be applied or not
  int64_t settle_reads = 0;
};

// "applied", "failed", "not sent", "unknown".
std::string_view OutcomeName(EgtOutcome outcome);

class CommitHistory {
 public:
  static constexpr size_t kCapacity = 10'000;      // EGTs that were applied or not sent, and sums
  static constexpr size_t kMostFailed = 100'000;   // EGTs that failed or whose outcome is unknown
  static constexpr size_t kMostRefused = 100'000;  // rows; more of them end the transaction

  // Adds EGTs of the current COMMIT, except those that were already added as applied.
  void Add(const std::vector<TableWrites>& writes, std::vector<Egt>& egts);
  // Adds a row that was refused before it was sent. REQUIRES: it names connection, table, message
  void AddRefused(CommitRecord record);
  // Notes the number of EGTs that were applied before the COMMIT.
  void SentBefore(size_t egts) { sent_before_ += egts; }

  // The COMMIT has ended. A repeated COMMIT gets another number.
  void CommitEnded() { commit_ = 0; }
  void TransactionEnded();

  // For the current transaction.
  size_t sent_before() const { return sent_before_; }  // EGTs, before COMMIT
  size_t refused() const { return refused_now_; }
  // AppliedText() of the EGTs that were sent before COMMIT, or nothing.
  std::string SentBeforeText() const;

  // All records, the oldest first.
  std::vector<const CommitRecord*> Records() const;

 private:
  // What a sum has in common: COMMIT, connection, table, outcome.
  using SumKey = std::tuple<int64_t, std::string, std::string, EgtOutcome>;

  // Adds the record. Sums the oldest one of `records` if there are more than `most`.
  void Append(std::deque<CommitRecord>& records, CommitRecord record, size_t most);
  void Sum(CommitRecord record, int64_t commit_id);

  std::deque<CommitRecord> egts_;
  std::deque<CommitRecord> failed_;
  std::deque<CommitRecord> refused_;
  std::map<SumKey, CommitRecord> sums_;
  int64_t records_ = 0;
  int64_t commits_ = 0;
  int64_t commit_ = 0;  // the current one; 0: it has no record yet
  size_t sent_before_ = 0;
  size_t refused_now_ = 0;
};

}  // namespace aztables
