"""Deliberately wrong sides for the self-check of the oracle of writes (write_oracle.py): each must
be found.

total_changes() would reveal many of them, so it is compared only for the side that concerns it.
"""

from write_sides import DeferredSide, Failed, NativeSide


class DeleteSkipsLast(NativeSide):
    """A DELETE of several rows leaves the last one."""

    def write(self, draft, forecast):
        table = self.names[draft.target.name]
        before = self.db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
        super().write(draft, forecast)
        if draft.verb == "delete" and len(forecast.written) > 1:
            key = max(key[1:] for key in forecast.written)
            row = next(row for row in before if row[:2] == key)
            self.db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)


class UpdateOneMore(NativeSide):
    """An UPDATE also clears a column of a row that it does not match."""

    def write(self, draft, forecast):
        super().write(draft, forecast)
        if draft.verb == "update" and forecast.written:
            self.db.execute(f"UPDATE {self.names[draft.target.name]} SET P1 = NULL WHERE (PartitionKey, RowKey) = "
                            "(SELECT PartitionKey, RowKey FROM n1 ORDER BY P1 IS NULL, 1 DESC, 2 DESC LIMIT 1)")


class RollbackToDoesNothing(NativeSide):
    """ROLLBACK TO keeps later writes."""

    def transact(self, sql):
        if not sql.startswith("ROLLBACK TO"):
            super().transact(sql)


class RollbackCommits(NativeSide):
    """ROLLBACK keeps everything."""

    def transact(self, sql):
        super().transact("COMMIT" if sql == "ROLLBACK" else sql)


class IgnoreReplaces(NativeSide):
    """INSERT OR IGNORE overwrites existing rows."""

    def write(self, draft, forecast):
        ignoring = draft.verb == "insert" and draft.clause == "IGNORE"
        super().write(draft.with_clause("REPLACE") if ignoring and None not in draft.native_params else draft, forecast)


class FailUndoes(NativeSide):
    """INSERT OR FAIL undoes the rows before the failing one."""

    def write(self, draft, forecast):
        super().write(draft.with_clause("ABORT") if draft.clause == "FAIL" else draft, forecast)


class AbortKeeps(NativeSide):
    """A statement that fails keeps its first rows."""

    def write(self, draft, forecast):
        keeping = draft.clause in ("", "ABORT") and self.db.in_transaction
        super().write(draft.with_clause("FAIL") if keeping else draft, forecast)


class MoveForgets(NativeSide):
    """A row with a new key has lost the last property of the table."""

    def write(self, draft, forecast):
        super().write(draft, forecast)
        if draft.verb == "update" and "RowKey" in draft.columns:
            for remote, partition, row in forecast.written - forecast.read:
                self.db.execute(f"UPDATE n{remote + 1} SET {draft.target.every[-1][0]} = NULL "
                                "WHERE PartitionKey = ? AND RowKey = ?", (partition, row))


class NarrowMerges(NativeSide):
    """INSERT OR REPLACE through the narrow table keeps the columns that it does not declare."""

    def write(self, draft, forecast):
        replacing = draft.verb == "insert" and draft.clause == "REPLACE" and draft.target.name == "v2"
        if replacing and draft.values and "_entity" not in draft.sql and not forecast.codes:
            names = ", ".join(f"{name} = excluded.{name}" for name in draft.columns)
            text = draft.with_clause("").native_sql + f" ON CONFLICT DO UPDATE SET {names}"
            self.run(text, draft.native_params)
        else:
            super().write(draft, forecast)


class CommitLosesRow(NativeSide):
    """COMMIT loses one row."""

    def transact(self, sql):
        super().transact(sql)
        if sql == "COMMIT":
            self.db.execute("DELETE FROM n1 WHERE rowid = (SELECT max(rowid) FROM n1)")


class SecondTableLate(NativeSide):
    """The second virtual table does not see writes through the first one."""

    def run(self, sql, params=(), clause=""):
        if sql.startswith("SELECT") and "{v2}" in sql and "loc" not in sql:
            return self.reader.execute(sql.format(**self.names), params).fetchall()
        return super().run(sql, params, clause)


class CountsTwice(NativeSide):
    """total_changes() counts each updated row twice."""

    def write(self, draft, forecast):
        super().write(draft, forecast)
        if draft.verb == "update" and not draft.clause and "LIMIT" not in draft.sql and forecast.written == forecast.read:
            super().write(draft, forecast)


class RefusesLimit(NativeSide):
    """A statement with LIMIT fails."""

    def write(self, draft, forecast):
        if draft.verb == "delete" and "LIMIT" in draft.sql:
            raise Failed(1, "no LIMIT")
        super().write(draft, forecast)


class LateConflictPasses(DeferredSide):
    """An INSERT of an existing key replaces the old row at COMMIT without an error."""

    def _commit(self, sql):
        self.doomed = set()
        super()._commit(sql)


class LiesAboutPartitions(DeferredSide):
    """A failed COMMIT reports "applied" for partitions to which nothing was sent."""

    def report(self, mark):
        told = super().report(mark)
        return {key: ["applied"] if outcomes == ["not sent"] else outcomes for key, outcomes in told.items()}


class IgnoreReplacesAtCommit(DeferredSide):
    """INSERT OR IGNORE, if its conflict is found late, replaces the existing row."""

    def _commit(self, sql):
        self.ignored = {}
        super()._commit(sql)


class ConflictDeletes(DeferredSide):
    """Deleting or moving an own row that conflicts with an existing row deletes that row, too."""

    def _forget(self, rows):
        self.doomed -= set(rows)


class ConflictIsForgotten(DeferredSide):
    """COMMIT succeeds although the row of a known conflict was deleted or moved."""

    def _refuses(self, draft, forecast):
        return False


class ConflictStays(DeferredSide):
    """COMMIT fails for a row that was deleted again."""

    def _forget(self, rows):
        self._show(rows)


class ConflictShowsOther(DeferredSide):
    """An own row that conflicts with an existing row is shown as that row."""

    def _write(self, draft, forecast):
        super()._write(draft, forecast)
        if draft.verb == "insert" and draft.clause != "IGNORE" and self.db.in_transaction:
            self._show(forecast.soft)


BROKEN = [DeleteSkipsLast, UpdateOneMore, RollbackToDoesNothing, RollbackCommits, IgnoreReplaces, FailUndoes, AbortKeeps,
          MoveForgets, NarrowMerges, CommitLosesRow, SecondTableLate, CountsTwice, RefusesLimit, LateConflictPasses,
          LiesAboutPartitions, IgnoreReplacesAtCommit, ConflictDeletes, ConflictIsForgotten, ConflictStays, ConflictShowsOther]
for _side in BROKEN:
    if _side is not CountsTwice:
        _side.changes = lambda self: None
