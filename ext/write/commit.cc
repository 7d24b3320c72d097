// CommitWrites: sends the EGTs of a transaction; see include/aztables/write/commit.h.
#include "aztables/write/commit.h"

#include <deque>
#include <memory>

namespace aztables {
namespace {

// Sends the EGTs of one table, which share a client.
class TableSender {
 public:
  TableSender(const TableWrites& writes, const Cancel& cancel) : writes_(writes), cancel_(cancel) {}

  void Add(Egt* egt) { waiting_.push_back(egt); }

  // False if anything failed.
  bool Run() {
    while (!waiting_.empty() || !flying_.empty()) {
      while (!failed_ && !waiting_.empty() && flying_.size() < kEgtsInFlight) {
        Egt* const egt = waiting_.front();
        waiting_.pop_front();
        flying_.push_back(
            {egt, writes_.client->StartEgt(writes_.table, egt->inserts, writes_.options)});
      }
      if (flying_.empty()) break;
      if (Status status = Wait(); !status.ok()) {
        GiveUp(status);
        return false;
      }
      Land();
    }
    return !failed_;
  }

 private:
  struct Flying {
    Egt* egt;
    std::unique_ptr<Exchange> exchange;
  };

  Status Wait() {
    std::vector<Exchange*> exchanges;
    for (const Flying& flying : flying_) exchanges.push_back(flying.exchange.get());
    return writes_.client->pipeline()->WaitAny(exchanges, cancel_);
  }

  void Land() {
    std::erase_if(flying_, [this](Flying& flying) {
      if (!flying.exchange->done()) return false;
      Finish(*flying.egt, *flying.exchange);
      return true;
    });
  }

  void Finish(Egt& egt, Exchange& exchange) {
    egt.status = writes_.client->FinishEgt(writes_.table, egt.inserts, exchange);
    if (egt.status.ok()) {
      egt.outcome = EgtOutcome::kApplied;
      return;
    }
    if (CreateMissing(egt)) return;
    egt.outcome = egt.status.detail().may_have_reached ? EgtOutcome::kUnknown : EgtOutcome::kFailed;
    failed_ = true;
  }

  // Where the table is missing and is to be created: creates it, once, and puts the EGT back.
  bool CreateMissing(Egt& egt) {
    if (!writes_.create_missing || failed_ || egt.status.detail().code != "TableNotFound") {
      return false;
    }
    if (!created_) {
      const auto created = writes_.client->CreateTable(writes_.table, writes_.options, cancel_);
      if (!created.ok()) {
        egt.status = created.status();
        return false;
      }
      created_ = true;
      sent_before_ = flying_.size();  // these may still be answered that there is no table
    } else if (sent_before_ == 0) {
      return false;
    } else {
      --sent_before_;
    }
    waiting_.push_front(&egt);
    return true;
  }

  // The statement was interrupted: what is under way is given up, and may be applied.
  void GiveUp(const Status& status) {
    for (Flying& flying : flying_) {
      flying.egt->outcome = EgtOutcome::kUnknown;
      flying.egt->status = status;
    }
    flying_.clear();
    failed_ = true;
  }

  const TableWrites& writes_;
  const Cancel& cancel_;
  std::deque<Egt*> waiting_;
  std::vector<Flying> flying_;
  bool failed_ = false;
  bool created_ = false;
  size_t sent_before_ = 0;
};

}  // namespace

Status CommitWrites(const std::vector<TableWrites>& writes, const Cancel& cancel) {
  std::vector<Egt> egts = PlanEgts(writes);
  for (size_t table = 0; table < writes.size(); ++table) {
    TableSender sender(writes[table], cancel);
    for (Egt& egt : egts) {
      if (egt.table == table) sender.Add(&egt);
    }
    if (!sender.Run()) return ReportFailure(writes, egts);
  }
  return {};
}

}  // namespace aztables
