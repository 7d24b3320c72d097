#!/usr/bin/env python3
"""Lost updates. If another client changed, deleted or recreated an entity after it was read, a
change of it fails. The error names the entity, and the local tables are rolled back. The tests also
cover concurrency=none, and _etag over several statements.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402


class LostUpdates(host.Case):
    """The virtual table `t` with p/1 and p/2 in both database connections, the test's and
    `other`.
    """

    NAMED = "PartitionKey='p', RowKey='1'"

    def setUp(self):
        super().setUp()
        self.virtual_for_two("t")
        self.query("CREATE TABLE local(x)")
        self.insert("p", "1", "2")

    def insert(self, partition, *rows):
        self.db.executemany("INSERT INTO t(PartitionKey, RowKey, A, B) VALUES (?, ?, 0, 'kept')",
                            [(partition, row) for row in rows])

    def read_and_write(self, write):
        """Starts a transaction that has read p/1 and written to it and to a local table."""
        self.query("BEGIN")
        self.query("INSERT INTO local VALUES (1)")
        self.assertEqual([(0,)], self.query("SELECT A FROM t WHERE RowKey = '1'"))
        self.query(write)
        self.query("UPDATE t SET A = 50 WHERE RowKey = '2'")

    def lost(self, write, meanwhile, text):
        self.read_and_write(write)
        self.other.execute(meanwhile)
        self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_VTAB", text, "COMMIT")
        self.assertFalse(self.db.in_transaction)
        self.assertEqual([], self.query("SELECT * FROM local"))
        self.assertEqual([(0,)], self.query("SELECT A FROM t WHERE RowKey = '2'"), "no operation of the EGT is applied")

    def test_lost_update(self):
        for write in ("UPDATE t SET A = A + 1 WHERE RowKey = '1'", "UPDATE t SET A = NULL WHERE RowKey = '1'",
                      "DELETE FROM t WHERE RowKey = '1'", "UPDATE t SET RowKey = '0' WHERE RowKey = '1'",
                      "UPDATE OR REPLACE t SET RowKey = '0' WHERE RowKey = '1'"):
            with self.subTest(write):
                self.lost(write, "UPDATE t SET A = 0, B = 'theirs' WHERE RowKey = '1'", self.NAMED)
                [(row_key, operations, outcome, status)] = self.last_commit("row_key, operations, outcome, status")
                self.assertEqual(("1", "failed", 412), (row_key, outcome, status))
                self.assertEqual(3 if "RowKey = '0'" in write else 2, operations)
                self.assertEqual([("1", 0, "theirs"), ("2", 0, "kept")], self.remote("RowKey, A, B"))

    def test_retry_within_a_transaction(self):
        self.read_and_write("UPDATE t SET A = A + 1 WHERE RowKey = '1'")
        self.other.execute("BEGIN")
        self.other.execute("UPDATE t SET A = A + 1 WHERE RowKey = '1'")
        self.other.execute("COMMIT")
        self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_VTAB", self.NAMED, "COMMIT")
        self.query("UPDATE t SET A = A + 1 WHERE RowKey = '1'")  # again, for the current entity
        self.assertEqual([("1", 2), ("2", 0)], self.remote("RowKey, A"))

    def test_changed_between_two_statements(self):
        """The first statement has read an entity that another client changes afterwards."""
        for first, second in (("UPDATE t SET A = A + 1", "UPDATE t SET B = 'ours'"),
                              ("UPDATE t SET B = NULL", "DELETE FROM t"),
                              ("UPDATE t SET A = A + 1", "UPDATE t SET RowKey = '0'"),
                              ("DELETE FROM t", "INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', '1', 9) --")):
            with self.subTest(first=first, second=second):
                self.query("BEGIN")
                self.query(f"{first} WHERE RowKey = '1'")
                self.other.execute("UPDATE t SET A = 0, B = 'theirs' WHERE RowKey = '1'")
                self.query(f"{second} WHERE RowKey = '1'")
                self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_VTAB", self.NAMED, "COMMIT")
                self.assertEqual([("1", 0, "theirs"), ("2", 0, "kept")], self.remote("RowKey, A, B"))

    def test_deleted_entity(self):
        for write in ("UPDATE t SET A = A + 1 WHERE RowKey = '1'", "UPDATE t SET A = NULL WHERE RowKey = '1'",
                      "DELETE FROM t WHERE RowKey = '1'", "UPDATE t SET RowKey = '0' WHERE RowKey = '1'"):
            with self.subTest(write):
                self.lost(write, "DELETE FROM t WHERE RowKey = '1'", self.NAMED)
                self.assertEqual([("1", "failed", 404)], self.last_commit("row_key, outcome, status"))
                self.assertEqual([("2", 0)], self.remote("RowKey, A"))
                self.insert("p", "1")

    def test_recreated_entity(self):
        self.read_and_write("UPDATE t SET A = A + 1 WHERE RowKey = '1'")
        self.other.execute("DELETE FROM t WHERE RowKey = '1'")
        self.other.execute("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', '1', 30)")
        self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_VTAB", self.NAMED, "COMMIT")
        self.assertEqual([("1", 30), ("2", 0)], self.remote("RowKey, A"))

    def test_last_writer_wins_with_concurrency_none(self):
        self.query("INSERT INTO t(_command) VALUES ('concurrency=none')")
        self.read_and_write("UPDATE t SET A = A + 1 WHERE RowKey = '1'")
        self.other.execute("UPDATE t SET A = 30, B = 'theirs' WHERE RowKey = '1'")
        self.query("COMMIT")
        self.assertEqual([("1", 1, "theirs"), ("2", 50, "kept")], self.remote("RowKey, A, B"))

    def test_delete_of_deleted_entities_with_concurrency_none(self):
        self.query("INSERT INTO t(_command) VALUES ('concurrency=none')")
        self.read_and_write("DELETE FROM t WHERE RowKey = '1'")
        self.other.execute("DELETE FROM t WHERE RowKey = '1'")
        self.query("COMMIT")  # commits the other operations of the EGT
        self.assertEqual([("2", 50)], self.remote("RowKey, A"))
        self.assertEqual([(1,)], self.query("SELECT x FROM local"))
        for count in (1, 2, 60):  # all are deleted: nothing remains to send
            self.insert("p", *map(str, range(300, 300 + count)))
            self.query("BEGIN")
            self.query("DELETE FROM t WHERE RowKey >= '3'")
            self.other.execute("DELETE FROM t WHERE RowKey >= '3'")
            self.query("COMMIT")
            self.assertEqual([("p", "2")], self.remote())

    def test_update_of_a_deleted_entity_with_concurrency_none(self):
        self.query("INSERT INTO t(_command) VALUES ('concurrency=none')")
        self.query("BEGIN")
        self.query("UPDATE t SET A = 1 WHERE RowKey IN ('1', '2')")
        self.other.execute("DELETE FROM t WHERE RowKey = '1'")
        with self.assertRaises(sqlite3.Error) as caught:
            self.query("COMMIT")
        self.assertIn(self.NAMED, str(caught.exception))
        self.assertEqual([("2", 0)], self.remote("RowKey, A"))

    def test_new_keys_for_a_deleted_entity_with_concurrency_none(self):
        """A move is an UPDATE: it does not recreate an entity that another client has deleted."""
        self.query("INSERT INTO t(_command) VALUES ('concurrency=none')")
        for change in ("RowKey = '0'", "PartitionKey = 'q'"):
            with self.subTest(change):
                self.query("INSERT OR REPLACE INTO t(PartitionKey, RowKey, A) VALUES ('p', '1', 0)")
                self.query("BEGIN")
                self.query(f"UPDATE t SET {change} WHERE RowKey = '1'")
                self.other.execute("DELETE FROM t WHERE RowKey = '1'")
                with self.assertRaises(sqlite3.Error) as caught:
                    self.query("COMMIT")
                self.assertIn(self.NAMED, str(caught.exception))
                if change.startswith("RowKey"):  # across partitions, the insert was applied before
                    self.assertEqual([("p", "2")], self.remote())

    def test_insert_conflict_is_remembered(self):
        """Changes of the transaction's own row never apply to the other client's entity. See
        insert_conflicts_test.py.
        """
        for change, meets in (("DELETE FROM t WHERE RowKey = '1'", True),
                              ("DELETE FROM t WHERE PartitionKey = 'r' AND RowKey = '1'", False),
                              ("UPDATE t SET RowKey = '9' WHERE PartitionKey = 'r'", True)):
            with self.subTest(change):
                self.other.execute("INSERT OR REPLACE INTO t(PartitionKey, RowKey, A) VALUES ('r', '1', 7)")
                self.query("BEGIN")
                self.query("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('r', '1', 8)")
                if meets:
                    for sql in (change, "COMMIT"):
                        self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_PRIMARYKEY",
                                   "PartitionKey='r', RowKey='1' already exists", sql)
                else:
                    self.query(change)
                    self.query("COMMIT")
                self.assertEqual([("1", 7)], self.remote("RowKey, A", "PartitionKey = 'r'"))

    def test_etag_in_the_statement_protects_several_statements(self):
        [(etag,)] = self.query("SELECT _etag FROM t WHERE RowKey = '1'")
        change = "UPDATE t SET A = 9 WHERE PartitionKey = 'p' AND RowKey = '1' AND _etag = ?"
        self.other.execute("UPDATE t SET A = 30 WHERE RowKey = '1'")
        self.assertEqual(0, self.db.execute(change, (etag,)).rowcount)
        [(etag,)] = self.query("SELECT _etag FROM t WHERE RowKey = '1'")
        self.assertEqual(1, self.db.execute(change, (etag,)).rowcount)
        self.assertEqual([("1", 9), ("2", 0)], self.remote("RowKey, A"))

    def test_function_changes_a_row_that_its_statement_has_read(self):
        """The statement has read the older entity, although the function writes first."""
        self.allow_triggers()  # also permits the function
        theirs = "UPDATE t SET B = 'theirs' WHERE PartitionKey = 'p' AND RowKey = '1'"
        ours = ("UPDATE t SET B = 'nested' WHERE PartitionKey = 'p' AND RowKey = '1'",
                "UPDATE t SET B = NULL WHERE B = 'theirs'", "UPDATE t SET A = 8, B = 'nested' WHERE RowKey = '1'")
        for statement in ("UPDATE t SET A = 5, B = f(RowKey) WHERE RowKey = '1'", "UPDATE t SET A = f(RowKey) IS 'kept' WHERE A = 0",
                          "UPDATE t SET B = NULL WHERE RowKey = '1' AND A = (f(RowKey) IS NULL)",
                          "UPDATE t SET RowKey = '0' WHERE RowKey = '1' AND f(RowKey) = B",
                          "DELETE FROM t WHERE RowKey = '1' AND f(RowKey) = B"):
            for nested in ours:
                for begin, end in (("SELECT 1", statement), ("BEGIN", "COMMIT")):
                    with self.subTest(statement, nested=nested, begin=begin):
                        self.query("INSERT OR REPLACE INTO t(PartitionKey, RowKey, A, B) VALUES ('p', '1', 0, 'kept')")
                        calls = iter((theirs,))

                        def change(_, calls=calls, nested=nested):
                            for sql in calls:
                                self.other.execute(sql)
                                self.query(nested)
                            return "kept"

                        self.db.create_function("f", 1, change)
                        self.query(begin)
                        if begin == "BEGIN":
                            self.query(statement)
                        self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_VTAB", self.NAMED, end)
                        self.assertFalse(self.db.in_transaction)
                        self.assertEqual([("1", 0, "theirs"), ("2", 0, "kept")], self.remote("RowKey, A, B"))

    def test_function_that_has_read_the_older_entity(self):
        """The statement requests the entity after the function has changed it."""
        self.allow_triggers()
        self.insert("q", "1")
        self.query("INSERT INTO t(_command) VALUES ('parallel=1')")
        calls = iter(("UPDATE t SET A = 3 WHERE PartitionKey = 'q'",))

        def change():
            for sql in calls:
                self.query(sql)
                self.other.execute("UPDATE t SET B = 'theirs' WHERE PartitionKey = 'q'")
            return 5

        self.db.create_function("f", 1, lambda _: change())
        self.query("BEGIN")
        self.query("UPDATE t SET A = f(RowKey) WHERE PartitionKey IN ('p', 'q')")
        self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_VTAB", "PartitionKey='q', RowKey='1'", "COMMIT")
        self.assertEqual([("1", 0, "theirs")], self.remote("RowKey, A, B", "PartitionKey = 'q'"))


if __name__ == "__main__":
    unittest.main()
