#!/usr/bin/env python3
"""Writes whose response is lost: they are sent again, and their outcome is found out, on Azurite by
reading the entities, on aztables-server by its memory of request ids. Another writer changes
entities at that moment.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402
from cut_proxy import Before  # noqa: E402

host.enter()
import sqlite3  # noqa: E402

LOST = ("drop response", "half response")
WAYS = (*LOST, "refuse", "busy")


class Settled:
    """Each statement through a proxy that breaks its first batch. `cut` is the table on it."""

    reads = True  # whether the outcome is read

    def setUp(self):
        super().setUp()
        self.proxy = self.cut_connection()
        self.virtual("t", "N INT32")
        self.virtual("cut", "N INT32", connection="cut")

    def fill(self, *rows):
        self.query("DELETE FROM t")
        self.db.executemany("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p', ?, ?)", rows)

    def rows(self):
        return self.query("SELECT RowKey, N FROM t ORDER BY RowKey")

    def broken(self, way, sql):
        self.proxy.plan = {self.proxy.batches + 1: way}
        self.query(sql)

    def last(self):
        """settled and settle_reads of the last EGT."""
        return self.query("SELECT outcome, settled, settle_reads FROM aztables_commits ORDER BY rowid DESC LIMIT 1")[0]

    def check(self, sql, expected, *, refused=True):
        """`refused`: whether a second attempt of an EGT that was applied is refused."""
        for way in WAYS:
            with self.subTest(sql, way=way):
                self.fill(("1", 1), ("2", 2))
                self.broken(way, sql)
                self.assertEqual(expected, self.rows())
                reads = int(self.reads and refused and way in LOST)
                self.assertEqual(("applied", int(way != "busy"), reads), self.last())

    def test_insert(self):
        self.check("INSERT INTO cut(PartitionKey, RowKey, N) VALUES ('p', '3', 3), ('p', '4', 4)",
                   [("1", 1), ("2", 2), ("3", 3), ("4", 4)])

    def test_update_adds_once(self):
        self.check("UPDATE cut SET N = N + 10", [("1", 11), ("2", 12)])

    def test_delete(self):
        self.check("DELETE FROM cut WHERE RowKey = '1'", [("2", 2)])

    def test_change_of_a_key(self):
        self.check("UPDATE cut SET RowKey = '9' WHERE RowKey = '1'", [("2", 2), ("9", 1)])

    def test_replace(self):
        self.check("INSERT OR REPLACE INTO cut(PartitionKey, RowKey, N) VALUES ('p', '1', 5)", [("1", 5), ("2", 2)],
                   refused=False)

    def test_or_ignore_leaves_out_no_row_of_its_own(self):
        self.check("INSERT OR IGNORE INTO cut(PartitionKey, RowKey, N) VALUES ('p', '3', 3)",
                   [("1", 1), ("2", 2), ("3", 3)])

    def test_bulk_with_on_error_continue(self):
        self.virtual("bulk", "N INT32", connection="cut", bulk="on", on_error="continue")
        self.check("INSERT INTO bulk(PartitionKey, RowKey, N) VALUES ('p', '3', 3), ('p', '4', 4)",
                   [("1", 1), ("2", 2), ("3", 3), ("4", 4)])
        self.assertEqual([], self.query("SELECT * FROM aztables_commits WHERE outcome = 'failed'"))

    def test_commit_that_is_repeated(self):
        self.virtual("once", "N INT32", connection="cut", retries="0")
        for way in WAYS:
            with self.subTest(way=way):
                self.fill(("1", 1))
                self.query("BEGIN")
                self.query("UPDATE once SET N = N + 10")
                self.proxy.plan = {self.proxy.batches + 1: way}
                self.fails(sqlite3.OperationalError, "SQLITE_BUSY", "0 of 1 EGTs applied", "COMMIT")
                self.assertEqual("failed" if way == "busy" else "unknown", self.last()[0])
                self.query("COMMIT")
                self.assertEqual([("1", 11)], self.rows())
                self.assertEqual("applied", self.last()[0])

    def test_bulk_is_settled_by_commit(self):
        self.virtual("bulk", "N INT32", connection="cut", bulk="on", batch="2", retries="0", parallel="1")
        insert = ("INSERT INTO bulk(PartitionKey, RowKey, N) WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n "
                  "WHERE i < 300) SELECT 'p', i, i FROM n")
        for way in LOST:
            for end, outcomes in (("COMMIT", ["applied", "applied", "unknown", "applied"]),
                                  ("ROLLBACK", ["applied", "applied", "unknown"])):
                with self.subTest(way=way, end=end):
                    self.query("DELETE FROM t")
                    before = self.query("SELECT coalesce(max(rowid), 0) FROM aztables_commits")[0][0]
                    self.query("BEGIN")
                    self.proxy.plan = {self.proxy.batches + 3: way}
                    self.fails(sqlite3.OperationalError, "SQLITE_BUSY", "the outcome of 1 EGT is unknown: COMMIT settles it; "
                               "2 of 64 EGTs applied", insert)
                    self.query(end)
                    sent = self.query("SELECT outcome, settled, settle_reads FROM aztables_commits "
                                      f"WHERE rowid > {before} AND outcome <> 'not sent'")
                    self.assertEqual(outcomes, [outcome for outcome, _, _ in sent])
                    if end == "COMMIT":
                        self.assertEqual(("applied", 1, int(self.reads)), sent[-1])
                    self.assertEqual([(str(row), row) for row in range(100, 106)], self.rows())

    def test_autocommit_reports_what_is_unknown(self):
        self.virtual("once", "N INT32", connection="cut", retries="0")
        self.proxy.plan = {self.proxy.batches + 1: "drop response"}
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "the outcome of 1 EGT is unknown: read the entities",
                   "INSERT INTO once(PartitionKey, RowKey, N) VALUES ('p', '1', 1)")

    def test_settle_off(self):
        self.virtual("off", "N INT32", connection="cut", settle="off")
        self.proxy.plan = {self.proxy.batches + 1: "drop response"}
        sent = self.sent()
        self.query("BEGIN")
        self.query("INSERT INTO off(PartitionKey, RowKey, N) VALUES ('p', '1', 1)")
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "is unknown: read the entities", "COMMIT")
        self.assertEqual(1, self.sent() - sent)
        self.assertFalse(self.db.in_transaction)

    def lose_after_the_work(self, change):
        """The proxy's function runs before the service has responded. The change follows later."""

        def lose():
            other = host.connect()
            self.virtual("t", "N INT32", db=other)
            while other.execute("SELECT N FROM t WHERE RowKey = '2'").fetchall() != [(12,)]:
                pass
            other.execute(change)
            other.close()
            return "drop response"

        return lose


