#!/usr/bin/env python3
"""An SQL function runs ROLLBACK inside a statement that writes. The statement fails as for an
ordinary table. The next statement contains none of its rows.
"""

import pathlib
import sqlite3
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
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
        self.at = 2  # the call of f(x) that runs the statements
        self.calls = 0
        self.db.create_function("f", 1, self.call)

    def call(self, value):
        self.calls += 1
        if self.calls == self.at:
            for sql in self.inside:
                self.query(sql)
        return value

    def ends(self, sql, options=None, at=2):
        """Runs a statement in a transaction that its f() rolls back, and then other statements."""
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
        # The same statement again, perhaps with the same handle, is a new run.
        self.query("DELETE FROM t WHERE RowKey = 'next'")
        self.query("BEGIN")
        self.query(sql)
        self.query("ROLLBACK")
        self.query("DROP TABLE t")

    def aborts(self, sql):
        with self.assertRaises(sqlite3.Error) as caught:
            self.query(sql)
        self.assertEqual("SQLITE_ABORT_ROLLBACK", caught.exception.sqlite_errorname, str(caught.exception))
        self.assertEqual("table t: the transaction was rolled back while the statement ran; the statement writes nothing",
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

    def test_result_equals_an_ordinary_table(self):
        self.query("CREATE TABLE o(a PRIMARY KEY, b)")
        self.query("BEGIN")
        self.calls = 0
        with self.assertRaises(sqlite3.Error) as caught:
            self.query("INSERT INTO o " + ROWS.format("f(i)").replace("'p', ", ""))
        self.assertEqual("SQLITE_ABORT_ROLLBACK", caught.exception.sqlite_errorname)

    def test_writes_of_the_function_after_the_rollback(self):
        self.virtual("t")
        row = "INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '{}')"
        # Outside BEGIN, SQLite ends the transaction with the outer statement, which fails.
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

    def test_table_created_after_the_rollback(self):
        self.virtual("t")
        self.query("BEGIN")
        self.aborts(INSERT.format(""))
        self.query("DROP TABLE t")
        self.query("BEGIN")
        self.virtual("t")
        self.query(INSERT.format(""))
        self.query("COMMIT")
        self.assertEqual(8, len(self.remote()))

    def between_savepoints(self, table, sql, inside=("ROLLBACK TO b",), at=3):
        """A statement of the transaction calls f(), which rolls back to a savepoint. Returns the
        remaining rows and the errors.
        """
        self.inside, self.calls, self.at = list(inside), 0, at
        failed = []

        def run(statement):
            try:
                self.query(statement)
            except sqlite3.Error as error:
                failed.append(error.sqlite_errorname)

        row = "INSERT INTO {}(PartitionKey, RowKey, A) VALUES ('p', '{}', 1)"
        run("BEGIN")
        run(row.format(table, "first"))
        run("SAVEPOINT b")
        run(row.format(table, "second"))
        run(sql)
        run(row.format(table, "third"))
        self.calls = self.at  # f() has no further effect
        run(sql)
        run("DELETE FROM " + table + " WHERE RowKey LIKE 'n1%'")
        run("COMMIT")
        rows = self.query(f"SELECT PartitionKey, RowKey, A FROM {table} ORDER BY 1, 2")
        self.query(f"DELETE FROM {table} WHERE RowKey NOT IN ('1', '2', '3')")
        return rows, failed

    def ordinary(self):
        self.query("CREATE TABLE o(PartitionKey, RowKey NOT NULL, A, PRIMARY KEY(PartitionKey, RowKey))")
        self.query("INSERT INTO o SELECT PartitionKey, RowKey, A FROM writer")

    def test_rollback_to_a_savepoint(self):
        self.virtual("t")
        self.ordinary()
        own = "INSERT INTO {}(PartitionKey, RowKey, A) VALUES ('p', 'own', 1)"
        for sql in (INSERT.format(""), INSERT.format("OR REPLACE "), "UPDATE t SET A = f(A + 1)",
                    "INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', 'n', f(1))"):
            for inside in (["ROLLBACK TO b"], [";/**/rollback transaction to savepoint b"],
                           ["ROLLBACK TO b", "ROLLBACK TO b"], ["ROLLBACK TO b", own]):
                for at in (1, 3):
                    with self.subTest(sql, inside=inside, at=at):
                        ours = self.between_savepoints("t", sql, [i.format("t") for i in inside], at)
                        native = self.between_savepoints("o", sql.replace(" t", " o", 1),
                                                         [i.format("o") for i in inside], at)
                        self.assertEqual(native, ours)

    def test_release_and_commit_are_refused(self):
        self.virtual("t")
        for inside in ("RELEASE b", "COMMIT", "SAVEPOINT c"):
            self.inside, self.calls, self.at = [inside], 0, 3
            self.query("SAVEPOINT b")
            with self.assertRaisesRegex(sqlite3.Error, "user-defined function raised exception"):
                self.query(INSERT.format(""))
            self.query("RELEASE b")
        self.assertEqual(["1", "2", "3"], [key for _, key in self.remote()])

    def test_function_with_a_failing_statement(self):
        # Only that statement is undone. The calling statement continues.
        self.virtual("t")
        self.ordinary()
        for table in ("t", "o"):
            failing = f"INSERT INTO {table}(PartitionKey, RowKey, A) SELECT 'p', value, 0 FROM json_each('[8, null]')"
            self.db.create_function("f", 1, lambda value, sql=failing: (self.fails(sql), value)[1])
            self.query("BEGIN")
            self.query("SAVEPOINT b")
            self.query(INSERT.format("").replace(" t", " " + table, 1))
            self.query("COMMIT")
        rows = "SELECT PartitionKey, RowKey, A FROM {} ORDER BY 1, 2"
        self.assertEqual(self.query(rows.format("o")), self.query(rows.format("t")))

    def fails(self, sql):
        with self.assertRaises(sqlite3.IntegrityError):
            self.query(sql)

    def test_writes_by_a_trigger(self):
        self.allow_triggers()
        self.virtual("t")
        self.query("CREATE VIEW v AS SELECT 1 AS k")
        self.query("CREATE TRIGGER g INSTEAD OF INSERT ON v BEGIN"
                   " INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', NEW.k, 1); END")
        through = "INSERT INTO v SELECT f(value) FROM json_each('[\"a\", \"b\", \"c\", \"d\"]')"
        for inside in (["ROLLBACK TO b"], ["ROLLBACK"]):
            with self.subTest(inside):
                self.inside, self.calls, self.at = inside, 0, 2
                self.query("BEGIN")
                self.query("SAVEPOINT b")
                self.aborts(through)
                if self.db.in_transaction:
                    # SQLite does not distinguish it from the statement that was rolled back
                    self.aborts(through)
                    self.query("COMMIT")
                self.assertEqual(["1", "2", "3"], [key for _, key in self.remote()])
        self.query(through)
        self.assertEqual(7, len(self.remote()))


if __name__ == "__main__":
    unittest.main()
