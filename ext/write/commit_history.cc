// CommitHistory: see commit_history.h.
#include "write/commit_history.h"

#include <algorithm>

#include "write/commit.h"

namespace aztables {
namespace {

CommitRecord RecordIn(const TableWrites& writes, const Egt& egt) {
  CommitRecord record;
  record.connection = writes.client->endpoint().connection;
  record.table = writes.table;
  record.partition_key = egt.partition_key;
  return record;
}

void SetFailed(CommitRecord& record, const EntityOperation& failed) {
  record.has_entity = true;
  record.row_key = failed.row_key;
  record.operation = VerbName(failed.verb);
}

void SetFailure(CommitRecord& record, const Status& status) {
  if (status.detail().http_status != 0) record.http_status = status.detail().http_status;
  record.code = status.detail().code;
  record.message = status.message();
}

CommitRecord RecordOf(const TableWrites& writes, const Egt& egt, const RefusedOperation& refused) {
  CommitRecord record = RecordIn(writes, egt);
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
  record.settled = egt.settled;
  record.settle_reads = static_cast<int64_t>(egt.settle_reads);
  if (egt.status.ok()) return record;
  SetFailure(record, egt.status);
  const int index = egt.status.detail().operation_index;
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

void CommitHistory::Append(std::deque<CommitRecord>& records, CommitRecord record) {
  if (commit_ == 0) commit_ = ++commits_;
  record.id = ++records_;
  record.commit_id = commit_;
  record.time_ms = Clock::System().NowMs();
  records.push_back(std::move(record));
}

void CommitHistory::Add(const std::vector<TableWrites>& writes, std::vector<Egt>& egts) {
  // The most important records are added last, so they remain if there are more than the capacity.
  for (const EgtOutcome outcome :
       {EgtOutcome::kNotSent, EgtOutcome::kApplied, EgtOutcome::kUnknown, EgtOutcome::kFailed}) {
    for (Egt& egt : egts) {
      if (egt.recorded || egt.outcome != outcome) continue;
      egt.recorded = egt.outcome == EgtOutcome::kApplied;
      if (egt.operations.empty() && !egt.refused.empty()) continue;  // nothing was left to send
      Append(egts_, RecordOf(writes[egt.table], egt));
      if (egts_.size() > kCapacity) egts_.pop_front();
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
  Append(refused_, std::move(record));
  // All records of the current transaction are kept.
  if (refused_.size() > std::max(kMostRefused, refused_now_)) refused_.pop_front();
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
  all.reserve(egts_.size() + refused_.size());
  for (const auto* records : {&egts_, &refused_}) {
    for (const CommitRecord& record : *records) all.push_back(&record);
  }
  std::sort(all.begin(), all.end(),
            [](const CommitRecord* a, const CommitRecord* b) { return a->id < b->id; });
  return all;
}

}  // namespace aztables
