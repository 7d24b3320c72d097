#!/usr/bin/env python3
"""Inferred columns over the life of a database: in main, attached and TEMP databases, read-only and
defensive ones, for other connections, in transactions, offline, renamed, dropped, damaged, copied."""

import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import host  # noqa: E402
import odd_server  # noqa: E402

host.enter()
REFRESH = "INSERT INTO {}(_command) VALUES('refresh')"


class InferenceTest(host.Case):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = str(self.folder / "main.db")
        self.virtual("writer", "A INT32, B STRING, C ANY")
        self.query("INSERT INTO writer(PartitionKey, RowKey, A) VALUES ('p', '1', 1)")

    def open(self, path=None, **options):
        db = host.connect(path or self.path, **options)
        self.addCleanup(db.close)
        return db

    def infer(self, db, name="t", schema="main", more=""):
        db.execute(f"CREATE VIRTUAL TABLE {schema}.{name} USING aztables(table={self.table}, "
                   f"connection=demo{more})")

    @staticmethod
    def columns(db, name="t", schema="main"):
        """name and type of the columns that properties have."""
        rows = db.execute(f"PRAGMA {schema}.table_info({name})").fetchall()
        return [f"{row[1]} {row[2]}".strip() for row in rows[3:]]

    def add_b(self):
        self.query("INSERT INTO writer(PartitionKey, RowKey, A, B) VALUES ('p', '2', 2, 'two')")

    def offline(self):
        """No connection is known any more."""
        kept = os.environ.pop("AZTABLES_CONNECTION_DEMO")
        self.addCleanup(os.environ.__setitem__, "AZTABLES_CONNECTION_DEMO", kept)

    # Creating, opening, dropping.

    def test_create_infers_and_opening_needs_no_network(self):
        db = self.open()
        self.infer(db)
        self.assertEqual(["A INTEGER"], self.columns(db))
        self.assertEqual([(1,)], db.execute("SELECT A FROM t").fetchall())
        db.close()
        self.offline()
        db = self.open()
        self.assertEqual(["A INTEGER"], self.columns(db))
        self.assertEqual([], db.execute("SELECT * FROM aztables_requests").fetchall())
        db.execute("DROP TABLE t")
        self.assertEqual([], db.execute("SELECT name FROM sqlite_schema").fetchall())

    def test_declared_columns_and_infer_off_need_no_network(self):
        self.offline()
        db = self.open()
        for name, more in (("declared", ", A INT32"), ("off", ", infer=off")):
            self.infer(db, name, more=more)
        self.assertEqual([("declared",), ("off",)],
                         db.execute("SELECT name FROM sqlite_schema ORDER BY 1").fetchall())
        with self.assertRaisesRegex(sqlite3.OperationalError, "demo"):
            self.infer(db)
        self.assertEqual(2, len(db.execute("SELECT name FROM sqlite_schema").fetchall()))

    def test_infer_adds_to_declared_columns(self):
        self.add_b()
        db = self.open()
        self.infer(db, more=", first INT32 PROPERTY 'A', infer=10")
        self.assertEqual(["first INTEGER", "B TEXT"], self.columns(db))
        self.infer(db, "one", more=", infer=1")
        self.assertEqual(["A INTEGER"], self.columns(db, "one"))

    def test_create_in_a_transaction_that_rolls_back_leaves_nothing(self):
        db = self.open()
        db.execute("BEGIN")
        self.infer(db)
        self.assertEqual([(1,)], db.execute("SELECT A FROM t").fetchall())
        db.execute("ROLLBACK")
        self.assertEqual([], db.execute("SELECT name FROM sqlite_schema").fetchall())
        self.infer(db)
        self.assertEqual(["A INTEGER"], self.columns(db))

    def test_drop_in_a_transaction_that_rolls_back_keeps_the_columns(self):
        db = self.open()
        self.infer(db)
        db.execute("BEGIN")
        db.execute("DROP TABLE t")
        db.execute("ROLLBACK")
        self.assertEqual(["A INTEGER"], self.columns(db))
        self.assertEqual([(1,)], db.execute("SELECT A FROM t").fetchall())

    def test_a_taken_name_is_said_and_left_alone(self):
        db = self.open()
        db.execute("CREATE TABLE t_schema(mine)")
        with self.assertRaisesRegex(sqlite3.OperationalError, "t_schema is taken by another table"):
            self.infer(db)
        self.infer(db, more=", infer=off")
        db.execute("DROP TABLE t")
        self.assertEqual([("t_schema",)], db.execute("SELECT name FROM sqlite_schema").fetchall())

    def test_rename_takes_the_columns_along(self):
        db = self.open()
        self.infer(db)
        db.execute("ALTER TABLE t RENAME TO u")
        self.assertEqual(["A INTEGER"], self.columns(db, "u"))
        names = "SELECT name FROM sqlite_schema ORDER BY 1"
        self.assertEqual([("u",), ("u_schema",)], db.execute(names).fetchall())
        db.close()
        db = self.open()
        self.assertEqual([(1,)], db.execute("SELECT A FROM u").fetchall())
        db.execute("DROP TABLE u")
        self.assertEqual([], db.execute(names).fetchall())

    def test_rename_onto_a_taken_name_changes_nothing(self):
        db = self.open()
        self.infer(db)
        db.execute("CREATE TABLE u_schema(mine)")
        with self.assertRaises(sqlite3.OperationalError):
            db.execute("ALTER TABLE t RENAME TO u")
        self.assertEqual([(1,)], db.execute("SELECT A FROM t").fetchall())

    def test_drop_works_with_everything_broken(self):
        db = self.open()
        self.infer(db)
        db.execute("PRAGMA writable_schema = 1")
        db.execute("UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE t USING aztables("
                   "nonsense=1, connection=gone)' WHERE name = 't'")
        db.close()
        self.offline()
        db = self.open()
        with self.assertRaisesRegex(sqlite3.OperationalError, "declared badly.*nonsense"):
            db.execute("SELECT * FROM t")
        db.execute("DROP TABLE t")
        self.assertEqual([], db.execute("SELECT name FROM sqlite_schema").fetchall())

    def test_lost_columns_are_said_and_inferred_again(self):
        db = self.open()
        self.infer(db)
        db.execute("DROP TABLE t_schema")
        db.close()
        db = self.open()
        with self.assertRaisesRegex(sqlite3.OperationalError, re.escape(
                "its inferred columns are gone: its table t_schema is missing; infer them again: "
                "INSERT INTO t(_command) VALUES('refresh');")):
            db.execute("SELECT * FROM t")
        db.execute(REFRESH.format("t"))
        self.assertEqual([(1,)], db.execute("SELECT A FROM t").fetchall())

    def test_a_copy_of_the_database_has_the_columns(self):
        db = self.open()
        self.infer(db)
        db.execute("VACUUM")
        db.execute(f"VACUUM INTO '{self.folder}/copy.db'")
        dump = self.shell(".dump")
        self.offline()
        copy = self.open(str(self.folder / "copy.db"))
        self.assertEqual(["A INTEGER"], self.columns(copy))
        self.shell(f".load {host.MODULE}\n" + dump, "restored.db")
        self.assertEqual(["A INTEGER"], self.columns(self.open(str(self.folder / "restored.db"))))

    # What a sample finds.

    def test_a_million_entities_in_ten_requests(self):
        with odd_server.start() as odd:
            self.query("SELECT aztables_connect('odd', ?)", odd.connection_string)
            self.query("CREATE VIRTUAL TABLE t USING aztables(table=million, connection=odd)")
            self.assertEqual(["N INTEGER", "Late TEXT"], self.columns(self.db))
            self.assertLessEqual(len(odd.server.million), 10)
            rows = self.query("SELECT property, entities FROM aztables_infer('odd.million')")
            self.assertLessEqual(len(odd.server.million), 20)
            self.assertEqual(["N", "Late"], [row[0] for row in rows])
            self.assertEqual([("found",)], self.query(
                "SELECT max(Late) FROM t WHERE PartitionKey = '099999'"))

    def test_a_property_that_the_first_5000_entities_lack(self):
        self.query("BEGIN")
        self.query("""INSERT INTO writer(PartitionKey, RowKey, A, B)
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
            SELECT 'q', printf('%06d', i), i, CASE WHEN i > 5000 THEN 'late' END FROM n""")
        self.query("COMMIT")
        before = self.query("SELECT max(id) FROM aztables_requests")[0][0]
        self.infer(self.db)
        self.assertEqual(["A INTEGER", "B TEXT"], self.columns(self.db))
        sent = self.query("SELECT count(*) FROM aztables_requests WHERE id > ?", before)[0][0]
        self.assertLessEqual(sent, 10)

    def test_more_columns_than_sqlite_takes_are_an_error(self):
        names = [f"P{i}" for i in range(240)]
        entity = "{" + ",".join(f'"{name}":1' for name in names) + "}"
        self.query("INSERT INTO writer(PartitionKey, RowKey, _entity) VALUES ('p', '2', ?)", entity)
        db = self.open()
        self.infer(db, "wide")
        self.assertEqual(241, len(self.columns(db, "wide")))
        self.assertEqual([(240,)], db.execute(
            "SELECT count(*) FROM wide, aztables_each(wide._entity) WHERE RowKey = '2'").fetchall())
        db.setlimit(sqlite3.SQLITE_LIMIT_COLUMN, 100)
        with self.assertRaisesRegex(sqlite3.OperationalError, "too many columns"):
            self.infer(db, "wider")
        self.infer(db, "narrow", more=", infer=50")
        self.assertEqual(50, len(self.columns(db, "narrow")))
        other = self.open()
        other.setlimit(sqlite3.SQLITE_LIMIT_COLUMN, 100)
        with self.assertRaisesRegex(sqlite3.OperationalError, "too many columns"):
            other.execute("SELECT * FROM wide")
        other.execute("DROP TABLE wide")

    # 'refresh'.

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
        other = self.open(str(self.folder / "other.db"))
        self.assertEqual(["A INTEGER", "B TEXT"], self.columns(other))

    def test_refresh_in_temp(self):
        db = self.open()
        self.infer(db, schema="temp")
        self.check_refresh(db, schema="temp")
        db.execute("DROP TABLE temp.t")
        self.assertEqual([], db.execute("SELECT name FROM sqlite_temp_schema").fetchall())

    def test_refresh_in_temp_beside_a_read_only_main(self):
        self.open().execute("CREATE TABLE x(y)")
        db = self.open(f"file:{self.path}?mode=ro", uri=True)
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
        db = self.open(f"file:{self.path}?mode=ro", uri=True)
        with self.assertRaises(sqlite3.OperationalError) as caught:
            db.execute(REFRESH.format("t"))
        self.assertEqual("SQLITE_READONLY", caught.exception.sqlite_errorname)
        self.assertEqual([(1,)], db.execute("SELECT A FROM t").fetchall())

    def test_refresh_while_another_connection_reads_waits_or_says_so(self):
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

    def test_refresh_with_an_own_cursor_open(self):
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

    def test_a_defensive_database(self):
        """The shell, since Python cannot set SQLITE_DBCONFIG_DEFENSIVE."""
        self.add_b()
        script = f"""
.load {host.MODULE}
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
        done = self.shell(f""".load {host.MODULE}
.log stdout
.dbconfig defensive on
INSERT INTO t(_command) VALUES('refresh');
SELECT typeof(A) FROM t WHERE PartitionKey = 'o';
""")
        self.assertIn("table t was refreshed; this database connection is defensive: open it and "
                      "all others again to see the columns", done)
        self.assertIn("is Edm.String, but its column is declared INT32", done)
        done = self.shell(f""".load {host.MODULE}
.dbconfig defensive on
SELECT typeof(A) FROM t WHERE PartitionKey = 'o';
ALTER TABLE t RENAME TO u;
DROP TABLE u;
SELECT count(*) FROM sqlite_schema;
""")
        self.assertEqual(["text", "0"], [w for w in done.split() if w in ("text", "0")], done)

    def shell(self, script, path="main.db"):
        done = subprocess.run(["sqlite3", "-batch", "-init", "/dev/null", str(self.folder / path)],
                              input=script,
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=host.environment(
                                  AZTABLES_CONNECTION_DEMO=self.service.connection_string),
                              timeout=60, check=False)
        return done.stdout


if __name__ == "__main__":
    unittest.main()
