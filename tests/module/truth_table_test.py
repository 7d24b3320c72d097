#!/usr/bin/env python3
"""The truth table of ARCHITECTURE.md, "What is pushed down", row by row: what a positive query sends, what a
negative one, which looks like it, does; and that both have the rows that an ordinary table gives.

usage: truth_table_test.py [unittest argument ...]
"""

import pathlib
import re
import sqlite3
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import host  # noqa: E402

host.enter()

GUID = "'00000000-0000-0000-0000-00000000000a'"
P = "PartitionKey = 'p' AND "
OF_P = "PartitionKey eq 'p' and "
NONE = None  # nothing is asked
ONE_P = "PartitionKey eq 'p'"
LONG = "x" * 3000
WIDE = "'k" + "é" * 1300 + "'"
# Row of the table -> two lists: (WHERE, parameters, filters of the requests in order) that show it, and that do not.
# A point has no filter; the request is told by its keys.
TABLE = {
    1: ([("RowKey = 'a' AND PartitionKey IS 'p'", (), ["p|a"]), (P + "RowKey = ?", ("5",), ["p|5"])],
        [(P + "RowKey IS NOT 'a'", (), [ONE_P])]),
    2: ([(f"PartitionKey = '{LONG}'", (), [f"PartitionKey eq '{LONG}'"]), (f"PartitionKey = {WIDE}", (), ["PartitionKey ge 'k"])],
        [("PartitionKey = 'short'", (), ["PartitionKey eq 'short'"])]),
    3: ([(P + "RowKey = 'a/b'", (), NONE), ("PartitionKey = char(9)", (), NONE)], [(P + "RowKey > 'a/b'", (), [OF_P + "RowKey gt 'a/b'"])]),
    4: ([(P + "RowKey = 5.0", (), [OF_P + "RowKey ge ' ' and RowKey lt ':'"]), (P + "RowKey = I AND I = 5", (), [OF_P + "RowKey ge ' ' and RowKey lt ':' and I eq 5"]),
         ("PartitionKey = CAST(? AS INTEGER)", (5,), ["PartitionKey ge ' ' and PartitionKey lt ':'"])],
        [(P + "RowKey = '5'", (), ["p|5"])]),
    5: ([(P + "RowKey BETWEEN 'a' AND 'b'", (), [OF_P + "RowKey ge 'a' and RowKey le 'b'"]), ("PartitionKey < ?", ("7",), ["PartitionKey lt '7'"]),
         ("PartitionKey > 'a' AND PartitionKey > 'b'", (), ["PartitionKey gt 'b'"])], [(P + "RowKey <> 'a'", (), [ONE_P])]),
    6: ([(P + "RowKey >= 'a\ue000'", (), [OF_P + "RowKey ge 'a'"]), (P + "RowKey < 'a\U0001f600'", (), [OF_P + "RowKey lt 'b'"])],
        [(P + "RowKey >= 'a\ud7ff'", (), [OF_P + "RowKey ge 'a\ud7ff'"])]),
    7: ([(P + "RowKey < 6 AND RowKey < likely(6)", (), [ONE_P]), (P + "RowKey >= ?", (0.5,), [ONE_P])], [(P + "RowKey < '6'", (), [OF_P + "RowKey lt '6'"])]),
    8: ([(P + "RowKey < (SELECT d FROM loc)", (), [OF_P + "RowKey lt ':'"])], [(P + "RowKey < ?", ("2024-01",), [OF_P + "RowKey lt '2024-01'"]),
                                                                                (P + "RowKey > (SELECT d FROM loc)", (), [OF_P + "RowKey gt '2024-01'"])]),
    9: ([("PartitionKey = NULL", (), NONE), (P + "RowKey < ?", (None,), NONE), (P + "RowKey IS NULL", (), NONE)],
        [(P + "RowKey IN (NULL, 'a')", (), ["p|a"])]),
    10: ([(P + "RowKey = x'61'", (), NONE), ("PartitionKey >= x''", (), NONE)], [(P + "RowKey = 'a'", (), ["p|a"])]),
    11: ([(P + "RowKey < x'00'", (), [ONE_P])], [(P + "RowKey < 'a'", (), [OF_P + "RowKey lt 'a'"])]),
    12: ([("PartitionKey IN ('q', 'p', 'q')", (), [ONE_P, "PartitionKey eq 'q'"]), ("PartitionKey = 'p' AND RowKey IN ('b', 'a')", (), ["p|a", "p|b"]),
          ("PartitionKey = 'q' OR PartitionKey = 'p'", (), [ONE_P, "PartitionKey eq 'q'"]),
          ("PartitionKey = 'p' AND (RowKey = 'b' OR RowKey = 'a' OR RowKey = 'b')", (), ["p|a", "p|b"]),
          ("PartitionKey IN (SELECT k FROM loc) AND RowKey = 'a'", (), ["p|a"])], [("PartitionKey NOT IN ('q', 'p')", (), [""])]),
    13: ([("RowKey IN ('a', 'b')", (), ["(RowKey eq 'a' or RowKey eq 'b')"]), ("RowKey IN ('a','b','c','d','e','f','5')", (),
                                                                             ["RowKey ge '5' and RowKey le 'f'"])],
         [("RowKey IN ('a')", (), ["RowKey eq 'a'"])]),
    14: ([(P + "RowKey IN (SELECT n FROM loc)", (), [OF_P + "RowKey ge ' ' and RowKey lt ':'"])], [(P + "RowKey IN (5, '6')", (), ["p|5", "p|6"])]),
    15: ([(P + "RowKey LIKE 'sH%'", (), [OF_P + "RowKey ge 'SH' and RowKey lt 'si' and ((RowKey ge 'SH' and RowKey lt 'Si') or (RowKey ge 'sH' and RowKey lt 'si'))"]), ("PartitionKey LIKE 'p~_%' ESCAPE '~'", (),
                                                                                      ["PartitionKey ge 'P_' and PartitionKey lt 'p`' and ((PartitionKey ge 'P_' and PartitionKey lt 'P`') or "
                                                                                       "(PartitionKey ge 'p_' and PartitionKey lt 'p`'))"])],
         [(P + "RowKey LIKE '%h'", (), [ONE_P]), (P + "RowKey >= 'SH' COLLATE NOCASE AND RowKey < 'sz' COLLATE NOCASE", (), [ONE_P])]),
    16: ([(P + "RowKey GLOB 'Sh*'", (), [OF_P + "RowKey ge 'Sh' and RowKey lt 'Si'"])], [(P + "RowKey GLOB '[S]h*'", (), [ONE_P])]),
    17: ([("S = 'it''s'", (), ["S eq 'it''s'"]), ("S IN ('a', 'b')", (), ["(S eq 'a' or S eq 'b')"]), ("S = ?", ("5",), ["S eq '5'"])],
         [("S = 5", (), [""]), ("S = ?", (5,), [""]), ("S = char(9)", (), [""])]),
    18: ([("S >= 'a' AND S < 'b'", (), ["S ge 'a' and S lt 'b'"]), ("S >= ''", (), ["S ge ''"]), ("S LIKE 'aB%'", (), ["((S ge 'AB' and S lt 'Ac') or (S ge 'aB' and S lt 'ac'))"]),
          ("S = 'a' || char(9)", (), ["S ge 'a' and S lt 'b'"])], [("S > 5", (), [""]), ("S NOT LIKE 'a%'", (), [""])]),
    19: ([("I = 5", (), ["I eq 5"]), ("L > '4.5'", (), ["(L gt 4 or L gt 4L)"]), ("D = 0.5", (), ["D ge 0.499999999999999 and D le 0.500000000000001"]),
          ("D <= 5", (), ["(D le 5 or D le 5L or D le 5.00000000000001)"]), ("I IN (1, 5)", (), ["(I eq 1 or I eq 5)"])],
         [("I < 'five'", (), [""]), ("I < x'00'", (), [""]), ("I = 'five'", (), NONE), ("I > x'00'", (), NONE)]),
    20: ([("I < 3000000000", (), ["(I lt 0 or I ge 0)"]), ("I > 4.5", (), ["I gt 4"])], [("I = 3000000000", (), NONE), ("I = 4.5", (), NONE)]),
    21: ([("B = 1", (), ["B eq true"]), ("B IN (0, 1)", (), ["(B eq false or B eq true)"])], [("B > 0", (), [""]), ("B = 2", (), NONE)]),
    22: ([("W >= '2014-05'", (), ["W ge datetime'2014-05-01T00:00:00.0000000Z'"]), ("W <= '2014-05-01 10:00'", (),
                                                                                  ["W lt datetime'2014-05-02T00:00:00.0000000Z'"]),
          ("Timestamp >= '2014'", (), ["Timestamp ge datetime'2014-01-01T00:00:00.0000000Z'"]),
          ("W LIKE '2014-05%'", (), ["W ge datetime'2014-05-01T00:00:00.0000000Z' and W lt datetime'2014-06-01T00:00:00.0000000Z'"])],
         [("W = '2014-05-01'", (), NONE), ("W < '1600'", (), [""])]),
    23: ([("W > 'May 2014'", (), [""]), ("W > 2014", (), [""])], [("W > '2014'", (), ["W ge datetime'2014-01-01T00:00:00.0000000Z'"])]),
    24: ([(f"G = {GUID}", (), [f"G eq guid{GUID}"])], [(f"G = upper({GUID})", (), NONE), (f"G > {GUID}", (), [""])]),
    25: ([("X = x'0102'", (), ["X eq X'0102'"])], [("X = x''", (), [""]), ("X > x'0102'", (), [""])]),
    26: ([("A = 'a'", (), ["A eq 'a'"]), 
          ("A = x'01'", (), ["A eq X'01'"])], [("A = 2", (), [""]), ("A = ?", (2,), [""]), ("A > 'a'", (), [""])]),
    27: ([("S IS NOT NULL", (), ["S ge ''"]), ("I NOTNULL", (), ["(I lt 0 or I ge 0)"]), ("B IS NOT NULL", (), ["(B eq true or B eq false)"]),
          ("L IS NOT NULL", (), ["(L lt 0 or L ge 0 or L lt 0L or L ge 0L)"]),
          ("D IS NOT NULL", (), ["(D lt 0 or D ge 0 or D lt 0L or D ge 0L or D lt 0.0 or D ge 0.0)"]),
          ("W IS NOT NULL AND S > 'a'", (), ["S gt 'a' and (W lt datetime'2000-01-01T00:00:00.0000000Z' or W ge datetime'2000-01-01T00:00:00.0000000Z')"])],
         [("S IS NOT NULL AND S > 'a'", (), ["S gt 'a'"]), ("G IS NOT NULL", (), [""]), ("X IS NOT NULL", (), [""]), ("A IS NOT NULL", (), [""]),
          ("T1 IS NOT NULL", (), [""]), ("Timestamp IS NOT NULL", (), [""]), ("RowKey IS NOT NULL", (), [""]),
          ("S IS NOT NULL AND 1 IN (SELECT 1 FROM loc x JOIN loc y)", (), [""])]),
    28: ([("S = NULL", (), NONE), ("I > ?", (None,), NONE), ("S IN ()", (), NONE), ("S IN (SELECT k FROM loc WHERE 0)", (), NONE),
          ("I IN (NULL, 4.5)", (), NONE), ("D = x'00'", (), NONE), ("S >= x'00'", (), NONE), ("L >= 'x'", (), NONE), ("W = 'x'", (), NONE),
          ("G IN ('x', 'y')", (), NONE), (P + "RowKey = 'a' AND I = 'x'", (), NONE)],
         [("S IS NULL", (), [""]), ("S IS ?", (None,), [""]), ("I IN (NULL, 5)", (), ["I eq 5"]), ("D = ' 5'", (), ["(D eq 5 or D eq 5L or "
           "(D ge 4.99999999999999 and D le 5.00000000000001))"]), ("W < 'x'", (), [""])]),
    29: ([("S IN ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'it''s')", (), ["S ge 'a' and S le 'l'"]),
          ("I IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, -13, NULL)", (), ["I ge -13 and I le 12"])],
         [("S IN ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l')", (), ["(S eq 'a' or S eq 'b' or S eq 'c' or S eq 'd' or S eq 'e' or "
           "S eq 'f' or S eq 'g' or S eq 'h' or S eq 'i' or S eq 'j' or S eq 'k' or S eq 'l')"]),
          ("X IN (x'01', x'02', x'03', x'04', x'05', x'06', x'07', x'08', x'09', x'0a', x'0b', x'0c', x'0d')", (), [""])]),
    30: ([("T1 = 'a'", (), [""]), ("U = 1", (), [""])], [("S = 'a'", (), ["S eq 'a'"])]),
    31: ([("S = 'a' COLLATE NOCASE", (), [""]), (P + "RowKey >= 'a' COLLATE RTRIM", (), [ONE_P])], [("S = 'a' COLLATE BINARY", (), ["S eq 'a'"])]),
    32: "test_utf_16",
    33: ([("S IS NULL", (), [""]), ("A IS NOT NULL", (), [""]), ("S <> 'a'", (), [""]), ("S IS NOT 'a'", (), [""]), ("NOT (I > 5 AND I < 9)", (), [""])],
         [("NOT S <> 'a' AND S = 'a'", (), ["S eq 'a'"])]),
    34: "test_or",
    35: "test_rowid",
    36: "test_order",
    37: "test_distinct",
    38: "test_limit",
    39: "test_pending",
    40: "test_options",
    41: ([(P + "RowKey >= 5 AND RowKey < 6", (), [OF_P + "RowKey ge '5' and RowKey lt '6'"]), (P + "RowKey = ?", (5,), ["p|5"]),
          ("PartitionKey BETWEEN ? AND 6", (-5,), ["PartitionKey ge '-5' and PartitionKey le '6'"]), ("5 = PartitionKey", (), ["PartitionKey eq '5'"])],
         [(P + "RowKey >= 5 AND EXISTS (SELECT 1)", (), [ONE_P]), (P + "RowKey < I AND I = 6", (), [OF_P + "I eq 6"])]),
}


