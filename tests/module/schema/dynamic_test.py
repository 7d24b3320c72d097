#!/usr/bin/env python3
"""Dynamic properties and every EDM type. A time series of entities with 240 properties each is
unpivoted and grouped again. Every type is copied through columns and through _entity, byte for
byte.
"""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
ENTITIES = 150 if host.PRELOAD else 500  # a sanitized module is slow
POINTS = 240
GUID = "c9da6455-213d-42c9-9a79-3e9149a57833"


def point(entity, second):
    """The members of one data point. The second determines its type. Some points are absent."""
    name = f"s{second:03}"
    number = entity * POINTS + second
    kind = second % 9
    if kind == 8:
        return {} if entity % 3 else {name: "only now and then"}
    if kind == 0:
        return {name: number / 8}
    if kind == 1:
        return {name: -number}
    if kind == 2:
        return {f"{name}@odata.type": "Edm.Int64", name: str(2**53 + number)}
    if kind == 3:
        return {name: f"point {number} \u2603 \U0001d11e \"quoted\" \\"}
    if kind == 4:
        return {name: number % 2 == 0}
    if kind == 5:
        return {f"{name}@odata.type": "Edm.DateTime", name: f"2026-11-20T10:00:00.{number % 10**7:07}Z"}
    if kind == 6:
        return {f"{name}@odata.type": "Edm.Guid", name: GUID[:-6] + f"{number:06x}"}
    return {f"{name}@odata.type": "Edm.Binary", name: ["AP8Q", "", "AA=="][number % 3]}


def series(entity):
    members = {}
    for second in range(POINTS):
        members.update(point(entity, second))
    return json.dumps(members)


class SeriesTest(host.SlowCase):
    def setUp(self):
        super().setUp()
        self.virtual("raw", "", infer="off")
        with self.db:
            self.query("BEGIN")
            self.db.executemany(
                "INSERT INTO raw(PartitionKey, RowKey, _entity) VALUES (?, aztables_ticks(?), ?)",
                [(f"source {entity % 4}", f"2015-01-01T{entity // 15:02}:{entity % 15 * 4:02}:00Z"
                  if entity < 360 else f"2015-01-02T{(entity - 360) // 15:02}:{entity % 15 * 4:02}:00Z",
                  series(entity)) for entity in range(ENTITIES)])
            self.query("COMMIT")
        self.virtual("t", "")
        self.present = sum(len(point(entity, second)) > 0
                           for entity in range(ENTITIES) for second in range(POINTS))

    def unpivoted(self, table, order="PartitionKey, RowKey, name"):
        return self.query(f"SELECT PartitionKey, RowKey, name, quote(value), type FROM {table}, "
                          f"aztables_each({table}._entity) ORDER BY {order}")

    def test_inferred_and_raw_tables_agree(self):
        columns = [row[1] for row in self.query("PRAGMA table_info(t)")][3:]
        self.assertEqual(POINTS, len(columns))
        self.assertEqual(sorted(f"s{i:03}" for i in range(POINTS)), sorted(columns))
        self.assertEqual([(ENTITIES, sum(i * POINTS / 8 for i in range(ENTITIES)))],
                         self.query("SELECT count(*), sum(s000) FROM t"))
        sums = self.query("SELECT sum(s001), min(s003), max(s005), count(s007), total(s239) FROM t")
        by_each = self.query("""
            SELECT sum(value) FILTER (WHERE name = 's001'), min(value) FILTER (WHERE name = 's003'),
                   max(value) FILTER (WHERE name = 's005'), count(*) FILTER (WHERE name = 's007'),
                   total(value) FILTER (WHERE name = 's239')
            FROM raw, aztables_each(raw._entity)""")
        self.assertEqual(by_each, sums)
        # Every value of every column equals aztables_get, in both tables.
        for start in range(0, POINTS, 30):
            names = [f"s{i:03}" for i in range(start, start + 30)]
            same = " AND ".join(f"{name} IS aztables_get(_entity, '{name}')" for name in names)
            self.assertEqual([(ENTITIES,)], self.query(f"SELECT count(*) FROM t WHERE {same}"))
        self.assertEqual(
            self.query("SELECT PartitionKey, RowKey, aztables_get(_entity, 's002') FROM raw"),
            self.query("SELECT PartitionKey, RowKey, s002 FROM t"))

    def test_unpivot_by_key_range(self):
        rows = self.query("""
            SELECT aztables_ticks_datetime(RowKey), name, value FROM t, aztables_each(t._entity)
            WHERE PartitionKey = 'source 1' AND RowKey >= aztables_ticks('2015-01-01')
              AND RowKey < aztables_ticks('2015-01-01T01:00:00Z') AND type = 'INT32'
            ORDER BY RowKey, name""")
        self.assertEqual([("2015-01-01T00:04:00.0000000Z", "s001", -241),
                          ("2015-01-01T00:04:00.0000000Z", "s010", -250)], rows[:2])
        kind, entities = self.query("SELECT kind, entities FROM aztables_requests ORDER BY id DESC LIMIT 1")[0]
        self.assertEqual(("row range", 4), (kind, entities))

    def test_unpivot_and_group(self):
        source = self.unpivoted("t")
        self.assertEqual(self.present, len(source))
        self.assertEqual(source, self.unpivoted("raw"))
        self.query(f"SELECT aztables_create_table('demo.{self.table}Copy')")
        self.virtual("copy", "", table=f"{self.table}Copy", infer="off")
        self.query("""
            INSERT INTO copy(PartitionKey, RowKey, _entity)
            SELECT PartitionKey, RowKey, aztables_group_entity(name, value, type)
            FROM t, aztables_each(t._entity) GROUP BY PartitionKey, RowKey""")
        self.assertEqual(source, self.unpivoted("copy"))
        texts = "SELECT PartitionKey, RowKey, _entity FROM {} ORDER BY 1, 2"
        for (p, r, text), (p2, r2, copied) in zip(self.query(texts.format("raw")),
                                                  self.query(texts.format("copy")), strict=True):
            self.assertEqual((p, r, json.loads(text)), (p2, r2, json.loads(copied)))
        # Through a native table with one row per point, in another order.
        self.query("CREATE TABLE points AS SELECT PartitionKey AS p, RowKey AS r, name, value, type "
                   "FROM t, aztables_each(t._entity) ORDER BY random()")
        self.query(f"SELECT aztables_create_table('demo.{self.table}Points')")
        self.virtual("back", "", table=f"{self.table}Points", infer="off")
        self.query("INSERT INTO back(PartitionKey, RowKey, _entity) "
                   "SELECT p, r, aztables_group_entity(name, value, type) FROM points GROUP BY p, r")
        self.assertEqual(source, self.unpivoted("back"))


