#!/usr/bin/env python3
"""A database file from a stranger cannot change or drop remote tables by triggers, views or foreign
keys. Triggers work if the user named the connection.
"""

import contextlib
import os
import pathlib
import sqlite3
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402
import stranger_case  # noqa: E402
from stranger_case import NOTES, ROWS  # noqa: E402


class WritesTest(stranger_case.Victim):
    """A remote table changes only if the user's statement names its virtual table, or the user
    named its connection.
    """

    VIRTUAL = "CREATE VIRTUAL TABLE {} USING aztables(table=Secrets, connection=default, N INT32)"

    def with_triggers(self, name="remote", body="DELETE FROM {}", script=NOTES):
        """A file with the virtual table `name`, and triggers on `notes` that change it."""
        path = self.file(script, [(name, self.VIRTUAL.format(name))])
        self.schema_entries(path, [
            ("trigger", f"t_{event.lower()}", "notes",
             f"CREATE TRIGGER t_{event.lower()} AFTER {event} ON notes BEGIN {body.format(name)}; END")
            for event in ("INSERT", "UPDATE", "DELETE")])
        return path

    STATEMENTS = ("INSERT INTO notes VALUES (2, 'x')", "UPDATE notes SET body = 'y'", "DELETE FROM notes")

    def test_triggers_on_a_local_table(self):
        for body in ("DELETE FROM {}", "UPDATE {} SET N = 0", "UPDATE {} SET RowKey = 'x' || RowKey",
                     "INSERT INTO {}(PartitionKey, RowKey, N) VALUES ('z', new.id, 1)",
                     "REPLACE INTO {}(PartitionKey, RowKey, N) VALUES ('p', '1', 0)"):
            with self.subTest(body):
                found = self.attack(self.with_triggers(body=body), *self.STATEMENTS)
                self.assertIn("SELECT aztables_connect('default', 'env:AZTABLES_CONNECTION_DEFAULT')", found[0][0])

    def test_temporary_trigger_of_the_user(self):
        """The error explains that temporary triggers count, too, and how to permit them. Then the
        trigger works.
        """
        with contextlib.closing(self.open()) as db:
            self.declare(db)
            db.executescript(f"{NOTES} CREATE TEMP TRIGGER r AFTER INSERT ON notes BEGIN DELETE FROM secrets; END;")
            with self.assertRaisesRegex(sqlite3.Error, r"a trigger \(a TEMP one too\).*, run: SELECT ") as caught:
                db.execute("INSERT INTO notes VALUES (2, 'x')")
            db.execute(str(caught.exception).split("run: ")[1]).fetchall()
            db.execute("INSERT INTO notes VALUES (2, 'x')")
        self.assertEqual(self.secrets(), [])

    def test_connection_of_several_variables(self):
        """No short statement names this connection, so the error names the environment variable
        AZTABLES_TRUST.
        """
        for name, value in (("AZURE_STORAGE_ACCOUNT", "acct"), ("AZURE_STORAGE_KEY", "a2V5")):
            os.environ[name] = value
            self.addCleanup(os.environ.pop, name)
        del os.environ["AZTABLES_CONNECTION_DEFAULT"]
        self.addCleanup(os.environ.setdefault, "AZTABLES_CONNECTION_DEFAULT", "unused")
        with contextlib.closing(self.open(self.with_triggers())) as db:
            with self.assertRaisesRegex(sqlite3.Error, "; to allow it, add the line default to the environment variable "
                                        "AZTABLES_TRUST, or name the connection by aztables_connect$"):
                db.execute("INSERT INTO notes VALUES (2, 'x')")

    def test_triggers_within_a_transaction_that_writes(self):
        path = self.with_triggers()
        with contextlib.closing(self.open(path)) as db:
            db.execute("BEGIN")
            db.execute("INSERT INTO remote(PartitionKey, RowKey, N) VALUES ('z', '1', 1)")
            for sql in self.STATEMENTS:
                with self.assertRaisesRegex(sqlite3.Error, "table remote: the statement does not name it"):
                    db.execute(sql)
            db.execute("COMMIT")
        self.assertEqual(self.secrets(), [*ROWS, ("z", "1", 1)])

    def test_triggers_cannot_lift_guards(self):
        path = self.with_triggers(body="INSERT INTO {}(_command) VALUES ('scan=allow')")
        self.attack(path, *self.STATEMENTS)

    def test_table_with_the_name_of_a_column(self):
        for name in ("body", "id", "x"):
            with self.subTest(name):
                self.attack(self.with_triggers(name), "INSERT INTO notes(id, body) VALUES (2, 'x')",
                            "UPDATE notes SET body = id", "DELETE FROM notes WHERE id = 2",
                            "INSERT INTO notes SELECT 1 AS x, 2 FROM notes AS body")

    def test_statement_that_only_reads_the_table(self):
        path = self.with_triggers()
        self.attack(path, "INSERT INTO notes SELECT RowKey, N FROM remote",
                    "UPDATE notes SET body = (SELECT count(*) FROM remote)",
                    "WITH remote AS (SELECT 1) DELETE FROM notes", "INSERT INTO notes VALUES (1, 'INTO remote')",
                    "REPLACE INTO notes VALUES (1, 2) /* INTO remote */")

    def test_view_with_instead_of_triggers(self):
        path = self.file("CREATE TABLE unused(a);", [("remote", self.VIRTUAL.format("remote"))])
        self.schema_entries(path, [
            ("view", "v", "v", "CREATE VIEW v AS SELECT PartitionKey AS p, RowKey AS r, N FROM remote"),
            ("trigger", "d", "v", "CREATE TRIGGER d INSTEAD OF DELETE ON v BEGIN DELETE FROM remote WHERE "
                                  "PartitionKey = old.p AND RowKey = old.r; END"),
            ("trigger", "u", "v", "CREATE TRIGGER u INSTEAD OF UPDATE ON v BEGIN UPDATE remote SET N = new.N WHERE "
                                  "PartitionKey = old.p AND RowKey = old.r; END")])
        self.attack(path, "DELETE FROM v", "UPDATE v SET N = 0")
        with contextlib.closing(self.open(path)) as db:  # the line from the error permits it
            with self.assertRaises(sqlite3.Error) as caught:
                db.execute("UPDATE v SET N = 5 WHERE p = 'q'")
            db.execute(str(caught.exception).split("run: ")[1]).fetchall()
            db.execute("UPDATE v SET N = 5 WHERE p = 'q'")
            db.execute("SELECT aztables_disconnect('default')").fetchall()
            with self.assertRaises(sqlite3.Error):
                db.execute("DELETE FROM v")
        self.assertEqual(self.secrets(), [*ROWS[:2], ("q", "1", 5)])

    def test_foreign_key_that_deletes(self):
        path = self.with_triggers(script="CREATE TABLE parents(id PRIMARY KEY); INSERT INTO parents VALUES (1);"
                                         "CREATE TABLE notes(id REFERENCES parents ON DELETE CASCADE, body);"
                                         "INSERT INTO notes VALUES (1, 'x');")
        self.attack(path, "PRAGMA foreign_keys = ON", "DELETE FROM parents", "REPLACE INTO parents VALUES (1)")

    def test_changes_by_statements_of_the_user(self):
        with contextlib.closing(self.open()) as db:
            self.declare(db, '"odd ""table"')
            self.declare(db, "main.plain")
            db.executescript('WITH RECURSIVE c(i) AS (SELECT 1) INSERT INTO "odd ""table"(PartitionKey, RowKey, N) '
                             "SELECT 'z', i, i FROM c;"
                             "/* two */ INSERT OR REPLACE INTO [odd \"table](PartitionKey, RowKey) VALUES ('z', '2');"
                             "UPDATE OR FAIL `plain` SET N = 7 WHERE PartitionKey = 'z';"
                             "DELETE FROM Main.Plain AS x WHERE x.PartitionKey = 'z' AND x.RowKey = '2';"
                             "DELETE \vFROM\t\vplain\n\v WHERE PartitionKey = 'none';")
            db.executemany("REPLACE INTO main.plain(PartitionKey, RowKey, N) VALUES ('y', ?, ?)", [(1, 1), (2, 2)])
            waiting = db.execute("SELECT 1 UNION SELECT 2")
            db.executescript("UPDATE plain SET N = N + 1 WHERE PartitionKey = 'y';; ;"
                             "WITH c AS (SELECT " + ", ".join(f"{i} AS c{i}" for i in range(100)) + ") "
                             "UPDATE plain SET N = N + c1 - c0 - 1 FROM c WHERE PartitionKey = 'y'")
            waiting.close()
        self.assertEqual(self.secrets(), [*ROWS, ("y", "1", 2), ("y", "2", 3), ("z", "1", 7)])

    def test_function_of_the_program_that_changes_the_table(self):
        """The outer statement does not name the table, so the connection must be named."""
        with contextlib.closing(self.open()) as db:
            self.declare(db)
            nested = []
            db.create_function("change", 0, lambda: nested.append(db.execute("UPDATE secrets SET N = 7").rowcount) or 1)
            for sql in ("SELECT change()", "SELECT 1 UNION ALL SELECT change()"):
                self.assertEqual(len(self.run_all(db, [sql])), 1, sql)
            db.execute("SELECT aztables_connect('default', 'env:AZTABLES_CONNECTION_DEFAULT')").fetchall()
            db.execute("SELECT change()").fetchall()
            self.assertEqual(nested, [3])

    def test_suspended_statement(self):
        path = self.with_triggers()
        with contextlib.closing(self.open(path)) as db:
            waiting = db.execute("INSERT INTO remote(PartitionKey, RowKey, N) VALUES ('z', '1', 1), ('z', '2', 2) "
                                 "RETURNING RowKey")
            waiting.fetchone()
            self.assertEqual(len(self.run_all(db, self.STATEMENTS)), 3)
            waiting.fetchall()
        self.assertEqual(self.secrets(), [*ROWS, ("z", "1", 1), ("z", "2", 2)])

    def test_long_text_at_the_address_of_another(self):
        """SQLite may store the text of the next statement at the address of the previous one."""
        path = self.file("CREATE TABLE inbok(k, n); CREATE TRIGGER r AFTER INSERT ON inbok BEGIN DELETE FROM inbox; END;",
                         [("inbox", "CREATE VIRTUAL TABLE inbox USING aztables(connection=default, table=Secrets, N INT32)")])
        condition = " AND ".join(f"{i} = {i}" for i in range(100, 160))
        rows = f"WITH source(a, b) AS (SELECT 'z', abs(random()) WHERE {condition}) INSERT INTO "
        for begin, end in (("", ""), ("BEGIN", "COMMIT")):
            with contextlib.closing(host.connect(str(path), cached_statements=0)) as db:
                for _ in range(5):
                    db.execute(begin)
                    db.execute(rows + "inbox(PartitionKey, RowKey) SELECT a, b FROM source")
                    self.assertEqual(len(self.run_all(db, [rows + "inbok(k           , n     ) SELECT a, b FROM source"])), 1)
                    db.execute(end)
        self.assertEqual(len(self.secrets()), len(ROWS) + 10)

    def test_trigger_on_the_inferred_columns(self):
        """INSERT INTO t(_command) VALUES('refresh'), which messages advise, writes the inferred
        columns.
        """
        path = self.folder / "inferred.db"
        with contextlib.closing(self.open(path)) as db:
            db.execute("CREATE VIRTUAL TABLE remote USING aztables(table=Secrets)")
            db.execute("CREATE TRIGGER r AFTER INSERT ON remote_schema BEGIN DELETE FROM remote; END")
        self.attack(path, "INSERT INTO remote(_command) VALUES('refresh')",
                    "INSERT INTO stranger.remote(_command) VALUES('refresh')")

    def test_names_that_the_environment_trusts(self):
        path = self.with_triggers(body="UPDATE {} SET N = N + 1")
        os.environ["AZTABLES_TRUST"] = "other\n default \n\nLocalStore=unused.db"
        with contextlib.closing(self.open(path)) as db:
            db.execute("INSERT INTO notes VALUES (2, 'x')")
        self.assertEqual([n for _, _, n in self.secrets()], [2, 3, 4])
        os.environ["AZTABLES_TRUST"] = "other default"
        with contextlib.closing(self.open(path)) as db, self.assertRaises(sqlite3.Error):
            db.execute("INSERT INTO notes VALUES (2, 'x')")


if __name__ == "__main__":
    host.enter()
    unittest.main()
