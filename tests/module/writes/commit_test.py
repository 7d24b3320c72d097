#!/usr/bin/env python3
"""Transactions over remote tables: what ROLLBACK, savepoints and failed statements drop, and which
EGTs a COMMIT sends. If a COMMIT fails, its report about each partition must match the remote table.
"""

import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402


class Case(host.Case):
    def setUp(self):
        super().setUp()
        self.virtual("t")

    def insert(self, partition, *rows, table="t"):
        for row in rows:
            self.query(f"INSERT INTO {table}(PartitionKey, RowKey) VALUES (?, ?)", partition, row)

    def run_all(self, script):
        for statement in script.split(";"):
            self.query(statement)


class Local(Case):
    """Writes that are dropped before anything is sent."""

    def test_rollback(self):
        self.query("BEGIN")
        self.insert("p", "1", "2")
        self.query("ROLLBACK")
        self.assertEqual((0, []), (self.sent(), self.remote()))

    def test_nested_savepoints(self):
        self.query("SAVEPOINT a")
        self.insert("p", "1")
        self.query("SAVEPOINT b")
        self.insert("p", "2")
        self.query("SAVEPOINT c")
        self.insert("p", "3")
        self.query("RELEASE c")
        self.query("ROLLBACK TO b")
        self.insert("p", "4")
        self.query("RELEASE b")
        self.query("RELEASE a")
        self.assertEqual([("p", "1"), ("p", "4")], self.remote())

    def test_table_that_joins_late(self):
        self.virtual("other")
        self.query("BEGIN")
        self.insert("p", "1")
        self.query("SAVEPOINT a")
        self.query("SAVEPOINT b")
        self.insert("p", "2")
        self.insert("p", "3", table="other")
        self.query("RELEASE b")
        self.insert("p", "4", table="other")
        self.query("ROLLBACK TO a")
        self.insert("p", "5", table="other")
        self.query("COMMIT")
        self.assertEqual([("p", "1"), ("p", "5")], self.remote())
        self.assertEqual(1, self.sent())  # both tables write to one partition of one remote table

    def test_failed_statement_changes_nothing(self):
        self.query("BEGIN")
        self.insert("p", "1")
        for bad in ("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '2'), ('p', NULL), ('p', '3')",
                    "INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', '2', 1), ('p', '3', 'x')",
                    "INSERT INTO t(PartitionKey, RowKey) SELECT 'p', value FROM json_each('[\"2\", \"1\"]')",
                    "INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', '2', 'x')",
                    "INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1')",
                    "UPDATE t SET A = 'x'", "UPDATE t SET RowKey = 'a/b'", "UPDATE t SET RowKey = NULL",
                    "INSERT INTO t(PartitionKey, RowKey) VALUES ('p', 'a/b')"):
            with self.assertRaises(sqlite3.Error, msg=bad):
                self.query(bad)
                self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('q', NULL)")
        self.insert("p", "2")
        self.query("COMMIT")
        self.assertEqual([("p", "1"), ("p", "2")], self.remote())

    def test_failed_local_statement(self):
        self.query("CREATE TABLE local(x UNIQUE)")
        self.query("BEGIN")
        self.insert("p", "1")
        self.query("INSERT INTO local VALUES (1)")
        with self.assertRaises(sqlite3.IntegrityError):
            self.query("INSERT INTO local VALUES (2), (1)")
        self.query("COMMIT")
        self.assertEqual([("p", "1")], self.remote())
        self.assertEqual([(1,)], self.query("SELECT x FROM local"))


