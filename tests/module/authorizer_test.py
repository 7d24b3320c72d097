#!/usr/bin/env python3
"""An authorizer of the host. The tests check what SQLite asks it at the first use of a virtual
table of aztables, fts5 and rtree. They also check two ways to use the tables under an authorizer
that forbids changes. SQLite 3.40 asks for an update of the schema. SQLite 3.54 does not.
"""

import pathlib
import sqlite3
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
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


if __name__ == "__main__":
    unittest.main()
