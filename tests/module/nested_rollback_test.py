#!/usr/bin/env python3
"""A ROLLBACK that an SQL function runs inside a statement that writes: the statement fails as one to an
ordinary table does, and none of its rows is left to the next statement."""

import pathlib
import sqlite3
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import host  # noqa: E402

host.enter()

ROWS = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT 'p', printf('n%d', i), {} FROM n"
INSERT = "INSERT {}INTO t(PartitionKey, RowKey, A) " + ROWS.format("f(i)")


class NestedRollback(host.LocalCase):
    def setUp(self):
        super().setUp()
        self.virtual("writer")
        self.query("INSERT INTO writer(PartitionKey, RowKey, A) SELECT 'p', value, 0 FROM json_each('[\"1\",\"2\",\"3\"]')")
        self.inside = ["ROLLBACK"]
        self.at = 2  # the call of f(x) that runs them
        self.calls = 0
        self.db.create_function("f", 1, self.call)

    def call(self, value):
        self.calls += 1
        if self.calls == self.at:
            for sql in self.inside:
                self.query(sql)
        return value

    def ends(self, sql, options=None, at=2):
        """Runs a statement in a transaction whose f() rolls it back, and others after it."""
        self.virtual("t", **(options or {}))
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', 'before', 1)")
        self.calls, self.at = 0, at
        self.aborts(sql)
        self.assertFalse(self.db.in_transaction)
        self.assertEqual([("1", 0), ("2", 0), ("3", 0)], self.query("SELECT RowKey, A FROM t"))
        self.assertEqual([], self.query("SELECT * FROM aztables_pending"))
        self.query("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', 'next', 1)")
        self.assertEqual(["1", "2", "3", "next"], [key for _, key in self.remote()])
        # The same statement, whose handle may be the same, is another run.
        self.query("DELETE FROM t WHERE RowKey = 'next'")
        self.query("BEGIN")
        self.query(sql)
        self.query("ROLLBACK")
        self.query("DROP TABLE t")

    def aborts(self, sql):
        with self.assertRaises(sqlite3.Error) as caught:
            self.query(sql)
        self.assertEqual("SQLITE_ABORT_ROLLBACK", caught.exception.sqlite_errorname, str(caught.exception))
        self.assertEqual("table t: the transaction was rolled back while the statement ran: nothing of it is written",
                         str(caught.exception))

    def test_statements_end(self):
        for sql in (INSERT.format(""), INSERT.format("OR IGNORE "), INSERT.format("OR REPLACE "),
                    INSERT.format("OR FAIL "), "UPDATE t SET A = f(7)", "UPDATE t SET RowKey = f('x' || RowKey)"):
            for options in ({}, {"bulk": "on"}, {"bulk": "on", "on_error": "continue"}):
                with self.subTest(sql, options=options):
                    self.ends(sql, options)

    def test_at_the_first_and_the_last_row(self):
        for at in (1, 5):
            self.ends(INSERT.format(""), at=at)
        self.ends("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', 'n', f(1))", at=1)
        self.ends("DELETE FROM t WHERE f(A) = 0 AND PartitionKey = 'p'", at=3)

    def test_as_an_ordinary_table_does(self):
        self.query("CREATE TABLE o(a PRIMARY KEY, b)")
        self.query("BEGIN")
        self.calls = 0
        with self.assertRaises(sqlite3.Error) as caught:
            self.query("INSERT INTO o " + ROWS.format("f(i)").replace("'p', ", ""))
        self.assertEqual("SQLITE_ABORT_ROLLBACK", caught.exception.sqlite_errorname)

    def test_what_the_function_writes_afterwards(self):
        self.virtual("t")
        row = "INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '{}')"
        # Outside BEGIN SQLite ends it with the outer statement, which fails.
        for began, keys in ((["ROLLBACK"], ["1", "2", "3"]),
                            (["ROLLBACK", "BEGIN"], ["1", "2", "3", "after", "own"])):
            with self.subTest(began):
                self.inside = began + [row.format("own")]
                self.query("BEGIN")
                self.calls = 0
                self.aborts(INSERT.format(""))
                if self.db.in_transaction:
                    self.query(row.format("after"))
                    self.query("COMMIT")
                self.assertEqual(keys, [key for _, key in self.remote()])
                self.query("DELETE FROM t WHERE RowKey IN ('own', 'after')")

    def test_a_table_that_is_created_afterwards(self):
        self.virtual("t")
        self.query("BEGIN")
        self.aborts(INSERT.format(""))
        self.query("DROP TABLE t")
        self.query("BEGIN")
        self.virtual("t")
        self.query(INSERT.format(""))
        self.query("COMMIT")
        self.assertEqual(8, len(self.remote()))


if __name__ == "__main__":
    unittest.main()
