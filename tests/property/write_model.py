"""The model of the oracle of writes (write_oracle.py): native SQLite tables, and the limits of
their knowledge.

The native tables determine the effect of every statement. In addition the model records the keys
that the open transaction wrote and read: an INSERT of any other key may succeed and fail at COMMIT.
From that and a draft's preview it makes a Forecast: whether the draft fails, and with which codes.
If the result depends on the order of rows, which no contract defines, the draft has no forecast.

An INSERT that met such a row is a conflict. A statement that reads its row from the service
discovers it; one that names both keys does not request it. A statement that knows of the conflict
may not change the row: otherwise COMMIT fails. If the row is deleted or moved, the existing row is
shown again and stays.
"""

import dataclasses
import sqlite3

import write_schema
from write_schema import AFFINITY, Mismatch, shown

PRIMARYKEY, NOTNULL, MISMATCH = 1555, 1299, 20
POINT = "PartitionKey = ? AND RowKey = ?"
NAMES = {"v1": "n1", "v2": "n1", "w": "n2"}


@dataclasses.dataclass
class Forecast:
    """The expected result of a draft. `soft` has the keys whose conflict only the service knows,
    and the rows that may be shown instead. `early` are the keys that a failing OR FAIL has written.
    """
    codes: frozenset = frozenset()  # empty: it succeeds
    mismatch: bool = False  # a native table would accept it
    soft: dict = dataclasses.field(default_factory=dict)
    late: bool = False  # it may succeed, and COMMIT fails instead
    written: set = dataclasses.field(default_factory=set)
    read: set = dataclasses.field(default_factory=set)
    early: set = dataclasses.field(default_factory=set)
    touched: set = dataclasses.field(default_factory=set)  # keys of conflicts whose rows it changes; it may fail for them
    forgets: dict = dataclasses.field(default_factory=dict)  # the existing rows under those that it deletes or moves
    meets: bool = False  # there is a conflict that only the service knows, even if something else fails
    versions: list = dataclasses.field(default_factory=list)  # (key, row or None) of each write, in order
    left: list = dataclasses.field(default_factory=list)  # keys of rows that move onto an unread entity: deleting
    # the moved row deletes them


def create_native(db, schema, local=True):
    """Creates the tables of the model and of sides without the extension: n1, n2, and the local
    table.
    """
    db.create_function("kept", 2, write_schema.kept, deterministic=True)
    for name, target in zip(("n1", "n2"), schema.remotes):
        columns = "".join(f", {column} {AFFINITY[kind]}" for column, kind in target.every)
        db.execute(f"CREATE TABLE {name}(PartitionKey TEXT NOT NULL, RowKey TEXT NOT NULL{columns}, "
                   "PRIMARY KEY (PartitionKey, RowKey))")
    if local:
        db.execute("CREATE TABLE loc(lk TEXT PRIMARY KEY, ln INTEGER, ls TEXT)")


