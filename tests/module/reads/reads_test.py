#!/usr/bin/env python3
"""Reads with interruptions: rowids if one row of each partition would suffice, responses that are
older than the statement, rollbacks, budgets, limits, sizes under lists, and missing tables. The
tests also cover services that ignore filters.

usage: reads_test.py [unittest argument ...]
"""

import pathlib
import sqlite3
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import faulty_server  # noqa: E402


class Reads(host.LocalCase):
    def setUp(self):
        super().setUp()
        self.virtual("t", "N INT32")

    def fill(self, count, partition="'p'", row="printf('%06d', i)"):
        self.query(f"""INSERT INTO t(PartitionKey, RowKey, N) WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL
            SELECT i + 1 FROM n WHERE i < {count - 1}) SELECT {partition}, {row}, i FROM n""")


def points(count, first=0):
    return ", ".join(f"'{n:06}'" for n in range(first, first + count))


class Rowids(Reads):
    def test_rowids_prevent_skipping_of_partitions(self):
        self.fill(4_000, "printf('p%d', i / 2000)")
        self.query("CREATE TABLE wanted(id INTEGER)")
        # a row of p0 after its first page
        self.query("INSERT INTO wanted SELECT rowid FROM t WHERE RowKey = '001500'")
        for sql in ("SELECT DISTINCT PartitionKey FROM t WHERE (SELECT 1 FROM wanted WHERE id = t.rowid)",
                    "SELECT DISTINCT t.PartitionKey FROM t JOIN wanted ON wanted.id = t.rowid + 0",
                    "SELECT PartitionKey FROM t WHERE rowid + 0 IN (SELECT id FROM wanted) GROUP BY PartitionKey"):
            self.assertEqual([("p0",)], self.query(sql), sql)


class Cached(Reads):
    def test_responses_of_an_older_statement(self):
        self.fill(20)
        self.query("CREATE TABLE wanted(k TEXT)")
        self.query("INSERT INTO wanted VALUES ('000019'), ('000018'), ('000002')")
        older = self.db.execute(f"SELECT RowKey, N FROM t WHERE PartitionKey = 'p' AND RowKey IN ({points(5)})")
        self.assertEqual(("000000", 0), older.fetchone())  # the other rows need more requests
        self.virtual_for_two("theirs", "N INT32")
        self.other.execute("UPDATE theirs SET N = 77 WHERE RowKey = '000002'")
        newer = self.db.execute("SELECT t.RowKey, N FROM wanted CROSS JOIN t ON PartitionKey = 'p' AND RowKey = k")
        self.assertEqual(("000019", 19), newer.fetchone())  # and one row ahead
        self.assertEqual(4, len(older.fetchall()))
        self.assertEqual([("000018", 18), ("000002", 77)], newer.fetchall())

    def test_responses_of_another_service_with_the_same_name(self):
        self.query("CREATE TABLE wanted(i INTEGER PRIMARY KEY, k TEXT)")
        self.query("INSERT INTO wanted(k) VALUES ('000001'), ('000001'), ('000001')")
        for name, n in (("one", 1), ("two", 2)):
            self.query("SELECT aztables_connect('apart', ?)", f"LocalStore={self.stores}/{name}.db")
            self.query("SELECT aztables_create_table('apart.Apart')")
            if name == "one":
                self.query("CREATE VIRTUAL TABLE apart USING aztables(table=Apart, connection=apart, N INT32)")
            self.query("INSERT INTO apart(PartitionKey, RowKey, N) VALUES ('p', '000001', ?)", n)
        self.query("SELECT aztables_connect('apart', ?)", f"LocalStore={self.stores}/one.db")
        rows = self.query("SELECT i, N, CASE i WHEN 1 THEN aztables_connect('apart', ?) END IS NULL FROM wanted CROSS JOIN apart "
                          "ON PartitionKey = 'p' AND RowKey = k", f"LocalStore={self.stores}/two.db")
        self.assertEqual([(1, 1), (2, 2), (3, 2)], [row[:2] for row in rows])

    def test_responses_from_before_an_own_change(self):
        self.fill(20)
        rows = self.db.execute("SELECT a.RowKey, (SELECT N FROM t WHERE PartitionKey = a.PartitionKey AND RowKey = '000005') "
                               "FROM t a WHERE PartitionKey = 'p' AND RowKey IN ('000001', '000002', '000003')")
        self.assertEqual(("000001", 5), rows.fetchone())  # and one row ahead
        self.query("UPDATE t SET N = 55 WHERE PartitionKey = 'p' AND RowKey = '000005'")
        self.assertEqual([("000002", 5), ("000003", 55)], rows.fetchall())