class Sent(Case):
    """The requests of a COMMIT."""

    def test_egts_of_an_insert_select(self):
        self.query("INSERT INTO t(PartitionKey, RowKey) WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c "
                   "WHERE i < 249) SELECT 'p' || (i % 2), printf('%03d', i) FROM c UNION ALL SELECT 'q', '1'")
        sizes = [n for n, in self.query("SELECT entities FROM aztables_requests WHERE kind = 'EGT' ORDER BY id")]
        self.assertEqual([100, 25, 100, 25, 1], sizes)
        self.assertEqual(self.query("SELECT bytes_out FROM aztables_requests WHERE kind = 'EGT' ORDER BY id"),
                         self.query("SELECT bytes FROM aztables_commits"))
        self.assertEqual(251, len(self.remote()))

    def test_egt_stays_below_4_mib(self):
        self.virtual("wide", ", ".join(f"S{i} STRING" for i in range(14)))
        values = ", ".join(f"printf('%.*c', 30000, '{c}')" for c in "abcdefghijklmn")
        columns = ", ".join(f"S{i}" for i in range(14))
        self.query(f"INSERT INTO wide(PartitionKey, RowKey, {columns}) WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT "
                   f"i + 1 FROM c WHERE i < 24) SELECT 'p', i, {values} FROM c")
        sent = self.query("SELECT bytes_out, entities FROM aztables_requests WHERE kind = 'EGT' ORDER BY id")
        self.assertTrue(all(size <= 4 * 2**20 for size, _ in sent), sent)
        self.assertEqual(25, sum(n for _, n in sent))
        self.assertLessEqual(len(sent), 4)

    def test_reading_while_writing(self):
        self.insert("p", *map(str, range(10)))
        self.query("INSERT INTO t(PartitionKey, RowKey) SELECT 'q', RowKey FROM t")
        self.virtual("other")
        self.query("INSERT INTO other(PartitionKey, RowKey) SELECT 'r', RowKey FROM t WHERE PartitionKey = 'q'")
        self.assertEqual(30, len(set(self.remote())))


