#!/usr/bin/env python3
"""How many requests a query causes, and what pushing down must not change: lists of keys, partitions that
are skipped, orders, what a statement reads again, pending writes, joins, and databases of another encoding.

usage: pushdown_test.py [unittest argument ...]
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402


class Reads(host.LocalCase):
    def setUp(self):
        super().setUp()
        self.virtual("t", "N INT32, S STRING")

    def fill(self, count, partition="printf('p%03d', i)", row="printf('%06d', i)", more="NULL"):
        self.query(f"""INSERT INTO t(PartitionKey, RowKey, N, S) WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL
            SELECT i + 1 FROM n WHERE i < {count - 1}) SELECT {partition}, {row}, i, {more} FROM n""")


class Lists(Reads):
    def test_partitions_are_read_one_by_one(self):
        self.fill(600)
        rows, kinds = self.requests_of("SELECT N FROM t WHERE PartitionKey IN (SELECT printf('p%03d', value) FROM "
                                    "json_each(?))", str(list(range(100, 600))))
        self.assertEqual([(n,) for n in range(100, 600)], rows)
        self.assertEqual(["row range"] * 500, kinds)

    def test_ten_thousand_points(self):
        self.fill(12_000, partition="'p'")
        self.query("CREATE TABLE wanted AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999) "
                   "SELECT printf('%06d', i * 2) AS k FROM n")
        rows, kinds = self.requests_of("SELECT count(*), sum(N) FROM t WHERE PartitionKey = 'p' AND RowKey IN (SELECT k FROM wanted)")
        self.assertEqual([(6000, sum(range(0, 12_000, 2)))], rows)
        self.assertEqual(["point"] * 10_000, kinds)

    def test_too_many_pairs_are_ranges(self):
        self.fill(300, partition="'p' || (i % 3)")
        rows, kinds = self.requests_of("SELECT count(*) FROM t WHERE PartitionKey IN ('p0', 'p1', 'p2', 'p9') AND RowKey IN "
                                    "(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999) "
                                    "SELECT printf('%06d', i) FROM n)")
        self.assertEqual(([(300,)], ["row range"] * 4), (rows, kinds))

    def test_each_row_comes_once(self):
        self.fill(10, partition="'p' || (i % 2)")
        for where in ("PartitionKey IN ('p0', 'p0', 'p1')", "PartitionKey = 'p0' OR PartitionKey = 'p1' OR RowKey >= '0'",
                      "(PartitionKey = 'p0' AND RowKey > '') OR (PartitionKey >= 'p0' AND N >= 0)"):
            self.assertEqual([(n,) for n in range(10)], sorted(self.query(f"SELECT N FROM t WHERE {where}")), where)

    def test_a_known_limit_starts_no_more(self):
        self.fill(100)
        keys = "SELECT printf('p%03d', value) FROM json_each('[1,2,3,4,5,6,7,8,9]')"
        rows, kinds = self.requests_of(f"SELECT N FROM t WHERE PartitionKey IN ({keys}) LIMIT 2")
        self.assertEqual([(1,), (2,)], rows)
        self.assertLessEqual(len(kinds), 3)

    def test_a_statement_that_writes_by_lists(self):
        self.fill(20)
        self.query("UPDATE t SET S = 'x' WHERE PartitionKey IN ('p003', 'p005', 'none') AND N > 3")
        self.query("DELETE FROM t WHERE PartitionKey IN ('p001', 'p002') AND RowKey IN ('000001', '000009')")
        self.assertEqual([(5,)], self.query("SELECT N FROM t WHERE S = 'x'"))
        self.assertEqual([(19,)], self.query("SELECT count(*) FROM t"))


class Partitions(Reads):
    def test_large_ones_are_skipped(self):
        self.fill(20_000, partition="'p' || (i / 4000)")
        rows, kinds = self.requests_of("SELECT DISTINCT PartitionKey FROM t")
        self.assertEqual([(f"p{i}",) for i in range(5)], rows)
        self.assertLessEqual(len(kinds), 6)
        rows, kinds = self.requests_of("SELECT DISTINCT PartitionKey FROM t WHERE PartitionKey BETWEEN 'p1' AND 'p3' ORDER BY 1")
        self.assertEqual(([("p1",), ("p2",), ("p3",)], True), (rows, len(kinds) <= 4))
        self.assertEqual(([("p2",)], ["row range"]), self.requests_of("SELECT DISTINCT PartitionKey FROM t WHERE PartitionKey = 'p2'"))

    def test_small_ones_cost_no_more_than_their_keys(self):
        self.fill(5000, partition="printf('%05d', i)")
        rows, kinds = self.requests_of("SELECT DISTINCT PartitionKey FROM t")
        self.assertEqual((5000, True), (len(rows), len(kinds) <= 6))

    def test_conditions_on_rows_are_not_skipped_by(self):
        self.fill(3000, partition="'p' || (i / 1500)")
        for where in ("N % 1500 = 1499", "RowKey LIKE '%99'", "N + 0 IN (1400, 2900)"):
            self.assertEqual([("p0",), ("p1",)], self.query(f"SELECT DISTINCT PartitionKey FROM t WHERE {where}"), where)

    def test_pending_deletes_hide_no_partition(self):
        self.fill(3000, partition="'p' || (i / 1500)")
        self.query("BEGIN")
        self.query("DELETE FROM t WHERE RowKey IN ('000000', '001500')")
        self.assertEqual([("p0",), ("p1",)], self.query("SELECT DISTINCT PartitionKey FROM t"))
        self.query("ROLLBACK")

    def test_the_first_one_is_one_request(self):
        self.fill(5000, partition="printf('%05d', i)")
        self.assertEqual(([("00000",)], ["table scan"]), self.requests_of("SELECT min(PartitionKey) FROM t"))
        self.assertEqual([("04999",)], self.query("SELECT max(PartitionKey) FROM t"))


class Orders(Reads):
    KEYS = ["", "a", "a\ud7ff", "a\ue000", "a\uffff", "a\U00010000", "a\U0010ffff", "a\U00010000\ue000", "a\U00010000\U00010000",
            "b", "\ue000", "\uffff", "\U00010000", "\U0010ffff"]

    def test_every_key_is_in_sqlites_order(self):
        rows = [(p, r) for p in self.KEYS for r in self.KEYS]
        self.db.executemany("INSERT INTO t(PartitionKey, RowKey) VALUES (?, ?)", rows)
        by_bytes = sorted(rows, key=lambda row: (row[0].encode("utf-8", "surrogatepass"), row[1].encode("utf-8", "surrogatepass")))
        self.assertEqual(by_bytes, self.query("SELECT PartitionKey, RowKey FROM t ORDER BY PartitionKey, RowKey"))
        plan = self.query("EXPLAIN QUERY PLAN SELECT RowKey FROM t ORDER BY PartitionKey, RowKey")
        self.assertNotIn("TEMP B-TREE", str(plan))

    def test_a_group_that_goes_on_behind_the_page(self):
        self.fill(1500, partition="'p'", row="char(0x10000 + i)")
        self.fill(700, partition="'p'", row="char(0xE000 + i)")
        keys = [row for (row,) in self.query("SELECT RowKey FROM t WHERE PartitionKey = 'p' ORDER BY RowKey")]
        self.assertEqual(sorted(keys, key=str.encode), keys)
        self.assertEqual(2200, len(keys))

    def test_a_key_that_equals_a_number_is_no_constant(self):
        """'5' and '05' are both equal to 5 of an INTEGER column, so RowKey alone is no order of the service's."""
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('5', 'b', 1), ('05', 'a', 2), ('5', 'c', 3), ('05', 'd', 4), "
                   "('6', 'a', 5)")
        self.query("CREATE TABLE one(n INTEGER)")
        self.query("INSERT INTO one VALUES (5)")
        self.assertEqual([("a", 2), ("b", 1), ("c", 3), ("d", 4)],
                         self.query("SELECT RowKey, N FROM t WHERE PartitionKey = (SELECT n FROM one) ORDER BY RowKey"))

    def test_pending_writes_stand_in_the_order(self):
        rows = [("p", key) for key in self.KEYS]
        self.db.executemany("INSERT INTO t(PartitionKey, RowKey) VALUES (?, ?)", rows[::2])
        self.query("BEGIN")
        self.db.executemany("INSERT INTO t(PartitionKey, RowKey) VALUES (?, ?)", rows[1::2])
        self.assertEqual(sorted(self.KEYS, key=lambda key: key.encode("utf-8", "surrogatepass")),
                         [row for (row,) in self.query("SELECT RowKey FROM t ORDER BY PartitionKey, RowKey")])
        self.query("ROLLBACK")


