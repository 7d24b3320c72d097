// GuardedRead: see guarded_read.h.
#include "guarded_read.h"

#include <algorithm>

#include "aztables/model/limits.h"
#include "interrupt.h"

namespace aztables {
namespace {

void Warn(const std::string& message) {
  sqlite3_log(SQLITE_WARNING, "aztables: %s", message.c_str());
}

bool IsLimited(const Limits& limits) {
  return limits.max_requests || limits.max_entities || limits.max_time;
}

}  // namespace

GuardedRead::GuardedRead(Session* session, std::shared_ptr<Connection> connection, ReadRules rules,
                         bool keyed, ScanGuard* guard, EntityQuery query, Projection projection,
                         size_t first_page, const CallOptions& call, bool whole)
    : session_(session),
      connection_(std::move(connection)),
      remote_(session->Remote(*connection_, query.table)),
      rules_(std::move(rules)),
      guard_(guard),
      budget_(call.budget),
      stream_(connection_->client.get(), std::move(query), std::move(projection), first_page, call),
      statement_(call.statement_id),
      measures_(whole) {
  remote_->reads.insert(this);
  if (!keyed && rules_.scan != ScanRule::kAllow) {
    stream_.AskFirst([this] { return MayAsk(); });
  }
}

Status GuardedRead::MayAsk() {
  return guard_->MayAsk(
      rules_.scan, *budget_.spending, rules_.who,
      "to allow it on this database connection: " + OverrideLine(rules_.scan_of, "scan=allow"),
      Warn);
}

Result<bool> GuardedRead::NextPage() {
  std::vector<Exchange*> beside;
  for (const GuardedRead* const other : remote_->reads) {
    Exchange* const exchange = other->stream_.under_way();
    const bool waits = other != this && other->connection_ == connection_;
    if (waits && exchange != nullptr) beside.push_back(exchange);
  }
  const InterruptWatch watch(session_->db(), budget_);
  auto more = stream_.NextPage(watch.cancel(), beside);
  if (stream_.filter_refused()) remote_->refuses_filters = true;
  if (more.ok()) {
    if (IsLimited(budget_.limits)) RememberLast();
    if (measures_) Measure(*more);
    came_ += static_cast<int64_t>(stream_.page().size());
    if (came_ > remote_->shape.entities) remote_->shape = {};  // it has grown
    return more;
  }
  if (more.status().code() == Code::kBudget) return connection_->Note(BudgetError(more.status()));
  return connection_->Note(more.status().WithMessage(std::string(more.status().message()) +
                                                     session_->commits().SentBeforeText()));
}

Status GuardedRead::Prefetch() {
  const InterruptWatch watch(session_->db(), budget_);
  stream_.Prefetch(watch.cancel());
  return stream_.interrupted();
}

// Learns how large the table is, for the next plan.
void GuardedRead::Measure(bool more) {
  if (!more) {
    const int64_t per_partition = entities_ / std::max<int64_t>(partitions_, 1);
    remote_->shape = {true, entities_, std::max<int64_t>(per_partition, 1),
                      std::max<int64_t>(largest_, 1)};
    return;
  }
  const EntityPage& page = stream_.page();
  entities_ += static_cast<int64_t>(page.size());
  for (size_t row = 0; row < page.size(); ++row) {
    const std::string_view partition = page.At(row, EntityPage::kPartitionKey).view();
    const bool same = partitions_ > 0 && partition == partition_;
    of_partition_ = same ? of_partition_ + 1 : 1;
    largest_ = std::max(largest_, of_partition_);
    if (same) continue;
    partition_ = partition;
    ++partitions_;
  }
}

void GuardedRead::RememberLast() {
  const EntityPage& page = stream_.page();
  if (page.size() == 0) return;
  const size_t last = page.size() - 1;
  *last_entity_ = DescribeEntity(page.At(last, EntityPage::kPartitionKey).view(),
                                 page.At(last, EntityPage::kRowKey).view());
}

Status GuardedRead::BudgetError(const Status& status) const {
  std::string message = rules_.who + ": " + std::string(status.message());
  message += last_entity_->empty() ? "; it stopped before the first entity of this read"
                                   : "; it stopped behind the entity " + *last_entity_;
  const std::string sent = session_->commits().SentBeforeText();
  message += (sent.empty() ? "; nothing was changed" : sent) + "; " + LimitOverride(rules_, status);
  return status.WithMessage(std::move(message));
}

}  // namespace aztables