class Failed(Case):
    """Failed COMMITs and their reports."""

    def test_conflict_rolls_back_the_local_table(self):
        self.insert("b", "1")
        self.query("CREATE TABLE local(x)")
        self.query("BEGIN")
        self.query("INSERT INTO local VALUES (1)")
        self.insert("a", "1")
        self.insert("b", "0", "1")
        self.insert("c", "1")
        self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_PRIMARYKEY",
                   "the entity PartitionKey='b', RowKey='1' already exists", "COMMIT")
        failed = self.query("SELECT row_key, operation, operations, status, code FROM aztables_commits WHERE outcome ="
                            " 'failed'")
        self.assertEqual([("1", "Insert", 2, 409, "EntityAlreadyExists")], failed)
        outcomes = self.outcomes()
        self.assertEqual({"b"}, outcomes["failed"])
        self.assertEqual([], self.query("SELECT x FROM local"))
        self.assertFalse(self.db.in_transaction)
        held = {partition for partition, _ in self.remote(where="PartitionKey <> 'b'")}
        self.assertEqual(outcomes["applied"], held)
        self.assertEqual([("b", "1")], self.remote(where="PartitionKey = 'b'"))
        self.insert("d", "1")  # the connection stays usable
        self.assertIn(("d", "1"), self.remote())

    def broken(self, way, number, timeout="60"):
        """Commits 20 partitions of one entity each through a proxy that breaks the batch
        `number`.
        """
        with self.cut_connection() as proxy:
            proxy.plan = {number: way}
            name = f"cut{way.replace(' ', '')}{number}"
            self.virtual(name, connection="cut", timeout=timeout, retries=0)
            self.query("BEGIN")
            for i in range(20):
                self.insert(f"{name}-{i:02}", "1", table=name)
            with self.assertRaises(sqlite3.OperationalError) as caught:
                self.query("COMMIT")
            self.assertEqual("SQLITE_BUSY", caught.exception.sqlite_errorname)
            outcomes = self.outcomes()
            self.assertEqual(20, sum(map(len, outcomes.values())), str(caught.exception))
            self.assertIn(f"{len(outcomes['applied'])} of 20 EGTs applied", str(caught.exception))
            held = {p for p, _ in self.remote(where=f"PartitionKey >= '{name}-' AND PartitionKey < '{name}.'")}
            self.assertEqual(outcomes["applied"], held - outcomes["unknown"])
            self.assertFalse(held & (outcomes["failed"] | outcomes["not sent"]), "an entity exists that is reported as failed or not sent")
            # COMMIT waits for the requests in flight after the first failure. A hanging batch fails
            # late.
            self.assertTrue(outcomes["not sent"] or number > 11 or way == "hang")
            proxy.plan = {}
            self.again(name, outcomes)
            self.insert(f"{name}-after", "1", table=name)
        return outcomes, held

    def test_missing_response_makes_the_outcome_unknown(self):
        for way, number in (("drop response", 1), ("half response", 3), ("drop response", 20)):
            with self.subTest(way=way, number=number):
                outcomes, held = self.broken(way, number)
                self.assertTrue(outcomes["unknown"])
                self.assertTrue(outcomes["unknown"] & held, "an EGT with an unknown outcome was applied")

    def test_hanging_service(self):
        outcomes, held = self.broken("hang", 2, timeout="1")
        self.assertTrue(outcomes["unknown"] & held)

    def again(self, name, outcomes):
        """Repeats a COMMIT that found the service busy, after statements that must fail before
        it.
        """
        self.assertTrue(self.db.in_transaction)
        pending = {p for p, in self.query("SELECT partition_key FROM aztables_pending")}
        self.assertEqual(outcomes["failed"] | outcomes["not sent"] | outcomes["unknown"], pending)
        for sql in (f"INSERT INTO {name}(PartitionKey, RowKey) VALUES('x', 'y')", f"DELETE FROM {name}"):
            self.fails(sqlite3.OperationalError, "SQLITE_BUSY", "the service was busy or unreachable during COMMIT", sql)
        sent = self.sent()
        self.query("COMMIT")
        self.assertEqual(20 - len(outcomes["applied"]), self.sent() - sent, "applied EGTs are not sent again")
        self.assertEqual(pending, self.outcomes()["applied"])
        self.assertEqual(20, len(self.remote(where=f"PartitionKey >= '{name}-' AND PartitionKey < '{name}.'")))

    def test_busy_commit_can_be_repeated(self):
        outcomes, _ = self.broken("busy", 4)
        self.assertEqual(1, len(outcomes["failed"]))
        self.assertFalse(outcomes["unknown"])

    def test_busy_request_is_retried(self):
        with self.cut_connection() as proxy:
            proxy.plan = {1: "busy"}
            self.virtual("patient", connection="cut")
            self.insert("p", "1", table="patient")
            attempts = self.query("SELECT attempts FROM aztables_requests WHERE kind = 'EGT' ORDER BY id DESC LIMIT 1")
            self.assertEqual([(2,)], attempts)

    def test_rollback_of_a_busy_commit_drops_unsent_writes(self):
        with self.cut_connection() as proxy:
            proxy.plan = {2: "busy"}
            self.virtual("given_up", connection="cut", retries=0)
            self.query("BEGIN")
            self.insert("a", "1", table="given_up")
            self.insert("b", "1", table="given_up")
            self.fails(sqlite3.OperationalError, "SQLITE_BUSY", "1 of 2 EGTs applied: see aztables_commits", "COMMIT")
            self.query("ROLLBACK")
            self.assertEqual([], self.query("SELECT * FROM aztables_pending"))
            self.assertEqual(1, len(self.remote()))
            # In autocommit mode, no COMMIT can be repeated.
            proxy.plan = {proxy.batches + 1: "busy"}
            self.fails(sqlite3.OperationalError, "SQLITE_BUSY", "0 of 1 EGTs applied: see aztables_commits",
                       "INSERT INTO given_up(PartitionKey, RowKey) VALUES('c', '1')")
            self.assertFalse(self.db.in_transaction)
            self.assertEqual(1, len(self.remote()))

    def test_batch_that_the_service_did_not_read(self):
        outcomes, held = self.broken("refuse", 5)
        # It was sent. The client cannot know that the service did not read it.
        self.assertEqual(1, len(outcomes["unknown"]))
        self.assertFalse(outcomes["unknown"] & held)


if __name__ == "__main__":
    unittest.main()