class Again(Reads):
    def test_a_join_reads_an_entity_once(self):
        self.fill(5, partition="'p'")
        self.query("CREATE TABLE l(k TEXT)")
        self.db.executemany("INSERT INTO l VALUES (?)", [(f"{n % 5:06}",) for n in range(100)] + [("none",)] * 9)
        rows, kinds = self.requests_of("SELECT count(*), sum(N) FROM l CROSS JOIN t ON t.PartitionKey = 'p' AND t.RowKey = l.k")
        self.assertEqual(([(100, 200)], ["point"] * 6), (rows, kinds))
        rows, kinds = self.requests_of("SELECT (SELECT N FROM t WHERE PartitionKey = 'p' AND RowKey = k) FROM l")
        self.assertEqual((109, ["point"] * 6), (len(rows), kinds))

    def test_another_statement_asks_again(self):
        self.fill(1, partition="'p'")
        sql = "SELECT N FROM t WHERE PartitionKey = 'p' AND RowKey = '000000'"
        self.assertEqual(([(0,)], ["point"]), self.requests_of(sql))
        self.query("UPDATE t SET N = 7")
        self.assertEqual(([(7,)], ["point"]), self.requests_of(sql))

    def test_what_one_page_answers_is_asked_for_once(self):
        self.fill(40, partition="'p' || (i % 2)", more="'s' || (i % 2)")
        self.query("CREATE TABLE l(i INTEGER PRIMARY KEY, s TEXT)")
        self.query("INSERT INTO l(s) SELECT 's' || (value % 3) FROM json_each('[0,1,2,3,4,5,6,7,8,9]')")
        rows, kinds = self.requests_of("SELECT i, (SELECT sum(N) FROM t WHERE S = l.s) FROM l")
        self.assertEqual(([380, 400, None], ["table scan"] * 3), ([row[1] for row in rows[:3]], kinds))
        self.assertEqual([380, 400, None] * 3, [row[1] for row in rows[:9]])
        rows, kinds = self.requests_of("SELECT count(*) FROM t WHERE N > (SELECT avg(N) FROM t x WHERE x.PartitionKey = t.PartitionKey)")
        self.assertEqual(([(20,)], ["row range"] * 2), (rows, sorted(kinds)[:-1]))
        self.query("BEGIN")  # what is pending is laid over it
        self.query("UPDATE t SET N = 1000 WHERE RowKey = '000000'")
        rows, kinds = self.requests_of("SELECT (SELECT max(N) FROM t WHERE PartitionKey = 'p' || (i % 2)) FROM l")
        self.assertEqual(([(39,), (1000,)] * 5, ["row range"] * 2), (rows, kinds))
        self.query("ROLLBACK")

    def test_a_known_size_does_not_outweigh_what_nobody_knows(self):
        """SQLite takes a table without ANALYZE for one of a million rows."""
        self.fill(5_000, partition="'p' || (i % 10)")
        self.query("CREATE TABLE few(k TEXT)")
        self.query("INSERT INTO few VALUES ('000001'), ('000031')")
        self.assertEqual([(5_000,)], self.query("SELECT count(*) FROM t"))
        join = "SELECT count(*) FROM few JOIN t ON t.PartitionKey = 'p1' AND t.RowKey = k"
        self.assertEqual(([(2,)], ["point"] * 2), self.requests_of(join))
        self.query("ANALYZE")
        self.assertEqual(([(2,)], ["point"] * 2), self.requests_of(join))

    def test_many_rows_of_a_small_partition_are_a_range(self):
        self.fill(120, partition="'p'")
        rows = ", ".join(f"'{n:06}'" for n in range(0, 120, 2))
        ask = f"SELECT count(*) FROM t WHERE PartitionKey = 'p' AND RowKey IN ({rows})"
        self.assertEqual(([(60,)], ["point"] * 60), self.requests_of(ask))
        self.assertEqual([(120,)], self.query("SELECT count(*) FROM t"))
        self.assertEqual(([(60,)], ["row range"]), self.requests_of(ask))
        few = "SELECT N FROM t WHERE PartitionKey = 'p' AND RowKey IN ('000001', '000003')"
        self.assertEqual(([(1,), (3,)], ["point"] * 2), self.requests_of(few))
        ordered = f"SELECT RowKey FROM t WHERE PartitionKey = 'p' AND RowKey IN ({rows}) ORDER BY RowKey LIMIT 3"
        self.assertEqual([("000000",), ("000002",), ("000004",)], self.query(ordered))

    def test_what_is_never_true_asks_for_nothing(self):
        self.fill(3, partition="'p'")
        self.query("CREATE TABLE l(s TEXT, i INTEGER)")
        self.query("INSERT INTO l VALUES (NULL, 1), (NULL, 2)")
        for ask, rows in (("SELECT count(*) FROM t WHERE S IN (SELECT value FROM json_each('[]'))", [(0,)]),
                          ("SELECT i, N FROM l LEFT JOIN t ON t.S = l.s", [(1, None), (2, None)]),
                          ("SELECT count(*) FROM t WHERE N = 1.5 OR N > NULL", [(0,)]),
                          ("UPDATE t SET N = 7 WHERE S = NULL", []),
                          ("SELECT count(*) FROM t WHERE PartitionKey = 'p' AND RowKey = '000001' AND N = 'x'", [(0,)])):
            self.assertEqual((rows, []), self.requests_of(ask), ask)

    def test_the_forms_that_the_reference_recommends(self):
        self.fill(20_000, partition="printf('p%02d', i / 1000)")
        self.query("CREATE TABLE l AS SELECT 'p03' AS k")
        self.query("CREATE VIEW totals AS SELECT PartitionKey AS p, sum(N) AS s FROM t GROUP BY 1")
        self.query("CREATE VIEW twice AS SELECT PartitionKey AS p, N FROM t UNION ALL SELECT PartitionKey, N FROM t")
        behind = "SELECT RowKey FROM t WHERE {} ORDER BY PartitionKey, RowKey LIMIT 2"
        for ask, parameters, kinds in (
                (behind.format("PartitionKey >= ?1 AND (PartitionKey > ?1 OR RowKey > ?2)"), ("p03", "003990"), ["partition range"]),
                (behind.format("PartitionKey >= ? AND (PartitionKey > ? OR RowKey > ?)"), ("p03", "p03", "003990"), ["partition range"]),
                ("SELECT s FROM totals WHERE p IN ('p03', ?)", ("p04",), ["row range"] * 2),
                ("SELECT sum(N) FROM twice WHERE p = ?", ("p03",), ["row range"]),
                ("SELECT sum(N) FROM t WHERE PartitionKey IN (SELECT k FROM l)", (), ["row range"]),
                ("SELECT N FROM t WHERE (PartitionKey, RowKey) IN (SELECT * FROM (VALUES ('p03', '003001'), ('p04', '004001')))", (), ["point"] * 2)):
            self.assertEqual(kinds, self.requests_of(ask, *parameters)[1], ask)

    def test_few_keys_are_looked_up_and_many_are_not(self):
        self.fill(3000, partition="'p' || (i % 30)")
        self.query("CREATE TABLE few(k TEXT)")
        self.query("CREATE TABLE many(k TEXT)")
        self.db.executemany("INSERT INTO few VALUES (?)", [("000001",), ("000031",)])
        self.db.executemany("INSERT INTO many VALUES (?)", [(f"{n:06}",) for n in range(3000)])
        self.query("ANALYZE")
        join = "SELECT count(*) FROM {} JOIN t ON t.PartitionKey = 'p' || (substr(k, 1, 6) % 30) AND t.RowKey = k"
        self.assertEqual([("table scan", 3000)], self.requests_of("SELECT 'table scan', count(*) FROM t")[0])  # now its size is known
        self.assertEqual(([(2,)], ["point"] * 2), self.requests_of(join.format("few")))
        rows, kinds = self.requests_of(join.format("many"))
        self.assertEqual(([(3000,)], {"table scan"}), (rows, set(kinds)))


