#!/usr/bin/env python3
"""What pushdown must not change: pending writes, outer joins, statements that are not plain,
collations, and databases with another encoding.

usage: superset_test.py [unittest argument ...]
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import numbered_rows  # noqa: E402
import sqlite3  # noqa: E402


class Superset(numbered_rows.Case):
    """Rows that a naive pushdown would lose."""

    def test_pending_change_makes_an_entity_match(self):
        self.fill(3, partition="'p'")
        self.query("BEGIN")
        self.query("UPDATE t SET N = 100 WHERE RowKey = '000001'")
        self.query("UPDATE t SET S = 'new' WHERE RowKey = '000002'")
        self.assertEqual([("000001",)], self.query("SELECT RowKey FROM t WHERE N = 100"))
        self.assertEqual([("000002",)], self.query("SELECT RowKey FROM t WHERE S >= 'n' AND S < 'o'"))
        self.query("ROLLBACK")

    def test_on_of_a_left_join_omits_no_rows(self):
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p', 'k1', 1), ('p', 'r1', NULL)")
        self.query("CREATE TABLE l(x)")
        self.query("INSERT INTO l VALUES (5)")
        for on in ("t.RowKey LIKE 'k%'", "t.RowKey GLOB 'k*'", "t.N IS NOT NULL", "t.N = 1", "t.RowKey = 'k1'", "t.N IN (1, 2)",
                   "t.RowKey BETWEEN 'k' AND 'l'", "t.S IS NULL AND t.N = 1"):
            self.assertEqual([("k1", 5), ("r1", None)], self.query(f"SELECT RowKey, x FROM t LEFT JOIN l ON {on}"), on)

    def test_outer_join_outside_the_statement_text(self):
        """The outer join is in a view, in a trigger, or in an outer statement."""
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

    def test_change_of_one_table_is_plain(self):
        self.query("INSERT INTO t(_command) VALUES ('mismatch=null')")  # filters without type arms
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

    def test_trigger_of_a_table_with_the_same_name(self):
        """The statement looks plain, but the trigger is what reads the table."""
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

    def test_statement_that_is_prepared_again(self):
        """The statement reads the table only since the trigger exists. Meanwhile another statement
        reads the table, too.
        """
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

    def test_like_function_of_the_application(self):
        self.db.create_function("like", 2, lambda pattern, text: text.endswith(pattern.strip("%")))
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', 'xa'), ('p', 'ax')")
        self.assertEqual([("xa",)], self.query("SELECT RowKey FROM t WHERE RowKey LIKE 'a%'"))

    def test_cast_of_a_parameter_is_a_number(self):
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '05'), ('p', '5')")
        self.assertEqual([("05",), ("5",)], self.query("SELECT RowKey FROM t WHERE RowKey = CAST(? AS INTEGER)", 5))
        self.assertEqual([("5",)], self.query("SELECT RowKey FROM t WHERE RowKey = ?", 5))
        self.query("CREATE TABLE numbers(n INTEGER)")
        self.query("INSERT INTO numbers VALUES (7)")
        self.query("CREATE TABLE native AS SELECT PartitionKey, RowKey FROM t")
        native, remote = (self.query("SELECT RowKey FROM (SELECT n FROM numbers UNION ALL SELECT ?) AS x "
                                     f"CROSS JOIN {table} y ON y.RowKey = x.n ORDER BY 1", 5) for table in ("native", "t"))
        self.assertEqual(native, remote)  # versions of SQLite differ

    def test_parameter_that_equals_a_column(self):
        """SQLite replaces the column by the parameter, and keeps the column's affinity."""
        self.query("INSERT INTO t(PartitionKey, RowKey, N, S) VALUES ('5', '1', 5, '5'), ('05', '2', 5, '05'), ('6', '3', 50, '6')")
        self.query("CREATE TABLE native AS SELECT PartitionKey, RowKey, N, S FROM t")
        self.query("CREATE TABLE l(i INTEGER)")
        self.query("INSERT INTO l VALUES (5), (50)")
        for where in ("N = ?1 AND PartitionKey = N", "N = ?1 AND PartitionKey < N", "N = ?1 AND S = N", "N = ?1 AND RowKey > N",
                      "EXISTS (SELECT 1 FROM l WHERE i = ?1 AND PartitionKey = i)", "RowKey IN (SELECT RowKey FROM l WHERE i = ?1)"):
            for value in (5, "5", 50, 5.0, None):
                native, remote = (self.query(f"SELECT RowKey FROM {table} WHERE {where} ORDER BY 1", value) for table in ("native", "t"))
                self.assertEqual(native, remote, (where, value))

    def test_parameter_that_replaces_a_column_of_another_table(self):
        """A text that is not a number stays a text in a column of numeric affinity. Keys that look
        like numbers sort before it.
        """
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

    def test_collation_in_a_list(self):
        self.query("INSERT INTO t(_command) VALUES ('mismatch=null')")  # filters without type arms
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

    def test_infinity_equals_a_text(self):
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', 'Inf'), ('p', '-Inf'), ('Inf', 'Inf'), ('p', 'Ing')")
        self.query("CREATE TABLE native AS SELECT PartitionKey, RowKey FROM t")
        self.query("INSERT INTO t(_command) VALUES ('compare=text')")
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

    def test_interrupt_while_a_statement_is_planned(self):
        """The interrupt keeps its code. The next statement requests what the plan could not
        request.
        """
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
