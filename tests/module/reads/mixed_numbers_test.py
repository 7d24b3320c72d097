#!/usr/bin/env python3
"""Properties that are Int32 in some entities and Int64 or Double in others. The tests
check the inferred column and the filters of comparisons. The rows must equal those of an ordinary
table. An UPDATE must keep the type of each entity.
"""

import pathlib
import sqlite3
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
MOST = 2**31 - 1


def int64(value):
    return f'"N@odata.type":"Edm.Int64","N":"{value}"'


INT32, INT64, DOUBLE = '"N":5', int64(5), '"N":5.0'


class Tests:
    """The tests, for each service."""

    def setUp(self):
        super().setUp()
        self.query(f"CREATE VIRTUAL TABLE raw USING aztables(table={self.table}, connection=demo, infer=off)")

    def put(self, *properties):
        """Writes one entity for each of these values of N. The RowKeys are 00, 01 ..."""
        for number, text in enumerate(properties):
            self.query("INSERT INTO raw(PartitionKey, RowKey, _entity) VALUES ('p', ?, ?)", f"{number:02}", f"{{{text}}}")

    def infer(self, name="t"):
        self.query(f"CREATE VIRTUAL TABLE {name} USING aztables(table={self.table}, connection=demo)")
        return self.query("SELECT type FROM pragma_table_info(?) WHERE name = 'N'", name)[0][0]

    def entities(self):
        return [text.strip("{}") for text, in self.query("SELECT _entity FROM raw ORDER BY RowKey")]

    def filter_of(self, sql, *parameters):
        """The filter of the only request of a statement, or None if there is no request, and its
        rows.
        """
        before = self.query("SELECT coalesce(max(id), 0) FROM aztables_requests")[0][0]
        rows = self.query(sql, *parameters)
        sent = self.query("SELECT coalesce(filter, '') FROM aztables_requests WHERE id > ?", before)
        self.assertLessEqual(len(sent), 1)
        return (sent[0][0] if sent else None), rows

    def test_inferred_types(self):
        inexact = int64(2**53 + 1)
        for properties, shown, kind in (([INT32, INT64], "BIGINT", "INT64"), ([INT32, inexact], "BIGINT", "INT64"),
                                        ([DOUBLE, INT32], "REAL", "DOUBLE"), ([DOUBLE, INT64], "REAL", "DOUBLE"),
                                        ([INT64, DOUBLE, INT32], "REAL", "DOUBLE"), ([DOUBLE, inexact], "", "ANY"),
                                        ([DOUBLE, INT32, inexact], "", "ANY"), ([INT32, '"N":"5"'], "", "ANY"),
                                        ([INT32, DOUBLE, '"N":true'], "", "ANY")):
            with self.subTest(properties):
                self.query("DELETE FROM raw")
                self.put(*properties)
                self.assertEqual(shown, self.infer())
                self.assertEqual([(kind, "N")], self.query("SELECT type, column_name FROM aztables_infer(?)", f"demo.{self.table}"))
                self.assertIn(f"  N {kind}\n", self.query("SELECT aztables_schema(?)", f"demo.{self.table}")[0][0])
                self.query("DROP TABLE t")

    def test_refresh_widens(self):
        self.put(INT32)
        self.assertEqual("INTEGER", self.infer())
        for added, shown, kind in ((INT64, "BIGINT", "INT64"), ('"N":0.5', "REAL", "DOUBLE"), ('"N":"x"', "", "ANY")):
            self.query("INSERT INTO raw(PartitionKey, RowKey, _entity) VALUES ('q', ?, ?)", kind, f"{{{added}}}")
            self.query("INSERT INTO t(_command) VALUES('refresh')")
            self.assertEqual([(shown,)], self.query("SELECT type FROM pragma_table_info('t') WHERE name = 'N'"))

    def check_as_native(self, affinity, values, constants):
        """The inferred table and an ordinary one return the same rows, and every comparison with a
        number is sent.
        """
        self.query(f"CREATE TABLE native(RowKey TEXT, N {affinity})")
        for number, value in enumerate(values):
            self.query("INSERT INTO native VALUES (?, ?)", f"{number:02}", value)
        self.assertEqual(affinity, self.infer())
        self.query("INSERT INTO t(_command) VALUES ('mismatch=null')")  # filters without type arms
        both = "SELECT RowKey, N, typeof(N), N || '' FROM {} WHERE {} ORDER BY RowKey"
        for constant in constants:
            for operator in ("=", "<", "<=", ">", ">=", "<>", "IS"):
                where = f"N {operator} {constant}"
                filter, rows = self.filter_of(both.format("t", where))
                self.assertEqual(self.query(both.format("native", where)), rows, where)
                # no request is sent
                no_integer = operator in ("=", "IS") and constant == 4.5 and affinity == "BIGINT"
                self.assertEqual(no_integer, filter is None, where)
                self.assertEqual(operator != "<>" and not no_integer, "N " in (filter or ""), (where, filter))
        for where in ("N IN (5, 0.5, 2147483648)", "N BETWEEN -1 AND 5.5", "N IS NOT NULL", "N % 2 = 1", "N + 0 > 5",
                      f"N = {-MOST - 1}", f"N <= {-MOST - 1}", f"N > {-MOST - 1}", f"N IN ({-2**63}, {2**63 - 1})"):
            self.assertEqual(self.query(both.format("native", where)), self.query(both.format("t", where)), where)
        for what in ("total(N), avg(N), min(N), max(N), sum(N % 100), typeof(sum(N % 100))", "group_concat(N)", "DISTINCT N"):
            sql = f"SELECT {what} FROM (SELECT N FROM {{}} ORDER BY RowKey)"
            self.assertEqual(self.query(sql.format("native")), self.query(sql.format("t")), what)
        sql = "SELECT a.RowKey, b.RowKey FROM {0} a JOIN {0} b ON a.N = b.N ORDER BY 1, 2"
        self.assertEqual(self.query(sql.format("native")), self.query(sql.format("t")))

    def test_integers_equal_an_ordinary_table(self):
        values = [5, 5, MOST, MOST, MOST + 1, -MOST - 1, -MOST - 2, 2**53 + 1, 2**63 - 1, 0, None]
        self.put(*[f'"N":{value}' if number in (0, 2, 5, 9) else int64(value) for number, value in enumerate(values[:-1])], "")
        self.check_as_native("BIGINT", values, [5, 5.0, 4.5, 0, MOST, MOST + 1, -MOST, -MOST - 2, 2**53 + 1, "'5'"])

    def test_reals_equal_an_ordinary_table(self):
        values = [5, 5, 5.0, 5.5, -3, 2**53, 2.5e-7, 0, MOST + 1, None]
        texts = [INT32, INT64, DOUBLE, '"N":5.5', '"N":-3', int64(2**53), '"N":2.5e-7', '"N":0', int64(MOST + 1), ""]
        self.put(*texts)
        self.check_as_native("REAL", values, [5, 5.0, 4.5, 0, -3, MOST + 1, 2**53, 2**53 + 1, 2.5e-7, 1e300, "'5'"])

    def check_update(self, cases, columns="N INT64"):
        """cases: the value of N in the entity, the new value, and the expected value."""
        for place, of in (("UPDATE t SET N = new.v FROM new WHERE RowKey = k", "FROM"),
                          ("UPDATE t SET N = (SELECT v FROM new WHERE k = RowKey)", "SET"),
                          ("UPDATE t SET N = (SELECT v FROM new WHERE k = RowKey), PartitionKey = 'moved'", "moved"),
                          ("UPDATE t SET N = (SELECT v FROM new WHERE k = RowKey), _entity = _entity", "_entity"),
                          ("INSERT", "INSERT")):
            with self.subTest(of):
                self.query("DELETE FROM raw")
                self.query("DROP TABLE IF EXISTS new")
                self.query("CREATE TABLE new(k TEXT, v)")
                self.put(*[case[0] for case in cases])
                for number, case in enumerate(cases):
                    self.query("INSERT INTO new VALUES (?, ?)", f"{number:02}", case[1])
                self.query(f"CREATE VIRTUAL TABLE t USING aztables(table={self.table}, connection=demo, {columns})")
                if place == "INSERT":  # there is no type to keep
                    self.query("DELETE FROM raw WHERE RowKey > '00'")
                    self.query("INSERT OR REPLACE INTO t(PartitionKey, RowKey, N) SELECT 'p', k, v FROM new WHERE k = '00'")
                    self.assertEqual([cases[0][3]], self.entities())
                else:
                    self.query(place)
                    self.assertEqual([case[2] for case in cases], self.entities())
                self.query("DROP TABLE t")

    def test_update_keeps_the_type_in_an_integer_column(self):
        self.check_update([(INT32, 6, '"N":6', int64(6)), (INT64, 6, int64(6)), (INT32, MOST, f'"N":{MOST}'),
                           (INT32, MOST + 1, int64(MOST + 1)), (INT32, -MOST - 1, f'"N":{-MOST - 1}'),
                           (INT32, -MOST - 2, int64(-MOST - 2)), (INT32, "7", '"N":7'), (INT32, 7.0, '"N":7'),
                           ("", 6, int64(6)), (INT32, 5, INT32), (INT32, None, "")])

    def test_update_keeps_the_type_in_a_real_column(self):
        self.check_update([(INT32, 6, '"N":6', '"N":6.0'), (INT64, 6, int64(6)), (DOUBLE, 6, '"N":6.0'), (INT32, 5.5, '"N":5.5'),
                           (INT64, 5.5, '"N":5.5'), (INT32, 5e9, '"N":5000000000.0'), (INT64, 5e9, int64(5000000000)),
                           (INT64, 1e300, '"N":1E+300'), ("", 6, '"N":6.0'), (INT32, "6", '"N":6'), (INT64, 5, INT64)],
                          "N DOUBLE")

    def test_update_of_an_inferred_table(self):
        self.put(INT32, INT64, '"N":2147483647', int64(MOST))
        self.assertEqual("BIGINT", self.infer())
        self.query("UPDATE t SET N = N + 1")
        self.assertEqual(['"N":6', int64(6), int64(MOST + 1), int64(MOST + 1)], self.entities())
        self.query("UPDATE t SET N = N - 1")  # the Int64 stays an Int64
        self.assertEqual([INT32, INT64, int64(MOST), int64(MOST)], self.entities())

    def test_update_in_a_transaction(self):
        self.put(INT32, INT64)
        self.infer()
        self.query("BEGIN")
        self.query("UPDATE t SET N = N + 1")
        self.query("UPDATE t SET N = N + 1 WHERE PartitionKey = 'p' AND RowKey = '00'")
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p', '02', 1)")
        self.query("UPDATE t SET N = N + 1 WHERE RowKey = '02'")
        self.assertEqual([(7,), (6,), (2,)], self.query("SELECT N FROM t WHERE N > 0"))
        self.query("COMMIT")
        self.assertEqual(['"N":7', int64(6), int64(2)], self.entities())

    def test_other_types_become_the_type_of_the_column(self):
        self.put('"N":"x"', '"N":true', '"N":5.5', '"N":5')
        self.virtual("longs", "N INT64", mismatch="null")
        self.query("UPDATE longs SET N = 1")
        self.assertEqual([int64(1), int64(1), int64(1), '"N":1'], self.entities())

    def test_column_of_any_type_keeps_types(self):
        guid, date = "c9da6455-213d-42c9-9a79-3e9149a57833", "2026-11-20T10:15:00.0000000Z"
        typed = f'"N@odata.type":"Edm.Guid","N":"{guid}"', f'"N@odata.type":"Edm.DateTime","N":"{date}"'
        self.put('"N":"x"', '"N":true', '"N":5.5', '"N":5', int64(5), *typed, "")
        self.virtual("anything", "N ANY")
        self.query("UPDATE anything SET N = 1")
        self.assertEqual([int64(1), '"N":true', '"N":1.0', '"N":1', int64(1), int64(1), int64(1), int64(1)], self.entities())
        self.query("UPDATE anything SET N = N + 1.0")
        self.assertEqual([int64(2), '"N":2.0', '"N":2.0', '"N":2', int64(2), int64(2), int64(2), int64(2)], self.entities())
        self.put_at("05", typed[0])
        self.put_at("06", typed[1])
        self.query("BEGIN")
        self.query("UPDATE anything SET N = ? WHERE RowKey = '05'", guid.replace("c9", "c8"))
        self.query("UPDATE anything SET N = ? WHERE RowKey = '06'", date.replace("10:15", "10:16"))
        self.query("UPDATE anything SET N = ? WHERE RowKey = '06'", date.replace("10:15", "10:17"))
        self.query("COMMIT")
        self.assertEqual([typed[0].replace("c9", "c8"), typed[1].replace("10:15:00.0000000", "10:17:00")], self.entities()[5:7])
        self.query("UPDATE anything SET N = '2026-11-20' WHERE RowKey = '06'")
        self.assertEqual('"N":"2026-11-20"', self.entities()[6])

    def put_at(self, row, text):
        self.query("UPDATE raw SET _entity = ? WHERE RowKey = ?", f"{{{text}}}", row)

    def test_two_columns_of_one_property(self):
        self.put(INT32)
        self.virtual("two", "a INT64 PROPERTY 'N', b DOUBLE PROPERTY 'N'")
        self.query("UPDATE two SET a = 6, b = 6")
        self.assertEqual(['"N":6'], self.entities())


class Local(Tests, host.LocalCase):
    pass


class Server(Tests, host.ServerCase):
    pass


if __name__ == "__main__":
    unittest.main()
