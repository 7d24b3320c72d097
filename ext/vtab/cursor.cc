// The cursor: runs a plan and hands out its rows. The page in hand is the only one in memory; the
// next one is asked for when SQLite asks for a row beyond it. A cursor may be filtered again and
// again, as the inner side of a join is.
#include <algorithm>
#include <cmath>

#include "aztables/model/limits.h"
#include "aztables/plan/bound_read.h"
#include "guard.h"
#include "table.h"
#include "values.h"

namespace aztables {
namespace {

Table& TableOf(sqlite3_vtab_cursor* cursor) { return *static_cast<Table*>(cursor->pVtab); }

// What the plan reads of each entity, and where each column's cell will be.
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

// Moves to the next page if the current one is used up.
Status LoadRows(Cursor& cursor) {
  auto more = cursor.read->NextPage();
  cursor.row = 0;
  cursor.at_end = !more.ok() || !*more;
  return more.status();
}

Status Filter(Cursor& cursor, const char* index_text, const std::vector<SqlValue>& values) {
  Table& table = TableOf(&cursor);
  cursor.read.reset();
  cursor.at_end = true;
  AZTABLES_RETURN_IF_ERROR(table.broken);
  const auto plan = DecodePlan(index_text ? index_text : "");
  if (!plan.ok()) return plan.status();
  const TableOptions& options = table.options;
  auto connection = cursor.session->Find(options.connection);
  if (!connection.ok()) return connection.status();
  cursor.remote = cursor.session->Remote(**connection, options.table);

  BoundRead read = BindRead(*plan, values);
  if (read.empty) return {};
  if (read.rowid) {
    read.point = cursor.remote->rowids.Find(*read.rowid);
    read.kind = ReadKind::kPoint;
    if (!read.point) {
      return Status::Error("table " + table.name + ": the rowid " + std::to_string(*read.rowid) +
                           " is not known on this database connection any more; read the row again "
                           "by its keys");
    }
  }
  if (cursor.statement.id == 0) cursor.statement = cursor.session->statements().OfPlan(index_text);
  CallOptions call = table.Call(cursor.statement);
  call.scan = cursor.session->statements().NextScan();
  const bool keyed = read.kind != ReadKind::kTableScan;
  EntityQuery query{.table = options.table,
                    .kind = std::string(ReadKindName(read.kind)),
                    .point = std::move(read.point),
                    .filter = std::move(read.filter),
                    .raw_filter = "",
                    .select = plan->select};
  Projection projection = MakeProjection(table.declaration.schema, *plan, cursor.cell_of);
  cursor.read = std::make_unique<GuardedRead>(
      cursor.session.get(), std::move(*connection), table.Rules(), keyed, &cursor.guard,
      std::move(query), std::move(projection), read.page_hint, std::move(call));
  return LoadRows(cursor);
}

// Whether a value of type `actual` is shown in a column of type `declared`; what is shown is in
// `cell`.
bool Fits(EdmType declared, Cell& cell) {
  if (cell.malformed) return false;
  if (declared == EdmType::kNull || cell.type == EdmType::kNull || cell.type == declared) {
    return true;
  }
  if (declared == EdmType::kInt64) return cell.type == EdmType::kInt32;
  if (declared != EdmType::kDouble) return false;
  if (cell.type != EdmType::kInt32 && cell.type != EdmType::kInt64) return false;
  const auto real = static_cast<double>(cell.integer);
  if (std::abs(real) > 9007199254740992.0) return false;
  cell.real = real;
  cell.type = EdmType::kDouble;
  return true;
}

Status MismatchError(const Table& table, const EntityPage& page, size_t row, std::string_view name,
                     const Cell& cell, EdmType declared) {
  const std::string entity = DescribeEntity(page.At(row, EntityPage::kPartitionKey).view(),
                                            page.At(row, EntityPage::kRowKey).view());
  std::string message = "table " + table.name + ": property " + std::string(name) +
                        " of the entity " + entity + " is ";
  if (cell.malformed && cell.type == EdmType::kNull) {
    message += QuoteForMessage(cell.view()) + ", of a type that the service does not document";
  } else if (cell.malformed) {
    message += QuoteForMessage(cell.view()) + ", which is no " + std::string(EdmName(cell.type));
  } else {
    message += std::string(EdmName(cell.type)) + ", but its column is declared " +
               std::string(ColumnTypeName(declared));
  }
  message += cell.malformed ? "; read it in _entity, or declare the table with mismatch=null"
                            : "; declare it ANY, or the table with mismatch=null, or read it in "
                              "_entity";
  return {Code::kMismatch, message};
}

Status ShowColumn(Cursor& cursor, sqlite3_context* context, int column) {
  const Table& table = TableOf(&cursor);
  const Schema& schema = table.declaration.schema;
  if (column == schema.CommandColumn()) return {};  // insert-only: reads as NULL
  const size_t place = cursor.cell_of[static_cast<size_t>(column)];
  if (place == Cursor::kNoCell) {
    return Status::Error("table " + table.name + ": column " + std::to_string(column) +
                         " was not asked for when the statement was planned");
  }
  const EntityPage& page = cursor.read->page();
  Cell cell = page.At(cursor.row, place);
  const Column* const property = schema.PropertyAt(column);
  EdmType declared = property ? property->type : EdmType::kString;
  if (column == Schema::kTimestamp) declared = EdmType::kDateTime;
  if (!Fits(declared, cell)) {
    if (!table.options.mismatch_null) {
      const std::string_view name =
          column == schema.EtagColumn() ? "odata.etag" : schema.RemoteName(column);
      return MismatchError(table, page, cursor.row, name, cell, declared);
    }
    cell = {};
  }
  ResultCell(context, cell);
  return {};
}

}  // namespace

int CursorOpen(sqlite3_vtab* vtab, sqlite3_vtab_cursor** out) {
  return Guard(&vtab->zErrMsg, [&] {
    auto cursor = std::make_unique<Cursor>();
    cursor->session = static_cast<Table*>(vtab)->session;
    cursor->session->CursorOpened();
    *out = cursor.release();
    return Status();
  });
}

int CursorClose(sqlite3_vtab_cursor* base) {
  const std::unique_ptr<Cursor> cursor(static_cast<Cursor*>(base));
  cursor->session->CursorClosed();
  return SQLITE_OK;
}

int CursorFilter(sqlite3_vtab_cursor* base, int, const char* index_text, int count,
                 sqlite3_value** values) {
  return Guard(&base->pVtab->zErrMsg, [&] {
    std::vector<SqlValue> arguments;
    arguments.reserve(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) arguments.push_back(ToSqlValue(values[i]));
    return Filter(*static_cast<Cursor*>(base), index_text, arguments);
  });
}

int CursorNext(sqlite3_vtab_cursor* base) {
  auto& cursor = *static_cast<Cursor*>(base);
  if (++cursor.row < cursor.read->page().size()) return SQLITE_OK;
  return Guard(&base->pVtab->zErrMsg, [&] { return LoadRows(cursor); });
}

int CursorEof(sqlite3_vtab_cursor* base) { return static_cast<Cursor*>(base)->at_end ? 1 : 0; }

int CursorColumn(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  GuardResult(context, [&] { return ShowColumn(*static_cast<Cursor*>(base), context, column); });
  return SQLITE_OK;
}

int CursorRowid(sqlite3_vtab_cursor* base, sqlite3_int64* rowid) {
  return Guard(&base->pVtab->zErrMsg, [&] {
    const auto& cursor = *static_cast<Cursor*>(base);
    const EntityPage& page = cursor.read->page();
    *rowid = cursor.remote->rowids.IdFor(page.At(cursor.row, EntityPage::kPartitionKey).view(),
                                         page.At(cursor.row, EntityPage::kRowKey).view());
    return Status();
  });
}

}  // namespace aztables
