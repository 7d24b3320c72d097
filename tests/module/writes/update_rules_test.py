#!/usr/bin/env python3
"""Special changes: they exceed a limit of the entity, or another client changes the rows while the
statement reads them. The tests also cover columns that cannot be set, and UPDATE ... FROM with
several rows for one entity.
"""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402


class Limits(host.LocalCase):
    """A statement checks the size of the entity after its merge."""

    def too_large(self, text, sql, *parameters):
        message = self.fails(sqlite3.DataError, "SQLITE_TOOBIG", text, sql, *parameters)
        self.assertIn("the entity PartitionKey='p', RowKey='1' has ", message)

    def test_one_property_too_many(self):
        self.virtual("t", "A INT32, P7 INT32", upsert="merge")
        for first in (0, 84, 168):
            entity = json.dumps({f"P{number}": number for number in range(first, first + 84)})
            self.query("INSERT OR REPLACE INTO t(PartitionKey, RowKey, _entity) VALUES ('p', '1', ?)", entity)
        self.query("BEGIN")
        for sql in ("UPDATE t SET A = 1", "UPDATE t SET A = 1, P7 = 8 WHERE PartitionKey = 'p'",
                    "UPDATE t SET A = n.x FROM (SELECT 1 AS x) n", "UPDATE t SET RowKey = '1', A = 1"):
            with self.subTest(sql):
                self.too_large("253 properties; the limit is 252", sql)
        self.query("UPDATE t SET P7 = 8")
        self.query("UPDATE t SET P7 = NULL")
        self.query("UPDATE t SET A = 1")
        self.too_large("253 properties; the limit is 252", "UPDATE t SET P7 = 8")
        self.query("COMMIT")
        self.assertEqual([(1, None, 252)], self.remote("aztables_get(_entity, 'A'), aztables_get(_entity, 'P7'), "
                                                       "(SELECT count(*) FROM aztables_each(_entity))"))

    def test_several_upserts_exceed_the_limit(self):
        self.virtual("t", "A INT32", upsert="merge")
        self.query("BEGIN")
        upsert = "INSERT OR REPLACE INTO t(PartitionKey, RowKey, _entity) VALUES ('p', '1', ?)"
        numbers = [json.dumps({f"P{number}": number for number in range(first, first + 150)}) for first in (0, 100, 150)]
        self.query(upsert, numbers[0])
        self.query(upsert, numbers[1])
        self.too_large("has 300 properties; the limit is 252", upsert, numbers[2])
        self.query("COMMIT")
        self.assertEqual([(250,)], self.remote("(SELECT count(*) FROM aztables_each(_entity))"))

    def test_more_than_a_mebibyte(self):
        """17 strings of 30,000 characters fit, regardless of their size in JSON. 18 do not."""
        self.virtual("t", ", ".join(f"S{number} STRING" for number in range(18)))
        for letter in ("x", "\u20ac", "\n", "\""):
            for old in (1, 3, 9, 17):
                with self.subTest(letter=letter, old=old):
                    self.insert_strings(range(old), letter)
                    self.query("BEGIN")
                    self.too_large("values of 1080072 bytes; the limit of an entity is 1 MiB", *self.set_strings(
                        range(old, 18), letter))
                    self.query(*self.set_strings(range(old, 17), letter)) if old < 17 else None
                    self.query(*self.set_strings([3, 4], "y"))
                    self.too_large("values of 1080072 bytes", *self.set_strings([17], letter))
                    self.query("COMMIT")
                    self.assertEqual([(17,)], self.remote("(SELECT count(*) FROM aztables_each(_entity))"))

    def insert_strings(self, numbers, letter):
        self.query("INSERT OR REPLACE INTO t(PartitionKey, RowKey, _entity) VALUES ('p', '1', ?)",
                   json.dumps({f"S{number}": letter * 30_000 for number in numbers}))

    @staticmethod
    def set_strings(numbers, letter):
        """An UPDATE and its parameter."""
        return f"UPDATE t SET {', '.join(f'S{number} = ?1' for number in numbers)}", letter * 30_000