# name, type, SQL literal
VALUES = [
    ("text", "STRING", "'it''s \"x\" \\ \u00e9 \U0001d11e'"), ("empty", "STRING", "''"),
    ("blank", "STRING", "' x '"), ("number", "STRING", "'007'"),
    ("low32", "INT32", "-2147483648"), ("high32", "INT32", "2147483647"),
    ("zero", "INT32", "0"), ("low64", "INT64", "-9223372036854775808"),
    ("high64", "INT64", "9223372036854775807"), ("odd64", "INT64", "9007199254740993"),
    ("tenth", "DOUBLE", "0.1"), ("whole", "DOUBLE", "5.0"), ("big", "DOUBLE", "1.7976931348623157e308"),
    ("tiny", "DOUBLE", "5e-324"), ("inf", "DOUBLE", "9e999"), ("minus", "DOUBLE", "-9e999"),
    ("yes", "BOOLEAN", "1"), ("no", "BOOLEAN", "0"),
    ("ticks", "DATETIME", "'2026-11-02T10:00:00.1234567Z'"),
    ("midnight", "DATETIME", "'2026-11-02T00:00:00.0000000Z'"),
    ("first", "DATETIME", "'1601-01-01T00:00:00.0000000Z'"),
    ("last", "DATETIME", "'9999-12-31T23:59:59.9999999Z'"),
    ("guid", "GUID", f"'{GUID}'"), ("bytes", "BINARY", "x'00FF10'"), ("none", "BINARY", "x''"),
]


