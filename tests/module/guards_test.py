#!/usr/bin/env python3
"""Ways around the guards, and into trouble, that were tried: each is closed. Budgets belong to one statement
whatever runs beside it; overrides to one table of one file; rules that cannot be known are not taken for
none; a transaction that was sent takes nothing more."""

import pathlib
import sqlite3
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import host  # noqa: E402
import odd_server  # noqa: E402

host.enter()
DENIED = "SQLITE_AUTH"
BUDGET = "SQLITE_TOOBIG"


class GuardsCase(host.Case):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def fill(self, count=2100, partitions=3):
        self.virtual("filled", "N INT32")
        self.query("BEGIN")
        self.query(f"""INSERT INTO filled(PartitionKey, RowKey, N)
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {count - 1})
            SELECT 'p' || (i % {partitions}), printf('%06d', i), i FROM n""")
        self.query("COMMIT")
        self.query("DROP TABLE filled")

    def open(self, name, **options):
        db = host.connect(str(self.folder / name), **options)
        self.addCleanup(db.close)
        return db

    def refused(self, code, sql, *parameters, db=None):
        with self.assertRaises(sqlite3.Error) as caught:
            (db or self.db).execute(sql, parameters).fetchall()
        self.assertEqual(code, caught.exception.sqlite_errorname, str(caught.exception))
        return str(caught.exception)


class Rules(GuardsCase):
    """scan=deny, and who it holds for."""

    def test_conditions_that_every_key_meets_are_none(self):
        self.fill()
        self.virtual("t", "N INT32", scan="deny")
        for where in ("PartitionKey >= ''", "PartitionKey > ''", "PartitionKey < x'00'", "PartitionKey IS NOT NULL",
                      "PartitionKey >= '' AND PartitionKey < aztables_prefix_end('')", "PartitionKey LIKE '%'",
                      "RowKey >= '000000'", "PartitionKey <> 'p0'", "PartitionKey = 'p0' OR N = 5"):
            self.refused(DENIED, f"SELECT count(*) FROM t WHERE {where}")
        for filter in ("PartitionKey ge ''", "'' lt PartitionKey", "PartitionKey ne 'p0'"):
            self.refused(DENIED, "SELECT count(*) FROM aztables_query(?, ?)", f"demo.{self.table}", filter)
        self.assertEqual([(1400,)], self.query("SELECT count(*) FROM t WHERE PartitionKey > 'p0'"))
        self.assertEqual([(0,)], self.query("SELECT count(*) FROM t WHERE PartitionKey <= ''"))

    def test_a_query_knows_rules_that_were_not_used_yet(self):
        self.fill()
        db = self.open("rules.db")
        self.virtual("t", "N INT32", db=db, scan="deny")
        db.close()
        query = f"SELECT count(*) FROM aztables_query('demo.{self.table}')"
        # A table of the same name hides it.
        db = self.open("rules.db")
        db.execute("CREATE TEMP TABLE t(x)")
        self.assertIn("INSERT INTO main.t(_command) VALUES('scan=allow');", self.refused(DENIED, query, db=db))
        # It is in an attached database.
        db = self.open("other.db")
        db.execute("CREATE TABLE t(x)")
        db.execute(f"ATTACH '{self.folder}/rules.db' AS \"its own\"")
        self.assertIn('INSERT INTO "its own".t(_command)', self.refused(DENIED, query, db=db))
        db.execute("INSERT INTO \"its own\".t(_command) VALUES('scan=allow')")
        self.assertEqual([(2100,)], db.execute(query).fetchall())

    def test_rules_that_cannot_be_read_are_not_taken_for_none(self):
        self.fill()
        db = self.open("rules.db")
        self.virtual("t", "N INT32", db=db, scan="deny", max_requests=1)
        db.close()
        db = self.open("rules.db")
        query = f"SELECT count(*) FROM aztables_query('demo.{self.table}')"
        db.set_authorizer(lambda action, *_: sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_PRAGMA else
                          sqlite3.SQLITE_OK)
        self.refused(DENIED, query, db=db)
        db.set_authorizer(lambda action, table, *_: sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_READ and
                          table.startswith("sqlite_") else sqlite3.SQLITE_OK)
        with self.assertRaisesRegex(sqlite3.DatabaseError, "the rules of the virtual tables in .* cannot be read"):
            db.execute(query).fetchall()

    def test_the_line_names_the_table_whose_rule_it_is(self):
        self.fill()
        self.virtual("a", "N INT32", max_requests=1)
        self.virtual("b", "N INT32", max_entities=1500)
        query = f"SELECT count(*) FROM aztables_query('demo.{self.table}')"
        self.assertIn("INSERT INTO a(_command) VALUES('max_requests=none');", self.refused(BUDGET, query))
        self.query("INSERT INTO a(_command) VALUES('max_requests=none')")
        self.assertIn("INSERT INTO b(_command) VALUES('max_entities=none');", self.refused(BUDGET, query))
        self.query("INSERT INTO b(_command) VALUES('max_entities=none')")
        self.assertEqual([(2100,)], self.query(query))

    def test_a_budget_is_not_blamed_on_scan(self):
        self.fill(5)
        self.virtual("t", "N INT32", scan="deny", max_entities=3)
        self.assertIn("max_entities=3 is used up", self.refused(BUDGET, "SELECT N FROM t"))

    def test_other_reads_leave_deny_its_first_requests(self):
        self.fill()
        self.virtual("warned", "N INT32", scan="warn")
        self.query(f"SELECT aztables_create_table('demo.{self.table}Small')")
        self.virtual("small", "N INT32", table=f"{self.table}Small", scan="deny")
        counts = " UNION ALL ".join(["SELECT count(*) FROM warned"] * 4 + ["SELECT count(*) FROM small"])
        self.assertEqual([(2100,)] * 4 + [(0,)], self.query(counts))

    def test_no_secret_of_a_command_is_repeated(self):
        self.virtual("t", "N INT32")
        for command in ("AccountKey=c2VjcmV0", "SharedAccessSignature=sig=c2VjcmV0", "token c2VjcmV0", "c2VjcmV0",
                        "it's c2VjcmV0", "scan='c2VjcmV0'", "AccountName=a;AccountKey=c2VjcmV0"):
            for columns in ("_command", "_command, PartitionKey"):
                values = "?" if columns == "_command" else "?, 'p'"
                with self.assertRaises(sqlite3.Error) as caught:
                    self.query(f"INSERT INTO t({columns}) VALUES ({values})", command)
                self.assertNotIn("c2VjcmV0", str(caught.exception))

    def test_a_servers_text_is_not_pasted(self):
        with odd_server.start() as odd:
            self.query("SELECT aztables_connect('odd', ?)", odd.connection_string)
            text = self.query("SELECT aztables_schema('odd.evilname')")[0][0]
        self.assertEqual([], [line for line in text.split(";\n")[1].splitlines() if not line.startswith("-- ")], text)


