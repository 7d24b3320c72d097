#!/usr/bin/env python3
"""The table of inferred columns in a database file from somebody else. Only an ordinary table that
the module itself wrote is read, renamed or dropped. The time to connect is linear in its size and
in the schema's.
"""

import os
import pathlib
import sqlite3
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()

COLUMNS = ("(position INTEGER PRIMARY KEY, column_name TEXT NOT NULL, property TEXT NOT NULL, "
           "type TEXT NOT NULL)")
VIEW = "CREATE VIEW t_schema AS SELECT 1 position, 'X' column_name, 'X' property, 'STRING' type"
TAKEN = "the name t_schema is taken by another table"


class ShadowTableTest(host.FileCase, host.LocalCase):
    def plant(self, *objects):
        """A file whose schema has these rows (type, name, SQL). SQLite need not be able to create
        them.
        """
        path = self.folder / "main.db"
        path.unlink(missing_ok=True)
        db = sqlite3.connect(path, isolation_level=None)
        db.execute("CREATE TABLE kept(a)")
        root = db.execute("SELECT rootpage FROM sqlite_master").fetchone()[0]
        db.execute("PRAGMA writable_schema = ON")
        db.execute("BEGIN")
        db.execute("DELETE FROM sqlite_master")
        for kind, name, sql in objects:
            ordinary = sql.startswith("CREATE TABLE")
            db.execute("INSERT INTO sqlite_master VALUES (?1, ?2, ?2, ?3, ?4)",
                       [kind, name, root if ordinary else 0, sql])
        db.execute("PRAGMA schema_version = 100")
        db.execute("COMMIT")
        db.close()
        return path

    def inferring(self, name="t", more=""):
        return ("table", name, f"CREATE VIRTUAL TABLE {name} USING aztables(table={self.table}, connection=demo){more}")

    def gone(self, why, *objects):
        """Opens a file with `objects`. The first use explains the missing columns and sends
        nothing.
        """
        self.plant(*objects)
        db = self.open()
        self.assertEqual(3, len(db.execute("PRAGMA table_info(t)").fetchall()))
        self.assertIn(f"its inferred columns are gone: {why}",
                      self.refused("SQLITE_ERROR", "SELECT * FROM t", db=db))
        self.assertEqual([], db.execute("SELECT kind FROM aztables_requests").fetchall())
        return db

    def others(self, db):
        return db.execute("SELECT type, name FROM sqlite_master").fetchall()

    def test_virtual_table_is_refused(self):
        for text in (f"CREATE VIRTUAL TABLE t_schema USING aztables{COLUMNS}",
                     self.inferring("t_schema", f" --{COLUMNS}")[2]):
            with self.subTest(text):
                db = self.gone(TAKEN, self.inferring(), ("table", "t_schema", text))
                with self.assertRaisesRegex(sqlite3.OperationalError, "t_schema is taken by another table"):
                    db.execute("INSERT INTO t(_command) VALUES('refresh')")
                db.execute("DROP TABLE t")
                self.assertEqual([("table", "t_schema")], self.others(db))

    def test_chain_of_virtual_tables_ends(self):
        names = ["t" + "_schema" * depth for depth in range(1000)]
        path = self.plant(*(self.inferring(name, f" --{COLUMNS}") for name in names))
        done = host.run_python("""
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.enable_load_extension(True)
db.load_extension(os.environ["AZTABLES_MODULE"])
print(len(db.execute("PRAGMA table_info(t)").fetchall()))
print(db.execute("SELECT count(*) FROM aztables_requests").fetchone()[0])
""", str(path), AZTABLES_CONNECTION_DEMO=os.environ["AZTABLES_CONNECTION_DEMO"])
        self.assertEqual((0, "", "3\n0\n"), (done.returncode, done.stderr, done.stdout))

    def test_view_is_refused(self):
        db = self.gone(TAKEN, self.inferring(), ("view", "t_schema", f"{VIEW} --{COLUMNS}"))
        db.execute("DROP TABLE t")
        self.assertEqual([("view", "t_schema")], self.others(db))

    def test_another_ordinary_table_is_refused(self):
        """The values of its columns may be computed by functions that the file chooses."""
        computed = "(position, column_name AS (hex(property)), property, type)"
        for text in (f"CREATE TABLE t_schema{computed} --{COLUMNS}",
                     f'CREATE TABLE "t_schema"{computed} --{COLUMNS}',
                     f'CREATE TABLE "t_schema" /*{COLUMNS}*/ {computed}'):
            with self.subTest(text):
                db = self.gone(TAKEN, self.inferring(), ("table", "t_schema", text))
                db.execute("DROP TABLE t")
                self.assertEqual([("table", "t_schema")], self.others(db))

    def test_renamed_table_of_the_module_is_used(self):
        self.virtual("writer")
        self.query("INSERT INTO writer(PartitionKey, RowKey, A) VALUES ('p', '1', 1)")
        db = self.open()
        sql = f"CREATE VIRTUAL TABLE %s USING aztables(table={self.table}, connection=demo)"
        for name in ("Plain", '"odd ""name"'):
            db.execute(sql % name)
        for old, new in (("Plain", "renamed"), ("renamed", '"odd again"')):
            db.execute(f"ALTER TABLE {old} RENAME TO {new}")
        db.execute("VACUUM")
        dump = "\n".join(db.iterdump())
        db.close()
        db = self.open()
        for name in ('"odd again"', '"ODD ""name"'):
            self.assertEqual([(1,)], db.execute(f"SELECT A FROM {name}").fetchall())
            db.execute(f"DROP TABLE {name}")
        self.assertEqual([], self.others(db))
        self.assertIn("_schema", dump)

    def fill_shadow(self, sql):
        """A file with a virtual table with inferred columns, which the statement has changed."""
        self.virtual("writer")
        self.query("INSERT INTO writer(PartitionKey, RowKey, A) VALUES ('p', '1', 1)")
        db = self.open()
        db.execute(self.inferring()[2])
        db.execute(sql)
        db.close()
        return self.open()

    def test_more_columns_than_sqlite_takes(self):
        """A quadratic algorithm would take minutes."""
        db = self.fill_shadow("INSERT INTO t_schema WITH n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE"
                              " i < 400000) SELECT i, printf('c%06d', i), printf('c%06d', i), 'STRING' FROM n")
        self.assertIn("its table t_schema was changed: too many columns: SQLite takes 2000 at most; infer them again",
                      self.refused("SQLITE_ERROR", "SELECT * FROM t", db=db))
        db.execute("INSERT INTO t(_command) VALUES('refresh')")
        self.assertEqual([("p", "1", 1)], db.execute("SELECT PartitionKey, RowKey, A FROM t").fetchall())

    def test_as_many_columns_as_sqlite_takes(self):
        db = self.fill_shadow("INSERT INTO t_schema WITH n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE"
                              " i < 1994) SELECT i, printf('c%06d', i), printf('c%06d', i), 'STRING' FROM n")
        self.assertEqual([(1, None)], db.execute("SELECT A, c001994 FROM t").fetchall())

    def test_long_names(self):
        """10 MB. A quadratic algorithm would take days."""
        long = 10_000_000
        db = self.fill_shadow(f"UPDATE t_schema SET column_name = printf('%.*c', {long}, 'x')")
        self.assertEqual([(1,)], db.execute(f"SELECT {'x' * long} FROM t").fetchall())
        sql = f"CREATE VIRTUAL TABLE u USING aztables(table={self.table}, connection=demo, %s)"
        db.execute(sql % f"{'x' * long} INT32 PROPERTY 'A'")
        self.assertEqual([(1,)], db.execute(f"SELECT {'x' * long} FROM u").fetchall())
        self.assertLess(len(self.refused("SQLITE_ERROR", sql.replace("u USING", "v USING") % f"{'x' * long} INT32",
                                         db=db)), 300)

    def honest(self):
        return [self.inferring(), ("table", "t_schema", f'CREATE TABLE "t_schema"{COLUMNS}')]

    def steps_to_connect(self, count, form=lambda name: ("table", name)):
        """The number of steps of SQLite's virtual machine while it connects `count` tables with
        inferred columns. For each name, `form` makes the type and the name of its schema row.
        """
        objects = []
        for i in range(count):
            kind, name = form(f"t{i}_schema")
            objects += [self.inferring(f"t{i}"), (kind, name, f'CREATE TABLE "t{i}_schema"{COLUMNS}')]
        self.plant(*objects)
        db = self.open()
        self.assertEqual([(2 * count,)], db.execute("SELECT count(*) FROM sqlite_master").fetchall())
        steps = 0

        def step():
            nonlocal steps
            steps += 1

        db.set_progress_handler(step, 1)
        for i in range(count):
            self.assertEqual(3, len(db.execute(f"PRAGMA table_info(t{i})").fetchall()))
        db.set_progress_handler(None, 0)
        return steps

    def test_connecting_takes_steps_linear_in_the_schema(self):
        """If each table searched the whole schema, twice the tables would take four times the
        steps.
        """
        few, many = self.steps_to_connect(100), self.steps_to_connect(200)
        self.assertGreater(few, 100)
        self.assertLessEqual(many, 2.1 * few)

    def test_unusual_schema_rows_cost_no_list_each(self):
        """SQLite accepts each of these rows as the table."""
        for form in (lambda name: ("TABLE", name), lambda name: (b"table", name), lambda name: ("table", name.encode()),
                     lambda name: ("table", name.upper()), lambda name: ("table", name + "\0more"),
                     lambda name: (b"TABLE\0", name.encode() + b"\0")):
            with self.subTest(form("t")):
                few, many = self.steps_to_connect(100, form), self.steps_to_connect(200, form)
                self.assertGreater(few, 100)
                self.assertLessEqual(many, 2.1 * few)

    def test_table_with_unusual_schema_rows_is_found(self):
        """The file has a schema row that no list contains."""
        self.plant(self.inferring(), ("table", "t_schema\0more", f'CREATE TABLE "t_schema"{COLUMNS}'))
        db, other = self.open(), self.open()
        self.assertIn("its inferred columns are gone: its table t_schema is missing",
                      self.refused("SQLITE_ERROR", "SELECT * FROM t", db=db))
        other.execute(f"CREATE VIRTUAL TABLE u USING aztables(table={self.table}, connection=demo)")
        self.assertEqual([], db.execute("SELECT RowKey FROM u").fetchall())

    def test_another_database_under_the_same_name(self):
        """The new database does not use anything of the database that was attached before."""
        honest = self.honest()
        shifted = [("table", "other", "CREATE TABLE other(a)"), *honest]
        for name, objects, why in (
                ("honest", honest, None),
                ("view", [honest[0], ("view", "t_schema", VIEW)], TAKEN),
                ("honest", honest, None),
                ("virtual", [honest[0], self.inferring("t_schema")], TAKEN),
                ("missing", honest[:1], "its table t_schema is missing"),
                ("shifted", shifted, None),
                ("computed", [("table", "t_schema", f"CREATE TABLE t_schema{COLUMNS} --"), honest[0]], TAKEN),
                ("honest", honest, None)):
            with self.subTest(name):
                self.plant(*objects).replace(self.folder / "attached.db")
                self.query("ATTACH ? AS x", str(self.folder / "attached.db"))
                self.assertEqual(["PartitionKey", "RowKey", "Timestamp"],
                                 [row[1] for row in self.query("PRAGMA x.table_info(t)")])
                if why is None:
                    self.assertEqual([], self.query("SELECT * FROM x.t"))
                else:
                    self.assertIn(f"its inferred columns are gone: {why}",
                                  self.refused("SQLITE_ERROR", "SELECT * FROM x.t"))
                self.query("DETACH x")

    def test_object_that_took_the_name_later(self):
        """Another process changes the file between two connects of one database connection."""
        honest = self.honest()
        db = sqlite3.connect(self.plant(*honest), isolation_level=None)
        mine = self.open()
        self.assertEqual([], mine.execute("SELECT * FROM t").fetchall())
        for change, why in (("DROP TABLE t_schema; " + VIEW, TAKEN),
                            (f'DROP VIEW t_schema; CREATE TABLE "t_schema"{COLUMNS}', None),
                            ("DROP TABLE t_schema", "its table t_schema is missing")):
            with self.subTest(change):
                db.executescript(change)
                if why is None:
                    self.assertEqual([], mine.execute("SELECT * FROM t").fetchall())
                else:
                    self.assertIn(why, self.refused("SQLITE_ERROR", "SELECT * FROM t", db=mine))
        db.close()

    def test_view_that_took_the_name_of_a_new_table(self):
        """It is found before anything is sent, although the schema was searched before."""
        self.plant(*self.honest())
        db = self.open()
        self.assertEqual([], db.execute("SELECT * FROM t").fetchall())
        db.execute("CREATE VIEW u_schema AS SELECT 1")
        sent = db.execute("SELECT count(*) FROM aztables_requests").fetchall()
        self.assertIn("the name u_schema is taken by another table",
                      self.refused("SQLITE_ERROR", self.inferring("u")[2], db=db))
        db.execute("DROP TABLE t_schema")
        db.execute("CREATE VIEW t_schema AS SELECT 1")
        self.assertIn(TAKEN, self.refused("SQLITE_ERROR", "INSERT INTO t(_command) VALUES('refresh')", db=db))
        self.assertLessEqual(db.execute("SELECT count(*) FROM aztables_requests").fetchone()[0], sent[0][0] + 10)

    def test_name_of_two_objects(self):
        """SQLite does not load such a schema, so only the first of the two exists."""
        honest = self.honest()
        for name in ("t_schema", "T_SCHEMA"):
            for order in (1, -1):
                self.plant(*(honest + [("view", name, f"CREATE VIEW {name} AS SELECT 1")])[::order])
                db = sqlite3.connect(self.folder / "main.db")
                with self.assertRaisesRegex(sqlite3.DatabaseError, "malformed database schema"):
                    db.execute("SELECT 1 FROM t_schema")
                db.close()


if __name__ == "__main__":
    unittest.main()
