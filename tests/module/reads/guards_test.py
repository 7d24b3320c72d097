#!/usr/bin/env python3
"""Attempts to bypass the guards; each one must fail. A budget applies to one statement, regardless
of other open statements. An override applies to one table of one file. If the rules of a table
cannot be read, the statement fails.
"""

import pathlib
import sqlite3
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402
import faulty_server  # noqa: E402

host.enter()
DENIED = "SQLITE_AUTH"
BUDGET = "SQLITE_TOOBIG"


class Rules(host.FileCase):
    """scan=deny and the statements to which it applies."""

    def test_conditions_that_every_key_meets_do_not_count(self):
        self.fill()
        self.virtual("t", "N INT32", scan="deny")
        for where in ("PartitionKey >= ''", "PartitionKey > ''", "PartitionKey < x'00'", "PartitionKey IS NOT NULL",
                      "PartitionKey >= '' AND PartitionKey < aztables_prefix_end('')", "PartitionKey LIKE '%'",
                      "RowKey >= '000000'", "PartitionKey <> 'p0'", "PartitionKey = 'p0' OR +N = 5"):
            self.refused(DENIED, f"SELECT count(*) FROM t WHERE {where}")
        for filter in ("PartitionKey ge ''", "'' lt PartitionKey", "PartitionKey ne 'p0'"):
            self.refused(DENIED, "SELECT count(*) FROM aztables_query(?, ?)", f"demo.{self.table}", filter)
        self.assertEqual([(1400,)], self.query("SELECT count(*) FROM t WHERE PartitionKey > 'p0'"))
        self.assertEqual([(0,)], self.query("SELECT count(*) FROM t WHERE PartitionKey <= ''"))

    def test_query_knows_rules_of_unused_tables(self):
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

    def test_unreadable_rules_are_an_error(self):
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

    def test_message_names_the_table_with_the_rule(self):
        self.fill()
        self.virtual("a", "N INT32", max_requests=1)
        self.virtual("b", "N INT32", max_entities=1500)
        query = f"SELECT count(*) FROM aztables_query('demo.{self.table}')"
        self.assertIn("INSERT INTO a(_command) VALUES('max_requests=none');", self.refused(BUDGET, query))
        self.query("INSERT INTO a(_command) VALUES('max_requests=none')")
        self.assertIn("INSERT INTO b(_command) VALUES('max_entities=none');", self.refused(BUDGET, query))
        self.query("INSERT INTO b(_command) VALUES('max_entities=none')")
        self.assertEqual([(2100,)], self.query(query))

    def test_budget_error_does_not_name_scan(self):
        self.fill(5)
        self.virtual("t", "N INT32", scan="deny", max_entities=3)
        self.assertIn("max_entities=3 is used up", self.refused(BUDGET, "SELECT N FROM t"))

    def test_other_reads_do_not_change_the_first_requests_of_deny(self):
        self.fill()
        self.virtual("warned", "N INT32", scan="warn")
        self.query(f"SELECT aztables_create_table('demo.{self.table}Small')")
        self.virtual("small", "N INT32", table=f"{self.table}Small", scan="deny")
        counts = " UNION ALL ".join(["SELECT count(*) FROM warned"] * 4 + ["SELECT count(*) FROM small"])
        self.assertEqual([(2100,)] * 4 + [(0,)], self.query(counts))

    def test_message_does_not_repeat_a_secret_of_a_command(self):
        self.virtual("t", "N INT32")
        key = "c2VjcmV0" * 10 + "c2VjcmU="  # as long as the key of an account
        for command in (f"AccountKey={key}", f"SharedAccessSignature=sig={key}", f"token {key}", key, key.strip("="),
                        "token c2VjcmV0", f"it's {key}", "it's c2VjcmV0", f"scan='{key}'", f"skan:{key}",
                        f"{key[:20]}=", f"AccountName=a;AccountKey={key}"):
            for columns in ("_command", "_command, PartitionKey"):
                values = "?" if columns == "_command" else "?, 'p'"
                with self.assertRaises(sqlite3.Error) as caught:
                    self.query(f"INSERT INTO t({columns}) VALUES ({values})", command)
                self.assertNotIn("c2VjcmV0", str(caught.exception))

    def test_text_of_a_server_is_not_copied(self):
        with faulty_server.start() as odd:
            self.query("SELECT aztables_connect('odd', ?)", odd.connection_string)
            text = self.query("SELECT aztables_schema('odd.evilname')")[0][0]
        self.assertEqual([], [line for line in text.split(";\n")[1].splitlines() if not line.startswith("-- ")], text)