class Overrides(GuardsCase):
    def test_another_file_under_the_same_name_begins_without_them(self):
        self.fill()
        for name in ("one.db", "two.db"):
            db = self.open(name)
            self.virtual("t", "N INT32", db=db, scan="deny")
            db.close()
        self.query(f"ATTACH '{self.folder}/one.db' AS x")
        self.query("INSERT INTO x.t(_command) VALUES('scan=allow')")
        self.assertEqual([(2100,)], self.query("SELECT count(*) FROM x.t"))
        self.query("DETACH x")
        self.query(f"ATTACH '{self.folder}/two.db' AS x")
        self.refused(DENIED, "SELECT count(*) FROM x.t")

    def test_a_table_created_anew_begins_without_them(self):
        self.fill()
        for _ in range(2):
            self.virtual("t", "N INT32", scan="deny")
            self.refused(DENIED, "SELECT count(*) FROM t")
            self.query("INSERT INTO t(_command) VALUES('scan=allow')")
            self.query("SELECT count(*) FROM t")
            self.query("DROP TABLE t")

    def test_they_stay_through_renaming_dropping_and_rolling_back(self):
        self.fill()
        self.virtual("t", "N INT32")
        self.query("INSERT INTO t(_command) VALUES('scan=deny')")
        for change in ("ALTER TABLE t RENAME TO u", "DROP TABLE t", "CREATE TABLE other(x)"):
            self.query("BEGIN")
            self.query(change)
            self.query("ROLLBACK")
            self.refused(DENIED, "SELECT count(*) FROM t")
        self.query("ALTER TABLE t RENAME TO u")
        self.refused(DENIED, "SELECT count(*) FROM u")

    def test_commands_leave_the_last_rowid_alone(self):
        self.query("CREATE TABLE l(i INTEGER PRIMARY KEY)")
        self.query("INSERT INTO l VALUES (77)")
        self.virtual("t", "")
        self.query("INSERT INTO t(_command) VALUES('scan=deny')")
        self.query("INSERT INTO t(_command) VALUES('refresh')")
        self.assertEqual([(77,)], self.query("SELECT last_insert_rowid()"))


