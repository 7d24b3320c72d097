#!/usr/bin/env python3
"""The list "Statements that worked and now fail" of CHANGELOG.md. In each row, the first statement must fail, and the
second one must work, on a new database connection.
"""

import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402

ROW = re.compile(r"^\| `(.+?)` \| `(.+?)` \| .+ \|$", re.MULTILINE)


def connect():
    """The tables that CHANGELOG.md describes."""
    db = host.connect()
    db.execute("SELECT aztables_connect('default', 'LocalStore=:memory:')").fetchall()
    db.execute("CREATE VIRTUAL TABLE t USING aztables(table=Things, create=missing, At DATETIME, Id GUID, Done BOOLEAN, D DOUBLE, L INT64)")
    db.execute("INSERT INTO t(PartitionKey, RowKey, At, Id, Done, D) "
               "VALUES ('p', 'r', '2026-08-27', 'c9da6455-213d-42c9-9a79-3e9149a57833', 1, 7)")
    db.execute("CREATE VIRTUAL TABLE odd USING aztables(table=Odd, create=missing, N INT32)")
    db.execute("INSERT INTO odd(PartitionKey, RowKey, _entity) VALUES ('p', 'a', '{\"N\":4}'), ('p', 'b', '{\"N\":\"4\"}')")
    return db


class Changelog(unittest.TestCase):
    def test_each_row(self):
        text = (host.ROOT / "CHANGELOG.md").read_text()
        listed = re.search("^### Statements that worked and now fail\n(.*?)^### ", text, re.MULTILINE | re.DOTALL)[1]
        rows = ROW.findall(listed)
        self.assertEqual(listed.count("\n| `"), len(rows))
        self.assertGreater(len(rows), 8)
        for fails, works in rows:
            with self.subTest(fails):
                db = connect()
                with self.assertRaises(sqlite3.Error):
                    db.execute(fails).fetchall()
                db.execute(works).fetchall()
                db.close()


if __name__ == "__main__":
    unittest.main()
