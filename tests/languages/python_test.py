#!/usr/bin/env python3
"""Checks the module in Python's sqlite3: loading, three ways to connect, writing and reading with parameters. For
each failure it checks the exception, SQLite's code and the message.
"""

import base64
import os
import pathlib
import socket
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402

CREDENTIAL = "AccountName=a;AccountKey=b2Rk"


class Everyday(host.Case):
    """Successful statements."""

    def test_three_ways_to_connect(self):
        os.environ["OWN_VARIABLE"] = host.key_of(self.service)
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(host.key_of(self.service) + "\n")
            file.flush()
            ways = {"env": "env:OWN_VARIABLE", "file": f"file:{file.name}",
                    "text": host.key_of(self.service)}
            for name, how in ways.items():
                line = self.query("SELECT aztables_connect(?, ?)", name, how)[0][0]
                self.assertTrue(line.startswith(f"{name}: {self.service.endpoint}, account key from "))
                self.assertNotIn(host.azurite.ACCOUNT_KEY, line)
        for name in ways:
            self.virtual(f"by_{name}", connection=name)
            self.query(f"INSERT INTO by_{name}(PartitionKey, RowKey) VALUES('p', ?)", name)
        self.assertEqual(["env", "file", "text"], [row for _, row in self.remote()])
        shown = str(self.query("SELECT * FROM aztables_connections"))
        self.assertNotIn(host.azurite.ACCOUNT_KEY, shown)

    def test_write_and_read_with_parameters(self):
        db = host.connect(isolation_level="")  # Python's default: a transaction begins before an INSERT
        self.addCleanup(db.close)
        self.virtual("movies", "Year INT32, Rating DOUBLE, Seen INT64, Ok BOOLEAN, Pic BINARY", db)
        rows = [("Action" if i % 2 else "Drama", f"{i:03}", 1900 + i, i / 4, 2**53 + i, i % 3 == 0,
                 bytes([i]) * 3) for i in range(150)]
        insert = ("INSERT INTO movies(PartitionKey, RowKey, Year, Rating, Seen, Ok, Pic)"
                  " VALUES(?, ?, ?, ?, ?, ?, ?)")
        with db:
            db.executemany(insert, rows)
            self.assertTrue(db.in_transaction)
            self.assertEqual([], self.remote())  # the module sends nothing before the COMMIT
        self.assertFalse(db.in_transaction)
        columns = "PartitionKey, RowKey, Year, Rating, Seen, Ok, Pic"
        self.assertEqual(sorted(rows), db.execute(f"SELECT {columns} FROM movies").fetchall())
        point = db.execute(f"SELECT {columns} FROM movies WHERE PartitionKey = ? AND RowKey = ?",
                           ("Action", "007")).fetchall()
        self.assertEqual([rows[7]], point)
        span = db.execute(f"SELECT {columns} FROM movies WHERE PartitionKey = :p AND RowKey >= :a"
                          " AND RowKey < :b", {"p": "Drama", "a": "010", "b": "020"}).fetchall()
        self.assertEqual(rows[10:20:2], span)
        self.assertEqual(
            [("EGT", 75), ("EGT", 75), ("table scan", 150), ("point", 1), ("row range", 5)],
            db.execute("SELECT kind, entities FROM aztables_requests").fetchall())

    def test_the_address_of_a_connection_that_detached_a_shared_cache(self):
        """SQLite does not destroy the module of such a connection. The other connection of the cache stays open: SQLite
        would write to the closed one.
        """
        code = """if True:
            import os, sqlite3
            def connect(path=":memory:"):
                db = sqlite3.connect(path, uri=True)
                db.enable_load_extension(True)
                db.load_extension(os.environ["AZTABLES_MODULE"])
                return db
            owner = connect("file:shared?mode=memory&cache=shared")
            owner.execute("SELECT aztables_connect('own', 'LocalStore=:memory:')").fetchall()
            owner.execute("CREATE VIRTUAL TABLE t USING aztables(table=Tests, connection=own, N INT32)")
            for _ in range(20):
                other = connect("file::memory:?unshared")
                other.execute("ATTACH 'file:shared?mode=memory&cache=shared' AS x")
                other.execute("PRAGMA x.table_info(t)").fetchall()
                other.execute("DETACH x")
                other.close()
                for db in [connect() for _ in range(5)]:
                    db.execute("SELECT aztables_version()").fetchall()
                    db.close()
            print("end", flush=True)
            os._exit(0)"""
        done = host.run_python(code)
        self.assertEqual(("end\n", ""), (done.stdout, done.stderr))

    def test_a_second_load_keeps_connections_and_requests(self):
        self.query("SELECT aztables_connect('own', 'LocalStore=:memory:')")
        self.query("SELECT aztables_create_table('own.Kept')")
        self.virtual("t", "N INT32", connection="own", table="Kept")
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p', '1', 1)")
        self.db.enable_load_extension(True)
        self.db.load_extension(host.MODULE)
        self.query("COMMIT")
        self.assertEqual([("p", "1", 1)], self.query("SELECT PartitionKey, RowKey, N FROM t"))
        self.assertEqual([("Kept",)], self.query("SELECT name FROM aztables_tables('own')"))
        self.assertEqual([("create table",), ("EGT",), ("table scan",), ("list tables",)],
                         self.query("SELECT kind FROM aztables_requests WHERE connection = 'own'"))

    def test_two_connections(self):
        other = host.connect()
        self.addCleanup(other.close)
        self.virtual("t")
        self.virtual("t", db=other)
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey, A) VALUES('p', '1', 1)")
        self.assertEqual([(0,)], other.execute("SELECT count(*) FROM t").fetchall())
        other.execute("INSERT INTO t(PartitionKey, RowKey, A) VALUES('p', '2', 2)")
        self.query("COMMIT")
        for db in (self.db, other):
            self.assertEqual([("1", 1), ("2", 2)], db.execute("SELECT RowKey, A FROM t").fetchall())
        self.db.close()  # the other connection stays usable
        self.assertEqual([(2,)], other.execute("SELECT count(*) FROM t").fetchall())