class Budgets(GuardsCase):
    def test_a_finished_statement_leaves_nothing_behind(self):
        self.fill(5)
        self.db = host.connect(cached_statements=0)
        self.addCleanup(self.db.close)
        self.virtual("t", "N INT32", max_requests=2)
        for _ in range(3):
            self.query("BEGIN")
            self.query("INSERT INTO t(PartitionKey, RowKey) VALUES (hex(randomblob(8)), '1'), (hex(randomblob(8)), '1')")
            self.query("SELECT count(*) FROM t WHERE PartitionKey = 'p0'")
            self.query("COMMIT")
            self.query("SELECT count(*) FROM t WHERE PartitionKey = 'p0'")
            self.virtual("u", "", max_requests=1)
            self.query("DROP TABLE u")

    def test_other_statements_in_between_change_nothing(self):
        self.fill(5, 1)
        self.virtual("t", "N INT32", max_requests=3)
        self.query("CREATE TABLE l(i)")
        self.query("INSERT INTO l VALUES (1), (2), (3), (4), (5), (6)")
        correlated = self.db.execute("SELECT i, (SELECT count(*) FROM t WHERE PartitionKey = 'p0' AND N >= i) FROM l")
        rows = []
        with self.assertRaisesRegex(sqlite3.DataError, "max_requests=3 is used up"):
            for row in correlated:
                rows.append(row)
                self.query(f"SELECT {len(rows)}, N FROM t WHERE PartitionKey = 'p0' AND RowKey = '000001'")
        self.assertEqual([(1, 4), (2, 3)], rows)  # Python has asked for the fourth before it gives the third

    def test_each_of_two_interleaved_statements_pays_for_itself(self):
        self.fill(3000, 6)
        self.virtual("free", "N INT32")
        self.virtual("t", "N INT32", max_requests=4)
        self.query("CREATE TABLE l(i)")
        self.query("INSERT INTO l VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9)")
        join = self.db.execute(
            "SELECT i, N FROM l CROSS JOIN free ON PartitionKey = 'p0' AND RowKey = printf('%06d', i * 6)")
        self.assertEqual((1, 6), join.fetchone())
        scan = self.db.execute("SELECT N FROM t")
        first = scan.fetchone()
        self.assertEqual([(i, i * 6) for i in range(2, 8)], [join.fetchone() for _ in range(6)])
        self.assertEqual(3000, 1 + len(scan.fetchall()))
        self.assertIsNotNone(first)
        self.assertEqual(2, len(join.fetchall()))


    def test_a_subquery_pays_with_its_own_statement_whatever_is_open_beside_it(self):
        self.fill(60, 3)
        self.virtual("t", "N INT32", max_requests=4)
        self.virtual("free", "N INT32")
        self.query("CREATE TABLE l(i)")
        self.query("INSERT INTO l VALUES " + ", ".join(f"({i})" for i in range(15)))
        lookups = """SELECT i, (SELECT count(*) FROM {} WHERE PartitionKey = 'p0' AND RowKey = printf('%06d', i * 3))
                     FROM l"""
        paying = self.db.execute(lookups.format("t"))
        beside = []
        with self.assertRaisesRegex(sqlite3.DataError, "max_requests=4 is used up: the statement sent 4 requests"):
            for number, _ in enumerate(paying):
                self.assertLess(number, 4)
                beside.append(self.db.execute(f"SELECT N, {number} FROM free WHERE PartitionKey = 'p1'"))
                beside[-1].fetchone()
        # And pays for nobody else's.
        spending = self.db.execute(lookups.format("free"))
        spending.fetchone()
        paying = self.db.execute(lookups.format("t") + " WHERE i < 4")
        self.assertEqual(6, len([spending.fetchone() for _ in range(6)]))
        self.assertEqual([(i, 1) for i in range(4)], paying.fetchall())

    def test_the_same_text_again_is_another_statement(self):
        db = host.connect(cached_statements=0)
        self.addCleanup(db.close)
        self.virtual("t", "N INT32", db=db, max_requests=1, max_entities=1)
        for _ in range(4):
            db.execute("INSERT INTO t(PartitionKey, RowKey) VALUES (hex(randomblob(8)), '1')")
        for _ in range(2):
            for bad in ("('p', '1'), ('q', '1')", "('p', 'a/b')"):
                with self.assertRaises(sqlite3.Error):
                    db.execute(f"INSERT INTO t(PartitionKey, RowKey) VALUES {bad}")
        db.execute("INSERT INTO t(PartitionKey, RowKey) VALUES (hex(randomblob(8)), '1')")
        for _ in range(3):
            db.execute("SELECT N FROM t LIMIT 1").fetchall()
        self.assertEqual(5, len(self.remote()))


