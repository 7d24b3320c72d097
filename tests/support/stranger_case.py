"""Common parts of tests of a stranger's database file: a victim with a connection in the
environment, and files that were created without the extension. The victim opens each file at default
settings, under trusted_schema=OFF, and attached."""

import contextlib
import os
import pathlib
import socket
import sqlite3
import tempfile
import threading
import unittest

import host

NOTES = "CREATE TABLE notes(id, body); INSERT INTO notes VALUES (1, 'mine');"
DROP = "aztables_drop_table('default.Secrets')"
ROWS = [("p", "1", 1), ("p", "2", 2), ("q", "1", 3)]


class Listener:
    """A host of the stranger that counts its connections."""

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
    """A user with the remote table Secrets on the connection `default` of the environment."""

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
        """The rows of the remote table, read by a separate connection."""
        with contextlib.closing(self.open()) as db:
            self.declare(db)
            return db.execute("SELECT PartitionKey, RowKey, N FROM secrets ORDER BY 1, 2").fetchall()

    def file(self, script, schema=()):
        """A stranger's database: `script` runs without the extension; `schema` has (name, CREATE
        VIRTUAL TABLE)."""
        self.databases += 1
        path = self.folder / f"stranger{self.databases}.db"
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.executescript(script)
            db.execute("PRAGMA writable_schema = ON")
            for name, sql in schema:
                db.execute("INSERT INTO sqlite_schema VALUES ('table', ?, ?, 0, ?)", (name, name, sql))
        return path

    def schema_entries(self, path, entries):
        """Adds rows (type, name, table, sql) to the schema that no script could create."""
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
        """The victim opens the file and runs the statements. They must not change or send anything
        of the victim's. Returns the errors of each way to open it."""
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
        """Checks the target of `default`, and that no request changed or listed tables."""
        try:
            endpoints = db.execute("SELECT endpoint FROM aztables_connections WHERE name = 'default'").fetchall()
        except sqlite3.DatabaseError as error:
            self.assertIn("malformed database schema", str(error))  # SQLite does not open such a file
            return
        self.assertIn(endpoints, [[], [(f"LocalStore={self.store}",)]], way)
        kinds = {kind for (kind,) in db.execute("SELECT DISTINCT kind FROM aztables_requests")}
        self.assertEqual(kinds & {"EGT", "create table", "delete table", "list tables"}, set(), way)
