// xFilter: binds the plan to its values and starts the read. Rows that are pending in the
// transaction are merged into it. See table.h.
#include <algorithm>
#include <forward_list>

#include "plan/bound_plan.h"
#include "plan/strict_comparison.h"
#include "plan/type_arms.h"
#include "read/query_sequence.h"
#include "read/shown_partitions.h"
#include "read/sorted_rows.h"
#include "vtab/change/row_writes.h"
#include "vtab/scan/open_query.h"
#include "vtab/scan/rows_already_read.h"
#include "vtab/scan/statement_shape.h"
#include "vtab/sqlite/guard.h"
#include "vtab/sqlite/sql.h"
#include "vtab/sqlite/values.h"
#include "vtab/table.h"
#include "vtab/transaction.h"

namespace aztables {
namespace {

// The most pending deletes by which the first page is enlarged.
constexpr size_t kMostDeleted = 1000;

// Finds the table's connection. As long as the table takes part in a transaction, it keeps that
// connection, even if the connection's name changes.
Status Locate(Cursor& cursor) {
  Table& table = cursor.table();
  // SQLite calls no xBegin for a table created in the transaction. If it may not be written,
  // writing a row returns the error.
  if (table.part.created() && cursor.statement.writes && !table.part.joined()) {
    static_cast<void>(JoinWrites(table));
  }
  if (table.part.joined()) {
    cursor.connection = table.part.connection();
    cursor.remote = table.part.shared_remote();
    return {};
  }
  auto connection = cursor.session().FindFor(table.options.connection, table.options.table);
  if (!connection.ok()) return connection.status();
  cursor.connection = std::move(*connection);
  cursor.remote = cursor.session().Remote(*cursor.connection, table.options.table);
  return {};
}

// A read begins. With bulk=on, a statement must not read what it has sent since its first read.
Status CheckRescan(Cursor& cursor) {
  cursor.sent_through = cursor.remote->bulk.sent_through();
  if (++cursor.reads == 1) cursor.first_sent_through = cursor.sent_through;
  if (!cursor.statement.writes || cursor.sent_through == cursor.first_sent_through) return {};
  return Status::Error(
      "table " + cursor.table().name +
      ": the statement would read rows that it has sent itself (bulk=on); add ORDER BY "
      "+PartitionKey to its SELECT, so that it reads before it writes, or set bulk=off");
}

// A read by rowids is a point read for each.
Status FindPoints(const Cursor& cursor, BoundPlan& read) {
  for (const int64_t rowid : read.rowids) {
    auto point = cursor.remote->rowids.Find(rowid);
    if (!point) {
      return Status::Error(
          "table " + cursor.table().name + ": the rowid " + std::to_string(rowid) +
          " is no longer known on this database connection; read the row again by its keys");
    }
    AZTABLES_RETURN_IF_ERROR(cursor.table().Named(CheckCanBeNamed(*point)));
    read.points.emplace_back(std::move(point->partition_key), std::move(point->row_key));
  }
  return {};
}

// The order was promised when the statement was prepared, for the connection of that time.
Status CheckOrder(const Cursor& cursor, const ReadPlan& plan) {
  const bool promised = plan.order != ReadOrder::kNone || plan.distinct;
  if (!promised || !cursor.connection->client->endpoint().cosmos) return {};
  return Status::Error(
      "table " + cursor.table().name +
      ": its connection leads to Cosmos DB now, which keeps no order; prepare the statement again");
}

// How many queries may be under way at once. A request sent ahead may prove unnecessary. It must
// not use budget that necessary requests need.
size_t MostAtOnce(const Cursor& cursor, const BoundPlan& read) {
  const TableOptions& options = cursor.table().options;
  const auto leaves = [&](const std::optional<int64_t>& most, int64_t spent, int64_t for_each) {
    return !most || (*most - spent) / for_each >= static_cast<int64_t>(read.size());
  };
  const Spending& spent = *cursor.statement.spending;
  const bool points = read.kind == ReadKind::kPoint;
  const bool enough = leaves(options.limits.max_requests, spent.requests, options.retries + 1) &&
                      (points ? leaves(options.limits.max_entities, spent.entities, 1)
                              : !options.limits.max_entities.has_value());
  return enough ? options.parallel : 1;
}

// The most chains of pages of a read, if it may be divided. A guess of a key may need one more
// request, which a limit may not allow. The option may have changed since the plan was made.
size_t MostChains(const Cursor& cursor, const QueryOpener& opener) {
  const TableOptions& options = cursor.table().options;
  const bool limited = options.limits.max_requests || options.limits.max_entities;
  return opener.MayDivide() && !limited ? options.parallel : 1;
}

bool IsDivided(const ReadPlan& plan, const BoundPlan& read) {
  const bool one_by_one = plan.distinct && plan.order != ReadOrder::kNone && read.size() > 1;
  return MayBeDivided(plan) && read.kind != ReadKind::kPoint && !one_by_one;
}

bool IsInteger(const SqlValue& value) { return value.type == SqlValue::Type::kInteger; }
bool IsText(const SqlValue& value) { return value.type == SqlValue::Type::kText; }
bool IsNumber(const SqlValue& value) {
  return IsInteger(value) || value.type == SqlValue::Type::kReal;
}

// The values of xFilter in the form for the plan. It keeps what it had to copy; the rest points
// into the sqlite3_values.
class ReadArguments {
 public:
  explicit ReadArguments(const Schema& schema) : schema_(schema) {}