class Created(GuardsCase):
    """A table that is created in a transaction takes part in it without being told."""

    def test_its_rows_are_sent(self):
        for schema in ("main", "temp"):
            self.query("BEGIN")
            self.virtual(f"{schema}.t", "N INT32")
            self.query(f"INSERT INTO {schema}.t(PartitionKey, RowKey, N) VALUES (?, '1', 1), (?, '2', 2)", schema, schema)
            self.query("COMMIT")
            self.assertEqual([(schema, "1"), (schema, "2")], self.remote(where=f"PartitionKey = '{schema}'"))
            self.query(f"INSERT INTO {schema}.t(PartitionKey, RowKey, N) VALUES (?, '3', 3)", schema)
            self.assertEqual(3, len(self.remote(where=f"PartitionKey = '{schema}'")))
            self.query(f"DROP TABLE {schema}.t")

    def test_with_savepoints_and_failed_statements(self):
        self.query("BEGIN")
        self.virtual("t", "N INT32")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1')")
        self.query("SAVEPOINT s")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '2')")
        self.query("ROLLBACK TO s")
        with self.assertRaises(sqlite3.Error):
            self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '3'), ('p', 'a/b')")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '4')")
        self.query("COMMIT")
        self.assertEqual([("p", "1"), ("p", "4")], self.remote())

    def test_rolled_back_nothing_is_sent(self):
        self.query("BEGIN")
        self.virtual("t", "N INT32")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1')")
        self.query("ROLLBACK")
        self.virtual("t", "N INT32")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '2')")
        self.assertEqual([("p", "2")], self.remote())

    def test_its_limits_hold_and_others_are_sent_too(self):
        self.query(f"SELECT aztables_create_table('demo.{self.table}Other')")
        self.virtual("other", "N INT32", table=f"{self.table}Other")
        self.virtual("same", "N INT32")
        for table in ("other", "same"):
            self.query("BEGIN")
            self.virtual("t", "N INT32", max_entities=2)
            self.query(f"INSERT INTO {table}(PartitionKey, RowKey) VALUES ('o', '1')")
            self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1'), ('p', '2')")
            self.refused(BUDGET, "COMMIT")
            self.query("BEGIN")
            self.virtual("t", "N INT32", max_entities=2)
            self.query(f"INSERT INTO {table}(PartitionKey, RowKey) VALUES ('o', '{table}')")
            self.query(f"INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '{table}')")
            self.query("COMMIT")
            self.query("DROP TABLE t")
        self.assertEqual([("o", "same"), ("p", "other"), ("p", "same")], self.remote())
        self.assertEqual([("other",)], self.query("SELECT RowKey FROM other"))