class Unchanged(Reads):
    """What pushing down would lose, if it were done without thought."""

    def test_a_pending_change_makes_an_entity_pass(self):
        self.fill(3, partition="'p'")
        self.query("BEGIN")
        self.query("UPDATE t SET N = 100 WHERE RowKey = '000001'")
        self.query("UPDATE t SET S = 'new' WHERE RowKey = '000002'")
        self.assertEqual([("000001",)], self.query("SELECT RowKey FROM t WHERE N = 100"))
        self.assertEqual([("000002",)], self.query("SELECT RowKey FROM t WHERE S >= 'n' AND S < 'o'"))
        self.query("ROLLBACK")

    def test_the_on_of_a_left_join_leaves_nothing_out(self):
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p', 'k1', 1), ('p', 'r1', NULL)")
        self.query("CREATE TABLE l(x)")
        self.query("INSERT INTO l VALUES (5)")
        for on in ("t.RowKey LIKE 'k%'", "t.RowKey GLOB 'k*'", "t.N IS NOT NULL", "t.N = 1", "t.RowKey = 'k1'", "t.N IN (1, 2)",
                   "t.RowKey BETWEEN 'k' AND 'l'", "t.S IS NULL AND t.N = 1"):
            self.assertEqual([("k1", 5), ("r1", None)], self.query(f"SELECT RowKey, x FROM t LEFT JOIN l ON {on}"), on)

    def test_an_outer_join_that_no_statement_says(self):
        """The word is in a view or a trigger, or in a statement around the one that reads."""
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p', 'k1', 1), ('p', 'r1', NULL)")
        self.query("CREATE TABLE l(x)")
        self.query("INSERT INTO l VALUES (5)")
        self.query("CREATE TABLE seen(k, x)")
        alone = "SELECT RowKey FROM t WHERE N IS NOT NULL"
        joined = "SELECT RowKey, x FROM t LEFT JOIN l ON t.N IS NOT NULL"
        self.query(f"CREATE TEMP VIEW v AS {joined}")
        self.assertEqual([("k1", 5), ("r1", None)], self.query("SELECT * FROM v"))
        self.assertIn("N lt 0", self.filter_of(alone, [("k1",)]))
        self.query(f"CREATE TRIGGER g AFTER INSERT ON l BEGIN INSERT INTO seen {joined}; END")
        self.query("INSERT INTO l VALUES (6)")
        self.assertEqual([("k1", 5), ("k1", 6), ("r1", None)], self.query("SELECT * FROM seen ORDER BY k, x"))
        self.db.create_function("nested", 0, lambda: len(self.query(alone)))
        self.assertEqual([(1,)], self.query("SELECT nested() FROM t LEFT JOIN l b ON 0 LIMIT 1"))
        self.assertEqual("", self.last_filter())

    def test_a_change_of_one_table_is_plain(self):
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p', '05', 1), ('p', '5', 1), ('p', '6', NULL)")
        in_p = "PartitionKey eq 'p' and "
        for sql, filter, rows in (("UPDATE t SET N = N + 1, S = RowKey WHERE PartitionKey = 'p' AND N IS NOT NULL", in_p + "(N lt 0 or N ge 0)", [2, 2, None]),
                                  ("UPDATE main.t SET N = 7 WHERE PartitionKey = 'p' AND S IN ('05', 'x')", in_p + "(S eq '05' or S eq 'x')", [7, 2, None]),
                                  ("UPDATE t SET N = 8 WHERE PartitionKey = 'p' AND RowKey < 6", in_p + "RowKey lt '6'", [8, 8, None]),
                                  ("UPDATE t SET N = (SELECT 9) WHERE PartitionKey = 'p' AND S IN ('05', 'x')", "PartitionKey eq 'p'", [9, 8, None]),
                                  ("DELETE FROM t WHERE PartitionKey = 'p' AND RowKey >= 5 AND RowKey <= 5", in_p + "RowKey ge '5' and RowKey le '5'", [9, None])):
            self.query(sql)
            sent = self.query("SELECT filter FROM aztables_requests WHERE kind LIKE '% range' ORDER BY id DESC LIMIT 1")
            self.assertEqual([(filter,)], sent, sql)
            self.assertEqual([(n,) for n in rows], self.query("SELECT N FROM t ORDER BY RowKey"), sql)

    def test_a_trigger_of_a_table_with_the_same_name(self):
        """The statement looks plain, but the reading one is the trigger's."""
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '05'), ('p', '5')")
        self.query("CREATE TEMP TABLE seen(k)")
        self.query("CREATE TEMP TABLE t(x)")
        self.query("INSERT INTO temp.t VALUES (1), (2)")
        self.query("CREATE TEMP TRIGGER g AFTER DELETE ON temp.t BEGIN INSERT INTO seen SELECT RowKey FROM main.t "
                   "WHERE RowKey = CAST(5 AS INTEGER); END")
        for name in ("t", "temp.t"):
            self.query("DELETE FROM seen")
            self.query(f"DELETE FROM {name} WHERE rowid = (SELECT 1) OR x = 1")
            self.query(f"DELETE FROM {name} WHERE x = 2")
            self.assertEqual([("05",), ("5",)] * 2, self.query("SELECT * FROM seen"))
            self.query("INSERT INTO temp.t VALUES (1), (2)")

    def test_a_statement_that_is_prepared_again(self):
        """It reads the table only since there is a trigger, while another statement reads the table too."""
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '05'), ('p', '5')")
        self.query("CREATE TABLE l(x)")
        self.query("CREATE TABLE seen(k)")
        insert = "INSERT INTO l VALUES (?)"
        self.query(insert, 1)
        self.query("CREATE TRIGGER g AFTER INSERT ON l BEGIN INSERT INTO seen SELECT RowKey FROM t WHERE RowKey = CAST(5 AS INTEGER); END")
        reading = self.db.execute("SELECT RowKey FROM t")
        reading.fetchone()
        self.query(insert, 2)
        self.assertEqual([("05",), ("5",)], self.query("SELECT * FROM seen"))
        reading.close()

    def filter_of(self, sql, rows):
        self.assertEqual(rows, self.query(sql))
        return self.last_filter()

    def last_filter(self):
        return self.query("SELECT coalesce(filter, '') FROM aztables_requests ORDER BY id DESC LIMIT 1")[0][0]

    def test_a_like_of_the_applications_own(self):
        self.db.create_function("like", 2, lambda pattern, text: text.endswith(pattern.strip("%")))
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', 'xa'), ('p', 'ax')")
        self.assertEqual([("xa",)], self.query("SELECT RowKey FROM t WHERE RowKey LIKE 'a%'"))

    def test_a_cast_of_a_parameter_is_a_number(self):
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '05'), ('p', '5')")
        self.assertEqual([("05",), ("5",)], self.query("SELECT RowKey FROM t WHERE RowKey = CAST(? AS INTEGER)", 5))
        self.assertEqual([("5",)], self.query("SELECT RowKey FROM t WHERE RowKey = ?", 5))
        self.query("CREATE TABLE numbers(n INTEGER)")
        self.query("INSERT INTO numbers VALUES (7)")
        self.query("CREATE TABLE native AS SELECT PartitionKey, RowKey FROM t")
        native, remote = (self.query("SELECT RowKey FROM (SELECT n FROM numbers UNION ALL SELECT ?) AS x "
                                     f"CROSS JOIN {table} y ON y.RowKey = x.n ORDER BY 1", 5) for table in ("native", "t"))
        self.assertEqual(native, remote)  # versions of SQLite differ

    def test_a_parameter_that_a_column_is_equal_to(self):
        """SQLite puts the parameter in the column's place, and keeps the column's affinity."""
        self.query("INSERT INTO t(PartitionKey, RowKey, N, S) VALUES ('5', '1', 5, '5'), ('05', '2', 5, '05'), ('6', '3', 50, '6')")
        self.query("CREATE TABLE native AS SELECT PartitionKey, RowKey, N, S FROM t")
        self.query("CREATE TABLE l(i INTEGER)")
        self.query("INSERT INTO l VALUES (5), (50)")
        for where in ("N = ?1 AND PartitionKey = N", "N = ?1 AND PartitionKey < N", "N = ?1 AND S = N", "N = ?1 AND RowKey > N",
                      "EXISTS (SELECT 1 FROM l WHERE i = ?1 AND PartitionKey = i)", "RowKey IN (SELECT RowKey FROM l WHERE i = ?1)"):
            for value in (5, "5", 50, 5.0, None):
                native, remote = (self.query(f"SELECT RowKey FROM {table} WHERE {where} ORDER BY 1", value) for table in ("native", "t"))
                self.assertEqual(native, remote, (where, value))

    def test_a_parameter_in_the_place_of_another_tables_column(self):
        """A text in a column of numeric affinity is one still, and keys that look like numbers sort before it."""
        self.query("INSERT INTO t(PartitionKey, RowKey, S) VALUES ('p', '5', '5'), ('p', '3000', '3000'), "
                   "('p', '2024-01-01', '2024-01-01'), ('p', 'x', 'x')")
        self.query("CREATE TABLE native AS SELECT PartitionKey, RowKey, S FROM t")
        self.query("CREATE TABLE l(until DATE, k TEXT)")
        self.query("INSERT INTO l VALUES ('2024-05-01', '2024-05-01')")
        self.query("CREATE VIEW v AS SELECT PartitionKey, RowKey, S, until FROM l JOIN t ON RowKey < until")
        self.query("CREATE VIEW native_v AS SELECT PartitionKey, RowKey, S, until FROM l JOIN native ON RowKey < until")
        for ask in ("SELECT RowKey FROM l JOIN {} ON PartitionKey = 'p' AND RowKey < until WHERE until = ?1 ORDER BY 1",
                    "SELECT RowKey FROM {} n, l WHERE n.RowKey <= until AND until = ?1 ORDER BY 1",
                    "SELECT RowKey FROM {} n, l WHERE n.S < until AND until = ?1 ORDER BY 1",
                    "SELECT (SELECT count(*) FROM {} WHERE RowKey < until) FROM l WHERE until = ?1"):
            native, remote = (self.query(ask.format(table), "2024-05-01") for table in ("native", "t"))
            self.assertEqual(native, remote, ask)
        self.assertEqual(*(self.query(f"SELECT RowKey FROM {view} WHERE until = ?", "2024-05-01") for view in ("native_v", "v")))
        self.assertEqual("RowKey lt '2024-05-01'", self.filter_of("SELECT RowKey FROM t WHERE RowKey < '2024-05-01'", [("2024-01-01",)]))
        for name in ("t", "main.t", '"t" AS x'):
            rows = self.query(f"SELECT RowKey FROM {name} WHERE RowKey < ?", "2024-05-01")
            self.assertEqual(([("2024-01-01",)], "RowKey lt '2024-05-01'"), (rows, self.last_filter()))
        self.query("CREATE TEMP VIEW T AS SELECT RowKey, until FROM l JOIN main.t ON RowKey < until")  # hides the table
        self.assertEqual(3, len(self.query("SELECT RowKey FROM t WHERE until = ?", "2024-05-01")))

    def test_a_collation_in_a_list(self):
        self.query("INSERT INTO t(PartitionKey, RowKey, S, N) VALUES ('p', '1', 'abc', 3), ('p', '2', 'ABC', 3), ('p', '3', 'x', 4)")
        self.query("CREATE TABLE l(k TEXT)")
        self.query("INSERT INTO l VALUES ('abc')")
        self.assertEqual("(S eq 'abc' or S eq 'y')", self.filter_of("SELECT RowKey FROM t WHERE S IN ('abc', 'y')", [("1",)]))
        self.assertEqual("", self.filter_of("SELECT RowKey FROM t WHERE S IN (SELECT k FROM l)", [("1",)]))
        self.assertEqual("N eq 4", self.filter_of("SELECT RowKey FROM t WHERE N IN (SELECT 4 FROM l)", [("3",)]))
        self.assertEqual([("1",), ("2",)], self.query("SELECT RowKey FROM t WHERE S IN (SELECT k COLLATE NOCASE FROM l)"))
        self.query("CREATE TABLE native AS SELECT RowKey, S FROM t")
        self.query("CREATE VIEW folded AS SELECT k COLLATE NOCASE AS k FROM l")
        self.assertEqual(*(self.query(f"SELECT RowKey FROM {table} WHERE S IN (SELECT k FROM folded)") for table in ("native", "t")))

    def test_infinity_is_equal_to_a_text(self):
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', 'Inf'), ('p', '-Inf'), ('Inf', 'Inf'), ('p', 'Ing')")
        self.query("CREATE TABLE native AS SELECT PartitionKey, RowKey FROM t")
        for where in ("RowKey = 9e999", "RowKey = -9e999", "PartitionKey = 9e999", "RowKey IN (9e999, 'Ing')",
                      "(PartitionKey, RowKey) = ('p', 9e999)", "RowKey = (SELECT max(9e999))", "RowKey IN (SELECT 9e999)"):
            native, remote = (self.query(f"SELECT PartitionKey, RowKey FROM {table} WHERE {where} ORDER BY 1, 2") for table in ("native", "t"))
            self.assertEqual(native, remote, where)
        self.assertEqual([("Inf",), ("Inf",)], self.query("SELECT RowKey FROM t WHERE RowKey = ?", float("inf")))

    def test_databases_of_utf_16(self):
        keys = ["a", "b", "\u0100", "\u6100", "\ue000", "\U0001f600", "ab", "Ab"]
        for encoding in ("UTF-16le", "UTF-16be"):
            self.db = host.connect()
            self.query(f"PRAGMA encoding = '{encoding}'")
            self.virtual("t", "S STRING, W DATETIME", create="missing", table=f"Enc{encoding[-2:]}")
            self.query("CREATE TABLE native(PartitionKey TEXT NOT NULL, RowKey TEXT NOT NULL, S TEXT, W TEXT)")
            self.db.executemany("INSERT INTO native VALUES ('p', ?, ?, '2024-05-01T00:00:00.0000000Z')", [(key, key) for key in keys])
            self.query("INSERT INTO t(PartitionKey, RowKey, S, W) SELECT * FROM native")
            for where in ("RowKey < 'b'", "RowKey >= 'b'", "S > 'a'", "S = 'ab'", "RowKey = '\ue000'", "RowKey IN ('a', '\U0001f600')",
                          "RowKey LIKE 'a%'", "S LIKE 'A%'", "RowKey GLOB 'a*'", "W >= '2024-05'", "W < '2025'"):
                for order in ("RowKey", "PartitionKey, RowKey", "S"):
                    ask = f"SELECT RowKey FROM {{}} WHERE {where} ORDER BY {order}"
                    self.assertEqual(self.query(ask.format("native")), self.query(ask.format("t")), (encoding, ask))
            self.db.close()

    def test_an_interrupt_while_a_statement_is_planned(self):
        """It keeps its code; and what the plan could not ask for, the next one asks for again."""
        self.db = host.connect()
        self.addCleanup(self.db.close)
        self.query("PRAGMA encoding = 'UTF-16le'")
        self.virtual("t", "S STRING", create="missing", table="EncInterrupted")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', 'a'), ('p', 'b'), ('p', '\u0100')")
        ask = "SELECT RowKey FROM t WHERE PartitionKey = 'p' AND RowKey < 'b'"
        self.db.set_progress_handler(lambda: 1, 1)
        for sql in (ask, "SELECT count(*) FROM t"):
            self.fails(sqlite3.OperationalError, "SQLITE_INTERRUPT", "interrupted", sql)
        self.db.set_progress_handler(None, 1)
        self.assertEqual([("a",), ("\u0100",)], self.query(ask))


if __name__ == "__main__":
    unittest.main()
