#!/usr/bin/env python3
"""A transaction inserts a row whose key exists remotely and was not read. Then it changes or
deletes its own row. The existing entity stays unchanged: the statement that discovers the conflict
fails, or COMMIT fails. If INSERT OR IGNORE skips a row because of an existing entity, later changes
apply to that entity.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402

EXISTS = "SQLITE_CONSTRAINT_PRIMARYKEY"
ROW = "PartitionKey = 'c' AND RowKey = '1'"
THERE = [("c", "1", 1, "there"), ("c", "2", 2, "there"), ("d", "1", 3, "there")]
INSERT = "INSERT INTO t(PartitionKey, RowKey, N) VALUES ('c', '1', 99)"

# Statements that read the own row by a scan, and so read the existing entity.
SCANS = [
    "DELETE FROM t WHERE N = 99",
    "DELETE FROM t WHERE PartitionKey = 'c' AND RowKey < '2'",
    "DELETE FROM t WHERE RowKey IN ('1', '7') AND PartitionKey = 'c'",
    "DELETE FROM t ORDER BY PartitionKey, RowKey LIMIT 1",
    "DELETE FROM u WHERE N = 99",
    "UPDATE t SET N = 5 WHERE N = 99",
    "UPDATE t SET S = NULL WHERE N = 99",
    "UPDATE t SET N = N WHERE N = 99",
    "UPDATE t SET _entity = '{}' WHERE N = 99",
    "UPDATE t SET RowKey = '9' WHERE N = 99",
    "UPDATE t SET RowKey = '9', N = 5 WHERE N = 99",
    "UPDATE t SET PartitionKey = 'e' WHERE N = 99",
    "UPDATE OR REPLACE t SET RowKey = '2' WHERE N = 99",
    "UPDATE u SET RowKey = '9' WHERE N = 99",
    "UPDATE t SET RowKey = RowKey || 'x' WHERE N > 9",
    "UPDATE t SET N = a FROM (SELECT 99 AS a) WHERE N = a",
    "UPDATE t SET RowKey = a FROM (SELECT 8 AS a UNION SELECT 9) WHERE N = 99",
]
# Statements that find the row by its keys, and so do not request the entity.
POINTS = [
    f"DELETE FROM t WHERE {ROW}",
    f"DELETE FROM u WHERE {ROW}",
    f"UPDATE t SET RowKey = '9' WHERE {ROW}",
    f"UPDATE t SET PartitionKey = 'e', N = 5 WHERE {ROW}",
    f"UPDATE t SET N = 5 WHERE {ROW}",
    f"UPDATE t SET _entity = '{{}}' WHERE {ROW}",
    f"UPDATE t SET RowKey = a FROM (SELECT 8 AS a UNION SELECT 9) WHERE {ROW}",
]


class Case(host.LocalCase):
    """The virtual tables `t` and `u` over one remote table, to which `other` has written THERE."""

    options = {}

    def setUp(self):
        super().setUp()
        self.other = host.connect()
        self.addCleanup(self.other.close)
        for name, db in (("t", self.db), ("u", self.db), ("t", self.other)):
            self.virtual(name, "N INT32, S STRING", db=db, **(self.options if db is self.db else {}))
        self.other.executemany("INSERT INTO t(PartitionKey, RowKey, N, S) VALUES (?, ?, ?, ?)", THERE)

    def all(self):
        return self.other.execute("SELECT PartitionKey, RowKey, N, S FROM t").fetchall()

    def own(self):
        """The row with the key of the conflict, as the transaction sees it."""
        return self.query(f"SELECT N, S, Timestamp, _etag FROM t WHERE {ROW}")

    def commit_fails(self):
        """Checks that COMMIT finds the conflict and that the remote rows are unchanged."""
        self.fails(sqlite3.IntegrityError, EXISTS, "the entity PartitionKey='c', RowKey='1' already exists", "COMMIT")
        self.assertFalse(self.db.in_transaction)
        self.assertEqual(THERE, self.all())

    def known(self, sql):
        """Checks that a change of the row fails because the conflict is known."""
        self.fails(sqlite3.IntegrityError, EXISTS, "the entity PartitionKey='c', RowKey='1' already exists, so the row "
                   "that this transaction inserted cannot be changed; ROLLBACK, or ROLLBACK TO", sql)


class Conflicts(Case):
    """Plain INSERT."""

    def test_statement_that_reads_the_entity_fails(self):
        for sql in SCANS:
            with self.subTest(sql):
                self.query("BEGIN")
                self.query(INSERT)
                pending = self.query("SELECT * FROM aztables_pending")
                self.known(sql)
                self.assertEqual(pending, self.query("SELECT * FROM aztables_pending"), "the failed statement changed something")
                self.assertEqual([(99, None, None, None)], self.own())
                self.assertEqual([("c", "1", 99)], self.query("SELECT PartitionKey, RowKey, N FROM t WHERE N = 99"))
                self.known(sql)
                self.commit_fails()

    def test_row_that_is_not_requested(self):
        """A point read of an inserted entity sends nothing. A DELETE of the entity leaves nothing
        to send.
        """
        for sql in POINTS:
            with self.subTest(sql):
                self.query("BEGIN")
                self.query(INSERT)
                self.assertEqual([], self.requests_of(sql)[1])
                gone = sql.startswith("DELETE")
                moved = " PartitionKey = 'e'" in sql or "RowKey = '9'" in sql or "RowKey = a" in sql
                if not gone and not moved:
                    self.assertEqual(1, len(self.own()))
                    self.commit_fails()
                    continue
                self.assertEqual([] if gone else ["EGT"], self.requests_of("COMMIT")[1])
                rows = self.all()
                self.assertEqual(THERE, [row for row in rows if row in THERE])
                self.assertEqual(len(THERE) + moved, len(rows))
                self.other.execute("DELETE FROM t WHERE S IS NULL")

    def test_existing_entity_is_shown_again(self):
        """After the own row is deleted, the existing entity is an ordinary entity."""
        self.query("BEGIN")
        self.query(INSERT)
        self.query(f"DELETE FROM t WHERE {ROW}")
        self.assertEqual([(1, "there")], self.query(f"SELECT N, S FROM t WHERE {ROW}"))
        self.fails(sqlite3.IntegrityError, EXISTS, "already exists", INSERT)
        self.query(f"UPDATE t SET N = 7 WHERE {ROW}")
        self.query("COMMIT")
        self.assertEqual([("c", "1", 7, "there"), *THERE[1:]], self.all())

    def test_any_read_discovers_the_conflict(self):
        reads = ["SELECT * FROM t", "SELECT count(*) FROM u", "SELECT N FROM t WHERE RowKey = '1'",
                 f"SELECT * FROM t WHERE {ROW} OR RowKey = '2'", "SELECT * FROM t WHERE PartitionKey = 'c' LIMIT 1",
                 "UPDATE t SET N = N + 1 WHERE S = 'there' AND PartitionKey = 'c'",
                 "INSERT INTO t(PartitionKey, RowKey, N) SELECT 'f', RowKey, N FROM t WHERE PartitionKey = 'c'",
                 "DELETE FROM u WHERE N > 99 AND PartitionKey = 'c'"]
        for read in reads:
            for sql in POINTS:
                with self.subTest(read, sql=sql):
                    self.query("BEGIN")
                    self.query(INSERT)
                    self.query(read)
                    self.assertEqual([], self.sends(sql))
                    self.assertEqual([(99, None, None, None)], self.own())
                    self.query("ROLLBACK")
        self.assertEqual(THERE, self.all())

    def sends(self, sql):
        """The requests of a statement that fails because the conflict is known."""
        before = self.query("SELECT coalesce(max(id), 0) FROM aztables_requests")[0][0]
        self.known(sql)
        return self.query("SELECT kind FROM aztables_requests WHERE id > ?", before)

    def test_another_part_of_the_statement_discovers_the_conflict(self):
        for sql in POINTS:
            if " FROM (" in sql:
                continue
            with self.subTest(sql):
                self.query("BEGIN")
                self.query(INSERT)
                self.known(sql + " AND (SELECT count(*) FROM t) > 0")
                self.commit_fails()

    def test_failed_statement_changes_nothing(self):
        self.query("BEGIN")
        self.query(INSERT)
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('c', '0', 99), ('c', '4', 99)")
        rows = self.query("SELECT PartitionKey, RowKey, N FROM t")
        for sql in ("DELETE FROM t", "UPDATE t SET N = 0", "UPDATE t SET RowKey = 'x' WHERE N = 99",
                    "UPDATE t SET N = a FROM (SELECT 5 AS a)", "DELETE FROM u WHERE RowKey = '1'"):
            self.known(sql)
            self.assertEqual(rows, self.query("SELECT PartitionKey, RowKey, N FROM t"))
        self.commit_fails()

    def test_savepoint_before_the_insert(self):
        for table in "tu":
            self.query("BEGIN")
            self.query("UPDATE t SET N = N + 10 WHERE PartitionKey = 'd'")
            self.query("SAVEPOINT s")
            self.query(INSERT.replace("INTO t", f"INTO {table}"))
            self.known("DELETE FROM t WHERE N = 99")
            self.query("ROLLBACK TO s")
            self.assertEqual([(1, "there")], self.query(f"SELECT N, S FROM t WHERE {ROW}"))
            self.fails(sqlite3.IntegrityError, EXISTS, "already exists", INSERT)
            self.query(f"UPDATE t SET S = 'changed' WHERE {ROW}")
            self.query("ROLLBACK TO s")
            self.query("COMMIT")
            self.assertEqual([*THERE[:2], ("d", "1", 13, "there")], self.all())
            self.query("UPDATE t SET N = 3 WHERE PartitionKey = 'd'")

    def test_savepoint_after_the_insert(self):
        """Only the change is rolled back. The INSERT still fails."""
        for sql in POINTS:
            with self.subTest(sql):
                self.query("BEGIN")
                self.query(INSERT)
                self.query("SAVEPOINT s")
                self.query(sql)
                self.query("ROLLBACK TO s")
                self.assertEqual([(99, None, None, None)], self.own())
                self.known("DELETE FROM t WHERE N = 99")
                self.commit_fails()

    def test_conflict_clauses(self):
        for sql, fails in ((f"INSERT OR REPLACE INTO t(PartitionKey, RowKey, N) VALUES ('c', '1', 5)", None),
                           (f"INSERT OR IGNORE INTO t(PartitionKey, RowKey, N) VALUES ('c', '1', 5)", None),
                           ("UPDATE OR REPLACE t SET RowKey = '1' WHERE RowKey = '2'", None),
                           ("UPDATE OR IGNORE t SET N = 5 WHERE N = 99", None),
                           ("UPDATE OR FAIL t SET N = 5 WHERE N = 99", "SQLITE_CONSTRAINT")):
            for read in ("SELECT 1", "SELECT * FROM t"):
                with self.subTest(sql, read=read):
                    self.query("BEGIN")
                    self.query(INSERT)
                    self.query(read)
                    if fails:
                        self.fails(sqlite3.IntegrityError, fails, "already exists", sql)
                    else:
                        self.query(sql)
                    self.commit_fails()
        self.query("BEGIN")
        self.query(INSERT)
        self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT", "already exists", "UPDATE OR ROLLBACK t SET N = 5 WHERE N = 99")
        self.assertFalse(self.db.in_transaction)
        self.assertEqual(THERE, self.all())

    def test_key_moved_onto_an_existing_entity(self):
        """An UPDATE of a key is an INSERT of the new key."""
        for sql in ("DELETE FROM t WHERE RowKey = '1'", "UPDATE t SET RowKey = '8' WHERE PartitionKey = 'c'",
                    "UPDATE t SET PartitionKey = 'x' WHERE S = 'there' AND PartitionKey = 'c'"):
            with self.subTest(sql):
                self.query("BEGIN")
                self.query("UPDATE t SET RowKey = '1' WHERE PartitionKey = 'c' AND RowKey = '2'")
                self.assertEqual([("1", 2), ("1", 3)], self.query("SELECT RowKey, N FROM t"))
                self.known(sql)
                self.commit_fails()

    def test_entity_deleted_before_commit(self):
        """Then the INSERT succeeds, even if the transaction knew of the conflict."""
        self.query("BEGIN")
        self.query(INSERT)
        self.known("DELETE FROM t WHERE N = 99")
        self.other.execute(f"DELETE FROM t WHERE {ROW}")
        self.known("DELETE FROM t WHERE N = 99")
        self.query("COMMIT")
        self.assertEqual([("c", "1", 99, None), *THERE[1:]], self.all())

    def test_row_rolled_back_during_a_read(self):
        """A read that continues after ROLLBACK returns the existing entity, and does not return the
        own row again.
        """
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('a', '1', 98), ('c', '1', 99)")
        cursor = self.db.execute("SELECT PartitionKey, RowKey, N FROM t")
        self.assertEqual([("a", "1", 98)], cursor.fetchmany(1))
        self.query("ROLLBACK")
        self.assertEqual(("c", "1"), cursor.fetchone()[:2], "Python is one row ahead")
        self.assertEqual([("c", "2", 2), ("d", "1", 3)], cursor.fetchall())


class AnyVersion(Conflicts):
    """The same with concurrency=none: every entity meets the condition of the request."""

    options = {"concurrency": "none"}


class Ignored(Case):
    """INSERT OR IGNORE with an existing entity is not a conflict. The row is the existing
    entity.
    """

    def test_row_is_the_existing_entity(self):
        insert = INSERT.replace("INSERT", "INSERT OR IGNORE")
        for sql, left in ((f"DELETE FROM t WHERE {ROW}", []), ("DELETE FROM t WHERE N = 1", []),
                          (f"UPDATE t SET N = 5 WHERE {ROW}", [("c", "1", 5, "there")]),
                          ("UPDATE t SET S = NULL WHERE N = 1", [("c", "1", 1, None)]),
                          (f"UPDATE t SET RowKey = '11' WHERE {ROW}", [("c", "11", 1, "there")]),
                          ("DELETE FROM t WHERE N = 99", THERE[:1]), ("UPDATE t SET RowKey = '9' WHERE N = 99", THERE[:1])):
            with self.subTest(sql):
                self.query("BEGIN")
                self.query(insert)
                self.query(sql)
                self.query("COMMIT")
                self.assertEqual([*left, *THERE[1:]], self.all())
                self.other.execute("DELETE FROM t WHERE RowKey LIKE '1%' AND PartitionKey = 'c'")
                self.other.execute("INSERT INTO t(PartitionKey, RowKey, N, S) VALUES ('c', '1', 1, 'there')")


class Merged(Case):
    """With upsert=merge, INSERT OR REPLACE after INSERT OR IGNORE merges into the existing
    entity.
    """

    options = {"upsert": "merge"}

    def leaves(self, columns, values, left, look=None, key="1"):
        self.query("BEGIN")
        self.query(f"INSERT OR IGNORE INTO t(PartitionKey, RowKey, N) VALUES ('c', '{key}', 99)")
        if look:
            self.query(look)
        self.query(f"INSERT OR REPLACE INTO t(PartitionKey, RowKey, {columns}) VALUES ('c', '{key}', {values})")
        shown = self.query(f"SELECT PartitionKey, RowKey, N, S FROM t WHERE PartitionKey = 'c' AND RowKey = '{key}'")
        self.query("COMMIT")
        self.assertIn(left, self.all())
        self.assertEqual([left], shown)
        self.other.execute("DELETE FROM t")
        self.other.executemany("INSERT INTO t(PartitionKey, RowKey, N, S) VALUES (?, ?, ?, ?)", THERE)

    def test_all_rows_were_ignored(self):
        self.leaves("N", "5", ("c", "1", 5, "there"))
        self.leaves("N, S", "5, 'new'", ("c", "1", 5, "new"))
        self.leaves("N", "5", ("c", "3", 5, None), key="3")

    def test_entity_that_was_read(self):
        for look in (f"SELECT * FROM t WHERE {ROW}", "SELECT count(*) FROM t"):
            self.leaves("S", "'new'", ("c", "1", 1, "new"), look)

    def test_unknown_entities(self):
        self.query("BEGIN")
        self.query("INSERT OR IGNORE INTO t(PartitionKey, RowKey, N) VALUES ('c', '1', 99), ('c', '3', 99)")
        for key in "13":
            self.fails(sqlite3.OperationalError, "SQLITE_ERROR",
                       f"table t: INSERT OR REPLACE with upsert=merge after INSERT OR IGNORE of the entity PartitionKey='c', "
                       f"RowKey='{key}' does not give all of its properties, and the transaction does not know which of them "
                       "count: COMMIT first",
                       f"INSERT OR REPLACE INTO t(PartitionKey, RowKey, S) VALUES ('c', '{key}', 'new')")
        self.query("COMMIT")
        self.assertEqual([*THERE[:2], ("c", "3", 99, None), THERE[2]], self.all())


class Bulk(Case):
    """With bulk=on, a statement that sends may discover the conflict."""

    options = {"bulk": "on", "batch": 1, "max_pending": 4000}

    def fill(self, count=20):
        """Inserts enough rows to send some."""
        self.query("INSERT INTO t(PartitionKey, RowKey, N) WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE "
                   f"i < {count}) SELECT 'z', i, 98 FROM n")

    def ends(self):
        self.fails(sqlite3.IntegrityError, EXISTS, "already exists", "COMMIT")
        self.assertEqual(THERE, [row for row in self.all() if row[0] != "z"])

    def test_sending_discovers_the_conflict(self):
        for sql in SCANS[:1] + SCANS[5:10] + POINTS:
            with self.subTest(sql):
                self.query("BEGIN")
                self.query(INSERT)
                self.fails(sqlite3.IntegrityError, EXISTS, "the entity PartitionKey='c', RowKey='1' already exists",
                           "INSERT INTO t(PartitionKey, RowKey, N) WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE "
                           "i < 20) SELECT 'z', i, 98 FROM n")
                self.known(sql)
                self.assertEqual([(99, None, None, None)], self.own())
                self.ends()

    def test_on_error_continue(self):
        """The INSERT is skipped and recorded. A statement that discovers the conflict leaves the
        row unchanged.
        """
        self.query("INSERT INTO t(_command) VALUES ('on_error=continue')")
        for sql in SCANS:
            with self.subTest(sql):
                self.query("BEGIN")
                self.query(INSERT)
                before = self.query("SELECT count(*) FROM aztables_commits WHERE operation = 'Insert'")[0][0]
                self.query(sql.replace(' u ', ' t '))
                self.query("COMMIT")
                self.assertEqual(THERE, self.all())
                self.assertEqual([(before + 1,)], self.query("SELECT count(*) FROM aztables_commits WHERE operation = 'Insert'"))

    def test_changes_after_a_refused_insert(self):
        """The result is the same whether the INSERT was sent before COMMIT or not."""
        self.query("INSERT INTO t(_command) VALUES ('on_error=continue')")
        for sql in (f"DELETE FROM t WHERE {ROW}", f"UPDATE t SET N = 5 WHERE {ROW}", "UPDATE t SET N = 5 WHERE N < 3",
                    INSERT.replace("INSERT", "INSERT OR REPLACE"), INSERT.replace("INSERT", "INSERT OR IGNORE"), INSERT,
                    f"UPDATE OR REPLACE t SET RowKey = '1' WHERE PartitionKey = 'c' AND RowKey = '2'"):
            for fill in (False, True):
                with self.subTest(sql, sent=fill):
                    self.query("BEGIN")
                    self.query(INSERT)
                    if fill:
                        self.fill(40)
                    self.query(sql)
                    self.query("COMMIT")
                    self.assertIn(THERE[0], self.all())
                    self.other.execute("DELETE FROM t")
                    self.other.executemany("INSERT INTO t(PartitionKey, RowKey, N, S) VALUES (?, ?, ?, ?)", THERE)


if __name__ == "__main__":
    unittest.main()
