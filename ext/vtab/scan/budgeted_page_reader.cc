// BudgetedPageReader: see budgeted_page_reader.h.
#include "vtab/scan/budgeted_page_reader.h"

#include <algorithm>

#include "model/limits.h"
#include "vtab/scan/name_check.h"
#include "vtab/scan/read_sample.h"
#include "vtab/sqlite/interrupt.h"

namespace aztables {
namespace {

void Warn(const std::string& message) {
  sqlite3_log(SQLITE_WARNING, "aztables: %s", message.c_str());
}

bool IsLimited(const Limits& limits) {
  return limits.max_requests || limits.max_entities || limits.max_time;
}

}  // namespace

BudgetedPageReader::BudgetedPageReader(Session* session, std::shared_ptr<Connection> connection,
                                       std::shared_ptr<RemoteTable> remote, EntityQuery query,
                                       Projection projection, size_t first_page, Setting setting)
    : session_(session),
      connection_(std::move(connection)),
      remote_(std::move(remote)),
      setting_(std::move(setting)),
      stream_(std::make_unique<PageStream>(connection_->client.get(), std::move(query),
                                           std::move(projection), first_page, setting_.call,
                                           &remote_->pages)) {
  remote_->reads.insert(this);
  stream_->Stamp([this] { return remote_->pending.log().next_sequence(); });
  if (setting_.last == nullptr) setting_.last = &own_last_;
  if (!setting_.keyed && setting_.rules.scan != ScanRule::kAllow) {
    stream_->AskFirst([this] {
      return setting_.guard->MayAsk(setting_.rules, *setting_.call.budget.spending, Warn);
    });
  }
}

bool BudgetedPageReader::Holds() const {
  const RowUse* const use = setting_.use;
  const bool collected = use != nullptr && use->collects && !use->finished;
  return setting_.comes_again || !stream_->at_end() || collected;
}

bool BudgetedPageReader::CollectsFor(int64_t statement) const {
  const RowUse* const use = setting_.use;
  return use != nullptr && use->collects && setting_.call.statement_id == statement;
}

bool BudgetedPageReader::KnowsMissing() const {
  const int64_t missing_for = remote_->missing_for;
  return setting_.table_may_lack && missing_for != 0 && missing_for == setting_.call.statement_id &&
         stream_->under_way() == nullptr;
}

std::vector<Exchange*> BudgetedPageReader::UnderWay() const {
  std::vector<Exchange*> exchanges;
  for (const BudgetedPageReader* const read : remote_->reads) {
    Exchange* const exchange = read->stream_->under_way();
    if (read->connection_ == connection_ && exchange != nullptr) exchanges.push_back(exchange);
  }
  return exchanges;
}

Result<size_t> BudgetedPageReader::WaitForOne(std::span<PageReader* const> readers) {
  const InterruptWatch watch(session_->db(), setting_.call.budget);
  std::vector<Exchange*> waiting = UnderWay();
  for (;;) {
    for (size_t i = 0; i < readers.size(); ++i) {
      if (!readers[i]->waits()) return i;
    }
    std::erase_if(waiting, [](const Exchange* one) { return one->done(); });
    const Status status = connection_->client->pipeline()->WaitAny(waiting, watch.cancel());
    if (!status.ok()) return Failed(status, watch.cancel()).status();
  }
}

void BudgetedPageReader::ReadSinglePages() {
  divided_ = true;
  stream_->ReadSinglePages();
}

void BudgetedPageReader::ReadOn() {
  const InterruptWatch watch(session_->db(), setting_.call.budget);
  stream_->ReadOn(watch.cancel());
}

bool BudgetedPageReader::waits() const {
  const Exchange* const exchange = stream_->under_way();
  return exchange != nullptr && !exchange->done();
}

bool BudgetedPageReader::throttled() const {
  const Exchange* const exchange = stream_->under_way();
  return exchange != nullptr && exchange->doubt() == Doubt::kThrottled;
}

Result<bool> BudgetedPageReader::NextPage() {
  if (KnowsMissing()) return false;
  std::vector<Exchange*> others = UnderWay();
  std::erase(others, stream_->under_way());
  const InterruptWatch watch(session_->db(), setting_.call.budget);
  const auto more = stream_->NextPage(watch.cancel(), others);
  return more.ok() ? Came(*more) : Failed(more.status(), watch.cancel());
}

Result<bool> BudgetedPageReader::Came(bool more) {
  if (setting_.table_may_lack) remote_->last_read_by = setting_.call.statement_id;
  remote_->missing_for = 0;
  if (IsLimited(setting_.call.budget.limits)) RememberLast();
  if (setting_.whole) Record();
  came_ += static_cast<int64_t>(stream_->page().size());
  if (came_ > remote_->shape.entities) remote_->shape = {};  // the table has grown
  const auto names = std::exchange(setting_.names, nullptr);
  if (names != nullptr) AZTABLES_RETURN_IF_ERROR(names->Check(*stream_));
  return more;
}

Result<bool> BudgetedPageReader::Failed(const Status& status, const Cancel& cancel) {
  const CallOptions& call = setting_.call;
  if (status.code() == Code::kBudget) return connection_->Note(BudgetError(status));
  // For a statement that has received a page the table exists.
  const bool may_lack = setting_.table_may_lack && remote_->last_read_by != call.statement_id;
  if (may_lack && status.failure().code == "TableNotFound") {
    remote_->missing_for = call.statement_id;
    return false;
  }
  const Status similar =
      WithSimilarTables(*connection_->client, stream_->query().table, call, cancel, status);
  return connection_->Note(similar.Noting(session_->commits().SentBeforeText()));
}

Status BudgetedPageReader::Prefetch() {
  if (KnowsMissing()) return {};
  const InterruptWatch watch(session_->db(), setting_.call.budget);
  stream_->Prefetch(watch.cancel());
  return stream_->interrupted();
}

void BudgetedPageReader::Record() {
  const EntityPage& page = stream_->page();
  record_.Add(0, {}, page, {0, page.size()}, !stream_->at_end());
  if (stream_->at_end()) remote_->Learn(record_);
}

void BudgetedPageReader::RememberLast() {
  const EntityPage& page = stream_->page();
  if (page.size() == 0) return;
  const size_t last = page.size() - 1;
  *setting_.last = DescribeEntity(page.At(last, EntityPage::kPartitionKey).view(),
                                  page.At(last, EntityPage::kRowKey).view());
}

Status BudgetedPageReader::BudgetError(const Status& status) const {
  const ReadRules& rules = setting_.rules;
  std::string note;
  // Several ranges have no common place.
  if (!divided_ && !setting_.part) {
    note += setting_.last->empty() ? "; it stopped before the first entity of this read"
                                   : "; it stopped after the entity " + *setting_.last;
  }
  const std::string sent = session_->commits().SentBeforeText();
  note += (sent.empty() ? "; the statement changed no rows" : sent) + "; " +
          LimitOverride(rules, status);
  return status.In(rules.who).Noting(note);
}

}  // namespace aztables
