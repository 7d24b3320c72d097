"""Common parts of the module's Python drivers: the right interpreter, a clean environment,
connections with the module loaded, and remote tables on a shared Azurite.

A driver calls enter() first. It restarts the driver in Debian's Python, whose sqlite3 can load
extensions, with the sanitizers' runtime preloaded if AZTABLES_PRELOAD names it.
"""

import itertools
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/support/azurite")]
import aztables_server  # noqa: E402
import azurite  # noqa: E402
import on_service  # noqa: E402
from cut_proxy import CutProxy  # noqa: E402

PYTHON = "/usr/bin/python3"
MODULE = os.environ.get("AZTABLES_MODULE", str(ROOT / "build/aztables.so"))
PRELOAD = os.environ.get("AZTABLES_PRELOAD", "")
_ENTERED = "AZTABLES_HOST_ENTERED"


def environment(**more):
    """The environment of a host process: the sanitizers' runtime, and only the given connections."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AZTABLES_C", "AZTABLES_TRUST", "AZURE_")) and not name.lower().endswith("_proxy")
    }
    if PRELOAD:
        clean["LD_PRELOAD"] = PRELOAD
        clean["ASAN_OPTIONS"] = clean.get("ASAN_OPTIONS", "") + ":detect_leaks=0"  # the interpreter leaks memory
    return {**clean, **more}


def enter():
    """Replaces this process by PYTHON running the same script in environment()."""
    if _ENTERED not in os.environ:
        os.execve(PYTHON, [PYTHON, *sys.argv], environment(**{_ENTERED: "1"}))
    os.environ.pop("LD_PRELOAD", None)  # not for child processes


def run_python(code, *arguments, timeout=60, **more):
    """Runs `code` in a new host process; returns its output, its errors and its exit code."""
    return subprocess.run(
        [PYTHON, "-c", code, *arguments],
        env=environment(AZTABLES_MODULE=MODULE, **more),
        capture_output=True, text=True, timeout=timeout, check=False,
    )


def connect(path=":memory:", **options):
    """A database connection with the module; autocommit unless isolation_level differs."""
    options.setdefault("isolation_level", None)
    connection = sqlite3.connect(path, **options)
    connection.enable_load_extension(True)
    connection.load_extension(MODULE)
    return connection


def key_of(service, account=azurite.ACCOUNT, key=azurite.ACCOUNT_KEY, more=""):
    """A connection string for a service (anything with a port); `parts` replace the defaults."""
    endpoint = f"http://127.0.0.1:{service.port}/{azurite.ACCOUNT}"
    return f"AccountName={account};AccountKey={key};TableEndpoint={endpoint};{more}"


class Case(unittest.TestCase):
    """A test with a database connection `db` and an empty remote table, named by `table`.

    The connection `demo` is to the Azurite that all tests of the program share.
    """

    _names = itertools.count(1)
    service = None

    @classmethod
    def setUpClass(cls):
        if Case.service is None:
            Case.service = azurite.start()
            unittest.addModuleCleanup(Case.service.stop)
        os.environ["AZTABLES_CONNECTION_DEMO"] = Case.service.connection_string

    def setUp(self):
        self.db = connect()
        self.addCleanup(lambda: self.db.close())
        self.table = f"Tests{next(Case._names)}"
        self.query(f"SELECT aztables_create_table('demo.{self.table}')")

    def query(self, sql, *parameters):
        """All rows of one statement."""
        return self.db.execute(sql, parameters).fetchall()

    def virtual(self, name, columns="A INT32, B STRING", db=None, **options):
        """Creates the virtual table `name` over the test's remote table, unless `table` names another."""
        options = {"table": self.table, "connection": "demo", **options}
        arguments = [f"{key}='{value}'" for key, value in options.items()] + [columns]
        (db or self.db).execute(f"CREATE VIRTUAL TABLE {name} USING aztables({', '.join(arguments)})")

    def allow_triggers(self):
        """Names the connection `demo`: from now on views and triggers may write through it."""
        self.query("SELECT aztables_connect('demo', 'env:AZTABLES_CONNECTION_DEMO')")

    def virtual_for_two(self, name, columns="A INT32, B STRING", **options):
        """The same table for `db` and for a new database connection, `other`."""
        self.other = connect()
        self.addCleanup(self.other.close)
        for db in (self.db, self.other):
            self.virtual(name, columns, db=db, **options)

    def cut_connection(self, service=None):
        """A CutProxy before the service or another one; the connection `cut` uses it."""
        proxy = CutProxy((service or self.service).port)
        self.addCleanup(proxy.__exit__)
        self.query("SELECT aztables_connect('cut', ?)", key_of(proxy))
        return proxy

    def fails(self, kind, code, text, sql, *parameters):
        """Checks a statement's error: exception, name of SQLite's code, a part of the message."""
        with self.assertRaises(sqlite3.Error) as caught:
            self.query(sql, *parameters)
        error = caught.exception
        self.assertIn(text, str(error))
        self.assertEqual((kind, code), (type(error), error.sqlite_errorname), str(error))
        return str(error)

    def requests_of(self, sql, *parameters):
        """The rows of a statement, and the kinds of requests that it sent."""
        before = self.query("SELECT coalesce(max(id), 0) FROM aztables_requests")[0][0]
        rows = self.query(sql, *parameters)
        return rows, [kind for (kind,) in self.query("SELECT kind FROM aztables_requests WHERE id > ? ORDER BY id", before)]

    def remote(self, columns="PartitionKey, RowKey", where="true"):
        """The rows of the remote table, read by a new connection."""
        db = connect()
        self.virtual("reader", db=db)
        rows = db.execute(f"SELECT {columns} FROM reader WHERE {where}").fetchall()
        db.close()
        return rows

    def sent(self, kind="EGT"):
        """The number of requests of a kind that this test's connection has sent."""
        return self.query("SELECT count(*) FROM aztables_requests WHERE kind = ?", kind)[0][0]

    def last_commit(self, columns="partition_key, operations, outcome"):
        """The rows of aztables_commits for the last COMMIT."""
        return self.query(f"SELECT {columns} FROM aztables_commits WHERE commit_id = (SELECT max(commit_id) FROM "
                          "aztables_commits)")

    def outcomes(self):
        """{outcome: partitions} of the last COMMIT, with every possible outcome."""
        found = {"applied": set(), "failed": set(), "unknown": set(), "not sent": set()}
        for outcome, partition in self.last_commit("outcome, partition_key"):
            found[outcome].add(partition)
        return found


