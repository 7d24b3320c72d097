// UpdateRow and DeleteRow: the writes of UPDATE and DELETE in the transaction's write log; see
// row_writes.h.
#include "base/encoding.h"
#include "model/limits.h"
#include "vtab/change/row_change.h"
#include "vtab/change/row_writes.h"

namespace aztables {
namespace {

Status UnknownRow(sqlite3_int64 rowid) {
  return Status::Error("the row with rowid " + std::to_string(rowid) +
                       " was not read by this statement; read it again by its keys");
}

Status RefusedError(EntityKeyView key) {
  return {Code::kPrecondition,
          "the entity " + DescribeEntity(key.partition_key, key.row_key) +
              " was refused with what the transaction had written to it before"};
}

// Whether the row still exists. An error if a request cannot name it, or if its INSERT was refused
// or is known to fail. Also an error if the statement has read two versions of it.
Result<bool> IsThere(const Table& table, const RowRead& row, EntityKeyView key) {
  AZTABLES_RETURN_IF_ERROR(CheckCanBeNamed(key));
  if (row.replaced) return false;
  if (row.conflicts || table.part.pending().IsConflict(key)) {
    return Status(Code::kAlreadyExists, "the entity " +
                                            DescribeEntity(key.partition_key, key.row_key) +
                                            " already exists, so the row that this transaction "
                                            "inserted cannot be changed; ROLLBACK, "
                                            "or ROLLBACK TO a savepoint before the INSERT");
  }
  AZTABLES_RETURN_IF_ERROR(CheckNotRefused(table, key));
  if (!row.version_conflict || table.options.ignore_etag) return true;
  return Status(Code::kPrecondition, "the entity " +
                                         DescribeEntity(key.partition_key, key.row_key) +
                                         " was changed while the statement read it; try again");
}

// UPDATE OR REPLACE has replaced a row by another entity. If the statement was to change the
// replaced row too, that row is gone.
void PassByReplaced(Table& table, const RowRead& by) {
  RemoteTable& remote = table.part.remote();
  const auto id = remote.rowids.IdOf(*by.moved_to);
  RowRead* const replaced = id ? remote.pending.read_set().Find(*id) : nullptr;
  if (replaced != nullptr) replaced->replaced = true;
}

}  // namespace

Status CheckCanBeNamed(EntityKeyView key) {
  if (!HasLoneSurrogate(key.partition_key) && !HasLoneSurrogate(key.row_key)) return {};
  return Status::Error("the entity " + DescribeEntity(key.partition_key, key.row_key) +
                       " has half of a surrogate pair in a key, which no request can name: it can "
                       "be read with others, and not be read alone, changed or deleted");
}

Status CheckNotRefused(const Table& table, EntityKeyView key) {
  return table.part.pending().WasRefused(key) ? RefusedError(key) : Status();
}

Status UpdateRow(Table& table, sqlite3_int64 rowid, sqlite3_value** columns,
                 OnConflict on_conflict) {
  const auto known = table.part.remote().rowids.Find(rowid);
  RowRead* const row = table.part.pending().read_set().Find(rowid);
  if (!known || row == nullptr) return UnknownRow(rowid);
  const EntityKey& old_key = *known;
  const auto there = IsThere(table, *row, old_key);
  if (!there.ok() || !*there) return there.status();
  RowChange change(table, old_key, *row, columns);
  AZTABLES_RETURN_IF_ERROR(change.Read());
  const bool replaces = on_conflict == OnConflict::kReplace;
  if (change.moves()) AZTABLES_RETURN_IF_ERROR(CheckNotRefused(table, change.key()));
  const bool same_move = row->moved_to && CompareEntityKeys(*row->moved_to, change.key()) == 0;
  if (change.moves() && !replaces && !same_move &&
      table.part.pending().IsKnownToExist(change.key())) {
    return ExistsError(change.key());
  }
  auto write = change.Write();
  if (!write.ok()) return write.status();
  WriteLog& log = table.part.pending().log();
  const size_t most = table.options.max_pending;
  if (row->moved_to) {  // by an earlier row of the same UPDATE ... FROM; the last one counts
    log.TakeBack(row->moved_at);
    row->moved_to.reset();
  }
  if (change.moves()) {
    EntityWrite removal{WriteVerb::kDelete, write->if_match, "", write->read_at};
    write->verb = replaces ? WriteVerb::kInsertOrReplace : WriteVerb::kInsert;
    write->if_match.clear();
    row->moved_at = log.next_sequence();
    AZTABLES_RETURN_IF_ERROR(
        log.Move(table.id, old_key, std::move(removal), change.key(), std::move(*write), most));
    row->moved_to = change.key();
    if (replaces) PassByReplaced(table, *row);
  } else if (write->verb != WriteVerb::kNothing) {
    AZTABLES_RETURN_IF_ERROR(log.Add(table.id, old_key, std::move(*write), most));
  }
  row->changed = true;
  return {};
}

Status DeleteRow(Table& table, sqlite3_int64 rowid) {
  const auto known = table.part.remote().rowids.Find(rowid);
  const RowRead* const row = table.part.pending().read_set().Find(rowid);
  if (!known || row == nullptr) return UnknownRow(rowid);
  const EntityKeyView key(*known);
  const auto there = IsThere(table, *row, key);
  if (!there.ok()) return there.status();
  if (*there) {
    AZTABLES_RETURN_IF_ERROR(table.part.pending().log().Add(
        table.id, key, {WriteVerb::kDelete, ConditionOf(table, *row), "", row->read_at},
        table.options.max_pending));
  }
  table.part.pending().read_set().Forget(rowid);
  return {};
}

}  // namespace aztables
