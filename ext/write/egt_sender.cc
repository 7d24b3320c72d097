// SendEgts: see egt_sender.h.
#include "write/egt_sender.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <new>
#include <utility>

#include "model/limits.h"
#include "table/service_error.h"
#include "write/egt_retry.h"
#include "write/settle.h"

namespace aztables {
namespace {

constexpr std::chrono::seconds kOneSecond{1};
constexpr std::chrono::seconds kWaitAfterInterrupt{2};
constexpr size_t kMostInLocalCommit = 64;  // EGTs

class Sender {
 public:
  Sender(const EgtTarget& to, std::span<Egt* const> egts, const Cancel& cancel, Again again)
      : to_(to), cancel_(cancel), again_(again), waiting_(egts.begin(), egts.end()) {}

  // False if anything failed.
  bool Run() {
    std::stable_sort(waiting_.begin(), waiting_.end(),
                     [](const Egt* a, const Egt* b) { return a->phase < b->phase; });
    try {
      while (SendAll()) {
        if (failures_ == 0) return true;
        if (!SettleUnknown()) return false;
      }
    } catch (const std::bad_alloc&) {
      EndWithoutMemory();
    }
    return false;
  }

 private:
  struct Flying {
    Egt* egt;
    std::unique_ptr<Exchange> exchange;
    bool after_creation;  // sent after this commit had created the table
  };

  // Until all are applied, or one failed and no other is under way. False: it was stopped before.
  bool SendAll() {
    while (!flying_.empty() || (failures_ == 0 && !waiting_.empty())) {
      // Responses may arrive faster than Wait() checks for an interrupt.
      if (const Status status = cancel_.Check(); !status.ok()) return Stop(status);
      while (MaySend()) Send();
      if (const Status status = Wait(cancel_); !status.ok()) return Stop(status);
      Land();
    }
    return true;
  }

  // Whether one more EGT may be under way. A local store writes those that are sent together to the
  // disk at once, so more of them pay if they are small.
  bool HasRoom() const {
    if (flying_.size() < to_.parallel) return true;
    if (!to_.client->endpoint().local || to_.parallel == 1) return false;
    size_t bytes = 0;
    for (const Flying& flying : flying_) bytes += flying.egt->bytes;
    return bytes < kMaxEgtBytes && flying_.size() < std::min(4 * to_.parallel, kMostInLocalCommit);
  }

  bool MaySend() const {
    if (failures_ > 0 || waiting_.empty() || !HasRoom()) return false;
    return flying_.empty() || flying_.front().egt->phase == waiting_.front()->phase;
  }

  void Send() {
    Egt* const egt = waiting_.front();
    flying_.reserve(flying_.size() + 1);  // what was sent must be noted
    if (egt->doubt != Doubt::kOpen) egt->client_request_id = ServiceClient::NewRequestId();
    auto exchange =
        to_.client->StartEgt(to_.table, egt->operations, to_.options, egt->client_request_id);
    if (!egt->first_attempt) egt->first_attempt = exchange->began();
    flying_.push_back({egt, std::move(exchange), created_});
    waiting_.pop_front();
  }

  Status Wait(const Cancel& cancel) {
    std::vector<Exchange*> exchanges;
    for (const Flying& flying : flying_) exchanges.push_back(flying.exchange.get());
    return to_.client->pipeline()->WaitAny(exchanges, cancel);
  }

  void Land() {
    std::erase_if(flying_,
                  [this](Flying& flying) { return flying.exchange->done() && Finish(flying); });
  }

  // False if the EGT is sent again by the pipeline.
  bool Finish(Flying& flying) {
    Egt& egt = *flying.egt;
    EgtResponse response = to_.client->FinishEgt(to_.table, egt.operations, *flying.exchange);
    if (to_.client->pipeline()->TryAgain(*flying.exchange, response.status)) return false;
    egt.doubt = std::max(egt.doubt, flying.exchange->doubt());
    egt.status = std::move(response.status);
    egt.http_status = response.http_status;
    egt.request_id = std::move(response.request_id);
    const auto age = std::chrono::steady_clock::now() - *egt.first_attempt;
    egt.is_remembered = age + kOneSecond < response.remembers;
    Conclude(egt, flying.after_creation);
    return true;
  }

