// CommitHistory: see include/aztables/write/commit_history.h.
#include "aztables/write/commit_history.h"

namespace aztables {
namespace {

CommitRecord RecordOf(const TableWrites& writes, const Egt& egt) {
  CommitRecord record;
  record.connection = writes.client->endpoint().connection;
  record.table = writes.table;
  record.partition_key = egt.partition_key;
  record.operations = static_cast<int64_t>(egt.operations.size());
  record.bytes = static_cast<int64_t>(egt.bytes);
  record.outcome = egt.outcome;
  record.http_status = egt.http_status;
  record.request_id = egt.request_id;
  if (egt.status.ok()) return record;
  const ServiceDetail& detail = egt.status.detail();
  if (detail.http_status != 0) record.http_status = detail.http_status;
  record.code = detail.code;
  record.message = egt.status.message();
  const int index = detail.operation_index;
  if (index >= 0 && static_cast<size_t>(index) < egt.operations.size()) {
    const EntityOperation& failed = egt.operations[static_cast<size_t>(index)];
    record.has_entity = true;
    record.row_key = failed.row_key;
    record.operation = VerbName(failed.verb);
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

void CommitHistory::Add(const std::vector<TableWrites>& writes, std::vector<Egt>& egts) {
  ++commits_;
  const int64_t now = Clock::System().NowMs();
  // What matters most comes last, and stays where there are more than can be kept.
  for (const EgtOutcome outcome :
       {EgtOutcome::kNotSent, EgtOutcome::kApplied, EgtOutcome::kUnknown, EgtOutcome::kFailed}) {
    for (Egt& egt : egts) {
      if (egt.told || egt.outcome != outcome) continue;
      egt.told = egt.outcome == EgtOutcome::kApplied;
      CommitRecord record = RecordOf(writes[egt.table], egt);
      record.commit_id = commits_;
      record.time_ms = now;
      records_.push_back(std::move(record));
      if (records_.size() > kCapacity) records_.pop_front();
    }
  }
}

}  // namespace aztables
