#!/usr/bin/env python3
"""Checks a statement that waits for the network while the process interrupts it from another thread, ends it by a
progress handler, forks, or exits. The statement must end at once and without a crash.
"""

import pathlib
import socket
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402

AT_ONCE = 1.0  # seconds from the interruption to the end of the statement
STARTED = 0.3  # seconds until the statement certainly waits

# The beginning of each host process: a connection `db` with the module, a virtual table `t` over
# sys.argv[1].
PRELUDE = """
import os, socket, sqlite3, sys, threading
db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
db.enable_load_extension(True)
db.load_extension(os.environ["AZTABLES_MODULE"])
def virtual(db):
    db.execute(f"CREATE VIRTUAL TABLE t USING aztables(table={sys.argv[1]}, connection=demo, A INT32)")
virtual(db)
"""


class Silent:
    """A server that accepts connections and requests, and never responds."""

    def __enter__(self):
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=50)
        self.port = self._listener.getsockname()[1]
        return self

    def __exit__(self, *_):
        self._listener.close()


class Waiting(host.Case):
    """An interrupted statement ends, and the connection stays usable."""

    def setUp(self):
        super().setUp()
        silent = Silent()
        self.addCleanup(silent.__exit__)
        self.query("SELECT aztables_connect('silent', ?)", host.key_of(silent.__enter__()))
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            self.query("SELECT aztables_connect('closed', ?)", "AccountName=a;AccountKey=b2Rk;"
                       f"TableEndpoint=http://127.0.0.1:{nobody.getsockname()[1]}")
        self.virtual("silent", connection="silent")
        self.virtual("closed", connection="closed", retries=20)  # waits between attempts
        self.virtual("works")

    STATEMENTS = (
        "SELECT * FROM silent",
        "SELECT * FROM silent WHERE PartitionKey = 'p' AND RowKey = '1'",
        "INSERT INTO silent(PartitionKey, RowKey) VALUES('p', '1')",
        "SELECT * FROM closed",
        "SELECT name FROM aztables_tables('silent')",
        "SELECT aztables_create_table('silent.Other')",
    )

    def ends(self, sql):
        """Checks that the statement fails as interrupted; returns the time and the message."""
        with self.assertRaises(sqlite3.OperationalError) as caught:
            self.query(sql)
        ended = time.monotonic()
        self.assertEqual("SQLITE_INTERRUPT", caught.exception.sqlite_errorname, caught.exception)
        self.assertFalse(self.db.in_transaction)
        self.assertEqual([], self.query("SELECT * FROM works"))
        return ended, str(caught.exception)

    @staticmethod
    def limit(sql):
        """The seconds after which an interrupted statement has ended. EGTs under way have two seconds to end."""
        return AT_ONCE + 2 * sql.startswith(("INSERT", "COMMIT"))

    def interrupt_soon(self):
        """Interrupts the connection from another thread; the returned list receives the time."""
        when = []

        def interrupt():
            when.append(time.monotonic())
            self.db.interrupt()

        timer = threading.Timer(STARTED, interrupt)
        timer.start()
        self.addCleanup(timer.join)
        return when

    def test_interrupt_from_another_thread(self):
        for sql in self.STATEMENTS:
            with self.subTest(sql):
                when = self.interrupt_soon()
                ended, message = self.ends(sql)
                self.assertLess(ended - when[0], self.limit(sql))
                self.assertRegex(message, r"^(writing to table \w+: )?interrupted")

    def test_interrupted_commit_says_what_it_left(self):
        self.query("BEGIN")
        for partition in ("a", "b"):
            self.query("INSERT INTO silent(PartitionKey, RowKey) VALUES(?, '1')", partition)
        when = self.interrupt_soon()
        ended, message = self.ends("COMMIT")
        self.assertLess(ended - when[0], self.limit("COMMIT"))
        self.assertEqual(f"writing to table {self.table}: interrupted; the outcome of 2 EGTs is unknown: read the entities to find out; 0 of 2 EGTs"
                         " applied: see aztables_commits", message)
        self.assertEqual([("a", "unknown"), ("b", "unknown")],
                         self.query("SELECT partition_key, outcome FROM aztables_commits ORDER BY 1"))

    def test_progress_handler(self):
        for sql in self.STATEMENTS:
            with self.subTest(sql):
                until = time.monotonic() + STARTED
                self.db.set_progress_handler(lambda until=until: time.monotonic() > until, 1)
                try:
                    ended, message = self.ends_by_handler(sql)
                finally:
                    self.db.set_progress_handler(None, 1)
                self.assertGreaterEqual(ended, until)
                self.assertLess(ended - until, self.limit(sql))
                self.assertRegex(message, r"^(writing to table \w+: )?interrupted")
                self.assertEqual([], self.query("SELECT * FROM works"))

    def ends_by_handler(self, sql):
        """Like ends(), but reads no other table, because the handler would interrupt that read too."""
        with self.assertRaises(sqlite3.OperationalError) as caught:
            self.query(sql)
        self.assertEqual("SQLITE_INTERRUPT", caught.exception.sqlite_errorname, caught.exception)
        return time.monotonic(), str(caught.exception)


