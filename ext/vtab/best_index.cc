// xBestIndex: tells the planner (ext/plan) in its own words what SQLite offers, and SQLite what the
// planner chose. No decision is made here.
#include <cstring>

#include "aztables/plan/planner.h"
#include "guard.h"
#include "table.h"
#include "values.h"

namespace aztables {
namespace {

std::optional<CompareOp> OpOf(int op) {
  switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return CompareOp::kEq;
    case SQLITE_INDEX_CONSTRAINT_LT:
      return CompareOp::kLt;
    case SQLITE_INDEX_CONSTRAINT_LE:
      return CompareOp::kLe;
    case SQLITE_INDEX_CONSTRAINT_GT:
      return CompareOp::kGt;
    case SQLITE_INDEX_CONSTRAINT_GE:
      return CompareOp::kGe;
    default:
      return std::nullopt;
  }
}

OfferedConstraint Translate(sqlite3_index_info* info, int i) {
  const auto& offered = info->aConstraint[i];
  OfferedConstraint constraint;
  constraint.usable = offered.usable != 0;
  if (offered.op == SQLITE_INDEX_CONSTRAINT_LIMIT) {
    constraint.kind = OfferedConstraint::Kind::kLimit;
  } else if (offered.op == SQLITE_INDEX_CONSTRAINT_OFFSET) {
    constraint.kind = OfferedConstraint::Kind::kOffset;
  } else if (const auto op = OpOf(offered.op)) {
    constraint.kind = OfferedConstraint::Kind::kCompare;
    constraint.column = offered.iColumn;
    constraint.op = *op;
    const char* const collation = sqlite3_vtab_collation(info, i);
    constraint.binary = collation != nullptr && std::strcmp(collation, "BINARY") == 0;
    sqlite3_value* value = nullptr;
    if (sqlite3_vtab_rhs_value(info, i, &value) == SQLITE_OK && value != nullptr) {
      constraint.value_type = ToSqlValue(value).type;
    }
  }
  return constraint;
}

// Bit 63 stands for every column from the 63rd on.
std::vector<bool> UsedColumns(const sqlite3_index_info* info, int count) {
  std::vector<bool> used(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    const int bit = i < 63 ? i : 63;
    used[static_cast<size_t>(i)] = (info->colUsed >> bit & 1) != 0;
  }
  return used;
}

Status BestIndex(const Table& table, sqlite3_index_info* info) {
  table.session->statements().Prepared();
  PlanRequest request;
  request.schema = &table.declaration.schema;
  request.used = UsedColumns(info, table.declaration.schema.ColumnCount());
  request.ordered = info->nOrderBy > 0;
  request.pushdown = table.options.pushdown;
  for (int i = 0; i < info->nConstraint; ++i) request.constraints.push_back(Translate(info, i));
  const PlanResult result = PlanRead(request);
  for (int i = 0; i < info->nConstraint; ++i) {
    // Nothing is omitted from SQLite's own check.
    info->aConstraintUsage[i].argvIndex = result.argument_of[static_cast<size_t>(i)];
    info->aConstraintUsage[i].omit = 0;
  }
  const std::string text = EncodePlan(result.plan);
  info->idxStr = sqlite3_mprintf("%s", text.c_str());
  if (info->idxStr == nullptr) return {Code::kError, "out of memory"};
  info->needToFreeIdxStr = 1;
  info->estimatedCost = result.cost;
  info->estimatedRows = result.rows;
  return {};
}

}  // namespace

int TableBestIndex(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  return Guard(&vtab->zErrMsg, [&] { return BestIndex(*static_cast<Table*>(vtab), info); });
}

}  // namespace aztables