class Rollbacks(Reads):
    def test_delete_rolled_back_during_a_list_read(self):
        self.fill(20)
        for parallel in (1, 8):
            self.query("INSERT INTO t(_command) VALUES (?)", f"parallel={parallel}")
            self.query("BEGIN")
            self.query("SAVEPOINT s")
            self.query("DELETE FROM t WHERE PartitionKey = 'p' AND RowKey = '000003'")
            rows = self.db.execute(f"SELECT RowKey FROM t WHERE PartitionKey = 'p' AND RowKey IN ({points(5)})")
            self.assertEqual(("000000",), rows.fetchone())
            self.query("ROLLBACK TO s")
            self.assertEqual([("000001",), ("000002",), ("000003",), ("000004",)], rows.fetchall(), parallel)
            self.query("ROLLBACK")


    def test_transaction_rolled_back_during_a_read(self):
        self.query("CREATE TABLE native(PartitionKey TEXT, RowKey TEXT, N INTEGER, PRIMARY KEY (PartitionKey, RowKey))")
        self.fill(3_000)
        self.query("INSERT INTO native SELECT PartitionKey, RowKey, N FROM t")
        keys = points(2_000)
        for where in ("true ORDER BY PartitionKey, RowKey", f"PartitionKey = 'p' AND RowKey IN ({keys}) ORDER BY RowKey", "N >= 0"):
            for parallel in (1, 8):
                self.query("INSERT INTO t(_command) VALUES (?)", f"parallel={parallel}")
                rows = {}
                self.query("BEGIN")
                for table in ("native", "t"):
                    self.query(f"UPDATE {table} SET N = -1 WHERE PartitionKey = 'p' AND RowKey > '000005' AND RowKey < '000100'")
                    self.query(f"DELETE FROM {table} WHERE PartitionKey = 'p' AND RowKey = '000200'")
                    self.query(f"INSERT INTO {table}(PartitionKey, RowKey, N) VALUES ('p', '000100a', 1), ('q', 'ghost', 1)")
                    rows[table] = self.db.execute(f"SELECT RowKey, N FROM {table} WHERE {where}")
                begun = [[reading.fetchone() for _ in range(2)] for reading in rows.values()]
                self.query("ROLLBACK")
                native, ours = (first + reading.fetchall() for first, reading in zip(begun, rows.values()))
                self.assertEqual(native, ours, (where[:40], parallel))


