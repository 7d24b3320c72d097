// QueryOpener: see open_query.h.
#include "vtab/scan/open_query.h"

#include <algorithm>

#include "plan/type_arms.h"
#include "read/binary_order_stream.h"
#include "read/pending_filter.h"
#include "read/pending_merge_stream.h"
#include "read/sorted_rows.h"
#include "vtab/scan/name_check.h"
#include "vtab/scan/scan_hold.h"

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

// A table has many pages if it has this number for each range.
constexpr size_t kManyPages = 10;

// Whether the transaction's write alone determines the entity of a point read.
bool IsKnown(const EntityWrite* write) {
  return write != nullptr &&
         (write->verb == WriteVerb::kInsert || write->verb == WriteVerb::kDelete);
}

bool IsScan(const EntityQuery& query) { return query.kind == ReadKindName(ReadKind::kTableScan); }

// Whether the query returns every entity of the table.
bool IsWhole(const EntityQuery& query) {
  return !query.point && query.filter.empty() && query.clauses.empty();
}

// The query with more conditions; an equality that it already has is not repeated.
EntityQuery Narrowed(EntityQuery query, Conjunction more) {
  if (IsScan(query)) query.kind = ReadKindName(ReadKind::kPartitionRange);
  for (Comparison& comparison : more) {
    const bool known =
        std::any_of(query.filter.begin(), query.filter.end(), [&](const Comparison& other) {
          return other.property == comparison.property && other.op == CompareOp::kEq &&
                 comparison.op == CompareOp::kEq;
        });
    if (!known) query.filter.push_back(std::move(comparison));
  }
  return query;
}

}  // namespace

QueryOpener::QueryOpener(Cursor& cursor, const ReadPlan& plan, const BoundPlan& bound)
    : cursor_(cursor),
      projection_(MakeProjection(cursor.table().declaration.schema, plan, cursor.cell_of)),
      compared_(bound.compared),
      page_hint_(bound.page_hint),
      alone_(bound.size() == 1),
      // A pending delete may remove the one row that represents a partition.
      distinct_(plan.distinct && cursor.pending.empty()) {
  const Table& table = cursor.table();
  // Pending rows are merged between the service's by their keys.
  const bool promised = plan.order != ReadOrder::kNone && !bound.unordered;
  keeps_order_ = !cursor.connection->client->endpoint().cosmos;
  ordered_ = keeps_order_ && (promised || !cursor.pending.empty());
  reverse_ = promised && plan.reverse;
  reader_.rules = table.Rules();
  reader_.guard = &cursor.guard;
  reader_.call = table.Call(cursor.statement);
  reader_.call.scan = cursor.session().statements().NextScan();
  reader_.table_may_lack = table.options.create_missing;
  reader_.use = &cursor.use;
  if (!alone_) reader_.last = &last_entity_;
  NameCheck names(cursor);
  if (!names.empty()) reader_.names = std::make_shared<const NameCheck>(std::move(names));
}

std::unique_ptr<PageReader> QueryOpener::MakeReader(EntityQuery query, bool last,
                                                    size_t page_hint) const {
  BudgetedPageReader::Setting setting = reader_;
  setting.keyed = !IsScan(query);
  setting.whole = IsWhole(query) && !distinct_;
  setting.comes_again = cursor_.reads > 1 || !last;
  auto reader = Make(std::move(query), page_hint, std::move(setting));
  if (distinct_) reader->stream().SkipPartitions(&cursor_.identified);
  UseCache(*reader);
  return reader;
}

std::unique_ptr<PageReader> QueryOpener::MakePartReader(EntityQuery query,
                                                        const SplitScan::Place& place,
                                                        bool keyed) const {
  BudgetedPageReader::Setting setting = reader_;
  setting.keyed = keyed;
  setting.comes_again = cursor_.reads > 1 || !place.last;
  setting.part = place.range;
  if (!place.first) setting.names = nullptr;
  auto reader = Make(std::move(query), 0, std::move(setting));
  if (distinct_) reader->stream().SkipPartitions(&cursor_.identified);
  // Only the response to a whole query may be requested again.
  if (!place.range) UseCache(*reader);
  return reader;
}

