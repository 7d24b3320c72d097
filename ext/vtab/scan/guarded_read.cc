// GuardedRead: see guarded_read.h.
#include "vtab/scan/guarded_read.h"

#include <algorithm>

#include "model/limits.h"
#include "plan/bound_read.h"
#include "vtab/scan/read_sample.h"
#include "vtab/sqlite/interrupt.h"
#include "vtab/table.h"

namespace aztables {
namespace {

void Warn(const std::string& message) {
  sqlite3_log(SQLITE_WARNING, "aztables: %s", message.c_str());
}

bool IsLimited(const Limits& limits) {
  return limits.max_requests || limits.max_entities || limits.max_time;
}

bool Shows(const EntityPage& page, size_t place) {
  for (size_t row = 0; row < page.size(); ++row) {
    const Cell& cell = page.At(row, place);
    if (cell.type != EdmType::kNull || cell.malformed) return true;
  }
  return false;
}

bool Compares(const std::vector<Disjunction>& clauses, std::string_view property) {
  for (const Disjunction& disjunction : clauses) {
    for (const Conjunction& conjunction : disjunction) {
      for (const Comparison& comparison : conjunction) {
        if (comparison.property == property) return true;
      }
    }
  }
  return false;
}

// Adds the names of the entities of a page that was read with all properties.
Status AddNames(const EntityPage& page, EntityReader& reader, PropertyNames& names) {
  for (size_t row = 0; row < page.size(); ++row) {
    const auto found = reader.Names(page.At(row, EntityPage::kEntity).view());
    if (!found.ok()) return found.status();
    for (const std::string& name : *found) names.Add(name);
  }
  names.Looked();
  return {};
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
      call_(call),
      stream_(connection_->client.get(), std::move(query), std::move(projection), first_page, call),
      measures_(whole) {
  remote_->reads.insert(this);
  if (!keyed && rules_.scan != ScanRule::kAllow) {
    stream_.AskFirst([this] { return MayAsk(); });
  }
}

Status GuardedRead::MayAsk() {
  return guard_->MayAsk(
      rules_.scan, *call_.budget.spending, rules_.who,
      "to allow it on this database connection: " + OverrideLine(rules_.scan_of, "scan=allow"),
      Warn);
}

// Called before the next page is requested, unless that request is under way.
void GuardedRead::NoteAsked() {
  if (stream_.under_way() == nullptr) asked_at_ = remote_->writes.next_sequence();
}

Result<bool> GuardedRead::NextPage() {
  NoteAsked();
  std::vector<Exchange*> beside;
  for (const GuardedRead* const other : remote_->reads) {
    Exchange* const exchange = other->stream_.under_way();
    const bool waits = other != this && other->connection_ == connection_;
    if (waits && exchange != nullptr) beside.push_back(exchange);
  }
  const InterruptWatch watch(session_->db(), call_.budget);
  auto more = stream_.NextPage(watch.cancel(), beside);
  if (more.ok()) {
    if (IsLimited(call_.budget.limits)) RememberLast();
    if (measures_) Measure(*more);
    came_ += static_cast<int64_t>(stream_.page().size());
    if (came_ > remote_->shape.entities) remote_->shape = {};  // the table has grown
    AZTABLES_RETURN_IF_ERROR(LookForNames());
    return more;
  }
  if (more.status().code() == Code::kBudget) return connection_->Note(BudgetError(more.status()));
  const Status status = WithSimilarTables(*connection_->client, stream_.query().table, call_,
                                          watch.cancel(), more.status());
  return connection_->Note(
      status.WithMessage(std::string(status.message()) + session_->commits().SentBeforeText()));
}

Status GuardedRead::Prefetch() {
  NoteAsked();
  const InterruptWatch watch(session_->db(), call_.budget);
  stream_.Prefetch(watch.cancel());
  return stream_.interrupted();
}

// Records the size of the table, for the next plan.
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

Status GuardedRead::LookForNames() {
  if (expected_.empty()) return {};
  const auto expected = std::exchange(expected_, {});
  const Schema& schema = expecting_->declaration.schema;
  PropertyNames& names = remote_->names;
  bool absent = false;
  for (const auto& [column, place] : expected) {
    const std::string& name = schema.PropertyAt(column)->property;
    if (Shows(stream_.page(), place)) names.Add(name);
    absent = absent || !names.Has(name);
  }
  if (!absent) return {};
  AZTABLES_RETURN_IF_ERROR(Look());
  for (const auto& [index, place] : expected) {
    const Column& column = *schema.PropertyAt(index);
    if (CheckName(names, schema, column).ok()) continue;
    AZTABLES_RETURN_IF_ERROR(Seek(column));
    const Status wrong = CheckName(names, schema, column);
    if (wrong.ok()) continue;
    names.Suspect();  // a row without the property returns the error
    if (stream_.page().size() > 0 || !Compares(stream_.query().clauses, column.property)) continue;
    return wrong.WithMessage(rules_.who + ": " + std::string(wrong.message()));
  }
  return {};
}

Status GuardedRead::Look() {
  PropertyNames& names = remote_->names;
  const EntityPage& page = stream_.page();
  if (names.looked()) return {};
  if (page.size() > 0 && page.At(0, EntityPage::kEntity).type == EdmType::kString) {
    return AddNames(page, session_->entity_reader(), names);
  }
  EntityQuery query = stream_.query();
  query.select.clear();
  if (page.size() == 0) {
    // A comparison of a property that no entity has excludes every entity.
    if (query.clauses.empty() || names.asked_in_vain()) return {};
    query.clauses.clear();
  }
  EntityPage found({.properties = {}, .entity = true});
  AZTABLES_RETURN_IF_ERROR(AskForOne(query, found));
  if (found.size() > 0) return AddNames(found, session_->entity_reader(), names);
  names.AskedInVain();
  return {};
}

Status GuardedRead::Seek(const Column& column) {
  PropertyNames& names = remote_->names;
  auto any_value = AnyValueFilter(column.property, column.type);
  if (!any_value || !connection_->client->FiltersProperties()) return {};
  if (names.IsSought(column.property)) return {};
  names.Seek(column.property);
  EntityQuery query;
  query.table = stream_.query().table;
  query.kind = ReadKindName(ReadKind::kTableScan);
  query.clauses.push_back(std::move(*any_value));
  EntityPage found({.properties = {}, .entity = true});
  const Status asked = AskForOne(query, found);
  if (found.size() > 0) names.Add(column.property);
  // A service that rejects the filter returns no entity.
  const int status = asked.detail().http_status;
  return status == 400 || status == 500 || status == 501 ? Status() : asked;
}

Status GuardedRead::AskForOne(const EntityQuery& query, EntityPage& page) {
  const InterruptWatch watch(session_->db(), call_.budget);
  Status status = call_.budget.CheckEntities();
  if (status.ok()) {
    status = connection_->client->QueryPage(query, 1, {}, stream_.options(), page, watch.cancel())
                 .status();
  }
  if (status.code() == Code::kBudget) return {};  // the rows do not need the names
  return connection_->Note(std::move(status));
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