class Budgets(Reads):
    # The search for the next rows reads only a part of them.
    def test_a_read_that_returned_rows_did_not_stop_before_the_first_entity(self):
        self.query("DROP TABLE t")
        self.query("SELECT aztables_connect('small', 'LocalStore=:memory:;Simulate=scan_rows=20')")
        self.query("CREATE VIRTUAL TABLE t USING aztables(table=Small, connection=small, create=missing, N INT32)")
        self.fill(3000, "substr('amz', i % 3 + 1, 1) || printf('%04d', i * i % 997)")
        stopped = 0
        for requests in range(60, 160):
            self.query("INSERT INTO t(_command) VALUES (?)", f"max_requests={requests}")
            returned = 0
            try:
                for _ in self.db.execute("SELECT N FROM t ORDER BY PartitionKey DESC, RowKey DESC"):
                    returned += 1
            except sqlite3.Error as error:
                if returned > 0:
                    stopped += 1
                    self.assertNotIn("before the first entity", str(error), requests)
        self.assertGreater(stopped, 0)

    def test_requests_ahead_use_no_budget_of_wanted_rows(self):
        self.fill(20)
        for option, sent in (("max_entities=3", "4 requests for 4"), ("max_requests=3", "3 requests for 3")):
            self.query("INSERT INTO t(_command) VALUES ('reset')")
            self.query("INSERT INTO t(_command) VALUES (?)", option)
            rows = self.db.execute(f"SELECT RowKey FROM t WHERE PartitionKey = 'p' AND RowKey IN ({points(10)})")
            self.assertEqual([("000000",), ("000001",)], [rows.fetchone() for _ in range(2)], option)
            with self.assertRaises(sqlite3.Error) as caught:
                rows.fetchall()
            self.assertIn(f"{option} is used up: the statement sent {sent} entities", str(caught.exception))
            self.assertIn("it stopped after the entity PartitionKey='p', RowKey='000002'", str(caught.exception))
            self.assertEqual(3, len(self.query(
                f"SELECT RowKey FROM t WHERE PartitionKey = 'p' AND RowKey IN ({points(10)}) LIMIT 3")), option)

    def test_exactly_so_many_entities_are_allowed(self):
        self.fill(1500, "'p' || (i % 2)")
        # The last full page has a token, because other entities follow. Two of the points are missing.
        for most, where in ((1, "N = 0"), (1400, "N < 1400"), (750, "PartitionKey = 'p0'"), (1500, "1"),
                            (3, "PartitionKey = 'p0' AND RowKey IN ('000000', '000002', '000004', 'x', 'y')")):
            with self.subTest(where):
                query = f"SELECT count(*) FROM t WHERE {where}"
                self.query("INSERT INTO t(_command) VALUES (?)", f"max_entities={most}")
                self.assertEqual([(most,)], self.query(query))
                if most > 1:
                    self.query("INSERT INTO t(_command) VALUES (?)", f"max_entities={most - 1}")
                    with self.assertRaisesRegex(sqlite3.DataError, f"max_entities={most - 1} is used up"):
                        self.query(query)

    def test_limit_over_points_sends_no_more_requests(self):
        self.fill(20)
        for count, requests in ((3, 3), (1, 1), (8, 8)):
            rows, sent = self.requests_of(f"SELECT N FROM t WHERE PartitionKey = 'p' AND RowKey IN ({points(20)}) LIMIT {count}")
            self.assertEqual((count, requests), (len(rows), len(sent)))
        # The first four keys have no entity. At most LIMIT of their requests are in flight at once.
        missing = ", ".join(f"'0000000{n}'" for n in range(4))
        rows, sent = self.requests_of(f"SELECT N FROM t WHERE PartitionKey = 'p' AND RowKey IN ({missing}, {points(9, 1)}) LIMIT 2")
        self.assertEqual([(1,), (2,)], rows)
        self.assertLessEqual(len(sent), 7)


class Sizes(Reads):
    def plan(self):
        self.query("CREATE TABLE wanted AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999) "
                   "SELECT printf('%06d', i) AS k FROM n")
        self.query("ANALYZE")
        plan = str(self.query("EXPLAIN QUERY PLAN SELECT count(*) FROM wanted JOIN t ON PartitionKey = substr(k, 1, 1) AND RowKey = k"))
        self.query("DROP TABLE wanted")
        return plan

    def test_table_that_has_grown(self):
        self.fill(2)
        self.assertEqual([(2,)], self.query("SELECT count(*) FROM t"))
        # for two entities, one read is cheaper than 100 points
        self.assertNotIn("point", self.plan())
        self.fill(3_000, "'q'")
        self.assertEqual(3_000, len(self.query("SELECT N FROM t WHERE PartitionKey = 'q'")))
        self.assertIn("point", self.plan())

    def test_no_scan_is_cheap_if_scans_are_refused(self):
        self.fill(2)
        self.query("SELECT count(*) FROM t")
        self.query("INSERT INTO t(_command) VALUES ('scan=deny')")
        self.assertIn("point", self.plan())


