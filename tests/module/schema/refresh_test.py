#!/usr/bin/env python3
"""'refresh' in main, attached and TEMP databases, and in read-only and defensive ones. It is also
tested with other connections, in transactions and with open cursors. The last tests damage shadow
tables.
"""

import json
import pathlib
import re
import sqlite3
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
REFRESH = "INSERT INTO {}(_command) VALUES('refresh')"


class Refresh(host.InferringCase):
    def check_refresh(self, db, schema="main", name="t"):
        self.assertEqual(["A INTEGER"], self.columns(db, name, schema))
        self.add_b()
        db.execute(REFRESH.format(f"{schema}.{name}"))
        self.assertEqual(["A INTEGER", "B TEXT"], self.columns(db, name, schema))
        self.assertEqual([(1, None), (2, "two")],
                         db.execute(f"SELECT A, B FROM {schema}.{name}").fetchall())

    def test_refresh_in_main(self):
        db = self.open()
        self.infer(db)
        other = self.open()
        self.assertEqual(["A INTEGER"], self.columns(other))
        self.check_refresh(db)
        self.assertEqual(["A INTEGER", "B TEXT"], self.columns(other))
        self.assertEqual([("two",)], other.execute("SELECT B FROM t WHERE RowKey = '2'").fetchall())

    def test_refresh_in_memory(self):
        db = self.open(":memory:")
        self.infer(db)
        self.check_refresh(db)

    def test_refresh_in_an_attached_database(self):
        db = self.open()
        db.execute(f"ATTACH '{self.folder}/other.db' AS \"the other\"")
        self.infer(db, schema='"the other"')
        self.check_refresh(db, schema='"the other"')
        other = self.open("other.db")
        self.assertEqual(["A INTEGER", "B TEXT"], self.columns(other))

    def test_refresh_in_temp(self):
        db = self.open()
        self.infer(db, schema="temp")
        self.check_refresh(db, schema="temp")
        db.execute("DROP TABLE temp.t")
        self.assertEqual([], db.execute("SELECT name FROM sqlite_temp_schema").fetchall())

    def test_refresh_in_temp_with_a_read_only_main(self):
        self.open().execute("CREATE TABLE x(y)")
        db = self.open(f"file:{self.folder}/main.db?mode=ro", uri=True)
        self.infer(db, schema="temp")
        self.check_refresh(db, schema="temp")

    def test_refresh_in_wal_mode(self):
        db = self.open()
        db.execute("PRAGMA journal_mode = WAL")
        self.infer(db)
        other = self.open()
        reading = other.execute("SELECT A FROM t")
        self.check_refresh(db)
        reading.fetchall()
        self.assertEqual(["A INTEGER", "B TEXT"], self.columns(other))

    def test_refresh_in_a_transaction(self):
        db = self.open()
        self.infer(db)
        self.add_b()
        db.execute("BEGIN")
        db.execute(REFRESH.format("t"))
        self.assertEqual(["A INTEGER", "B TEXT"], self.columns(db))
        db.execute("ROLLBACK")
        self.assertEqual(["A INTEGER"], self.columns(db))
        self.assertEqual([(1,), (2,)], db.execute("SELECT A FROM t").fetchall())
        db.execute("BEGIN")
        db.execute("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', '3', 3)")
        db.execute(REFRESH.format("t"))
        db.execute("INSERT INTO t(PartitionKey, RowKey, A, B) VALUES ('p', '4', 4, 'four')")
        db.execute("SAVEPOINT s")
        db.execute("INSERT INTO t(PartitionKey, RowKey, A, B) VALUES ('p', '5', 5, 'five')")
        db.execute("ROLLBACK TO s")
        db.execute("COMMIT")
        self.assertEqual([("1", None), ("2", "two"), ("3", None), ("4", "four")],
                         db.execute("SELECT RowKey, B FROM t").fetchall())

    def test_value_of_another_type_names_the_command(self):
        db = self.open()
        self.infer(db, name='"odd t"')
        self.query("INSERT INTO writer(PartitionKey, RowKey, _entity) VALUES ('p', '2', '{\"A\":\"text\"}')")
        refresh = 'INSERT INTO "odd t"(_command) VALUES(\'refresh\');'
        entity = "PartitionKey='p', RowKey='2'"
        messages = [self.refused("SQLITE_MISMATCH", sql, db=db) for sql in (
            'SELECT A FROM "odd t"', "INSERT INTO \"odd t\"(PartitionKey, RowKey, A) VALUES ('p', '2', 'text')",
            "UPDATE \"odd t\" SET A = 'text' WHERE RowKey = '2'")]
        for message in messages:
            self.assertIn(entity, message)
            self.assertIn(refresh, message)
        db.execute(refresh)
        self.assertEqual([(1,), ("text",)], db.execute('SELECT A FROM "odd t"').fetchall())
        for name, sql in (("A", "SELECT A FROM d"), ("A", "UPDATE d SET A = 'x' WHERE RowKey = '2'"),
                          ("A", "INSERT INTO d(PartitionKey, RowKey, A) VALUES ('p', '2', 'x')"),
                          ("_entity", "INSERT INTO d(PartitionKey, RowKey, _entity) VALUES ('p', '2', x'00')"),
                          ("_entity", "UPDATE d SET _entity = x'00' WHERE RowKey = '2'")):
            with self.subTest(sql):
                self.virtual("d", "A INT32", db=db)
                message = self.refused("SQLITE_MISMATCH", sql, db=db)
                self.assertIn(entity, message)
                self.assertIn(name, message)
                self.assertNotIn("refresh", message)
                db.execute("DROP TABLE d")

    def test_refresh_widens_and_keeps_the_order(self):
        db = self.open()
        self.infer(db)
        self.query("INSERT INTO writer(PartitionKey, RowKey, _entity) VALUES ('o', '1', "
                   "'{\"Z\":1,\"A\":\"text\"}')")
        db.execute(REFRESH.format("t"))
        self.assertEqual(["A", "Z INTEGER"], self.columns(db))
        self.assertEqual([("text",), (1,)], db.execute("SELECT A FROM t").fetchall())
        db.execute(REFRESH.format("t"))
        self.assertEqual(["A", "Z INTEGER"], self.columns(db))

    def test_refresh_of_a_read_only_database_is_refused(self):
        self.infer(self.open())
        db = self.open(f"file:{self.folder}/main.db?mode=ro", uri=True)
        with self.assertRaises(sqlite3.OperationalError) as caught:
            db.execute(REFRESH.format("t"))
        self.assertEqual("SQLITE_READONLY", caught.exception.sqlite_errorname)
        self.assertEqual([(1,)], db.execute("SELECT A FROM t").fetchall())

    def test_refresh_during_a_read_of_another_connection_waits_or_fails(self):
        db = self.open(timeout=0.1)
        self.infer(db)
        db.execute("CREATE TABLE l(i)")
        db.executemany("INSERT INTO l VALUES (?)", [(i,) for i in range(100)])
        other = self.open()
        reading = other.execute("SELECT i FROM l")
        reading.fetchone()
        self.add_b()
        with self.assertRaises(sqlite3.OperationalError) as caught:
            db.execute(REFRESH.format("t"))
        self.assertEqual("SQLITE_BUSY", caught.exception.sqlite_errorname)
        reading.fetchall()
        reading.close()
        self.assertEqual(["A INTEGER"], self.columns(db))
        db.execute(REFRESH.format("t"))
        self.assertEqual(["A INTEGER", "B TEXT"], self.columns(db))

    def test_refresh_with_an_open_cursor_of_the_same_connection(self):
        db = self.open()
        self.infer(db)
        self.add_b()
        reading = db.execute("SELECT RowKey, A FROM t")
        self.assertEqual(("1", 1), reading.fetchone())
        db.execute(REFRESH.format("t"))
        self.assertEqual([("2", 2)], reading.fetchall())
        self.assertEqual([(None,), ("two",)], db.execute("SELECT B FROM t").fetchall())

    def test_refresh_of_a_missing_table_keeps_the_columns(self):
        db = self.open()
        self.infer(db)
        self.query(f"SELECT aztables_drop_table('demo.{self.table}')")
        with self.assertRaisesRegex(sqlite3.OperationalError, "the table does not exist"):
            db.execute(REFRESH.format("t"))
        self.assertEqual(["A INTEGER"], self.columns(db))

    def test_defensive_database(self):
        """Uses the shell, since Python cannot set SQLITE_DBCONFIG_DEFENSIVE."""
        self.add_b()
        script = f"""
.dbconfig defensive on
CREATE VIRTUAL TABLE t USING aztables(table={self.table}, connection=demo, infer=1);
SELECT count(*) FROM pragma_table_info('t');
INSERT INTO t_schema VALUES (9, 'X', 'X', 'INT32');
INSERT INTO t(_command) VALUES('scan=deny');
SELECT max(A) FROM t;
"""
        done = self.shell(script)
        self.assertIn("table t_schema may not be modified", done)
        self.assertTrue(done.rstrip().endswith("2"), done)
        self.query("INSERT INTO writer(PartitionKey, RowKey, _entity) VALUES ('o', '1', "
                   "'{\"A\":\"text\"}')")
        done = self.shell(""".log stdout
.dbconfig defensive on
INSERT INTO t(_command) VALUES('refresh');
SELECT typeof(A) FROM t WHERE PartitionKey = 'o';
""")
        self.assertIn("table t was refreshed; this database connection is defensive: open it and "
                      "all others again to see the columns", done)
        self.assertIn("is Edm.String, but its column is inferred INT32", done)
        done = self.shell(""".dbconfig defensive on
SELECT typeof(A) FROM t WHERE PartitionKey = 'o';
ALTER TABLE t RENAME TO u;
DROP TABLE u;
SELECT count(*) FROM sqlite_schema;
""")
        self.assertEqual(["text", "0"], [w for w in done.split() if w in ("text", "0")], done)