class Errors(host.Case):
    """Failing statements and their errors. retries=0 avoids waits."""

    def remote_error(self, connection, how, text, kind=sqlite3.OperationalError,
                     code="SQLITE_BUSY"):
        """Reads and writes through a connection whose requests fail."""
        self.query("SELECT aztables_connect(?, ?)", connection, how)
        self.virtual("t", connection=connection, retries=0)
        reading = self.fails(kind, code, text, "SELECT * FROM t")
        about = f"table {self.table} (connection '{connection}') failed: "
        self.assertTrue(reading.startswith("reading " + about), reading)
        with self.assertRaisesRegex(kind, "0 of 1 EGTs applied: see aztables_commits$") as caught:
            self.query("INSERT INTO t(PartitionKey, RowKey) VALUES('p', '1')")
        self.assertTrue(str(caught.exception).startswith("writing to " + about))
        self.assertFalse(self.db.in_transaction)
        kept = self.query("SELECT last_error FROM aztables_connections WHERE name = ?", connection)
        self.assertEqual([(str(caught.exception),)], kept)

    def test_unknown_table(self):
        self.virtual("t", table="Missing")
        for sql in ("SELECT * FROM t", "INSERT INTO t(PartitionKey, RowKey) VALUES('p', '1')"):
            self.fails(sqlite3.OperationalError, "SQLITE_ERROR",
                       "table Missing (connection 'demo') failed: the table does not exist; see SELECT"
                       " name FROM aztables_tables('demo') for those that do, or create it: SELECT"
                       " aztables_create_table('demo.Missing') [404 TableNotFound, request id ", sql)

    def test_wrong_key(self):
        key = base64.b64encode(b"x" * 64).decode()
        self.remote_error("bad", host.key_of(self.service, key=key),
                          "the service refused the credential; check the key or SAS of connection 'bad'",
                          sqlite3.DatabaseError, "SQLITE_AUTH")
        self.assertNotIn(key, str(self.query("SELECT * FROM aztables_connections")))

    def test_refused_connection(self):
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))  # a port without a listening server
            place = f"http://127.0.0.1:{nobody.getsockname()[1]}"
            self.remote_error("closed", f"{CREDENTIAL};TableEndpoint={place}", f"cannot reach {place}: ")

    def test_unknown_host(self):
        self.remote_error("nowhere", f"{CREDENTIAL};TableEndpoint=http://nothing.invalid",
                          "cannot reach http://nothing.invalid: Could not resolve host")

    def test_malformed_connection_string(self):
        for how, text in {
            "": "the connection string is empty",
            "AccountName=a;AccountKey": "part 2 of the connection string is not of the form Key=Value",
            "AccountName=a;AccountKey=s3cret!": "AccountKey in the connection string is not base64",
            "AccountName=a": "gives none of AccountKey, SharedAccessSignature and Credential",
            CREDENTIAL + ";TableEndpoint=ftp://s3cret": "it must begin with http:// or https://",
            "env:NOT_SET": "the environment variable NOT_SET is not set",
            "file:/nowhere": "the connection file /nowhere cannot be read",
        }.items():
            message = self.fails(sqlite3.OperationalError, "SQLITE_ERROR", text,
                                 "SELECT aztables_connect('c', ?)", how)
            self.assertNotIn("s3cret", message)
        self.assertEqual([("demo",)], self.query("SELECT name FROM aztables_connections"))
        self.virtual("t", connection="nobody-knows")
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "connection 'nobody-knows' is unknown; known connections: demo; to name it: SELECT"
                   " aztables_connect('nobody-knows', 'env:VARIABLE'), or", "SELECT * FROM t")

    def test_duplicate_insert(self):
        self.virtual("t")
        insert = "INSERT INTO t(PartitionKey, RowKey, A) VALUES('p', '1', 1)"
        self.query(insert)
        self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_PRIMARYKEY",
                   "the entity PartitionKey='p', RowKey='1' already exists; INSERT OR IGNORE keeps it, "
                   "OR REPLACE overwrites it [409 EntityAlreadyExists,",
                   insert)
        self.assertEqual([("p", "1")], self.remote())

    def test_values_that_do_not_fit(self):
        self.virtual("t")
        insert = "INSERT INTO t(PartitionKey, RowKey, A, B) VALUES(?, ?, ?, ?)"
        for kind, code, text, *values in (
            (sqlite3.IntegrityError, "SQLITE_CONSTRAINT_NOTNULL", "RowKey must not be NULL", "p", None, 1, ""),
            (sqlite3.IntegrityError, "SQLITE_MISMATCH", "column A: 'abc' (TEXT) is not a valid Edm.Int32",
             "p", "1", "abc", ""),
            (sqlite3.IntegrityError, "SQLITE_MISMATCH", "RowKey 'a/b' contains U+002F", "p", "a/b", 1, ""),
            (sqlite3.DataError, "SQLITE_TOOBIG", "B of the entity PartitionKey='p', RowKey='1' has 32769",
             "p", "1", 1, "x" * 32769),
        ):
            self.fails(kind, code, text, insert, *values)
        self.assertEqual(0, self.sent())

    def test_read_only_in_five_ways(self):
        self.query("SELECT aztables_connect('ro', ?)", host.key_of(self.service, more="ReadOnly=true"))
        self.virtual("t")
        self.virtual("by_connection", connection="ro")
        self.virtual("by_option", access="read")
        insert = "INSERT INTO {}(PartitionKey, RowKey) VALUES('p', '1')".format
        readonly = (sqlite3.OperationalError, "SQLITE_READONLY")
        self.fails(*readonly, "table by_connection: connection 'ro' is read-only (ReadOnly=true)",
                   insert("by_connection"))
        self.fails(*readonly, "connection 'ro' is read-only", "SELECT aztables_create_table('ro.Other')")
        for sql in (insert("by_option"), "UPDATE by_option SET A = 1", "DELETE FROM by_option"):
            self.fails(*readonly, "table by_option is read-only (access=read)", sql)
        self.query("PRAGMA query_only = on")
        self.fails(*readonly, "attempt to write a readonly database", insert("t"))  # SQLite's own error
        for function in ("create", "drop"):
            self.fails(*readonly, "PRAGMA query_only is on: nothing may be changed",
                       f"SELECT aztables_{function}_table('demo.{self.table}')")
        self.query("PRAGMA query_only = off")

        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "some.db")
            sqlite3.connect(path).execute("CREATE TABLE local(x)").connection.close()
            self.db.close()
            self.db = host.connect(f"{path.as_uri()}?mode=ro", uri=True)
            self.virtual("temp.t")
            said = "the main database was opened read-only: nothing may be changed"
            self.fails(*readonly, f"table t: {said}", insert("t"))
            self.fails(*readonly, said, "SELECT aztables_create_table('demo.Other')")
            self.assertEqual([], self.query("SELECT * FROM t"))  # a read is not a change
        self.assertEqual([], self.remote())


if __name__ == "__main__":
    unittest.main()