  void Conclude(Egt& egt, bool after_creation) {
    const bool in_doubt = egt.doubt == Doubt::kOpen;
    if (TableIsMissing(egt)) ForgetDoubt(egt);  // then nothing that an attempt wrote exists, either
    if (!egt.status.ok() && IsRefusedByEntities(egt) && !SettleRefused(egt)) return;
    if (egt.status.ok()) {
      egt.outcome = EgtOutcome::kApplied;
      egt.settled = in_doubt;
      return;
    }
    if (CreateMissing(egt, after_creation) || Retry(egt)) return;
    // All EGTs that failed because the table is missing have the same reason.
    if (!creation_failure_.ok() && TableIsMissing(egt)) egt.status = creation_failure_;
    // The transaction stays open, so that an expired sign-in costs no work.
    if (egt.status.failure().sign_in) {
      egt.status = egt.status.As(Code::kBusy);
      if (again_ == Again::kRepeatedCommit) {
        egt.status = egt.status.WithAdvice("; repeat COMMIT after that");
      }
    }
    const bool open = egt.doubt == Doubt::kOpen || egt.status.failure().may_have_reached;
    egt.outcome = open ? EgtOutcome::kUnknown : EgtOutcome::kFailed;
    if (!stopped_.ok() && egt.status.code() == Code::kBusy) egt.status = stopped_;
    ++failures_;
    transient_ = transient_ && egt.status.code() == Code::kBusy;
    if (open && to_.options.settle && to_.options.retries > 0) unknown_.push_back(&egt);
  }

  // Whether a COMMIT will send the EGT again.
  bool IsSentAgain(const Egt& egt) const {
    const bool comes = again_ == Again::kCommit || (again_ == Again::kRepeatedCommit && transient_);
    return comes && egt.status.code() == Code::kBusy;
  }

  // Reads the entities of EGTs that are not sent again. An EGT that is not applied may still arrive
  // late, so it is read again after the last moment. False: something failed.
  bool SettleUnknown() {
    EgtTarget to = to_;
    to.options.retries = 1;  // the service has just failed for longer
    std::erase_if(unknown_, [this](const Egt* egt) { return IsSentAgain(*egt); });
    std::vector<Egt*> absent;
    const auto settle = [&](bool arrives_late) {
      for (Egt* egt : std::exchange(unknown_, {})) {
        const auto settlement = Settle(to, *egt, cancel_);
        if (!settlement.ok()) continue;
        if (settlement->finding == Settlement::Finding::kApplied) {
          NoteApplied(*egt);
        } else if (settlement->finding == Settlement::Finding::kOpen) {
          egt->status = OpenOutcome(*egt, settlement->reason);
        } else if (arrives_late) {
          absent.push_back(egt);
        } else {
          egt->outcome = EgtOutcome::kFailed;
          egt->settled = true;
        }
      }
    };
    settle(!to_.client->endpoint().local);
    if (!absent.empty() && cancel_.Wait(to_.options.WriteTimeout()).ok()) {
      unknown_ = std::move(absent);
      settle(false);
    }
    return failures_ == 0;
  }

  void NoteApplied(Egt& egt) {
    egt.status = {};
    egt.http_status = 0;
    egt.outcome = EgtOutcome::kApplied;
    egt.settled = true;
    --failures_;
  }

  // What is sent next is another EGT.
  static void ForgetDoubt(Egt& egt) {
    egt.doubt = Doubt::kNone;
    egt.first_attempt.reset();
  }

  // Whether the refusal may be due to an earlier attempt that was carried out.
  bool IsRefusedByEntities(const Egt& egt) const {
    const Failure& detail = egt.status.failure();
    return to_.options.settle && egt.doubt != Doubt::kNone && !detail.may_have_reached &&
           (detail.http_status == 404 || detail.http_status == 409 || detail.http_status == 412);
  }

  // Finds out if the refused EGT was applied by an earlier attempt. If so, egt.status becomes OK.
  // False: that stays unknown.
  bool SettleRefused(Egt& egt) {
    using Finding = Settlement::Finding;
    const bool was_open = egt.doubt == Doubt::kOpen;
    const Result<Settlement> settlement =
        egt.is_remembered ? Settlement{.finding = Finding::kNotApplied, .reason = ""}
                          : Settle(to_, egt, cancel_);
    if (settlement.ok() && settlement->finding == Finding::kApplied) {
      egt.status = {};
      egt.http_status = 0;
      return true;
    }
    // The refusal of an attempt of which none was carried out is what it seems to be.
    const bool refused = settlement.ok() ? settlement->finding == Finding::kNotApplied : false;
    if (refused || !was_open) {
      egt.settled = was_open && refused;
      ForgetDoubt(egt);
      return true;
    }
    egt.status = settlement.ok() ? OpenOutcome(egt, settlement->reason) : settlement.status();
    if (!settlement.ok() && egt.status.failure().inconclusive) {  // a repeated COMMIT reads again
      egt.status = egt.status.As(Code::kBusy);
    }
    egt.outcome = EgtOutcome::kUnknown;
    ++failures_;
    return false;
  }

  // The status of an EGT that only its user can decide.
  Status OpenOutcome(const Egt& egt, const std::string& reason) const {
    Failure open = AskedOf(to_.client->endpoint(), "writing to", to_.table, egt.status.failure());
    open.advice.clear();
    open.has_response = false;
    open.may_have_reached = true;
    return {Code::kError, reason, std::move(open)};
  }

