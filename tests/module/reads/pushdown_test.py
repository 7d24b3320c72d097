#!/usr/bin/env python3
"""The number of requests of a query: lists of keys, skipped partitions, orders, and repeated reads
of a statement. superset_test.py tests what pushdown must not change.

usage: pushdown_test.py [unittest argument ...]
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import numbered_rows  # noqa: E402


class Lists(numbered_rows.Case):
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

    def test_known_limit_sends_no_more_requests(self):
        self.fill(100)
        keys = "SELECT printf('p%03d', value) FROM json_each('[1,2,3,4,5,6,7,8,9]')"
        rows, kinds = self.requests_of(f"SELECT N FROM t WHERE PartitionKey IN ({keys}) LIMIT 2")
        self.assertEqual([(1,), (2,)], rows)
        self.assertLessEqual(len(kinds), 3)

    def test_statement_that_writes_by_lists(self):
        self.fill(20)
        self.query("UPDATE t SET S = 'x' WHERE PartitionKey IN ('p003', 'p005', 'none') AND N > 3")
        self.query("DELETE FROM t WHERE PartitionKey IN ('p001', 'p002') AND RowKey IN ('000001', '000009')")
        self.assertEqual([(5,)], self.query("SELECT N FROM t WHERE S = 'x'"))
        self.assertEqual([(19,)], self.query("SELECT count(*) FROM t"))


class Partitions(numbered_rows.Case):
    def test_large_ones_are_skipped(self):
        self.fill(20_000, partition="'p' || (i / 4000)")
        rows, kinds = self.requests_of("SELECT DISTINCT PartitionKey FROM t")
        self.assertEqual([(f"p{i}",) for i in range(5)], rows)
        self.assertLessEqual(len(kinds), 6)
        rows, kinds = self.requests_of("SELECT DISTINCT PartitionKey FROM t WHERE PartitionKey BETWEEN 'p1' AND 'p3' ORDER BY 1")
        self.assertEqual(([("p1",), ("p2",), ("p3",)], True), (rows, len(kinds) <= 4))
        self.assertEqual(([("p2",)], ["row range"]), self.requests_of("SELECT DISTINCT PartitionKey FROM t WHERE PartitionKey = 'p2'"))

    def test_small_partitions_need_no_more_requests_than_a_key_scan(self):
        self.fill(5000, partition="printf('%05d', i)")
        rows, kinds = self.requests_of("SELECT DISTINCT PartitionKey FROM t")
        self.assertEqual((5000, True), (len(rows), len(kinds) <= 6))

    def test_conditions_on_rows_do_not_skip_partitions(self):
        self.fill(3000, partition="'p' || (i / 1500)")
        for where in ("N % 1500 = 1499", "RowKey LIKE '%99'", "N + 0 IN (1400, 2900)"):
            self.assertEqual([("p0",), ("p1",)], self.query(f"SELECT DISTINCT PartitionKey FROM t WHERE {where}"), where)

    def test_pending_deletes_hide_no_partition(self):
        self.fill(3000, partition="'p' || (i / 1500)")
        self.query("BEGIN")
        self.query("DELETE FROM t WHERE RowKey IN ('000000', '001500')")
        self.assertEqual([("p0",), ("p1",)], self.query("SELECT DISTINCT PartitionKey FROM t"))
        self.query("ROLLBACK")

    def test_first_partition_needs_one_request(self):
        self.fill(5000, partition="printf('%05d', i)")
        self.assertEqual(([("00000",)], ["table scan"]), self.requests_of("SELECT min(PartitionKey) FROM t"))
        self.assertEqual([("04999",)], self.query("SELECT max(PartitionKey) FROM t"))


class Orders(numbered_rows.Case):
    KEYS = ["", "a", "a\ud7ff", "a\ue000", "a\uffff", "a\U00010000", "a\U0010ffff", "a\U00010000\ue000", "a\U00010000\U00010000",
            "b", "\ue000", "\uffff", "\U00010000", "\U0010ffff"]

    def test_every_key_is_in_sqlites_order(self):
        rows = [(p, r) for p in self.KEYS for r in self.KEYS]
        self.db.executemany("INSERT INTO t(PartitionKey, RowKey) VALUES (?, ?)", rows)
        by_bytes = sorted(rows, key=lambda row: (row[0].encode("utf-8", "surrogatepass"), row[1].encode("utf-8", "surrogatepass")))
        self.assertEqual(by_bytes, self.query("SELECT PartitionKey, RowKey FROM t ORDER BY PartitionKey, RowKey"))
        plan = self.query("EXPLAIN QUERY PLAN SELECT RowKey FROM t ORDER BY PartitionKey, RowKey")
        self.assertNotIn("TEMP B-TREE", str(plan))

    def test_group_that_continues_after_the_page(self):
        self.fill(1500, partition="'p'", row="char(0x10000 + i)")
        self.fill(700, partition="'p'", row="char(0xE000 + i)")
        keys = [row for (row,) in self.query("SELECT RowKey FROM t WHERE PartitionKey = 'p' ORDER BY RowKey")]
        self.assertEqual(sorted(keys, key=str.encode), keys)
        self.assertEqual(2200, len(keys))

    def test_key_that_equals_a_number_is_not_constant(self):
        """'5' and '05' both equal 5 in an INTEGER column. So ordering by RowKey alone differs from
        the service's order.
        """
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('5', 'b', 1), ('05', 'a', 2), ('5', 'c', 3), ('05', 'd', 4), "
                   "('6', 'a', 5)")
        self.query("CREATE TABLE one(n INTEGER)")
        self.query("INSERT INTO one VALUES (5)")
        self.assertEqual([("a", 2), ("b", 1), ("c", 3), ("d", 4)],
                         self.query("SELECT RowKey, N FROM t WHERE PartitionKey = (SELECT n FROM one) ORDER BY RowKey"))

    def test_pending_writes_are_in_order(self):
        rows = [("p", key) for key in self.KEYS]
        self.db.executemany("INSERT INTO t(PartitionKey, RowKey) VALUES (?, ?)", rows[::2])
        self.query("BEGIN")
        self.db.executemany("INSERT INTO t(PartitionKey, RowKey) VALUES (?, ?)", rows[1::2])
        self.assertEqual(sorted(self.KEYS, key=lambda key: key.encode("utf-8", "surrogatepass")),
                         [row for (row,) in self.query("SELECT RowKey FROM t ORDER BY PartitionKey, RowKey")])
        self.query("ROLLBACK")


class Again(numbered_rows.Case):
    def test_join_reads_an_entity_once(self):
        self.fill(5, partition="'p'")
        self.query("CREATE TABLE l(k TEXT)")
        self.db.executemany("INSERT INTO l VALUES (?)", [(f"{n % 5:06}",) for n in range(100)] + [("none",)] * 9)
        rows, kinds = self.requests_of("SELECT count(*), sum(N) FROM l CROSS JOIN t ON t.PartitionKey = 'p' AND t.RowKey = l.k")
        self.assertEqual(([(100, 200)], ["point"] * 6), (rows, kinds))
        rows, kinds = self.requests_of("SELECT (SELECT N FROM t WHERE PartitionKey = 'p' AND RowKey = k) FROM l")
        self.assertEqual((109, ["point"] * 6), (len(rows), kinds))

    def test_another_statement_sends_new_requests(self):
        self.fill(1, partition="'p'")
        sql = "SELECT N FROM t WHERE PartitionKey = 'p' AND RowKey = '000000'"
        self.assertEqual(([(0,)], ["point"]), self.requests_of(sql))
        self.query("UPDATE t SET N = 7")
        self.assertEqual(([(7,)], ["point"]), self.requests_of(sql))

    def test_query_of_one_page_is_requested_once(self):
        self.fill(40, partition="'p' || (i % 2)", more="'s' || (i % 2)")
        self.query("CREATE TABLE l(i INTEGER PRIMARY KEY, s TEXT)")
        self.query("INSERT INTO l(s) SELECT 's' || (value % 3) FROM json_each('[0,1,2,3,4,5,6,7,8,9]')")
        rows, kinds = self.requests_of("SELECT i, (SELECT sum(N) FROM t WHERE S = l.s) FROM l")
        self.assertEqual(([380, 400, None], ["table scan"] * 3), ([row[1] for row in rows[:3]], kinds))
        self.assertEqual([380, 400, None] * 3, [row[1] for row in rows[:9]])
        rows, kinds = self.requests_of("SELECT count(*) FROM t WHERE N > (SELECT avg(N) FROM t x WHERE x.PartitionKey = t.PartitionKey)")
        self.assertEqual(([(20,)], ["row range"] * 2), (rows, sorted(kinds)[:-1]))
        self.query("BEGIN")  # pending writes are merged with the page
        self.query("UPDATE t SET N = 1000 WHERE RowKey = '000000'")
        rows, kinds = self.requests_of("SELECT (SELECT max(N) FROM t WHERE PartitionKey = 'p' || (i % 2)) FROM l")
        self.assertEqual(([(39,), (1000,)] * 5, ["row range"] * 2), (rows, kinds))
        self.query("ROLLBACK")

    def test_known_size_against_an_unknown_size(self):
        """SQLite assumes a million rows for a table without ANALYZE."""
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

    def test_condition_that_is_never_true_sends_nothing(self):
        self.fill(3, partition="'p'")
        self.query("INSERT INTO t(_command) VALUES ('mismatch=null')")
        self.query("CREATE TABLE l(s TEXT, i INTEGER)")
        self.query("INSERT INTO l VALUES (NULL, 1), (NULL, 2)")
        for ask, rows in (("SELECT count(*) FROM t WHERE S IN (SELECT value FROM json_each('[]'))", [(0,)]),
                          ("SELECT i, N FROM l LEFT JOIN t ON t.S = l.s", [(1, None), (2, None)]),
                          ("SELECT count(*) FROM t WHERE N = 1.5 OR N > NULL", [(0,)]),
                          ("UPDATE t SET N = 7 WHERE S = NULL", []),
                          ("SELECT count(*) FROM t WHERE PartitionKey = 'p' AND RowKey = '000001' AND N = 'x'", [(0,)])):
            self.assertEqual((rows, []), self.requests_of(ask), ask)

    def test_forms_that_the_reference_recommends(self):
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

    def test_few_keys_are_point_reads_and_many_are_not(self):
        self.fill(3000, partition="'p' || (i % 30)")
        self.query("CREATE TABLE few(k TEXT)")
        self.query("CREATE TABLE many(k TEXT)")
        self.db.executemany("INSERT INTO few VALUES (?)", [("000001",), ("000031",)])
        self.db.executemany("INSERT INTO many VALUES (?)", [(f"{n:06}",) for n in range(3000)])
        self.query("ANALYZE")
        join = "SELECT count(*) FROM {} JOIN t ON t.PartitionKey = 'p' || (substr(k, 1, 6) % 30) AND t.RowKey = k"
        # now the size of the table is known
        self.assertEqual([("table scan", 3000)], self.requests_of("SELECT 'table scan', count(*) FROM t")[0])
        self.assertEqual(([(2,)], ["point"] * 2), self.requests_of(join.format("few")))
        rows, kinds = self.requests_of(join.format("many"))
        self.assertEqual(([(3000,)], {"table scan"}), (rows, set(kinds)))


if __name__ == "__main__":
    unittest.main()
