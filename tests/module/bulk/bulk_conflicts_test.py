#!/usr/bin/env python3
"""bulk=on with writes of other clients, and in special transactions. Requests that are sent during
a statement are never repeated. They overwrite no other client's changes and lose no row.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
from bulk_case import BulkCase  # noqa: E402
import sqlite3  # noqa: E402


class InTheMiddle(BulkCase):
    """An UPDATE has read rows with pending writes, and has not changed them yet. These writes are
    sent together with the change.
    """

    options = {"on_error": "continue"}

    def setUp(self):
        super().setUp()
        self.theirs("""INSERT INTO t(PartitionKey, RowKey, N) WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n
            WHERE i < 299) SELECT 'a', i, i FROM n""")

    def test_refused_insert(self):
        self.theirs("INSERT INTO t(PartitionKey, RowKey, N, S) VALUES ('z', '1', -1, 'theirs')")
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('z', '1', 1000), ('z', '2', 5)")
        self.query("UPDATE t SET N = N + 1, S = NULL")
        self.query("COMMIT")
        self.assertEqual([("1", -1, "theirs"), ("2", 6, None)], self.z())
        self.assertEqual([("1", "Merge", None), ("1", "Insert", "EntityAlreadyExists")],
                         self.query("SELECT row_key, operation, code FROM aztables_commits WHERE outcome = 'failed'"))

    def test_refused_change(self):
        for again in ("UPDATE t SET N = N + 1", "DELETE FROM t"):
            with self.subTest(again):
                self.theirs("INSERT OR REPLACE INTO t(PartitionKey, RowKey, N) VALUES ('z', '1', 10), ('z', '2', 10)")
                self.query("BEGIN")
                self.query("UPDATE t SET N = N + 100 WHERE PartitionKey = 'z'")
                self.theirs("UPDATE t SET N = 5555 WHERE PartitionKey = 'z' AND RowKey = '1'")
                self.query(again)
                self.query("COMMIT")
                self.assertEqual([("1", 5555, None)] + ([("2", 111, None)] if "UPDATE" in again else []), self.z())

    def test_update_from_uses_the_new_etag(self):
        """Before SQLite 3.43, UPDATE ... FROM passes every column to xUpdate. An unchanged _etag
        column is not an ETag that the statement sets.
        """
        for before in ("UPDATE t SET N = N + 1 WHERE RowKey < '2'", "INSERT INTO t(PartitionKey, RowKey) VALUES ('a', 'x')"):
            with self.subTest(before):
                self.query("BEGIN")
                self.query(before)
                self.query("UPDATE t SET S = n.s FROM (SELECT 'from' AS s) n WHERE PartitionKey = 'a'")
                self.query("COMMIT")
                self.assertEqual([], self.query("SELECT message FROM aztables_commits WHERE outcome = 'failed'"))
                self.assertEqual([("from",)], self.query("SELECT DISTINCT S FROM t WHERE PartitionKey = 'a'"))
                self.query("UPDATE t SET S = NULL")

    def test_skipped_insert(self):
        """The change makes it an INSERT that must succeed, as without bulk."""
        for bulk, on_error in (("on", "continue"), ("on", "stop"), ("off", "stop")):
            with self.subTest(bulk=bulk, on_error=on_error):
                for option in (f"on_error={on_error}", f"bulk={bulk}"):
                    self.query("INSERT INTO t(_command) VALUES (?)", option)
                self.theirs("DELETE FROM t WHERE PartitionKey = 'z'")
                self.theirs("UPDATE t SET N = 0")
                self.query("BEGIN")
                self.query("INSERT OR IGNORE INTO t(PartitionKey, RowKey, N, S) VALUES ('z', '1', 1000, 'mine'), ('z', '2', 5, '')")
                self.db.create_function("meanwhile", 2, self.meanwhile)
                self.query("UPDATE t SET N = meanwhile(PartitionKey || RowKey, N)")
                if on_error == "continue":
                    self.query("COMMIT")
                else:
                    self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_PRIMARYKEY", "RowKey='1' already exists", "COMMIT")
                self.assertIn(("1", -1, "theirs"), self.z())
                if on_error == "continue":
                    self.assertEqual([("1", -1, "theirs"), ("2", 6, "")], self.z())

    def meanwhile(self, key, number):
        if key == "z1":
            self.theirs("INSERT INTO t(PartitionKey, RowKey, N, S) VALUES ('z', '1', -1, 'theirs')")
        return number + 1

    def test_trigger_changes_rows_twice(self):
        """The second change reads the rows that the first one has sent."""
        self.query("INSERT INTO t(_command) VALUES ('batch=1')")
        self.allow_triggers()
        self.query("CREATE VIEW v AS SELECT 1 AS x")
        self.query("CREATE TRIGGER g INSTEAD OF UPDATE ON v BEGIN UPDATE t SET N = N + 1; UPDATE t SET N = N * 2; END")
        self.query("UPDATE v SET x = 2")
        self.assertEqual([(sum(2 * (number + 1) for number in range(300)),)], self.theirs("SELECT sum(N) FROM t"))

    def test_pending_rows_fill_max_pending(self):
        self.virtual("small", "N INT32, S STRING", max_pending=60_000, batch=10)
        self.query("BEGIN")
        self.insert(0, 180, "small")
        self.query("INSERT INTO small(_command) VALUES ('bulk=on')")
        self.query("UPDATE small SET N = N + 1 WHERE PartitionKey = 'p'")
        self.assertEqual([(180,)], self.query("SELECT count(*) FROM small WHERE PartitionKey = 'p' AND N > 0"))
        self.query("ROLLBACK")
        self.query("INSERT INTO small(_command) VALUES ('bulk=off')")
        self.query("BEGIN")
        self.insert(200, 180, "small")
        self.query("INSERT INTO small(_command) VALUES ('bulk=on')")
        self.fails(sqlite3.DataError, "SQLITE_TOOBIG", "nothing is sent now: the statement will change the entities whose "
                   "writes are pending", "UPDATE small SET S = hex(zeroblob(6000)) WHERE PartitionKey = 'p' AND N >= 200")

    def test_replaced_rows(self):
        """If UPDATE OR REPLACE replaces a row, it does not change that row later."""
        for bulk in ("on", "off"):
            self.query("INSERT INTO t(_command) VALUES ('on_error=stop')")
            self.query(f"INSERT INTO t(_command) VALUES ('bulk={bulk}')")
            self.query("INSERT OR REPLACE INTO t(PartitionKey, RowKey, N) VALUES ('z', '0', 0), ('z', '1', 1), ('z', '2', 2)")
            self.query("UPDATE OR REPLACE t SET RowKey = CAST(RowKey + 1 AS TEXT) WHERE PartitionKey = 'z'")
            self.assertEqual([("1", 0, None), ("3", 2, None)], self.z())
            self.query("DELETE FROM t WHERE PartitionKey = 'z'")


class Known(BulkCase):
    """The transaction knows whether entities that it sent exist."""

    options = {"concurrency": "none"}

    def test_delete_of_a_deleted_entity(self):
        for clause in ("", "OR IGNORE"):
            with self.subTest(clause):
                self.query("INSERT OR REPLACE INTO t(PartitionKey, RowKey, N) VALUES ('z', '1', 1), ('z', '2', 2)")
                self.query("BEGIN")
                self.query("DELETE FROM t WHERE PartitionKey = 'z'")
                self.theirs("DELETE FROM t WHERE PartitionKey = 'z' AND RowKey = '1'")
                self.insert(0, 200)
                self.query(f"INSERT {clause} INTO t(PartitionKey, RowKey, N) VALUES ('z', '1', 77)")
                self.query("COMMIT")
                self.assertEqual([("1", 77, None)], self.z())
                self.query("DELETE FROM t")

    def test_read_that_started_before_the_writes(self):
        self.insert(0, 10)
        self.query("BEGIN")
        self.insert(100, 100)
        cursor = self.db.execute("SELECT RowKey FROM t WHERE RowKey < '000100'")  # one page
        cursor.fetchone()
        self.query("DELETE FROM t WHERE RowKey < '000100'")
        self.insert(200, 100)
        self.assertEqual(9, len(cursor.fetchall()))
        self.query("INSERT OR IGNORE INTO t(PartitionKey, RowKey, N) VALUES ('p', '000003', -3)")
        self.query("COMMIT")
        self.assertEqual([(-3,)], self.theirs("SELECT N FROM t WHERE RowKey = '000003'"))

    def test_rows_of_a_rolled_back_table(self):
        for bulk in ("on", "off"):
            with self.subTest(bulk):
                self.query("BEGIN")
                self.query("SAVEPOINT s")
                self.virtual("u", bulk=bulk, batch=2)
                for row in ("1", "2"):
                    self.query("INSERT INTO u(PartitionKey, RowKey) VALUES ('rolled back', ?)", row)
                self.query("ROLLBACK TO s")
                self.assertEqual([], self.query("SELECT RowKey FROM t WHERE PartitionKey = 'rolled back'"))
                self.insert(0, 200)
                self.query("COMMIT")
                self.assertEqual([], self.theirs("SELECT RowKey FROM t WHERE PartitionKey = 'rolled back'"))
                self.query("DELETE FROM t")


class Transactions(BulkCase):
    def test_atomic_table_prevents_early_sending(self):
        self.virtual("part", atomic="partition")
        self.query("BEGIN")
        self.insert(0, 128)
        self.query("INSERT INTO part(PartitionKey, RowKey) VALUES ('p', 'x')")
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "declared with atomic, which allows nothing to be sent before COMMIT",
                   "COMMIT")
        self.query("DROP TABLE part")
        self.virtual("part", atomic="strict")
        self.query("BEGIN")
        self.query("DELETE FROM part WHERE PartitionKey = 'none'")  # writes nothing
        self.insert(1000, 200)
        self.query("COMMIT")

    def test_table_that_has_sent_cannot_be_dropped(self):
        self.query("BEGIN")
        self.insert(0, 128)
        self.assertEqual([(0,)], self.query("SELECT count(*) FROM aztables_pending"))
        self.fails(sqlite3.OperationalError, "SQLITE_LOCKED", "locked", "DROP TABLE t")
        self.query("COMMIT")
        self.query("DROP TABLE t")

    def test_cycle_is_reported_once(self):
        """Later rows are kept until COMMIT, which reports the cycle again."""
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('a', '1', 1), ('b', '1', 2)")
        self.query("BEGIN")
        for old, new in (("a", "free"), ("b", "a"), ("free", "b")):
            self.query("UPDATE t SET PartitionKey = ? WHERE PartitionKey = ?", new, old)
        failed = []
        for row in range(300):
            try:
                self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', ?)", str(row))
            except sqlite3.OperationalError as error:
                failed.append(str(error))
        self.assertEqual(1, len(failed))
        self.assertIn("table t: the key changes of 2 entities of table", failed[0])
        self.assertEqual([(301,)], self.query("SELECT count(*) FROM t"))
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "in two transactions; nothing was sent", "COMMIT")
        self.assertEqual([("a", 1), ("b", 2)], self.theirs("SELECT PartitionKey, N FROM t"))

    def test_row_without_space_sends_pending_rows(self):
        self.virtual("big", "B BINARY, C BINARY", bulk="on", max_pending=200_000)
        self.query("INSERT INTO big(PartitionKey, RowKey, B, C) SELECT 'p', value, zeroblob(iif(value = 7, 50000, 10000)), "
                   "iif(value = 7, zeroblob(50000), NULL) FROM json_each('[1,2,3,4,5,6,7,8,9,10]')")
        self.assertEqual(10, len(self.remote()))
        self.virtual("tight", bulk="on", max_pending=20_000)
        self.query("BEGIN")
        self.insert(0, 100)
        self.query("INSERT INTO tight(PartitionKey, RowKey) VALUES ('x', '1')")
        self.query("COMMIT")
        self.assertEqual(111, len(self.remote()))

    def test_deleted_own_rows_do_not_shrink_egts(self):
        self.virtual("small", "N INT32", bulk="on", max_pending=40_000, batch=10)
        self.query("BEGIN")
        for row in range(70):
            self.query("INSERT INTO small(PartitionKey, RowKey) VALUES ('gone', ?)", row)
            self.query("DELETE FROM small WHERE PartitionKey = 'gone' AND RowKey = ?", str(row))
        before = self.sent()
        self.insert(0, 1000, table="small")
        self.query("COMMIT")
        self.assertLess(self.sent() - before, 400)
        self.assertEqual(1000, len(self.remote()))

    @unittest.skipIf(host.PRELOAD, "a sanitizer keeps freed memory")
    def test_memory_of_many_updates(self):
        """A statement's read rows are discarded when it ends."""
        self.query("INSERT INTO t(PartitionKey, RowKey, S) SELECT 'p', value, hex(zeroblob(15000)) FROM json_each(?)",
                   str(list(range(300))))
        self.query("BEGIN")
        before = self.resident()
        for row in range(300):
            self.query("UPDATE t SET N = -1 WHERE PartitionKey = 'p' AND RowKey = ?", str(row))
        self.assertLess(self.resident() - before, 300 * 30_000 / 3)
        self.query("COMMIT")
        self.assertEqual([(-300,)], self.theirs("SELECT sum(N) FROM t"))

    @staticmethod
    def resident():
        """The resident memory of this process, in bytes."""
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096


