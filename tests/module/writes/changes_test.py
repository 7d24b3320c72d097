#!/usr/bin/env python3
"""The requests of a transaction that changes rows. It sends as few EGTs as the number and size of
entities permit, and each entity once. An EGT is applied completely or not at all. If COMMIT fails,
another connection reads exactly what aztables_commits reports for each partition.
"""

import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402

MIB = 2**20


class Case(host.Case):
    """The virtual table `t` in both database connections, the test's and `other`."""

    def setUp(self):
        super().setUp()
        self.virtual_for_two("t")
        self.seen = 0

    def insert(self, partition, *rows, value=0):
        self.db.executemany("INSERT INTO t(PartitionKey, RowKey, A, B) VALUES (?, ?, ?, 'kept')",
                            [(partition, row, value) for row in rows])

    def egts(self):
        """(entities, bytes_out) of the EGTs since the last call."""
        sent = self.query("SELECT id, entities, bytes_out FROM aztables_requests WHERE kind = 'EGT' AND id > ? ORDER BY id",
                          self.seen)
        self.seen = max([self.seen, *(number for number, _, _ in sent)])
        return [tuple(rest) for _, *rest in sent]


class Grouped(Case):
    """The number of EGTs."""

    def test_rental_is_one_egt(self):
        self.virtual("rentals", "Rentals INT32, Title STRING, Due DATETIME")
        self.query("INSERT INTO rentals(PartitionKey, RowKey, Rentals) VALUES ('m1', 'Member', 3)")
        self.query("INSERT INTO rentals(PartitionKey, RowKey, Rentals) VALUES ('m2', 'Member', 8)")
        self.egts()
        self.query("BEGIN")
        self.query("INSERT INTO rentals(PartitionKey, RowKey, Title, Due) "
                   "VALUES ('m1', 'Rental_Alien', 'Alien', '2026-12-01')")
        self.query("UPDATE rentals SET Rentals = Rentals + 1 WHERE PartitionKey = 'm1' AND RowKey = 'Member'")
        self.assertEqual([], self.egts())
        self.query("COMMIT")
        self.assertEqual([2], [entities for entities, _ in self.egts()])
        self.assertEqual([("m1", 2, "applied")], self.last_commit())
        self.assertEqual([("m1", "Member", 4, None), ("m1", "Rental_Alien", None, "Alien"), ("m2", "Member", 8, None)],
                         self.query("SELECT PartitionKey, RowKey, Rentals, Title FROM rentals"))

    def test_seven_partitions_in_any_order(self):
        sizes = {"a": 100, "b": 200, "c": 1, "d": 99, "e": 101, "f": 299, "g": 200}
        rows = [(partition, f"{i:03}") for partition, size in sizes.items() for i in range(size)]
        self.assertEqual(1000, len(rows))
        choice = random.Random(7)
        choice.shuffle(rows)
        old = rows[:300]
        self.db.execute("BEGIN")
        self.db.executemany("INSERT INTO t(PartitionKey, RowKey, A) VALUES (?, ?, 1)", old)
        self.query("COMMIT")
        self.egts()
        self.query("BEGIN")
        choice.shuffle(rows)
        known = set(old)
        for row in rows:
            if row in known:
                self.query("UPDATE t SET A = 2 WHERE PartitionKey = ? AND RowKey = ?", *row)
            else:
                self.query("INSERT INTO t(PartitionKey, RowKey, A) VALUES (?, ?, 2)", *row)
        # read rows, and new rows
        self.query("DELETE FROM t WHERE PartitionKey = 'g' AND RowKey >= '100'")
        gone = [row for row in rows if row[0] == "g" and row[1] >= "100"]
        stored = [row for row in gone if row in known]
        self.assertTrue(0 < len(stored) < len(gone))
        planned = self.query("SELECT count(*), sum(inserts + updates + deletes) FROM aztables_pending")
        self.query("COMMIT")
        sent = self.egts()
        written = 900 + len(stored)
        self.assertEqual([(len(sent), written)], planned)
        self.assertEqual(written, sum(entities for entities, _ in sent))
        self.assertLessEqual(max(entities for entities, _ in sent), 100)
        in_g = 100 + len(stored)
        self.assertEqual(1 + 2 + 1 + 1 + 2 + 3 + (in_g + 99) // 100, len(sent))
        self.assertEqual([(900, 1800)], self.remote("count(*), sum(A)"))

    def test_partition_of_6_mb(self):
        self.virtual("wide", "S STRING, U STRING")
        self.query("INSERT INTO wide(PartitionKey, RowKey, S, U) WITH c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c "
                   "WHERE i < 99) SELECT 'p', i, printf('%.*c', 30000, 's'), printf('%.*c', 30000, 'u') FROM c")
        self.assert_split_in_two()
        self.query("UPDATE wide SET S = replace(S, 's', 't'), U = U || 'u'")
        self.assert_split_in_two()
        self.assertEqual([(100, 3_000_000, 3_000_100)], self.query("SELECT count(*), sum(length(replace(S, 's', ''))), "
                                                                   "sum(length(U)) FROM wide"))

    def assert_split_in_two(self):
        sent = self.egts()
        self.assertEqual((2, 100), (len(sent), sum(entities for entities, _ in sent)), sent)
        self.assertTrue(all(size <= 4 * MIB for _, size in sent), sent)
        self.assertGreater(max(size for _, size in sent), 4 * MIB - 62_000, "there was space for another entity")

    def test_entity_written_five_times_is_sent_once(self):
        self.insert("p", "old", "drop")
        changes = ["UPDATE t SET A = A + 1 WHERE RowKey = ?", "UPDATE t SET A = A * 10, B = NULL WHERE RowKey = ?",
                   "DELETE FROM t WHERE RowKey = ?", "INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', ?, 5)",
                   "UPDATE t SET A = A + 2 WHERE RowKey = ?"]
        for row, first in (("old", []), ("new", ["INSERT INTO t(PartitionKey, RowKey, A, B) VALUES ('p', ?, 0, 'x')"])):
            self.egts()
            self.query("BEGIN")
            for sql in first + changes:
                self.query(sql, row)
            self.query("COMMIT")
            self.assertEqual([1], [entities for entities, _ in self.egts()])
            self.assertEqual([("p", 1, "applied")], self.last_commit())
            self.assertEqual([(7, None)], self.query("SELECT A, B FROM t WHERE RowKey = ?", row))
        self.query("BEGIN")
        for sql in changes[:3]:
            self.query(sql, "drop")
        self.query("COMMIT")
        self.assertEqual([1], [entities for entities, _ in self.egts()])
        self.assertEqual([("p", "new"), ("p", "old")], self.remote())


class Atomic(Case):
    """The state after a failed COMMIT."""

    def test_one_invalid_operation_in_an_egt(self):
        self.insert("p", *(f"{i:02}" for i in range(60)))
        for bad, code, operation in (("UPDATE t SET B = 'y' WHERE RowKey = '30'", "SQLITE_CONSTRAINT_VTAB", "Merge"),
                                     ("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '99')",
                                      "SQLITE_CONSTRAINT_PRIMARYKEY", "Insert")):
            self.query("BEGIN")
            self.query("UPDATE t SET A = 1 WHERE RowKey < '20'")
            self.query("DELETE FROM t WHERE RowKey >= '40'")
            self.query(bad)
            self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', 'new')")
            self.query("INSERT OR REPLACE INTO t(PartitionKey, RowKey, A) VALUES ('p', 'upserted', 1)")
            self.other.execute("UPDATE t SET B = 'x' WHERE RowKey = '30'")
            self.other.execute("INSERT OR REPLACE INTO t(PartitionKey, RowKey, A) VALUES ('p', '99', 1)")
            before = self.remote("*")
            self.fails(sqlite3.IntegrityError, code, "0 of 1 EGTs applied", "COMMIT")
            self.assertEqual([("p", operation, 43, "failed")],
                             self.last_commit("partition_key, operation, operations, outcome"))
            self.assertEqual(before, self.remote("*"))
            self.query("DELETE FROM t WHERE RowKey = '99'")

    def test_commit_that_fails_in_the_middle(self):
        partitions = [f"p{i:02}" for i in range(40)]
        for partition in partitions:
            self.insert(partition, "1")
        for bad in (0, 17, 39):
            self.query("UPDATE t SET A = 0")
            self.query("BEGIN")
            self.query("UPDATE t SET A = 1")
            self.other.execute("UPDATE t SET A = 7 WHERE PartitionKey = ?", (partitions[bad],))
            self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_VTAB", f"PartitionKey='{partitions[bad]}'", "COMMIT")
            value = {"applied": 1, "failed": 7, "not sent": 0}
            told = sorted((partition, value[outcome]) for partition, outcome in self.last_commit("partition_key, outcome"))
            self.assertEqual(self.remote("PartitionKey, A"), told)
            self.assertEqual(1, sum(a == 7 for _, a in told))
            if bad == 17:  # some EGTs were sent before, and some were not sent
                self.assertEqual({0, 1, 7}, {a for _, a in told})

    def test_two_remote_tables(self):
        self.query(f"SELECT aztables_create_table('demo.{self.table}x')")
        self.virtual("second", table=f"{self.table}x")
        self.insert("b", "1")
        for first, second, applied in (("t", "second", 0), ("second", "t", 1)):
            self.query("BEGIN")
            for table in (first, second):
                self.query(f"INSERT INTO {table}(PartitionKey, RowKey) VALUES ('b', '1')")
            self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_PRIMARYKEY",
                       f"writing to table {self.table} (connection 'demo') failed: the entity PartitionKey='b', RowKey='1'",
                       "COMMIT")
            told = dict(self.last_commit("table_name, outcome"))
            self.assertEqual({self.table: "failed", f"{self.table}x": "applied" if applied else "not sent"}, told)
            self.assertEqual([(applied,)], self.query("SELECT count(*) FROM second"))

    def test_access_read_takes_effect_at_once(self):
        """An option applies to the next statement, even in a transaction that has already
        written.
        """
        self.insert("p", "1")
        self.query("BEGIN")
        self.query("UPDATE t SET A = 1")
        self.query("INSERT INTO t(_command) VALUES ('access=read')")
        for sql in ("DELETE FROM t", "UPDATE t SET A = 2", "INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '2')"):
            with self.subTest(sql):
                self.fails(sqlite3.OperationalError, "SQLITE_READONLY", "table t is read-only (access=read)", sql)
        self.query("COMMIT")
        self.assertEqual([("1", 1)], self.remote("RowKey, A"))

    def test_atomic_refusal_sends_nothing(self):
        self.insert("p", *(f"{i:02}" for i in range(3)))
        self.insert("q", "1")
        before = self.remote("*")
        self.egts()
        for options, change, text in (
                (("atomic=partition", "batch=2"), "UPDATE t SET A = 9", "the partition 'p'"),
                (("atomic=strict", "batch=100"), "UPDATE t SET A = 9", "needs 2 entity group transactions"),
                (("atomic=strict", "batch=100"), "UPDATE t SET PartitionKey = 'r' WHERE PartitionKey = 'q'",
                 "needs 2 entity group transactions")):
            for option in options:
                self.query("INSERT INTO t(_command) VALUES (?)", option)
            for begin, end in (("BEGIN", "COMMIT"), ("SELECT 1", change)):
                self.query(begin)
                self.query(change) if end == "COMMIT" else None
                self.fails(sqlite3.OperationalError, "SQLITE_ERROR", text, end)
                self.assertEqual(([], before), (self.egts(), self.remote("*")))
        self.query("INSERT INTO t(_command) VALUES ('atomic=partition')")
        self.query("UPDATE t SET A = 5")
        self.query("INSERT INTO t(_command) VALUES ('atomic=strict')")
        self.query("UPDATE t SET A = A + 1 WHERE PartitionKey = 'p'")
        self.assertEqual([6, 6, 6, 5], [a for a, in self.remote("A")])


if __name__ == "__main__":
    unittest.main()