class TruthTable(host.LocalCase):
    def setUp(self):
        super().setUp()
        self.columns = ("S STRING, I INT32, L INT64, D DOUBLE, B BOOLEAN, W DATETIME, G GUID, X BINARY, A ANY, T1 STRING PROPERTY 'T', "
                        "T2 STRING PROPERTY 'T', U INT32 PROPERTY 'null'")
        self.virtual("t", self.columns, parallel=1, compare="text")
        self.query("CREATE TABLE native(PartitionKey TEXT NOT NULL, RowKey TEXT NOT NULL, S TEXT, I INTEGER, L INTEGER, D REAL, B INTEGER, "
                   "W TEXT, G TEXT, X BLOB, A, T1 TEXT, T2 TEXT, U INTEGER, Timestamp TEXT, PRIMARY KEY (PartitionKey, RowKey))")
        keys = ["", "5", "05", "6", "a", "b", "Sh", "sha", "a\ud7ff", "a\ue000", "a\U0001f600", "2022", "2024-01"]
        for n, (p, r) in enumerate((p, r) for p in ("p", "q", "P_x", "5", "05") for r in keys):
            row = [p, r, ["a", "it's", "5", None, "ab\t", "AB", "é"][n % 7], [5, 1, -3, None][n % 4], [5, 2**40, None][n % 3], [0.5, 5.0, None, -1e9][n % 4],
                   [0, 1, None][n % 3], ["2014-05-01T10:00:00.0000000Z", "2014-06-01T00:00:00.0000000Z", None][n % 3], [GUID.strip("'"), None][n % 2],
                   [b"\x01\x02", b"", None][n % 3], ["a", 2, b"\x01", None, 2.0][n % 5], "a", "a", n % 2]
            self.query(f"INSERT INTO native VALUES ({', '.join('?' * len(row))}, '2026-01-01T00:00:00.0000000Z')", *row)
        self.query("INSERT INTO t(PartitionKey, RowKey, S, I, L, D, B, W, G, X, A, T1, U) SELECT PartitionKey, RowKey, S, I, L, D, B, W, G, X, A, "
                   "T1, U FROM native")
        self.query("CREATE TABLE loc(k TEXT, n INTEGER, d DATE)")
        self.query("INSERT INTO loc VALUES ('p', 5, '2024-01')")

    def sent_by(self, sql, *parameters):
        """The rows of a query, and what each of its requests asks for."""
        last = self.query("SELECT coalesce(max(id), 0) FROM aztables_requests")[0][0]
        rows = self.query(sql, *parameters)
        sent = self.query("SELECT kind, coalesce(filter, ''), url FROM aztables_requests WHERE id > ? ORDER BY id", last)
        key = re.compile(r"PartitionKey='([^']*)',RowKey='([^']*)'")
        return rows, ["|".join(key.search(url).groups()) if kind == "point" else text for kind, text, url in sent]

    def check(self, where, parameters, filters):
        native = self.query(f"SELECT PartitionKey, RowKey FROM native WHERE {where} ORDER BY 1, 2", *parameters)
        rows, sent = self.sent_by(f"SELECT PartitionKey, RowKey FROM t WHERE {where}", *parameters)
        self.assertEqual(native, sorted(rows, key=lambda row: [key.encode("utf-8", "surrogatepass") for key in row]), where)
        wanted = filters or []
        self.assertEqual(len(wanted), len(sent), (where, sent))
        for text, filter in zip(wanted, sent):
            if not (text.endswith("ge 'k") and filter.startswith(text)):
                self.assertEqual(text, filter, where)

    def test_the_table_is_the_documents(self):
        text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
        table = text[text.index("### What is pushed down"):]
        self.assertEqual(list(TABLE), [int(number) for number in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)])
        self.assertTrue(all(not isinstance(row, str) or hasattr(self, row) for row in TABLE.values()))

    def test_rows(self):
        for number, row in TABLE.items():
            for case in [] if isinstance(row, str) else [*row[0], *row[1]]:
                with self.subTest(number, where=case[0][:80]):
                    self.check(*case)

    def test_case_sensitive_like(self):
        self.query("PRAGMA case_sensitive_like = 1")
        self.check(P + "RowKey LIKE 'Sh%'", (), [OF_P + "RowKey ge 'Sh' and RowKey lt 'Si'"])

    def test_utf_16(self):
        self.db = host.connect()
        self.query("PRAGMA encoding = 'UTF-16le'")
        self.virtual("t", self.columns, parallel=1)
        self.assertEqual(["PartitionKey eq 'p'"], self.sent_by("SELECT 1 FROM t WHERE PartitionKey = 'p' AND RowKey > 'a' AND S < 'b'")[1])
        self.assertEqual(["p|a"], self.sent_by("SELECT 1 FROM t WHERE PartitionKey = 'p' AND RowKey = 'a'")[1])
        self.assertEqual(["I gt 1"], self.sent_by("SELECT 1 FROM t WHERE I > 1")[1])

    def test_or(self):  # before the table was read as a whole: a small one is cheaper so
        self.check("(PartitionKey = 'p' AND RowKey = 'a') OR (PartitionKey = 'q' AND RowKey >= 'b')", (),
                   ["p|a", "PartitionKey eq 'q' and RowKey ge 'b'"])
        self.check("(PartitionKey = 'p' AND RowKey = 'a') OR length(S) = 1", (), [""])

    def test_rowid(self):
        (rowid,), = self.query("SELECT rowid FROM t WHERE PartitionKey = 'p' AND RowKey = 'a'")
        self.assertEqual(([("a",)], ["p|a"]), self.sent_by("SELECT RowKey FROM t WHERE rowid = ?", rowid))
        with self.assertRaises(sqlite3.OperationalError):
            self.query("SELECT RowKey FROM t WHERE rowid = 123456")
        self.assertEqual([""], self.sent_by("SELECT RowKey FROM t WHERE rowid > ?", rowid)[1])

    def test_order(self):
        for tail, sorts in (("ORDER BY PartitionKey, RowKey", False), ("ORDER BY PartitionKey", False), ("ORDER BY PartitionKey, RowKey, S", False),
                            ("WHERE PartitionKey = 'p' ORDER BY RowKey", False), ("GROUP BY PartitionKey", False),
                            ("WHERE RowKey = 'a' ORDER BY RowKey, PartitionKey", False), ("WHERE PartitionKey IN ('p', 'q') ORDER BY 1", False),
                            ("ORDER BY RowKey", True), ("ORDER BY PartitionKey DESC", True), ("ORDER BY PartitionKey COLLATE NOCASE", True),
                            ("WHERE PartitionKey IN ('p', 'q') ORDER BY RowKey", True), ("ORDER BY S", True), ("GROUP BY RowKey", True)):
            plan = str(self.query(f"EXPLAIN QUERY PLAN SELECT PartitionKey FROM t {tail}"))
            self.assertEqual((sorts, not sorts), ("TEMP B-TREE" in plan, "in order" in plan), tail)

    def test_distinct(self):
        for columns, skips in (("DISTINCT PartitionKey", True), ("DISTINCT PartitionKey, RowKey", False), ("PartitionKey", False),
                               ("DISTINCT PartitionKey, S", False), ("count(DISTINCT PartitionKey)", False)):
            plan = str(self.query(f"EXPLAIN QUERY PLAN SELECT {columns} FROM t"))
            self.assertEqual(skips, "; distinct" in plan, columns)
        plan = str(self.query("EXPLAIN QUERY PLAN SELECT DISTINCT PartitionKey FROM t WHERE RowKey > 'a'"))
        self.assertNotIn("; distinct", plan)

    def test_limit(self):
        for tail, tops in (("LIMIT 3", True), ("WHERE PartitionKey = 'p' ORDER BY RowKey LIMIT 2 OFFSET 1", True),
                           ("ORDER BY S LIMIT 3", False), ("ORDER BY PartitionKey DESC LIMIT 3", False)):
            rows, _ = self.sent_by(f"SELECT RowKey FROM t {tail}")
            url = self.query("SELECT url FROM aztables_requests ORDER BY id DESC LIMIT 1")[0][0]
            self.assertEqual((tops, True), ("$top=3" in url, len(rows) in (2, 3)), tail)

    def test_pending(self):
        self.query("BEGIN")
        self.check("S = 'a' AND PartitionKey = 'p'", (), ["PartitionKey eq 'p' and S eq 'a'"])
        self.query("UPDATE t SET S = 'a' WHERE PartitionKey = 'p' AND RowKey = '6'")
        self.query("UPDATE native SET S = 'a' WHERE PartitionKey = 'p' AND RowKey = '6'")
        self.check("S = 'a' AND PartitionKey = 'p'", (), [ONE_P])
        self.query("ROLLBACK")

    def test_options(self):
        where = "PartitionKey = 'p' AND S = 'a'"
        for pushdown, filter in (("all", "PartitionKey eq 'p' and S eq 'a'"), ("keys", ONE_P), ("none", "")):
            self.query("INSERT INTO t(_command) VALUES (?)", f"pushdown={pushdown}")
            self.check(f"{where} AND '{pushdown}' <> ''", (), [filter])
        self.query("INSERT INTO t(_command) VALUES ('reset')")
        again = "SELECT count(*) FROM t WHERE PartitionKey = 'p' AND S = 'a'"
        self.assertEqual(["PartitionKey eq 'p' and S eq 'a'"], self.sent_by(again)[1])
        self.query("INSERT INTO t(_command) VALUES ('pushdown=keys')")
        self.assertEqual([ONE_P], self.sent_by(again)[1], "though it was prepared before")
        self.query("INSERT INTO t(_command) VALUES ('pushdown=none')")
        self.assertEqual([""], self.sent_by(again)[1], "though it was prepared before")


if __name__ == "__main__":
    unittest.main()