class Constraints(Reads):
    def test_constraints_after_the_32nd(self):
        self.fill(40)
        many = " AND ".join(f"N <> {n}" for n in range(100, 133))
        self.query("CREATE TABLE wanted(k TEXT, n INTEGER)")
        self.query("INSERT INTO wanted VALUES ('000003', 3), ('000004', 4), ('000003', 3)")
        for tail in ("RowKey IN (SELECT k FROM wanted)", "(RowKey, N) IN (SELECT k, n FROM wanted)", "N IN (SELECT n FROM wanted)", "RowKey IN (SELECT n FROM wanted)",
                     "PartitionKey = 'p' AND RowKey IN ('000004', '000003')"):
            for where in (f"{many} AND {tail}", f"{tail} AND {many}"):
                self.assertEqual([(3,), (4,)], self.query(f"SELECT N FROM t WHERE {where} ORDER BY N"), where)


class Missing(host.LocalCase):
    """create=missing, and a remote table that somebody has dropped."""

    JOIN = "SELECT count(m.N) FROM wanted CROSS JOIN m ON m.PartitionKey = 'p' AND m.RowKey = wanted.k"

    def setUp(self):
        super().setUp()
        self.virtual("m", "N INT32", create="missing", parallel=1)
        self.query("CREATE TABLE wanted(k TEXT)")
        self.query("INSERT INTO wanted VALUES ('000000'), ('000001'), ('000002'), ('000003'), ('000004')")
        self.query(f"SELECT aztables_drop_table('demo.{self.table}')")

    def test_one_request_of_a_statement_finds_out(self):
        for sql in (f"SELECT count(N) FROM m WHERE PartitionKey = 'p' AND RowKey IN ({points(20)})",
                    "SELECT count(N) FROM m WHERE PartitionKey IN ('a', 'b', 'c')", self.JOIN,
                    "SELECT (SELECT count(N) FROM m) + (SELECT count(N) FROM m WHERE PartitionKey = 'p')"):
            for _ in range(2):  # each statement asks once
                rows, sent = self.requests_of(sql)
                self.assertEqual(([(0,)], 1), (rows, len(sent)), sql)
        self.query("INSERT INTO m(_command) VALUES ('parallel=4')")
        rows, sent = self.requests_of(f"SELECT N FROM m WHERE PartitionKey = 'p' AND RowKey IN ({points(20)})")
        self.assertEqual(([], 4), (rows, len(sent)))

    def test_pending_rows_of_a_missing_table(self):
        self.query("BEGIN")
        self.query("INSERT INTO m(PartitionKey, RowKey, N) VALUES ('p', '000003', 3)")
        sql = f"SELECT RowKey, N FROM m WHERE PartitionKey = 'p' AND RowKey IN ({points(20)})"
        rows, sent = self.requests_of(sql)
        self.assertEqual(([("000003", 3)], 1), (rows, len(sent)))
        self.query("COMMIT")
        rows, sent = self.requests_of(sql)
        self.assertEqual(([("000003", 3)], 20), (rows, len(sent)))

    def test_table_created_while_the_statement_reads(self):
        insert = "INSERT INTO m(PartitionKey, RowKey, N) VALUES ('p', '000004', 4)"
        for create, found in ((f"SELECT aztables_create_table('demo.{self.table}')", 0), (insert, 1)):
            self.query(f"SELECT aztables_drop_table('demo.{self.table}')")
            before = self.sent("point")
            reader = self.db.execute("SELECT k, N FROM wanted LEFT JOIN m ON m.PartitionKey = 'p' AND m.RowKey = wanted.k")
            self.assertEqual(("000000", None), reader.fetchone())
            self.assertEqual(("000001", None), reader.fetchone())  # Python has requested one row more
            self.query(create)
            rows = reader.fetchall()
            self.assertEqual(found, sum(row[1] is not None for row in rows))
            self.assertEqual(1 + 2, self.sent("point") - before)


