// QueryOpener: see open_query.h.
#include "vtab/scan/open_query.h"

#include <algorithm>

#include "vtab/scan/guarded_read.h"

namespace aztables {
namespace {

// The projection of the plan; sets the cell of each column.
Projection MakeProjection(const Schema& schema, const ReadPlan& plan,
                          std::vector<size_t>& cell_of) {
  Projection projection;
  cell_of.assign(static_cast<size_t>(schema.ColumnCount()), Cursor::kNoCell);
  cell_of[Schema::kPartitionKey] = EntityPage::kPartitionKey;
  cell_of[Schema::kRowKey] = EntityPage::kRowKey;
  cell_of[Schema::kTimestamp] = EntityPage::kTimestamp;
  cell_of[static_cast<size_t>(schema.EtagColumn())] = EntityPage::kEtag;
  projection.entity = plan.select.empty();
  if (projection.entity) {
    cell_of[static_cast<size_t>(schema.EntityColumn())] = EntityPage::kEntity;
  }
  for (int i = Schema::kFirstProperty; i < schema.EtagColumn(); ++i) {
    const std::string name(schema.RemoteName(i));
    if (!plan.select.empty() &&
        std::find(plan.select.begin(), plan.select.end(), name) == plan.select.end()) {
      continue;
    }
    auto& names = projection.properties;
    const auto place = std::find(names.begin(), names.end(), name);
    cell_of[static_cast<size_t>(i)] =
        EntityPage::kFirstProperty + static_cast<size_t>(place - names.begin());
    if (place == names.end()) names.push_back(name);
  }
  return projection;
}

// Whether the transaction's write alone determines the entity of a point read.
bool IsKnown(const EntityWrite* write) {
  return write != nullptr &&
         (write->verb == WriteVerb::kInsert || write->verb == WriteVerb::kDelete);
}

// The query with more conditions; an equality that it already has is not repeated.
BoundQuery Narrowed(BoundQuery query, Conjunction more) {
  if (query.kind == ReadKind::kTableScan) query.kind = ReadKind::kPartitionRange;
  for (Comparison& comparison : more) {
    const bool said =
        std::any_of(query.filter.begin(), query.filter.end(), [&](const Comparison& other) {
          return other.property == comparison.property && other.op == CompareOp::kEq &&
                 comparison.op == CompareOp::kEq;
        });
    if (!said) query.filter.push_back(std::move(comparison));
  }
  return query;
}

}  // namespace

QueryOpener::QueryOpener(Cursor& cursor, const ReadPlan& plan, const BoundRead& read)
    : cursor_(cursor),
      table_(*static_cast<Table*>(cursor.pVtab)),
      projection_(MakeProjection(table_.declaration.schema, plan, cursor.cell_of)),
      select_(plan.select),
      expected_(Expected()),
      call_(table_.Call(cursor.statement)),
      page_hint_(read.page_hint),
      alone_(read.size() == 1) {
  call_.scan = cursor.session->statements().NextScan();
  const bool keeps_order = !cursor.connection->client->endpoint().cosmos;
  // Pending rows are merged between the service's by their keys.
  const bool promised = plan.order != ReadOrder::kNone && !read.unordered;
  ordered_ = keeps_order && (promised || !cursor.pending.empty());
  // A pending delete may remove the one row that represents a partition.
  distinct_ = plan.distinct && cursor.pending.empty();
}

std::vector<std::pair<int, size_t>> QueryOpener::Expected() const {
  std::vector<std::pair<int, size_t>> expected;
  const PropertyNames& names = cursor_.remote->names;
  const Schema& schema = table_.declaration.schema;
  for (int i = Schema::kFirstProperty; table_.IsDeclared(i); ++i) {
    const std::string& name = schema.PropertyAt(i)->property;
    const size_t place = cursor_.cell_of[static_cast<size_t>(i)];
    if (place == Cursor::kNoCell || names.Has(name)) continue;
    if (names.looked() && names.OtherCase(name).empty()) continue;
    expected.emplace_back(i, place);
  }
  return expected;
}

std::unique_ptr<GuardedRead> QueryOpener::MakeRead(BoundQuery query, bool last, size_t page_hint) {
  const bool keyed = query.kind != ReadKind::kTableScan;
  const bool whole = !query.point && query.filter.empty() && query.clauses.empty() && !distinct_;
  EntityQuery entities{.table = table_.options.table,
                       .kind = std::string(ReadKindName(query.kind)),
                       .point = std::move(query.point),
                       .filter = std::move(query.filter),
                       .clauses = std::move(query.clauses),
                       .raw_filter = "",
                       .select = select_};
  auto read = std::make_unique<GuardedRead>(
      cursor_.session.get(), cursor_.connection, table_.Rules(), keyed, &cursor_.guard,
      std::move(entities), projection_, page_hint, call_, whole);
  if (cursor_.reads > 1 || !last) read->ComesAgain();
  if (cursor_.collects) read->Collects();
  if (!alone_) read->Shares(&last_entity_);
  if (!expected_.empty()) read->Expects(&table_, expected_);
  if (distinct_) read->stream().SkipPartitions(&cursor_.identified);
  if (!cursor_.statement.writes) {
    ResponseCache& responses = cursor_.session->responses();
    responses.Enter(cursor_.statement.id);
    read->stream().UseCache(&responses);
  }
  return read;
}

Result<std::unique_ptr<OverlaidRead>> QueryOpener::Open(BoundQuery query, bool last) {
  OverlaidRead::Setting setting{.pending = cursor_.pending,
                                .limits = KeyLimits(query),
                                .ordered = !cursor_.connection->client->endpoint().cosmos,
                                .table_may_lack = table_.options.create_missing,
                                .answered = &cursor_.remote->answered,
                                .statement = cursor_.statement.id,
                                .reader = &cursor_.session->entity_reader()};
  bool known = false;
  if (query.point) {
    const auto write = setting.pending.Find({query.point->first, query.point->second});
    if (!write.ok()) return write.status();
    // A read that is opened before its turn may be rolled back by then.
    known = IsKnown(*write) && alone_;
  }
  std::unique_ptr<OrderedRead> remote;
  if (!known) {
    OrderedRead::Narrow narrow;
    if (ordered_ && !query.point) {
      narrow = [this, query, last](Conjunction more) {
        return MakeRead(Narrowed(query, std::move(more)), last, 0);
      };
    }
    remote = std::make_unique<OrderedRead>(MakeRead(std::move(query), last, page_hint_),
                                           std::move(narrow));
  }
  return std::make_unique<OverlaidRead>(std::move(remote), projection_, std::move(setting));
}

}  // namespace aztables
