#!/usr/bin/env python3
"""A database file from a stranger cannot choose the address of requests, read or change a local
store, or make a program wait. An inline connection in the file is used only if the user named it.
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


class FormsTest(stranger_case.Victim):
    """An inline form in a file is used only if the user named the same form on this database
    connection.
    """

    def virtual(self, connection, name="remote"):
        quoted = connection.replace("'", "''")
        return (name, f"CREATE VIRTUAL TABLE {name} USING aztables(table=Secrets, connection='{quoted}', N INT32)")

    def joined(self, connection):
        """A file with a view that would send each of the user's notes to `connection`, in the
        URL.
        """
        path = self.file(NOTES, [self.virtual(connection)])
        self.schema_entries(path, [
            ("view", "v", "v", "CREATE VIEW v AS SELECT * FROM notes JOIN remote ON PartitionKey = body")])
        return path

    READS = ("SELECT * FROM v", "SELECT * FROM remote WHERE PartitionKey = 'a'", "PRAGMA table_info(remote)",
             "SELECT count(*) FROM remote", "DELETE FROM remote", "EXPLAIN QUERY PLAN SELECT * FROM remote",
             "INSERT INTO remote(PartitionKey, RowKey) VALUES ('a', 'b')", "DROP TABLE IF EXISTS none")

    def endpoint(self):
        return (f"TableEndpoint=http://127.0.0.1:{self.listener.port}/a;"
                "SharedAccessSignature=sv=2019-02-02&sig=c2VjcmV0")

    def test_store_in_the_same_folder(self):
        (self.folder / "beside").write_text(self.endpoint())
        found = self.attack(self.joined(f"file:{self.folder}/beside"), *self.READS)
        self.assertRegex(found[0][0], rf"SELECT aztables_connect\('stored\d+', 'file:{self.folder}/beside'\)")

    def test_database_itself_and_a_descriptor(self):
        for source in ("{}", "/proc/self/fd/3", "/proc/self/fd/4"):
            path = self.folder / f"stranger{self.databases + 1}.db"
            self.attack(self.joined("file:" + source.format(path)), *self.READS)

    def test_local_stores_and_the_emulator(self):
        for how in (f"LocalStore={self.store}", f"localstore={self.store}", f"LocalStore={self.folder}/new.store",
                    "LocalStore=:memory:", "UseDevelopmentStorage=true", "usedevelopmentstorage=TRUE;",
                    "env:AZTABLES_CONNECTION_DEFAULT"):
            with self.subTest(how):
                found = self.attack(self.joined(how), *self.READS)
                self.assertIn("you have not named this connection", found[0][0])
                self.assertFalse((self.folder / "new.store").exists())

    def test_trigger_cannot_delete_in_a_store(self):
        path = self.file(NOTES, [self.virtual(f"LocalStore={self.store}")])
        self.schema_entries(path, [("trigger", "r", "notes", "CREATE TRIGGER r AFTER INSERT ON notes BEGIN "
                                                             "DELETE FROM remote; END")])
        self.attack(path, "INSERT INTO notes VALUES (2, 'x')")
        with contextlib.closing(self.open(path)) as db:  # the same if the user reads the table
            db.execute("SELECT aztables_connect('mine', ?)", (f"LocalStore={self.store};ReadOnly=true",)).fetchall()
            self.assertEqual(db.execute("SELECT count(*) FROM remote").fetchone(), (3,))
            with self.assertRaisesRegex(sqlite3.Error, "read-only"):
                db.execute("INSERT INTO notes VALUES (2, 'x')")
        self.assertEqual(self.secrets(), ROWS)

    def test_connection_string_or_endpoint(self):
        for how in (self.endpoint(), f"LocalStore={self.store};ReadOnly=false", f"{self.endpoint()};LocalStore=x",
                    f"UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://127.0.0.1:{self.listener.port}",
                    f"env:{self.endpoint()}"):
            found = self.attack(self.joined(how), *self.READS)
            self.assertNotIn("c2VjcmV0", "".join(found[0]))

    def test_line_of_the_error_is_safe_to_paste(self):
        store = self.folder / "it's\n\x1b[31m\u009b\u202e) DELETE FROM notes --.store"
        with contextlib.closing(self.open()) as db:
            db.execute("SELECT aztables_connect('strange', ?)", (f"LocalStore={store}",)).fetchall()
            db.execute("SELECT aztables_create_table('strange.Secrets')").fetchall()
        path = self.file(NOTES, [self.virtual(f"LocalStore={store}")])
        with contextlib.closing(self.open(path)) as db:
            with self.assertRaises(sqlite3.Error) as caught:
                db.execute("SELECT * FROM remote")
            message = str(caught.exception)
            self.assertNotRegex(message, "[\x00-\x1f\x7f-\x9f\u202e]")
            db.execute(message.split("run: ")[1]).fetchall()
            self.assertEqual(db.execute("SELECT * FROM remote").fetchall(), [])
            self.assertEqual(db.execute("SELECT count(*) FROM notes").fetchall(), [(1,)])

    def test_very_long_text_is_not_shown(self):
        long = "a" * 2_000_000
        for how in (f"LocalStore=/{long}", f"LocalStore={long}", f"file:/{long}", f"env:{long}", long,
                    "LocalStore=/" + "\x01" * 900):
            with self.subTest(how[:20]), contextlib.closing(self.open(self.file(NOTES, [self.virtual(how)]))) as db:
                for sql in ("SELECT * FROM remote", "INSERT INTO remote(PartitionKey, RowKey) VALUES ('p', 'r')"):
                    with self.assertRaises(sqlite3.Error) as caught:
                        db.execute(sql)
                    message = str(caught.exception)
                    self.assertLess(len(message), 500)
                    self.assertNotIn("run: ", message)
                    if how != long:
                        self.assertIn(f"name it by aztables_connect; its text of {len(how)} bytes is too long", message)

    def stored(self, connection):
        return self.file("CREATE TABLE unused(a);", [self.virtual(connection)])

    def test_vacuum_runs_the_declarations_of_a_crafted_file(self):
        """SQLite assumes that VACUUM must create a virtual table whose rootpage is not 0."""
        (self.folder / "beside").write_text(self.endpoint())
        for how, more in ((f"file:{self.folder}/beside", ""), (f"file:{self.folder}/beside", "create=missing, "),
                          (f"LocalStore={self.store}", ""), ("default", "create=missing, ")):
            with self.subTest(how=how, more=more):
                name, sql = self.virtual(how)
                path = self.file(NOTES, [(name, sql.replace("aztables(table=Secrets", f"aztables({more}table=Evil"))])
                with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
                    db.execute("PRAGMA writable_schema = ON")
                    db.execute("UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'remote'")
                self.attack(path, "VACUUM", "VACUUM stranger", f"VACUUM INTO '{self.folder}/copy.db'",
                            "SELECT * FROM notes JOIN remote ON PartitionKey = body" if how != "default" else "SELECT 1")
                (self.folder / "copy.db").unlink(missing_ok=True)

    def test_two_forms_can_be_named(self):
        path = self.file(NOTES, [self.virtual(f"LocalStore={self.folder}/{name}.store", name) for name in "ab"])
        with contextlib.closing(self.open(path)) as db:
            for sql in ("SELECT * FROM a", "SELECT * FROM b"):
                error, = self.run_all(db, [sql])
                db.execute(error.split("run: ")[1]).fetchall()
            for error in self.run_all(db, ["SELECT * FROM a", "SELECT * FROM b"]):
                self.assertNotIn("have not named", error)

    def test_relative_path_keeps_its_meaning(self):
        os.mkdir(self.folder / "other")
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        path = self.stored("LocalStore=mine.store")
        with contextlib.closing(self.open(path)) as db:
            db.execute("SELECT aztables_connect('a', 'LocalStore=mine.store')").fetchall()
            self.assertEqual(db.execute("SELECT count(*) FROM remote").fetchall(), [(3,)])
            os.chdir("other")
            self.assertEqual(db.execute("SELECT count(*) FROM remote").fetchall(), [(3,)])
            db.execute("SELECT aztables_connect('b', 'LocalStore=../mine.store;ReadOnly=true')").fetchall()
            for error in self.run_all(db, ["SELECT * FROM remote"]):  # now another file
                self.assertIn("you have not named this connection", error)

    def test_file_is_read_again_when_it_is_named_again(self):
        held = self.folder / "held"
        held.write_text(f"LocalStore={self.folder}/empty.store")
        with contextlib.closing(self.open(self.stored(f"file:{held}"))) as db:
            db.execute("SELECT aztables_connect('m', ?)", (f"file:{held}",)).fetchall()
            self.assertTrue(self.run_all(db, ["SELECT * FROM remote"]))  # no such table
            held.write_text(f"LocalStore={self.store}")
            db.execute("SELECT aztables_connect('m', ?)", (f"file:{held}",)).fetchall()
            self.assertEqual(db.execute("SELECT count(*) FROM remote").fetchall(), [(3,)])

    def test_the_same_form(self):
        """The whole strings are compared. Keys may have any case, and paths are resolved."""
        os.symlink(self.store, self.folder / "link.store")
        store = f"LocalStore={self.store}"
        same = [(store, store), (store, f" localstore = {self.store} ;"), (f"LOCALSTORE={self.store}", store),
                (store, f"LocalStore={self.folder}/./link.store"),
                (f"LocalStore={os.path.relpath(self.store)}", store),
                ("env:AZTABLES_CONNECTION_DEFAULT", "env:AZTABLES_CONNECTION_DEFAULT")]
        other = [(store, f"LocalStore={self.store}2"), (store, "LocalStore=:memory:"),
                 (store, "UseDevelopmentStorage=true"), (store, "env:AZTABLES_CONNECTION_DEFAULT"),
                 ("env:AZTABLES_CONNECTION_DEFAULT", store)]
        for in_file, named in same + other:
            with self.subTest(in_file=in_file, named=named), contextlib.closing(self.open(self.stored(in_file))) as db:
                db.execute("SELECT aztables_connect('mine', ?)", (named,)).fetchall()
                errors = self.run_all(db, ["SELECT * FROM remote"])
                self.assertEqual(bool(errors), (in_file, named) in other, errors)
                db.execute("SELECT aztables_disconnect('mine')").fetchall()
                self.assertTrue(self.run_all(db, ["SELECT * FROM remote"]))

    def test_forms_that_the_environment_trusts(self):
        path = self.stored(f"LocalStore={self.store}")
        os.environ["AZTABLES_TRUST"] = f"UseDevelopmentStorage=true\nLocalStore={self.store}"
        with contextlib.closing(self.open(path)) as db:
            db.execute("UPDATE remote SET N = N + 10")
        self.assertEqual([n for _, _, n in self.secrets()], [11, 12, 13])
        os.environ["AZTABLES_TRUST"] += ";ReadOnly=true"
        with contextlib.closing(self.open(path)) as db:
            self.assertEqual(db.execute("SELECT count(*) FROM remote").fetchall(), [(3,)])
            with self.assertRaisesRegex(sqlite3.Error, "read-only"):
                db.execute("UPDATE remote SET N = 0")

    def test_created_table_names_its_form(self):
        path = self.folder / "own.db"
        with contextlib.closing(self.open(path)) as db:
            self.declare(db, "main.remote", f"LocalStore={self.store}")
            self.assertEqual(db.execute("SELECT count(*) FROM remote").fetchall(), [(3,)])
            self.assertEqual(db.execute("UPDATE remote SET N = N").rowcount, 3)
            db.execute("SELECT aztables_connect('mine', ?)", (f"LocalStore={self.store};ReadOnly=true",)).fetchall()
            with self.assertRaisesRegex(sqlite3.Error, "read-only"):
                db.execute("UPDATE remote SET N = 0")
        with contextlib.closing(self.open(path)) as db:
            self.assertTrue(self.run_all(db, ["SELECT * FROM remote"]))
            self.declare(db, "temp.again", f"LocalStore={self.store}")
            self.assertEqual(db.execute("SELECT count(*) FROM remote").fetchall(), [(3,)])

    def test_pipe_or_device_is_not_read(self):
        os.mkfifo(self.folder / "pipe")
        (self.folder / "large").write_text("LocalStore=x" + " " * 64 * 1024)
        for path in ("pipe", "large", "."):
            with self.subTest(path), contextlib.closing(self.open()) as db:
                with self.assertRaisesRegex(sqlite3.Error, "the connection file .* (ordinary file|too large)"):
                    db.execute("SELECT aztables_connect('x', ?)", (f"file:{self.folder}/{path}",))
        for path in ("/dev/zero", "/dev/tty", "/proc/self/fd"):
            with self.subTest(path), contextlib.closing(self.open()) as db, self.assertRaises(sqlite3.Error):
                db.execute("SELECT aztables_connect('x', ?)", (f"file:{path}",))
        (self.folder / "good").write_text(f"LocalStore={self.store}\n")
        with contextlib.closing(self.open()) as db:
            db.execute("SELECT aztables_connect('x', ?)", (f"file:{self.folder}/good",)).fetchall()


if __name__ == "__main__":
    host.enter()
    unittest.main()
