#!/usr/bin/env python3
"""A database file from a stranger cannot call a function with an effect: not in CHECKs, views,
triggers, indexes, generated columns, full-text tables or pragmas. Only a statement of the user can.
"""

import contextlib
import pathlib
import sqlite3
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402
import stranger_case  # noqa: E402
from stranger_case import DROP, NOTES, ROWS  # noqa: E402


class FunctionsTest(stranger_case.Victim):
    """Functions with an effect run only if the user's own statement calls them."""

    def test_check(self):
        path = self.file("CREATE TABLE notes(id, body);")
        self.rewrite(path, "notes", f"CREATE TABLE notes(id, body, CHECK({DROP} IS NOT NULL))")
        found = self.attack(path, "INSERT INTO notes VALUES (1, 'x')", "INSERT OR IGNORE INTO notes VALUES (2, 'x')",
                            "REPLACE INTO notes VALUES (2, 'x')", "UPDATE notes SET body = 'y'",
                            "PRAGMA integrity_check", "PRAGMA quick_check", "VACUUM",
                            "ALTER TABLE notes ADD COLUMN more CHECK (more IS NULL)")
        self.assertIn("aztables_drop_table", found[0][0])

    def rewrite(self, path, table, sql):
        """Replaces the declaration of an ordinary table by one that SQLite alone could not
        understand.
        """
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("PRAGMA writable_schema = ON")
            db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, table))

    def checked(self, call, rows=True):
        """A file whose table `notes` has one row and calls a function in a CHECK."""
        path = self.file(NOTES if rows else "CREATE TABLE notes(id, body);")
        self.rewrite(path, "notes", f"CREATE TABLE notes(id, body, CHECK({call} IS NOT NULL))")
        return path

    def test_check_connects(self):
        how = f"AccountName=a;AccountKey=c2VjcmV0;TableEndpoint=http://127.0.0.1:{self.listener.port}/a"
        self.attack(self.checked(f"aztables_connect('default', '{how}')"), "INSERT INTO notes VALUES (2, 'x')",
                    "PRAGMA quick_check", "SELECT * FROM aztables_tables('default') LIMIT 0")

    def test_check_calls_every_other_function(self):
        for call in ("aztables_disconnect('default')", "aztables_create_table('default.More')",
                     "aztables_schema('default.Secrets')", "AZTABLES_DROP_TABLE ( 'default.Secrets' )",
                     f"abs(coalesce({DROP}, 0))", f"CASE WHEN id THEN {DROP} ELSE 1 END"):
            with self.subTest(call):
                self.attack(self.checked(call), "INSERT INTO notes VALUES (2, 'x')", "PRAGMA integrity_check")

    def test_words_in_the_users_statement(self):
        self.attack(self.checked(DROP),
                    f"INSERT INTO notes VALUES (1, '{DROP.replace(chr(39), chr(39) * 2)}')",
                    f"INSERT INTO notes VALUES (1, 2) -- {DROP}",
                    f"INSERT INTO notes VALUES (1, 2) /* {DROP} */",
                    f'UPDATE notes SET body = "{DROP}"',
                    "INSERT INTO notes SELECT 1 AS aztables_drop_table, (2)",
                    "INSERT INTO notes SELECT [aztables_drop_table (] FROM (SELECT 1, 2 AS \"aztables_drop_table (\")",
                    "WITH aztables_drop_table(a) AS (SELECT 1) INSERT INTO notes SELECT a, a FROM aztables_drop_table")

    def test_column_with_the_name_of_a_function(self):
        path = self.file("CREATE TABLE notes(id, aztables_drop_table);")
        self.rewrite(path, "notes", f"CREATE TABLE notes(id, aztables_drop_table, CHECK({DROP} IS NOT NULL))")
        self.attack(path, "INSERT INTO notes(aztables_drop_table) VALUES (1)",
                    "INSERT INTO notes(id, aztables_drop_table) VALUES (1, 2)")

    def test_nested_pragma_has_the_name(self):
        path = self.checked(DROP)
        self.schema_entries(path, [
            ("view", name, name, f"CREATE VIEW {name} AS SELECT * FROM {pragma}('aztables_drop_table(')")
            for name, pragma in (("quick", "pragma_quick_check"), ("whole", "pragma_integrity_check"))])
        self.attack(path, "SELECT * FROM quick", "SELECT * FROM whole",
                    "SELECT * FROM pragma_quick_check('notes'), quick")

    def test_default_index_and_generated_column(self):
        for sql in (f"CREATE TABLE notes(id, body DEFAULT ({DROP}))",
                    f"CREATE TABLE notes(id, body AS ({DROP}))",
                    f"CREATE TABLE notes(id, body AS ({DROP}) STORED)"):
            with self.subTest(sql):
                path = self.file(NOTES)
                self.rewrite(path, "notes", sql)
                self.attack(path, "INSERT INTO notes(id) VALUES (2)", "SELECT * FROM notes", "PRAGMA integrity_check")
        for of in (f"({DROP})", f"(id) WHERE {DROP}"):
            with self.subTest(of):
                path = self.file(NOTES + "CREATE INDEX i ON notes(id);")
                self.rewrite(path, "i", f"CREATE INDEX i ON notes{of}")
                self.attack(path, "INSERT INTO notes VALUES (2, 'x')", "SELECT * FROM notes", "REINDEX",
                            "PRAGMA integrity_check")

    def test_views_and_triggers(self):
        path = self.file(NOTES)
        self.schema_entries(path, [
            ("view", "v", "v", f"CREATE VIEW v AS SELECT {DROP}"),
            ("trigger", "r", "notes", f"CREATE TRIGGER r BEFORE INSERT ON notes BEGIN SELECT {DROP}; END"),
            ("trigger", "w", "notes", f"CREATE TRIGGER w AFTER UPDATE ON notes WHEN {DROP} BEGIN SELECT 1; END")])
        self.attack(path, "SELECT * FROM v", "INSERT INTO notes VALUES (2, 'x')", "UPDATE notes SET id = 3")

    def test_temporary_views_and_triggers_are_refused(self):
        with contextlib.closing(self.open()) as db:
            db.executescript(f"{NOTES} CREATE TEMP VIEW v AS SELECT {DROP};"
                             f"CREATE TEMP TRIGGER r AFTER INSERT ON notes BEGIN SELECT {DROP}; END;")
            for sql in ("SELECT * FROM v", "INSERT INTO notes VALUES (2, 'x')"):
                with self.assertRaisesRegex(sqlite3.Error, "aztables_drop_table runs only if the statement that you.*"
                                            r"a TEMP one too.*; run it by itself: SELECT aztables_drop_table\("):
                    db.execute(sql).fetchall()
        self.assertEqual(self.secrets(), ROWS)

    def test_full_text_tables_that_call_functions(self):
        for function in ("aztables_drop_table", "aztables_schema"):
            path = self.file("CREATE TABLE f_content(docid INTEGER PRIMARY KEY, c0a);"
                             "INSERT INTO f_content VALUES (1, 'default.Secrets');"
                             "CREATE TABLE f_segments(blockid INTEGER PRIMARY KEY, block BLOB);"
                             "CREATE TABLE f_segdir(level INTEGER, idx INTEGER, start_block INTEGER,"
                             " leaves_end_block INTEGER, end_block INTEGER, root BLOB, PRIMARY KEY(level, idx));"
                             "CREATE TABLE f_docsize(docid INTEGER PRIMARY KEY, size BLOB);"
                             "CREATE TABLE f_stat(id INTEGER PRIMARY KEY, value BLOB);",
                             [("f", f"CREATE VIRTUAL TABLE f USING fts4(a, compress={function},"
                                    f" uncompress={function})")])
            found = self.attack(path, "SELECT * FROM f", "INSERT INTO f VALUES ('default.Secrets')",
                                "DELETE FROM f")
            self.assertEqual(len(found[0]), 3, found[0])

    def test_full_text_ranking_by_a_function(self):
        """FTS5 runs its own statement, which calls the function that the file has chosen."""
        how = (f"AccountName=a;AccountKey=c2VjcmV0;DefaultEndpointsProtocol=http;"
               f"TableEndpoint=http://127.0.0.1:{self.listener.port}/a")
        path = self.file("CREATE TABLE notes(id, body); CREATE VIRTUAL TABLE f USING fts5(a);"
                         "INSERT INTO f VALUES ('mine'); "
                         f"INSERT INTO f(f, rank) VALUES ('rank', 'bm25()');"
                         f"UPDATE f_config SET v = 'aztables_connect(''{how}'')' WHERE k = 'rank';")
        for sql in ("SELECT * FROM f WHERE f MATCH 'mine' ORDER BY rank",
                    "SELECT rank FROM f('mine') ORDER BY rank",
                    "SELECT 'first' UNION ALL SELECT * FROM (SELECT a FROM f('mine') ORDER BY rank)"):
            self.attack(path, sql)
            with contextlib.closing(self.open(path)) as db:
                self.run_all(db, [sql])
                self.assertEqual(db.execute("SELECT name FROM aztables_connections").fetchall(), [])

    def test_suspended_statement(self):
        """A suspended statement does not run now, so its functions do not count."""
        with contextlib.closing(self.open()) as db:
            db.execute("SELECT aztables_create_table('default.Old')").fetchall()
        with contextlib.closing(self.open(self.checked(DROP))) as db:
            if any("malformed database schema" in error for error in self.run_all(db, ["SELECT * FROM notes"])):
                return  # SQLite does not open such a file
            waiting = db.execute("SELECT aztables_drop_table('default.Old')")
            self.assertTrue(self.run_all(db, ["INSERT INTO notes VALUES (2, 'x')", "PRAGMA quick_check"]))
            self.assertEqual(waiting.fetchall(), [(1,)])
        self.assertEqual(self.secrets(), ROWS)

    def test_after_the_first_row(self):
        """A current SQLite does not distinguish a statement that continues from a suspended one."""
        with contextlib.closing(self.open()) as db:
            for sql in ("SELECT aztables_create_table('default.Made') FROM (SELECT 1 UNION ALL SELECT 2)",
                        "SELECT aztables_create_table('default.' || value) FROM json_each('[\"Aaa\", \"Bbb\", \"Ccc\"]')",
                        "VALUES (1), (aztables_create_table('default.Made'))"):
                self.assertEqual(self.run_all(db, [sql]), [], sql)
            waiting = db.execute("SELECT aztables_drop_table('default.' || value) FROM json_each('[\"Aaa\", \"Bbb\"]')")
            self.assertEqual(next(waiting), (1,))
            self.assertEqual(self.run_all(db, ["SELECT aztables_drop_table('default.Ccc')"]), [])
            self.assertEqual(next(waiting), (1,))
        path = self.file(f"{NOTES} CREATE VIEW v AS SELECT 1 UNION ALL SELECT {DROP} FROM notes;")
        found = self.attack(path, "SELECT * FROM v", "SELECT * FROM stranger.v")
        self.assertTrue(all(found))
        with contextlib.closing(self.open(path)) as db:
            db.execute(f"CREATE TEMP VIEW own AS SELECT 1 UNION ALL SELECT {DROP} FROM notes")
            waiting = db.execute("SELECT 1 UNION ALL SELECT aztables_drop_table('default.Made')")
            next(waiting)
            self.assertEqual(len(self.run_all(db, ["SELECT * FROM own"])), 1)
        self.assertEqual(self.secrets(), ROWS)

    def test_calls_of_the_user_run(self):
        for number, call in enumerate((
                lambda db, t: db.execute("SELECT aztables_create_table(?)", (t,)).fetchall(),
                lambda db, t: db.executescript(f"-- it\nSELECT\taztables_create_table('{t}');"),
                lambda db, t: db.execute("WITH n(t) AS (VALUES (:t)) SELECT aztables_create_table(t) FROM n",
                                         {"t": t}).fetchall(),
                lambda db, t: db.execute("CREATE TABLE made AS SELECT Aztables_Create_Table(?) AS n", (t,)),
                lambda db, t: db.execute("SELECT 1 WHERE 1 = aztables_create_table(?)", (t,)).fetchall(),
                lambda db, t: db.execute("SELECT--\n\vaztables_create_table \v(?)", (t,)).fetchall())):
            with contextlib.closing(self.open()) as db:
                call(db, f"default.Made{number}")
                names = db.execute("SELECT name FROM aztables_tables('default', 'Made%')").fetchall()
                self.assertIn((f"Made{number}",), names)
                waiting = db.execute("SELECT 1 UNION SELECT 2")  # another cursor may be open
                self.assertEqual(db.execute(";SELECT aztables_drop_table(?)", (f"default.Made{number}",)).fetchall(),
                                 [(1,)])
                self.assertEqual(len(waiting.fetchall()), 2)


if __name__ == "__main__":
    host.enter()
    unittest.main()
