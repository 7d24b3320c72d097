"""The sides that the oracle of writes (write_oracle.py) compares with its model.

VirtualSide is the extension: virtual tables over remote ones, and a second connection that reads
the remote rows. NativeSide has native tables instead: the oracle must find no difference.
DeferredSide is a native one that finds conflicts at COMMIT, as a virtual table may, and then
applies some partitions.
"""

import pathlib
import sqlite3
import tempfile
import zlib

import on_service
import write_model
from faults import make_contact
from write_schema import NARROWER, declared, holds

OURS = {"v1": "v1", "v2": "v2", "w": "w"}


class Failed(Exception):
    """A statement failed, with this extended result code."""

    def __init__(self, code, text):
        super().__init__(f"{code}: {text}")
        self.code = code


class Side:
    """A database connection `db` for statements, and `reader`, which sees the committed rows."""
    names = OURS
    reads_on = False  # whether a read returns the rows from its start while statements run

    def run(self, sql, params=(), clause=""):
        """The rows of a statement template; Failed if it fails."""
        text = sql.format(**self.names, **{"or": f" OR {clause}" if clause else ""})
        try:
            return self.db.execute(text, params).fetchall()
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) is None:
                raise
            raise Failed(error.sqlite_errorcode, str(error)) from None

    def write(self, draft, forecast):
        """Runs a draft; some sides need its `forecast`."""
        del forecast
        self.run(draft.sql, draft.params, draft.clause)

    def transact(self, sql):
        """Runs BEGIN, COMMIT, SAVEPOINT and other statements without rows."""
        self.run(sql)

    def remote(self, number):
        """The committed rows of a remote table, by key."""
        rows = self.reader.execute(self.reading[number]).fetchall()
        return {row[:2]: row for row in rows}

    def commits(self):
        """A mark that report() takes."""
        return None

    def report(self, mark):
        """The outcomes since the mark: {(table number, partition key): [outcome, ...]}; None: not
        reported.
        """
        del mark

    def told(self, mark):
        """The sent writes since the mark: [(table number, partition key, outcome, operations),
        ...]; None: not reported.
        """
        del mark

    def changes(self):
        """total_changes() of the connection; None: it is not compared."""
        return self.db.total_changes

    def types(self):
        """For each remote table {(key, column): type} of the numbers with a narrower type than
        their column; None: there are no such types.
        """
        return None

    def requests(self):
        return 0

    def close(self):
        self.reader.close()
        self.db.close()