  // Expands the lists of IN.
  Status Collect(const ReadPlan& plan, int count, sqlite3_value** values) {
    arguments_.resize(static_cast<size_t>(count));
    for (size_t i = 0; i < arguments_.size(); ++i) arguments_[i].value = ToSqlValue(values[i]);
    if (plan.rowid_list) {
      const auto i = static_cast<size_t>(plan.rowid_argument) - 1;
      AZTABLES_RETURN_IF_ERROR(CollectList(values[i], arguments_[i].list));
    }
    for (const auto* conditions : {&plan.conditions, &plan.checked}) {
      for (const Condition& condition : *conditions) {
        if (std::max(condition.argument, condition.end) > count)
          return Status::Error("the plan in idxStr needs more values");
        if (condition.op != ConditionOp::kIn) continue;
        const auto i = static_cast<size_t>(condition.argument) - 1;
        if (arguments_[i].list.empty()) {
          AZTABLES_RETURN_IF_ERROR(CollectList(values[i], arguments_[i].list));
        }
      }
    }
    return {};
  }

  // Whether only a plain statement shows what the condition means.
  bool NeedsPlain(const Condition& condition) const {
    if (condition.op == ConditionOp::kNotNull || condition.computed) return true;
    const ReadArgument& argument = Of(condition);
    const bool list = condition.op == ConditionOp::kIn;
    if (IsKey(condition)) return !list && IsInteger(argument.value);
    const bool any = schema_.TypeOf(condition.property) == EdmType::kNull;
    if (!list) return any && IsNumber(argument.value);
    return std::any_of(argument.list.begin(), argument.list.end(), [&](const SqlValue& value) {
      return IsText(value) || (any && IsNumber(value));
    });
  }

  // For a plain statement. A TEXT column applies its affinity to a value without one. The text of a
  // REAL differs between versions of SQLite, so a REAL stays a number. A column of type ANY applies
  // none.
  void SetPlain(const ReadPlan& plan) {
    for (const Condition& condition : plan.conditions) {
      if (condition.argument == 0) continue;
      ReadArgument& argument = arguments_[static_cast<size_t>(condition.argument) - 1];
      for (SqlValue& value : argument.list) value.as_number = IsNumber(value);
      if (condition.op == ConditionOp::kIn) continue;
      SqlValue& value = argument.value;
      if (IsKey(condition) && IsInteger(value)) {
        value = SqlValue::Text(texts_.emplace_front(std::to_string(value.integer)));
      }
      value.as_text = IsText(value);
      value.as_number = IsNumber(value);
    }
  }

  const std::vector<ReadArgument>& get() const { return arguments_; }

 private:
  const ReadArgument& Of(const Condition& condition) const {
    return arguments_[static_cast<size_t>(condition.argument) - 1];
  }

