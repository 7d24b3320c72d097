#!/usr/bin/env python3
"""bulk=on: full entity group transactions are sent while statements run, and memory stays bounded.
Nothing is sent during a read of the same remote table. After a failure or a ROLLBACK, the remote
rows match aztables_commits.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402

WINDOW = 64  # full EGTs that collect before sending


class Case(host.FileCase):
    def setUp(self):
        super().setUp()
        self.virtual("t", "N INT32, S STRING", bulk="on", batch="2")

    def insert(self, first, count, table="t", clause="", partitions=1):
        """Inserts `count` rows from `first` on in one statement."""
        self.query(f"""INSERT {clause} INTO {table}(PartitionKey, RowKey, N)
            WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)
            SELECT 'p' || (i % {partitions}), printf('%06d', i), i FROM n""", first, first + count - 1)

    def numbers(self):
        """N of all entities, read through another connection."""
        self.virtual("look", "N INT32", db=(other := host.connect()))
        rows = [n for (n,) in other.execute("SELECT N FROM look ORDER BY N")]
        other.close()
        return rows

class Sending(Case):
    """Which rows are sent, when, and their state afterwards."""

    def test_full_egts_are_sent_during_a_statement(self):
        seen = []
        self.db.create_function("seen", 1, lambda n: seen.append(self.sent()) or n)
        self.query("BEGIN")
        self.query("""INSERT INTO t(PartitionKey, RowKey, N) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
            WHERE i < 301) SELECT 'p', printf('%06d', i), seen(i) FROM n""")
        self.assertEqual({0, WINDOW, 2 * WINDOW}, set(seen))
        self.assertEqual(list(range(1, 257)), self.numbers())
        self.assertEqual([(301, 45)], self.query("SELECT (SELECT count(*) FROM t), (SELECT sum(inserts) FROM aztables_pending)"))
        self.query("COMMIT")
        self.assertEqual((151, list(range(1, 302))), (self.sent(), self.numbers()))
        self.assertEqual([(1, 151)], self.query("SELECT count(DISTINCT commit_id), count(*) FROM aztables_commits"))

    def test_alternating_partitions_make_full_egts(self):
        self.insert(0, 1000, partitions=100)
        self.assertEqual(500, self.sent())
        self.assertEqual(list(range(1000)), self.numbers())

    def test_rollback_drops_unsent_rows(self):
        self.query("BEGIN")
        self.insert(0, 150)
        self.query("ROLLBACK")
        self.assertEqual(list(range(128)), self.numbers())
        self.assertEqual([("applied", 128)], self.query("SELECT outcome, sum(operations) FROM aztables_commits"))
        self.insert(200, 1)
        self.assertEqual([(2,)], self.query("SELECT max(commit_id) FROM aztables_commits"))

    def test_rollback_to(self):
        self.query("BEGIN")
        self.insert(0, 10)
        self.query("SAVEPOINT s")
        self.insert(100, 130)
        self.query("ROLLBACK TO s")
        self.query("COMMIT")
        self.assertEqual([*range(10), *range(100, 218)], self.numbers(), "128 of the 140 rows were sent")

    def test_transaction_changes_its_sent_rows(self):
        self.query("BEGIN")
        self.insert(0, 200)
        # Most rows are sent and some are pending. All are read before the first change.
        self.query("UPDATE t SET N = N + 1000")
        self.query("UPDATE t SET S = 'even' WHERE N % 2 = 0")
        self.query("DELETE FROM t WHERE N < 1150")
        self.insert(0, 1)
        self.query("COMMIT")
        self.assertEqual([0, *range(1150, 1200)], self.numbers())
        self.assertEqual([(25,)], self.query("SELECT count(*) FROM t WHERE S = 'even'"))

    def test_sent_entities_are_known_to_exist(self):
        self.query("BEGIN")
        self.insert(0, 128)
        self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_PRIMARYKEY", "overwrites it; 64 EGTs applied: see "
                   "aztables_commits", "INSERT INTO t(PartitionKey, RowKey) VALUES ('p0', '000007')")
        self.query("DELETE FROM t WHERE PartitionKey = 'p0' AND N < 64")
        self.insert(500, 64)
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p0', '000007', 7)")
        self.query("COMMIT")
        self.assertEqual([7, *range(64, 128), *range(500, 564)], self.numbers())

    def test_new_keys(self):
        self.insert(0, 300, partitions=3)
        self.query("UPDATE t SET RowKey = 'n' || RowKey WHERE N < 200")
        self.query("UPDATE t SET PartitionKey = 'q' WHERE N >= 100")
        self.assertEqual([(f"p{i % 3}", f"n{i:06}") for i in range(100)] + [("q", f"n{i:06}") for i in range(100, 200)]
                         + [("q", f"{i:06}") for i in range(200, 300)],
                         sorted(self.remote(), key=lambda key: key[1][-6:]))

    def test_update_from_sends_at_its_end(self):
        self.insert(0, 150)
        before = self.sent()
        self.query("BEGIN")
        self.query("UPDATE t SET N = v.n FROM (SELECT 1000 AS n UNION ALL SELECT 2000) AS v")
        self.assertEqual(before, self.sent(), "the source has two rows for each row")
        self.insert(300, 1)
        self.assertLess(before, self.sent())
        self.query("COMMIT")
        self.assertEqual([300] + [2000] * 150, self.numbers())


class Held(Case):
    """Nothing is sent during a read of the remote table, or if a table without bulk writes to
    it.
    """

    def setUp(self):
        super().setUp()
        self.fill(2100)
        self.virtual("small", "N INT32", bulk="on", batch="2", max_pending="20000")

    def test_unfinished_read(self):
        for read in ("SELECT RowKey FROM small", f"SELECT RowKey FROM aztables_query('demo.{self.table}')"):
            with self.subTest(read):
                cursor = self.db.execute(read)
                cursor.fetchone()
                self.query("BEGIN")
                message = self.fails(
                    sqlite3.DataError, "SQLITE_TOOBIG", "nothing is sent now: a statement of this database connection still "
                    "reads the same remote table", "INSERT INTO small(PartitionKey, RowKey) WITH RECURSIVE n(i) AS (SELECT 1 "
                    "UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT 'new', i FROM n")
                self.assertIn("max_pending=20000", message)
                self.assertEqual(2100, 1 + len(cursor.fetchall()), "the read returns none of the new rows")
                self.query("COMMIT")

    def test_finished_read(self):
        cursor = self.db.execute("SELECT RowKey FROM small WHERE PartitionKey = 'p0'")  # 700 rows: one page
        cursor.fetchone()
        self.insert(5000, 500, table="small")
        self.assertEqual(699, len(cursor.fetchall()))
        self.assertEqual(2600, len(self.remote()))

    def test_insert_select_from_the_same_table(self):
        self.query("INSERT INTO small(PartitionKey, RowKey, N) SELECT 'copy', RowKey, N FROM small")
        self.assertEqual(4200, len(self.remote()))

    def test_table_without_bulk(self):
        self.virtual("plain", "N INT32")
        self.query("BEGIN")
        self.query("INSERT INTO plain(PartitionKey, RowKey) VALUES ('x', '1')")
        self.fails(sqlite3.DataError, "SQLITE_TOOBIG", "nothing is sent now: table plain is over the same remote table, "
                   "without bulk=on", "INSERT INTO small(PartitionKey, RowKey) SELECT 'y', value FROM json_each(?)",
                   str(list(range(500))))
        self.query("ROLLBACK")
        self.assertEqual(list(range(2100)), self.numbers())

    def test_update_from_larger_than_max_pending(self):
        self.fails(sqlite3.DataError, "SQLITE_TOOBIG", "UPDATE ... FROM may change a row again, and sends nothing before it "
                   "ends", "UPDATE small SET N = v.n FROM (SELECT -1 AS n UNION ALL SELECT -2) AS v")
        self.assertEqual(list(range(2100)), self.numbers())
        # one source row for each row
        self.query("UPDATE small SET N = v.n FROM (SELECT -1 AS n) AS v")
        self.assertEqual([-1] * 2100, self.numbers())

    def test_update_from_moves_each_row_twice(self):
        self.virtual("wide", "N INT32", bulk="on", batch="2")
        self.query("UPDATE wide SET RowKey = 'm' || v.i || RowKey FROM (SELECT 1 AS i UNION ALL SELECT 2) AS v WHERE N < 50")
        self.assertEqual([("m2", 50), ("00", 2050)],
                         self.remote("substr(RowKey, 1, 2) AS s, count(*)", "true GROUP BY 1 ORDER BY 1 DESC"))

    def test_strict_tables(self):
        self.virtual("strict", "N INT32", table=self.table + "b", create="missing", atomic="strict")
        self.query("BEGIN")
        self.insert(5000, 128)
        self.query("INSERT INTO strict(PartitionKey, RowKey) VALUES ('x', '1')")
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "a table of the transaction is declared with atomic, "
                   "which allows nothing to be sent before COMMIT; 64 EGTs applied: see aztables_commits",
                   "COMMIT")


if __name__ == "__main__":
    unittest.main()