std::unique_ptr<BudgetedPageReader> QueryOpener::Make(EntityQuery query, size_t page_hint,
                                                      BudgetedPageReader::Setting setting) const {
  return std::make_unique<BudgetedPageReader>(&cursor_.session(), cursor_.connection,
                                              cursor_.remote, std::move(query), projection_,
                                              page_hint, std::move(setting));
}

void QueryOpener::UseCache(BudgetedPageReader& reader) const {
  if (cursor_.statement.writes) return;
  ResponseCache& responses = cursor_.session().responses();
  responses.Enter(cursor_.statement.id);
  reader.stream().UseCache(&responses);
}

std::unique_ptr<RowStream> QueryOpener::OpenDivided(BoundPlan bound, size_t ranges) {
  return ordered_ ? OpenWindows(std::move(bound), ranges) : OpenSplit(std::move(bound), ranges);
}

PageChains::Reuse QueryOpener::MakeReuse() const {
  return [remote = cursor_.remote](std::unique_ptr<EntityPage> page) {
    remote->pages.Return(std::move(page));
  };
}

std::function<void()> QueryOpener::MakeHold() const {
  const auto hold =
      std::make_shared<ScanHold>(cursor_.remote, &cursor_.use, reader_.call.statement_id);
  return [hold] { hold->End(); };
}

std::vector<KnownKeys::Range> QueryOpener::RangesInOrder(const EntityQuery& query,
                                                         double pages) const {
  if (!query.clauses.empty()) return {};
  return cursor_.remote->keys.DivideInOrder(SpanOf(query.filter), pages);
}

std::unique_ptr<RowStream> QueryOpener::OpenBackward(EntityQuery query, bool last) {
  const bool keyed = !IsScan(query);
  const bool whole = IsWhole(query);
  const auto self = shared_from_this();
  BackwardScan::Setting setting;
  setting.open = [self, keyed, last](EntityQuery part, SplitScan::Place place) {
    place.last = last;
    return self->MakePartReader(std::move(part), place, keyed);
  };
  setting.open_sorted = [self, last](EntityQuery part) {
    return std::make_unique<SortedRows>(
        self->MakeReader(std::move(part), last, 0), self->width(),
        SortedRows::Order{EntityPage::kPartitionKey, EntityPage::kRowKey, true});
  };
  setting.reuse = MakeReuse();
  setting.ended = MakeHold();
  setting.parallel = ranges_;
  setting.guesses = guesses_;
  setting.wanted = page_hint_;
  auto known = RangesInOrder(query, BackwardWindows::PagesOfWindow(ranges_));
  setting.large = !known.empty() || (whole && cursor_.remote->keys.pages() > 1);
  auto scan = std::make_unique<BackwardScan>(std::move(query), std::move(setting));
  scan->BeginWith(std::move(known));
  return scan;
}

std::unique_ptr<RowStream> QueryOpener::OpenWindows(BoundPlan bound, size_t ranges) {
  const bool keyed = bound.kind != ReadKind::kTableScan;
  const EntityQuery only = alone_ ? bound.At(0) : EntityQuery();
  const auto self = shared_from_this();
  WindowScan::Setting setting;
  setting.open = [self, keyed](EntityQuery query, const SplitScan::Place& place) {
    return self->MakePartReader(std::move(query), place, keyed);
  };
  setting.open_sorted = [self](EntityQuery query) {
    return self->OpenRemote(std::move(query), true);
  };
  setting.reuse = MakeReuse();
  setting.ended = MakeHold();
  auto scan = std::make_unique<WindowScan>(std::move(bound), std::move(setting), ranges);
  if (distinct_) {
    scan->KeepPartitions(&cursor_.identified);
    return scan;
  }
  if (alone_) scan->BeginWith(RangesInOrder(only, ScanWindows::kPages));
  if (alone_ && IsWhole(only)) {
    scan->Record([remote = cursor_.remote](ScanRecord& record) { remote->Learn(record); });
  }
  return scan;
}

