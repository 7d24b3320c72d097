// CommitHistory: see commit_history.h.
#include "write/commit_history.h"

#include <algorithm>

#include "write/commit.h"

namespace aztables {
namespace {

CommitRecord RecordIn(const TableWrites& writes, const Egt& egt) {
  CommitRecord record;
  record.connection = writes.to.client->endpoint().connection;
  record.table = writes.to.table;
  record.partition_key = egt.partition_key;
  return record;
}

void SetFailed(CommitRecord& record, const EntityOperation& failed) {
  record.has_entity = true;
  record.row_key = failed.row_key;
  record.operation = VerbName(failed.verb);
}

void SetFailure(CommitRecord& record, const Status& status) {
  if (status.failure().http_status != 0) record.http_status = status.failure().http_status;
  record.code = status.failure().code;
  record.message = status.message();
}

CommitRecord RecordOf(const TableWrites& writes, const Egt& egt, const RefusedOperation& refused) {
  CommitRecord record = RecordIn(writes, egt);
  record.egts = 0;
  record.operations = 1;
  record.outcome = EgtOutcome::kFailed;
  record.request_id = refused.request_id;
  SetFailed(record, refused.operation);
  SetFailure(record, refused.status);
  return record;
}

CommitRecord RecordOf(const TableWrites& writes, const Egt& egt) {
  CommitRecord record = RecordIn(writes, egt);
  record.operations = static_cast<int64_t>(egt.operations.size());
  record.bytes = static_cast<int64_t>(egt.bytes);
  record.outcome = egt.outcome;
  record.http_status = egt.http_status;
  record.request_id = egt.request_id;
  record.settled = egt.settled ? 1 : 0;
  record.settle_reads = static_cast<int64_t>(egt.settle_reads);
  if (egt.status.ok()) return record;
  SetFailure(record, egt.status);
  const int index = egt.status.failure().operation_index;
  if (index >= 0 && static_cast<size_t>(index) < egt.operations.size()) {
    SetFailed(record, egt.operations[static_cast<size_t>(index)]);
  }
  return record;
}

}  // namespace

std::string_view OutcomeName(EgtOutcome outcome) {
  switch (outcome) {
    case EgtOutcome::kApplied:
      return "applied";
    case EgtOutcome::kFailed:
      return "failed";
    case EgtOutcome::kUnknown:
      return "unknown";
    case EgtOutcome::kNotSent:
      break;
  }
  return "not sent";
}

// A sum of COMMITs that are summed themselves has the number 0. Its tables bound their number.
void CommitHistory::Sum(CommitRecord record, int64_t commit_id) {
  const auto [at, first] = sums_.try_emplace(
      SumKey(commit_id, record.connection, record.table, record.outcome), CommitRecord());
  CommitRecord& sum = at->second;
  if (first) {
    sum.commit_id = commit_id;
    sum.connection = std::move(record.connection);
    sum.table = std::move(record.table);
    sum.has_partition = false;
    sum.egts = 0;
    sum.outcome = record.outcome;
  }
  sum.id = record.id;
  sum.time_ms = record.time_ms;
  sum.egts += record.egts;
  sum.operations += record.operations;
  sum.bytes += record.bytes;
  sum.settled += record.settled;
  sum.settle_reads += record.settle_reads;
  if (sums_.size() <= kCapacity) return;
  const auto oldest = sums_.lower_bound(SumKey(1, "", "", EgtOutcome{}));
  if (oldest == sums_.end()) return;
  CommitRecord old = std::move(oldest->second);
  sums_.erase(oldest);
  Sum(std::move(old), 0);
}

void CommitHistory::Append(std::deque<CommitRecord>& records, CommitRecord record, size_t most) {
  if (commit_ == 0) commit_ = ++commits_;
  record.id = ++records_;
  record.commit_id = commit_;
  record.time_ms = Clock::System().NowMs();
  records.push_back(std::move(record));
  if (records.size() <= most) return;
  const int64_t commit = records.front().commit_id;
  Sum(std::move(records.front()), commit);
  records.pop_front();
}

void CommitHistory::Add(const std::vector<TableWrites>& writes, std::vector<Egt>& egts) {
  for (const EgtOutcome outcome :
       {EgtOutcome::kNotSent, EgtOutcome::kApplied, EgtOutcome::kUnknown, EgtOutcome::kFailed}) {
    for (Egt& egt : egts) {
      if (egt.recorded || egt.outcome != outcome) continue;
      egt.recorded = egt.outcome == EgtOutcome::kApplied;
      if (egt.operations.empty() && !egt.refused.empty()) continue;  // nothing was left to send
      const bool failed = outcome == EgtOutcome::kUnknown || outcome == EgtOutcome::kFailed;
      Append(failed ? failed_ : egts_, RecordOf(writes[egt.table], egt),
             failed ? kMostFailed : kCapacity);
    }
  }
  for (Egt& egt : egts) {
    for (RefusedOperation& refused : egt.refused) {
      if (!refused.recorded) AddRefused(RecordOf(writes[egt.table], egt, refused));
      refused.recorded = true;
    }
  }
}

void CommitHistory::AddRefused(CommitRecord record) {
  ++refused_now_;
  record.egts = 0;
  // All records of the current transaction are kept.
  Append(refused_, std::move(record), std::max(kMostRefused, refused_now_));
}

void CommitHistory::TransactionEnded() {
  commit_ = 0;
  sent_before_ = 0;
  refused_now_ = 0;
}

std::string CommitHistory::SentBeforeText() const {
  return sent_before_ == 0 ? "" : AppliedText(sent_before_);
}

std::vector<const CommitRecord*> CommitHistory::Records() const {
  std::vector<const CommitRecord*> all;
  all.reserve(sums_.size() + egts_.size() + failed_.size() + refused_.size());
  for (const auto& [key, sum] : sums_) all.push_back(&sum);
  for (const auto* records : {&egts_, &failed_, &refused_}) {
    for (const CommitRecord& record : *records) all.push_back(&record);
  }
  std::sort(all.begin(), all.end(),
            [](const CommitRecord* a, const CommitRecord* b) { return a->id < b->id; });
  return all;
}

}  // namespace aztables
