#!/usr/bin/env python3
"""A service that cannot be reached: the number of attempts for reads and writes, before and after
its first response. The tests also check the likely cause in the error, and http and https on the
wrong port.
"""

import os
import pathlib
import re
import socket
import sqlite3
import sys
import tempfile
import threading
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import aztables_server  # noqa: E402
import loopback_proxy  # noqa: E402
import tls_proxy  # noqa: E402

READ = "SELECT N FROM t WHERE PartitionKey = 'a'"
WRITE = "INSERT INTO t(PartitionKey, RowKey, N) VALUES ('a', '1', 1)"
CAUSE = "; is aztables-server or Azurite running?"


def closed_port():
    """A port that was free a moment ago. No process listens on it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class RespondToAll(loopback_proxy.LoopbackProxy):
    """A port that sends the same bytes to each client, regardless of the request, and closes."""

    def __init__(self, response):
        self.response = response
        super().__init__(0)

    def serve(self, client):
        client.recv(65536)
        client.sendall(self.response)
        client.close()


class FirstContactTest(unittest.TestCase):
    def setUp(self):
        self.db = host.connect()
        self.addCleanup(self.db.close)

    def table(self, endpoint, retries=3):
        """Makes the virtual table `t`, whose connection uses the endpoint."""
        self.db.execute("SELECT aztables_connect('there', ?)",
                        (f"AccountName={aztables_server.ACCOUNT};AccountKey={aztables_server.ACCOUNT_KEY};"
                         f"TableEndpoint={endpoint}",)).fetchall()
        self.db.execute(f"CREATE VIRTUAL TABLE t USING aztables(table=Things, connection=there, retries={retries}, N INT32)")

    def fails(self, sql):
        """The error of a statement, and the number of its attempts."""
        with self.assertRaises(sqlite3.OperationalError) as caught:
            self.db.execute(sql).fetchall()
        self.assertIn(caught.exception.sqlite_errorname, ("SQLITE_BUSY", "SQLITE_ERROR"))
        return str(caught.exception), self.db.execute(
            "SELECT attempts FROM aztables_requests ORDER BY id DESC LIMIT 1").fetchone()[0]

    def test_refused_port_is_tried_twice(self):
        self.table(f"http://127.0.0.1:{closed_port()}/{aztables_server.ACCOUNT}")
        for sql in (READ, WRITE, READ):
            message, attempts = self.fails(sql)
            self.assertEqual(2, attempts, message)
            self.assertIn("cannot reach http://127.0.0.1:", message)
            self.assertIn(f", after 2 attempts{CAUSE}", message)

    def test_unknown_host_is_tried_twice(self):
        self.table("https://no-such-account.invalid")
        for sql in (READ, WRITE):
            message, attempts = self.fails(sql)
            self.assertEqual(2, attempts, message)
            self.assertIn("cannot reach https://no-such-account.invalid: ", message)
            self.assertIn("; check the account name or the endpoint of connection 'there', and the network", message)

    def test_budget_error_names_the_cause_of_the_attempts(self):
        self.table(f"http://127.0.0.1:{closed_port()}/{aztables_server.ACCOUNT}")
        self.db.execute("INSERT INTO t(_command) VALUES ('max_requests=1')")
        with self.assertRaises(sqlite3.DataError) as caught:
            self.db.execute(READ).fetchall()
        self.assertRegex(str(caught.exception), f"max_requests=1.*; the last attempt failed: cannot reach http://127.0.0.1:.*{re.escape(CAUSE)}")

    def test_without_retries_there_is_one_attempt(self):
        self.table(f"http://127.0.0.1:{closed_port()}/{aztables_server.ACCOUNT}", retries=0)
        for sql in (READ, WRITE):
            message, attempts = self.fails(sql)
            self.assertEqual(1, attempts, message)

    def test_a_service_that_has_responded_gets_all_retries(self):
        server = aztables_server.start()
        self.table(server.endpoint, retries=2)
        self.db.execute("SELECT aztables_create_table('there.Things')").fetchall()
        server.stop()
        for sql in (READ, WRITE):
            message, attempts = self.fails(sql)
            self.assertEqual(3, attempts, message)
            self.assertIn(CAUSE, message)

    def test_write_continues_when_the_host_returns(self):
        server = aztables_server.start()
        port, store = server.port, server.store
        self.table(server.endpoint, retries=8)
        self.db.execute("SELECT aztables_create_table('there.Things')").fetchall()
        server.stop()
        done = threading.Event()

        def serve():  # the server ends with the thread that starts it
            with aztables_server.start(options=["--port", str(port)], store=store):
                done.wait()

        back = threading.Timer(0.5, serve)  # the server is down when the statement starts
        back.start()
        try:
            self.db.execute(WRITE)
            self.assertEqual([(1,)], self.db.execute(READ).fetchall())
        finally:
            done.set()
            back.join()

    def test_https_to_an_http_port(self):
        with RespondToAll(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n") as server:
            self.table(f"https://127.0.0.1:{server.port}/{aztables_server.ACCOUNT}")
            for sql in (READ, WRITE):
                message, attempts = self.fails(sql)
                self.assertEqual(1, attempts, message)
                self.assertIn("; its port speaks HTTP without TLS: write http, not https", message)

    def test_port_that_aborts_the_handshake(self):
        with RespondToAll(b"") as server:
            self.table(f"https://127.0.0.1:{server.port}/{aztables_server.ACCOUNT}")
            for sql in (READ, WRITE):
                message, attempts = self.fails(sql)
                self.assertEqual(2, attempts, message)
                self.assertIn("; if its port speaks HTTP without TLS, write http, not https", message)

    def test_https_to_aztables_server(self):
        # A TLS handshake is not an HTTP request. Its bytes decide whether libmicrohttpd responds
        # before it closes.
        with aztables_server.start() as server:
            self.table(server.endpoint.replace("http:", "https:"))
            for sql in (READ, WRITE):
                message, _ = self.fails(sql)
                self.assertRegex(message, "its port speaks HTTP without TLS[:,] write http, not https")

    def test_http_to_an_https_port(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with aztables_server.start() as server, \
                tls_proxy.TlsProxy(server.port, tls_proxy.Authority(folder.name)) as proxy:
            self.table(f"http://127.0.0.1:{proxy.port}/{aztables_server.ACCOUNT}", retries=0)
            for sql in (READ, WRITE):
                message, _ = self.fails(sql)
                self.assertIn("; if its port speaks HTTP over TLS, write https, not http", message)


class ProxyTest(unittest.TestCase):
    """The variables of the environment that name a proxy. The proxy here is a closed port."""

    table = FirstContactTest.table

    def setUp(self):
        self.db = host.connect()
        self.addCleanup(self.db.close)
        proxy = f"http://user:secret@127.0.0.1:{closed_port()}"
        changed = mock.patch.dict(os.environ, {"http_proxy": proxy, "https_proxy": proxy})
        changed.start()
        self.addCleanup(changed.stop)

    def test_loopback_uses_none(self):
        with aztables_server.start() as server:
            self.table(f"http://127.0.0.1:{server.port}/{aztables_server.ACCOUNT}")
            self.db.execute("SELECT aztables_create_table('there.Things')").fetchall()
            self.db.execute(WRITE)
            self.assertEqual([(1,)], self.db.execute(READ).fetchall())

    def test_error_names_the_variable(self):
        for scheme in ("http", "https"):
            with self.subTest(scheme):
                self.db.execute("DROP TABLE IF EXISTS t")
                self.table(f"{scheme}://contoso.invalid/{aztables_server.ACCOUNT}", retries=0)
                with self.assertRaises(sqlite3.OperationalError) as caught:
                    self.db.execute(READ).fetchall()
                self.assertIn(f"; the variable {scheme}_proxy names a proxy: check it, or add the host to no_proxy", str(caught.exception))
                self.assertNotIn("secret", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