class LocalCase(Case):
    """A Case whose connection `demo` is to a local store, with its file in the folder `stores`."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(dir=on_service.fast_folder())
        cls.addClassCleanup(folder.cleanup)
        cls.stores = folder.name
        os.environ["AZTABLES_CONNECTION_DEMO"] = f"LocalStore={cls.stores}/store.db"


class ServerCase(Case):
    """A Case whose connection `demo` is to an aztables-server, `service`, started with
    `server_options`."""

    server_options = ()

    @classmethod
    def setUpClass(cls):
        cls.service = aztables_server.start(options=cls.server_options)
        cls.addClassCleanup(cls.service.stop)
        os.environ["AZTABLES_CONNECTION_DEMO"] = cls.service.connection_string


# For tests of many entities, in which Azurite takes most of the time: one of the two builds uses it.
SlowCase = Case if PRELOAD else ServerCase


class FileCase(Case):
    """A Case whose database connections are to files in its own folder."""

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def open(self, name="main.db", **options):
        """A connection to the file `name`; a URI and ":memory:" stay unchanged."""
        path = name if name.startswith(("file:", ":")) else str(self.folder / name)
        db = connect(path, **options)
        self.addCleanup(db.close)
        return db

    def fill(self, count=2100, partitions=3):
        """Writes entities to the test's remote table: p0, p1 ... in turns, numbered in N."""
        self.virtual("filled", "N INT32")
        self.query("BEGIN")
        self.query(f"""INSERT INTO filled(PartitionKey, RowKey, N)
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {count - 1})
            SELECT 'p' || (i % {partitions}), printf('%06d', i), i FROM n""")
        self.query("COMMIT")
        self.query("DROP TABLE filled")

    def refused(self, code, sql, *parameters, db=None):
        """Checks that a statement fails with this code of SQLite's; returns the message."""
        with self.assertRaises(sqlite3.Error) as caught:
            (db or self.db).execute(sql, parameters).fetchall()
        self.assertEqual(code, caught.exception.sqlite_errorname, str(caught.exception))
        return str(caught.exception)

    def shell(self, script, name="main.db"):
        """The output of the sqlite3 shell for `script`, with the module loaded, on the file `name`."""
        return subprocess.run(
            ["sqlite3", "-batch", "-init", "/dev/null", str(self.folder / name)],
            input=f".load {MODULE}\n{script}", text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=environment(AZTABLES_CONNECTION_DEMO=self.service.connection_string), timeout=60,
            check=False).stdout


class InferringCase(FileCase):
    """A FileCase whose remote table has one entity, with the property A; a table over it infers."""

    def setUp(self):
        super().setUp()
        self.virtual("writer", "A INT32, B STRING, C ANY")
        self.query("INSERT INTO writer(PartitionKey, RowKey, A) VALUES ('p', '1', 1)")

    def infer(self, db, name="t", schema="main", more=""):
        db.execute(f"CREATE VIRTUAL TABLE {schema}.{name} USING aztables(table={self.table}, "
                   f"connection=demo{more})")

    @staticmethod
    def columns(db, name="t", schema="main"):
        """Name and type of the columns of properties."""
        rows = db.execute(f"PRAGMA {schema}.table_info({name})").fetchall()
        return [f"{row[1]} {row[2]}".strip() for row in rows[3:]]

    def add_b(self):
        self.query("INSERT INTO writer(PartitionKey, RowKey, A, B) VALUES ('p', '2', 2, 'two')")
