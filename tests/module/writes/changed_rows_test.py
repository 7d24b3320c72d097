#!/usr/bin/env python3
"""Which rows and properties a statement changes. Rows are chosen by rowid, by ORDER BY ... LIMIT
and by OR, each one once. Only the properties that the statement sets change, regardless of the
values of other columns.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402


class Rows(host.Case):
    """Tables `t` over the remote table and `native` with the same rows. Both get the same
    changes.
    """

    def setUp(self):
        super().setUp()
        self.virtual("t")
        self.query("CREATE TABLE native(PartitionKey TEXT, RowKey TEXT, A INTEGER, B TEXT, "
                   "PRIMARY KEY (PartitionKey, RowKey)) WITHOUT ROWID")
        rows = [(p, f"{i:02}", i, f"b{i % 3}") for p in "abc" for i in range(12)]
        self.query("BEGIN")
        for table in ("t", "native"):
            self.db.executemany(f"INSERT INTO {table}(PartitionKey, RowKey, A, B) VALUES (?, ?, ?, ?)", rows)
        self.query("COMMIT")

    def rows(self):
        return self.query("SELECT PartitionKey, RowKey, A, B FROM native ORDER BY 1, 2")

    def same(self, sql):
        """Runs a change of `T` on both tables in autocommit, and checks that all rows are equal."""
        with self.subTest(sql):
            counts = [self.db.execute(sql.replace(" T ", f" {table} ")).rowcount for table in ("t", "native")]
            self.assertEqual(counts[0], counts[1])
            self.assertGreater(counts[0], 0)
            self.assertEqual(self.rows(), self.remote("PartitionKey, RowKey, A, B"))

    def test_or(self):
        for sql in ("UPDATE T SET A = A + 100 WHERE (PartitionKey = 'a' AND RowKey = '01') OR (PartitionKey = 'b' AND "
                    "RowKey = '02') OR A = 1",
                    "UPDATE T SET B = B || '+' WHERE PartitionKey = 'a' OR RowKey < '03' OR A > 110",
                    "UPDATE T SET RowKey = RowKey || 'x' WHERE PartitionKey = 'c' OR (PartitionKey = 'b' AND "
                    "RowKey > '08') OR RowKey = '05'",
                    "DELETE FROM T WHERE (PartitionKey = 'a' AND RowKey < '03') OR (PartitionKey = 'a' AND RowKey < '05') "
                    "OR B = 'b2'",
                    "DELETE FROM T WHERE PartitionKey IN ('b', 'c', 'b') AND (RowKey = '03x' OR RowKey = '03' OR "
                    "RowKey > '09')",
                    "DELETE FROM T WHERE PartitionKey = 'a' OR PartitionKey = 'b' OR PartitionKey >= 'a'"):
            self.same(sql)
        self.assertEqual([], self.remote())

    def test_order_by_and_limit(self):
        for sql in ("DELETE FROM T WHERE TRUE ORDER BY PartitionKey DESC, RowKey LIMIT 5",
                    "UPDATE T SET A = -1 WHERE A > 3 ORDER BY PartitionKey, RowKey DESC LIMIT 4 OFFSET 2",
                    "UPDATE T SET RowKey = 'z' || RowKey WHERE TRUE ORDER BY A, PartitionKey LIMIT 7",
                    "DELETE FROM T WHERE PartitionKey = 'b' ORDER BY RowKey LIMIT 2"):
            self.same(sql)

    def test_rows_that_a_statement_has_read_need_no_request(self):
        """SQLite makes `rowid IN (SELECT rowid ...)` of a LIMIT, and reads these rows again."""
        kinds = self.requests_of("DELETE FROM t WHERE A > 3 LIMIT 6")[1]
        self.assertEqual({"table scan", "EGT"}, set(kinds))
        self.assertEqual(30, len(self.remote()))
        # A second condition needs a property, so the rows are read again.
        kinds = self.requests_of("DELETE FROM t WHERE rowid IN (SELECT rowid FROM t WHERE PartitionKey = 'b' LIMIT 4) "
                                 "AND A % 2")[1]
        self.assertEqual(4, kinds.count("point"), kinds)
        self.assertEqual(28, len(self.remote()))
        # Keys and the ETag are known.
        kinds = self.requests_of("DELETE FROM t WHERE rowid IN (SELECT rowid FROM t WHERE PartitionKey = 'b' LIMIT 4) "
                                 "AND RowKey < '02' AND _etag LIKE 'W/%'")[1]
        self.assertEqual(0, kinds.count("point"), kinds)
        self.assertEqual(27, len(self.remote()))
        # An UPDATE needs the whole entity.
        kinds = self.requests_of("UPDATE t SET A = -5 WHERE PartitionKey = 'c' LIMIT 5")[1]
        self.assertEqual(5, kinds.count("point"), kinds)
        self.assertEqual(5, len(self.remote(where="A = -5")))

    def test_a_limit_over_pending_rows(self):
        for bulk in ("off", "on"):
            self.query(f"INSERT INTO t(_command) VALUES ('bulk={bulk}')")
            for sql in ("UPDATE T SET A = A + 1000 WHERE PartitionKey = 'new' LIMIT 3",
                        "DELETE FROM T WHERE PartitionKey >= 'c' AND A % 2 ORDER BY PartitionKey DESC, RowKey LIMIT 4"):
                with self.subTest(sql, bulk=bulk):
                    self.query("BEGIN")
                    for table in ("t", "native"):
                        self.query(f"DELETE FROM {table} WHERE PartitionKey = 'c' AND RowKey IN ('01', '02')")
                        self.query(f"UPDATE {table} SET A = A + 1 WHERE PartitionKey = 'c'")
                        self.query(f"INSERT OR REPLACE INTO {table}(PartitionKey, RowKey, A) VALUES ('new', '1', 1), "
                                   "('new', '2', 2), ('c', '99', 3)")
                        self.query(sql.replace(" T ", f" {table} "))
                    self.assertEqual(self.rows(), self.query("SELECT PartitionKey, RowKey, A, B FROM t ORDER BY 1, 2"))
                    self.query("COMMIT")
                    self.assertEqual(self.rows(), self.remote("PartitionKey, RowKey, A, B"))

    def test_somebody_else_changes_a_row_before_a_delete_with_limit_ends(self):
        self.query("BEGIN")
        self.query("DELETE FROM t WHERE PartitionKey = 'b' LIMIT 3")
        other = host.connect()
        self.virtual("o", db=other)
        other.execute("UPDATE o SET A = 77 WHERE PartitionKey = 'b' AND RowKey = '01'")
        other.close()
        self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_VTAB", "RowKey='01'", "COMMIT")
        self.assertEqual(36, len(self.remote()))

    def test_a_list_of_rowids(self):
        ids = [rowid for rowid, in self.query("SELECT rowid FROM t WHERE PartitionKey = 'a'")]
        plan = " ".join(row[3] for row in self.query("EXPLAIN QUERY PLAN SELECT A FROM t WHERE rowid IN (1, 2)"))
        self.assertIn("point: rowid in ?1; select PartitionKey,RowKey,A", plan)
        marks = ", ".join("?" * len(ids))
        rows, kinds = self.requests_of(f"SELECT RowKey FROM t WHERE rowid IN (NULL, 'x', {marks})", *ids)
        self.assertEqual([(f"{i:02}",) for i in range(12)], rows)
        self.assertEqual({"point"}, set(kinds))
        self.assertEqual([("00",)], self.query("SELECT RowKey FROM t WHERE rowid IN (?, ?, ?)", ids[0], str(ids[0]),
                                               float(ids[0])))
        self.assertEqual([], self.query("SELECT RowKey FROM t WHERE rowid IN ()"))
        self.assertEqual([], self.query("SELECT RowKey FROM t WHERE rowid IN (NULL, 'x', x'31')"))
        self.assertEqual(35, len(self.query("SELECT RowKey FROM t WHERE rowid NOT IN (?)", ids[3])))
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "the rowid 999999 is no longer known",
                   "DELETE FROM t WHERE rowid IN (?, 999999)", ids[0])
        self.query("DELETE FROM t WHERE rowid IN (?, ?)", ids[1], ids[2])
        self.assertEqual([(1,), (1,)], self.query("SELECT 1 FROM t WHERE rowid IN (?, ?, ?, ?)", *ids[:4]))
        self.assertEqual(34, len(self.remote()))

    def test_joins_and_subqueries(self):
        self.query("CREATE TABLE chosen(pk, rk, v)")
        self.query("INSERT INTO chosen VALUES ('a', '01', 71), ('b', '11', 72), ('b', '99', 73)")
        for sql in ("UPDATE T SET A = v FROM chosen WHERE PartitionKey = pk AND RowKey = rk",
                    "UPDATE T SET B = (SELECT max(B) FROM T WHERE PartitionKey = 'c') WHERE RowKey IN "
                    "(SELECT rk FROM chosen)",
                    "DELETE FROM T WHERE (PartitionKey, RowKey) IN (SELECT pk, rk FROM chosen)",
                    "DELETE FROM T WHERE A < (SELECT avg(A) FROM T )"):
            self.same(sql)

    def rowids(self, where):
        return dict(self.query(f"SELECT PartitionKey || RowKey, rowid FROM t WHERE {where}"))

    def test_rowid_of_an_earlier_statement(self):
        ids = self.rowids("RowKey < '04'")
        self.assertEqual(12, len(set(ids.values())))
        self.query("UPDATE t SET A = 50 WHERE rowid = ?", ids["a01"])
        self.query("DELETE FROM t WHERE rowid = ?", ids["b02"])
        self.query("BEGIN")
        self.query("UPDATE t SET A = A + 1 WHERE rowid = ?", ids["a01"])
        self.query("UPDATE t SET B = 'x' WHERE rowid IN (?, ?, ?)", ids["a01"], ids["c03"], ids["b02"])
        self.query("DELETE FROM t WHERE rowid = ? OR rowid = ?", ids["a00"], ids["b02"])
        self.assertEqual([], self.query("SELECT A FROM t WHERE rowid = ?", ids["a00"]))
        self.query("COMMIT")
        self.query("UPDATE native SET A = 51, B = 'x' WHERE PartitionKey = 'a' AND RowKey = '01'")
        self.query("UPDATE native SET B = 'x' WHERE PartitionKey = 'c' AND RowKey = '03'")
        self.query("DELETE FROM native WHERE (PartitionKey, RowKey) IN (VALUES ('a', '00'), ('b', '02'))")
        self.assertEqual(self.rows(), self.remote("PartitionKey, RowKey, A, B"))
        self.assertEqual(ids["a01"], self.rowids("A = 51")["a01"], "it stays")
        before = self.remote("*")
        for sql in ("UPDATE t SET A = 1 WHERE rowid = 999999", "DELETE FROM t WHERE rowid = 999999"):
            self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "the rowid 999999 is no longer known", sql)
        self.assertEqual(before, self.remote("*"))

    def test_rowid_of_a_pending_insert(self):
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('n', '1', 1)")
        [(rowid,)] = self.query("SELECT last_insert_rowid()")
        self.assertEqual([("n", "1", 1)], self.query("SELECT PartitionKey, RowKey, A FROM t WHERE rowid = ?", rowid))
        self.query("UPDATE t SET A = A + 1 WHERE rowid = last_insert_rowid()")
        self.assertEqual([(rowid, 2)], self.query("SELECT rowid, A FROM t WHERE PartitionKey = 'n'"))
        self.query("COMMIT")
        self.query("UPDATE t SET A = A + 1 WHERE rowid = ?", rowid)
        self.assertEqual([("n", "1", 3)], self.remote("PartitionKey, RowKey, A", "PartitionKey = 'n'"))
        self.query("DELETE FROM t WHERE rowid = ?", rowid)
        self.assertEqual(36, len(self.remote()))
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('n', '1')")
        self.query("DELETE FROM t WHERE rowid = last_insert_rowid()")
        self.query("COMMIT")
        self.assertEqual(36, len(self.remote()))

    def test_rowids_of_several_pending_inserts(self):
        self.query("BEGIN")
        ids = []
        for row in "xyz":
            self.query("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('n', ?, 0)", row)
            ids += self.query("SELECT last_insert_rowid()")[0]
        self.assertEqual(3, len(set(ids)))
        self.assertEqual([("z",)], self.query("SELECT RowKey FROM t WHERE rowid = ?", ids[2]))
        # The last rowid is known. An earlier one finds its row or fails. It never finds another
        # row.
        for row, rowid in zip("xy", ids):
            try:
                self.assertEqual([(row,)], self.query("SELECT RowKey FROM t WHERE rowid = ?", rowid))
            except sqlite3.OperationalError as error:
                self.assertIn(f"the rowid {rowid} is no longer known", str(error))
        self.query("ROLLBACK")


class Properties(host.Case):
    """Properties that an UPDATE must not change. `t` declares some properties of one entity, `raw`
    none.
    """

    ENTITY = ('{"N":1,"S":"old","Wrong":"text","Nan@odata.type":"Edm.Double","Nan":"NaN","Big@odata.type":"Edm.Int64",'
              '"Big":"9007199254740993","When@odata.type":"Edm.DateTime","When":"2026-11-20T10:15:30.1234567Z",'
              '"Blob@odata.type":"Edm.Binary","Blob":"AAEC","Undeclared@odata.type":"Edm.Guid",'
              '"Undeclared":"00000000-0000-4000-8000-00000000000a"}')
    COLUMNS = ("N INT32, S STRING, Wrong INT32, Nan DOUBLE, Any ANY PROPERTY 'Big', Made DATETIME PROPERTY 'When', "
               "Blob BINARY")

    def setUp(self):
        super().setUp()
        self.virtual("t", self.COLUMNS)
        self.virtual("lax", self.COLUMNS, mismatch="null")
        self.virtual("raw", "N INT32, S STRING")
        self.query("INSERT INTO raw(PartitionKey, RowKey, _entity) VALUES ('p', '1', ?)", self.ENTITY)
        self.whole = self.properties()
        self.assertEqual(8, len(self.whole))

    def properties(self):
        """{name: (value, type)} of the remote entity."""
        db = host.connect()
        self.virtual("reader", "N INT32", db=db)
        rows = db.execute("SELECT e.name, e.value, e.type FROM reader r, aztables_each(r._entity) e").fetchall()
        db.close()
        return {name: (value, kind) for name, value, kind in rows}

    def changes(self, sql, **expected):
        """Checks that a statement makes exactly these changes of properties. None: the property is
        removed.
        """
        self.query("INSERT OR REPLACE INTO raw(PartitionKey, RowKey, _entity) VALUES ('p', '1', ?)", self.ENTITY)
        self.query(sql)
        want = {**self.whole, **expected}
        self.assertEqual({name: value for name, value in want.items() if value}, self.properties(), sql)

    def test_one_column(self):
        new = {"S": ("new", "STRING")}
        for table in ("t", "lax"):
            self.changes(f"UPDATE {table} SET S = 'new'", **new)
            self.changes(f"UPDATE {table} SET S = 'new' WHERE PartitionKey = 'p' AND N = 1", **new)
            self.changes(f"UPDATE {table} SET S = NULL", S=None)
            self.changes(f"UPDATE {table} SET S = NULL, N = 2", S=None, N=(2, "INT32"))
            self.changes(f"UPDATE {table} SET RowKey = '2'")
            self.query("DELETE FROM raw")
            self.changes(f"UPDATE {table} SET Wrong = 3", Wrong=(3, "INT32"))
            self.changes(f"UPDATE {table} SET Wrong = NULL", Wrong=None)
            self.changes(f"UPDATE {table} SET Nan = 0.5", Nan=(0.5, "DOUBLE"))
            self.changes(f"UPDATE {table} SET Nan = NULL", Nan=None)

    def test_update_from(self):
        """Before 3.43, SQLite passes every column to xUpdate with its current value."""
        source = "FROM (SELECT '1' AS rk, 'new' AS s) n WHERE RowKey = n.rk"
        self.changes(f"UPDATE lax SET S = n.s {source}", S=("new", "STRING"))
        self.changes(f"UPDATE lax SET S = NULL {source}", S=None)
        self.changes(f"UPDATE lax SET N = N + 1 {source}", N=(2, "INT32"))
        self.changes(f"UPDATE lax SET Wrong = 3 {source}", Wrong=(3, "INT32"))
        self.changes(f"UPDATE lax SET RowKey = '2', S = n.s {source}", S=("new", "STRING"))
        self.query("DELETE FROM raw")
        self.changes(f"UPDATE lax SET Any = 5 {source}", Big=(5, "INT64"))
        if sqlite3.sqlite_version_info >= (3, 43):
            self.changes(f"UPDATE t SET S = n.s {source}", S=("new", "STRING"))
            return
        # With mismatch=error, reading the column fails as in a SELECT.
        self.changes("UPDATE raw SET N = 1")
        self.fails(sqlite3.IntegrityError, "SQLITE_MISMATCH", "property Wrong of the entity PartitionKey='p', RowKey='1'",
                   f"UPDATE t SET S = n.s {source}")
        self.assertEqual(self.whole, self.properties())

    def test_only_changed_properties_are_sent(self):
        """With concurrency=none, another client's change of another property stays."""
        other = host.connect()
        self.addCleanup(other.close)
        self.virtual("t", "N INT32, S STRING", db=other)
        self.query("INSERT INTO t(_command) VALUES ('concurrency=none')")
        for ours in ("UPDATE t SET S = 'ours'", "UPDATE t SET S = 'ours' WHERE N = 1",
                     "UPDATE t SET S = n.s FROM (SELECT 1 AS x, 'ours' AS s) n WHERE RowKey = n.x"):
            with self.subTest(ours):
                self.query("INSERT OR REPLACE INTO raw(PartitionKey, RowKey, _entity) "
                           "VALUES ('p', '1', '{\"N\":1,\"S\":\"a\"}')")
                self.query("BEGIN")
                self.query(ours)
                self.query("UPDATE t SET S = S || '!'")
                other.execute("UPDATE t SET N = 77, _entity = aztables_set(_entity, 'P', 1.5)")
                self.query("COMMIT")
                self.assertEqual({"N": (77, "INT32"), "S": ("ours!", "STRING"), "P": (1.5, "DOUBLE")}, self.properties())

    def test_update_without_a_new_value(self):
        """NULL for an absent property sends nothing. Writing the same value sends a request."""
        [(etag,)] = self.remote("_etag")
        sent = self.sent()
        self.query("UPDATE t SET Blob = NULL WHERE Blob = x'00'")
        self.query("UPDATE t SET RowKey = '1', PartitionKey = 'p'")
        self.assertEqual((sent, [(etag,)]), (self.sent(), self.remote("_etag")))
        self.query("UPDATE t SET S = 'old'")
        self.assertEqual(sent + 1, self.sent())
        self.assertEqual(self.whole, self.properties())

    def test_empty_row_key(self):
        """An empty key is legal. UPDATE and DELETE accept it, too."""
        self.query("SELECT aztables_connect('store', 'LocalStore=:memory:'), aztables_create_table('store.Things')")
        self.virtual("local", "N INT32", table="Things", connection="store")
        for table in ("local", "raw"):
            with self.subTest(table):
                self.query("BEGIN")
                self.query(f"INSERT INTO {table}(PartitionKey, RowKey, N) VALUES ('', '', 1), ('', 'x', 1), ('q', '', 1)")
                self.query("COMMIT")
                self.query(f"UPDATE {table} SET N = N + 1 WHERE PartitionKey = '' OR PartitionKey = 'q'")
                self.assertEqual([("", "", 2), ("", "x", 2), ("q", "", 2)], self.query(
                    f"SELECT PartitionKey, RowKey, N FROM {table} WHERE PartitionKey <> 'p' ORDER BY 1, 2"))
        # Azurite does not find the RowKey in such a DELETE in a batch
        self.query("DELETE FROM local WHERE RowKey = ''")
        self.assertEqual([("", "x")], self.query("SELECT PartitionKey, RowKey FROM local"))

    def test_columns_that_cannot_be_set(self):
        before = self.remote("*")
        for sql in ("UPDATE t SET Timestamp = '2026-01-01'", "UPDATE t SET _etag = 'x'", "UPDATE t SET _etag = NULL",
                    "UPDATE t SET rowid = 5", "UPDATE t SET _command = 'reset'"):
            with self.subTest(sql), self.assertRaises(sqlite3.OperationalError):
                self.query(sql)
        self.assertEqual(before, self.remote("*"))


if __name__ == "__main__":
    unittest.main()
