#!/usr/bin/env python3
"""Reads that are divided into ranges of keys while they run. They return the rows of an undivided
read, whatever is written meanwhile. Rules, faults and interrupts apply to all ranges.

usage: split_scan_test.py [unittest argument ...]
"""

import pathlib
import random
import sqlite3
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import aztables_server  # noqa: E402

COLUMNS = "PartitionKey, RowKey, N"
ALL = f"SELECT {COLUMNS} FROM {{t}}"
FORMS = {
    "many": lambda i: (f"p{i // 4:03}", f"{i:06}"),
    "few": lambda i: (f"p{i // 100}", f"{i:06}"),
    "one": lambda i: ("p", f"{i:06}"),
    # Large partitions between small ones.
    "mixed": lambda i: ("large" + "az"[i % 2] if i % 4 < 2 else f"m{i:04}", f"{i:06}"),
    # Characters whose orders in UTF-8, UTF-16 and without case differ, and a quote.
    "foreign": lambda i: (["A'", "a", "é", "日本", "\ufb01", "\U0001f600", "p"][i % 7] + str(i % 3),
                          "ß\U0001f600\ufb01é'Zz"[i // 7 % 7] + f"{i:04}"),
}


def in_bytes(row):
    """SQLite's order of the keys of a row."""
    return row[0].encode(), row[1].encode()


class Divided(host.ServerCase):
    """The table t has pages of ten rows. So each hundred rows are ten pages."""

    server_options = ("--simulate", "scan_rows=10")

    def setUp(self):
        super().setUp()
        self.last = 0
        self.virtual("t", "N INT32")
        self.query(f"CREATE TABLE native({COLUMNS}, PRIMARY KEY (PartitionKey, RowKey))")

    def fill(self, form="many", count=400, table="t", step=1):
        """Writes rows to the native table and to one of the service, instead of their old rows."""
        rows = [(*FORMS[form](i), i) for i in range(0, count * step, step)]
        for name in ("native", table):
            self.query(f"DELETE FROM {name}")
            self.query("BEGIN")
            self.db.executemany(f"INSERT INTO {name}({COLUMNS}) VALUES (?, ?, ?)", rows)
            self.query("COMMIT")
        self.last = self.newest()  # the request before those that are checked
        return rows

    def serve(self, simulate, **options):
        """A server with faults for the table u, which has rows."""
        service = aztables_server.start(options=("--simulate", "scan_rows=10, " + simulate), store=":memory:")
        self.addCleanup(service.stop)
        self.query("SELECT aztables_connect('apart', ?)", service.connection_string)
        self.query("SELECT aztables_create_table('apart.Apart')")
        self.query("DROP TABLE IF EXISTS u")
        self.virtual("u", "N INT32", table="Apart", connection="apart", **options)
        self.fill(table="u")
        return service

    def newest(self):
        return self.query("SELECT coalesce(max(id), 0) FROM aztables_requests")[0][0]

    def check_divided(self, divided=True, queries=1):
        """A query has one filter, and each of its ranges has another one."""
        filters = self.query("SELECT DISTINCT coalesce(filter, '') FROM aztables_requests WHERE id > ? AND method = 'GET'", self.last)
        self.last = self.newest()
        (self.assertGreater if divided else self.assertEqual)(len(filters), queries, filters)

    def option(self, option):
        self.query("INSERT INTO t(_command) VALUES (?)", option)

    def check_same(self, sql, divided=True, queries=1, table="t"):
        """A statement returns the same rows for a table of the service and for the native table."""
        wanted = sorted(self.query(sql.format(t="native")))
        self.last = self.newest()
        self.assertEqual(wanted, sorted(self.query(sql.format(t=table))), sql)
        self.check_divided(divided, queries)


    def check_with_other_writers(self, sql, check):
        """Others insert and delete rows while a read runs. It returns each row that they leave alone."""
        self.virtual_for_two("theirs", "N INT32")
        for seed, form in enumerate(FORMS):
            with self.subTest(form):
                rows = self.fill(form, 200, step=2)
                chance = random.Random(seed)
                theirs = chance.sample(rows, 120)
                gone, new = list(theirs), chance.sample([(*FORMS[form](i), -i) for i in range(1, 400, 2)], 200)
                reading, found = self.db.execute(sql), []
                while some := reading.fetchmany(chance.randint(1, 20)):
                    found += some
                    for _ in range(chance.randint(0, 3)):
                        self.other.execute(f"INSERT INTO theirs({COLUMNS}) VALUES (?, ?, ?)", new.pop())
                        self.other.execute("DELETE FROM theirs WHERE PartitionKey = ? AND RowKey = ?", gone.pop()[:2])
                check(found)
                self.assertEqual(len(found), len(set(found)))
                self.assertEqual(set(), set(rows) - set(theirs) - set(found))


class Rows(Divided):
    def test_each_row_once(self):
        for form in FORMS:
            with self.subTest(form):
                rows = self.fill(form, 200)
                self.assertEqual(sorted(rows), sorted(self.query(f"SELECT {COLUMNS} FROM t")))
                self.check_divided()

    def test_partitions_in_order(self):
        for form in FORMS:
            rows = self.fill(form, 600)
            some, = self.query("SELECT PartitionKey FROM native ORDER BY 1 LIMIT 1 OFFSET 3") or [("p",)]
            self.query("DROP TABLE IF EXISTS wanted")
            self.query("CREATE TABLE wanted AS SELECT rowid AS id FROM t ORDER BY N DESC LIMIT 9")
            self.query("CREATE TABLE IF NOT EXISTS given(id)")
            self.query("DELETE FROM given")
            self.query("INSERT INTO given SELECT rowid FROM native ORDER BY N DESC LIMIT 9")
            for rest in ("", f"WHERE PartitionKey > '{some[0]}'".replace("A'", "A''"), "WHERE N % 7 = 3", "WHERE rowid + 0 IN (SELECT id FROM {ids})",
                         f"WHERE (PartitionKey, RowKey) IN (VALUES {', '.join(map(str, [row[:2] for row in rows[-50:]]))})"):
                for tail in ("", "LIMIT 2", "LIMIT 30 OFFSET 3"):
                    sql = f"SELECT DISTINCT PartitionKey FROM {{t}} {rest} ORDER BY PartitionKey {tail}"
                    with self.subTest(sql, form=form):
                        self.assertEqual(self.query(sql.format(t="native", ids="given")), self.query(sql.format(t="t", ids="wanted")))
            before = self.newest()
            self.query("SELECT DISTINCT PartitionKey FROM t ORDER BY PartitionKey")
            self.assertEqual([(form != "one",)], self.query("SELECT max(coalesce(filter, '') LIKE '% lt %') FROM aztables_requests WHERE id > ?", before))

    def test_the_rest_of_a_partition_is_left_out(self):
        # With a latency, responses come in the order of the requests. So few requests are ahead of a LIMIT.
        self.serve("latency=10")
        self.fill("few", 2000, table="u")  # twenty partitions of ten pages
        for order, most in (("", 60), ("ORDER BY PartitionKey", 60), ("ORDER BY PartitionKey LIMIT 3", 20)):
            with self.subTest(order):
                before = self.newest()
                self.assertEqual(sorted(self.query(f"SELECT DISTINCT PartitionKey FROM native {order}")),
                                 sorted(self.query(f"SELECT DISTINCT PartitionKey FROM u {order}")))
                self.assertLessEqual(self.newest() - before, most)

    def test_plan_and_one_chain(self):
        self.fill(count=30)  # three pages
        self.check_same(ALL, divided=False)
        rows = self.fill(count=100)
        for parallel in (1, 8):  # of a statement that is prepared only once
            self.option(f"parallel={parallel}")
            self.check_same(ALL, divided=parallel > 1)
        for parallel in (8, 3, 1):
            self.option(f"parallel={parallel}")
            plan = str(self.query(f"EXPLAIN QUERY PLAN SELECT N, {parallel} FROM t"))  # Python keeps a statement of the same text
            self.assertEqual([parallel > 1] * 2, [f"in up to {parallel} ranges" in plan, "ranges" in plan], plan)
        self.assertEqual(rows, self.query(f"SELECT {COLUMNS} FROM t"))
        self.check_divided(False)

    def test_other_writers(self):
        self.check_with_other_writers(f"SELECT {COLUMNS} FROM t", lambda found: self.check_divided())

    def test_other_writers_in_order(self):
        def check(found):
            self.check_divided()
            self.assertEqual(found, sorted(found, key=in_bytes))

        self.check_with_other_writers(f"SELECT {COLUMNS} FROM t ORDER BY PartitionKey, RowKey", check)

    def test_conditions(self):
        self.fill("few")
        for where in ("PartitionKey >= 'p1' AND PartitionKey < 'p3'", "PartitionKey > 'p0' AND PartitionKey <= 'p2'",
                      "PartitionKey BETWEEN 'p1' AND 'p2'", "PartitionKey > 'p0'", "PartitionKey < 'p2'", "N % 50 = 7",
                      "PartitionKey = 'p1'", "PartitionKey = 'p1' AND RowKey >= '000120'", "PartitionKey = 'p1' AND RowKey > '000120'",
                      "PartitionKey = 'p1' AND RowKey <= '000180'", "PartitionKey = 'p1' AND RowKey < '000180'",
                      "PartitionKey = 'p1' AND RowKey BETWEEN '000105' AND '000190'", "N >= 100", "RowKey > '000050'",
                      "PartitionKey >= 'p1' AND RowKey < '000350'", "PartitionKey <> 'p1'"):
            self.check_same(f"{ALL} WHERE {where}")
        for where in ("N IN (3, 200, 399)", "N = 211", "N < 0"):  # Pages without rows do not show where keys are.
            self.check_same(f"{ALL} WHERE {where}", queries=0)
        for where, queries in (("PartitionKey IN ('p0', 'p2', 'p3', 'p9')", 4), ("PartitionKey IN ('p1', 'p2') AND RowKey > '000110'", 2),
                               ("PartitionKey IN ('p0', 'p3') AND N % 3 = 1", 2)):
            self.check_same(f"{ALL} WHERE {where}", queries=queries)

    def test_what_prevents_ranges(self):
        self.fill()
        sql = "SELECT DISTINCT PartitionKey FROM {} ORDER BY PartitionKey"
        self.assertEqual(self.query(sql.format("native")), self.query(sql.format("t")))
        self.last = self.newest()
        self.assertEqual(125, len(set(self.query("SELECT PartitionKey, RowKey FROM t LIMIT 125"))))
        self.check_divided(False)
        for option in ("max_requests=1000", "max_entities=1000", "pushdown=none", "parallel=1"):
            self.option(option)
            self.check_same(ALL, divided=False)
            self.option("reset")
            self.check_same(ALL)
        self.query("BEGIN")
        self.check_same(ALL)
        for name in ("native", "t"):
            self.query(f"INSERT INTO {name}({COLUMNS}) VALUES ('p050', 'new', 1)")
            self.query(f"DELETE FROM {name} WHERE PartitionKey = 'p010' AND RowKey = '000041'")
        self.check_same(ALL, divided=False)
        self.query("ROLLBACK")
        self.check_same(ALL)


class Statements(Divided):
    CHANGES = ("UPDATE {} SET N = N + 1000 WHERE N % 3 = 0", "DELETE FROM {} WHERE N % 5 = 1", "UPDATE {} SET RowKey = RowKey || 'x' WHERE N % 7 = 2",
               "INSERT INTO {0}(PartitionKey, RowKey, N) SELECT PartitionKey, RowKey || 'y', N + 5000 FROM {0}")

    def check_change(self, sql):
        native, ours = (self.db.execute(sql.format(name)).rowcount for name in ("native", "t"))
        self.check_divided()
        self.assertEqual(native, ours, sql)
        self.assertGreater(native, 0)

    def test_changes(self):
        for form, bulk in (("mixed", "off"), ("few", "on")):
            self.option("bulk=off")
            self.fill(form, 200)
            self.option(f"bulk={bulk}")
            self.option("batch=5")
            for sql in self.CHANGES:
                self.check_change(sql)
                self.check_same(ALL)

    def test_changes_in_a_transaction(self):
        self.fill("few", 200)
        for sql in self.CHANGES:
            for end in ("ROLLBACK", "ROLLBACK TO s", "COMMIT"):
                self.query("BEGIN")
                self.query("SAVEPOINT s")
                self.check_change(sql)
                self.check_same(ALL, divided=False)
                self.query(end)
                if self.db.in_transaction:
                    self.query("COMMIT")
                self.check_same(ALL)

    def test_rows_for_another_table(self):
        self.fill("mixed")
        self.query(f"SELECT aztables_create_table('demo.{self.table}Copy')")
        self.virtual("copy", "N INT32", table=f"{self.table}Copy", bulk="on", batch=10)
        self.query(f"INSERT INTO copy({COLUMNS}) SELECT {COLUMNS} FROM t WHERE N >= 100")
        self.check_divided()
        self.query("DELETE FROM native WHERE N < 100")
        self.check_same(ALL, table="copy")

    def test_joins_and_subqueries(self):
        self.fill("few")
        self.check_same("SELECT a.N, b.N FROM {t} a CROSS JOIN {t} b ON b.PartitionKey = a.PartitionKey WHERE a.N % 150 = 0", queries=4)
        self.check_same("SELECT N, (SELECT max(N) FROM {t} b WHERE b.PartitionKey = a.PartitionKey) FROM {t} a WHERE N % 150 = 1", queries=4)
        self.check_same("SELECT N FROM {t} WHERE N % 2 UNION ALL SELECT -N FROM {t} WHERE N % 3")
        self.check_same("SELECT N FROM {t} WHERE N < 2 OR EXISTS (SELECT 1 FROM {t} b WHERE b.N = 55)")

    def test_open_cursors(self):
        rows = self.fill("mixed")
        readings = [(self.db.execute(f"SELECT {COLUMNS}, {n} FROM t"), []) for n in range(3)]
        for _ in range(70):
            for reading, found in readings:
                found += reading.fetchmany(5)
        self.check_divided()
        for reading, found in readings:
            self.assertEqual(sorted(rows), sorted(row[:3] for row in found + reading.fetchall()))

    def test_statements_that_end_early(self):
        self.fill()
        for count in (1, 31, 90, 399):
            self.virtual_for_two(f"t{count}", "N INT32")
            for db in (self.db, self.other):
                reading = db.execute(f"SELECT {COLUMNS} FROM t{count}")
                self.assertEqual(count, len(set(reading.fetchmany(count))))
                (reading if db == self.db else db).close()
                self.check_same(ALL)


class Rules(Divided):
    def test_scan(self):
        self.fill()
        self.option("scan=deny")
        for where in ("true", "N >= 0", "RowKey >= '000000'", "PartitionKey >= ''", "PartitionKey <> 'p050'"):
            before = self.newest()
            self.fails(sqlite3.DatabaseError, "SQLITE_AUTH", "scan=deny allows it one request", f"SELECT count(N) FROM t WHERE {where}")
            self.assertEqual(before + 1, self.newest(), where)
        self.check_same(f"{ALL} WHERE PartitionKey > 'p001'")
        self.option("scan=warn")
        self.check_same(ALL)

    def test_max_seconds(self):
        self.serve("latency=1")
        self.query("INSERT INTO u(_command) VALUES ('max_seconds=2')")
        reading = self.db.execute("SELECT N FROM u")
        reading.fetchmany(100)
        self.check_divided()
        time.sleep(2)
        with self.assertRaisesRegex(sqlite3.DataError, "table u: max_seconds=2 is used up: .* in [0-9]+ ms; the statement changed no rows"):
            reading.fetchall()
        self.query("INSERT INTO u(_command) VALUES ('max_seconds=none')")
        self.check_same("SELECT N FROM {t}", table="u")

    def test_interrupt(self):
        """All ranges wait for a service that does not answer."""
        self.serve(", ".join(f"stall-before@{n}/reads" for n in range(20, 36)))
        reading = self.db.execute("SELECT N FROM u")
        reading.fetchmany(50)
        threading.Timer(0.2, self.db.interrupt).start()
        began = time.monotonic()
        self.assertRaisesRegex(sqlite3.OperationalError, "^interrupted$", reading.fetchall)
        self.assertLess(time.monotonic() - began, 10)  # a request may take 60
        self.check_divided()
        self.assertEqual([], self.query("SELECT N FROM t"))

    def test_faults_with_retries(self):
        self.serve("503:0@2/reads, 503:0@20/reads, 503:0@21/reads, reset-before@9/reads, truncate@13/reads")
        self.check_same(ALL, table="u")
        self.assertEqual([(5,)], self.query("SELECT sum(attempts - 1) FROM aztables_requests WHERE connection = 'apart' AND method = 'GET'"))

    def check_broken(self, text, end=lambda: None):
        """A divided read of u fails if `end` runs meanwhile."""
        reading = self.db.execute("SELECT N FROM u")
        reading.fetchmany(50)
        end()
        with self.assertRaisesRegex(sqlite3.OperationalError, f"reading table Apart .*{text}"):
            reading.fetchall()
        self.check_divided()

    def test_faults_without_retries(self):
        for fault, text in (("503:0", "the service is busy"), ("truncate", "broke")):
            self.serve(f"{fault}@25/reads", retries=0)
            self.check_broken(text)
            self.check_same("SELECT N FROM {t}", table="u")

    def test_table_or_server_goes_while_a_read_runs(self):
        for create in ("never", "missing"):
            service = self.serve("latency=1", create=create)
            other = host.connect()
            self.addCleanup(other.close)
            other.execute("SELECT aztables_connect('apart', ?)", (service.connection_string,))
            self.check_broken("the table does not exist", end=lambda db=other: db.execute("SELECT aztables_drop_table('apart.Apart')"))
        for end in ("kill", "stop"):
            self.check_broken("(cannot reach|broke|the server stops)", end=getattr(self.serve("latency=1", retries=0), end))


if __name__ == "__main__":
    unittest.main()