class Shadow(host.InferringCase):
    """Errors of the shadow table."""

    def setUp(self):
        super().setUp()
        self.virtual("t", "")

    def test_failed_refresh_in_a_transaction_changes_nothing(self):
        self.query("INSERT INTO writer(PartitionKey, RowKey, A, B) VALUES ('p', '2', 1, 'b')")
        for denied in (sqlite3.SQLITE_INSERT, sqlite3.SQLITE_DELETE, sqlite3.SQLITE_PRAGMA):
            self.query("BEGIN")
            self.db.set_authorizer(
                lambda action, name, *_, denied=denied: sqlite3.SQLITE_DENY
                if action == denied and name in ("t_schema", "schema_version") else sqlite3.SQLITE_OK)
            try:
                self.query("INSERT INTO t(_command) VALUES('refresh')")
            except sqlite3.DatabaseError as error:
                self.assertIn("not authorized", str(error))
            self.db.set_authorizer(None)
            self.query("COMMIT")
            self.assertIn(self.query("SELECT group_concat(column_name) FROM t_schema"), ([("A",)], [("A,B",)]))
            self.assertEqual([(1,), (1,)], self.query("SELECT A FROM t"))

    def test_full_disk_keeps_the_columns(self):
        db = self.open()
        self.infer(db)
        db.execute("CREATE TABLE filler(x)")
        for i in range(200):
            self.query("INSERT INTO writer(PartitionKey, RowKey, _entity) VALUES ('q', ?, ?)", str(i),
                       f'{{"{"Long" * 20}{i}":1}}')
        for begin, end in (("SELECT 1", "SELECT 1"), ("BEGIN", "COMMIT")):
            db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}")
            db.execute(begin)
            self.refused("SQLITE_FULL", "INSERT INTO t(_command) VALUES('refresh')", db=db)
            if db.in_transaction:
                db.execute(end)
            self.assertEqual(["A INTEGER"], self.columns(db))
            self.assertEqual([(1,)], db.execute("SELECT A FROM t WHERE A").fetchall())
        db.execute("PRAGMA max_page_count = 100000")
        db.execute("INSERT INTO t(_command) VALUES('refresh')")
        self.assertEqual(201, len(self.columns(db)))

    def test_damaged_shadow_table_is_reported_and_recreated(self):
        for damage in ("INSERT INTO t_schema VALUES (9, 'a', 'a', 'INT32')",
                       "UPDATE t_schema SET type = 'NUMBER'",
                       "UPDATE t_schema SET property = 'a,b'",
                       "UPDATE t_schema SET column_name = 'rowid'",
                       "DELETE FROM t_schema",
                       "DROP TABLE t_schema"):
            self.query(damage)
            version = self.query("PRAGMA schema_version")[0][0]
            self.query(f"PRAGMA schema_version = {version + 1}")  # SQLite connects the table again
            if not damage.startswith("DELETE"):
                with self.assertRaisesRegex(sqlite3.Error, r"INSERT INTO t\(_command\) VALUES\('refresh'\);"):
                    self.query("SELECT * FROM t")
            self.query("INSERT INTO t(_command) VALUES('refresh')")
            self.assertEqual([(1,)], self.query("SELECT A FROM t"), damage)

    def test_table_of_the_user_is_unchanged(self):
        sql = self.query("SELECT sql FROM sqlite_schema WHERE name = 't_schema'")[0][0]
        self.query(sql.replace("t_schema", "mine_schema"))
        self.virtual("mine", "", infer="off")
        self.query("DROP TABLE mine")
        self.query("SELECT * FROM mine_schema")
        with self.assertRaisesRegex(sqlite3.Error, "the name mine_schema is taken by another table"):
            self.virtual("mine", "")


