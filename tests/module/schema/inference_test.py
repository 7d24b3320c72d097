#!/usr/bin/env python3
"""Inferred columns during the life of a table: it is created, opened and dropped offline, renamed,
damaged and copied. The tests also check the columns that a sample finds.
"""

import os
import pathlib
import re
import sqlite3
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402
import faulty_server  # noqa: E402

host.enter()
REFRESH = "INSERT INTO {}(_command) VALUES('refresh')"


class InferenceTest(host.InferringCase):
    def offline(self):
        """Opens the database again, without any known connection."""
        kept = os.environ.pop("AZTABLES_CONNECTION_DEMO")
        self.addCleanup(os.environ.__setitem__, "AZTABLES_CONNECTION_DEMO", kept)

    def test_create_infers_and_open_needs_no_network(self):
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

    def test_rolled_back_create_changes_nothing(self):
        db = self.open()
        db.execute("BEGIN")
        self.infer(db)
        self.assertEqual([(1,)], db.execute("SELECT A FROM t").fetchall())
        db.execute("ROLLBACK")
        self.assertEqual([], db.execute("SELECT name FROM sqlite_schema").fetchall())
        self.infer(db)
        self.assertEqual(["A INTEGER"], self.columns(db))

    def test_rolled_back_drop_keeps_the_columns(self):
        db = self.open()
        self.infer(db)
        db.execute("BEGIN")
        db.execute("DROP TABLE t")
        db.execute("ROLLBACK")
        self.assertEqual(["A INTEGER"], self.columns(db))
        self.assertEqual([(1,)], db.execute("SELECT A FROM t").fetchall())

    def test_existing_name_is_reported_and_unchanged(self):
        db = self.open()
        db.execute("CREATE TABLE t_schema(mine)")
        with self.assertRaisesRegex(sqlite3.OperationalError, "t_schema is taken by another table"):
            self.infer(db)
        self.infer(db, more=", infer=off")
        db.execute("DROP TABLE t")
        self.assertEqual([("t_schema",)], db.execute("SELECT name FROM sqlite_schema").fetchall())

    def test_rename_keeps_the_columns(self):
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

    def test_rename_to_an_existing_name_changes_nothing(self):
        db = self.open()
        self.infer(db)
        db.execute("CREATE TABLE u_schema(mine)")
        with self.assertRaises(sqlite3.OperationalError):
            db.execute("ALTER TABLE t RENAME TO u")
        self.assertEqual([(1,)], db.execute("SELECT A FROM t").fetchall())

    def test_drop_works_if_everything_is_broken(self):
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

    def test_lost_columns_are_reported_and_inferred_again(self):
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

    def test_copy_of_the_database_has_the_columns(self):
        db = self.open()
        self.infer(db)
        db.execute("VACUUM")
        db.execute(f"VACUUM INTO '{self.folder}/copy.db'")
        dump = self.shell(".dump")
        self.offline()
        copy = self.open("copy.db")
        self.assertEqual(["A INTEGER"], self.columns(copy))
        self.shell(dump, "restored.db")
        self.assertEqual(["A INTEGER"], self.columns(self.open("restored.db")))

    # A failed CREATE changes nothing, and the next one works.

    def check_nothing_is_left(self, db):
        self.assertEqual([], db.execute("SELECT name FROM sqlite_schema WHERE name LIKE 't%'").fetchall())
        self.infer(db)
        self.assertEqual(["A INTEGER"], self.columns(db))

    def test_interrupted_create(self):
        db = self.open(check_same_thread=False)
        with faulty_server.start() as faulty:
            db.execute("SELECT aztables_connect('faulty', ?)", (faulty.connection_string,))
            threading.Timer(0.3, db.interrupt).start()
            began = time.monotonic()
            self.refused("SQLITE_INTERRUPT",
                         "CREATE VIRTUAL TABLE t USING aztables(table=slow, connection=faulty)", db=db)
            self.assertLess(time.monotonic() - began, 2)
        self.check_nothing_is_left(db)

    def test_full_disk(self):
        db = self.open()
        db.execute("CREATE TABLE filler(x)")
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages}")
        message = self.refused(
            "SQLITE_FULL", f"CREATE VIRTUAL TABLE t USING aztables(table={self.table}, connection=demo)", db=db)
        self.assertEqual("its columns cannot be kept in t_schema: database or disk is full", message)
        db.execute("PRAGMA max_page_count = 100000")
        self.check_nothing_is_left(db)

    def test_server_that_ends_during_a_sample(self):
        db = self.open()
        with faulty_server.start() as faulty:
            db.execute("SELECT aztables_connect('faulty', ?)", (faulty.connection_string,))
            faulty.server.dies_after = 4
            message = self.refused("SQLITE_BUSY", "CREATE VIRTUAL TABLE t USING aztables("
                                   "table=million, connection=faulty, retries=0)", db=db)
            self.assertIn("reading table million (connection 'faulty') failed", message)
            self.assertEqual(4, len(faulty.server.million))
        self.check_nothing_is_left(db)

    # The result of a sample.

    def test_empty_table_and_missing_table(self):
        def sent(sql):
            before = self.query("SELECT max(id) FROM aztables_requests")[0][0]
            try:
                self.query(sql)
            except sqlite3.OperationalError as error:
                self.assertIn(f"similar tables: {self.table}", str(error))
            return self.query("SELECT count(*) FROM aztables_requests WHERE id > ?", before)[0][0]

        self.query(f"SELECT aztables_create_table('demo.{self.table}Empty')")
        create = "CREATE VIRTUAL TABLE {} USING aztables(table={}, connection=demo)"
        self.assertEqual(1, sent(create.format("empty", f"{self.table}Empty")))
        self.assertEqual([], self.columns(self.db, "empty"))
        self.assertEqual(2, sent(create.format("missing", f"{self.table}x")))

    def test_the_300_most_frequent_of_400_properties(self):
        for row, first in (("2", 0), ("3", 200)):
            entity = "{" + ",".join(f'"P{i}":{i}' for i in range(first, first + 200)) + "}"
            self.query("INSERT INTO writer(PartitionKey, RowKey, _entity) VALUES ('p', ?, ?)", row, entity)
        self.query("INSERT INTO writer(PartitionKey, RowKey, _entity) VALUES ('p', '4', '{\"P399\":1}')")
        self.infer(self.db)
        columns = self.columns(self.db)
        self.assertEqual((300, "P399 INTEGER", "A INTEGER"), (len(columns), columns[0], columns[1]))
        self.assertEqual([(101,)], self.query(
            "SELECT count(*) FROM aztables_infer(?) WHERE column_name IS NULL", f"demo.{self.table}"))
        self.assertEqual([(398,)], self.query("SELECT aztables_get(_entity, 'P398') FROM t WHERE RowKey = '3'"))

    def test_million_entities_in_ten_requests(self):
        with faulty_server.start() as faulty:
            self.query("SELECT aztables_connect('faulty', ?)", faulty.connection_string)
            self.query("CREATE VIRTUAL TABLE t USING aztables(table=million, connection=faulty)")
            self.assertEqual(["N INTEGER", "Late TEXT"], self.columns(self.db))
            self.assertLessEqual(len(faulty.server.million), 10)
            rows = self.query("SELECT property, entities FROM aztables_infer('faulty.million')")
            self.assertLessEqual(len(faulty.server.million), 20)
            self.assertEqual(["N", "Late"], [row[0] for row in rows])
            self.assertEqual([("found",)], self.query(
                "SELECT max(Late) FROM t WHERE PartitionKey = '099999'"))

    def test_property_that_the_first_5000_entities_lack(self):
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

    def test_too_many_columns_are_an_error(self):
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


if __name__ == "__main__":
    unittest.main()