class Overrides(host.FileCase):
    def test_another_file_with_the_same_name_has_no_overrides(self):
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

    def test_another_memory_database_has_no_overrides(self):
        """Another database with the same schema name: a shared one in memory, and a deserialized
        one.
        """
        self.fill()
        # It closes last: SQLite would write to a closed connection that had attached a shared cache.
        db = self.open("file::memory:?unshared", uri=True, cached_statements=0)
        images = []
        for name in ("one", "two"):
            shared = self.open(f"file:{name}?mode=memory&cache=shared", uri=True)
            self.virtual("t", "N INT32", db=shared, scan="deny")
            images.append(shared.serialize())
        # After sqlite3_deserialize(), prepared statements continue with the table that they know. So none is cached.
        for name, allowed in (("one", False), ("two", False), ("one", True)):
            with self.subTest(name, allowed=allowed):
                db.execute(f"ATTACH 'file:{name}?mode=memory&cache=shared' AS x")
                if allowed:
                    self.assertEqual([(2100,)], db.execute("SELECT count(*) FROM x.t").fetchall())
                else:
                    self.refused(DENIED, "SELECT count(*) FROM x.t", db=db)
                if name == "one":
                    db.execute("INSERT INTO x.t(_command) VALUES('scan=allow')")
                    self.assertEqual([(2100,)], db.execute("SELECT count(*) FROM x.t").fetchall())
                db.execute("DETACH x")
        for image in images * 2:
            db.deserialize(image)
            self.refused(DENIED, "SELECT count(*) FROM t", db=db)
            db.execute("INSERT INTO t(_command) VALUES('scan=allow')")
            self.assertEqual([(2100,)], db.execute("SELECT count(*) FROM t").fetchall())

    def test_overrides_survive_a_reconnect_of_the_table(self):
        self.fill()
        self.virtual("t", "N INT32", scan="deny")
        self.query("INSERT INTO t(_command) VALUES('scan=allow')")
        for sql in ("BEGIN", "CREATE TABLE x(a)", "ROLLBACK", "PRAGMA main.schema_version = 100", "VACUUM"):
            self.query(sql)
        self.assertEqual([(2100,)], self.query("SELECT count(*) FROM t"))

    def test_recreated_table_has_no_overrides(self):
        self.fill()
        for _ in range(2):
            self.virtual("t", "N INT32", scan="deny")
            self.refused(DENIED, "SELECT count(*) FROM t")
            self.query("INSERT INTO t(_command) VALUES('scan=allow')")
            self.query("SELECT count(*) FROM t")
            self.query("DROP TABLE t")

    def test_overrides_survive_rename_drop_and_rollback(self):
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

    def test_commands_do_not_change_the_last_rowid(self):
        self.query("CREATE TABLE l(i INTEGER PRIMARY KEY)")
        self.query("INSERT INTO l VALUES (77)")
        self.virtual("t", "")
        self.query("INSERT INTO t(_command) VALUES('scan=deny')")
        self.query("INSERT INTO t(_command) VALUES('refresh')")
        self.assertEqual([(77,)], self.query("SELECT last_insert_rowid()"))


class Budgets(host.FileCase):
    def test_finished_statement_does_not_affect_budgets(self):
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

    def test_statements_in_between_do_not_affect_budgets(self):
        self.fill(5, 1)
        self.virtual("t", "N INT32", max_requests=3)
        self.query("CREATE TABLE l(i)")
        self.query("INSERT INTO l VALUES (1), (2), (3), (4), (5), (6)")
        correlated = self.db.execute("SELECT i, (SELECT count(*) FROM t WHERE PartitionKey = 'p0' AND RowKey >= printf('%06d', i)) FROM l")
        rows = []
        with self.assertRaisesRegex(sqlite3.DataError, "max_requests=3 is used up"):
            for row in correlated:
                rows.append(row)
                self.query(f"SELECT {len(rows)}, N FROM t WHERE PartitionKey = 'p0' AND RowKey = '000001'")
        # Python requests the fourth row before it returns the third
        self.assertEqual([(1, 4), (2, 3)], rows)

    def test_interleaved_statements_have_separate_budgets(self):
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


    def test_subquery_uses_the_budget_of_its_statement(self):
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
        # It does not use the budget of another statement.
        spending = self.db.execute(lookups.format("free"))
        spending.fetchone()
        paying = self.db.execute(lookups.format("t") + " WHERE i < 4")
        self.assertEqual(6, len([spending.fetchone() for _ in range(6)]))
        self.assertEqual([(i, 1) for i in range(4)], paying.fetchall())

    def test_repeated_text_is_another_statement(self):
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


if __name__ == "__main__":
    unittest.main()