class VirtualSide(Side):
    """The extension, over its own remote tables; `number` makes their names."""
    reads_on = True

    def __init__(self, schema, number, extension):
        self.schema, self.extension = schema, extension
        self.tables = [f"W{number}a", f"W{number}b"]
        self.db = self._connect()
        make_contact(self.db, "demo")
        offered = {row[0].split("=")[0] for row in
                   self.db.execute("SELECT name FROM aztables_help WHERE kind = 'option'")}
        self.options = {name: value for name, value in schema.options.items() if name in offered}
        for table in self.tables:
            self.db.execute(f"SELECT aztables_create_table('demo.{table}')")
        for target in schema.targets:
            self._create(self.db, target.name, target.remote, target.columns)
        self.db.execute("CREATE TABLE loc(lk TEXT PRIMARY KEY, ln INTEGER, ls TEXT)")
        self.reading = [f"SELECT {target.listed()} FROM r{target.remote}" for target in schema.remotes]
        self.reader, self.reads = None, 0
        self._fresh_reader()

    def _connect(self):
        db = sqlite3.connect(":memory:", isolation_level=None)
        db.enable_load_extension(True)
        db.load_extension(self.extension.removesuffix(".so"))
        return db

    def _create(self, db, name, remote, columns):
        options = "".join(f", {option}={value}" for option, value in self.options.items()
                          if option != "bulk" or name not in self.schema.without_bulk)
        db.execute(f"CREATE VIRTUAL TABLE {name} USING aztables(table={self.tables[remote]}, connection=demo, "
                   f"compare=text, {declared(columns)}{options})")

    def _fresh_reader(self):
        if self.reader:
            self.reader.close()
        self.reader = self._connect()
        for target in self.schema.remotes:
            self._create(self.reader, f"r{target.remote}", target.remote, target.every)
        make_contact(self.reader, "demo")

    def fill(self, both):
        """Writes the first rows from another connection, so this one has neither written nor read
        them.
        """
        self.reader.execute("BEGIN")
        for number, rows in enumerate(both):
            target = self.schema.remotes[number]
            marks = ", ".join("?" * (2 + len(target.every)))
            self.reader.executemany(f"INSERT INTO r{number}({target.listed()}) VALUES ({marks})", rows.values())
            for row in rows.values():
                for (name, kind), value in zip(target.every, row[2:]):
                    self._narrow(f"r{number}", row[:2], name, kind, value)
        self.reader.execute("COMMIT")

    def _narrow(self, table, key, name, kind, value):
        """Gives about half of the numbers a narrower type, the same ones for the same rows."""
        dice = zlib.crc32(repr((key, name)).encode())
        fits = [narrower for narrower in NARROWER.get(kind, []) if value is not None and holds(narrower, value)
                and not (kind == "ANY" and isinstance(value, float))]
        if fits and dice % 2:
            self.reader.execute(f"UPDATE {table} SET _entity = aztables_set(_entity, ?, ?, ?) "
                                "WHERE PartitionKey = ? AND RowKey = ?", (name, value, fits[dice // 2 % len(fits)], *key))

    def types(self):
        found = []
        for target in self.schema.remotes:
            wide = [name for name, kind in target.every if kind in NARROWER]
            columns = "".join(f", aztables_type(_entity, '{name}')" for name in wide)
            rows = self.reader.execute(f"SELECT PartitionKey, RowKey{columns} FROM r{target.remote}") if wide else ()
            found.append({(row[:2], name): kind for row in rows for name, kind in zip(wide, row[2:])
                          if kind in NARROWER[dict(target.every)[name]]})
        return found

    def remote(self, number):
        self.reads += 1
        if self.reads % 40 == 0:
            self._fresh_reader()
        return super().remote(number)

    def _has_report(self):
        return self.db.execute("SELECT count(*) FROM pragma_module_list WHERE name = 'aztables_commits'").fetchone()[0]

    def commits(self):
        if not self._has_report():
            return None
        return self.db.execute("SELECT coalesce(max(commit_id), 0) FROM aztables_commits").fetchone()[0]

    def report(self, mark):
        if not self._has_report():
            return None
        outcomes = {}
        for table, partition, outcome in self.db.execute(
                "SELECT table_name, partition_key, outcome FROM aztables_commits WHERE commit_id > ?", (mark,)):
            outcomes.setdefault((self.tables.index(table), partition), []).append(outcome)
        return outcomes

    def told(self, mark):
        return [(self.tables.index(table), *rest) for table, *rest in self.db.execute(
            "SELECT table_name, partition_key, outcome, operations FROM aztables_commits WHERE commit_id > ?", (mark,))]

    def requests(self):
        return self.db.execute("SELECT coalesce(max(id), 0) FROM aztables_requests").fetchone()[0]


class NativeSide(Side):
    """Native tables instead of virtual ones, in a file, so that the reader sees the committed rows.
    """
    names = write_model.NAMES

    def __init__(self, schema, _number=0, _extension=""):
        self.schema = schema
        self.folder = tempfile.TemporaryDirectory(dir=on_service.fast_folder())
        path = pathlib.Path(self.folder.name) / "native.db"
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode=WAL")
        self.db.execute("PRAGMA synchronous=OFF")
        write_model.create_native(self.db, schema)
        self.reader = sqlite3.connect(path, isolation_level=None)
        self.reading = [f"SELECT {target.listed()} FROM n{target.remote + 1}" for target in schema.remotes]

    def fill(self, both):
        for number, rows in enumerate(both):
            marks = ", ".join("?" * (2 + len(self.schema.remotes[number].every)))
            self.db.executemany(f"INSERT INTO n{number + 1} VALUES ({marks})", rows.values())

    def write(self, draft, forecast):
        if forecast.mismatch:
            raise Failed(write_model.MISMATCH, "a value that is not of the column's type")
        self.run(draft.native_sql, draft.native_params, draft.clause)

    def close(self):
        super().close()
        self.folder.cleanup()


class ReversedSide(NativeSide):
    """Native tables that visit rows in reverse if no order is requested."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.db.execute("PRAGMA reverse_unordered_selects=ON")


class DeferredSide(NativeSide):
    """Native tables that accept a conflict that only the service knows, and fail at COMMIT. A
    statement that may know of it and changes its row fails every second time.
    """

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.outcomes, self.doomed, self.ignored, self.saved, self.began = {}, set(), {}, [], False
        self.touched = 0  # how many statements might have been refused
        self.restored = 0  # rows that no statement has written

    def write(self, draft, forecast):
        try:
            self._write(draft, forecast)
        finally:
            if not self.db.in_transaction:
                self._end()

    def _refuses(self, draft, forecast):
        """Whether a statement is refused for the conflicts whose rows it changes."""
        if not forecast.touched or forecast.mismatch:
            return False
        self.touched += bool(forecast.late)
        refused = write_model.PRIMARYKEY in forecast.codes or (forecast.late and self.touched % 2)
        if refused and draft.clause == "ROLLBACK":
            self.run("ROLLBACK")
        return refused

    def _write(self, draft, forecast):
        self.outcomes = {}
        if self._refuses(draft, forecast):
            raise Failed(write_model.PRIMARYKEY, "the row of a conflict")
        deferred = forecast.soft and self.db.in_transaction
        if deferred and draft.clause == "IGNORE":
            for key in forecast.soft:
                found = self.db.execute(f"SELECT * FROM n{key[0] + 1} WHERE PartitionKey = ? AND RowKey = ?", key[1:])
                self.ignored.setdefault(key, found.fetchone())
            super().write(draft, forecast)
            self._show(forecast.soft)
        elif deferred and forecast.late:
            self.doomed |= set(forecast.soft)
            super().write(draft.with_clause("REPLACE"), forecast)
        elif forecast.soft and draft.clause != "IGNORE" and not self.db.in_transaction:
            self.db.execute("BEGIN")
            super().write(draft.with_clause("REPLACE"), forecast)
            self.doomed = set(forecast.soft)
            self.transact("COMMIT")
        else:
            super().write(draft, forecast)
        self._forget(forecast.forgets)

    def _forget(self, rows):
        """The INSERTs of these keys have no effect: the existing rows are shown again."""
        self._show(rows)
        self.restored += len(rows)
        self.doomed -= set(rows)

    def changes(self):
        return self.db.total_changes - self.restored

    def _show(self, rows):
        for key, row in rows.items():
            self.db.execute(f"INSERT OR REPLACE INTO n{key[0] + 1} VALUES ({', '.join('?' * len(row))})", row)

    def _both(self, db):
        return [{row[:2]: row for row in db.execute(sql)} for sql in self.reading]

    def transact(self, sql):
        word = sql.split()
        if word[0] == "SAVEPOINT":
            self.saved.append((word[1], set(self.doomed), dict(self.ignored)))
        elif sql.startswith("ROLLBACK TO"):
            at = max(i for i, entry in enumerate(self.saved) if entry[0] == word[-1])
            del self.saved[at + 1:]
            self.doomed, self.ignored = set(self.saved[at][1]), dict(self.saved[at][2])
        elif word[0] == "RELEASE":
            at = max(i for i, entry in enumerate(self.saved) if entry[0] == word[-1])
            outermost = at == 0 and not self.began
            del self.saved[at:]
            if outermost:
                return self._commit(sql)
        elif word[0] == "COMMIT":
            return self._commit(sql)
        elif word[0] == "BEGIN":
            self.began = True
        self.run(sql)
        if not self.db.in_transaction:
            self._end()
        return None

    def _end(self):
        self.doomed, self.ignored, self.saved, self.began = set(), {}, [], False

    def _commit(self, sql):
        self._show(self.ignored)
        if not self.doomed:
            self.run(sql)
            self._end()
            return
        after, failed = self._both(self.db), {(remote, partition) for remote, partition, _ in self.doomed}
        self.run("ROLLBACK")
        before = self._both(self.db)
        self.outcomes = {key: ["failed"] for key in failed}
        for remote in (0, 1):
            for partition in sorted({key[0] for key in {*before[remote], *after[remote]}}):
                old = {key: row for key, row in before[remote].items() if key[0] == partition}
                new = {key: row for key, row in after[remote].items() if key[0] == partition}
                if (remote, partition) in failed or old == new:
                    continue
                if len(self.outcomes) % 2:
                    self.outcomes[remote, partition] = ["not sent"]
                    continue
                self.outcomes[remote, partition] = ["applied"]
                self.db.execute(f"DELETE FROM n{remote + 1} WHERE PartitionKey = ?", (partition,))
                for row in new.values():
                    self.db.execute(f"INSERT INTO n{remote + 1} VALUES ({', '.join('?' * len(row))})", row)
        self._end()
        raise Failed(write_model.PRIMARYKEY, "found at COMMIT")

    def report(self, mark):
        return self.outcomes
