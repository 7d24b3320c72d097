"""Cases for the store of a server: each has its own folder and a copy of the program in it."""

import json
import os
import pathlib
import shutil
import tempfile
import unittest

import aztables_server
import table_http

NOBODY = 65534
TABLE = "Kept"


def drop_rights():
    """root may read and write everything, so the test continues as another user."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def large(row):
    """An entity that is larger than a database page."""
    return {"PartitionKey": "large", "RowKey": f"{row:05}", "A": "x" * 30_000}


class StoreCase(unittest.TestCase):
    """Each test has its own folder, which every user may enter, with the server's program in it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="aztables-bad-store-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.folder.chmod(0o755)
        self.program = str(self.folder / "aztables-server")
        shutil.copy(aztables_server.default_program(), self.program)
        self.stores = self.folder / "stores"
        self.stores.mkdir()
        self.addCleanup(self.stores.chmod, 0o755)

    def start(self, store, before=None):
        server = aztables_server.start(self.program, store=store, before=before, log=False)
        self.addCleanup(server.stop)
        client = table_http.Client(server.port)
        self.addCleanup(client.close)
        return server, client

    def filled(self, name="store.db", count=300):
        """The path of a closed store with a table of entities."""
        path = self.stores / name
        server, client = self.start(path)
        self.assertEqual(client.send("POST", "/Tables", {"TableName": TABLE})[0], 201)
        for begin in range(0, count, 100):
            rows = [{"PartitionKey": "p", "RowKey": f"{i:05}", "A": "x" * 1000} for i in range(begin, begin + 100)]
            self.assertEqual(client.batch([("POST", f"/{TABLE}", row) for row in rows])[0], 202)
        client.close()
        server.stop()
        return path

    def refused(self, response, status, code, text):
        self.assertEqual(response[0], status, response[2])
        error = json.loads(response[2])["odata.error"]
        self.assertEqual((error["code"], error["message"]["value"].partition("\n")[0]), (code, text))

    def does_not_start(self, path, text, before=None):
        with self.assertRaises(aztables_server.ServerError) as caught:
            aztables_server.start(self.program, store=path, before=before, log=False)
        said = str(caught.exception)
        self.assertIn(f"aztables-server: the store {path}: {text}", said)
        self.assertNotIn("Sanitizer", said)
