// The cursor: returns the rows of a read (start_read.cc). A stream has only its current page in
// memory. The next page is requested when SQLite asks for a row after it. A cursor may be filtered
// again and again, for example as the inner side of a join.
#include "model/limits.h"
#include "schema/column_conversion.h"
#include "vtab/sqlite/guard.h"
#include "vtab/sqlite/values.h"
#include "vtab/table.h"

namespace aztables {
namespace {

Status NextRow(Cursor& cursor) {
  auto more = cursor.read->Next();
  cursor.at_end = !more.ok() || !*more;
  cursor.use.finished = cursor.at_end;
  // Writes sent since then have changed the entities.
  const bool current = cursor.sent_through == cursor.remote->bulk.sent_through();
  if (!cursor.at_end && cursor.remote->pending.any_joined() && current && cursor.read->remote()) {
    cursor.remote->pending.NoteShown(cursor.read->key(), cursor.read->conflicts());
  }
  return more.ok() ? Status() : cursor.table().OfRead(more.status());
}

int64_t RowidOf(const Cursor& cursor) { return cursor.remote->rowids.IdFor(cursor.read->key()); }

// Keeps what a writing statement will need of the row when it returns with the rowid.
RowRead* Remember(Cursor& cursor, int64_t rowid) {
  if (!cursor.statement.writes || !cursor.table().part.joined()) return nullptr;
  cursor.use.collects = true;
  ReadSet& rows = cursor.remote->pending.read_set();
  rows.Enter(cursor.statement.id, cursor.session().statements());
  RowRead& row = rows.At(rowid);
  const bool first = !row.read || row.changed || row.replaced;
  row.changed = false;
  row.moved_to.reset();
  const Cell etag = cursor.read->At(EntityPage::kEtag);
  if (!first) {  // read by another of its cursors
    row.version_conflict = row.version_conflict || etag.view() != row.etag;
    row.conflicts = row.conflicts || cursor.read->conflicts();
    return &row;
  }
  row.read = true;
  row.replaced = false;
  row.version_conflict = false;
  row.shown = false;
  row.remote = cursor.read->remote();
  row.conflicts = cursor.read->conflicts();
  row.etag = etag.view();
  row.read_at = cursor.read->asked_at();
  return &row;
}

// The remedy for a value of another type than its column's.
std::string RemedyFor(const Table& table, int column) {
  if (table.IsInferred(column)) {
    return "; infer the columns again, with this entity: " +
           OverrideLine(table.SqlName(), "refresh") +
           " or show NULL in its place: " + OverrideLine(table.SqlName(), "mismatch=null") +
           " or " + table.DeclareAny(column);
  }
  return "; declare it ANY, or the table with mismatch=null, or read it in _entity";
}

Status MismatchError(const Cursor& cursor, std::string_view name, int column, const Cell& cell,
                     EdmType declared) {
  const Table& table = cursor.table();
  const EntityKeyView key = cursor.read->key();
  const bool inferred = table.IsInferred(column);
  if (inferred) cursor.remote->NoteMisfit(key);
  // The service may repeat parts of the request.
  const auto shown = [&](std::string_view text) {
    return cursor.connection->client->endpoint().Showable(text);
  };
  const auto quoted = [&] { return QuoteForMessage(shown(cell.view())); };
  const std::string entity = DescribeEntity(shown(key.partition_key), shown(key.row_key));
  std::string message = "table " + table.name + ": property " + std::string(name) +
                        " of the entity " + entity + " is ";
  if (cell.malformed && cell.type == EdmType::kNull) {
    message += quoted() + ", of a type that the service does not document";
  } else if (cell.malformed) {
    message += quoted() + ", which is not a valid " + std::string(EdmName(cell.type));
  } else {
    message += std::string(EdmName(cell.type)) + ", but its column is " +
               (inferred ? "inferred " : "declared ") + std::string(ColumnTypeName(declared));
  }
  message += cell.malformed ? "; read it in _entity, or declare the table with mismatch=null"
                            : RemedyFor(table, column);
  return {Code::kMismatch, message};
}

Status ShowColumn(Cursor& cursor, sqlite3_context* context, int column) {
  const Table& table = cursor.table();
  const Schema& schema = table.declaration.schema;
  if (column == schema.CommandColumn()) {
    // Insert-only: reads as NULL. An UPDATE requests every column, and this one only for that
    // purpose.
    const size_t entity = cursor.cell_of[static_cast<size_t>(schema.EntityColumn())];
    RowRead* const row = entity != Cursor::kNoCell ? Remember(cursor, RowidOf(cursor)) : nullptr;
    if (row) row->entity = cursor.read->At(entity).view();
    if (row) cursor.remote->pending.read_set().Asked(*row);
    if (row && sqlite3_vtab_nochange(context) == 0) {
      row->timestamp = cursor.read->At(EntityPage::kTimestamp).view();
      row->shown = true;
    }
    return {};
  }
  if (sqlite3_vtab_nochange(context) != 0) return {};  // the UPDATE does not change the column
  const size_t place = cursor.cell_of[static_cast<size_t>(column)];
  if (place == Cursor::kNoCell) {
    return Status::Error("table " + table.name + ": column " + std::to_string(column) +
                         " was not asked for when the statement was planned");
  }
  Cell cell = cursor.read->At(place);
  const Column* const property = schema.PropertyAt(column);
  if (cell.type == EdmType::kNull && cursor.remote->names.suspect() && table.IsDeclared(column)) {
    const Status named = CheckName(cursor.remote->names, schema, *property);
    if (!named.ok()) return table.Named(named);
  }
  EdmType declared = property ? property->type : EdmType::kString;
  if (column == Schema::kTimestamp) declared = EdmType::kDateTime;
  if (!ConvertTo(declared, cell)) {
    if (!table.options.mismatch_null) {
      const std::string_view name =
          column == schema.EtagColumn() ? "odata.etag" : schema.RemoteName(column);
      return MismatchError(cursor, name, column, cell, declared);
    }
    cell = {};
  }
  ResultCell(context, cell);
  return {};
}

}  // namespace

int CursorOpen(sqlite3_vtab* vtab, sqlite3_vtab_cursor** out) {
  return Guard(&vtab->zErrMsg, [&] {
    *out = std::make_unique<Cursor>().release();
    static_cast<Table*>(vtab)->session->CursorOpened();
    return Status();
  });
}

int CursorClose(sqlite3_vtab_cursor* base) {
  const std::unique_ptr<Cursor> cursor(static_cast<Cursor*>(base));
  cursor->session().CursorClosed();
  return SQLITE_OK;
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
    auto& cursor = *static_cast<Cursor*>(base);
    cursor.identified = true;
    *rowid = RowidOf(cursor);
    Remember(cursor, *rowid);
    return Status();
  });
}

}  // namespace aztables
