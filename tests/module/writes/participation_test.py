#!/usr/bin/env python3
"""The tables that participate in a transaction. A table that the transaction created participates.
After the transaction was sent, no further table can join.
"""

import pathlib
import sqlite3
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()


class Created(host.FileCase):
    """SQLite does not call xBegin for a table that the transaction created. The table participates
    nevertheless.
    """

    def test_rows_are_sent(self):
        for schema in ("main", "temp"):
            self.query("BEGIN")
            self.virtual(f"{schema}.t", "N INT32")
            self.query(f"INSERT INTO {schema}.t(PartitionKey, RowKey, N) VALUES (?, '1', 1), (?, '2', 2)", schema, schema)
            self.query("COMMIT")
            self.assertEqual([(schema, "1"), (schema, "2")], self.remote(where=f"PartitionKey = '{schema}'"))
            self.query(f"INSERT INTO {schema}.t(PartitionKey, RowKey, N) VALUES (?, '3', 3)", schema)
            self.assertEqual(3, len(self.remote(where=f"PartitionKey = '{schema}'")))
            self.query(f"DROP TABLE {schema}.t")

    def test_with_savepoints_and_failed_statements(self):
        self.query("BEGIN")
        self.virtual("t", "N INT32")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1')")
        self.query("SAVEPOINT s")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '2')")
        self.query("ROLLBACK TO s")
        with self.assertRaises(sqlite3.Error):
            self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '3'), ('p', 'a/b')")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '4')")
        self.query("COMMIT")
        self.assertEqual([("p", "1"), ("p", "4")], self.remote())

    def test_rollback_sends_nothing(self):
        self.query("BEGIN")
        self.virtual("t", "N INT32")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1')")
        self.query("ROLLBACK")
        self.virtual("t", "N INT32")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '2')")
        self.assertEqual([("p", "2")], self.remote())

    def test_limits_apply_and_other_tables_are_sent_too(self):
        self.query(f"SELECT aztables_create_table('demo.{self.table}Other')")
        self.virtual("other", "N INT32", table=f"{self.table}Other")
        self.virtual("same", "N INT32")
        for table in ("other", "same"):
            self.query("BEGIN")
            self.virtual("t", "N INT32", max_entities=2)
            self.query(f"INSERT INTO {table}(PartitionKey, RowKey) VALUES ('o', '1')")
            self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1'), ('p', '2')")
            self.refused("SQLITE_TOOBIG", "COMMIT")
            self.query("BEGIN")
            self.virtual("t", "N INT32", max_entities=2)
            self.query(f"INSERT INTO {table}(PartitionKey, RowKey) VALUES ('o', '{table}')")
            self.query(f"INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '{table}')")
            self.query("COMMIT")
            self.query("DROP TABLE t")
        self.assertEqual([("o", "same"), ("p", "other"), ("p", "same")], self.remote())
        self.assertEqual([("other",)], self.query("SELECT RowKey FROM other"))


class Sent(host.FileCase):
    """SQLite takes its last lock after the rows were sent. If it does not get the lock, COMMIT can
    be repeated.
    """

    def lock(self):
        """A database connection with the tables `l` and `t`, and a lock that prevents its
        COMMIT.
        """
        local = self.open("locked.db", timeout=0.05)
        local.execute("CREATE TABLE l(x)")
        local.execute("INSERT INTO l VALUES (1), (2)")
        self.virtual("t", "N INT32", db=local)
        reader = self.open("locked.db").execute("SELECT x FROM l")
        reader.fetchone()
        return local, reader

    def test_sent_transaction_accepts_no_more_writes(self):
        local, reader = self.lock()
        self.query(f"SELECT aztables_create_table('demo.{self.table}Other')")
        self.virtual("temp.late", "N INT32", db=local, table=f"{self.table}Other")
        local.execute("BEGIN")
        local.execute("SAVEPOINT a")
        local.execute("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1')")
        self.refused("SQLITE_BUSY", "COMMIT", db=local)
        for refused in ("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '2')",
                        "INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '3'), ('p', '4')",
                        "INSERT INTO late(PartitionKey, RowKey) VALUES ('p', '1')"):
            self.assertIn("repeat COMMIT", self.refused("SQLITE_BUSY", refused, db=local))
        self.refused("SQLITE_LOCKED", "DROP TABLE t", db=local)
        self.assertEqual([("p", "1")], local.execute("SELECT PartitionKey, RowKey FROM t").fetchall())
        reader.fetchall()
        reader.close()
        local.execute("COMMIT")
        self.assertEqual([("p", "1")], self.remote())
        local.execute("INSERT INTO late(PartitionKey, RowKey) VALUES ('p', '1')")
        local.execute("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '2')")
        self.assertEqual([("p", "1"), ("p", "2")], self.remote())

    def test_rollback_to_is_too_late(self):
        """SQLite undoes its own tables before it calls xRollbackTo. COMMIT must not keep half of
        the transaction.
        """
        local, reader = self.lock()
        local.execute("BEGIN")
        local.execute("INSERT INTO l VALUES (3)")
        local.execute("SAVEPOINT a")
        local.execute("INSERT INTO l VALUES (4)")
        local.execute("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1')")
        self.refused("SQLITE_BUSY", "COMMIT", db=local)
        with self.assertRaises(sqlite3.Error):
            local.execute("ROLLBACK TO a")
        reader.close()
        said = self.refused("SQLITE_ERROR", "COMMIT", db=local)
        self.assertIn("ROLLBACK TO cannot undo what the COMMIT before it has sent", said)
        self.assertIn("; 1 of 1 EGTs applied: see aztables_commits", said)
        self.assertFalse(local.in_transaction)
        self.assertEqual([(1,), (2,)], local.execute("SELECT x FROM l").fetchall())
        self.assertEqual([("p", "1")], self.remote())

    def test_table_created_in_the_transaction(self):
        """SQLite calls no xBegin for it, and no xRollbackTo for savepoints that were already
        open.
        """
        self.virtual("t", "N INT32")
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p', '1', 1), ('p', '2', 2)")
        self.query("BEGIN")
        self.virtual("new", "N INT32")
        self.query("UPDATE new SET N = N + 10 WHERE RowKey = '1'")
        self.query("DELETE FROM new WHERE RowKey = '2'")
        self.query("COMMIT")
        self.assertEqual([("1", 11)], self.query("SELECT RowKey, N FROM t"))
        self.query("BEGIN")
        self.query("SAVEPOINT o")
        self.virtual("gone", "N INT32")
        self.query("INSERT INTO gone(PartitionKey, RowKey) VALUES ('p', '8')")
        self.query("SAVEPOINT s")
        self.query("INSERT INTO gone(PartitionKey, RowKey) VALUES ('p', '9')")
        self.query("ROLLBACK TO s")
        self.query("ROLLBACK TO o")
        self.virtual("gone", "N INT32")
        self.query("INSERT INTO gone(PartitionKey, RowKey) VALUES ('p', '7')")
        self.query("ROLLBACK TO o")
        self.query("COMMIT")
        self.assertEqual([("1", 11)], self.query("SELECT RowKey, N FROM t"))

    def test_and_may_be_rolled_back(self):
        local, reader = self.lock()
        local.execute("BEGIN")
        local.execute("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1')")
        self.refused("SQLITE_BUSY", "COMMIT", db=local)
        local.execute("ROLLBACK")
        reader.close()
        local.execute("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '2')")
        self.assertEqual([("p", "1"), ("p", "2")], self.remote())


if __name__ == "__main__":
    unittest.main()