class Unknown(host.ServerCase):
    """An EGT whose response was lost is applied once, and overwrites no later write."""

    def test_commit_settles(self):
        for verb in ("INSERT", "REPLACE"):
            for continue_on_error in ("stop", "continue"):
                with self.subTest(verb, on_error=continue_on_error):
                    proxy = self.cut_connection()
                    self.query("DROP TABLE IF EXISTS t")
                    self.virtual("t", "N INT32", connection="cut", bulk="on", batch=2, retries=0, on_error=continue_on_error)
                    self.virtual("theirs", "N INT32", db=(other := host.connect()))
                    self.query("BEGIN")
                    proxy.plan = {5: "drop response"}
                    failed = []
                    for row in range(128):
                        try:
                            self.query(f"{verb} INTO t(PartitionKey, RowKey, N) VALUES ('p', printf('%06d', ?), 7)", row)
                        except sqlite3.OperationalError as error:
                            failed.append(str(error))
                    self.assertEqual(1, len(failed))
                    self.assertIn("the outcome of 1 EGT is unknown: COMMIT settles it", failed[0])
                    changed = other.execute("UPDATE theirs SET N = 12345").rowcount
                    self.assertLess(5, changed)
                    self.query("COMMIT")
                    self.assertEqual([(12345, changed), (7, 127 - changed)],
                                     other.execute("SELECT N, count(*) FROM theirs GROUP BY N ORDER BY N DESC").fetchall())
                    other.execute("DELETE FROM theirs")
                    other.close()


if __name__ == "__main__":
    unittest.main()
