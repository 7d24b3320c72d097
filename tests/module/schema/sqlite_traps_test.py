#!/usr/bin/env python3
"""Wrong results that SQLite permits a virtual table to return, one by one. Each query runs on the
remote table and on an ordinary one with the same rows. Both must return the same rows, the same
number of times.

usage: sqlite_traps_test.py [unittest argument ...]
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()


class Traps(host.LocalCase):
    """Each test is one trap. If the query has an order, the order of the rows is compared, too."""

    def setUp(self):
        super().setUp()
        self.virtual("t", "A INTEGER, B STRING, C ANY")
        self.query("CREATE TABLE native(PartitionKey TEXT NOT NULL, RowKey TEXT NOT NULL, A INTEGER, B TEXT, C, "
                   "PRIMARY KEY (PartitionKey, RowKey))")
        rows = [(p, str(n), n if n % 3 else None, f"v{n}", [None, n, str(n), n + 0.5][n % 4]) for p in "AB" for n in range(1, 8)]
        self.db.executemany("INSERT INTO native VALUES (?, ?, ?, ?, ?)", rows)
        self.query("INSERT INTO t(PartitionKey, RowKey, A, B, C) SELECT * FROM native")

    def same(self, *questions, parameters=()):
        for question in questions:
            with self.subTest(question):
                native, remote = (self.query(question.replace(" T ", f" {name} "), *parameters) for name in ("native", "t"))
                if "ORDER BY" not in question:
                    native, remote = sorted(native, key=repr), sorted(remote, key=repr)
                self.assertEqual(native, remote)

    def test_limit_with_an_order_that_the_service_lacks(self):
        self.same("SELECT PartitionKey FROM T ORDER BY PartitionKey DESC LIMIT 1",
                  "SELECT RowKey, A FROM T WHERE PartitionKey = 'A' ORDER BY A, RowKey LIMIT 3",
                  "SELECT RowKey FROM T ORDER BY RowKey, PartitionKey LIMIT 5 OFFSET 2")

    def test_limit_with_row_values(self):
        self.same("SELECT PartitionKey, RowKey FROM T WHERE (PartitionKey, RowKey) > ('A', '2') ORDER BY 1, 2 LIMIT 3",
                  "SELECT PartitionKey, RowKey FROM T WHERE (PartitionKey, RowKey) <= ('A', '2') ORDER BY 1, 2 LIMIT 3",
                  "SELECT count(*) FROM (SELECT 1 FROM T WHERE (PartitionKey, RowKey) > ('A', '2') LIMIT 3)")

    def test_limit_with_conditions_that_are_not_pushed(self):
        self.same("SELECT count(*) FROM (SELECT 1 FROM T WHERE PartitionKey = 'B' AND A % 2 = 0 LIMIT 2)",
                  "SELECT count(*) FROM (SELECT 1 FROM T WHERE A IS NULL LIMIT 3)",
                  "SELECT count(*) FROM (SELECT 1 FROM T WHERE RowKey <> '1' LIMIT 5)",
                  "SELECT count(*) FROM (SELECT 1 FROM T WHERE B LIKE '%7' LIMIT 5)",
                  "SELECT count(*) FROM (SELECT 1 FROM T WHERE length(RowKey) = 1 LIMIT 20)")

    def test_offset_in_a_compound(self):
        self.same("SELECT count(*) FROM (SELECT RowKey FROM T WHERE PartitionKey = 'A' UNION ALL SELECT RowKey FROM T "
                  "WHERE PartitionKey = 'B' LIMIT 2 OFFSET 7)",
                  "SELECT RowKey FROM T WHERE PartitionKey = 'A' UNION ALL SELECT RowKey FROM T WHERE PartitionKey = 'B' "
                  "ORDER BY 1 LIMIT 2 OFFSET 7",
                  "SELECT count(*) FROM (SELECT RowKey FROM T LIMIT 4 OFFSET 12)", "SELECT count(*) FROM (SELECT RowKey FROM T LIMIT -1)",
                  "SELECT count(*) FROM (SELECT RowKey FROM T LIMIT -1 OFFSET 3)", "SELECT RowKey FROM T LIMIT 0")

    def test_keys_that_are_not_null(self):
        self.same("SELECT count(*) FROM T WHERE PartitionKey IS NULL", "SELECT count(*) FROM T WHERE RowKey IS NOT NULL",
                  "SELECT count(*) FROM T WHERE PartitionKey IS NOT 'A'", "SELECT A FROM T WHERE A IS NULL AND PartitionKey = 'A'",
                  "SELECT min(A), max(A), min(PartitionKey), max(PartitionKey), min(RowKey), max(RowKey) FROM T ",
                  "SELECT x.RowKey, y.RowKey FROM T AS x LEFT JOIN T AS y ON y.PartitionKey = x.PartitionKey AND y.A = x.A + 40 "
                  "WHERE y.RowKey IS NULL")

    def test_columns_from_the_63rd_on(self):
        columns = [f"P{n}" for n in range(80)]
        self.virtual("wide", ", ".join(f"{name} INT32" for name in columns))
        self.query(f"INSERT INTO wide(PartitionKey, RowKey, {', '.join(columns)}) VALUES ('w', 'r', {', '.join(map(str, range(80)))})")
        for n in (0, 58, 59, 60, 61, 62, 63, 79):
            self.assertEqual([(n,)], self.query(f"SELECT P{n} FROM wide WHERE PartitionKey = 'w'"))
            self.assertEqual([(n, "r")], self.query(f"SELECT P{n}, RowKey FROM wide WHERE P{79 - n} = {79 - n}"))

    def test_rows_that_two_arms_of_an_or_find(self):
        self.same("SELECT PartitionKey, RowKey FROM T WHERE (PartitionKey = 'A' AND RowKey = '1') OR (PartitionKey = 'B' AND RowKey = '2') "
                  "OR (PartitionKey = 'A' AND RowKey < '3') OR (PartitionKey > 'A' AND RowKey = '2')",
                  "SELECT PartitionKey, RowKey FROM T WHERE PartitionKey = 'A' OR RowKey = '2' OR A > 5",
                  "SELECT PartitionKey, RowKey FROM T WHERE PartitionKey > 'A' OR (PartitionKey = 'A' AND RowKey > '3') "
                  "ORDER BY PartitionKey, RowKey LIMIT 6")

    def test_rows_that_distinct_skips(self):
        self.same("SELECT DISTINCT PartitionKey FROM T WHERE A = 7 OR C = '6'", "SELECT DISTINCT PartitionKey FROM T WHERE RowKey > '6'",
                  "SELECT DISTINCT PartitionKey, A FROM T ", "SELECT DISTINCT PartitionKey FROM T ORDER BY RowKey",
                  "SELECT DISTINCT PartitionKey FROM T ORDER BY PartitionKey DESC", "SELECT count(DISTINCT PartitionKey) FROM T ",
                  "SELECT PartitionKey, count(*) FROM T GROUP BY PartitionKey ORDER BY 1",
                  "SELECT DISTINCT upper(PartitionKey) FROM T ORDER BY 1")

    def test_values_of_other_types(self):
        self.same("SELECT A FROM T WHERE A = '4'", "SELECT A FROM T WHERE A > 3.5", "SELECT A FROM T WHERE A < 'abc'",
                  "SELECT C FROM T WHERE C = 1", "SELECT C FROM T WHERE C = '2'", "SELECT C FROM T WHERE C > 1",
                  "SELECT RowKey FROM T WHERE RowKey = 4", "SELECT RowKey FROM T WHERE RowKey > 4", "SELECT RowKey FROM T WHERE RowKey = x'34'",
                  "SELECT RowKey FROM T WHERE RowKey < x'34'", "SELECT RowKey FROM T WHERE RowKey IN (4, '5', 6.0)",
                  "SELECT RowKey FROM T WHERE B = 'V4' COLLATE NOCASE", "SELECT RowKey FROM T WHERE RowKey >= '3' COLLATE NOCASE",
                  "SELECT RowKey FROM T WHERE B LIKE 'V4'", "SELECT RowKey FROM T WHERE B LIKE 'v_' AND B GLOB 'v[45]'")
        self.same("SELECT RowKey FROM T WHERE RowKey = ?1 AND PartitionKey = 'A'", "SELECT RowKey FROM T WHERE A >= ?1 ORDER BY RowKey",
                  "SELECT C FROM T WHERE C = ?1", parameters=(5,))

    def test_or_of_equalities_with_several_collations(self):
        """SQLite merges them into one list. Older versions ignored their collations, and lost rows
        of every table that finds rows by that column. Remote tables find rows by their keys. Now no
        row is lost.
        """
        self.same("SELECT RowKey FROM T WHERE B = 'V4' COLLATE NOCASE OR B = 'v5'",
                  "SELECT RowKey FROM T WHERE B = 'v5' OR B = 'v4 ' COLLATE RTRIM OR B IN ('v6')",
                  "SELECT RowKey FROM T WHERE PartitionKey = 'A' OR PartitionKey = 'b' COLLATE NOCASE",
                  "SELECT RowKey FROM T WHERE PartitionKey COLLATE NOCASE IN ('a', 'b') OR PartitionKey = 'C'",
                  "SELECT RowKey FROM T WHERE B = 'V4' COLLATE NOCASE OR B > 'v6'")

    def test_many_lists(self):
        lists = " AND ".join(f"RowKey IN ('{n % 7 + 1}', '4', '5')" for n in range(40))
        self.same(f"SELECT RowKey FROM T WHERE {lists}", "SELECT RowKey FROM T WHERE RowKey IN ('1', NULL, '9')",
                  "SELECT RowKey FROM T WHERE RowKey NOT IN ('1', '2')", "SELECT RowKey FROM T WHERE PartitionKey IN ()",
                  "SELECT PartitionKey, RowKey FROM T WHERE (PartitionKey, RowKey) IN (VALUES ('A', '1'), ('B', '7'), ('C', '1'))",
                  "SELECT PartitionKey, RowKey FROM T WHERE (PartitionKey, RowKey) IN (SELECT 'A', RowKey FROM native WHERE A > 4)")

    def test_limits_of_subqueries_and_changes(self):
        self.same("SELECT EXISTS (SELECT 1 FROM T WHERE A = 7), EXISTS (SELECT 1 FROM T WHERE A = 8)",
                  "SELECT (SELECT B FROM T WHERE PartitionKey = 'B' ORDER BY RowKey DESC LIMIT 1)",
                  "SELECT n.RowKey, (SELECT count(*) FROM T AS x WHERE x.PartitionKey = n.PartitionKey AND x.RowKey < n.RowKey) "
                  "FROM native n ORDER BY n.PartitionKey, n.RowKey")
        if self.query("SELECT sqlite_compileoption_used('ENABLE_UPDATE_DELETE_LIMIT')") == [(1,)]:
            for table in ("t", "native"):
                self.query(f"DELETE FROM {table} WHERE PartitionKey = 'A' ORDER BY RowKey DESC LIMIT 2 OFFSET 1")
                self.query(f"UPDATE {table} SET A = 99 ORDER BY PartitionKey, RowKey LIMIT 3")
            self.same("SELECT * FROM (SELECT PartitionKey, RowKey, A, B FROM T ) ORDER BY 1, 2")


if __name__ == "__main__":
    unittest.main()
