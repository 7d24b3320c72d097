#!/usr/bin/env python3
"""Checks Strings and keys with a lone surrogate. SQLite shows it as U+FFFD. `_entity` and writes
keep it, and no filter misses it. A row with a lone surrogate in its key can be read, but not
changed.

Each case of values runs on a local store in the process, on aztables-server and on Azurite. Keys
are written over HTTP.
"""

import json
import pathlib
import sqlite3
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402
import table_http  # noqa: E402

if __name__ == "__main__":
    host.enter()

COLUMNS = "S STRING, N INT32, A ANY"
TEXTS = ["\ud83d", "a\ud83d", "a\udc00b", "\udfff\ud800", "x\ud83d\U0001f600", "é\udbff\ufffd"]


def shown(text):
    return "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in text)


class Values:
    """Cases of properties, for every service."""

    def setUp(self):
        super().setUp()
        self.virtual("t", COLUMNS)

    def insert(self, row, text, n=1):
        self.query("INSERT INTO t(PartitionKey, RowKey, _entity) VALUES ('p', ?, ?)", row,
                   json.dumps({"S": text, "A": text, "N": n}))

    def stored(self, row="1"):
        (text,), = self.query("SELECT _entity FROM t WHERE RowKey = ?", row)
        return json.loads(text)

    def test_every_text_is_read_and_kept(self):
        for number, text in enumerate(TEXTS):
            self.insert(str(number), text, number)
        rows = self.query("SELECT S, A, N, aztables_get(_entity, 'S'), aztables_type(_entity, 'S'), _entity->>'N' FROM t")
        self.assertEqual([(shown(text), shown(text), n, shown(text), "STRING", n) for n, text in enumerate(TEXTS)], rows)
        for number, (entity,) in enumerate(self.query("SELECT _entity FROM t")):
            text = TEXTS[number]
            self.assertEqual({"S": text, "A": text, "N": number}, json.loads(entity))
            self.assertIn("\\ud", entity)
        self.assertEqual([(1,)], self.query("SELECT min(S = aztables_get(_entity, 'S')) FROM t"))
        for name in ("S", "A"):
            found = self.query("SELECT value FROM t, aztables_each(_entity) WHERE name = ? ORDER BY RowKey", name)
            self.assertEqual([(text.encode("utf-8", "surrogatepass"),) for text in TEXTS], found)

    def test_other_properties_are_changed(self):
        self.insert("1", "a\ud83d")
        for change, n in (("N = 2", 2), ("N = 3, S = S", 3), ("N = 4, _entity = _entity", 4),
                          ("_entity = aztables_set(_entity, 'N', 5)", 5), ("N = NULL", None), ("S = S, A = A", None),
                          ("N = 6, S = (SELECT S FROM t)", 6), ("RowKey = '1'", 6)):
            self.query(f"UPDATE t SET {change}")
            self.assertEqual({"S": "a\ud83d", "A": "a\ud83d"} | ({"N": n} if n else {}), self.stored(), change)
        self.query("UPDATE t SET N = other.n FROM (SELECT 7 AS n) AS other")
        self.assertEqual({"S": "a\ud83d", "A": "a\ud83d", "N": 7}, self.stored())
        self.query("UPDATE t SET RowKey = '2'")
        self.assertEqual({"S": "a\ud83d", "A": "a\ud83d", "N": 7}, self.stored("2"))
        self.query("UPDATE t SET S = 'new\ufffd', A = NULL")
        self.assertEqual({"S": "new\ufffd", "N": 7}, self.stored("2"))

    def test_pending_rows_show_and_keep_it(self):
        self.query("BEGIN")
        self.insert("1", "a\ud83d")
        self.assertEqual([("a\ufffd",)], self.query("SELECT S FROM t"))
        self.query("UPDATE t SET N = 8")
        self.assertEqual({"S": "a\ud83d", "A": "a\ud83d", "N": 8}, self.stored())
        self.query("COMMIT")
        self.assertEqual({"S": "a\ud83d", "A": "a\ud83d", "N": 8}, self.stored())

    def test_copy_keeps_it(self):
        for number, text in enumerate(TEXTS):
            self.insert(str(number), text, number)
        self.query(f"SELECT aztables_create_table('demo.{self.table}Copy')")
        self.virtual("copy", COLUMNS, table=self.table + "Copy")
        self.query("INSERT INTO copy(PartitionKey, RowKey, _entity) SELECT PartitionKey, RowKey, _entity FROM t")
        self.assertEqual([(1,)] * len(TEXTS), self.query("SELECT a._entity->>'S' = b._entity->>'S' AND a._entity ="
                                                         " b._entity FROM t AS a JOIN copy AS b USING (RowKey)"))

    def test_unpivot_and_group_keep_it(self):
        """Also through a table, and together with values of other types. A value that is not such a
        text is still an error.
        """
        for number, text in enumerate([*TEXTS, "plain", "\U0001f600\ufffd"]):
            self.insert(str(number), text, number)
        before = [json.loads(entity) for entity, in self.query("SELECT _entity FROM t")]
        together = "SELECT RowKey, aztables_group_entity(name, value, type)"
        rows = self.query(f"{together} FROM t, aztables_each(_entity) GROUP BY RowKey")
        self.assertEqual(before, [json.loads(entity) for _, entity in rows])
        self.query("CREATE TABLE apart AS SELECT RowKey, name, value, type FROM t, aztables_each(_entity)")
        self.assertEqual(rows, self.query(f"{together} FROM apart GROUP BY RowKey"))
        self.query(f"UPDATE t SET _entity = e FROM ({together} AS e FROM apart GROUP BY RowKey) AS a WHERE t.RowKey = a.RowKey")
        self.assertEqual(before, [json.loads(entity) for entity, in self.query("SELECT _entity FROM t")])
        self.assertEqual([('{"S":"\\ud83d"}',)],
                         self.query("""SELECT aztables_set('{"S":"a"}', 'S', value) FROM apart WHERE RowKey = '0' AND name = 'S'"""))
        for value, kind in (("x'61'", "STRING"), ("x'EDA0BDFF'", "STRING"), ("x'EDA0'", "STRING"), ("x'EDA0BD'", "INT32")):
            self.fails(sqlite3.IntegrityError, "SQLITE_MISMATCH", "", f"SELECT aztables_group_entity('S', {value}, '{kind}')")
        self.assertEqual([('{"S@odata.type":"Edm.Binary","S":"7aC9"}',)],
                         self.query("SELECT aztables_group_entity('S', x'EDA0BD', 'BINARY')"))

    def test_no_filter_misses_it(self):
        texts = TEXTS + ["\ufffd", "a\ufffd", "a", "b", "a\U0001f600", "a\ue000", "a\uffff", "\U00010000", "x\ufffdy"]
        for number, text in enumerate(texts):
            self.insert(f"{number:02}", text, number)
        self.query("CREATE TABLE native(PartitionKey TEXT, RowKey TEXT, S TEXT, A, N)")
        self.query("INSERT INTO native SELECT PartitionKey, RowKey, S, A, N FROM t")
        literals = sorted({shown(text) for text in texts} | {"a\ufffd\ufffd", "a\ufffe", "\ue000", "a\U00010000", "a\ud7ff"})
        for column in ("S", "A"):
            conditions = [f"{column} {op} '{literal}'" for literal in literals
                          for op in ("=", "<", "<=", ">", ">=", "IS", "<>")]
            conditions += [f"{column} LIKE '{literal}%'" for literal in literals]
            conditions += [f"{column} GLOB '{literal}*'" for literal in literals]
            conditions += [f"{column} IN ('b', '{literal}', 'zz')" for literal in literals]
            conditions += [f"{column} IN (SELECT S FROM native WHERE N % 2)", f"{column} BETWEEN 'a' AND 'a\ufffd'",
                           f"{column} IN ({', '.join(repr(shown(text)) for text in texts)})"]
            for where in conditions:
                wanted = self.query(f"SELECT N FROM native WHERE {where} ORDER BY N")
                self.assertEqual(wanted, self.query(f"SELECT N FROM t WHERE {where} ORDER BY N"), where)
            joined = self.query(f"SELECT t.N, native.N FROM native CROSS JOIN t ON t.{column} = native.{column} ORDER BY 1, 2")
            self.assertEqual(self.query(f"SELECT a.N, b.N FROM native a, native b WHERE a.{column} = b.{column} ORDER BY 1, 2"),
                             joined)

    def test_invalid_utf8_of_sqlite_is_still_an_error(self):
        for column in ("S", "A", "RowKey"):
            values = {"PartitionKey": "'p'", "RowKey": "'r'", column: "CAST(x'61eda0bd' AS TEXT)"}
            self.fails(sqlite3.IntegrityError, "SQLITE_MISMATCH", "is not valid UTF-8",
                       f"INSERT INTO t({', '.join(values)}) VALUES ({', '.join(values.values())})")


