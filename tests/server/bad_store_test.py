#!/usr/bin/env python3
"""Stores that the server cannot open, read or write: other files, files and folders without permissions, full
disks. Each gets a clear message. Reads continue, and no stored entity is lost.

usage: bad_store_test.py [unittest argument ...]; AZTABLES_SERVER names the server
"""

import ctypes
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import sqlite3
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import aztables_server  # noqa: E402
from store_case import TABLE, StoreCase, drop_rights, large  # noqa: E402

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNS, MS_REC, MS_PRIVATE = 0x20000, 0x4000, 0x40000
READ_ONLY = (403, "InsufficientAccountPermissions", "The store is read-only.")
FULL = (507, "InsufficientStorage", "The disk is full.")
UNLIMITED = resource.RLIM_INFINITY
RANDOM = random.Random(1)


class BadStore(StoreCase):
    """The fault exists at the start, or appears and disappears."""

    # Files that are not stores

    def test_other_files(self):
        text = self.stores / "text.db"
        for content in (b"hello", b"hello world\n" * 1000, RANDOM.randbytes(100_000)):
            text.write_bytes(content)
            self.does_not_start(text, "it is not a SQLite database")
            self.assertEqual(text.read_bytes(), content)
        other = self.stores / "other.db"
        database = sqlite3.connect(other)
        database.execute("CREATE TABLE mine(a)")
        database.commit()
        database.close()
        self.does_not_start(other, "it is a SQLite database, but not a table store; name another file")
        self.assertEqual(self.stores, other.parent)
        (self.stores / "folder").mkdir()
        self.does_not_start(self.stores / "folder", "it cannot be opened")
        self.does_not_start(self.stores / "no/store.db", "it cannot be opened (no file can be made in its folder: "
                            "No such file or directory)")

    def test_invalid_paths(self):
        """The server does not treat an inaccessible path as a missing store."""
        path = self.filled(count=100)
        (self.stores / "loop").symlink_to("loop")
        self.does_not_start(f"{path}/", "it names a folder: leave out the / at its end")
        self.does_not_start(f"{self.stores}/new.db/", "it names a folder: leave out the / at its end")
        self.does_not_start(path / "x", "it cannot be opened (Not a directory)")
        self.does_not_start(self.stores / "loop", "it cannot be opened (Too many levels of symbolic links)")
        self.does_not_start(self.stores / ("n" * 300), "it cannot be opened (File name too long)")
        self.stores.chmod(0o000)
        self.does_not_start(path, "it cannot be opened (Permission denied)", drop_rights)
        self.stores.chmod(0o755)
        self.assertEqual(sorted(os.listdir(self.stores)), ["loop", path.name])

    def test_damaged_stores(self):
        whole = self.filled().read_bytes()
        cut = self.stores / "cut.db"
        cut.write_bytes(whole[:10])
        self.does_not_start(cut, "it is not a SQLite database")
        for size in (50, 100, 4096, 20_000, len(whole) // 2):
            cut.write_bytes(whole[:size])
            self.does_not_start(cut, "it is damaged (")
        for begin in range(16384, len(whole), len(whole) // 8 // 16384 * 16384):
            damaged = self.stores / f"damaged-{begin}.db"
            damaged.write_bytes(whole[:begin] + RANDOM.randbytes(16384) + whole[begin + 16384:])
            self.responds(damaged)

    def responds(self, path):
        """Each request on a damaged store gets an error or the readable entities."""
        try:
            server, client = self.start(path)
        except aztables_server.ServerError as error:
            self.assertIn("The store is damaged", str(error))
            return
        for method, address, body in (("GET", "/Tables", None), ("GET", f"/{TABLE}", None),
                                      ("POST", f"/{TABLE}", {"PartitionKey": "p", "RowKey": "00100x"}),
                                      ("DELETE", f"/Tables('{TABLE}')", None)):
            status, _, response = client.send(method, address, body)
            self.assertIn(status, (200, 201, 204, 404, 409, 500), response)
            if status == 500:
                self.assertRegex(response.decode(), "The store (is damaged|cannot be read or written)")
        server.stop()

    # Permissions

    def test_a_file_without_read_permission(self):
        path = self.filled()
        path.chmod(0o200)
        self.stores.chmod(0o777)
        self.does_not_start(path, "it cannot be opened (unable to open database file (Permission denied))",
                            drop_rights)
        path.chmod(0o666)
        self.stores.chmod(0o555)
        self.does_not_start(self.stores / "new.db", "it cannot be opened (no file can be made in its folder: "
                            "Permission denied)", drop_rights)
        self.does_not_start(path, "it is in a read-only folder; SQLite makes files there, even to read",
                            drop_rights)

    def read_only(self, path):
        server, client = self.start(path, drop_rights)
        for _ in range(2):
            self.assertEqual(len(client.rows(TABLE)), 300)
            self.refused(client.send("POST", f"/{TABLE}", {"PartitionKey": "p", "RowKey": "new"}), *READ_ONLY)
            self.refused(client.send("DELETE", f"/{TABLE}(PartitionKey='p',RowKey='00001')",
                                     headers={"If-Match": "*"}), *READ_ONLY)
            self.refused(client.send("POST", "/Tables", {"TableName": "New"}), *READ_ONLY)
            status, _, body = client.batch([("POST", f"/{TABLE}", {"PartitionKey": "p", "RowKey": "new"})])
            self.assertIn(READ_ONLY[2].encode(), body, status)
        server.stop()

    def test_a_read_only_file(self):
        path = self.filled()
        path.chmod(0o444)
        self.stores.chmod(0o777)
        self.read_only(path)

    def test_a_read_only_folder(self):
        path = self.filled()
        owner, client = self.start(path)  # SQLite's additional files in the folder let other processes read
        self.assertEqual(len(client.rows(TABLE)), 300)
        for file in self.stores.iterdir():
            file.chmod(0o444)
        self.stores.chmod(0o555)
        self.read_only(path)
        owner.stop()

    # Full disks

    def fill_up(self, client, most=2000):
        """Writes until the server refuses a write; returns the number of stored entities."""
        for count in range(most):
            response = client.send("POST", f"/{TABLE}", large(count), {"Prefer": "return-no-content"})
            if response[0] != 204:
                self.refused(response, *FULL)
                return count
        self.fail("the disk did not become full")

    def goes_on_reading(self, client, count):
        """On a full disk, reads work and every kind of write fails."""
        self.assertEqual(len(client.rows(TABLE)), 300 + count)
        inserts = [("POST", f"/{TABLE}", large(90_000 + i)) for i in range(100)]
        updates = [("PUT", f"/{TABLE}(PartitionKey='p',RowKey='{i:05}')", {"A": "y" * 30_000}) for i in range(100)]
        for operations in (inserts, updates):  # more than the space that a refused write may leave
            status, _, body = client.batch(operations)
            self.assertIn(FULL[2].encode(), body)
            self.assertIn(status, (202, 507))
        self.assertEqual(len(client.rows(TABLE)), 300 + count)
        status, _, body = client.send("GET", f"/{TABLE}(PartitionKey='p',RowKey='00001')")
        self.assertEqual((status, json.loads(body)["A"]), (200, "x" * 1000))

    def writes_again(self, server, client, path, count):
        """With free space, a refused write succeeds, and the file is intact."""
        self.assertEqual(client.send("POST", f"/{TABLE}", large(count))[0], 201)
        self.assertEqual(client.batch([("POST", f"/{TABLE}", large(90_000 + i)) for i in range(50)])[0], 202)
        self.assertEqual(len(client.rows(TABLE)), 300 + count + 1 + 50)
        server.stop()
        database = sqlite3.connect(path)
        self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        database.close()

    def test_files_at_their_largest(self):
        path = self.filled()
        server, client = self.start(path, lambda: signal.signal(signal.SIGXFSZ, signal.SIG_DFL))
        self.assertEqual(len(client.rows(TABLE)), 300)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (2_000_000, UNLIMITED))
        count = self.fill_up(client)
        self.assertGreater(count, 5)
        self.goes_on_reading(client, count)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (UNLIMITED, UNLIMITED))
        self.writes_again(server, client, path, count)

    def test_a_full_disk(self):
        path = self.filled()
        disk = self.folder / "disk"
        disk.mkdir()

        def mount():  # in a mount namespace of the server, which disappears with it
            for failed in (LIBC.unshare(CLONE_NEWNS),
                           LIBC.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None),
                           LIBC.mount(b"tmpfs", bytes(disk), b"tmpfs", 0, b"size=6m")):
                if failed:
                    raise OSError(ctypes.get_errno(), "no disk can be mounted")
            shutil.copy(path, disk)

        try:
            server, client = self.start(disk / path.name, mount)
        except Exception as error:  # pylint: disable=broad-except
            self.skipTest(f"{error}: no disk can be mounted here")
        inside = pathlib.Path(f"/proc/{server.pid}/root{disk}")
        filler = inside / "filler"
        filler.write_bytes(bytes(2_000_000))
        count = self.fill_up(client)
        self.goes_on_reading(client, count)
        filler.unlink()
        self.assertEqual(client.send("POST", f"/{TABLE}", large(count))[0], 201)
        self.assertEqual(len(client.rows(TABLE)), 300 + count + 1)
        server.stop()

    def test_another_writer(self):
        path = self.filled()
        server, client = self.start(path)
        other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        self.assertEqual(len(client.rows(TABLE)), 300)
        began = time.monotonic()
        self.addCleanup(other.close)
        timer = threading.Timer(0.5, lambda: other.execute("COMMIT"))
        timer.start()
        self.assertEqual(client.send("POST", f"/{TABLE}", large(1))[0], 201)
        self.assertGreater(time.monotonic() - began, 0.4)
        timer.join()
        server.stop()


if __name__ == "__main__":
    unittest.main()
