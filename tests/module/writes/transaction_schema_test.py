#!/usr/bin/env python3
"""Schema changes in a transaction: a connection's name gets another meaning, or a participating
virtual table is dropped, even while a COMMIT can be repeated. The last test checks the rowids of
inserted rows.
"""

import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402


class Renamed(host.LocalCase):
    """A transaction keeps its service. `t` is a table of the connection `moving`, which starts as a
    copy of `demo`.
    """

    def setUp(self):
        super().setUp()
        self.point_to(os.environ["AZTABLES_CONNECTION_DEMO"])
        self.virtual("t", connection="moving")

    def point_to(self, store):
        self.query("SELECT aztables_connect('moving', ?)", store)

    def write_in_both(self):
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', '1', 1)")
        self.point_to(f"LocalStore={self.stores}/second.db")
        self.query("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', '2', 2)")
        self.query("UPDATE t SET A = A + 10")
        self.query("DELETE FROM t WHERE RowKey = '0'")
        self.assertEqual([("1", 11), ("2", 12)], self.query("SELECT RowKey, A FROM t"))

    def test_rows_are_sent_to_the_service_of_the_first_row(self):
        self.query("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', '0', 0)")
        self.write_in_both()
        self.query("COMMIT")
        self.assertEqual([("1", 11), ("2", 12)], self.remote("RowKey, A"))
        self.query(f"SELECT aztables_create_table('moving.{self.table}')")
        self.assertEqual([], self.query("SELECT RowKey FROM t"))
        self.query("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', '3', 3)")
        self.assertEqual([("3",)], self.query("SELECT RowKey FROM t"))
        self.assertEqual([("1", 11), ("2", 12)], self.remote("RowKey, A"))

    def test_rolled_back_rows_exist_on_no_service(self):
        self.write_in_both()
        self.query("ROLLBACK")
        self.query(f"SELECT aztables_create_table('moving.{self.table}')")
        self.assertEqual(([], []), (self.query("SELECT RowKey FROM t"), self.remote()))

    def test_forgotten_connection(self):
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1')")
        self.query("SELECT aztables_disconnect('moving')")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '2')")
        self.query("COMMIT")
        self.assertEqual([("p", "1"), ("p", "2")], self.remote())
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "moving", "SELECT * FROM t")

    def test_renamed_table(self):
        for end, left in (("ROLLBACK", []), ("COMMIT", [("p", "1"), ("p", "2")])):
            self.query("BEGIN")
            self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1')")
            self.query("ALTER TABLE t RENAME TO u")
            self.query("INSERT INTO u(PartitionKey, RowKey) VALUES ('p', '2')")
            self.assertEqual([("1",), ("2",)], self.query("SELECT RowKey FROM u"))
            self.query(end)
            self.assertEqual(left, self.remote())


class Dropped(host.LocalCase):
    """DROP TABLE of a virtual table that participates without rows."""

    def test_later_reads_are_not_assumed_known(self):
        for end in ("COMMIT", "ROLLBACK"):
            for change in ("DELETE FROM t WHERE PartitionKey = 'none'", "UPDATE t SET A = 1 WHERE PartitionKey = 'none'",
                           "INSERT OR IGNORE INTO t(PartitionKey, RowKey) VALUES ('p', NULL)"):
                with self.subTest(end, change=change):
                    self.virtual_for_two("t")
                    self.query("BEGIN")
                    self.query(change)
                    self.query("DROP TABLE t")
                    self.query(end)
                    self.virtual("t") if end == "COMMIT" else None
                    self.other.execute("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1')")
                    self.assertEqual([("1",)], self.query("SELECT RowKey FROM t"))
                    self.other.execute("DELETE FROM t")
                    self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1')")
                    self.assertEqual([("p", "1")], self.remote())
                    self.query("DELETE FROM t")
                    self.query("DROP TABLE t")

    def test_earlier_reads_are_forgotten(self):
        for end in ("COMMIT", "ROLLBACK"):
            for read in ("SELECT * FROM t", "UPDATE t SET A = 1 WHERE A = 99", "DELETE FROM t WHERE A = 99"):
                with self.subTest(end, read=read):
                    self.virtual_for_two("t")
                    self.other.execute("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1')")
                    self.query("BEGIN")
                    self.query("DELETE FROM t WHERE PartitionKey = 'none'")
                    self.query(read)
                    self.query("DROP TABLE t")
                    self.query(end)
                    self.virtual("t") if end == "COMMIT" else None
                    self.other.execute("DELETE FROM t")
                    self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1')")
                    self.query("DELETE FROM t")
                    self.query("DROP TABLE t")

    def test_rows_of_other_tables_are_sent(self):
        self.virtual("t")
        self.virtual("u")
        self.query("BEGIN")
        self.query("DELETE FROM t")
        self.query("INSERT INTO u(PartitionKey, RowKey) VALUES ('p', '1')")
        self.query("DROP TABLE t")
        self.query("INSERT INTO u(PartitionKey, RowKey) VALUES ('p', '2')")
        self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_PRIMARYKEY", "PartitionKey='p', RowKey='1' already exists",
                   "INSERT INTO u(PartitionKey, RowKey) VALUES ('p', '1')")
        self.query("COMMIT")
        self.assertEqual([("p", "1"), ("p", "2")], self.remote())


