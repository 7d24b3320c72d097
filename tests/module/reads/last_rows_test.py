#!/usr/bin/env python3
"""Reads from the last row to the first: ORDER BY keys DESC and max() of a key. They return the rows of
an ordinary table in its order, and few requests find the last rows of a large table.

usage: last_rows_test.py [unittest argument ...]
"""

import pathlib
import random
import resource
import sqlite3
import sys
import threading
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[2] / "support")]
import host  # noqa: E402

host.enter()
from split_scan_test import COLUMNS, FORMS, Divided, in_bytes  # noqa: E402

REVERSE = "ORDER BY PartitionKey DESC, RowKey DESC"


class LastRows(Divided):
    def plan(self, sql):
        return str(self.query("EXPLAIN QUERY PLAN " + sql))

    def requests(self, sql, *parameters):
        """The rows of a statement and its number of requests."""
        before = self.newest()
        rows = self.query(sql, *parameters)
        return rows, self.query("SELECT count(*) FROM aztables_requests WHERE id > ? AND method = 'GET'", before)[0][0]

    def check(self, sql):
        wanted = self.query(sql.format("native"))
        self.assertEqual(wanted, self.query(sql.format("t")), sql)

    def check_all(self, rows, chance, times):
        def quoted(text):
            return "'" + text.replace("'", "''") + "'"

        for _ in range(times):
            partition, row, _ = chance.choice(rows)
            other = chance.choice(rows)[0]
            where = chance.choice((
                "", f"WHERE PartitionKey = {quoted(partition)}", f"WHERE PartitionKey = {quoted(partition)} AND RowKey < {quoted(row)}",
                f"WHERE PartitionKey = {quoted(partition)} AND RowKey >= {quoted(row)}", f"WHERE PartitionKey <= {quoted(partition)}",
                f"WHERE PartitionKey > {quoted(partition)}", "WHERE N % 3 = 1", "WHERE N >= 100", f"WHERE RowKey = {quoted(row)}",
                f"WHERE PartitionKey IN ({quoted(partition)}, {quoted(other)})",
                f"WHERE PartitionKey IN ({quoted(partition)}, {quoted(other)}) AND RowKey IN ({quoted(row)}, 'none')"))
            columns = chance.choice((COLUMNS, "PartitionKey, RowKey"))
            limit = f"LIMIT {chance.choice((1, 2, 7, 30))} OFFSET {chance.choice((0, 0, 3))}"
            self.check(chance.choice((f"SELECT {columns} FROM {{}} {where} {REVERSE}", f"SELECT {columns} FROM {{}} {where} {REVERSE} {limit}",
                                      f"SELECT max(RowKey) FROM {{}} {where}", f"SELECT max(PartitionKey) FROM {{}} {where}",
                                      f"SELECT PartitionKey, count(*) FROM {{}} {where} GROUP BY PartitionKey ORDER BY PartitionKey DESC")))

    def test_plans(self):
        for sql, wanted in ((f"SELECT N FROM t {REVERSE}", "; in reverse order; in up to 8 ranges"), ("SELECT max(PartitionKey) FROM t", "; in reverse order"),
                            ("SELECT max(RowKey) FROM t WHERE PartitionKey = 'p'", "; in reverse order of RowKey"),
                            ("SELECT N FROM t WHERE RowKey = 'r' ORDER BY PartitionKey DESC LIMIT 1", "; in reverse order; limit ?2")):
            self.assertIn(wanted, self.plan(sql))
            self.assertNotIn("TEMP B-TREE", self.plan(sql))
        self.assertNotIn("reverse", self.plan("SELECT N FROM t ORDER BY PartitionKey DESC, RowKey"))

    def test_rows_in_order(self):
        chance = random.Random(7)
        for form in FORMS:
            for count in (1, 12, 60, 300):
                with self.subTest(form, count=count):
                    rows = self.fill(form, count)
                    for parallel in (1, 8):
                        self.option(f"parallel={parallel}")
                        self.check_all(rows, chance, 6)
        self.query("DELETE FROM t")
        self.query("DELETE FROM native")
        self.check(f"SELECT {COLUMNS} FROM {{}} {REVERSE}")
        self.check("SELECT max(RowKey), count(*) FROM {} WHERE PartitionKey = 'p'")

    def write(self, rows):
        for name in ("native", "t"):
            self.query(f"DELETE FROM {name}")
            self.db.executemany(f"INSERT INTO {name}({COLUMNS}) VALUES (?, ?, ?)", rows)

    def check_requests(self, sql, most):
        rows, requests = self.requests(sql.format("t"))
        self.assertEqual(rows, self.query(sql.format("native")), sql)
        self.assertLessEqual(requests, most, sql)

    def test_a_large_partition_before_a_small_one(self):
        self.write([("p00", f"{i:03}", i) for i in range(90)] + [("p01", f"{i:03}", i) for i in range(5)])
        for parallel in (1, 8):
            self.option(f"parallel={parallel}")
            for limit in (1, 4, 5, 6, 7, 20, 94, 95, 96, -1):
                self.option("max_requests=100")
                self.check_requests(f"SELECT {COLUMNS} FROM {{}} {REVERSE} LIMIT {limit}", 60)

    def test_a_condition_that_the_last_pages_do_not_meet(self):
        self.write([("p", f"{i:06}", i if i < 300 else 0) for i in range(500)])
        self.option("max_requests=300")
        for where in ("N > 0", "PartitionKey = 'p' AND N > 0"):
            for limit in ("", "LIMIT 3"):
                self.check_requests(f"SELECT {COLUMNS} FROM {{}} WHERE {where} {REVERSE} {limit}", 250)

    def test_keys_too_long_for_a_range(self):
        self.write([("p", f"{i:06}", i) for i in range(200)])
        self.option("max_requests=100")
        long = "z" + "x" * 1100
        for columns in (COLUMNS, "RowKey"):
            self.check_requests(f"SELECT {columns} FROM {{}} WHERE PartitionKey = 'p' AND RowKey < '{long}' {REVERSE} LIMIT 3", 60)
        wide = "A" + "\u4e00" * 120  # 1,081 characters in a URL
        self.write([(wide, f"{i:06}", i) for i in range(7)] + [(f"B{i}", "r", i) for i in range(9)] + [("Z", f"{i:06}", i) for i in range(80)])
        for where in ("", f"WHERE PartitionKey >= '{wide}'"):
            for columns in (COLUMNS, "PartitionKey, RowKey"):
                self.check_requests(f"SELECT {columns} FROM {{}} {where} {REVERSE}", 60)

    def test_bulk_sends_nothing_before_the_last_row(self):
        self.virtual("u", "N INT32", bulk="on", batch="1")
        for order, last in ((REVERSE, min), ("ORDER BY PartitionKey, RowKey", max)):
            for parallel in (1, 8):
                with self.subTest(order, parallel=parallel):
                    rows = self.fill("many", 400)
                    self.query("INSERT INTO u(_command) VALUES (?)", f"parallel={parallel}")
                    self.query("BEGIN")
                    found, end = [], last(rows)[0]
                    for partition, row in self.db.execute(f"SELECT PartitionKey, RowKey FROM u {order}"):
                        found.append((partition, row))
                        if len(found) > len(rows):
                            break
                        self.query("INSERT INTO u(PartitionKey, RowKey, N) VALUES (?, ?, 1)", end, f"new {len(found)}")
                    self.query("COMMIT")
                    self.assertEqual(sorted(row[:2] for row in rows), sorted(found))
                    self.assertEqual([(800,)], self.query("SELECT count(*) FROM t"))

    def test_pending_writes(self):
        chance = random.Random(8)
        for form in FORMS:
            with self.subTest(form):
                rows = self.fill(form, 200)
                self.query("BEGIN")
                for name in ("native", "t"):
                    last = self.query(f"SELECT {COLUMNS} FROM {name} {REVERSE} LIMIT 3")
                    self.query(f"DELETE FROM {name} WHERE PartitionKey = ? AND RowKey = ?", *last[0][:2])
                    self.query(f"UPDATE {name} SET N = -1 WHERE PartitionKey = ? AND RowKey = ?", *last[1][:2])
                    for partition, row, _ in rows[::40]:
                        self.query(f"INSERT INTO {name}({COLUMNS}) VALUES (?, ?, 7)", partition, row + "x")
                self.check_all(rows, chance, 20)
                self.query("ROLLBACK")

    def test_few_requests(self):
        rows = self.fill("one", 2000)  # 200 pages
        for sql, most in (("SELECT max(RowKey) FROM t WHERE PartitionKey = 'p'", 20), ("SELECT max(PartitionKey) FROM t", 20),
                          (f"SELECT {COLUMNS} FROM t WHERE PartitionKey = 'p' ORDER BY RowKey DESC LIMIT 3", 21),
                          (f"SELECT {COLUMNS} FROM t {REVERSE} LIMIT 1", 21)):
            # Several guesses at once need more requests. A limit of requests leaves none for them.
            for option, more in (("parallel=1", 0), ("parallel=8", 5), ("max_requests=500", 0)):
                self.option(option)
                found, sent = self.requests(sql)
                self.assertLessEqual(sent, most + more, (sql, option))
                self.assertIn(found[0][0] if len(found[0]) == 1 else found[0], (*rows[-1], rows[-1]))
            self.option("max_requests=none")
        found, requests = self.requests(f"SELECT {COLUMNS} FROM t {REVERSE}")
        self.assertEqual(rows[::-1], found)
        self.assertLessEqual(requests, 300)

    def test_the_rest_waits_on_the_disk(self):
        chance = random.Random(5)

        def name():
            return "".join(chance.choice("aeilmnorst") for _ in range(1 + int(chance.expovariate(0.3))))

        names = [name() for _ in range(400)]
        rows = {(names[int(chance.paretovariate(0.7)) % 400], name() + str(i)): i for i in range(3000)}
        self.write([(*keys, i) for keys, i in rows.items()])
        sql = f"SELECT {COLUMNS} FROM {{}} {REVERSE}"
        self.check_requests(sql, 570)  # 300 pages
        self.option("parallel=1")  # the same requests each time
        self.check_requests(sql, 500)
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
        try:
            with self.assertRaisesRegex(sqlite3.OperationalError,
                                        "table .*: the temporary file in .* cannot be written: File too large; set TMPDIR to a folder with more space"):
                self.query(sql.format("t"))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        self.check(sql)

    def test_an_interrupt_ends_a_search(self):
        self.serve("latency=20")  # shorter than a wait between two looks
        self.fill("one", 2000, table="u")
        before = self.newest()
        timer = threading.Timer(0.06, self.db.interrupt)
        timer.start()
        with self.assertRaisesRegex(sqlite3.OperationalError, "interrupted"):
            self.query("SELECT max(RowKey) FROM u WHERE PartitionKey = 'p'")
        timer.join()
        self.assertLess(self.newest() - before, 10)  # of about 17

    def test_other_writers(self):
        self.check_with_other_writers(f"SELECT {COLUMNS} FROM t {REVERSE}",
                                      lambda found: self.assertEqual(found, sorted(found, key=in_bytes, reverse=True)))


if __name__ == "__main__":
    unittest.main()
