#!/usr/bin/env python3
"""CaFile in a host that also uses its own OpenSSL: which certificates it trusts, and that it
affects one connection only. A TLS proxy in this process forwards to the service.
"""

import os
import pathlib
import socket
import ssl
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402

import aztables_server  # noqa: E402
import tls_proxy  # noqa: E402

ROWS = 5000


class CaFileTest(unittest.TestCase):
    def setUp(self):
        folders = [tempfile.TemporaryDirectory() for _ in range(2)]
        for folder in folders:
            self.addCleanup(folder.cleanup)
        self.authority, self.other_authority = (tls_proxy.Authority(folder.name) for folder in folders)
        self.server = aztables_server.start()
        self.addCleanup(self.server.stop)
        self.proxy = tls_proxy.TlsProxy(self.server.port, self.authority)
        self.addCleanup(self.proxy.__exit__)
        self.db = host.connect()
        self.addCleanup(lambda: self.db.close())
        self.connect("mine", self.authority.ca_file)
        self.query("SELECT aztables_create_table('mine.Things')")
        self.virtual("mine")

    def query(self, sql, *parameters):
        return self.db.execute(sql, parameters).fetchall()

    def text(self, ca_file):
        """The connection string of the proxy."""
        name, key = aztables_server.ACCOUNT, aztables_server.ACCOUNT_KEY
        text = f"AccountName={name};AccountKey={key};TableEndpoint=https://127.0.0.1:{self.proxy.port}/{name}"
        return text + (f";CaFile={ca_file}" if ca_file else "")

    def connect(self, name, ca_file=None):
        self.query("SELECT aztables_connect(?, ?)", name, self.text(ca_file))

    def virtual(self, connection):
        self.db.execute(f"CREATE VIRTUAL TABLE {connection} USING aztables(table=Things, retries=0, "
                        f"connection={connection}, N INT32)")

    def refused(self, connection):
        """Checks that a connection does not trust the proxy's certificate."""
        with self.assertRaises(sqlite3.Error) as caught:
            self.query(f"SELECT count(*) FROM {connection}")
        self.assertIn(f"no secure connection to https://127.0.0.1:{self.proxy.port}: ", str(caught.exception))
        self.assertIn("certificate", str(caught.exception))
        return str(caught.exception)

    def test_five_thousand_rows(self):
        self.query("INSERT INTO mine(PartitionKey, RowKey, N) WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL "
                   "SELECT i + 1 FROM c WHERE i < ?) SELECT i / 100, i % 100, i FROM c", ROWS - 1)
        self.assertEqual([(ROWS, ROWS * (ROWS - 1) // 2)], self.query("SELECT count(*), sum(N) FROM mine"))
        self.query("BEGIN")
        self.query("DELETE FROM mine WHERE PartitionKey = '7'")
        self.query("ROLLBACK")
        with self.assertRaises(sqlite3.IntegrityError) as caught:
            self.query("INSERT INTO mine(PartitionKey, RowKey, N) VALUES('7', '7', 0)")
        self.assertEqual(1555, caught.exception.sqlite_errorcode)
        self.assertEqual([(ROWS,)], self.query("SELECT count(*) FROM mine"))

    def test_ca_file_affects_one_connection(self):
        """One driver of libcurl serves all connections. Their sockets and TLS sessions stay separate."""
        self.connect("system")
        self.connect("other", self.other_authority.ca_file)
        self.connect("same", self.authority.ca_file)
        for name in ("system", "other", "same"):
            self.virtual(name)
        for _ in range(3):
            self.assertEqual([(0,)], self.query("SELECT count(*) FROM mine"))
            self.refused("system")
            self.refused("other")
            self.assertEqual([(0,)], self.query("SELECT count(*) FROM same"))
        # connections with the same certificates share it
        self.assertEqual(1, self.proxy.handshakes)

    def test_host_name_is_checked(self):
        there = self.text(self.authority.ca_file).replace("127.0.0.1", "localhost")
        self.query("SELECT aztables_connect('named', ?)", there)
        self.virtual("named")
        with self.assertRaisesRegex(sqlite3.Error, "no secure connection to https://localhost"):
            self.query("SELECT count(*) FROM named")

    def test_deleted_file(self):
        """The file is read by aztables_connect, and again whenever a TLS connection starts."""
        path = pathlib.Path(self.authority.ca_file).with_name("gone.pem")
        path.write_bytes(pathlib.Path(self.authority.ca_file).read_bytes())
        self.connect("gone", path)
        self.virtual("gone")
        path.unlink()
        with self.assertRaises(sqlite3.Error) as caught:
            self.query("SELECT count(*) FROM gone")
        self.assertIn("no secure connection to ", str(caught.exception))
        self.assertIn(str(path.resolve()), str(caught.exception))

    def connect_with(self, name, ca_file=None, **variables):
        """Connects while the environment has only these of both variables."""
        with unittest.mock.patch.dict(os.environ, {"SSL_CERT_FILE": "", "CURL_CA_BUNDLE": "", **variables}):
            self.connect(name, ca_file)

    def test_environment(self):
        """SSL_CERT_FILE and CURL_CA_BUNDLE count when a connection is made; CaFile precedes both."""
        for variable in ("SSL_CERT_FILE", "CURL_CA_BUNDLE"):
            self.connect_with("right", **{variable: str(self.authority.ca_file)})
            self.virtual("right")
            self.assertEqual([(0,)], self.query("SELECT count(*) FROM right"))
            self.connect_with("wrong", **{variable: str(self.other_authority.ca_file)})
            self.virtual("wrong")
            self.assertIn(f"the trusted CA certificates are those of {self.other_authority.ca_file}: CaFile=PATH",
                          self.refused("wrong"))
            self.connect_with("mine", self.authority.ca_file, **{variable: str(self.other_authority.ca_file)})
            self.assertEqual([(0,)], self.query("SELECT count(*) FROM mine"))
            for table in ("right", "wrong"):
                self.db.execute(f"DROP TABLE {table}")

    def test_a_variable_that_names_no_file(self):
        with unittest.mock.patch.dict(os.environ, {"SSL_CERT_FILE": "/no/such/ca.pem"}):
            with self.assertRaisesRegex(sqlite3.Error, "the environment variable SSL_CERT_FILE names "
                                        "/no/such/ca.pem, which cannot be read: No such file or directory"):
                self.connect("bad")

    def test_invalid_files(self):
        for path, why in ((self.authority.key, "contains no PEM certificate"),
                          ("/no/such/ca.pem", "cannot be read: No such file or directory"),
                          ("/dev/zero", "cannot be read: it is not an ordinary file")):
            with self.assertRaises(sqlite3.Error) as caught:
                self.connect("bad", path)
            self.assertIn(f"CaFile in the connection string {why}", str(caught.exception))

    def test_host_uses_openssl_too(self):
        """Python's own TLS works at the same time."""
        context = ssl.create_default_context(cafile=self.authority.ca_file)
        for _ in range(3):
            self.assertEqual([(0,)], self.query("SELECT count(*) FROM mine"))
            with socket.create_connection(("127.0.0.1", self.proxy.port)) as plain:
                with context.wrap_socket(plain, server_hostname="127.0.0.1") as secure:
                    self.assertEqual("127.0.0.1", secure.getpeercert()["subjectAltName"][0][1])


if __name__ == "__main__":
    unittest.main()
