#!/usr/bin/env python3
"""Malformed HTTP, and HTTP requests that the service rejects: garbage, incomplete requests, wrong lengths,
addresses, methods, signatures. Each gets an error or a closed connection. A good request still works.

usage: bad_http_test.py [unittest argument ...]; AZTABLES_SERVER names the server
"""

import email.utils
import pathlib
import random
import socket
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import table_http  # noqa: E402
from refusal_case import TABLE, RefusalCase, entity, signed_head  # noqa: E402

MIB = 1 << 20
BASE = f"/{table_http.ACCOUNT}"


class BadHttp(RefusalCase):
    """Requests that fail before the service reads their body."""

    def test_garbage_instead_of_http(self):
        chance = random.Random(1)
        for size in (1, 10, 1000, 100_000):
            self.raw(chance.randbytes(size), b"HTTP/1.1 4", b"HTTP/1.1 5", None)
            self.raw(chance.randbytes(size) + b"\r\n\r\n", b"HTTP/1.1 4", b"HTTP/1.1 5", None)
        self.raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500), b"HTTP/1.1 400", None)
        self.raw(b"\0" * 10_000, b"HTTP/1.1 4", None)
        self.raw(b"GET\r\n\r\n", b"HTTP/1.1 400", None)
        self.raw(b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", b"HTTP/1.1 505", b"HTTP/1.1 400")
        self.raw(b"GET no-path HTTP/1.1\r\nHost: localhost\r\n\r\n", b"HTTP/1.1 400")

    def test_half_requests(self):
        whole = signed_head(more="Content-Length: 40\r\n") + entity()
        for end in (1, 10, 50, len(whole) // 2, len(whole) - 1):
            self.raw(whole[:end], None)

    def test_unusual_headers(self):
        for value in ("\0", "a\0b", "\x01\x02\x7f", "\xff\xfe", "\t" * 1000, "%00", "é", ":" * 1000):
            self.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Unusual: " +
                     value.encode("latin-1") + b"\r\n\r\n", b"HTTP/1.1 4")
        self.raw(signed_head(more=f"X-Long: {'a' * MIB}\r\n"), b"HTTP/1.1 431", None)
        self.raw(b"GET /" + b"a" * MIB + b" HTTP/1.1\r\n\r\n", b"HTTP/1.1 414", None)
        self.raw(signed_head(more="".join(f"X-{i}: a\r\n" for i in range(20_000))), b"HTTP/1.1 431", None)
        status, headers, _ = self.client.send("GET", f"/{TABLE}", headers={
            "x-ms-client-request-id": "y" * 5000, "Accept": "\xff", "Prefer": "\xfe"})
        self.assertEqual((status, len(headers["x-ms-client-request-id"])), (200, 1024))

    def test_wrong_lengths(self):
        self.raw(signed_head(more="Content-Length: 1000\r\n") + entity(), None)
        self.raw(signed_head(more="Content-Length: -1\r\n") + entity(), b"HTTP/1.1 400")
        self.raw(signed_head(more="Content-Length: 12x\r\n") + entity(), b"HTTP/1.1 400")
        self.raw(signed_head(more=f"Content-Length: {10 ** 30}\r\n"), b"HTTP/1.1 413")
        for size in ((4 << 20) + 1, 1 << 40):  # announced; the client sends no body
            self.raw(signed_head(more=f"Content-Length: {size}\r\n"), b"HTTP/1.1 413", finish=False)
        self.raw(signed_head(more="Content-Length: 5\r\n") + entity(), b"HTTP/1.1 400")

    def test_two_lengths(self):
        for lines in ("Content-Length: 5\r\nContent-Length: 6\r\n",
                      "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                      "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"):
            hidden = signed_head("DELETE", f"/{TABLE}(PartitionKey='p',RowKey='good')", "If-Match: *\r\n")
            self.raw(signed_head(more=lines) + b"0\r\n\r\n" + hidden, b"HTTP/1.1 400", finish=False)

    def test_unsigned_uploads_are_refused_by_their_heads(self):
        connections = []
        for lines in ("Content-Length: 4000000\r\n", "Transfer-Encoding: chunked\r\n") * 25:
            connection = socket.create_connection((table_http.HOST, self.server.port), timeout=30)
            self.addCleanup(connection.close)
            connection.sendall(f"POST {BASE}/{TABLE} HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n".encode())
            connections.append(connection)
        for connection in connections:
            self.assertRegex(connection.recv(4096), b"^HTTP/1.1 403 ")
        with self.assertRaises(TimeoutError):  # the server waits for the body of a signed request
            table_http.raw_once(self.server.port, signed_head(more="Content-Length: 40\r\n"), seconds=1)

    def test_hosts(self):
        head = signed_head("GET", more="Connection: close\r\n")
        for host in ("127.0.0.1", "[::1]:1", "LOCALHOST", "a.table.localhost:10002", "10.0.0.1"):
            self.raw(head.replace(b"Host: localhost", f"Host: {host}".encode()), b"HTTP/1.1 200")
        for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "[::1", "h"):
            self.raw(head.replace(b"Host: localhost", f"Host: {host}".encode()), b"HTTP/1.1 403")
        self.raw(head.replace(b"Host: localhost\r\n", b""), b"HTTP/1.1 400")
        self.raw(head.replace(b"Host: localhost\r\n", b"").replace(b"HTTP/1.1", b"HTTP/1.0"), b"HTTP/1.")

    def test_wrong_chunks(self):
        chunked = signed_head(more="Transfer-Encoding: chunked\r\n")
        for body in (b"zz\r\nabc\r\n0\r\n\r\n", b"-1\r\nabc\r\n0\r\n\r\n", b"3\r\nabcdef\r\n0\r\n\r\n",
                     b"F" * 20 + b"\r\nabc", b"\r\n\r\n", b"1;" + b"x" * 300_000 + b"\r\na\r\n0\r\n\r\n"):
            self.raw(chunked + body, b"HTTP/1.1 4", b"HTTP/1.1 500", None)
        self.raw(chunked + b"5\r\nabc", None)
        self.raw(signed_head(more="Transfer-Encoding: rot13\r\n") + entity(), b"HTTP/1.1 4", None)

    def test_addresses(self):
        for path in ("(PartitionKey='a'", "(PartitionKey='a',RowKey='b'", "('a')", "(PartitionKey='a')", "()()",
                     "(PartitionKey=a,RowKey=b)", "(PartitionKey='a',RowKey='b')/x", "(PartitionKey='a','b')",
                     "(PartitionKey='a',PartitionKey='b')", "(PartitionKey='a',RowKey='b',Third='c')"):
            self.fails(400, "InvalidUri", "GET", f"/{TABLE}{path}")
        for key in ("%FF", "%C3%28", "%ED%A0%80"):
            self.fails(400, "InvalidInput", "GET", f"/{TABLE}(PartitionKey='{key}',RowKey='r')")
        for key in ("%00", "%2F", "a" * 20_000, "%", "%zz", "%E2%98%83" * 1000):
            self.fails(404, "ResourceNotFound", "GET", f"/{TABLE}(PartitionKey='{key}',RowKey='r')")
            status, _, _ = self.client.send("DELETE", f"/{TABLE}(PartitionKey='{key}',RowKey='r')",
                                            headers={"If-Match": "*"})
            self.assertIn(status, (400, 404))
        for path in ("//", "/../../etc/passwd", "/%2e%2e/x", "/Tables('x", "/$metadata", "/a/b/c", "/%00"):
            status, _, _ = self.client.send("GET", path)
            self.assertIn(status, (400, 404, 405, 501), path)

    def test_methods_and_headers(self):
        for method in ("FOO", "TRACE", "CONNECT", "get", "PROPFIND", "M" * 1000):
            self.fails(405, "UnsupportedHttpVerb", method, f"/{TABLE}")
        for method in ("PUT", "PATCH", "DELETE", "MERGE"):
            self.fails(405, "MethodNotAllowed", method, f"/{TABLE}")
        self.fails(400, "XMethodIncorrectValue", "POST", f"/{TABLE}", headers={"X-HTTP-Method": "FOO"})
        self.fails(400, "XMethodNotUsingPost", "GET", f"/{TABLE}", headers={"X-HTTP-Method": "MERGE"})
        self.fails(400, "InvalidHeaderValue", "GET", f"/{TABLE}", headers={"x-ms-version": "latest"})
        self.fails(415, "AtomFormatNotSupported", "GET", f"/{TABLE}", headers={"Accept": "application/atom+xml"})
        good = f"/{TABLE}(PartitionKey='p',RowKey='good')"
        for etag in ("garbage", "W/\"\"", "\"\"", "W/\"datetime'x'\"", "*, *"):
            status, _, _ = self.client.send("PUT", good, b"{}", headers={"If-Match": etag})
            self.assertIn(status, (400, 412), etag)
        status, _, _ = self.client.send("DELETE", good)
        self.assertEqual(status, 400)

    def test_signatures_and_clocks(self):
        failed = (403, "AuthenticationFailed", "GET", f"/{TABLE}")
        self.fails(*failed, key="d3Jvbmc=")
        for seconds in (-1000, 1000, -10 ** 9):
            self.fails(*failed, date=email.utils.formatdate(time.time() + seconds, usegmt=True))
        for date in ("garbage", "Mon, 99 Nov 2026 10:00:00 GMT", "x" * 10_000, "0"):
            self.fails(*failed, date=date)
        for seconds in (-800, 800):
            status, _, _ = self.client.send(
                "GET", f"/{TABLE}", date=email.utils.formatdate(time.time() + seconds, usegmt=True))
            self.assertEqual(status, 200)
        for text in ("", "SharedKeyLite", f"SharedKeyLite {table_http.ACCOUNT}", "SharedKeyLite :x", "Basic x",
                     f"SharedKeyLite {table_http.ACCOUNT}:%%%", f"SharedKey {table_http.ACCOUNT}:", "x" * 10_000):
            self.fails(*failed, headers={"Authorization": text})
        self.fails(401, "InvalidAuthenticationInfo", "GET", f"/{TABLE}", headers={"Authorization": "Bearer x"})
        for sas in ("sig=x", "sv=2019-02-02&sig=%FF%00", "sv=x&ss=t&srt=o&sp=r&se=9999&sig=x",
                    f"sv=2019-02-02&tn={'a' * 10_000}&sig=x", "sig=x&sig=y"):
            response = table_http.raw(self.server.port, f"GET {BASE}/{TABLE}?{sas} HTTP/1.1\r\nHost: localhost\r\n"
                                    "Connection: close\r\n\r\n".encode())
            self.assertRegex(response, b"^HTTP/1.1 40[03] ")


if __name__ == "__main__":
    unittest.main()
