#!/usr/bin/env python3
"""Names of remote tables. Each place that sends a name checks it first. The tables of metrics can
be read. The error for a missing table shows tables with similar names.
"""

import pathlib
import sqlite3
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()

RULE = " is not a valid table name: 3 to 63 letters and digits, the first a letter"
METRICS = "$MetricsHourPrimaryTransactionsTable"


class TableNamesTest(unittest.TestCase):
    def setUp(self):
        self.db = host.connect()
        self.addCleanup(self.db.close)
        self.connect("there")

    def connect(self, name):
        self.query("SELECT aztables_connect(?, 'LocalStore=:memory:')", name)

    def query(self, sql, *parameters):
        return self.db.execute(sql, parameters).fetchall()

    def sent(self):
        return self.query("SELECT method, url FROM aztables_requests ORDER BY id")

    def refused(self, text, sql, *parameters):
        """Checks that a statement fails with this text and sends nothing."""
        before = self.sent()
        with self.assertRaises(sqlite3.Error) as caught:
            self.query(sql, *parameters)
        self.assertIn(text, str(caught.exception))
        self.assertEqual(before, self.sent())

    def test_every_place_checks_the_name(self):
        for name in ("ab", "my_orders", "1st", "a-b", "x" * 64):
            self.refused(name + RULE if len(name) <= 63 else RULE, f"SELECT aztables_create_table('there.{name}')")
            for sql in (f"SELECT aztables_drop_table('there.{name}')",
                        f"SELECT aztables_schema('there.{name}')",
                        f"SELECT * FROM aztables_infer('there.{name}')",
                        f"SELECT * FROM aztables_query('there.{name}')",
                        f"CREATE VIRTUAL TABLE t USING aztables(table='{name}', connection=there, N INT32)",
                        f"CREATE VIRTUAL TABLE t USING aztables(table='there.{name}', N INT32)",
                        f"CREATE VIRTUAL TABLE t USING aztables(table='{name}', connection=there)",
                        f"CREATE VIRTUAL TABLE t USING aztables(table='{name}', connection=there, create=missing)"):
                self.refused(RULE, sql)

    def test_name_of_the_virtual_table(self):
        self.refused(f"my_orders{RULE}; name the remote table by the option table=NAME",
                     "CREATE VIRTUAL TABLE my_orders USING aztables(connection=there, N INT32)")

    def test_reserved_name(self):
        self.refused("Tables is not a valid table name", "SELECT aztables_create_table('there.Tables')")

    def test_unknown_connection_at_create(self):
        for connection in ("later", "cosmos"):
            self.query(f"CREATE VIRTUAL TABLE {connection} USING aztables(table='a-b', connection={connection}, N INT32)")
        self.connect("later")
        for sql in ("SELECT * FROM later", "INSERT INTO later(PartitionKey, RowKey) VALUES ('a', '1')"):
            self.refused(f"a-b{RULE}", sql)

    def test_cosmos_accepts_other_names(self):
        key = "AccountName=nobody;AccountKey=b2Rk;TableEndpoint=https://nobody.table.cosmos.azure.invalid"
        self.query("SELECT aztables_connect('cosmos', ?)", key)
        self.query("CREATE VIRTUAL TABLE t USING aztables(table='a-b', connection=cosmos, retries=0, N INT32)")
        with self.assertRaises(sqlite3.Error) as caught:
            self.query("SELECT * FROM t")
        self.assertIn("cannot reach", str(caught.exception))

    def test_metrics_tables_can_be_read_and_not_created(self):
        self.query(f"CREATE VIRTUAL TABLE metrics USING aztables(table='{METRICS}', connection=there, N INT32)")
        for sql in ("SELECT * FROM metrics", f"SELECT * FROM aztables_query('there.{METRICS}')"):
            before = len(self.sent())
            with self.assertRaises(sqlite3.Error) as caught:  # the store has no such table
                self.query(sql)
            self.assertIn("the table does not exist; the service makes it if its metrics are on", str(caught.exception))
            self.assertNotIn("create", str(caught.exception))
            self.assertIn("%24MetricsHourPrimaryTransactionsTable()", self.sent()[before][1])
        for sql in (f"SELECT aztables_create_table('there.{METRICS}')",
                    f"SELECT aztables_drop_table('there.{METRICS}')",
                    f"CREATE VIRTUAL TABLE m USING aztables(table='{METRICS}', connection=there, create=missing, N INT32)"):
            self.refused(f"{METRICS} belongs to the service, and can only be read", sql)
        with self.assertRaises(sqlite3.Error) as caught:
            self.query(f"CREATE VIRTUAL TABLE m USING aztables(table='{METRICS}', connection=there)")
        self.assertNotIn("create=missing", str(caught.exception))

    def test_similar_tables_with_declared_columns(self):
        for name in ("Orders", "OldOrders", "Persons"):
            self.query(f"SELECT aztables_create_table('there.{name}')")
        self.query("CREATE VIRTUAL TABLE t USING aztables(table=there.Order, N INT32)")
        for sql in ("SELECT * FROM t", "SELECT * FROM t WHERE PartitionKey = 'a' AND RowKey = '1'",
                    "INSERT INTO t(PartitionKey, RowKey) VALUES ('a', '1')",
                    "SELECT * FROM aztables_query('there.Order')"):
            with self.assertRaises(sqlite3.Error) as caught:
                self.query(sql)
            self.assertIn("; similar tables: Orders, OldOrders [404 TableNotFound", str(caught.exception))

    def test_list_of_tables_respects_the_budget(self):
        self.query("SELECT aztables_create_table('there.Orders')")
        self.query("CREATE VIRTUAL TABLE t USING aztables(table=there.Order, max_requests=1, N INT32)")
        before = len(self.sent())
        with self.assertRaises(sqlite3.Error) as caught:
            self.query("SELECT * FROM t")
        self.assertIn("the table does not exist", str(caught.exception))
        self.assertNotIn("similar", str(caught.exception))
        self.assertEqual(before + 1, len(self.sent()))


if __name__ == "__main__":
    unittest.main()