class TypesTest(host.Case):
    def setUp(self):
        super().setUp()
        self.columns = ", ".join(f"{name} {kind}" for name, kind, _ in VALUES)
        self.names = ", ".join(name for name, _, _ in VALUES)
        self.virtual("t", self.columns)
        self.query("CREATE TABLE native(" + ", ".join(
            f"{name} {dict(STRING='TEXT', DATETIME='TEXT', GUID='TEXT', DOUBLE='REAL', BINARY='BLOB').get(kind, 'INTEGER')}"
            for name, kind, _ in VALUES) + ")")
        values = ", ".join(value for _, _, value in VALUES)
        self.query(f"INSERT INTO native VALUES ({values})")
        self.query(f"INSERT INTO t(PartitionKey, RowKey, {self.names}) SELECT 'p', '1', * FROM native")

    def check_equal(self, table):
        """Reads each value with its type, compares it in both directions, and compares it with the
        native value.
        """
        for name, _, value in VALUES:
            quoted = self.query(f"SELECT quote({name}), typeof({name}) FROM {table} WHERE RowKey = '1'")
            self.assertEqual(self.query(f"SELECT quote({name}), typeof({name}) FROM native"), quoted, name)
            for condition in (f"{name} = {value}", f"{name} IS {value}", f"{name} >= {value}",
                              f"{name} IN ({value})", f"{name} BETWEEN {value} AND {value}"):
                self.assertEqual([(1,)], self.query(f"SELECT count(*) FROM {table} WHERE {condition}"),
                                 condition)
            for condition in (f"{name} <> {value}", f"{name} < {value}", f"{name} > {value}", f"{name} IS NULL"):
                self.assertEqual([(0,)], self.query(f"SELECT count(*) FROM {table} WHERE {condition}"),
                                 condition)

    def copy(self, name, columns, insert):
        self.query(f"SELECT aztables_create_table('demo.{self.table}{name}')")
        self.virtual(name, columns, table=f"{self.table}{name}", infer="off")
        self.query(insert)

    def test_through_columns(self):
        self.check_equal("t")
        self.copy("c", self.columns, f"INSERT INTO c(PartitionKey, RowKey, {self.names}) "
                                     f"SELECT PartitionKey, RowKey, {self.names} FROM t")
        self.check_equal("c")
        self.assertEqual(self.query("SELECT _entity FROM t"), self.query("SELECT _entity FROM c"))

    def test_through_entity(self):
        self.copy("e", self.columns, "INSERT INTO e(PartitionKey, RowKey, _entity) "
                                     "SELECT PartitionKey, RowKey, _entity FROM t")
        self.check_equal("e")
        self.assertEqual(self.query("SELECT _entity FROM t"), self.query("SELECT _entity FROM e"))

    def test_through_the_functions(self):
        for name, kind, _ in VALUES:
            self.assertEqual(
                self.query(f"SELECT quote({name}), typeof({name}), '{kind}' FROM t"),
                self.query(f"SELECT quote(aztables_get(_entity, '{name}')), "
                           f"typeof(aztables_get(_entity, '{name}')), aztables_type(_entity, '{name}') FROM t"))
        self.copy("f", self.columns, "INSERT INTO f(PartitionKey, RowKey, _entity) SELECT PartitionKey, RowKey, "
                  "(SELECT aztables_group_entity(name, value, type) FROM aztables_each(t._entity)) FROM t")
        self.check_equal("f")
        self.assertEqual(self.query("SELECT _entity FROM t"), self.query("SELECT _entity FROM f"))

    def test_through_inferred_columns(self):
        self.virtual("inferred", "")
        self.assertEqual([(name, kind) for name, kind, _ in VALUES],
                         self.query("SELECT column_name, type FROM inferred_schema ORDER BY position"))
        self.check_equal("inferred")

    def test_through_any(self):
        """ANY shows the values of all types. Values written through it get the types of ANY."""
        self.virtual("a", ", ".join(name for name, _, _ in VALUES), infer="off")
        self.check_equal("a")
        self.query("INSERT INTO a(PartitionKey, RowKey, zero, tenth, text, bytes) VALUES ('p', '2', 7, 0.5, 'x', x'01')")
        self.assertEqual([("INT64", "DOUBLE", "STRING", "BINARY")], self.query(
            "SELECT aztables_type(_entity, 'zero'), aztables_type(_entity, 'tenth'), aztables_type(_entity, 'text'), "
            "aztables_type(_entity, 'bytes') FROM a WHERE RowKey = '2'"))

    def test_nan_is_null_in_sql_and_kept_in_entity(self):
        self.query("INSERT INTO t(PartitionKey, RowKey, tenth) VALUES ('p', 'nan', 'NaN')")
        where = "FROM t WHERE PartitionKey = 'p' AND RowKey = 'nan'"
        self.assertEqual([(None, None, "DOUBLE")], self.query(
            f"SELECT tenth, aztables_get(_entity, 'tenth'), aztables_type(_entity, 'tenth') {where}"))
        text = '{"tenth@odata.type":"Edm.Double","tenth":"NaN"}'
        self.assertEqual([(text,)], self.query(f"SELECT _entity {where}"))
        self.query(f"INSERT INTO t(PartitionKey, RowKey, _entity) SELECT 'p', 'copy', _entity {where}")
        self.assertEqual([(text,)], self.query("SELECT _entity FROM t WHERE PartitionKey = 'p' AND RowKey = 'copy'"))

    def test_two_columns_over_one_property(self):
        self.virtual("two", "one INT32 PROPERTY 'zero', other ANY PROPERTY 'zero', third STRING PROPERTY 'zero'",
                     mismatch="null")
        self.assertEqual([(0, 0, None)], self.query("SELECT one, other, third FROM two WHERE RowKey = '1'"))
        self.assertEqual(["PartitionKey,RowKey,zero"], [
            row[0].split("$select=")[1].replace("%2C", ",") for row in self.query(
                "SELECT url FROM aztables_requests ORDER BY id DESC LIMIT 1")])
        self.query("INSERT INTO two(PartitionKey, RowKey, other) VALUES ('p', '3', 5)")
        self.assertEqual([(None, 5, None)], self.query("SELECT one, other, third FROM two WHERE RowKey = '3'"))
        with self.assertRaisesRegex(Exception, "the columns one and third both give the property zero"):
            self.query("INSERT INTO two(PartitionKey, RowKey, one, third) VALUES ('p', '4', 5, 'x')")


if __name__ == "__main__":
    unittest.main()