  Status CollectList(sqlite3_value* list, std::vector<SqlValue>& out) {
    sqlite3_value* value = nullptr;
    int code = sqlite3_vtab_in_first(list, &value);
    while (code == SQLITE_OK && value != nullptr) {
      SqlValue& kept = out.emplace_back(ToSqlValue(value));
      // The next value reuses the memory of a text.
      if (!kept.text.empty()) kept.text = texts_.emplace_front(kept.text);
      code = sqlite3_vtab_in_next(list, &value);
    }
    if (code == SQLITE_OK || code == SQLITE_DONE) return {};
    return Status::Error("SQLite does not give the values of an IN list (code " +
                         std::to_string(code) + ")");
  }

  const Schema& schema_;
  std::vector<ReadArgument> arguments_;
  std::forward_list<std::string> texts_;
};

// Whether each condition means what it seems to mean: no condition needs a plain statement, or the
// statement is plain.
bool IsCertain(Cursor& cursor, const ReadPlan& plan, const ReadArguments& arguments) {
  const auto needs_plain = [&](const Condition& c) { return arguments.NeedsPlain(c); };
  const auto list = [&](const Condition& c) { return c.op == ConditionOp::kIn && needs_plain(c); };
  if (std::none_of(plan.conditions.begin(), plan.conditions.end(), needs_plain) &&
      std::none_of(plan.checked.begin(), plan.checked.end(), list)) {
    return true;
  }
  if (!cursor.plain) cursor.plain = AreReadersPlain(cursor.session());
  return *cursor.plain;
}

// Drops conditions that may have another meaning. SQLite offers the IS NOT NULL of a LEFT JOIN's ON
// for its left table too, and does not show the collation of a list.
void DropUncertain(std::shared_ptr<const ReadPlan>& plan, const ReadArguments& arguments) {
  const auto certain = std::make_shared<ReadPlan>(*plan);
  for (auto* conditions : {&certain->conditions, &certain->checked}) {
    std::erase_if(*conditions, [&](const Condition& c) {
      return c.op == ConditionOp::kNotNull || (c.op == ConditionOp::kIn && arguments.NeedsPlain(c));
    });
  }
  plan = certain;
}

// The plan with xFilter's values, as far as it is valid now. The option may have changed since the
// statement was prepared. Conditions of `plan` that may have another meaning are dropped.
Result<BoundPlan> Bind(Cursor& cursor, std::shared_ptr<const ReadPlan>& plan, int count,
                       sqlite3_value** values) {
  const Table& table = cursor.table();
  ReadArguments arguments(table.declaration.schema);
  AZTABLES_RETURN_IF_ERROR(arguments.Collect(*plan, count, values));
  const bool certain = IsCertain(cursor, *plan, arguments);
  if (certain) arguments.SetPlain(*plan);
  // Another collation may accept another form.
  const bool collates = !certain && cursor.session().statements().AnyMentions("collate");
  if (collates) DropUncertain(plan, arguments);
  if (!table.options.compare_text) {
    AZTABLES_RETURN_IF_ERROR(table.Named(
        CheckComparisons(*plan, arguments.get(), table.declaration.schema, SqlIdentifier)));
  }
  if (!certain) DropUncertain(plan, arguments);
  const bool filters =
      cursor.connection->client->FiltersProperties() && table.options.pushdown == Pushdown::kAll;
  const bool other_types = filters && !table.options.mismatch_null;
  BoundPlan read =
      BindRead(*plan, arguments.get(), table.declaration.schema, cursor.remote->shape, other_types);
  read.query.table = table.options.table;
  if (read.empty) return read;
  if (!read.rowids.empty()) {
    AZTABLES_RETURN_IF_ERROR(FindPoints(cursor, read));
  } else if (table.options.pushdown == Pushdown::kNone) {
    ReadAll(read);
  }
  if (!filters) DropProperties(read.query.clauses);
  // Filters that ask for pending entities get theirs from QueryOpener.
  if (cursor.pending.empty()) AddTypeArms(read);
  if (read.page_hint > 0) read.page_hint += cursor.pending.CountDeleted(kMostDeleted);
  return read;
}

// Sets the plan of the cursor, decoded from idxStr.
Status SetPlan(Cursor& cursor, std::string_view index_text) {
  const auto is_plan = [&](const auto& known) { return known && known->text == index_text; };
  if (is_plan(cursor.plan)) return {};
  auto& last = cursor.table().plan;
  if (!is_plan(last)) {
    auto plan = DecodePlan(index_text);
    if (!plan.ok()) return plan.status();
    last =
        std::make_shared<const DecodedPlan>(DecodedPlan{std::string(index_text), std::move(*plan)});
  }
  cursor.plan = last;
  cursor.near = {};
  return {};
}

// Makes cursor.read, or leaves it null if there are no rows.
Status StartRead(Cursor& cursor, const char* index_text, int count, sqlite3_value** values) {
  Table& table = cursor.table();
  cursor.read.reset();
  cursor.at_end = true;
  cursor.identified = false;
  cursor.use.finished = false;
  AZTABLES_RETURN_IF_ERROR(table.broken);
  AZTABLES_RETURN_IF_ERROR(SetPlan(cursor, index_text ? index_text : ""));
  std::shared_ptr<const ReadPlan> plan(cursor.plan, &cursor.plan->plan);
  if (cursor.statement.id == 0) cursor.statement = cursor.session().statements().OfPlan(index_text);
  const std::shared_ptr<Connection> before = cursor.connection;
  AZTABLES_RETURN_IF_ERROR(Locate(cursor));
  if (cursor.connection != before) cursor.near = {};
  AZTABLES_RETURN_IF_ERROR(CheckOrder(cursor, *plan));
  AZTABLES_RETURN_IF_ERROR(DropRowsOfUncreated(table.session->transaction()));
  const bool writes = cursor.statement.writes;
  AZTABLES_RETURN_IF_ERROR(CheckRescan(cursor));
  // A writing statement never reads its own rows, however often it reads.
  if (!writes || cursor.reads == 1) cursor.pending = cursor.remote->pending.log().Snapshot();

  auto bound = Bind(cursor, plan, count, values);
  if (!bound.ok()) return bound.status();
  if (bound->empty) return {};
  if (writes) table.part.StatementReads(cursor.statement.id);
  const bool unordered = bound->unordered;
  const auto opener = std::make_shared<QueryOpener>(cursor, *plan, *bound);
  if (writes && !bound->rowids.empty()) {
    const ReadSet& rows = cursor.remote->pending.read_set();
    cursor.read = RowsAlreadyRead::Make(*bound, rows, cursor.statement.id);
    if (cursor.read != nullptr) return {};
  }
  const size_t chains = MostChains(cursor, *opener);
  const size_t ranges = IsDivided(*plan, *bound) ? chains : 1;
  const bool reverse = plan->reverse && !unordered;
  if (reverse) {
    opener->UseRanges(ranges, chains);
    bound->Reverse();
  }
  if (ranges > 1 && !reverse) {
    cursor.read = opener->OpenDivided(std::move(*bound), ranges);
  } else if (bound->size() == 1) {
    auto rows = opener->Open(bound->At(0), true);
    if (!rows.ok()) return rows.status();
    cursor.read = std::move(*rows);
  } else {
    const size_t parallel = MostAtOnce(cursor, *bound);
    cursor.read = std::make_unique<QuerySequence>(
        std::move(*bound),
        [opener](EntityQuery query, bool last) { return opener->Open(std::move(query), last); },
        parallel);
  }
  if (plan->distinct && plan->order == ReadOrder::kNone && cursor.read != nullptr) {
    cursor.read = std::make_unique<ShownPartitions>(std::move(cursor.read), &cursor.identified);
  }
  if (unordered) {
    cursor.read = std::make_unique<SortedRows>(
        std::move(cursor.read), opener->width(),
        SortedRows::Order{EntityPage::kRowKey, EntityPage::kPartitionKey, plan->reverse});
  }
  return {};
}

}  // namespace

int CursorFilter(sqlite3_vtab_cursor* base, int, const char* index_text, int count,
                 sqlite3_value** values) {
  auto& cursor = *static_cast<Cursor*>(base);
  const int code =
      Guard(&base->pVtab->zErrMsg, [&] { return StartRead(cursor, index_text, count, values); });
  return code == SQLITE_OK && cursor.read ? CursorNext(base) : code;
}

}  // namespace aztables