class OpenReads(host.LocalCase):
    def test_changes_while_another_table_is_read(self):
        """A newer statement reads while older statements, which stay prepared, change rows."""
        self.virtual("t", "N INT32")
        self.allow_triggers()
        self.query("CREATE TABLE l(k TEXT)")
        self.query("INSERT INTO l VALUES ('1'), ('2'), ('3')")
        self.query("INSERT INTO t(PartitionKey, RowKey, N) SELECT 'p', k, 0 FROM l")
        self.query("CREATE TRIGGER changed AFTER UPDATE ON l BEGIN UPDATE t SET N = N + 10 WHERE PartitionKey = 'p' AND RowKey = new.k; END")
        changes = ("UPDATE t SET N = N + 1 WHERE PartitionKey = 'p' AND RowKey = ?", "UPDATE l SET k = k WHERE k = ?")
        for number in range(3):
            for change in changes:
                self.query(change, "1")
            for read in (f"SELECT k FROM l WHERE {number} < 9 ORDER BY k", f"SELECT RowKey FROM t WHERE {number} < 9 ORDER BY +RowKey"):
                for key, in self.db.execute(read):
                    for change in changes:
                        self.query(change, key)
        self.assertEqual([("1", 99), ("2", 66), ("3", 66)], self.query("SELECT RowKey, N FROM t"))


class VersionConflict(host.LocalCase):
    """A statement reads p/1, another client changes it, and the statement reads it again."""

    # The first read is a point, the second a range. meanwhile() returns true, and lets the other
    # client write at its first call.
    TWICE = "(PartitionKey = 'p' AND RowKey = '1' AND meanwhile()) OR (PartitionKey > 'o' AND A < 100)"
    MERGE = f"UPDATE t SET A = A + 1 WHERE {TWICE}"
    REPLACE = f"UPDATE t SET A = NULL WHERE {TWICE}"
    MOVE = f"UPDATE t SET RowKey = RowKey || 'x' WHERE {TWICE}"
    DELETE = f"DELETE FROM t WHERE {TWICE}"
    FROM = "UPDATE t SET A = A + n.x FROM n WHERE PartitionKey = 'p' AND RowKey = n.rk AND (n.x = 1 OR meanwhile())"

    def setUp(self):
        super().setUp()
        self.virtual_for_two("t")
        self.query("CREATE TABLE n(rk TEXT, x)")
        self.query("INSERT INTO n VALUES ('1', 1), ('1', 2)")
        self.db.create_function("meanwhile", 0, self.meanwhile)
        self.change = None

    def meanwhile(self):
        if self.change:
            change, self.change = self.change, None
            self.other.execute(change)
        return 1

    def run_with_conflict(self, sql):
        self.other.execute("DELETE FROM t")
        self.other.execute("INSERT INTO t(PartitionKey, RowKey, A, B) VALUES ('p', '1', 1, 'kept'), ('p', '2', 2, 'kept')")
        self.change = "UPDATE t SET A = 40, B = 'theirs' WHERE RowKey = '1'"
        self.query(sql)

    def test_statement_fails(self):
        for sql in (self.MERGE, self.REPLACE, self.MOVE, self.DELETE, self.FROM):
            with self.subTest(sql), self.assertRaises(sqlite3.IntegrityError) as caught:
                self.run_with_conflict(sql)
            self.assertEqual("SQLITE_CONSTRAINT_VTAB", caught.exception.sqlite_errorname)
            self.assertEqual("table t: the entity PartitionKey='p', RowKey='1' was changed while the statement read it; "
                             "try again", str(caught.exception))
            self.assertIsNone(self.change)
            self.assertEqual([("1", 40, "theirs"), ("2", 2, "kept")], self.remote("RowKey, A, B"))

    def test_transaction_stays_as_before(self):
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('q', '1')")
        with self.assertRaises(sqlite3.IntegrityError):
            self.run_with_conflict(self.MERGE)
        self.query(self.MERGE)  # again, for the current entity
        self.query("COMMIT")
        self.assertEqual([("p", "1", 41), ("p", "2", 3), ("q", "1", None)], self.remote("PartitionKey, RowKey, A"))

    def test_any_version_is_changed_with_concurrency_none(self):
        self.query("INSERT INTO t(_command) VALUES ('concurrency=none')")
        for sql, left in ((self.MERGE, [("1", 2, "theirs"), ("2", 3, "kept")]),
                          (self.REPLACE, [("1", None, "kept"), ("2", None, "kept")]),
                          (self.MOVE, [("1x", 1, "kept"), ("2x", 2, "kept")]), (self.DELETE, []),
                          (self.FROM, [("1", 42, "theirs"), ("2", 2, "kept")])):
            with self.subTest(sql):
                self.run_with_conflict(sql)
                self.assertEqual(left, self.remote("RowKey, A, B"))


