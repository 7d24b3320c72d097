#!/usr/bin/env python3
"""Faults of a store during use: its file is deleted or replaced, its folder loses permissions, or memory runs out.
The server reports each fault, mixes no stores, and continues after the fault ends.

usage: store_mishaps_test.py [unittest argument ...]; AZTABLES_SERVER names the server
"""

import http.client
import json
import os
import pathlib
import resource
import shutil
import sqlite3
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import table_http  # noqa: E402
from store_case import TABLE, StoreCase, drop_rights, large  # noqa: E402

UNLIMITED = resource.RLIM_INFINITY


class StoreMishaps(StoreCase):
    """Each test starts from a store with a table of entities."""

    def test_a_deleted_store(self):
        path = self.filled()
        server, client = self.start(path)
        self.assertEqual(len(client.rows(TABLE)), 300)
        for name in os.listdir(self.stores):
            (self.stores / name).unlink()
        status, _, body = client.send("GET", "/Tables")
        self.assertEqual((status, json.loads(body)["value"]), (200, []))
        self.assertEqual(client.send("POST", f"/{TABLE}", {"PartitionKey": "p", "RowKey": "r"})[0], 404)
        self.assertEqual(client.send("POST", "/Tables", {"TableName": "Again"})[0], 201)
        server.stop()
        self.assertTrue(path.exists())

    def test_a_folder_that_loses_permissions(self):
        path = self.filled(count=100)
        self.stores.chmod(0o777)
        for file in self.stores.iterdir():
            file.chmod(0o666)
        server, client = self.start(path, drop_rights)
        self.assertEqual(len(client.rows(TABLE)), 100)
        self.stores.chmod(0o000)
        status, _, body = client.send("GET", "/Tables")
        self.assertEqual(status, 500)
        self.assertIn(b"it cannot be opened (Permission denied)", body)
        self.stores.chmod(0o777)
        self.assertEqual(len(client.rows(TABLE)), 100)
        server.stop()

    def test_a_replaced_store(self):
        path, other = self.filled(), self.filled("other.db", 100)
        server, client = self.start(path)
        self.assertEqual(client.send("POST", f"/{TABLE}", large(1))[0], 201)
        self.assertEqual(len(client.rows(TABLE)), 301)
        shutil.copy(other, self.stores / "copy.db")
        os.replace(self.stores / "copy.db", path)
        for _ in range(2):
            for response in (client.send("GET", f"/{TABLE}"), client.send("POST", f"/{TABLE}", large(2))):
                self.assertEqual(response[0], 500)
                self.assertIn(b"The store was replaced while it was in use", response[2])
        self.assertEqual(path.read_bytes(), other.read_bytes())
        server.stop()
        for end in ("-wal", "-shm"):
            if os.path.exists(f"{path}{end}"):
                os.unlink(f"{path}{end}")
        server, client = self.start(path)
        self.assertEqual(len(client.rows(TABLE)), 100)
        self.assertEqual(client.send("POST", f"/{TABLE}", large(2))[0], 201)
        server.stop()
        database = sqlite3.connect(path)
        self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        database.close()

    def test_the_server_survives_without_memory(self):
        """Each request gets a response or a closed connection. With free memory, all requests work."""
        path = self.filled()
        server, client = self.start(path)
        body = {"PartitionKey": "p", **{f"P{i}": "x" * 30_000 for i in range(16)}}
        statuses = set()

        def ask(number):
            own = table_http.Client(server.port)
            for row in range(6):
                try:
                    statuses.add(own.send("POST", f"/{TABLE}", {**body, "RowKey": f"{number}-{row}"})[0])
                    statuses.add(own.send("GET", f"/{TABLE}()")[0])
                except (OSError, http.client.HTTPException):
                    statuses.add(0)
                    own.close()
            own.close()

        with open(f"/proc/{server.pid}/statm", encoding="ascii") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        if used > 1 << 40:
            self.skipTest("a sanitized program reserves its memory in advance")
        for room in (60 << 20, 20 << 20, 8 << 20, 2 << 20):
            resource.prlimit(server.pid, resource.RLIMIT_AS, (used + room, UNLIMITED))
            threads = [threading.Thread(target=ask, args=(number,)) for number in range(12)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertTrue(server.is_running())
        resource.prlimit(server.pid, resource.RLIMIT_AS, (UNLIMITED, UNLIMITED))
        self.assertLessEqual(statuses, {0, 200, 201, 409, 500, 503})
        client.close()
        again = table_http.Client(server.port)
        response = again.send("POST", f"/{TABLE}", large(1))
        self.assertEqual(response[0], 201, response[2])
        self.assertGreaterEqual(len(again.rows(TABLE)), 301)
        again.close()
        server.stop()


if __name__ == "__main__":
    unittest.main()