  // If the failed operation may be skipped, skips it and queues the rest again. At the second
  // such failure it queries which other operations would fail. So an EGT costs a limited number of
  // requests.
  bool Retry(Egt& egt) {
    if (TableIsMissing(egt) || !SkipFailed(to_, egt)) return false;
    SkipGroupsElsewhere(egt);
    if (++egt.retries == 2 && stopped_.ok()) {
      if (const Status status = SkipForeseen(to_, egt, cancel_); !status.ok()) {
        Failure of_read = status.failure();
        of_read.may_have_reached = false;  // the EGT was refused
        egt.status = {status.code(), std::move(of_read)};
        return false;
      }
      SkipGroupsElsewhere(egt);
    }
    egt.status = {};
    ForgetDoubt(egt);
    if (egt.operations.empty()) {
      egt.outcome = EgtOutcome::kApplied;
    } else {
      waiting_.push_front(&egt);
    }
    return true;
  }

  // Removes the operations of each group of moved keys in which `egt` has a refused operation from
  // the EGTs that are not sent yet.
  void SkipGroupsElsewhere(const Egt& egt) {
    std::erase_if(waiting_, [&](Egt* other) {
      SkipGroups(egt, *other);
      if (other->operations.empty()) other->outcome = EgtOutcome::kApplied;
      return other->operations.empty();
    });
  }

  // Whether the service refused an insert because the table is missing. Cosmos DB reports that with
  // the code that elsewhere means a missing entity.
  static bool TableIsMissing(const Egt& egt) {
    const Failure& detail = egt.status.failure();
    if (detail.http_status != 404) return false;
    if (detail.code == "TableNotFound") return true;
    const auto index = static_cast<size_t>(std::max(detail.operation_index, 0));
    return detail.code == "ResourceNotFound" && egt.operations[index].if_match.empty();
  }

  // If the table is missing and may be created, creates it once and queues the EGT again.
  bool CreateMissing(Egt& egt, bool after_creation) {
    if (!to_.create_missing || failures_ > 0 || after_creation || !stopped_.ok()) return false;
    if (!TableIsMissing(egt)) return false;
    if (!created_) {
      const auto created = to_.client->CreateTable(to_.table, to_.options, cancel_);
      if (!created.ok()) {
        creation_failure_ = egt.status = created.status();
        return false;
      }
      created_ = true;
    }
    egt.status = {};
    waiting_.push_front(&egt);
    return true;
  }

  // Sends nothing more. After an interrupt, the EGTs under way have two seconds to end, so that
  // their outcome is known. Those that do not end may be applied. True: all are applied.
  bool Stop(const Status& status) {
    stopped_ = status;
    const auto end = std::chrono::steady_clock::now() + kWaitAfterInterrupt;
    const Cancel at_end([&] { return std::chrono::steady_clock::now() < end ? Status() : status; });
    GiveUpIf([](const Exchange& exchange) { return exchange.waits_for_retry(); });
    for (const Flying& flying : flying_) flying.exchange->StopRetries();
    while (status.code() == Code::kInterrupt && !flying_.empty() && Wait(at_end).ok()) Land();
    GiveUpIf([](const Exchange&) { return true; });
    if (failures_ == 0 && waiting_.empty()) return true;
    if (failures_ == 0) waiting_.front()->status = status;
    return false;
  }

  void GiveUpIf(bool (*is_given_up)(const Exchange&)) {
    std::erase_if(flying_, [&](const Flying& flying) {
      if (!is_given_up(*flying.exchange)) return false;
      const bool unknown = flying.egt->doubt == Doubt::kOpen || flying.exchange->MayHaveReached();
      flying.egt->outcome = unknown ? EgtOutcome::kUnknown : EgtOutcome::kNotSent;
      flying.egt->status = stopped_;
      ++failures_;
      return true;
    });
  }

  // Memory ran out while EGTs were sent or received: those under way may be applied.
  void EndWithoutMemory() {
    for (Flying& flying : flying_) flying.exchange.reset();  // gives their memory back
    const Status status(Code::kNoMemory, "there is not enough memory to send all of it",
                        AskedOf(to_.client->endpoint(), "writing to", to_.table));
    bool any = false;
    for (const Flying& flying : flying_) {
      const EgtOutcome outcome = flying.egt->outcome;
      if (outcome == EgtOutcome::kApplied || outcome == EgtOutcome::kFailed) continue;
      flying.egt->outcome = EgtOutcome::kUnknown;
      flying.egt->status = status;
      any = true;
    }
    if (!any && !waiting_.empty()) waiting_.front()->status = status;
    flying_.clear();
    ++failures_;
  }

  const EgtTarget& to_;
  const Cancel& cancel_;
  const Again again_;
  std::deque<Egt*> waiting_;
  std::vector<Flying> flying_;
  std::vector<Egt*> unknown_;  // that reading may settle
  size_t failures_ = 0;        // EGTs
  bool transient_ = true;      // all failures are
  bool created_ = false;
  Status stopped_;  // why nothing more is sent; OK as long as EGTs are sent
  Status creation_failure_;
};

}  // namespace

bool SendEgts(const EgtTarget& to, std::span<Egt* const> egts, const Cancel& cancel, Again again) {
  return Sender(to, egts, cancel, again).Run();
}

}  // namespace aztables