class Triggers(host.LocalCase):
    """Several changes of one entity in one statement of SQLite. They are not a version conflict."""

    BODIES = (
        "UPDATE T SET A = A + 1; INSERT OR REPLACE INTO T (PartitionKey, RowKey, A) VALUES ('p', '1', 10); "
        "UPDATE T SET A = A + 1;",
        "UPDATE T SET A = A + 1; DELETE FROM T ; INSERT INTO T (PartitionKey, RowKey, A) VALUES ('p', '1', 10); "
        "UPDATE T SET A = A + 1, B = 'new';",
        "UPDATE T SET RowKey = '9'; UPDATE T SET A = A * 10 WHERE RowKey = '9'; UPDATE T SET RowKey = '1'; "
        "UPDATE T SET A = A + 1;",
        "UPDATE T SET A = A + 1; INSERT OR REPLACE INTO T (PartitionKey, RowKey, A) VALUES ('p', '0', 7); "
        "UPDATE OR REPLACE T SET RowKey = '1' WHERE RowKey = '0'; UPDATE T SET A = A + 100 WHERE RowKey = '1';",
        "INSERT INTO T (PartitionKey, RowKey, A) VALUES ('p', '5', 10); UPDATE T SET A = A + 1; DELETE FROM T WHERE "
        "RowKey = '5'; UPDATE T SET B = B || '!';")

    def test_result_equals_an_ordinary_table(self):
        self.virtual("t")
        self.allow_triggers()
        for number, body in enumerate(self.BODIES):
            self.query("DROP TABLE IF EXISTS native")
            self.query("CREATE TABLE native(PartitionKey, RowKey, A, B, PRIMARY KEY (PartitionKey, RowKey))")
            self.query("INSERT OR REPLACE INTO t(PartitionKey, RowKey, A, B) VALUES ('p', '1', 1, 'b')")
            self.query("INSERT INTO native VALUES ('p', '1', 1, 'b')")
            for table in ("t", "native"):
                self.query(f"CREATE TABLE {table}{number}(x)")
                self.query(f"CREATE TEMP TRIGGER on_{table}{number} AFTER INSERT ON {table}{number} BEGIN "
                           f"{body.replace(' T ', f' {table} ')} END")
                self.query(f"INSERT INTO {table}{number} VALUES (1), (2), (3)")
            with self.subTest(body):
                self.assertEqual(self.query("SELECT * FROM native"), self.remote("PartitionKey, RowKey, A, B"))


class Columns(host.LocalCase):
    """UPDATEs of columns that cannot be set."""

    def setUp(self):
        super().setUp()
        self.virtual("t")
        self.query("INSERT INTO t(PartitionKey, RowKey, A, B) VALUES ('p', '1', 1, 'b'), ('p', '2', 2, 'b')")
        self.before = self.remote("*")

    def test_command(self):
        for value in ("NULL", "'x'", "'scan=deny'", "_command"):
            for sql in (f"UPDATE t SET _command = {value}", f"UPDATE t SET A = 5, _command = {value} WHERE RowKey = '1'"):
                with self.subTest(sql):
                    self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "table t: _command is for INSERT alone", sql)
        for value in ("NULL", "'x'", "'scan=deny'"):
            for more in ("", ", B = NULL, Timestamp = NULL"):
                sql = f"UPDATE t SET A = 5, _command = {value}{more} FROM (SELECT '1' AS rk) n WHERE RowKey = n.rk"
                with self.subTest(sql):
                    self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "table t: _command is for INSERT alone", sql)
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey, B) VALUES ('q', '1', 'b')")
        self.query("UPDATE t SET B = 'c' FROM (SELECT 'q' AS pk) n WHERE PartitionKey = n.pk")
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "table t: _command is for INSERT alone",
                   "UPDATE t SET B = NULL, _command = NULL FROM (SELECT 'q' AS pk) n WHERE PartitionKey = n.pk")
        self.query("ROLLBACK")
        self.assertEqual(self.before, self.remote("*"))

    def test_timestamp_and_etag_in_update_from(self):
        for column in ("Timestamp", "_etag"):
            for value in ("'2026-01-01'", "NULL", "n.rk", f"{column} || 'x'"):
                sql = f"UPDATE t SET A = 5, {column} = {value} FROM (SELECT '1' AS rk) n WHERE RowKey = n.rk"
                with self.subTest(sql):
                    self.fails(sqlite3.OperationalError, "SQLITE_ERROR",
                               f"table t: {column} is the service's and cannot be changed", sql)
        self.assertEqual(self.before, self.remote("*"))
        same = "UPDATE t SET A = 5, Timestamp = Timestamp, _etag = _etag FROM (SELECT '1' AS rk) n WHERE RowKey = n.rk"
        if sqlite3.sqlite_version_info >= (3, 43):
            self.fails(sqlite3.OperationalError, "SQLITE_ERROR",
                       "table t: Timestamp is the service's and cannot be changed", same)
            return
        self.query(same)  # SQLite does not distinguish it from a statement without these columns
        self.assertEqual([("1", 5), ("2", 2)], self.remote("RowKey, A"))