class ReadBack(Settled):
    """On a service that does not remember writes."""

    def test_one_entity_decides(self):
        self.fill(("1", 1), ("2", 2))
        self.proxy.plan = {self.proxy.batches + 1: self.lose_after_the_work("UPDATE t SET N = 77 WHERE RowKey = '1'")}
        self.query("UPDATE cut SET N = N + 10")
        self.assertEqual([("1", 77), ("2", 12)], self.rows())

    def test_somebody_else_wrote_everything(self):
        self.fill(("2", 2))
        self.proxy.plan = {self.proxy.batches + 1: self.lose_after_the_work("UPDATE t SET N = 77")}
        self.lost_to_somebody_else("UPDATE cut SET N = N + 10")
        self.assertEqual([("2", 77)], self.rows())

    def lost_to_somebody_else(self, sql):
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "RowKey='2' was written by somebody else at the same time; "
                   "the outcome of 1 EGT is unknown: read the entities", sql)

    def lose_to(self, change):
        """The first attempt is lost, and somebody else has made the change when the second one arrives."""

        def lose():
            other = host.connect()
            self.virtual("t", "N INT32", db=other)
            other.execute(change)
            other.close()
            return "refuse"

        self.proxy.plan = {self.proxy.batches + 1: Before(lose)}


class OnAzurite(ReadBack, host.Case):
    def test_an_equal_write_of_somebody_else_is_taken_for_ours(self):
        self.fill(("2", 2))
        self.lose_to("UPDATE t SET N = 6")
        self.query("UPDATE cut SET N = 6")
        self.assertEqual(("applied", 1, 1), self.last())
        self.lose_to("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p', '3', 3)")
        self.query("INSERT INTO cut(PartitionKey, RowKey, N) VALUES ('p', '3', 3)")
        self.assertEqual(("applied", 1, 1), self.last())

    def test_contradictory_entities_leave_it_unknown(self):
        self.fill(("2", 2))
        self.lose_to("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p', '3', 3)")
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "RowKey='3' was written by somebody else at the same time",
                   "INSERT INTO cut(PartitionKey, RowKey, N) VALUES ('p', '3', 3), ('p', '4', 4)")
        self.assertEqual([("2", 2), ("3", 3)], self.rows())

    def test_an_upsert_that_arrives_again_overwrites_a_later_write(self):
        self.fill(("2", 2))
        self.proxy.plan = {self.proxy.batches + 1: self.lose_after_the_work("UPDATE t SET N = 77")}
        self.query("INSERT OR REPLACE INTO cut(PartitionKey, RowKey, N) VALUES ('p', '2', 12)")
        self.assertEqual([("2", 12)], self.rows())


class OnServer(Settled, host.ServerCase):
    reads = False

    def test_an_upsert_that_arrives_again_overwrites_nothing(self):
        self.fill(("2", 2))
        self.proxy.plan = {self.proxy.batches + 1: self.lose_after_the_work("UPDATE t SET N = 77")}
        self.query("INSERT OR REPLACE INTO cut(PartitionKey, RowKey, N) VALUES ('p', '2', 12)")
        self.assertEqual([("2", 77)], self.rows())


if __name__ == "__main__":
    unittest.main()