class LocalValues(Values, host.LocalCase):
    pass


class ServerValues(Values, host.ServerCase):
    pass


class AzuriteValues(Values, host.Case):
    pass


KEYS = [("p", "a\ud83d"), ("p", "a\ud83e"), ("p", "a\ufffd"), ("p", "a\U0001f600"), ("p", "a\ue000"), ("p", "a\uffff"),
        ("p", "b"), ("p", "\udc00\ud800"), ("q\ud800", "r2"), ("q\udbff", "r1"), ("q\ufffd", "r0"), ("q\U00010000", "r9"),
        ("r", "x")]


class Keys:
    """Cases of keys, for services that are accessed over HTTP."""

    def setUp(self):
        super().setUp()
        self.virtual("t", COLUMNS)
        self.client = table_http.Client(self.service.port)
        self.addCleanup(self.client.close)
        for number, (partition, row) in enumerate(KEYS):
            self.put(partition, row, number)

    def put(self, partition, row, number):
        entity = {"PartitionKey": partition, "RowKey": row, "N": number, "S": "s\udead"}
        status, _, body = self.client.send("POST", f"/{self.table}", entity, {"Prefer": "return-no-content"})
        self.assertEqual(204, status, body)

    def native(self):
        self.query("CREATE TABLE native(PartitionKey TEXT, RowKey TEXT, N)")
        self.query("INSERT INTO native SELECT PartitionKey, RowKey, N FROM t")

    def test_they_are_read(self):
        self.native()
        self.assertEqual([(len(KEYS),)], self.query("SELECT count(*) FROM t"))
        for name in ("PartitionKey", "RowKey"):
            for text in ("a\ufffd", "q\ufffd", "\ufffd\ufffd", "a\U0001f600", "a\ud7ff", "\ud7ff", "a\ue000", "b", "q", "p"):
                for op in ("=", "<", "<=", ">", ">=", "IS", "<>"):
                    self.same(f"{name} {op} '{text}'")
                self.same(f"{name} LIKE '{text}%'")
                self.same(f"{name} GLOB '{text}*'")
                self.same(f"{name} IN ('{text}', 'b', 'p')")
                self.same(f"PartitionKey = 'p' AND RowKey = '{text}'")
                self.same(f"PartitionKey IN ('p', 'q\ufffd') AND RowKey IN ('{text}', 'r1')")
        joined = "SELECT a.N, b.N FROM {} a JOIN {} b USING (PartitionKey, RowKey) ORDER BY 1, 2"
        self.assertEqual(self.query(joined.format("native", "native")), self.query(joined.format("native", "t")))

    def same(self, where):
        wanted = self.query(f"SELECT N FROM native WHERE {where} ORDER BY N")
        self.assertEqual(wanted, self.query(f"SELECT N FROM t WHERE {where} ORDER BY N"), where)

    def test_keys_are_in_the_order_of_the_shown_texts(self):
        self.native()
        for sql in ("SELECT PartitionKey, RowKey FROM {} ORDER BY PartitionKey, RowKey",
                    "SELECT PartitionKey, count(*) FROM {} GROUP BY PartitionKey",
                    "SELECT DISTINCT PartitionKey FROM {} ORDER BY 1",
                    "SELECT count(*) FROM (SELECT DISTINCT PartitionKey FROM {})",
                    "SELECT RowKey, N FROM {} WHERE PartitionKey = 'q\ufffd' ORDER BY RowKey",
                    "SELECT PartitionKey, N FROM {} WHERE RowKey = 'r1' ORDER BY PartitionKey",
                    "SELECT min(RowKey), max(RowKey), min(PartitionKey), max(PartitionKey) FROM {}"):
            self.assertEqual(self.query(sql.format("native")), self.query(sql.format("t")), sql)

    def test_distinct_shows_equal_texts_once(self):
        for number, partition in enumerate(("d\ud83d", "d\ud83dz", "d\ud83e")):
            self.put(partition, "r", 100 + number)
        self.native()
        self.ordered("SELECT count(*), count(DISTINCT p) FROM (SELECT DISTINCT PartitionKey AS p FROM {})")

    def test_limit_makes_pages_small(self):
        self.native()
        for order in ("PartitionKey, RowKey", "PartitionKey"):
            for limit in range(1, len(KEYS)):
                self.ordered(f"SELECT PartitionKey FROM {{}} ORDER BY {order} LIMIT {limit}")
                self.ordered(f"SELECT PartitionKey FROM {{}} ORDER BY {order} LIMIT 1 OFFSET {limit}")
        for partition in ("p", "q\ufffd"):
            self.ordered(f"SELECT RowKey FROM {{}} WHERE PartitionKey = '{partition}' ORDER BY RowKey LIMIT 1")
            self.ordered(f"SELECT min(RowKey) FROM {{}} WHERE PartitionKey = '{partition}'")

    def ordered(self, sql):
        self.assertEqual(self.query(sql.format("native")), self.query(sql.format("t")), sql)

    def test_rows_cannot_be_changed(self):
        before = self.client.rows(self.table)
        why = "has half of a surrogate pair in a key, which no request can name"
        for sql in ("UPDATE t SET N = 99 WHERE N = 0", "DELETE FROM t WHERE N = 0", "UPDATE t SET RowKey = 'z' WHERE N = 0",
                    "UPDATE t SET N = 99 WHERE N = 8", "DELETE FROM t", "DELETE FROM t WHERE RowKey = 'a\ufffd'",
                    "UPDATE t SET N = other.n FROM (SELECT 7 AS n) AS other WHERE t.N = 0"):
            self.fails(sqlite3.OperationalError, "SQLITE_ERROR", why, sql)
        (rowid,), = self.query("SELECT rowid FROM t WHERE N = 0")
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", why, "SELECT N FROM t WHERE rowid = ?", rowid)
        self.assertEqual(before, self.client.rows(self.table))
        # The entity with the key U+FFFD is a different one.
        self.query("UPDATE t SET N = 22 WHERE N = 2")
        self.query("DELETE FROM t WHERE N = 22")
        self.assertEqual(len(before) - 1, len(self.client.rows(self.table)))
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p', 'a\ufffd', 2)")
        self.assertEqual([(0,), (1,), (2,)], self.query("SELECT N FROM t WHERE RowKey = 'a\ufffd' ORDER BY N"))

    def test_pending_rows_between_them(self):
        self.native()
        self.query("BEGIN")
        for table in ("native", "t"):
            self.query(f"INSERT INTO {table}(PartitionKey, RowKey, N) VALUES ('p', 'a\ufffe', 50), ('q', '', 51), ('r', 'y', 52)")
            self.query(f"UPDATE {table} SET N = 53 WHERE N = 2")
            self.query(f"DELETE FROM {table} WHERE N = 6")
        for order in ("N", "PartitionKey, RowKey, N"):
            sql = f"SELECT PartitionKey, RowKey, N FROM {{}} ORDER BY {order}"
            self.assertEqual(self.query(sql.format("native")), self.query(sql.format("t")))
        self.query("COMMIT")
        self.assertEqual([(len(KEYS) + 2,)], self.query("SELECT count(*) FROM t"))

    def test_columns_are_inferred(self):
        self.query(f"CREATE VIRTUAL TABLE inferred USING aztables(table={self.table}, connection=demo)")
        self.assertEqual([("N",), ("S",)], self.query("SELECT name FROM pragma_table_info('inferred') WHERE cid > 2"))


