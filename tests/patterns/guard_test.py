#!/usr/bin/env python3
"""A script of sql/patterns stops before it changes anything if the account already has one of its remote tables. Each
of these tables gets an entity, in a store of its own. Then the script must end with one error, and leave the stores as
they are.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import host  # noqa: E402

if __name__ == "__main__":
    host.enter()
import on_service  # noqa: E402

SCRIPTS = sorted(host.ROOT.glob("sql/patterns/*.sql"))
CREATED = re.compile(r"USING aztables\(table=(\w+),\s*connection=(\w+),[^;]*create=missing")
DROPPED = re.compile(r"aztables_drop_table\('(\w+)\.(\w+)'\)")
# Patterns 15 and 18 write these only under keys of their own.
SHARED = {"SyncClock", "SyncState"}


def tables_of(text):
    """The remote tables that a script creates or drops, as (connection, table)."""
    found = {(connection, table) for table, connection in CREATED.findall(text)} | set(DROPPED.findall(text))
    return sorted(pair for pair in found if pair[1] not in SHARED)


class Guard(unittest.TestCase):
    """Each script, with each of its tables in use."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=on_service.fast_folder())
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.stores = 0

    def shell(self, script, stores):
        """The output of a new sqlite3 shell."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("AZTABLES_C", "AZTABLES_T", "AZURE"))}
        for name in ("demo", "copy"):
            environment[f"AZTABLES_CONNECTION_{name.upper()}"] = f"LocalStore={stores}/{name}.db"
        if os.environ.get("AZTABLES_PRELOAD"):
            environment["LD_PRELOAD"] = os.environ["AZTABLES_PRELOAD"]
        done = subprocess.run(["sqlite3", "-batch", "-init", "/dev/null", ":memory:"], input=script, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=stores, env=environment,
                              timeout=60, check=False)
        return done.stdout.splitlines()

    def test_no_script_changes_a_table_that_exists(self):
        for script in SCRIPTS:
            tables = tables_of(script.read_text())
            self.assertGreater(len(tables), 0, script)
            for connection, table in tables:
                with self.subTest(script.stem, table=table):
                    self.refuses(script.read_text(), connection, table.lower())  # names ignore case

    def refuses(self, text, connection, table):
        self.stores += 1
        stores = self.folder / str(self.stores)
        stores.mkdir()
        os.symlink(host.MODULE, stores / "aztables.so")
        load = ".load ./aztables\n"
        self.assertEqual([], self.shell(
            load + f"CREATE VIRTUAL TABLE mine USING aztables(table={table}, connection={connection}, create=missing);\n"
            "INSERT INTO mine(PartitionKey, RowKey) VALUES ('my', 'entity');\n", stores))
        output = self.shell(text, stores)
        self.assertEqual(1, len(output), output)
        self.assertRegex(output[0], "CHECK constraint failed: use (an )?empty stores?")
        found = self.shell(
            load + f"SELECT name FROM aztables_tables('{connection}');\n"
            f"SELECT PartitionKey, RowKey, _entity FROM aztables_query('{connection}.{table}');\n", stores)
        self.assertEqual([table, "my|entity|{}"], found)
        self.assertEqual([f"{connection}.db"], sorted(path.name for path in stores.glob("*.db")))


if __name__ == "__main__":
    unittest.main()
