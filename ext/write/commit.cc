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
    while (!flying_.empty() || (!failed_ && !waiting_.empty())) {
      // Answers may come faster than Wait() looks for an interrupt.
      if (Status status = cancel_.Check(); !status.ok()) {
        GiveUp(status);
        return false;
      }
      while (!failed_ && !waiting_.empty() && flying_.size() < kEgtsInFlight) {
        Egt* const egt = waiting_.front();
        waiting_.pop_front();
        auto exchange = writes_.client->StartEgt(writes_.table, egt->inserts, writes_.options);
        flying_.push_back({egt, std::move(exchange), created_});
      }
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
    bool after_creation;  // sent when the table had been created here
  };

  Status Wait() {
    std::vector<Exchange*> exchanges;
    for (const Flying& flying : flying_) exchanges.push_back(flying.exchange.get());
    return writes_.client->pipeline()->WaitAny(exchanges, cancel_);
  }

  void Land() {
    std::erase_if(flying_, [this](Flying& flying) {
      if (!flying.exchange->done()) return false;
      Finish(flying);
      return true;
    });
  }

  void Finish(Flying& flying) {
    Egt& egt = *flying.egt;
    egt.status = writes_.client->FinishEgt(writes_.table, egt.inserts, *flying.exchange);
    if (egt.status.ok()) {
      egt.outcome = EgtOutcome::kApplied;
      return;
    }
    if (CreateMissing(egt, flying.after_creation)) return;
    egt.outcome = egt.status.detail().may_have_reached ? EgtOutcome::kUnknown : EgtOutcome::kFailed;
    failed_ = true;
  }

  // Whether the service refused an insert because there is no such table. Cosmos DB says so with
  // the code that stands for a missing entity elsewhere.
  static bool TableIsMissing(const Status& status) {
    const ServiceDetail& detail = status.detail();
    return detail.http_status == 404 &&
           (detail.code == "TableNotFound" || detail.code == "ResourceNotFound");
  }

  // Where the table is missing and is to be created: creates it, once, and puts the EGT back.
  bool CreateMissing(Egt& egt, bool after_creation) {
    if (!writes_.create_missing || failed_ || after_creation || !TableIsMissing(egt.status)) {
      return false;
    }
    if (!created_) {
      const auto created = writes_.client->CreateTable(writes_.table, writes_.options, cancel_);
      if (!created.ok()) {
        egt.status = created.status();
        return false;
      }
      created_ = true;
    }
    egt.status = {};
    waiting_.push_front(&egt);
    return true;
  }

  // The statement was interrupted: what is under way is given up, and may be applied.
  void GiveUp(const Status& status) {
    for (Flying& flying : flying_) {
      const bool unknown = flying.exchange->MayHaveReached();
      flying.egt->outcome = unknown ? EgtOutcome::kUnknown : EgtOutcome::kNotSent;
      flying.egt->status = status;
    }
    // Where nothing was under way, the next one to be sent carries the reason.
    if (flying_.empty()) waiting_.front()->status = status;
    flying_.clear();
    failed_ = true;
  }

  const TableWrites& writes_;
  const Cancel& cancel_;
  std::deque<Egt*> waiting_;
  std::vector<Flying> flying_;
  bool failed_ = false;
  bool created_ = false;
};

Status CheckBudget(const std::vector<Egt>& egts, const Budget& budget) {
  int64_t entities = 0;
  for (const Egt& egt : egts) entities += static_cast<int64_t>(egt.inserts.size());
  Status status = budget.CheckFor(static_cast<int64_t>(egts.size()), entities);
  if (status.ok()) return status;
  return status.WithMessage(std::string(status.message()) + "; nothing was sent");
}

}  // namespace

Status CommitWrites(const std::vector<TableWrites>& writes, const Cancel& cancel,
                    const Budget& budget) {
  std::vector<Egt> egts = PlanEgts(writes);
  AZTABLES_RETURN_IF_ERROR(CheckBudget(egts, budget));
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