class ServerKeys(Keys, host.ServerCase):
    def put_many(self, partition, rows):
        for begin in range(0, len(rows), 100):
            some = [{"PartitionKey": partition, "RowKey": row, "N": 1} for row in rows[begin:begin + 100]]
            self.assertEqual(202, self.client.batch([("POST", f"/{self.table}", entity) for entity in some])[0])

    def test_more_than_a_page_of_keys_with_a_common_prefix(self):
        self.put_many("p", [f"a\U0001f600{number:04}" for number in range(1_100)])
        self.put("p", "a\udfff", 7)
        self.native()
        ordered = "SELECT count(*) FROM (SELECT PartitionKey, RowKey FROM t ORDER BY PartitionKey, RowKey LIMIT 9999)"
        # A first half of a pair (KEYS) is in a range that no request can express.
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "write ORDER BY +PartitionKey", ordered)
        self.assertEqual([(len(KEYS) + 1_101,)], self.query(ordered.replace("PartitionKey, RowKey LIMIT", "+PartitionKey, +RowKey LIMIT")))
        # A second half is not.
        self.put_many("s", [f"a\U0001f600{number:04}" for number in range(1_100)])
        self.put("s", "a\udfff", 7)
        self.put("s", "a\ue000", 8)
        self.query("INSERT INTO native SELECT PartitionKey, RowKey, N FROM t WHERE PartitionKey = 's'")
        for end in ("", " LIMIT 1", " LIMIT 2 OFFSET 1", " LIMIT 999", " LIMIT 1 OFFSET 1050"):
            self.ordered("SELECT RowKey FROM {} WHERE PartitionKey = 's' ORDER BY RowKey" + end)
        self.ordered("SELECT min(RowKey) FROM {} WHERE PartitionKey = 's'")

    def test_limit_ends_before_them(self):
        for keys in (["\U0001f600", "\udfff"], ["a", "\U0001f600", "\udfff"], ["\U0001f600", "\ud83e"]):
            for key in keys:
                self.put("s", key, 1)
            self.query("CREATE TEMP TABLE native AS SELECT PartitionKey, RowKey, N FROM t")
            for limit in (1, 2):
                self.ordered(f"SELECT RowKey FROM {{}} WHERE PartitionKey = 's' ORDER BY RowKey LIMIT {limit}")
                self.ordered(f"SELECT RowKey FROM {{}} WHERE PartitionKey = 's' ORDER BY RowKey LIMIT {limit} OFFSET 1")
            self.query("DROP TABLE temp.native")
            self.query("SELECT aztables_drop_table(?)", f"demo.{self.table}")
            self.query("SELECT aztables_create_table(?)", f"demo.{self.table}")

    def test_page_ends_among_them(self):
        self.put_many("a", [f"{number:04}" for number in range(999)])
        for row in ("c\udfff", "c\udffe", "c\udffd", "c\ue000"):
            self.put("a", row, 7)
        self.put_many("a", [f"d{number:04}" for number in range(1_200)])
        self.native()
        self.ordered("SELECT RowKey FROM {} WHERE PartitionKey = 'a' ORDER BY RowKey")
        self.ordered("SELECT PartitionKey, RowKey FROM {} ORDER BY PartitionKey, RowKey")

    def test_partitions_of_more_than_a_page(self):
        self.put_many("q\udbff", [f"{number:05}" for number in range(2_100)])
        self.put_many("q\udc00", [f"{number:05}" for number in range(1_100)])
        self.native()
        for sql in ("SELECT count(*) FROM {}", "SELECT count(*) FROM {} WHERE PartitionKey = 'q\ufffd'",
                    "SELECT RowKey, count(*) FROM {} WHERE PartitionKey = 'q\ufffd' GROUP BY +RowKey",
                    "SELECT DISTINCT +PartitionKey FROM {} ORDER BY 1"):
            self.assertEqual(self.query(sql.format("native")), self.query(sql.format("t")), sql)
        self.query(f"CREATE VIRTUAL TABLE inferred USING aztables(table={self.table}, connection=demo)")
        self.assertEqual([("N",), ("S",)], self.query("SELECT name FROM pragma_table_info('inferred') WHERE cid > 2"))

    def test_the_service_keeps_and_orders_them(self):
        wanted = sorted(KEYS, key=lambda key: tuple(part.encode("utf-16-be", "surrogatepass") for part in key))
        for options in ("", "$top=1", "$top=5"):
            found = [(row["PartitionKey"], row["RowKey"]) for row in self.client.rows(self.table, options)]
            self.assertEqual(wanted, found)
        status, _, body = self.client.send("GET", f"/{self.table}(PartitionKey='p',RowKey='a%ED%A0%BD')")
        self.assertEqual(400, status, body)
        entity = {"PartitionKey": "p", "RowKey": "a\ud83d"}
        self.assertEqual(409, self.client.send("POST", f"/{self.table}", entity)[0])


class AzuriteKeys(Keys, host.Case):
    pass


if __name__ == "__main__":
    unittest.main()
