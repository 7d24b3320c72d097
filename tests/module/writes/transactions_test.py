#!/usr/bin/env python3
"""Transactions over remote tables, tested on Azurite: what ROLLBACK, savepoints and failed
statements drop, and what COMMIT sends. A failed COMMIT also rolls back the local tables.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402


class Transactions(host.Case):
    """The virtual table `t`, and `u` over the same remote table."""

    def setUp(self):
        super().setUp()
        self.virtual("t")
        self.virtual("u")
        self.query("CREATE TABLE local(x)")

    def insert(self, row_key, table="t", partition="p", number=1):
        self.query(f"INSERT INTO {table}(PartitionKey, RowKey, A) VALUES(?, ?, ?)", partition,
                   row_key, number)

    def keys(self, partition="p"):
        """The row keys of a partition of the remote table."""
        return [row for _, row in self.remote(where=f"PartitionKey = '{partition}'")]

    def empty(self):
        """Empties the remote table."""
        self.query(f"SELECT aztables_drop_table('demo.{self.table}')")
        self.query(f"SELECT aztables_create_table('demo.{self.table}')")

    def run_script(self, script):
        """Runs statements. One like `t 1` inserts a row with that key into that table."""
        for line in script.split(";"):
            words = line.split()
            if len(words) == 2 and words[0] in ("t", "u"):
                self.insert(words[1], words[0])
            else:
                self.query(line)

    def test_savepoints(self):
        """Runs scripts and checks the remaining rows."""
        scripts = {
            "BEGIN; t 1; t 2; ROLLBACK": [],
            "BEGIN; t 1; ROLLBACK; BEGIN; t 2; COMMIT": ["2"],
            "BEGIN; t 1; SAVEPOINT a; t 2; ROLLBACK TO a; t 3; RELEASE a; COMMIT": ["1", "3"],
            "BEGIN; t 1; SAVEPOINT a; t 2; RELEASE a; t 3; COMMIT": ["1", "2", "3"],
            "BEGIN; t 1; SAVEPOINT a; t 2; SAVEPOINT b; t 3; ROLLBACK TO a; t 4; COMMIT": ["1", "4"],
            "BEGIN; t 1; SAVEPOINT a; t 2; SAVEPOINT b; t 3; ROLLBACK TO b; t 4; COMMIT":
                ["1", "2", "4"],
            "BEGIN; SAVEPOINT a; t 1; SAVEPOINT b; t 2; RELEASE b; ROLLBACK TO a; t 3; COMMIT": ["3"],
            # the same row again, after a rollback
            "BEGIN; t 1; SAVEPOINT a; t 2; ROLLBACK TO a; t 2; ROLLBACK TO a; t 2; COMMIT": ["1", "2"],
            # a savepoint starts the transaction, and its release commits it
            "SAVEPOINT a; t 1; SAVEPOINT b; t 2; ROLLBACK TO b; RELEASE a": ["1"],
            "SAVEPOINT a; t 1; ROLLBACK TO a; RELEASE a": [],
            "SAVEPOINT a; t 1; SAVEPOINT b; u 2; ROLLBACK TO a; t 3; u 4; RELEASE a": ["3", "4"],
            "SAVEPOINT a; SAVEPOINT b; t 1; RELEASE b; ROLLBACK TO a; t 2; RELEASE a": ["2"],
            "SAVEPOINT a; t 1; SAVEPOINT b; t 2; ROLLBACK TO a; ROLLBACK": [],
            # the table joins after two savepoints were opened
            "BEGIN; SAVEPOINT a; SAVEPOINT b; t 1; ROLLBACK TO a; t 2; COMMIT": ["2"],
            "BEGIN; SAVEPOINT a; SAVEPOINT b; t 1; ROLLBACK TO b; t 2; RELEASE a; COMMIT": ["2"],
            "BEGIN; SAVEPOINT a; SAVEPOINT b; t 1; RELEASE b; t 2; ROLLBACK TO a; COMMIT": [],
            "BEGIN; SAVEPOINT a; RELEASE a; t 1; SAVEPOINT a; t 2; ROLLBACK TO a; COMMIT": ["1"],
            # two tables over one remote table, which join at different times
            "BEGIN; t 1; u 2; SAVEPOINT a; t 3; u 4; ROLLBACK TO a; u 5; t 6; COMMIT":
                ["1", "2", "5", "6"],
            "BEGIN; t 1; SAVEPOINT a; u 2; SAVEPOINT b; t 3; u 4; ROLLBACK TO b; COMMIT": ["1", "2"],
            "BEGIN; t 1; SAVEPOINT a; u 2; SAVEPOINT b; t 3; u 4; ROLLBACK TO a; u 5; COMMIT":
                ["1", "5"],
            "BEGIN; t 1; SAVEPOINT a; t 2; SAVEPOINT b; u 3; ROLLBACK TO a; u 3; t 2; COMMIT":
                ["1", "2", "3"],
            "BEGIN; t 1; u 2; ROLLBACK": [],
        }
        for script, left in scripts.items():
            with self.subTest(script):
                self.empty()
                self.run_script(script)
                self.assertFalse(self.db.in_transaction)
                self.assertEqual(left, self.keys())

    def test_failed_statement_changes_nothing(self):
        rows = "WITH n(k, a) AS (VALUES('a', 1), (?, ?), ('c', 3)) SELECT 'p', k, a FROM n"
        statements = (f"INSERT INTO t(PartitionKey, RowKey, A) {rows}",
                      "INSERT INTO t(PartitionKey, RowKey, A) VALUES('p', ?, ?)")
        reasons = ((None, 2, "SQLITE_CONSTRAINT_NOTNULL"), ("b", "two", "SQLITE_MISMATCH"),
                   ("b" * 9999, 2, "SQLITE_TOOBIG"), ("before", 2, "SQLITE_CONSTRAINT_PRIMARYKEY"))
        for before in ([], ["before"]):  # the first statement of the transaction, or a later one
            for sql in statements:
                for row_key, number, code in reasons[: 3 + len(before)]:
                    with self.subTest((before, sql, code)):
                        self.empty()
                        self.query("BEGIN")
                        self.query("INSERT INTO local VALUES(1)")
                        for key in before:
                            self.insert(key)
                        with self.assertRaises(sqlite3.Error) as caught:
                            self.query(sql, row_key, number)
                        self.assertEqual(code, caught.exception.sqlite_errorname, caught.exception)
                        self.assertTrue(self.db.in_transaction)
                        self.insert("a")  # the failed statement did not insert this key
                        self.query("COMMIT")
                        self.assertEqual(["a"] + before, self.keys())

    def test_failed_local_statement(self):
        """SQLite undoes the statement in the remote table, too, although it did not change that
        table.
        """
        self.query("CREATE TABLE narrow(x CHECK(x < 3))")
        self.query("BEGIN")
        self.insert("1")
        with self.assertRaises(sqlite3.IntegrityError):
            self.query("INSERT INTO narrow VALUES(1), (2), (3)")
        self.insert("2")
        self.query("COMMIT")
        self.assertEqual(["1", "2"], self.keys())

    def test_failed_autocommit_statement(self):
        with self.assertRaises(sqlite3.IntegrityError):
            self.query("INSERT INTO t(PartitionKey, RowKey) VALUES('p', 'a'), ('p', NULL), ('p', 'c')")
        self.assertFalse(self.db.in_transaction)
        self.assertEqual((0, []), (self.sent(), self.keys()))
        self.insert("a")
        self.assertEqual(["a"], self.keys())

    def test_failed_commit_rolls_back_the_local_table(self):
        self.insert("taken")
        self.query("BEGIN")
        self.query("INSERT INTO local VALUES(1)")
        self.insert("new")
        self.insert("taken", table="u")
        message = self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_PRIMARYKEY",
                             "the entity PartitionKey='p', RowKey='taken' already exists", "COMMIT")
        self.assertTrue(message.endswith("; 0 of 1 EGTs applied: see aztables_commits"), message)
        self.assertFalse(self.db.in_transaction)
        self.assertEqual([], self.query("SELECT * FROM local"))
        self.assertEqual(["taken"], self.keys())
        self.query("BEGIN")  # everything is usable, and no write of the failed transaction remains
        self.query("INSERT INTO local VALUES(2)")
        self.insert("new")
        self.query("COMMIT")
        self.assertEqual([(2,)], self.query("SELECT * FROM local"))
        self.assertEqual(["new", "taken"], self.keys())

    def test_duplicate_in_the_transaction(self):
        for table in ("t", "u"):  # also through the other virtual table
            self.query("BEGIN")
            self.insert("1")
            self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_PRIMARYKEY",
                       f"table {table}: the entity PartitionKey='p', RowKey='1' already exists",
                       f"INSERT INTO {table}(PartitionKey, RowKey) VALUES('p', '1')")
            self.query("ROLLBACK")
        self.assertEqual(0, self.sent())

    def test_groups_into_egts(self):
        """250 rows in three partitions in mixed order: 120 + 80 + 50, so 2 + 1 + 1 EGTs."""
        self.query("INSERT INTO t(PartitionKey, RowKey, A) WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1"
                   " FROM n WHERE i < 249) SELECT CASE WHEN i % 25 < 12 THEN 'a' WHEN i % 25 < 20 THEN"
                   " 'b' ELSE 'c' END, printf('%03d', i), i FROM n")
        requests = self.query("SELECT entities, status, attempts, method, table_name FROM aztables_requests"
                              " WHERE kind = 'EGT' ORDER BY id")
        self.assertEqual([(count, 202, 1, "POST", self.table) for count in (100, 20, 80, 50)], requests)
        self.assertEqual([(250, sum(range(250)))], self.remote("count(*), sum(A)"))

    def test_one_partition_written_through_two_tables_is_one_egt(self):
        self.run_script("BEGIN; t 1; u 2; t 3; COMMIT")
        self.assertEqual((1, ["1", "2", "3"]), (self.sent(), self.keys()))

    def test_nothing_to_send(self):
        self.run_script("BEGIN; t 1; SAVEPOINT a; ROLLBACK; BEGIN; COMMIT")
        self.query("INSERT INTO t(PartitionKey, RowKey) SELECT 'p', x FROM local")
        self.assertEqual(0, self.sent())

    def test_reads_while_it_writes(self):
        """Reads from the same virtual table, and from another one over the same remote table."""
        self.query("INSERT INTO t(PartitionKey, RowKey, A) WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1"
                   " FROM n WHERE i < 1500) SELECT 'p', printf('%05d', i), i FROM n")
        self.query("INSERT INTO t(PartitionKey, RowKey, A) SELECT 'p', RowKey || 'x', A FROM t")
        self.assertEqual([(3000, 2 * 1500 * 1501 // 2)], self.remote("count(*), sum(A)"))
        self.query("INSERT INTO u(PartitionKey, RowKey, A) SELECT 'p', RowKey || 'y', A FROM t")
        self.assertEqual([(6000, 4 * 1500 * 1501 // 2)], self.remote("count(*), sum(A)"))
        self.query("BEGIN")
        cursor = self.db.execute("SELECT RowKey FROM t")  # open while rows are inserted and deleted
        first = [cursor.fetchone()[0] for _ in range(1200)]
        self.insert("00000")
        self.insert("99999", table="u")
        rest = [row[0] for row in cursor]
        self.query("ROLLBACK")
        self.assertEqual((6000, 6000), (len(first + rest), len(set(first + rest))))

    def test_drop_inside_the_transaction(self):
        """SQLite does not call xCommit for a dropped table, so a table with unsent rows cannot be
        dropped.
        """
        self.query("BEGIN")
        self.insert("1")
        self.insert("2", table="u")
        self.fails(sqlite3.OperationalError, "SQLITE_LOCKED", "locked", "DROP TABLE t")
        self.query("COMMIT")
        self.assertEqual(["1", "2"], self.keys())
        self.query("BEGIN")
        self.query("SAVEPOINT a")
        self.insert("3")
        self.insert("4", table="u")
        self.query("ROLLBACK TO a")
        self.query("DROP TABLE t")  # nothing remains to send
        self.insert("5", table="u")
        self.query("COMMIT")
        self.assertEqual(["1", "2", "5"], self.keys())
        self.assertEqual([("local",), ("u",)], self.query("SELECT name FROM sqlite_schema ORDER BY 1"))

    def test_drop_after_inserted_rows_were_deleted(self):
        """Then nothing is pending, unless ROLLBACK TO a savepoint would restore it."""
        self.insert("1")
        for ends in (["COMMIT"], ["ROLLBACK"], ["ROLLBACK TO a", "COMMIT"]):
            with self.subTest(ends=ends):
                self.query("BEGIN")
                self.query("SAVEPOINT a")
                self.insert("3")
                self.insert("4", table="u")
                self.query("DELETE FROM t WHERE RowKey = '3'")
                self.query("DROP TABLE t")
                self.insert("5", table="u")
                for end in ends:
                    self.query(end)
                self.assertEqual(["1", "4", "5"] if ends == ["COMMIT"] else ["1"], self.keys())
                self.query("DELETE FROM u WHERE RowKey > '1'")
                if ends == ["COMMIT"]:
                    self.virtual("t")
        for again in ("SAVEPOINT b", "INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '2')",
                      "DELETE FROM t WHERE RowKey = '1'", "UPDATE t SET A = 7", "UPDATE u SET A = 7 WHERE RowKey = '3'"):
            with self.subTest(again):
                self.query("BEGIN")
                self.insert("3")
                self.query(again)
                self.query("DELETE FROM t WHERE RowKey = '3'")
                self.fails(sqlite3.OperationalError, "SQLITE_LOCKED", "locked", "DROP TABLE t")
                if again.startswith("SAVEPOINT"):
                    self.query("ROLLBACK TO b")
                    self.assertEqual(["1", "3"], [row[0] for row in self.query("SELECT RowKey FROM t")])
                    self.query("RELEASE b")
                    self.query("DELETE FROM t WHERE RowKey = '3'")
                    self.query("DROP TABLE t")
                self.query("ROLLBACK")
                self.assertEqual(["1"], self.keys())


if __name__ == "__main__":
    unittest.main()
