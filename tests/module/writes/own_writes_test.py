#!/usr/bin/env python3
"""Reads of pending writes. Every kind of constraint over 2,500 entities, and so several pages,
gives the same result as an ordinary table with the same changes. This also applies to another
virtual table, before and after savepoints, and after COMMIT. A cursor sees the writes from before
its start.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()

KEYS = "PartitionKey, RowKey"
ALL = "PartitionKey, RowKey, A, B, D"
# p0 has 1,300 entities, p1 to p4 have 300 each; row keys are even numbers.
FILL = """WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2499)
  SELECT CASE WHEN i < 1300 THEN 'p0' ELSE 'p' || (1 + i % 4) END, printf('%05d', 2 * i), i, 'b' || (i % 5), i / 4.0
  FROM n"""

# Changes of T, which run on the virtual and on the ordinary table.
FIRST = [
    "DELETE FROM T WHERE PartitionKey = 'p0' AND RowKey < '01200'",
    "DELETE FROM T WHERE PartitionKey = 'p2'",
    "UPDATE T SET A = -A WHERE PartitionKey = 'p0' AND RowKey BETWEEN '01800' AND '02300'",
    "UPDATE T SET B = NULL WHERE PartitionKey = 'p3' AND A % 3 = 0",
    "UPDATE T SET B = 'once', D = D + 0.5 WHERE A % 100 = 0",
    "INSERT INTO T(PartitionKey, RowKey, A, B) WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199) "
    "SELECT 'p0', printf('%05d', 13 * i + 1 - (13 * i) % 2), 10000 + i, 'new' FROM n WHERE i % 2 = 0",
    "INSERT INTO T(PartitionKey, RowKey, A, B) VALUES ('', '', 1, 'first'), ('p', 'x', 2, 'b1'), ('p9', '~', 3, 'last'), "
    "('p2', '05000', 4, 'again')",
    "UPDATE T SET RowKey = RowKey || 'm' WHERE PartitionKey = 'p4' AND A % 10 = 3",
    "UPDATE T SET PartitionKey = 'p15', A = A + 1 WHERE PartitionKey = 'p1' AND A % 7 = 0",
]
SECOND = [
    "INSERT OR REPLACE INTO T(PartitionKey, RowKey, B) VALUES ('p0', '01500', 'upsert'), ('p0', '00002', 'upsert'), "
    "('p0', '01501', 'upsert'), ('p3', '03000', 'upsert')",
    "INSERT OR IGNORE INTO T(PartitionKey, RowKey, A) SELECT 'p3', printf('%05d', value), 5 FROM "
    "(SELECT 2600 + 4 * row_number() OVER () AS value FROM T LIMIT 100)",
    "UPDATE T SET A = A + 1 WHERE B = 'new' OR B = 'upsert'",
    "DELETE FROM T WHERE B = 'new' AND A % 3 = 0",
    "UPDATE T SET D = (SELECT max(D) FROM T ) WHERE PartitionKey > 'p1' AND PartitionKey < 'p3'",
    "UPDATE OR REPLACE T SET RowKey = '01600' WHERE PartitionKey = 'p0' AND RowKey = '01700'",
    "DELETE FROM T WHERE PartitionKey IN ('p15', 'p9') AND A % 2 = 0",
    "INSERT INTO T(PartitionKey, RowKey, A) VALUES ('p0', '00000', 6), ('p0', '00004', 7)",
]
QUESTIONS = [
    # points: unchanged, deleted, changed, inserted, moved from and to, upserted, absent
    *(f"SELECT {ALL} FROM T WHERE PartitionKey = '{p}' AND RowKey = '{r}'" for p, r in (
        ("p0", "02500"), ("p0", "00002"), ("p0", "02000"), ("p0", "00001"), ("p4", "02606"), ("p4", "02606m"),
        ("p0", "01500"), ("p0", "01501"), ("p0", "01600"), ("p0", "01700"), ("", ""), ("p9", "~"), ("p2", "05000"),
        ("q", ""))),
    # ranges
    f"SELECT {ALL} FROM T WHERE PartitionKey = 'p0'",
    f"SELECT {ALL} FROM T WHERE PartitionKey = 'p0' AND RowKey >= '01100' AND RowKey < '01900'",
    f"SELECT {ALL} FROM T WHERE PartitionKey = 'p2'",
    f"SELECT {KEYS}, A FROM T WHERE PartitionKey = 'p0' AND RowKey > '02590'",
    f"SELECT {ALL} FROM T WHERE PartitionKey > 'p1' AND PartitionKey <= 'p3'",
    f"SELECT {ALL} FROM T WHERE PartitionKey < 'p0'",
    f"SELECT {KEYS} FROM T WHERE PartitionKey > 'p4'",
    f"SELECT {ALL} FROM T WHERE (PartitionKey, RowKey) > ('p0', '02500') AND PartitionKey < 'p2'",
    f"SELECT {KEYS} FROM T WHERE RowKey BETWEEN '02600' AND '02610m'",
    # IN, OR, LIKE, GLOB
    f"SELECT {ALL} FROM T WHERE PartitionKey IN ('p9', 'p15', 'p2', 'none')",
    f"SELECT {ALL} FROM T WHERE PartitionKey IN ('p0', 'p3') AND RowKey IN ('01500', '01501', '00004', '03000', '03004')",
    f"SELECT {ALL} FROM T WHERE PartitionKey = 'p2' OR (PartitionKey = 'p0' AND RowKey < '01250') OR A IN (5, 6, 7, -950)",
    f"SELECT {KEYS}, B FROM T WHERE PartitionKey = 'p4' AND RowKey LIKE '%m'",
    f"SELECT {KEYS}, B FROM T WHERE PartitionKey LIKE 'P1%' AND RowKey GLOB '030*'",
    # properties that the transaction has changed
    f"SELECT {ALL} FROM T WHERE A < 0", f"SELECT {ALL} FROM T WHERE B IS NULL", f"SELECT {ALL} FROM T WHERE A IS NULL",
    f"SELECT {ALL} FROM T WHERE B = 'new' AND A > 10050", f"SELECT {KEYS}, D FROM T WHERE B = 'once'",
    f"SELECT {ALL} FROM T WHERE PartitionKey = 'p0' AND A = 900", f"SELECT {ALL} FROM T WHERE D > 624.9 OR D IS NULL",
    # aggregates
    "SELECT count(*) FROM T", "SELECT count(*), count(A), count(B), sum(A), min(A), max(A), total(D) FROM T",
    "SELECT min(PartitionKey), max(PartitionKey) FROM T", "SELECT min(RowKey) FROM T WHERE PartitionKey = 'p0'",
    "SELECT max(RowKey) FROM T WHERE PartitionKey = 'p0'", "SELECT DISTINCT PartitionKey FROM T ORDER BY 1",
    "SELECT PartitionKey, count(*), sum(A), min(RowKey), group_concat(DISTINCT B) IS NULL FROM T GROUP BY 1 ORDER BY 1",
    "SELECT B, count(*) FROM T GROUP BY B HAVING count(*) > 3 ORDER BY 1",
    # LIMIT, OFFSET, ORDER BY
    *(f"SELECT {KEYS} FROM T LIMIT {n} OFFSET {k}" for n, k in (
        (1, 0), (5, 0), (10, 595), (1000, 0), (3, 1100), (9, 9999))),
    f"SELECT {KEYS} FROM T WHERE PartitionKey = 'p0' LIMIT 3", f"SELECT {KEYS} FROM T WHERE PartitionKey = 'p2' LIMIT 2",
    f"SELECT {ALL} FROM T ORDER BY PartitionKey, RowKey LIMIT 20 OFFSET 100",
    f"SELECT {ALL} FROM T ORDER BY PartitionKey DESC, RowKey DESC LIMIT 20",
    f"SELECT {ALL} FROM T ORDER BY A DESC, PartitionKey, RowKey LIMIT 30",
    # joins and subqueries
    f"SELECT t.{KEYS.replace(', ', ', t.')}, t.A FROM wanted w JOIN T t ON t.PartitionKey = w.pk AND t.RowKey = w.rk",
    "SELECT w.pk, t.RowKey FROM wanted w LEFT JOIN T t ON t.PartitionKey = w.pk AND t.A = w.a WHERE w.a % 300 = 3 "
    "ORDER BY 1, 2",
    "SELECT count(*), sum(x.A) FROM T x JOIN T y ON y.PartitionKey = x.PartitionKey AND y.RowKey = x.RowKey WHERE "
    "x.PartitionKey IN ('p2', 'p15')",
    f"SELECT {KEYS} FROM T o WHERE PartitionKey = 'p2' AND EXISTS (SELECT 1 FROM T i WHERE i.PartitionKey = 'p3' AND "
    "i.RowKey > o.RowKey)",
    "SELECT pk, rk FROM wanted w WHERE NOT EXISTS (SELECT 1 FROM T t WHERE t.PartitionKey = w.pk AND t.RowKey = w.rk)",
    f"SELECT {KEYS} FROM T WHERE A = (SELECT max(A) FROM T ) UNION SELECT {KEYS} FROM T WHERE D = (SELECT min(D) FROM T )",
    "SELECT PartitionKey, RowKey, row_number() OVER (PARTITION BY PartitionKey ORDER BY RowKey) FROM T ORDER BY 1, 2",
]


class Rows:
    """`t` and `u` over the remote table, `native` with the same rows."""

    def setUp(self):
        super().setUp()
        self.virtual("t", "A INT32, B STRING, D DOUBLE")
        self.virtual("u", "D DOUBLE, Z STRING, B STRING, A INT32")
        self.query("CREATE TABLE native(PartitionKey TEXT, RowKey TEXT, A INTEGER, B TEXT, D REAL, "
                   "PRIMARY KEY (PartitionKey, RowKey)) WITHOUT ROWID")
        for table in ("t", "native"):
            self.query(f"INSERT INTO {table}({ALL}) {FILL}")
        self.query("CREATE TABLE wanted(pk, rk, a)")
        self.query("INSERT INTO wanted SELECT PartitionKey, RowKey, A FROM native WHERE A % 50 IN (0, 3)")

    def ask(self, question, table):
        sql = (question + " ").replace(" T ", f" {table} ")
        rows = self.query(sql)
        ordered = "ORDER BY" in question or "LIMIT" in question
        return rows if ordered else sorted(rows, key=repr)

    def same(self, moment):
        """Checks that every query has the same result on all three tables."""
        for question in QUESTIONS:
            expected = self.ask(question, "native")
            for table in ("t", "u"):
                with self.subTest(question, moment=moment, table=table):
                    self.assertEqual(expected, self.ask(question, table))

    def change(self, statements):
        for i, sql in enumerate(statements):
            self.query((sql + " ").replace(" T ", " native ").replace(" T(", " native("))
            table = "tu"[i % 2]
            self.query((sql + " ").replace(" T ", f" {table} ").replace(" T(", f" {table}("))

    def remote_rows(self):
        db = host.connect()
        self.virtual("reader", "A INT32, B STRING, D DOUBLE", db=db)
        rows = db.execute(f"SELECT {ALL} FROM reader").fetchall()
        db.close()
        return rows


class OwnWrites(Rows, host.SlowCase):
    def test_results_equal_an_ordinary_table(self):
        self.assertEqual(2500, self.query("SELECT count(*) FROM t")[0][0])
        self.query("BEGIN")
        self.change(FIRST)
        self.same("first")
        self.query("SAVEPOINT s")
        self.change(SECOND)
        self.same("second")
        self.query("ROLLBACK TO s")
        self.same("back")
        self.change(SECOND)
        egts = self.sent()
        self.query("COMMIT")
        self.assertGreater(self.sent(), egts)
        self.same("committed")
        self.assertEqual(self.query(f"SELECT {ALL} FROM native"), self.remote_rows())

    def test_rollback_drops_all_writes(self):
        for end in ("ROLLBACK", "ROLLBACK TO outer"):
            self.query("BEGIN")
            self.query("SAVEPOINT outer")
            self.change(FIRST + SECOND)
            self.query(end)
            self.same(end)
            self.query("ROLLBACK") if self.db.in_transaction else None
        self.assertEqual(self.query(f"SELECT {ALL} FROM native"), self.remote_rows())

    def test_columns_of_a_pending_row(self):
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey, A, _entity) VALUES ('p0', 'x', 1, "
                   "'{\"Z\":\"undeclared\",\"Big@odata.type\":\"Edm.Int64\",\"Big\":\"9007199254740993\"}')")
        self.query("UPDATE u SET Z = 'z', A = 2 WHERE PartitionKey = 'p0' AND RowKey = '00000'")
        self.query("UPDATE t SET B = NULL WHERE PartitionKey = 'p0' AND RowKey = '00000'")
        entity = '{"A":1,"Big@odata.type":"Edm.Int64","Big":"9007199254740993","Z":"undeclared"}'
        self.assertEqual([("undeclared", 1, None, None, entity)],
                         self.query("SELECT Z, A, B, Timestamp, _entity FROM u WHERE RowKey = 'x'"))
        self.assertEqual([("z", 2, None, 0.0, 1)], self.query("SELECT Z, A, B, D, Timestamp IS NOT NULL FROM u WHERE "
                                                              "PartitionKey = 'p0' AND RowKey = '00000'"))
        changed = "SELECT aztables_get(_entity, 'Z'), aztables_get(_entity, 'B'), aztables_get(_entity, 'A') FROM t WHERE "
        self.assertEqual([("z", None, 2)], self.query(changed + "PartitionKey = 'p0' AND RowKey = '00000'"))
        before = self.query("SELECT RowKey, _entity FROM t WHERE PartitionKey = 'p0' AND "
                            "(RowKey = 'x' OR RowKey < '00001')")
        self.query("COMMIT")
        for row, text in before:
            [(stored,)] = self.query("SELECT _entity FROM t WHERE PartitionKey = 'p0' AND RowKey = ?", row)
            self.assertEqual(text, stored)



class Filters(Rows, host.ServerCase):
    """Filters of properties while writes are pending."""

    def received(self, sql):
        """The rows of a query, and how many entities it received."""
        before = self.query("SELECT coalesce(max(id), 0) FROM aztables_requests")[0][0]
        rows = self.query(sql)
        return rows, self.query("SELECT coalesce(sum(entities), 0) FROM aztables_requests WHERE id > ?", before)[0][0]

    def test_filters_of_properties_ask_for_pending_entities(self):
        self.query("BEGIN")
        for table in ("native", "t"):
            self.query(f"UPDATE {table} SET A = 7, B = 'few' WHERE PartitionKey = 'p0' AND RowKey = '00020'")
            self.query(f"UPDATE {table} SET B = 'few' WHERE PartitionKey = 'p3' AND RowKey = '02604'")
            self.query(f"DELETE FROM {table} WHERE PartitionKey = 'p0' AND RowKey = '00014'")
            self.query(f"INSERT INTO {table}(PartitionKey, RowKey, A) VALUES ('p0', '00015', 7)")
        for where, entities in (("A = 7", 3), ("A = 10", 3), ("B = 'few'", 3), ("A >= 5 AND A < 8", 5), ("A = 2000", 4),
                                ("PartitionKey = 'p0' AND A = 7", 2), ("PartitionKey = 'p0' AND RowKey > '00100' AND A = 100", 1),
                                ("PartitionKey = 'p2' AND A = 7", 0)):
            for table in ("t", "u"):
                rows, received = self.received(f"SELECT {ALL} FROM {table} WHERE {where} ORDER BY {KEYS}")
                self.assertEqual(self.query(f"SELECT {ALL} FROM native WHERE {where} ORDER BY {KEYS}"), rows, where)
                self.assertEqual(entities, received, where)
        for table in ("native", "t"):
            self.query(f"UPDATE {table} SET A = -1 WHERE PartitionKey = 'p3' AND RowKey < '02800'")
            self.query(f"UPDATE {table} SET D = 0.5 WHERE A = 7 OR B = 'few'")
        self.assertEqual(self.ask(f"SELECT {ALL} FROM T WHERE D = 0.5", "native"), self.ask(f"SELECT {ALL} FROM T WHERE D = 0.5", "t"))
        self.query("COMMIT")
        self.same("committed")

    def test_savepoint_rolled_back_under_a_filter(self):
        self.query("BEGIN")
        self.query("UPDATE t SET A = -7 WHERE PartitionKey = 'p0' AND RowKey = '00020'")
        self.query("SAVEPOINT s")
        self.query("DELETE FROM t WHERE PartitionKey = 'p0' AND RowKey = '00020'")
        reader = self.db.execute("SELECT RowKey FROM t WHERE PartitionKey = 'p0' AND A < 3 ORDER BY RowKey")
        self.assertEqual(("00000",), reader.fetchone())
        self.query("ROLLBACK TO s")
        self.assertEqual([("00002",), ("00004",), ("00020",)], reader.fetchall())


class Cursors(Rows, host.SlowCase):
    """Cursors that are open while the transaction writes."""

    def test_cursor_sees_the_rows_from_its_start(self):
        for taken in (10, 1000, 1001, 2000):
            for table, begun in (("t", False), ("t", True), ("u", True)):
                with self.subTest(taken=taken, table=table, begun=begun):
                    self.query("BEGIN")
                    if begun:
                        self.query("DELETE FROM t WHERE PartitionKey = 'p0' AND RowKey < '00100'")
                        self.query("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p0', '02500x', 5), ('p2', 'y', 6)")
                        self.query("UPDATE t SET A = 0 WHERE PartitionKey = 'p3'")
                    expected = self.query(f"SELECT {KEYS}, A, B FROM {table}")
                    cursor = self.db.execute(f"SELECT {KEYS}, A, B FROM {table}")
                    rows = [cursor.fetchone() for _ in range(taken)]
                    self.query("UPDATE t SET A = A + 1, B = NULL")
                    self.query("UPDATE u SET RowKey = RowKey || 'z' WHERE PartitionKey >= 'p2'")
                    self.query("INSERT INTO u(PartitionKey, RowKey) VALUES ('', ''), ('p0', '02400x'), ('p4', '~'), "
                               "('p5', '')")
                    self.query("DELETE FROM t WHERE PartitionKey = 'p0' AND RowKey > '00500'")
                    self.assertEqual(expected, rows + cursor.fetchall())
                    self.assertNotEqual(expected, self.query(f"SELECT {KEYS}, A, B FROM {table}"))
                    self.query("ROLLBACK")

    def test_loop_that_changes_the_rows_it_reads(self):
        self.query("BEGIN")
        seen = 0
        for partition, row, a in self.db.execute("SELECT PartitionKey, RowKey, A FROM t WHERE PartitionKey <= 'p1'"):
            seen += 1
            if a % 2:
                self.query("DELETE FROM t WHERE PartitionKey = ? AND RowKey = ?", partition, row)
            else:
                self.query("UPDATE t SET RowKey = ? WHERE PartitionKey = ? AND RowKey = ?", row + "+", partition, row)
        self.assertEqual(1600, seen)
        self.query("COMMIT")
        self.query("DELETE FROM native WHERE PartitionKey <= 'p1' AND A % 2 = 1")
        self.query("UPDATE native SET RowKey = RowKey || '+' WHERE PartitionKey <= 'p1'")
        self.assertEqual(self.query(f"SELECT {ALL} FROM native"), self.remote_rows())


if __name__ == "__main__":
    unittest.main()