class Sent(GuardsCase):
    """SQLite takes its last lock after the rows were sent; where it gets none, COMMIT can be repeated."""

    def test_a_transaction_that_was_sent_takes_nothing_more(self):
        local = self.open("locked.db", timeout=0.05)
        local.execute("CREATE TABLE l(x)")
        local.execute("INSERT INTO l VALUES (1), (2)")
        self.virtual("t", "N INT32", db=local)
        self.query(f"SELECT aztables_create_table('demo.{self.table}Other')")
        self.virtual("late", "N INT32", db=local, table=f"{self.table}Other")
        reader = self.open("locked.db").execute("SELECT x FROM l")
        reader.fetchone()
        local.execute("BEGIN")
        local.execute("SAVEPOINT a")
        local.execute("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1')")
        self.refused("SQLITE_BUSY", "COMMIT", db=local)
        for refused in ("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '2')",
                        "INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '3'), ('p', '4')",
                        "INSERT INTO late(PartitionKey, RowKey) VALUES ('p', '1')"):
            self.assertIn("repeat COMMIT", self.refused("SQLITE_BUSY", refused, db=local))
        with self.assertRaises(sqlite3.Error):
            local.execute("ROLLBACK TO a")
        self.refused("SQLITE_LOCKED", "DROP TABLE t", db=local)
        self.assertEqual([("p", "1")], local.execute("SELECT PartitionKey, RowKey FROM t").fetchall())
        reader.fetchall()
        reader.close()
        local.execute("COMMIT")
        self.assertEqual([("p", "1")], self.remote())
        local.execute("INSERT INTO late(PartitionKey, RowKey) VALUES ('p', '1')")
        local.execute("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '2')")
        self.assertEqual([("p", "1"), ("p", "2")], self.remote())

    def test_and_may_be_rolled_back(self):
        local = self.open("locked.db", timeout=0.05)
        local.execute("CREATE TABLE l(x)")
        local.execute("INSERT INTO l VALUES (1), (2)")
        self.virtual("t", "N INT32", db=local)
        reader = self.open("locked.db").execute("SELECT x FROM l")
        reader.fetchone()
        local.execute("BEGIN")
        local.execute("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '1')")
        self.refused("SQLITE_BUSY", "COMMIT", db=local)
        local.execute("ROLLBACK")
        reader.close()
        local.execute("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '2')")
        self.assertEqual([("p", "1"), ("p", "2")], self.remote())


class Shadow(GuardsCase):
    def setUp(self):
        super().setUp()
        self.virtual("writer", "A INT32, B STRING")
        self.query("INSERT INTO writer(PartitionKey, RowKey, A) VALUES ('p', '1', 1)")
        self.virtual("t", "")

    def test_a_refresh_that_fails_in_a_transaction_changes_nothing(self):
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

    def test_a_damaged_one_is_said_and_made_anew(self):
        for damage in ("INSERT INTO t_schema VALUES (9, 'a', 'a', 'INT32')",
                       "UPDATE t_schema SET type = 'NUMBER'",
                       "UPDATE t_schema SET property = 'a,b'",
                       "UPDATE t_schema SET column_name = 'rowid'",
                       "DELETE FROM t_schema",
                       "DROP TABLE t_schema"):
            self.query(damage)
            version = self.query("PRAGMA schema_version")[0][0]
            self.query(f"PRAGMA schema_version = {version + 1}")  # the table is connected anew
            if not damage.startswith("DELETE"):
                with self.assertRaisesRegex(sqlite3.Error, r"INSERT INTO t\(_command\) VALUES\('refresh'\);"):
                    self.query("SELECT * FROM t")
            self.query("INSERT INTO t(_command) VALUES('refresh')")
            self.assertEqual([(1,)], self.query("SELECT A FROM t"), damage)

    def test_a_table_of_the_users_is_left_alone(self):
        sql = self.query("SELECT sql FROM sqlite_schema WHERE name = 't_schema'")[0][0]
        self.query(sql.replace("t_schema", "mine_schema"))
        self.virtual("mine", "", infer="off")
        self.query("DROP TABLE mine")
        self.query("SELECT * FROM mine_schema")
        with self.assertRaisesRegex(sqlite3.Error, "the name mine_schema is taken by another table"):
            self.virtual("mine", "")


if __name__ == "__main__":
    unittest.main()