class RareType(host.LocalCase):
    """A column is inferred INT32. A few of the entities that the sample leaves out have a String."""

    def setUp(self):
        super().setUp()
        self.query("SELECT aztables_connect('short', ?)", "LocalStore=:memory:;Simulate=scan_rows=20")
        self.query("CREATE VIRTUAL TABLE raw USING aztables(table=Rare, connection=short, create=missing, infer=off)")
        self.query("INSERT INTO raw(PartitionKey, RowKey, _entity) WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n "
                   "WHERE i < 1999) SELECT 'p' || (i / 100), printf('%04d', i), json_object('Q', iif(i % 1000 = 777, 'four', 4), "
                   "'Other', i) FROM n")
        self.query("CREATE VIRTUAL TABLE t USING aztables(table=Rare, connection=short, parallel=1)")
        self.assertEqual([("INTEGER",)], self.query("SELECT type FROM pragma_table_info('t') WHERE name = 'Q'"))

    def test_what_the_error_shows_works(self):
        message = self.fails(sqlite3.IntegrityError, "SQLITE_MISMATCH", "is Edm.String, but its column is inferred INT32; ", "SELECT sum(Q) FROM t")
        refresh, null, declare = re.search("with this entity: (.*;) or show NULL in its place: (.*;) or declare (.*) [(]Q ANY alone "
                                           "infers no other column[)]$", message).groups()
        self.query(null)
        self.assertEqual([(1998 * 4,)], self.query("SELECT sum(Q) FROM t"))
        self.query("INSERT INTO t(_command) VALUES('reset')")
        self.query(refresh)
        self.assertEqual([("",)], self.query("SELECT type FROM pragma_table_info('t') WHERE name = 'Q'"))
        self.assertEqual([(1998 * 4.0, 2000)], self.query("SELECT sum(Q), count(Other) FROM t"))
        self.query(f"CREATE VIRTUAL TABLE u USING aztables(table=Rare, connection=short, {declare})")
        self.assertEqual([("", "INTEGER")], self.query(
            "SELECT max(type) FILTER (WHERE name = 'Q'), max(type) FILTER (WHERE name = 'Other') FROM pragma_table_info('u')"))
        self.assertEqual([(1998 * 4.0,)], self.query("SELECT sum(Q) FROM u"))

    def test_each_table_over_the_remote_table_is_refreshed(self):
        self.query("CREATE VIRTUAL TABLE u USING aztables(table=Rare, connection=short, parallel=1)")
        for table in "tu":
            self.fails(sqlite3.IntegrityError, "SQLITE_MISMATCH", "RowKey='0777' is Edm.String", f"SELECT Q FROM {table} WHERE PartitionKey = 'p7'")
        for table in "tu":
            self.query(REFRESH.format(table))
            self.assertEqual([(99 * 4.0,)], self.query(f"SELECT sum(Q) FROM {table} WHERE PartitionKey = 'p7'"))

    def test_what_the_error_of_a_write_shows_works(self):
        insert = "INSERT INTO {}(PartitionKey, RowKey, Other) VALUES ('x', ?, 'text')"
        message = self.fails(sqlite3.IntegrityError, "SQLITE_MISMATCH", "column Other: 'text' (TEXT) is not a valid Edm.Int32; ", insert.format("t"), "1")
        refresh, declare = re.search("if the table has values of another type now, (.*;) or declare (.*) [(]Other ANY alone infers no other "
                                     "column[)]$", message).groups()
        self.query(f"CREATE VIRTUAL TABLE u USING aztables(table=Rare, connection=short, {declare})")
        self.query(insert.format("u"), "1")
        self.assertEqual([(4, "text")], self.query("SELECT (SELECT Q FROM u WHERE RowKey = '0001'), Other FROM u WHERE PartitionKey = 'x'"))
        self.fails(sqlite3.IntegrityError, "SQLITE_MISMATCH", "RowKey='1' is Edm.String", "SELECT Other FROM t WHERE PartitionKey = 'x'")
        self.query(refresh)
        self.query(insert.format("t"), "2")
        self.assertEqual([("text",)] * 2, self.query("SELECT Other FROM t WHERE PartitionKey = 'x'"))

    def test_what_the_notes_show_works(self):
        """Properties that are named like another column in another case."""
        names = {"TimeStamp": 1, "partitionKey": 2, "ROWKEY": 3, "_ETAG": 4, "_Entity": 5, "_command": 6, "rowid": 7, "OID": 8, "other": 9}
        self.query("SELECT aztables_create_table('short.Named')")
        self.query("CREATE VIRTUAL TABLE named USING aztables(table=Named, connection=short, infer=off)")
        self.query("INSERT INTO named(PartitionKey, RowKey, _entity) VALUES ('p', '1', ?)", json.dumps({**names, "Other": 10, "Kept": 11}))
        notes = dict(self.query("SELECT property, note FROM aztables_infer('short.Named') WHERE column_name IS NULL"))
        schema = self.query("SELECT aztables_schema('short.Named')")[0][0]
        self.assertEqual(names.keys() | {"Other"}, notes.keys() | {"other", "Other"})
        for number, (name, note) in enumerate(notes.items()):
            with self.subTest(name):
                self.assertIn(note, schema)
                advice = re.search("write:? (other_name .*)$", note)[1]
                self.assertEqual(f"other_name INT32 PROPERTY '{name}'", advice)
                self.query(f"CREATE VIRTUAL TABLE v{number} USING aztables(table=Named, connection=short, infer=300, {advice})")
                value = {**names, "Other": 10}[name]
                self.assertEqual([(value, 11)], self.query(f"SELECT other_name, Kept FROM v{number}"))

    def test_a_filter_and_other_tables_know_the_entity_too(self):
        self.fails(sqlite3.IntegrityError, "SQLITE_MISMATCH", "RowKey='1777' is Edm.String", "SELECT count(*) FROM t WHERE Q = 4")
        self.assertEqual([("ANY",)], self.query("SELECT type FROM aztables_infer('short.Rare') WHERE property = 'Q'"))
        self.query("CREATE VIRTUAL TABLE later USING aztables(table=Rare, connection=short)")
        self.assertEqual([(1998,)], self.query("SELECT count(*) FROM later WHERE Q = 4"))
        self.query("DELETE FROM raw WHERE RowKey = '1777'")
        self.query(REFRESH.format("t"))  # that entity is gone
        self.fails(sqlite3.IntegrityError, "SQLITE_MISMATCH", "RowKey='0777' is Edm.String", "SELECT count(*) FROM t WHERE Q = 4")


if __name__ == "__main__":
    unittest.main()