class Services(host.LocalCase):
    def odd(self, table):
        server = faulty_server.start()
        self.addCleanup(server.__exit__)
        self.query("SELECT aztables_connect('odd', ?)", server.connection_string)
        self.query(f"CREATE VIRTUAL TABLE odd USING aztables(table={table}, connection=odd, mismatch=null, N INT32)")
        return server.server

    def test_service_that_ignores_filters_is_an_error(self):
        self.odd("Heedless")
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "in ascending order of their keys",
                   "SELECT DISTINCT PartitionKey FROM odd")

    def test_service_that_returns_other_keys(self):
        self.odd("Strangers")
        for where in ("PartitionKey IN ('o', 'p')", "PartitionKey = 'o'", "PartitionKey = 'p' AND RowKey = 'r0003'", "RowKey = 'r0001'"):
            self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "other keys than were asked for", f"SELECT N FROM odd WHERE {where}")
        self.assertEqual([(1,), (2,)], self.query("SELECT N FROM odd WHERE PartitionKey = 'p'"))

    def test_service_that_stops_after_some_entities(self):
        self.odd("Behind")
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "an error object", "SELECT N FROM odd")

    def test_full_service(self):
        """SQLITE_FULL would roll back unrelated changes."""
        self.odd("Full")
        self.virtual("t", "N INT32")
        self.query("CREATE TABLE l(x)")
        self.query("BEGIN")
        self.query("INSERT INTO l VALUES (1)")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', 'r')")
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "507 InsufficientStorage", "SELECT N FROM odd")
        self.query("COMMIT")
        self.assertEqual([(1, 1)], self.query("SELECT (SELECT count(*) FROM l), (SELECT count(*) FROM t)"))

    def test_service_whose_table_disappears(self):
        self.odd("Vanishes")
        self.query("CREATE VIRTUAL TABLE missing USING aztables(table=Vanishes, connection=odd, create=missing, N INT32)")
        for name in ("odd", "missing"):
            self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "TableNotFound", f"SELECT N FROM {name}")
        self.query("CREATE VIRTUAL TABLE never USING aztables(table=Never, connection=odd, create=missing, N INT32)")
        self.assertEqual([], self.query("SELECT N FROM never"))

    def test_progress_handler_ends_a_wait(self):
        self.odd("Slow")  # responds after 3 s
        begun = time.monotonic()
        self.db.set_progress_handler(lambda: time.monotonic() - begun > 0.3, 5_000)
        self.fails(sqlite3.OperationalError, "SQLITE_INTERRUPT", "interrupted", "SELECT N FROM odd")
        self.assertLess(time.monotonic() - begun, 2)

    def test_service_that_repeats_the_signature(self):
        server = self.odd("Echo")
        self.query("SELECT aztables_connect('sas', ?)", f"TableEndpoint=http://127.0.0.1:{server.server_port};"
                   "SharedAccessSignature=sv=2019-02-02&sp=r&sig=c2Vj%2BmV0")
        self.query("CREATE VIRTUAL TABLE echo USING aztables(table=Echo, connection=sas, N INT32)")
        said = self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "&sig=... was not found", "SELECT N FROM echo")
        said += str(self.query("SELECT * FROM aztables_requests")) + str(self.query("SELECT last_error FROM aztables_connections"))
        self.assertNotIn("c2Vj", said)

    def test_azurite_gets_no_comparisons_of_properties(self):
        server = self.odd("Azurite")
        for _ in range(2):
            self.assertEqual([(1,)], self.query("SELECT N FROM odd WHERE PartitionKey = 'p' AND N = 1"))
        self.assertEqual([(1,)], self.query("SELECT N FROM odd WHERE RowKey IN ('r0001', 'r0002') AND N = 1"))
        keys = "PartitionKey eq 'p'"
        self.assertEqual([keys, keys, "(RowKey eq 'r0001' or RowKey eq 'r0002')"], server.filters)

    def test_emulator_gets_them_after_it_has_named_its_server(self):
        server = self.odd("Keysonly")
        self.assertEqual([(1,)], self.query("SELECT N FROM odd WHERE PartitionKey = 'p' AND N = 1"))
        remedy = "; if it does not take comparisons of properties, set pushdown=keys"
        message = self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "[501 NotImplemented",
                             "SELECT N FROM odd WHERE PartitionKey = 'p' AND N = 1")
        self.assertTrue(message.endswith(remedy), message)
        self.assertEqual(["PartitionKey eq 'p'", "PartitionKey eq 'p' and N eq 1"], server.filters)
        self.query("INSERT INTO odd(_command) VALUES ('pushdown=keys')")
        self.assertEqual([(1,)], self.query("SELECT N FROM odd WHERE PartitionKey = 'p' AND N = 1"))


if __name__ == "__main__":
    unittest.main()
