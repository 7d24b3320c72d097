#!/usr/bin/env python3
"""The recipe for ODBC of sql/programs.md, with isql and pyodbc: its odbc.ini and its tables, types and
values, transactions, and a connection that only reads.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import host  # noqa: E402

host.enter()

RECIPE = re.search(r"\n### ODBC.*?(?=\n### )", (host.ROOT / "sql/programs.md").read_text(), re.DOTALL).group()
VALUES = ("'SciFi', 'Star Wars', 1099511627776, 1, '1977-05-25T19:00:00.1234567Z'")


def block(language):
    return re.search(rf"\n```{language}\n(.*?)```\n", RECIPE, re.DOTALL).group(1)


class OdbcTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.symlink(host.MODULE, pathlib.Path(self.folder, "aztables.so"))
        pathlib.Path(self.folder, "odbc.ini").write_text(block("ini"))
        self.environment = {**os.environ, "ODBCINI": "odbc.ini", "AZTABLES_CONNECTION_DEMO": "LocalStore=store.db"}
        self.run_program(["sqlite3", "-batch", "-init", "/dev/null"], block("sql"))

    def run_program(self, command, text, **environment):
        done = subprocess.run(command, input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              cwd=self.folder, env={**self.environment, **environment}, timeout=60, check=False)
        return done.stdout.strip()

    def isql(self, *statements, **environment):
        """The rows that isql prints."""
        return self.run_program(["isql", "movies", "-b", "-x0x7c", "-v"], "\n".join(statements) + "\n",
                                **environment).splitlines()

    def test_values(self):
        self.assertEqual(
            [], self.isql(f"INSERT INTO movies(PartitionKey, RowKey, Views, Seen, Made) VALUES({VALUES})"))
        self.assertEqual(["Star Wars|1099511627776|1|1977-05-25T19:00:00.1234567Z", "1|1099511627776"],
                         self.isql("SELECT RowKey, Views, Seen, Made FROM movies",
                                   "SELECT count(*), sum(Views) FROM movies"))

    def test_declared_types_do_not_need_the_option(self):
        """INT64 columns are BIGINT to the driver, so their values arrive whole without BigInt = 1."""
        path = pathlib.Path(self.folder, "odbc.ini")
        path.write_text(path.read_text().replace("BigInt = 1\n", ""))
        self.isql(f"INSERT INTO movies(PartitionKey, RowKey, Views, Seen, Made) VALUES({VALUES})")
        program = ("import pyodbc; db = pyodbc.connect('DSN=movies'); rows = db.execute('SELECT Views, Seen FROM movies'); "
                   "print(rows.fetchall(), [c[1].__name__ for c in rows.description])")
        self.assertEqual("[(1099511627776, True)] ['int', 'bool']", self.run_program(["/usr/bin/python3", "-c", program], ""))

    def test_rollback(self):
        self.assertEqual(["1", "0"], self.isql(
            "BEGIN", f"INSERT INTO movies(PartitionKey, RowKey, Views, Seen, Made) VALUES({VALUES})",
            "SELECT inserts FROM aztables_pending", "ROLLBACK", "SELECT count(*) FROM movies"))

    def test_a_read_only_connection(self):
        self.isql(f"INSERT INTO movies(PartitionKey, RowKey, Views, Seen, Made) VALUES({VALUES})")
        read_only = {"AZTABLES_CONNECTION_DEMO": "LocalStore=store.db;ReadOnly=true"}
        shown = "\n".join(self.isql("DELETE FROM movies", "SELECT count(*) FROM movies", **read_only))
        self.assertIn("ReadOnly", shown)
        self.assertTrue(shown.endswith("\n1"), shown)


if __name__ == "__main__":
    if shutil.which("isql") is None:
        print("isql is not installed: scripts/deps.sh test installs it")
        sys.exit(1)
    unittest.main()
