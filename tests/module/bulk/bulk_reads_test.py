#!/usr/bin/env python3
"""bulk=on and reads of the same remote table. A statement does not read the rows that it has sent.
Lists of keys do not prevent sending. Nested statements keep separate sets of read rows.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
from bulk_case import BulkCase  # noqa: E402
import sqlite3  # noqa: E402


class OwnRows(BulkCase):
    """A statement does not read the rows that it inserts, even if it reads a table several
    times.
    """

    def test_small_tables(self):
        self.virtual("u", "N INT32", bulk="on")
        self.query("CREATE TABLE n(k)")
        self.query("INSERT INTO n VALUES ('x'), ('y')")
        for bulk in ("on", "off"):
            for source in ("t", "u", f"aztables_query('demo.{self.table}')"):
                for select, count in ((f"SELECT 'new', RowKey FROM {source} WHERE PartitionKey IN ('p', 'q')", 10),
                                      (f"SELECT 'new', k || RowKey FROM n CROSS JOIN {source}", 20)):
                    with self.subTest(select, bulk=bulk):
                        self.query(f"INSERT INTO t(_command) VALUES ('bulk={bulk}')")
                        self.query("DELETE FROM t")
                        self.insert(0, 10)
                        self.query(f"INSERT INTO t(PartitionKey, RowKey) {select}")
                        self.assertEqual([(count,)], self.theirs("SELECT count(*) FROM t WHERE PartitionKey = 'new'"))

    def test_tables_larger_than_the_cache(self):
        """If the inner table was read twice, nothing is sent. If it was read once, the second read
        fails.
        """
        self.insert(0, 200)
        self.query("CREATE TABLE n(k)")
        self.query("INSERT INTO n VALUES ('x'), ('y'), ('z')")
        self.virtual("u", "N INT32", bulk="on")
        select = "INSERT INTO t(PartitionKey, RowKey) SELECT 'new', k || RowKey FROM n CROSS JOIN {}"
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "the statement would read rows that it has sent itself",
                   select.format("u"))
        for source in ("u ORDER BY 2", f"aztables_query('demo.{self.table}')"):
            self.query("DELETE FROM t WHERE PartitionKey = 'new'")
            self.query(select.format(source))
            self.assertEqual([(600,)], self.theirs("SELECT count(*) FROM t WHERE PartitionKey = 'new'"))

    def test_correlated_query(self):
        self.query(f"""INSERT INTO t(PartitionKey, RowKey, N) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
            WHERE i < 300) SELECT 'p', i, (SELECT count(*) FROM aztables_query('demo.{self.table}') z WHERE z.RowKey <> 'z' || i)
            FROM n""")
        self.assertEqual([(0, 300)], self.theirs("SELECT N, count(*) FROM t GROUP BY N"))

    def test_changes_by_lists_of_keys(self):
        """UPDATE and DELETE read all rows before they change the first one, even with several
        reads.
        """
        self.virtual("small", "N INT32", bulk="on", max_pending=100_000)
        for sql in ("UPDATE small SET N = 7 WHERE PartitionKey IN ('p', 'none', 'q')",
                    "DELETE FROM small WHERE PartitionKey IN ('p', 'none')",
                    "DELETE FROM small WHERE PartitionKey = 'q' AND RowKey IN (SELECT RowKey FROM small)"):
            with self.subTest(sql):
                for partition in "pq":
                    self.query("DELETE FROM small WHERE PartitionKey = ?", partition)
                    self.insert(0, 900, "small", partition)
                before = self.sent()
                self.query(sql)
                self.assertLess(before, self.sent())
        self.assertEqual([("p", 900)], self.theirs("SELECT PartitionKey, count(*) FROM t GROUP BY 1"))


class Nested(BulkCase):
    """Statements that an SQL function runs inside an UPDATE."""

    def nested(self, when, *statements):
        def run(key, number):
            if key == when or when is None:
                for sql in statements:
                    self.query(sql, *([f"{199 - int(key):06}"] if "?" in sql else []))
            return number
        self.allow_triggers()  # also permits the function
        self.db.create_function("nested", 2, run)

    def test_outer_statement_keeps_its_read_rows(self):
        for sql, left in (("UPDATE t SET S = 'n' WHERE PartitionKey = 'p' AND RowKey = 'a'", [("a", 11, "n"), ("b", 12, "x")]),
                          ("UPDATE t SET RowKey = 'm' WHERE PartitionKey = 'p' AND RowKey = 'a'", [("b", 12, "x"), ("m", 1, "x")]),
                          ("DELETE FROM t WHERE PartitionKey = 'p' AND RowKey = 'a'", [("b", 12, "x")])):
            for bulk in ("on", "off"):
                with self.subTest(sql, bulk=bulk):
                    self.query(f"INSERT INTO t(_command) VALUES ('bulk={bulk}')")
                    self.query("DELETE FROM t")
                    self.query("INSERT INTO t(PartitionKey, RowKey, N, S) VALUES ('p', 'a', 1, 'x'), ('p', 'b', 2, 'x')")
                    self.nested("b", sql)
                    self.query("UPDATE t SET N = nested(RowKey, N) + 10")
                    self.assertEqual(left, self.theirs("SELECT RowKey, N, S FROM t"))

    def test_read_that_continues_while_rows_are_sent(self):
        self.virtual("u", "N INT32, S STRING", bulk="on", batch="1")
        self.insert(0, 200)
        self.nested(None, "UPDATE u SET S = 'n' WHERE PartitionKey = 'p' AND RowKey = ?")
        self.query("UPDATE t SET N = nested(RowKey, N) + 1000")
        self.assertEqual([(200, 200, 200)], self.theirs("SELECT count(*), sum(N >= 1000), sum(S = 'n') FROM t"))

    def test_function_changes_a_row_after_another_client(self):
        """The change has the ETag that the function's statement read. The outer statement read an
        older entity.
        """
        self.query("INSERT INTO t(_command) VALUES ('batch=1')")
        self.insert(0, 200)
        self.allow_triggers()

        def change(key):
            if key == "000000":
                self.theirs("UPDATE t SET S = 'theirs' WHERE RowKey = '000199'")
                self.query("UPDATE t SET N = -1 WHERE RowKey = '000199'")
            return "ours"

        self.db.create_function("change", 1, change)
        self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_VTAB", "PartitionKey='p', RowKey='000199' was changed",
                   "UPDATE t SET S = change(RowKey)")
        self.assertEqual([("theirs",)], self.theirs("SELECT S FROM t WHERE RowKey = '000199'"))

    def test_refused_row_is_refused_for_the_outer_statement(self):
        self.query("INSERT INTO t(_command) VALUES ('on_error=continue')")
        self.query("INSERT INTO t(_command) VALUES ('batch=1')")
        self.theirs("INSERT INTO t(PartitionKey, RowKey, N, S) VALUES ('p', 'y', 500, 'theirs'), ('p', 'z', 1, 'x')")
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey, N, S) VALUES ('p', 'y', 1, 'mine')")
        self.nested("z", "INSERT INTO t(PartitionKey, RowKey) WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n "
                    "WHERE i < 80) SELECT 'fill', i FROM n", "UPDATE t SET S = S WHERE PartitionKey = 'p' AND RowKey = 'y'")
        self.query("UPDATE t SET N = nested(RowKey, N) + 10 WHERE PartitionKey = 'p'")
        self.query("COMMIT")
        self.assertEqual([("y", 500, "theirs"), ("z", 11, "x")],
                         self.theirs("SELECT RowKey, N, S FROM t WHERE PartitionKey = 'p'"))


if __name__ == "__main__":
    unittest.main()
