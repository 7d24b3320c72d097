#!/usr/bin/env python3
"""An authorizer of the host. The tests check what SQLite asks it at the first use of a virtual
table of aztables, fts5 and rtree. They also check two ways to use the tables under an authorizer
that forbids changes. SQLite 3.40 asks for an update of the schema. SQLite 3.54 does not. The
authorizer of sql/programs.md allows and refuses what that page promises.
"""

import pathlib
import re
import sqlite3
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()

TABLES = ("ours", "words", "boxes")
# Whether this SQLite asks. For other versions, fts5 shows it.
KNOWN = {(3, 40): True, (3, 54): False}


def forbid_changes(action, *_):
    """An authorizer that allows reads only."""
    changes = (sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_INSERT, sqlite3.SQLITE_DELETE)
    return sqlite3.SQLITE_DENY if action in changes else sqlite3.SQLITE_OK


def allow_the_schema(action, table, *_):
    """Like forbid_changes, but allows what SQLite asks at the first use."""
    return sqlite3.SQLITE_OK if table == "sqlite_master" else forbid_changes(action)


class AuthorizerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = str(pathlib.Path(folder.name, "database.db"))
        self.how = f"LocalStore={folder.name}/store.db"
        db = self.open()
        db.execute("CREATE VIRTUAL TABLE ours USING aztables(table=there.Things, create=missing, N INT32)")
        db.execute("CREATE VIRTUAL TABLE words USING fts5(word)")
        db.execute("CREATE VIRTUAL TABLE boxes USING rtree(id, low, high)")
        db.execute("INSERT INTO ours(PartitionKey, RowKey, N) VALUES ('a', '1', 7)")
        db.close()

    def uses(self, table, authorizer):
        """Returns whether the first use of a table succeeds, and whether SQLite asked for an update
        of the schema.
        """
        asked = []
        db = self.open()
        db.set_authorizer(lambda *what: asked.append(what[:2]) or authorizer(*what))
        try:
            db.execute(f"SELECT * FROM {table}").fetchall()
            done = True
        except sqlite3.Error:
            done = False
        return done, (sqlite3.SQLITE_UPDATE, "sqlite_master") in asked

    def open(self):
        db = host.connect(self.file)
        self.addCleanup(db.close)
        db.execute("SELECT aztables_connect('there', ?)", (self.how,)).fetchall()
        return db

    def asks(self):
        """Whether SQLite asks for an update of the schema at the first use of an fts5 table."""
        return self.uses("words", lambda *_: sqlite3.SQLITE_OK)[1]

    def test_first_use_asks_for_a_schema_update(self):
        self.assertEqual(KNOWN.get(sqlite3.sqlite_version_info[:2], self.asks()), self.asks())
        for table in TABLES:
            self.assertEqual((True, self.asks()), self.uses(table, lambda *_: sqlite3.SQLITE_OK), table)

    def test_forbidden_schema_update_fails_the_first_use(self):
        for table in ("ours", "words"):  # rtree also writes at its first use
            self.assertEqual(not self.asks(), self.uses(table, forbid_changes)[0], table)
            self.assertTrue(self.uses(table, allow_the_schema)[0])

    def test_next_use_does_not_ask(self):
        for table in TABLES:
            db = self.open()
            db.execute(f"SELECT * FROM {table}").fetchall()
            db.set_authorizer(forbid_changes)
            db.execute(f"SELECT * FROM {table}").fetchall()

    def test_allow_the_schema_update_or_use_the_table_first(self):
        allowing = self.open()
        allowing.set_authorizer(allow_the_schema)
        touched = self.open()
        touched.execute("SELECT * FROM ours LIMIT 0").fetchall()
        touched.set_authorizer(forbid_changes)
        for db in (allowing, touched):
            self.assertEqual([(7,)], db.execute("SELECT N FROM ours").fetchall())
            for sql in ("UPDATE ours SET N = 8", "DELETE FROM ours",
                        "INSERT INTO ours(PartitionKey, RowKey) VALUES ('a', '2')"):
                with self.assertRaises(sqlite3.DatabaseError) as caught:
                    db.execute(sql)
                self.assertIn("not authorized", str(caught.exception))

    def test_schema_change_makes_sqlite_ask_again(self):
        db = self.open()
        db.execute("SELECT * FROM ours").fetchall()
        asked = []
        db.set_authorizer(lambda *what: asked.append(what[:2]) or sqlite3.SQLITE_OK)
        self.open().execute("CREATE TABLE another(x)")
        db.execute("SELECT * FROM ours").fetchall()
        self.assertEqual(self.asks(), (sqlite3.SQLITE_UPDATE, "sqlite_master") in asked)


