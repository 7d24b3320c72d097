#!/usr/bin/env python3
"""aztables-server --simulate over HTTP: each fault of a plan as a client sees it.

usage: simulation_test.py, with AZTABLES_SERVER as in aztables_server.py
"""

import email.utils
import http.client
import json
import pathlib
import socket
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import aztables_server  # noqa: E402
from table_http import signed  # noqa: E402

SECONDS = 20


class Simulated(unittest.TestCase):
    """Each test starts its own server, with the table Things."""

    def start(self, plan, store=":memory:"):
        self.server = aztables_server.start(store=store, options=("--simulate", plan))
        self.addCleanup(self.server.stop)

    def connect(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=SECONDS)
        self.addCleanup(connection.close)
        return connection

    def ask(self, method, path, body=None, connection=None, headers=None):
        """One request; returns the response, with its body in `text`."""
        connection = connection or self.connect()
        path = f"/{aztables_server.ACCOUNT}/{path}"
        content = json.dumps(body) if isinstance(body, dict) else body
        connection.request(method, path, body=content, headers={
            **signed(path), "Content-Type": "application/json", **(headers or {})})
        response = connection.getresponse()
        response.text = response.read().decode()
        return response

    def status(self, method, path, body=None, **more):
        return self.ask(method, path, body, **more).status

    def create(self):
        self.assertEqual(self.status("POST", "Tables", {"TableName": "Things"}), 201)

    def insert(self, partition="p", row="r"):
        return self.status("POST", "Things", {"PartitionKey": partition, "RowKey": row})

    def has(self, partition="p", row="r"):
        return self.status("GET", f"Things(PartitionKey='{partition}',RowKey='{row}')") == 200

    def resets(self, *request):
        """Checks that the connection is reset instead of a response."""
        with self.assertRaises(ConnectionResetError):
            self.ask(*request)

    def test_reset_before_and_after_the_work(self):
        self.start("reset-before@2/writes, reset-after@3/writes")
        self.create()
        entity = {"PartitionKey": "p", "RowKey": "r"}
        self.resets("POST", "Things", entity)
        self.assertFalse(self.has())
        self.resets("POST", "Things", entity)
        self.assertTrue(self.has())
        self.assertIn(" cut ", self.server.log_text())

    def test_refuse_closes_the_port_for_a_while(self):
        self.start("refuse:400@2/reads")
        self.assertEqual(self.status("GET", "Tables"), 200)
        self.resets("GET", "Tables")
        time.sleep(0.05)
        with self.assertRaises(ConnectionRefusedError):
            self.ask("GET", "Tables")
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            try:
                self.assertEqual(self.status("GET", "Tables"), 200)
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
        self.assertEqual(self.status("GET", "Tables"), 200)

    def test_a_server_stops_while_it_refuses(self):
        self.start("refuse:60000@1")
        self.resets("GET", "Tables")
        began = time.monotonic()
        self.server.stop()
        self.assertLess(time.monotonic() - began, 5)

    def test_stall(self):
        self.start("stall-before@2/writes, stall-after@3/writes, stall-before:200@1/reads")
        self.create()
        for done in (False, True):
            connection = self.connect()
            connection.connect()
            connection.sock.settimeout(0.15)
            with self.assertRaises(TimeoutError):
                self.ask("POST", "Things", {"PartitionKey": "p", "RowKey": str(done)}, connection=connection)
            connection.close()
            if not done:
                began = time.monotonic()
                self.assertEqual(self.status("GET", "Tables"), 200)
                self.assertGreaterEqual(time.monotonic() - began, 0.2)
            self.assertEqual(self.has("p", str(done)), done)

    def test_a_server_stops_while_it_stalls(self):
        self.start("stall-before@1")
        errors = []

        def ask():
            try:
                self.ask("GET", "Tables")
            except (ConnectionError, http.client.HTTPException) as error:
                errors.append(error)

        client = threading.Thread(target=ask)
        client.start()
        time.sleep(0.1)
        began = time.monotonic()
        self.server.stop()
        self.assertLess(time.monotonic() - began, 5)
        client.join()
        self.assertEqual(len(errors), 1)

    def test_truncate(self):
        self.start("truncate@1/reads, truncate:20@2/reads, truncate:0@3/reads")
        self.create()
        for kept in (None, 20, 0):
            with self.assertRaises(http.client.IncompleteRead) as caught:
                self.ask("GET", "Things()")
            size = len(caught.exception.partial)
            whole = size + caught.exception.expected
            self.assertEqual(size, whole // 2 if kept is None else kept)
        self.assertEqual(self.status("GET", "Things()"), 200)

    def test_truncate_of_an_empty_body_closes_the_connection(self):
        self.start("truncate@2/writes")
        self.create()
        with self.assertRaises(http.client.RemoteDisconnected):
            self.ask("POST", "Things", {"PartitionKey": "p", "RowKey": "r"}, headers={"Prefer": "return-no-content"})
        self.assertTrue(self.has())

    def test_statuses_and_retry_after(self):
        self.start("503:2@1, 503:+7@2, 408@3, 429@4, 500@5, 502@6, 504@7")
        self.assertEqual((self.ask("GET", "Tables").getheader("Retry-After")), "2")
        dated = self.ask("GET", "Tables")
        times = [email.utils.parsedate_to_datetime(dated.getheader(name)) for name in ("Date", "Retry-After")]
        self.assertEqual((times[1] - times[0]).total_seconds(), 7)
        self.assertEqual(len(dated.headers.get_all("Date")), 1)
        self.assertEqual(json.loads(dated.text)["odata.error"]["code"], "ServerBusy")
        seen = [self.ask("GET", "Tables") for _ in range(5)]
        self.assertEqual([response.status for response in seen], [408, 429, 500, 502, 504])
        self.assertEqual(json.loads(seen[2].text)["odata.error"]["code"], "OperationTimedOut")
        self.assertIn("<h1>502 Bad Gateway</h1>", seen[3].text)
        self.assertEqual(self.status("GET", "Tables"), 200)

    def test_bodies_that_are_not_the_services(self):
        self.start("html@2, html-after@3/writes, bad-json@2/reads")
        self.create()
        html = self.ask("GET", "Things()")
        self.assertEqual((html.status, html.getheader("Content-Type")), (200, "text/html"))
        self.assertEqual(self.insert(), 201)
        self.assertEqual(self.insert("p", "s"), 200)
        page = self.ask("GET", "Things()")
        self.assertEqual(page.status, 200)
        self.assertRaises(ValueError, json.loads, page.text)
        self.assertEqual(len(json.loads(self.ask("GET", "Things()").text)["value"]), 2)

    def test_latency(self):
        self.start("latency=60, tail=250@100%")
        began = time.monotonic()
        self.assertEqual(self.status("GET", "Tables"), 200)
        self.assertGreaterEqual(time.monotonic() - began, 0.25)

    def test_a_rate_and_a_move(self):
        self.start("partition_rate=5, move:300@10/writes")
        self.create()
        seen = [self.insert("p", str(row)) for row in range(8)]
        self.assertEqual(seen[:5], [201] * 5)
        self.assertIn(503, seen[5:])
        self.assertEqual(self.insert("q", "1"), 201)
        self.assertEqual(self.insert("m", "1"), 503)
        self.assertEqual(self.insert("m", "1"), 503)
        time.sleep(0.35)
        self.assertEqual(self.insert("m", "1"), 201)

    def test_pages_of_ranges(self):
        self.start("ranges=1, tokens=partition")
        self.create()
        for partition in "abc":
            self.assertEqual(self.insert(partition), 201)
        pages, token = [], ""
        while token is not None and len(pages) < 9:
            page = self.ask("GET", "Things()" + token)
            pages.append([entity["PartitionKey"] for entity in json.loads(page.text)["value"]])
            self.assertIsNone(page.getheader("x-ms-continuation-NextRowKey"))
            token = page.getheader("x-ms-continuation-NextPartitionKey")
            token = token and "?NextPartitionKey=" + token
        self.assertEqual(pages, [[], ["a"], ["b"], ["c"]])

    def test_other_connections_stay_when_one_is_reset(self):
        self.start("reset-before@2")
        kept = self.connect()
        self.assertEqual(self.status("GET", "Tables", connection=kept), 200)
        self.resets("GET", "Tables")
        self.assertEqual(self.status("GET", "Tables", connection=kept), 200)

    def test_a_client_that_leaves_a_stall_leaves_no_thread(self):
        self.start("stall-before@*2")
        for _ in range(5):
            self.assertEqual(self.status("GET", "Tables"), 200)
            with socket.create_connection(("127.0.0.1", self.server.port)) as client:
                client.sendall(b"GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n")
                time.sleep(0.02)
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline and self.server.log_text().count(" cut ") < 5:
            time.sleep(0.02)
        self.assertEqual(self.server.log_text().count(" cut "), 5)


if __name__ == "__main__":
    unittest.main()