std::unique_ptr<RowStream> QueryOpener::OpenSplit(BoundPlan bound, size_t ranges) {
  const bool keyed = bound.kind != ReadKind::kTableScan;
  std::vector<KeySpan> known;
  const EntityQuery only = alone_ ? bound.At(0) : EntityQuery();
  const KnownKeys& keys = cursor_.remote->keys;
  // A condition on a property may leave few rows. Then all ranges pay only for a large table.
  const bool large = cursor_.reads == 1 && keys.pages() >= static_cast<double>(kManyPages * ranges);
  if (alone_ && (only.clauses.empty() || large)) {
    known = keys.Divide(SpanOf(only.filter), ranges, distinct_);
  }
  auto scan = std::make_unique<SplitScan>(
      std::move(bound),
      [self = shared_from_this(), keyed](EntityQuery query, const SplitScan::Place& place) {
        return self->MakePartReader(std::move(query), place, keyed);
      },
      ranges);
  const bool all = !known.empty() && !distinct_ && only.clauses.empty();
  scan->BeginWith(std::move(known), all ? keys : KnownKeys());
  if (distinct_) {
    scan->KeepPartitions(&cursor_.identified);
  } else if (alone_ && IsWhole(only)) {
    scan->Record([remote = cursor_.remote](ScanRecord& record) { remote->Learn(record); });
  }
  return scan;
}

// A page costs more entities than a point, which a limit may not allow. The cursor of a single read
// has no later points.
bool QueryOpener::MayBeNear(const EntityQuery& query) const {
  const TableOptions& options = cursor_.table().options;
  const ServiceEndpoint& endpoint = cursor_.connection->client->endpoint();
  const bool limited = options.limits.max_requests || options.limits.max_entities;
  return query.point && alone_ && options.parallel > 1 && !limited && keeps_order_ &&
         !endpoint.local && !cursor_.statement.writes;
}

Result<NearPoints::Answer> QueryOpener::FindNear(const EntityQuery& query) const {
  ResponseCache& responses = cursor_.session().responses();
  responses.Enter(cursor_.statement.id);
  return cursor_.near.Find(query, responses.generation(),
                           [this](EntityQuery page, size_t entities) {
                             BudgetedPageReader::Setting setting = reader_;
                             setting.keyed = true;
                             setting.comes_again = true;
                             setting.names = nullptr;
                             return Make(std::move(page), entities, std::move(setting));
                           });
}

bool QueryOpener::MayDivide() const {
  const bool filters = cursor_.table().options.pushdown != Pushdown::kNone;
  return keeps_order_ && cursor_.pending.empty() && filters &&
         !cursor_.connection->client->endpoint().local;
}

std::unique_ptr<RowStream> QueryOpener::OpenRemote(EntityQuery query, bool last) {
  if (!ordered_ || query.point) return MakeReader(std::move(query), last, page_hint_);
  if (reverse_) return OpenBackward(std::move(query), last);
  auto reader = MakeReader(query, last, page_hint_);
  const Conjunction filter = query.filter;
  return std::make_unique<BinaryOrderStream>(
      std::move(reader),
      [self = shared_from_this(), query = std::move(query), last](Conjunction more) {
        return self->MakeReader(Narrowed(query, std::move(more)), last, 0);
      },
      filter);
}

Result<std::unique_ptr<RowStream>> QueryOpener::Open(EntityQuery query, bool last) {
  const WriteSnapshot& pending = cursor_.pending;
  if (pending.empty() && MayBeNear(query)) {
    auto near = FindNear(query);
    if (!near.ok()) return near.status();
    if (near->known) return std::move(near->row);
  }
  if (pending.empty()) return OpenRemote(std::move(query), last);
  PendingMergeStream::Setting setting{.pending = pending,
                                      .keys = KeyPredicate(query),
                                      .ordered = keeps_order_,
                                      .descending = reverse_,
                                      .reader = &cursor_.session().entity_reader()};
  bool known = false;
  if (query.point) {
    const auto write = setting.pending.Find({query.point->first, query.point->second});
    if (!write.ok()) return write.status();
    // A read that is opened before its turn may be rolled back by then.
    known = IsKnown(*write) && alone_;
  }
  auto asked = WithPending(std::move(query), setting.keys, setting.pending);
  if (!asked.ok()) return asked.status();
  AddTypeArms(*asked, compared_);
  auto remote = known ? nullptr : OpenRemote(std::move(*asked), last);
  return std::unique_ptr<RowStream>(
      std::make_unique<PendingMergeStream>(std::move(remote), projection_, std::move(setting)));
}

}  // namespace aztables