class Created(host.LocalCase):
    """CREATE VIRTUAL TABLE in a transaction, and ROLLBACK TO a savepoint before or after it."""

    def insert(self, row):
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', ?)", row)

    def test_same_name_again(self):
        self.query("BEGIN")
        self.query("SAVEPOINT s")
        self.virtual("t")
        self.insert("rolled back")
        self.query("ROLLBACK TO s")
        self.virtual("t")
        self.insert("kept")
        self.query("COMMIT")
        self.assertEqual([("p", "kept")], self.remote())

    def test_name_that_a_rollback_restores(self):
        self.query("BEGIN")
        self.virtual("t")
        self.insert("1")
        self.query("SAVEPOINT s")
        self.query("ALTER TABLE t RENAME TO u")
        self.query("ROLLBACK TO s")
        self.insert("2")
        self.query("COMMIT")
        self.assertEqual([("p", "1"), ("p", "2")], self.remote())


class WhileACommitWaits(host.ServerCase):
    """A COMMIT that found the service busy needs all its tables."""

    def setUp(self):
        super().setUp()
        self.proxy = self.cut_connection()
        for name in ("t", "idle", "stranger"):
            self.virtual(name, connection="cut", retries=0)

    def find_busy(self):
        self.query("BEGIN")
        self.query("DELETE FROM idle WHERE PartitionKey = 'none'")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1'), ('q', '1')")
        self.proxy.plan = {self.proxy.batches + 2: "busy"}
        self.fails(sqlite3.OperationalError, "SQLITE_BUSY", "1 of 2 EGTs applied", "COMMIT")

    def test_no_table_can_be_dropped(self):
        for end, left in (("COMMIT", 2), ("ROLLBACK", 1)):
            with self.subTest(end):
                self.find_busy()
                for table in ("t", "idle", "stranger"):
                    self.fails(sqlite3.OperationalError, "SQLITE_LOCKED", "", f"DROP TABLE {table}")
                self.query(end)
                self.assertEqual(left, len(self.remote()))
                self.query("DELETE FROM t")

    def test_commit_continues_on_its_service(self):
        self.find_busy()
        self.query("SELECT aztables_connect('cut', 'LocalStore=:memory:')")
        self.assertEqual([("p",), ("q",)], self.query("SELECT PartitionKey FROM t"))
        self.query("COMMIT")
        self.assertEqual([("p", "1"), ("q", "1")], self.remote())

    def test_all_tables_can_be_dropped_afterwards(self):
        self.find_busy()
        self.query("ROLLBACK")
        for table in ("t", "idle", "stranger"):
            self.query(f"DROP TABLE {table}")
        self.assertEqual([], self.query("SELECT name FROM sqlite_schema"))
        self.virtual("t", connection="cut")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('r', '1')")
        self.assertEqual(2, len(self.remote()))


class Rowids(host.LocalCase):
    """After it is read, the rowid of an inserted row stays known as long as the rowid of any other
    read row.
    """

    def test_rowid_outlives_the_next_insert(self):
        for begin, end in (("BEGIN", "COMMIT"), ("SELECT 1", "SELECT 1")):
            for read in ("SELECT rowid FROM t", "SELECT A FROM t WHERE rowid = last_insert_rowid()",
                         "UPDATE t SET A = 1 WHERE rowid = last_insert_rowid()"):
                with self.subTest(begin, read=read):
                    self.inserted_and_changed(begin, read, end)

    def inserted_and_changed(self, begin, read, end):
        self.virtual("t")
        self.query("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('a', 'before', 0)")
        self.query(begin)
        ids = {}
        for row in "xyz":
            self.query("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', ?, 0)", row)
            [(ids[row],)] = self.query("SELECT last_insert_rowid()")
            self.query(read)
        for row, rowid in ids.items():
            self.assertEqual([(row,)], self.query("SELECT RowKey FROM t WHERE rowid = ?", rowid))
        self.query("UPDATE t SET A = 7 WHERE rowid IN (?, ?)", ids["x"], ids["z"])
        self.query("DELETE FROM t WHERE rowid = ?", ids["y"])
        self.query(end)
        self.assertEqual([("x", 7), ("z", 7)], self.remote("RowKey, A", "PartitionKey = 'p'"))
        self.query("DELETE FROM t WHERE rowid IN (?, ?)", ids["x"], ids["z"])
        self.assertEqual([("a", "before")], self.remote())
        self.query("DELETE FROM t")
        self.query("DROP TABLE t")


if __name__ == "__main__":
    unittest.main()
