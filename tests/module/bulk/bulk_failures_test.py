#!/usr/bin/env python3
"""bulk=on with failures: which failures end the statement, which rows are sent nevertheless, and
on_error=continue, which skips only refused rows. The shell's .import is tested with both. After
each test the remote rows must match aztables_commits.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402

SENT = "EGTs applied: see aztables_commits"
EXISTS = "SQLITE_CONSTRAINT_PRIMARYKEY"


class Case(host.FileCase):
    options = {}

    def setUp(self):
        super().setUp()
        self.virtual_for_two("t", "N INT32", bulk="on", batch="2", **self.options)

    def theirs(self, *numbers):
        """Another client inserts these."""
        self.other.executemany("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p', ?, -1)",
                               [(f"{number:06}",) for number in numbers])

    INSERT = """INTO t(PartitionKey, RowKey, N) WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n
        WHERE i < 499) SELECT 'p', printf('%06d', i), i FROM n"""

    def numbers(self):
        return [n for (n,) in self.other.execute("SELECT N FROM t ORDER BY RowKey")]

    def applied(self):
        """The number of written entities in aztables_commits."""
        return self.query("SELECT coalesce(sum(operations), 0) FROM aztables_commits WHERE outcome = 'applied'")[0][0]


class Stop(Case):
    def test_existing_entity_ends_the_statement(self):
        self.theirs(200)
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('before', '1', 1)")
        self.fails(sqlite3.IntegrityError, EXISTS, "the entity PartitionKey='p', RowKey='000200' already exists",
                   f"INSERT {self.INSERT}")
        self.assertEqual([(1,)], self.query("SELECT count(*) FROM t WHERE PartitionKey = 'before'"))
        self.query("COMMIT")  # commits the row from before the statement
        self.assertEqual([("before", "1")], self.remote(where="PartitionKey = 'before'"))
        written = self.numbers()
        self.assertEqual(self.applied() + 1, len(written))
        written.remove(1)
        written.remove(-1)
        self.assertTrue({*range(128)} <= set(written) < {*range(256)}, written)

    def test_every_failure_reports_sent_egts(self):
        sent = "; 64 EGTs applied: see aztables_commits"
        bad = self.INSERT.replace(", i FROM", ", iif(i = 130, 1.5, i) FROM")
        self.fails(sqlite3.IntegrityError, "SQLITE_MISMATCH", sent, f"INSERT {bad}")
        self.assertEqual(list(range(128)), self.numbers())
        self.query("DELETE FROM t")
        self.query("INSERT INTO t(_command) VALUES ('max_requests=100')")
        message = self.fails(sqlite3.DataError, "SQLITE_TOOBIG", "max_requests", f"INSERT {self.INSERT}")
        self.assertIn("; 64 of 128 EGTs applied: see aztables_commits", message)
        self.assertTrue(message.startswith(f"virtual table t: writing to table {self.table}: "), message)
        self.assertEqual(list(range(128)), self.numbers())

    def test_max_entities_stops_an_update_or_delete_before_it_sends(self):
        self.query(f"INSERT {self.INSERT}")
        before = self.numbers()
        count = len(before)
        for change in ("DELETE FROM t", "UPDATE t SET N = N + 1000"):
            self.query("INSERT INTO t(_command) VALUES (?)", f"max_entities={2 * count - 1}")
            sent = self.sent()
            message = self.fails(sqlite3.DataError, "SQLITE_TOOBIG", f"max_entities={2 * count - 1} leaves {count - 1}; "
                                 "nothing was sent", change)
            self.assertIn(f"{count} entities are needed", message)
            self.assertEqual(sent, self.sent())
            self.assertEqual(before, self.numbers())
        self.query("INSERT INTO t(_command) VALUES (?)", f"max_entities={2 * count}")
        self.query("UPDATE t SET N = N + 1000")
        self.assertEqual([n + 1000 for n in before], self.numbers())
        self.query("DELETE FROM t")
        self.assertEqual([], self.numbers())

    def test_failed_read_reports_sent_egts(self):
        self.fill(2100)
        self.virtual("source", "N INT32")
        self.virtual("target", "N INT32", table=f"{self.table}b", create="missing", bulk="on", batch="2")
        self.query("INSERT INTO source(_command) VALUES ('max_requests=70')")
        message = self.fails(sqlite3.DataError, "SQLITE_TOOBIG", "; 448 EGTs applied: see aztables_commits",
                             "INSERT INTO target(PartitionKey, RowKey) SELECT PartitionKey, RowKey FROM source")
        self.assertNotIn("the statement changed no rows", message)

    def test_conflict_of_an_earlier_statement(self):
        self.theirs(3)
        self.query("BEGIN")
        self.query(f"INSERT {self.INSERT.replace('499', '9')}")
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "RowKey='000003' already exists",
                   f"INSERT OR IGNORE {self.INSERT.replace('SELECT 0', 'SELECT 10')}")
        self.fails(sqlite3.IntegrityError, EXISTS, "RowKey='000003' already exists", "COMMIT")

    def test_row_of_a_failed_send_is_dropped(self):
        """Then nothing more is sent before COMMIT, which reports the error again."""
        self.theirs(0)
        self.query("BEGIN")
        row = "INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p', printf('%06d', ?), ?)"
        for number in range(127):
            self.query(row, number, number)
        self.fails(sqlite3.IntegrityError, EXISTS, "RowKey='000000' already exists", row, 127, 127)
        self.assertEqual([(0,)], self.query("SELECT count(*) FROM t WHERE N = 127"))
        sent = self.sent()
        for number in range(200, 300):
            self.query(row, number, number)
        self.assertEqual(sent, self.sent())
        self.fails(sqlite3.IntegrityError, EXISTS, "RowKey='000000' already exists", "COMMIT")
        self.assertEqual(self.applied() + 1, len(self.numbers()))

    def test_busy(self):
        proxy = self.cut_connection()
        self.virtual("cut", "N INT32", connection="cut", bulk="on", batch="2", retries="0")
        proxy.plan = {70: "busy"}
        self.query("BEGIN")
        message = self.fails(sqlite3.OperationalError, "SQLITE_BUSY", "The server is busy",
                             f"INSERT {self.INSERT.replace('t(', 'cut(')}")
        self.assertIn(f" of 128 {SENT}", message)
        written = self.numbers()
        self.assertEqual(self.applied(), len(written))
        self.query("COMMIT")
        self.assertEqual(written, self.numbers())

    def test_unknown(self):
        proxy = self.cut_connection()
        self.virtual("cut", "N INT32", connection="cut", bulk="on", batch="2", retries="0")
        proxy.plan = {70: "drop response"}
        message = self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "the outcome of 1 EGT is unknown",
                             f"INSERT {self.INSERT.replace('t(', 'cut(')}")
        self.assertIn(f" of 128 {SENT}", message)
        self.assertEqual(self.applied() + 2, len(self.numbers()))


class Continue(Case):
    options = {"on_error": "continue"}

    def refused(self, columns="row_key, operation, code"):
        return self.query(f"SELECT {columns} FROM aztables_commits WHERE outcome = 'failed' ORDER BY row_key")

    def test_existing_entities_are_skipped_and_recorded(self):
        self.theirs(3, 200, 201, 499)
        self.query(f"INSERT {self.INSERT}")
        self.assertEqual([-1 if number in (3, 200, 201, 499) else number for number in range(500)], self.numbers())
        self.assertEqual([(f"{number:06}", "Insert", "EntityAlreadyExists") for number in (3, 200, 201, 499)], self.refused())
        self.assertEqual([(496, 1)], self.query("SELECT sum(operations), count(DISTINCT commit_id) FROM aztables_commits "
                                                "WHERE outcome = 'applied'"))
        self.assertIn("the entity PartitionKey='p', RowKey='000003' already exists", self.refused("message")[0][0])

    def test_full_egts_cost_a_bounded_number_of_requests(self):
        self.query("INSERT INTO t(_command) VALUES ('batch=100')")
        self.theirs(*range(0, 500, 3))
        before = self.query("SELECT count(*) FROM aztables_requests")[0][0]
        self.query(f"INSERT {self.INSERT}")
        self.assertEqual([-1 if number % 3 == 0 else number for number in range(500)], self.numbers())
        self.assertEqual(167, len(self.refused()))
        self.assertLessEqual(self.query("SELECT count(*) FROM aztables_requests")[0][0] - before, 5 * 12)

    def test_invalid_rows(self):
        self.query("""INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p', '1', 1), ('p', '2', 'two'), ('p', NULL, 3),
            ('p', '4/', 4), ('p', '1', 5), ('p', '6', 6), (NULL, '7', 7)""")
        self.assertEqual([1, 6], self.numbers())
        self.assertEqual([
            ("p", None, "Insert", "RowKey must not be NULL (an empty key '' is legal)"),
            ("p", "1", "Insert", "the entity PartitionKey='p', RowKey='1' already exists; INSERT OR IGNORE keeps it, "
             "OR REPLACE overwrites it"),
            ("p", "2", "Insert", "column N: 'two' (TEXT) is not a valid Edm.Int32; the entity is PartitionKey='p', RowKey='2'")],
            self.refused("partition_key, row_key, operation, message")[:3])
        self.assertEqual((None, "7"), self.refused("partition_key, row_key")[-1])
        self.assertEqual(5, len(self.refused()))
        self.assertEqual(1, len({commit for (commit,) in self.query("SELECT commit_id FROM aztables_commits")}))

    def test_conflict_clauses(self):
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p', '1', 1)")
        self.query("INSERT OR IGNORE INTO t(PartitionKey, RowKey, N) VALUES ('p', '1', 2)")
        self.assertEqual([], self.refused())
        self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT", "already exists",
                   "INSERT OR FAIL INTO t(PartitionKey, RowKey, N) VALUES ('p', '2', 2), ('p', '1', 3), ('p', '3', 3)")
        self.query("COMMIT")
        self.assertEqual([1, 2], self.numbers())

    def test_entities_changed_by_another_client(self):
        """Another client changes the entities after UPDATE or DELETE reads them and before the
        changes are sent.
        """
        self.query(f"INSERT {self.INSERT.replace('499', '199')}")
        for sql, there in (("UPDATE t SET N = N + 1000", [1000 + n for n in range(200)]), ("DELETE FROM t", [])):
            with self.subTest(sql):
                self.query("BEGIN")
                self.query(sql)  # sends 128 rows
                self.other.execute("UPDATE t SET N = -5 WHERE RowKey IN ('000150', '000170')")
                self.query("COMMIT")
                for number in (150, 170):
                    there[number:number + 1] = [-5] * (number < len(there))
                self.assertEqual(there or [-5, -5], self.numbers())
                verb = "Delete" if sql.startswith("DELETE") else "Merge"
                self.assertEqual([(key, verb, "UpdateConditionNotSatisfied") for key in ("000150", "000170")],
                                 self.last_commit("row_key, operation, code")[-2:])

    def test_key_change_is_complete_or_absent(self):
        self.query(f"INSERT {self.INSERT.replace('499', '9')}")
        self.other.execute("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('q', '000004', -1), ('p', 'n000007', -1)")
        self.query("UPDATE t SET PartitionKey = 'q' WHERE PartitionKey = 'p' AND N BETWEEN 0 AND 5")
        self.query("UPDATE t SET RowKey = 'n' || RowKey WHERE PartitionKey = 'p' AND +N BETWEEN 6 AND 9")
        self.assertEqual([("p", "000004", 4), ("p", "000007", 7), ("p", "n000006", 6), ("p", "n000007", -1),
                          ("p", "n000008", 8), ("p", "n000009", 9),
                          *(("q", f"{n:06}", -1 if n == 4 else n) for n in range(6))],
                         self.remote("PartitionKey, RowKey, aztables_get(_entity, 'N')"))
        self.assertEqual([("000004", "Delete"), ("000004", "Insert"), ("000007", "Merge")],
                         sorted(self.refused("row_key, operation")), "the conflict of the last one was known before it was sent")

    def test_service_failure_ends_the_statement(self):
        proxy = self.cut_connection()
        self.virtual("cut", "N INT32", connection="cut", bulk="on", on_error="continue", batch="2", retries="0")
        for way, code in (("busy", "SQLITE_BUSY"), ("drop response", "SQLITE_ERROR")):
            self.query("DELETE FROM t")
            proxy.plan = {proxy.batches + 70: way}
            self.fails(sqlite3.OperationalError, code, SENT, f"INSERT {self.INSERT.replace('t(', 'cut(')}")


class Import(Case):
    """The recipes of REFERENCE.md."""

    def run_import(self, **options):
        db = self.open()
        self.virtual("w", "N INT32", db=db, bulk="on", batch="2", **options)
        lines = [f"p,{number:06},,{number if number != 77 else 'bad'}" for number in range(500)]
        (self.folder / "rows.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return self.shell(f"BEGIN;\n.mode csv\n.import {self.folder}/rows.csv w\n.mode list\nCOMMIT;\n"
                          "SELECT row_key, operation, message FROM aztables_commits WHERE outcome = 'failed';").splitlines()

    def test_stop(self):
        said = self.run_import()
        self.assertIn("rows.csv:78: INSERT failed: table w: column N: 'bad' (TEXT) is not a valid Edm.Int32", said[0])
        self.assertEqual(1, len(said), said)
        self.assertEqual([number for number in range(500) if number != 77], self.numbers())

    def test_stop_at_a_conflict(self):
        self.theirs(200)
        said = self.run_import()
        self.assertEqual(2, sum("INSERT failed" in line for line in said), said)
        self.assertIn("RowKey='000200' already exists", said[1])
        self.assertIn("RowKey='000200' already exists", said[2])
        self.assertIn("near line", said[2])
        self.assertIn(SENT, said[2])

    def test_continue(self):
        self.theirs(200, 400)
        said = self.run_import(on_error="continue")
        self.assertEqual(["000077|Insert|column N: 'bad' (TEXT) is not a valid Edm.Int32; the entity is PartitionKey='p', RowKey='000077'"],
                         said[:1])
        self.assertEqual(["000200|Insert", "000400|Insert"], ["|".join(line.split("|")[:2]) for line in said[1:]])
        self.assertEqual([-1 if number in (200, 400) else number for number in range(500) if number != 77], self.numbers())


if __name__ == "__main__":
    unittest.main()