class Recipe(unittest.TestCase):
    """The authorizer of sql/programs.md, which lets an agent write its own SQL."""

    def setUp(self):
        self.db = host.connect()
        self.addCleanup(self.db.close)
        self.db.execute("SELECT aztables_connect('demo', 'LocalStore=:memory:')").fetchall()
        for name in ("sales", "customers"):
            self.db.execute(f"CREATE VIRTUAL TABLE {name} USING aztables(create=missing, scan=deny, connection=demo, Total DOUBLE)")
        self.db.execute("INSERT INTO sales(PartitionKey, RowKey, Total) VALUES ('a', '1', 12.5), ('a', '2', 7)")

    def restrict(self):
        text = (host.ROOT / "sql/programs.md").read_text()
        code = re.search(r"^# The authorizer\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)[1]
        exec(code, {"sqlite3": sqlite3, "db": self.db})  # pylint: disable=exec-used

    def test_reads_are_allowed(self):
        self.restrict()
        for sql, rows in {
            "SELECT count(*), sum(Total) FROM sales": [(2, 19.5)],
            "SELECT count(*) FROM SALES WHERE PartitionKey = 'a'": [(2,)],
            "WITH c AS MATERIALIZED (SELECT * FROM sales) SELECT count(*) FROM c": [(2,)],
            "WITH c AS (SELECT Total FROM sales WHERE PartitionKey = 'a') SELECT max(a.Total) FROM c AS a JOIN c USING (Total)": [(12.5,)],
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3) SELECT count(*) FROM n": [(3,)],
            "SELECT aztables_get(_entity, 'Total') FROM sales ORDER BY RowKey": [(12.5,), (7.0,)],
            "SELECT RowKey, row_number() OVER (ORDER BY Total) FROM sales WHERE RowKey = '1'": [("1", 1)],
            "SELECT kind FROM aztables_requests WHERE entities = 2 AND method = 'GET' LIMIT 1": [("table scan",)],
        }.items():
            with self.subTest(sql):
                self.assertEqual(rows, self.db.execute(sql).fetchall())

    def test_everything_else_is_refused(self):
        self.restrict()
        for sql in ("DELETE FROM sales", "UPDATE sales SET Total = 1", "INSERT INTO sales(PartitionKey, RowKey) VALUES ('a', '3')",
                    "INSERT INTO sales(_command) VALUES ('scan=allow')", "DROP TABLE sales", "CREATE TABLE t(x)", "CREATE TEMP TABLE t(x)",
                    "CREATE VIRTUAL TABLE more USING aztables(connection=demo)", "ALTER TABLE sales RENAME TO t", "PRAGMA writable_schema = on",
                    "ATTACH ':memory:' AS other", "BEGIN", "SAVEPOINT s", "VACUUM", "ANALYZE",
                    "SELECT aztables_drop_table('demo.sales')", "SELECT AZTABLES_CREATE_TABLE('demo.More')", "SELECT aztables_disconnect('demo')",
                    "SELECT aztables_connect('other', 'LocalStore=:memory:')", "SELECT RowKey FROM customers", "SELECT name FROM sqlite_schema",
                    "SELECT * FROM aztables_query('demo.customers')", "SELECT count(*) FROM AZTABLES_QUERY('demo.customers')",
                    "SELECT name FROM aztables_tables('demo')", "SELECT count(*) FROM aztables_tables('demo')", "SELECT name FROM aztables_connections"):
            with self.subTest(sql):
                with self.assertRaisesRegex(sqlite3.Error, "not authorized|prohibited|authorization denied"):
                    self.db.execute(sql)
        self.db.set_authorizer(None)
        self.assertEqual([(2,)], self.db.execute("SELECT count(*) FROM sales").fetchall())

    def test_a_progress_handler_ends_a_wait(self):
        self.db.execute("SELECT aztables_connect('demo', 'LocalStore=:memory:;Simulate=stall-before:20000@*1/reads')").fetchall()
        self.db.execute("SELECT * FROM sales LIMIT 0")

        def reads_sales_only(action, table, *_):
            return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_READ and table != "sales" else sqlite3.SQLITE_OK

        for restrict in (lambda: None, self.restrict, lambda: self.db.set_authorizer(reads_sales_only)):
            restrict()
            begun = time.monotonic()
            self.db.set_progress_handler(lambda begun=begun: time.monotonic() - begun > 0.2, 10_000)
            with self.assertRaisesRegex(sqlite3.OperationalError, "^interrupted$"):
                self.db.execute("SELECT sum(Total) FROM sales WHERE PartitionKey = 'a'").fetchall()
            self.assertLess(time.monotonic() - begun, 10)
            self.db.set_progress_handler(None, 0)
            self.db.set_authorizer(None)


if __name__ == "__main__":
    unittest.main()
