#!/usr/bin/env python3
"""The sqlite3 shell's .import of CSV files within BEGIN ... COMMIT. Empty fields are absent
properties or empty texts. Invalid lines are reported one by one and skipped. COMMIT reports
conflicts. The remote rows afterwards are correct.
"""

import csv
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()

NAMES = ["PartitionKey", "RowKey", "Timestamp", "N", "D", "F", "W", "G", "B", "S"]
COLUMNS = "N INT32, D DOUBLE, F BOOLEAN, W DATETIME, G GUID, B BINARY, S STRING"


class Import(host.FileCase):
    def setUp(self):
        super().setUp()
        self.virtual("t", COLUMNS, db=self.open())  # in the file that the shell opens

    def csv(self, *rows, name="rows.csv"):
        """Writes a file. In a row that is too short, the missing fields are empty."""
        with open(self.folder / name, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([*row, *[""] * (len(NAMES) - len(row))] for row in rows)

    def run_import(self, before="BEGIN;", after="COMMIT;", name="rows.csv", table="t"):
        """The output of the shell when it imports a file into a table."""
        return self.shell(f"{before}\n.mode csv\n.import {self.folder / name} {table}\n.mode list\n{after}\n")

    def test_empty_fields(self):
        self.csv(["p", "1"], ["p", "", "", "7"], ["", "2", "", "", "1.5", "1", "2026-11-20", "", "", " x,\"y\"\n"],
                 ["p", "3", "2020-01-01", "-0", "", "0", "", "C9DA6455-213D-42C9-9A79-3E9149A57833"])
        said = self.run_import(after="COMMIT;\nSELECT partition_key, operations, outcome FROM aztables_commits ORDER BY 1;")
        self.assertEqual("|1|applied\np|3|applied\n", said)
        self.assertEqual([
            ("", "2", '{"D":1.5,"F":true,"S":" x,\\"y\\"\\n",'
                      '"W@odata.type":"Edm.DateTime","W":"2026-11-20T00:00:00.0000000Z"}'),
            ("p", "", '{"N":7,"S":""}'),
            ("p", "1", '{"S":""}'),
            ("p", "3", '{"F":false,"G@odata.type":"Edm.Guid","G":"c9da6455-213d-42c9-9a79-3e9149a57833","N":0,"S":""}'),
        ], self.remote("PartitionKey, RowKey, _entity"))

    def test_conflict_is_reported_at_commit(self):
        self.csv(*(["p", f"{i:02}", "", str(i)] for i in range(20)))
        self.virtual("w", COLUMNS)
        self.query("INSERT INTO w(PartitionKey, RowKey, S) VALUES ('p', '07', 'theirs')")
        said = self.run_import(after="COMMIT;\nSELECT partition_key, row_key, operation, operations, outcome, status FROM "
                                     "aztables_commits;\nSELECT count(*) FROM t;\nBEGIN;\nROLLBACK;")
        lines = said.splitlines()
        self.assertEqual(["p|07|Insert|20|failed|409", "1"], lines[1:])
        self.assertIn("the entity PartitionKey='p', RowKey='07' already exists", lines[0])
        self.assertTrue(lines[0].endswith("; 0 of 1 EGTs applied: see aztables_commits (19)"), lines[0])
        self.assertEqual([("p", "07", '{"S":"theirs"}')], self.remote("PartitionKey, RowKey, _entity"))
        # The same file again, with a table of its own. Existing rows are kept.
        said = self.run_import(before=f"CREATE TEMP TABLE staged({', '.join(NAMES)});\nBEGIN;", table="staged",
                               after="INSERT OR IGNORE INTO t SELECT * FROM staged;\nCOMMIT;")
        self.assertEqual("", said)
        self.assertEqual([(f"{i:02}", "theirs" if i == 7 else "", None if i == 7 else i) for i in range(20)],
                         self.named("RowKey, S, N"))

    def named(self, columns):
        """Columns of the remote rows, read through the declared table."""
        db = host.connect()
        self.virtual("reader", COLUMNS, db=db)
        rows = db.execute(f"SELECT {columns} FROM reader").fetchall()
        db.close()
        return rows

    def test_conflict_in_one_of_several_partitions(self):
        self.csv(*([p, f"{i:03}", "", str(i)] for i in range(150) for p in "abc"))
        self.virtual("w", COLUMNS)
        self.query("INSERT INTO w(PartitionKey, RowKey, N) VALUES ('b', '120', -1)")
        said = self.run_import(after="COMMIT;\nSELECT partition_key, sum(operations), outcome FROM aztables_commits "
                                     "GROUP BY 1, 3;")
        first, *outcomes = said.splitlines()
        self.assertIn("the entity PartitionKey='b', RowKey='120' already exists", first)
        self.assertIn(" of 6 EGTs applied: see aztables_commits (19)", first)
        applied = {}
        for line in outcomes:
            partition, operations, outcome = line.split("|")
            if outcome == "applied":
                applied[partition] = int(operations)
        self.assertIn("b|50|failed", outcomes)
        held = {}
        for partition, n in self.named("PartitionKey, N"):
            held[partition] = held.get(partition, 0) + (n >= 0)
        self.assertEqual({**applied, "b": applied.get("b", 0)}, {"b": 0, **held})

    def test_invalid_lines_are_reported_and_skipped(self):
        self.csv(["p", "1", "", "1"], ["p", "2", "", "many"], ["p", "1", "", "3"], ["p", "a/b", "", "4"],
                 ["p", "5", "", "", "", "", "yesterday"], ["p", "6", "", "6"])
        said = self.run_import().splitlines()
        self.assertEqual(4, len(said), said)
        for line, text in zip(said, (":2: INSERT failed: table t: column N: 'many' (TEXT) is not a valid Edm.Int32",
                                     ":3: INSERT failed: table t: the entity PartitionKey='p', RowKey='1' already exists",
                                     ":4: INSERT failed: table t: ", ":5: INSERT failed: table t: column W: 'yesterday'")):
            self.assertIn(text, line)
        self.assertEqual([("1", 1), ("6", 6)], self.named("RowKey, N"))

    def test_without_begin_the_conflict_is_not_reported(self):
        """The shell ends its own transaction and ignores the result. aztables_commits reports
        it.
        """
        self.csv(["p", "1", "", "1"], ["p", "2", "", "2"])
        self.assertEqual("", self.run_import(before="", after=""))
        self.csv(["p", "2", "", "5"], ["p", "3", "", "3"])
        said = self.run_import(before="", after="SELECT row_key, outcome, code FROM aztables_commits;")
        self.assertEqual("2|failed|EntityAlreadyExists\n", said)
        self.assertEqual([("1", 1), ("2", 2)], self.named("RowKey, N"))

    def test_rolled_back(self):
        self.csv(["p", "1", "", "1"])
        self.assertEqual("1\n0\n", self.run_import(after="SELECT count(*) FROM t;\nROLLBACK;\nSELECT count(*) FROM t;"))
        self.assertEqual([], self.remote("PartitionKey, RowKey, _entity"))


if __name__ == "__main__":
    unittest.main()
