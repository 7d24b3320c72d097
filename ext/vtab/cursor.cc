// The cursor: runs a plan and hands out its rows. The page in hand is the only one in memory; the
// next one is asked for when SQLite asks for a row beyond it. A cursor may be filtered again and
// again, as the inner side of a join is.
#include <algorithm>

#include "aztables/model/limits.h"
#include "aztables/plan/bound_read.h"
#include "guard.h"
#include "shown_value.h"
#include "table.h"
#include "values.h"

namespace aztables {
namespace {

Table& TableOf(const sqlite3_vtab_cursor* cursor) { return *static_cast<Table*>(cursor->pVtab); }

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

Status NextRow(Cursor& cursor) {
  auto more = cursor.read->Next();
  cursor.at_end = !more.ok() || !*more;
  if (!cursor.at_end && cursor.remote->writers > 0 && cursor.read->remote()) {
    const EntityKeyView key = cursor.read->key();
    cursor.remote->keys_seen.Add(key.partition_key, key.row_key);
  }
  return more.status();
}

// The most pending deletes that the first page is made larger for.
constexpr size_t kMostDeleted = 1000;

// What the transaction does to the entity of a point read, where that is all there is to know.
bool IsKnown(const EntityWrite* write) {
  return write != nullptr &&
         (write->verb == WriteVerb::kInsert || write->verb == WriteVerb::kDelete);
}

// Where the table is. As long as it takes part in a transaction, it stays there, whatever becomes
// of the name of its connection.
Status Locate(Cursor& cursor) {
  Table& table = TableOf(&cursor);
  // A table that was created in the transaction got no xBegin. What forbids writing, the row says.
  if (table.created && cursor.statement.writes && !table.writing) {
    static_cast<void>(JoinWrites(table));
  }
  if (table.writing) {
    cursor.connection = table.writing_connection;
    cursor.remote = table.writing;
    return {};
  }
  auto connection = cursor.session->Find(table.options.connection);
  if (!connection.ok()) return connection.status();
  cursor.connection = std::move(*connection);
  cursor.remote = cursor.session->Remote(*cursor.connection, table.options.table);
  return {};
}

Status Filter(Cursor& cursor, const char* index_text, const std::vector<SqlValue>& values) {
  Table& table = TableOf(&cursor);
  cursor.read.reset();
  cursor.at_end = true;
  AZTABLES_RETURN_IF_ERROR(table.broken);
  const auto plan = DecodePlan(index_text ? index_text : "");
  if (!plan.ok()) return plan.status();
  const TableOptions& options = table.options;
  if (cursor.statement.id == 0) cursor.statement = cursor.session->statements().OfPlan(index_text);
  AZTABLES_RETURN_IF_ERROR(Locate(cursor));
  const std::shared_ptr<Connection>& connection = cursor.connection;

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
  if (cursor.statement.writes && table.writing && table.changing_statement != cursor.statement.id) {
    table.changing_statement = cursor.statement.id;
    table.changes_from = table.writing->writes.next_sequence();
  }
  CallOptions call = table.Call(cursor.statement);
  call.scan = cursor.session->statements().NextScan();
  const Projection projection = MakeProjection(table.declaration.schema, *plan, cursor.cell_of);
  OverlaidRead::Setting setting{.pending = cursor.remote->writes.Snapshot(),
                                .limits = KeyLimits(read),
                                .ordered = !connection->client->endpoint().cosmos,
                                .table_may_lack = options.create_missing,
                                .reader = &table.session->entity_reader()};
  bool known = false;
  if (read.point) {
    const auto write = setting.pending.Find({read.point->first, read.point->second});
    if (!write.ok()) return write.status();
    // A statement that writes has to know whether the service has the entity, too.
    known = IsKnown(*write) && !cursor.statement.writes;
  }
  if (read.page_hint > 0) read.page_hint += setting.pending.CountDeleted(kMostDeleted);
  std::unique_ptr<GuardedRead> remote_rows;
  if (!known) {
    const bool keyed = read.kind != ReadKind::kTableScan;
    EntityQuery query{.table = options.table,
                      .kind = std::string(ReadKindName(read.kind)),
                      .point = std::move(read.point),
                      .filter = std::move(read.filter),
                      .raw_filter = "",
                      .select = plan->select};
    remote_rows = std::make_unique<GuardedRead>(cursor.session.get(), connection, table.Rules(),
                                                keyed, &cursor.guard, std::move(query), projection,
                                                read.page_hint, std::move(call));
  }
  cursor.read =
      std::make_unique<OverlaidRead>(std::move(remote_rows), projection, std::move(setting));
  return NextRow(cursor);
}

// Remembers what a statement that writes will need of the row when it comes back with the rowid.
RowRead* Remember(const Cursor& cursor) {
  if (!cursor.statement.writes || !TableOf(&cursor).writing) return nullptr;
  const EntityKeyView key = cursor.read->key();
  RowRead& row =
      cursor.remote->rows_read.At(cursor.remote->rowids.IdFor(key.partition_key, key.row_key));
  row.changed = false;
  row.moved_to.reset();
  const Cell etag = cursor.read->At(EntityPage::kEtag);
  if (row.statement == cursor.statement.id) {  // by another of its cursors
    row.torn = row.torn || etag.view() != row.etag;
    return &row;
  }
  row.statement = cursor.statement.id;
  row.torn = false;
  row.shown = false;
  row.remote = cursor.read->remote();
  row.etag = etag.view();
  return &row;
}

Status MismatchError(const Table& table, EntityKeyView key, std::string_view name, const Cell& cell,
                     EdmType declared) {
  const std::string entity = DescribeEntity(key.partition_key, key.row_key);
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
  if (column == schema.CommandColumn()) {
    // Insert-only: reads as NULL. An UPDATE asks for every column, and nothing else for this one.
    const size_t entity = cursor.cell_of[static_cast<size_t>(schema.EntityColumn())];
    RowRead* const row = entity != Cursor::kNoCell ? Remember(cursor) : nullptr;
    if (row) row->entity = cursor.read->At(entity).view();
    if (row && sqlite3_vtab_nochange(context) == 0) {
      row->timestamp = cursor.read->At(EntityPage::kTimestamp).view();
      row->shown = true;
    }
    return {};
  }
  if (sqlite3_vtab_nochange(context) != 0) return {};  // an UPDATE leaves the column as it is
  const size_t place = cursor.cell_of[static_cast<size_t>(column)];
  if (place == Cursor::kNoCell) {
    return Status::Error("table " + table.name + ": column " + std::to_string(column) +
                         " was not asked for when the statement was planned");
  }
  Cell cell = cursor.read->At(place);
  const Column* const property = schema.PropertyAt(column);
  EdmType declared = property ? property->type : EdmType::kString;
  if (column == Schema::kTimestamp) declared = EdmType::kDateTime;
  if (!Fits(declared, cell)) {
    if (!table.options.mismatch_null) {
      const std::string_view name =
          column == schema.EtagColumn() ? "odata.etag" : schema.RemoteName(column);
      return MismatchError(table, cursor.read->key(), name, cell, declared);
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
  return Guard(&base->pVtab->zErrMsg, [&] { return NextRow(*static_cast<Cursor*>(base)); });
}

int CursorEof(sqlite3_vtab_cursor* base) { return static_cast<Cursor*>(base)->at_end ? 1 : 0; }

int CursorColumn(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  GuardResult(context, [&] { return ShowColumn(*static_cast<Cursor*>(base), context, column); });
  return SQLITE_OK;
}

int CursorRowid(sqlite3_vtab_cursor* base, sqlite3_int64* rowid) {
  return Guard(&base->pVtab->zErrMsg, [&] {
    const auto& cursor = *static_cast<Cursor*>(base);
    const EntityKeyView key = cursor.read->key();
    *rowid = cursor.remote->rowids.IdFor(key.partition_key, key.row_key);
    Remember(cursor);
    return Status();
  });
}

}  // namespace aztables