class SeveralRows(host.LocalCase):
    """UPDATE ... FROM with several rows for one entity, against an ordinary table."""

    def setUp(self):
        super().setUp()
        self.virtual("t")
        self.query("CREATE TABLE n(rk TEXT, v TEXT)")
        # otherwise SQLite may make an index that sorts by v, too
        self.query("CREATE INDEX n_by_rk ON n(rk)")
        self.query("CREATE TABLE native(PartitionKey, RowKey TEXT, A, B, PRIMARY KEY (PartitionKey, RowKey))")

    def fill(self, rows):
        for table in ("t", "native", "n"):
            self.query(f"DELETE FROM {table}")
        self.db.executemany("INSERT INTO n VALUES (?, ?)", rows)
        self.query("INSERT INTO native VALUES ('p', '1', 1, 'b'), ('p', '2', 2, 'b'), ('p', '3', 3, 'b')")
        self.query("INSERT INTO t(PartitionKey, RowKey, A, B, _entity) SELECT *, '{\"Extra\":7}' FROM native")

    def same(self, sql, *rows, before=None):
        """Runs a change of `T` on both tables, with these rows in `n`."""
        self.fill(rows)
        self.query("BEGIN")
        for table in ("t", "native"):
            for statement in (before, sql):
                self.query(statement.replace(" T ", f" {table} ")) if statement else None
        self.query("COMMIT")
        with self.subTest(sql, rows=rows, before=before):
            self.assertEqual(self.query("SELECT PartitionKey, RowKey, A, B FROM native ORDER BY 1, 2"),
                             self.remote("PartitionKey, RowKey, A, B"))
            self.assertEqual([(7,)], self.remote("DISTINCT aztables_get(_entity, 'Extra')"))

    ROWS = [("1", "x"), ("2", "y"), ("1", "z"), ("3", None), ("1", "last"), ("3", "3")]

    def test_last_row_counts(self):
        for before in (None, "UPDATE T SET A = A + 100 WHERE RowKey < '3'"):
            for change in ("B = n.v", "B = n.v, A = n.rowid", "A = A + n.rowid", "A = CASE n.v WHEN 'z' THEN 9 ELSE A END",
                           "B = nullif(n.v, 'last')", "A = nullif(n.rowid, 5), B = n.v || B"):
                self.same(f"UPDATE T SET {change} FROM n WHERE RowKey = n.rk", *self.ROWS, before=before)

    def test_changed_keys(self):
        """An entity exists only under its last key."""
        for change in ("RowKey = n.v", "RowKey = n.v, A = n.rowid", "PartitionKey = n.v",
                       "PartitionKey = 'q', RowKey = n.v"):
            sql = f"UPDATE T SET {change} FROM n WHERE RowKey = n.rk"
            self.same(sql, ("1", "x"), ("2", "y"), ("1", "z"))
            self.same(sql, ("1", "x"), ("1", "x"), ("2", "y"), ("2", "y"))
            self.same(sql, ("1", "x"), ("1", "y"), ("1", "x"), ("3", "9"))
        for values in (("x", "1"), ("x", "1", "y"), ("1", "x"), ("x", "1", "x"), ("x", "y", "1", "1")):
            self.same("UPDATE T SET RowKey = n.v, A = n.rowid FROM n WHERE RowKey = n.rk", *(("1", v) for v in values))


if __name__ == "__main__":
    unittest.main()