class Processes(host.Case):
    """Fork and exit, in a host process of its own."""

    def fill(self, rows):
        """Writes this many rows to the remote table: keys 'p' and '00001' upwards."""
        self.virtual("filled")
        self.query("INSERT INTO filled(PartitionKey, RowKey, A) WITH n(i) AS (SELECT 1 UNION ALL SELECT"
                   " i + 1 FROM n WHERE i < ?) SELECT 'p', printf('%05d', i), i FROM n", rows)

    def run_host(self, code):
        """Runs PRELUDE and `code`, checks that it exits with 0 and prints nothing to stderr."""
        done = host.run_python(PRELUDE + code, self.table,
                               AZTABLES_CONNECTION_DEMO=self.service.connection_string)
        self.assertEqual((0, ""), (done.returncode, done.stderr), done.stdout)
        return done.stdout.splitlines()

    def test_fork(self):
        """The child gets an error until it opens its own connection; the parent's stays usable."""
        self.fill(1500)
        lines = self.run_host("""
cursor = db.execute("SELECT RowKey FROM t")
first = [cursor.fetchone()[0] for _ in range(10)]  # in the middle of the first page
child = os.fork()
if child == 0:
    for sql in ("SELECT * FROM t", "INSERT INTO t(PartitionKey, RowKey) VALUES('child', '1')"):
        try:
            db.execute(sql)
        except sqlite3.Error as error:
            print("child:", error, flush=True)
    own = sqlite3.connect(":memory:", isolation_level=None)
    own.enable_load_extension(True)
    own.load_extension(os.environ["AZTABLES_MODULE"])
    virtual(own)
    own.execute("INSERT INTO t(PartitionKey, RowKey) VALUES('child', 'own')")
    print("child:", own.execute("SELECT count(*) FROM t").fetchone(), flush=True)
    cursor.close()
    db.close()
    sys.exit(0)
print("ended with", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
rest = [row[0] for row in cursor]
print("parent:", first + rest == [f"{i:05}" for i in range(1, 1501)])
print("parent:", db.execute("SELECT RowKey FROM t WHERE PartitionKey = 'child'").fetchall())
""")
        sentence = "this database connection was used before fork(): open it again in the child"
        about = f"table {self.table} (connection 'demo') failed: {sentence}"
        self.assertEqual(
            [f"child: reading {about}",
             f"child: writing to {about}; 0 of 1 EGTs applied: see aztables_commits",
             "child: (1501,)", "ended with 0", "parent: True", "parent: [('own',)]"], lines)

    def test_exit_in_the_middle_of_a_scan(self):
        self.fill(2500)
        lines = self.run_host("""
cursor = db.execute("SELECT * FROM t")
print(len([cursor.fetchone() for _ in range(1200)]))
db.execute("BEGIN")
db.execute("INSERT INTO t(PartitionKey, RowKey) VALUES('unsent', '1')")
sys.exit(0)
""")
        self.assertEqual(["1200"], lines)
        self.assertEqual([], self.remote(where="PartitionKey = 'unsent'"))

    def test_exit_while_another_thread_waits(self):
        """During a wait for a response or for a retry, and with an interpreter that exits slowly."""
        for response in ("None", "connection.close()"):
            with self.subTest(response):
                begun = time.monotonic()
                lines = self.run_host(f"""
import time
class Slow:
    def __del__(self, sleep=time.sleep): sleep(0.2)
slow = Slow()
server = socket.create_server(("127.0.0.1", 0))
db.execute("SELECT aztables_connect('demo', ?)", [
    f"AccountName=a;AccountKey=b2Rk;TableEndpoint=http://127.0.0.1:{{server.getsockname()[1]}}/a"])
threading.Thread(target=lambda: db.execute("SELECT * FROM t"), daemon=True).start()
for _ in range(3):
    connection = server.accept()[0]
    print(connection.recv(4))
    {response}
    if {response!r} == "None": break
sys.exit(0)
""")
                self.assertEqual({"b'GET '"}, set(lines))
                self.assertLess(time.monotonic() - begun, 10)


if __name__ == "__main__":
    unittest.main()
