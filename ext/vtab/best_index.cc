// xBestIndex: describes SQLite's constraints to the planner (ext/plan) in the planner's terms, and
// returns the planner's choice to SQLite. It decides only what SQLite's interface does not show to
// the planner.
#include <cstring>

#include "plan/planner.h"
#include "plan/strict_comparison.h"
#include "vtab/sqlite/guard.h"
#include "vtab/sqlite/sql.h"
#include "vtab/sqlite/values.h"
#include "vtab/table.h"

namespace aztables {
namespace {

// LIKE and other auxiliary constraints are not sent. In a LEFT JOIN SQLite offers those of ON for
// the left table as if they were of WHERE. The same holds for IS NOT NULL, see StartRead().
std::optional<ConditionOp> OpOf(int op) {
  constexpr std::pair<int, ConditionOp> kOps[] = {
      {SQLITE_INDEX_CONSTRAINT_EQ, ConditionOp::kEq},
      {SQLITE_INDEX_CONSTRAINT_LT, ConditionOp::kLt},
      {SQLITE_INDEX_CONSTRAINT_LE, ConditionOp::kLe},
      {SQLITE_INDEX_CONSTRAINT_GT, ConditionOp::kGt},
      {SQLITE_INDEX_CONSTRAINT_GE, ConditionOp::kGe},
      {SQLITE_INDEX_CONSTRAINT_IS, ConditionOp::kIs},
      {SQLITE_INDEX_CONSTRAINT_NE, ConditionOp::kNe},
      {SQLITE_INDEX_CONSTRAINT_ISNOT, ConditionOp::kIsNot},
      {SQLITE_INDEX_CONSTRAINT_ISNOTNULL, ConditionOp::kNotNull}};
  for (const auto& [offered, meaning] : kOps) {
    if (offered == op) return meaning;
  }
  return std::nullopt;
}

OfferedConstraint::Collation CollationOf(sqlite3_index_info* info, int i) {
  const char* const name = sqlite3_vtab_collation(info, i);
  if (name == nullptr) return OfferedConstraint::Collation::kOther;
  if (std::strcmp(name, "BINARY") == 0) return OfferedConstraint::Collation::kBinary;
  return std::strcmp(name, "NOCASE") == 0 ? OfferedConstraint::Collation::kNoCase
                                          : OfferedConstraint::Collation::kOther;
}

// The value of the constraint, if it is a literal.
std::optional<SqlValue> LiteralOf(sqlite3_index_info* info, int i) {
  sqlite3_value* value = nullptr;
  const bool known = sqlite3_vtab_rhs_value(info, i, &value) == SQLITE_OK && value != nullptr;
  return known ? std::optional(ToSqlValue(value)) : std::nullopt;
}

OfferedConstraint Translate(sqlite3_index_info* info, int i) {
  const auto& offered = info->aConstraint[i];
  OfferedConstraint constraint;
  constraint.usable = offered.usable != 0;
  constraint.column = offered.iColumn;
  if (offered.op == SQLITE_INDEX_CONSTRAINT_GLOB || offered.op == SQLITE_INDEX_CONSTRAINT_LIKE) {
    constraint.kind = OfferedConstraint::Kind::kPattern;
    constraint.value = LiteralOf(info, i);
  } else if (offered.op == SQLITE_INDEX_CONSTRAINT_LIMIT) {
    constraint.kind = OfferedConstraint::Kind::kLimit;
  } else if (offered.op == SQLITE_INDEX_CONSTRAINT_OFFSET) {
    constraint.kind = OfferedConstraint::Kind::kOffset;
  } else if (const auto op = OpOf(offered.op)) {
    constraint.kind = OfferedConstraint::Kind::kCompare;
    const bool list = op == ConditionOp::kEq && sqlite3_vtab_in(info, i, -1) != 0;
    constraint.op = list ? ConditionOp::kIn : *op;
    constraint.collation = CollationOf(info, i);
    if (!list) constraint.value = LiteralOf(info, i);
    // After the 32nd constraint SQLite does not mark a list. It would provide the values one by
    // one, and would not check again what it had compared.
    constexpr int kMostTold = 32;
    if (i >= kMostTold && op == ConditionOp::kEq && !constraint.value) {
      constraint.kind = OfferedConstraint::Kind::kOther;
    }
  }
  return constraint;
}

// Bit 63 represents every column from the 63rd on.
std::vector<bool> UsedColumns(const sqlite3_index_info* info, int count) {
  std::vector<bool> used(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    const int bit = i < 63 ? i : 63;
    used[static_cast<size_t>(i)] = (info->colUsed >> bit & 1) != 0;
  }
  return used;
}

// Adds the properties of the table's connection, if the connection can be found.
void AddService(const Table& table, PlanRequest& request) {
  const auto connection = table.session->Find(table.options.connection);
  request.keeps_order = connection.ok() && !(*connection)->client->endpoint().cosmos;
  const bool filters = table.options.pushdown != Pushdown::kNone;
  if (request.keeps_order && filters && !(*connection)->client->endpoint().local) {
    request.ranges = static_cast<int>(table.options.parallel);
  }
  // If scans are refused, no scan is cheap.
  if (!connection.ok() || table.options.scan == ScanRule::kDeny) return;
  const TableShape& shape = table.session->Remote(**connection, table.options.table)->shape;
  if (!shape.known) return;
  // Without ANALYZE SQLite assumes a million rows in every ordinary table. It would then read the
  // whole remote table instead of looking up a few keys.
  const bool statistics = IsTable(table.session->db(), nullptr, "sqlite_stat1");
  if (statistics || TableShape::Pages(shape.entities) == 1) request.shape = shape;
}

PlanRequest Translate(const Table& table, sqlite3_index_info* info) {
  PlanRequest request;
  request.schema = &table.declaration.schema;
  request.used = UsedColumns(info, table.declaration.schema.ColumnCount());
  for (int i = 0; i < info->nOrderBy; ++i) {
    request.order_by.push_back({info->aOrderBy[i].iColumn, info->aOrderBy[i].desc != 0});
  }
  request.grouped = sqlite3_vtab_distinct(info) == 1;
  request.distinct = sqlite3_vtab_distinct(info) >= 2;
  request.any_order = sqlite3_vtab_distinct(info) == 2;
  AddService(table, request);
  request.utf8 = table.session->utf8();
  request.pushdown = table.options.pushdown;
  for (int i = 0; i < info->nConstraint; ++i) request.constraints.push_back(Translate(info, i));
  return request;
}

Status BestIndex(const Table& table, sqlite3_index_info* info) {
  table.session->statements().Prepared();
  const PlanRequest request = Translate(table, info);
  if (!table.options.compare_text) {
    AZTABLES_RETURN_IF_ERROR(table.Named(CheckLiterals(request, SqlIdentifier)));
  }
  const PlanResult result = PlanRead(request);
  for (int i = 0; i < info->nConstraint; ++i) {
    // SQLite checks every constraint again.
    const int argument = result.argument_of[static_cast<size_t>(i)];
    info->aConstraintUsage[i].argvIndex = argument;
    info->aConstraintUsage[i].omit = 0;
    if (argument > 0 && request.constraints[static_cast<size_t>(i)].op == ConditionOp::kIn) {
      sqlite3_vtab_in(info, i, 1);
    }
  }
  const std::string text = EncodePlan(result.plan);
  info->idxStr = sqlite3_mprintf("%s", text.c_str());
  if (info->idxStr == nullptr) return {};  // out of memory
  info->needToFreeIdxStr = 1;
  info->orderByConsumed = result.ordered ? 1 : 0;
  info->estimatedCost = result.cost;
  info->estimatedRows = result.rows;
  return {};
}

}  // namespace

int TableBestIndex(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  const int code =
      Guard(&vtab->zErrMsg, [&] { return BestIndex(*static_cast<Table*>(vtab), info); });
  return code == SQLITE_OK && info->idxStr == nullptr ? SQLITE_NOMEM : code;
}

}  // namespace aztables