class Model:
    """The native tables and the state of the open transaction."""
    reads_show = True  # whether a conflict with a read row must be found at once; False: it may be

    def __init__(self, schema, db=None):
        self.schema = schema
        self.db = db or sqlite3.connect(":memory:", isolation_level=None)
        create_native(self.db, schema)
        self.base = [{}, {}]  # the committed rows per remote table
        self.end()

    def end(self):
        """No transaction is open."""
        self.written, self.read, self.alt, self.stack = set(), set(), {}, []
        self.doomed = {}  # the keys of conflicts, and the existing rows
        self.learnt = set()  # those that the transaction knows of, even after a ROLLBACK TO
        self.perhaps = set()  # those that it may know of
        self.joined = set()  # remote tables that the transaction has written to

    @property
    def open(self):
        return self.db.in_transaction

    def execute(self, sql, params=()):
        return self.db.execute(sql.format(**NAMES, **{"or": ""}), params).fetchall()

    def rows(self, remote):
        """All rows of a table by key."""
        columns = self.schema.remotes[remote].listed()
        return {row[:2]: row for row in self.db.execute(f"SELECT {columns} FROM n{remote + 1}")}

    def both(self):
        return [self.rows(0), self.rows(1)]

    def replace(self, remote, rows):
        """Gives a table these rows."""
        self.db.execute(f"DELETE FROM n{remote + 1}")
        if rows:
            marks = ", ".join("?" * (2 + len(self.schema.remotes[remote].every)))
            self.db.executemany(f"INSERT INTO n{remote + 1} VALUES ({marks})", rows.values())

    # Savepoints. A RELEASE keeps later writes.

    def savepoint(self, name):
        self.stack.append((name, set(self.written), dict(self.alt), dict(self.doomed)))

    def _find(self, name):
        return max(i for i, entry in enumerate(self.stack) if entry[0] == name)

    def rollback_to(self, name):
        at = self._find(name)
        del self.stack[at + 1:]
        _, written, alt, doomed = self.stack[at]
        self.written, self.alt, self.doomed = set(written), dict(alt), dict(doomed)

    def release(self, name):
        del self.stack[self._find(name):]

    # Forecasts.

    def note_read(self, keys):
        """A row that the transaction has written hides the one under it. Reads before the first
        write to a remote table are not recorded.
        """
        self.read |= {key for key in keys if key[0] in self.joined} - self.written - set(self.alt)

    def is_point(self, where, params):
        """Whether a read with only this condition does not request a row that the transaction has
        inserted. A key with U+FFFD may represent others, so it is requested as a range.
        """
        names = not any("\ufffd" in value for value in params if isinstance(value, str))
        return where == POINT and names and self.schema.options.get("pushdown") != "none"

    @staticmethod
    def is_scan(where):
        """Whether a read with this condition requests each row that it returns; both may be false.
        """
        return "PartitionKey = " not in where

    def learn(self, where, params=(), keys=()):
        """A statement with this condition has returned the rows of these keys, and perhaps read
        others.
        """
        if not self.is_point(where, params):
            self.perhaps |= set(self.doomed)
        if self.is_scan(where):
            self.learnt |= set(keys) & set(self.doomed)

    def forecast(self, draft):
        """The Forecast of a draft, or None if it should not run."""
        known = self.written | (self.read | self.learnt if self.reads_show else set())
        if draft.verb == "insert":
            return self._of_insert(draft, known)
        found = self.execute(draft.preview, draft.preview_params)
        matched = {(draft.target.remote, *row[:2]) for row in found}
        if draft.verb == "delete":
            forecast = Forecast(written=matched, read=matched, versions=[(key, None) for key in sorted(matched)])
            return self._touching(draft, forecast, matched, matched)
        return self._of_update(draft, known, found, matched)

    def _of_insert(self, draft, known):
        target, sources = draft.target, set()
        if draft.values is not None:
            rows = draft.values
        else:
            found = self.execute(draft.preview, draft.preview_params)
            rows = [row[:-3] for row in found]
            sources = {row[-3:] for row in found}
        kinds = dict(target.every)
        existing = self.rows(target.remote)
        forecast, first, inside, hard, null, over = Forecast(read=sources), True, set(), False, False, False
        for raw in rows:
            row = {name: None for name, _ in target.every}
            bad = False
            for name, value in zip(draft.columns, raw):
                try:
                    row[name] = shown(kinds.get(name, "STRING"), value)
                except Mismatch:
                    bad = forecast.mismatch = True
            key = (target.remote, row.pop("PartitionKey"), row.pop("RowKey"))
            failed = bad
            if key[1] is None or key[2] is None:
                null = failed = True
            elif draft.clause != "REPLACE" and key in inside:
                hard = failed = True
            elif draft.clause != "REPLACE" and key[1:] in existing:
                if key in known or (self.reads_show and key in sources):
                    hard = failed = True
                else:
                    ours = (*key[1:], *row.values())
                    forecast.soft[key] = ours if draft.clause == "IGNORE" else existing[key[1:]]
                    failed = True
            if key not in forecast.soft:
                forecast.written.add(key)
            if not failed and not over:
                forecast.versions.append((key, (*key[1:], *row.values())))
            over = over or bad or (failed and key not in forecast.soft and draft.clause != "IGNORE")
            inside.add(key)
            first = first and not failed
            if first:
                forecast.early.add(key)
        return self._judged(draft, forecast, len(rows), hard, null)

    def _of_update(self, draft, known, found, matched):
        kinds, remote = dict(draft.target.every), draft.target.remote
        existing = self.rows(remote)
        forecast, hard, null, targets, moved = Forecast(read=matched, written=set(matched)), False, False, [], set()
        writes = []  # (old key, new key, row)
        for row in found:
            new, bad = dict(zip(("PartitionKey", "RowKey", *kinds), existing[row[:2]])), False
            for name, value in zip(draft.columns, row[2:]):
                try:
                    new[name] = shown(kinds.get(name, "STRING"), value)
                except Mismatch:
                    forecast.mismatch = bad = True
            key = (remote, new["PartitionKey"], new["RowKey"])
            if key[1] is None or key[2] is None:
                null = True
            elif key[1:] != row[:2]:
                targets.append(key)
                moved.add((remote, *row[:2]))
            if not bad and None not in key:
                writes.append(((remote, *row[:2]), key, tuple(new.values())))
        if moved & set(targets) or (draft.clause in ("REPLACE", "IGNORE", "FAIL") and
                                    (len(targets) != len(set(targets)) or matched & set(targets))):
            return None  # the result depends on the order of the rows
        if matched & set(targets) and not self.reads_show:
            return None
        hard = len(targets) != len(set(targets))
        forecast.written |= set(targets)
        if draft.clause != "REPLACE":
            for key in targets:
                if key[1:] not in existing:
                    continue
                if key in known or key in matched:
                    hard = True
                else:
                    forecast.soft[key] = existing[key[1:]]
        if draft.clause == "IGNORE" and forecast.soft:
            return None  # the contract does not define the result
        if draft.clause == "IGNORE":  # a row whose new key exists keeps its key
            moved = {old for old, key, _ in writes if key != old and key[1:] not in existing}
        for old, key, row in writes:
            if key not in forecast.soft:
                forecast.versions += [(key, row)] if key == old else [(key, row), (old, None)]
            elif key != old:
                forecast.left.append(old)
        forecast = self._judged(draft, forecast, len(found), hard, null)
        return forecast and self._touching(draft, forecast, matched, moved)

    def _touching(self, draft, forecast, matched, gone):
        """Completes a forecast with conflicts among the rows that it changes."""
        forecast.touched = matched & set(self.doomed)
        if not forecast.touched:
            return forecast
        forecast.forgets = {key: self.doomed[key] for key in forecast.touched & gone}
        may, must = True, False
        if self.reads_show:
            may = bool(forecast.touched & self.perhaps) or not self.is_point(draft.where, draft.params)
            must = bool(forecast.touched & self.learnt) or self.is_scan(draft.where)
        if not may and not must:
            return forecast
        if draft.clause == "IGNORE" or (draft.clause and forecast.mismatch) or (draft.clause == "FAIL" and len(matched) > 1):
            return None  # a row may be skipped, and another not
        if must or forecast.codes:
            forecast.codes |= {PRIMARYKEY}
            forecast.soft, forecast.late = {}, False
        else:
            forecast.late = True
        return forecast

    def _judged(self, draft, forecast, count, hard, null):
        """Completes a forecast with the effect of the conflict clause."""
        soft = forecast.meets = bool(forecast.soft)
        conflict = hard or soft or null
        if forecast.mismatch:
            if draft.clause and conflict:
                return None  # depends on which of the two comes first
            forecast.codes = frozenset({MISMATCH} | ({PRIMARYKEY} if hard or soft else set()) | ({NOTNULL} if null else set()))
            forecast.soft = {}
            return forecast
        if draft.clause == "FAIL" and count > 1 and conflict and (not self.open or soft or draft.verb == "update"):
            return None
        if draft.clause == "IGNORE":
            return forecast
        codes = {NOTNULL} if null else set()
        if draft.clause != "REPLACE":
            if hard or (soft and (null or not self.open)):
                codes.add(PRIMARYKEY)
            forecast.late = soft and not codes
        if codes and soft and (hard or null):
            forecast.soft = {}  # it fails at once and sends nothing
        forecast.codes = frozenset(codes)
        return forecast

    def succeeded(self, draft, forecast):
        """Both sides have run it; `late` ones are OR REPLACE here."""
        self.note_read(forecast.read)
        if not self.open:
            return
        self.written |= forecast.written
        for key, row in forecast.soft.items():
            if draft.clause == "IGNORE":
                self.alt.setdefault(key, row)
            else:
                self.doomed.setdefault(key, row)
                self.written.add(key)
        for key, row in forecast.forgets.items():
            del self.doomed[key]
            self.written.discard(key)
            self.perhaps.add(key)  # any later read requests it, and that knowledge outlives a ROLLBACK TO
            self.db.execute(f"INSERT OR REPLACE INTO n{key[0] + 1} VALUES ({', '.join('?' * len(row))})", row)
