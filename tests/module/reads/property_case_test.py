#!/usr/bin/env python3
"""A declared name that differs from the property only in case: the results of SELECT, UPDATE,
DELETE and INSERT. The tests also check when an additional request reads the names.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
ERROR = "table b: there is no property qty, but Qty; write qty INT32 PROPERTY 'Qty'"
WRONG = "qty INT32, N INT32"


class Tests:
    """The tests, for each service."""

    def setUp(self):
        super().setUp()
        self.virtual("raw", infer="off", columns="")

    def virtual(self, name, columns="", db=None, **options):
        """Creates a virtual table. `columns` may be empty."""
        pairs = {"table": self.table, "connection": "demo", **options}
        arguments = [f"{key}='{value}'" for key, value in pairs.items()] + [columns] * bool(columns)
        (db or self.db).execute(f"CREATE VIRTUAL TABLE {name} USING aztables({', '.join(arguments)})")

    def put(self, *entities, partition="p"):
        """Writes entities with the RowKeys 1, 2 ..."""
        for number, entity in enumerate(entities, 1):
            self.query("INSERT INTO raw(PartitionKey, RowKey, _entity) VALUES (?, ?, ?)", partition, str(number), entity)

    def sent_by(self, sql, *parameters):
        """The part of each request URL after the table's name, and the rows of the statement."""
        before = self.query("SELECT coalesce(max(id), 0) FROM aztables_requests")[0][0]
        rows = self.query(sql, *parameters)
        urls = self.query("SELECT url FROM aztables_requests WHERE id > ? AND method = 'GET' ORDER BY id", before)
        return [url.split(self.table)[1] for url, in urls], rows

    def wrong(self, sql, message=ERROR, code="SQLITE_ERROR", db=None):
        with self.assertRaises(host.sqlite3.OperationalError) as caught:
            (db or self.db).execute(sql).fetchall()
        self.assertEqual((message, code), (str(caught.exception), caught.exception.sqlite_errorname))

    def test_every_statement_that_reads_the_column_fails(self):
        self.put('{"Qty":5,"N":1}', '{"Qty":6,"N":2}')
        for sql in ("SELECT qty FROM b", "SELECT * FROM b", "SELECT count(*) FROM b WHERE qty = 5",
                    "SELECT count(*) FROM b WHERE qty IS NULL", "SELECT N FROM b WHERE qty > 0 AND RowKey = '1'",
                    "SELECT qty FROM b WHERE PartitionKey = 'p' AND RowKey = '2'", "SELECT N FROM b ORDER BY qty",
                    "SELECT sum(qty) FROM b", "DELETE FROM b WHERE qty IS NULL", "UPDATE b SET N = 0 WHERE qty = 5",
                    "UPDATE b SET qty = 7", "UPDATE b SET qty = 7 WHERE PartitionKey = 'p' AND RowKey = '1'",
                    "UPDATE b SET qty = NULL", "UPDATE b SET qty = qty + 1",
                    "UPDATE b SET qty = 7, _entity = '{\"Qty\":1}'"):
            with self.subTest(sql):
                db = host.connect()
                self.virtual("b", WRONG, db=db)
                self.wrong(sql, db=db)
                self.wrong(sql, db=db)  # not only the first time
                db.close()
        self.assertEqual([('{"N":1,"Qty":5}',), ('{"N":2,"Qty":6}',)], self.query("SELECT _entity FROM raw"))

    def test_statements_without_the_column_work(self):
        self.put('{"Qty":5,"N":1}')
        self.virtual("b", WRONG)
        self.assertEqual([('{"N":1,"Qty":5}', 1)], self.query("SELECT _entity, N FROM b"))
        self.query("UPDATE b SET N = 2")
        self.assertEqual([(2, 1)], self.query("SELECT max(N), count(*) FROM b"))
        self.assertEqual([('{"N":2,"Qty":5}',)], self.query("SELECT _entity FROM raw"))
        self.query("DELETE FROM b WHERE N = 2")
        self.assertEqual([], self.query("SELECT * FROM raw"))

    def test_the_message_shows_the_declared_type_and_quotes_the_name(self):
        self.put('{"Qty":5}')
        self.virtual("b", "\"how many\" DOUBLE PROPERTY 'qTY'")
        self.wrong('SELECT "how many" FROM b', "table b: there is no property qTY, but Qty; write \"how many\" DOUBLE "
                   "PROPERTY 'Qty'")
        self.virtual("any_type", "qty")
        self.wrong("SELECT qty FROM any_type", "table any_type: there is no property qty, but Qty; write qty ANY PROPERTY 'Qty'")

    def test_the_message_quotes_a_word_of_sql(self):
        self.put('{"Select":"x"}')
        self.virtual("b", '"select" STRING')
        self.wrong('SELECT "select" FROM b', "table b: there is no property select, but Select; write \"select\" STRING "
                   "PROPERTY 'Select'")

    def test_insert_is_not_checked(self):
        self.put('{"Qty":5}')
        self.virtual("b", WRONG)
        sent, _ = self.sent_by("INSERT INTO b(PartitionKey, RowKey, N) VALUES ('p', 'new', 1)")
        self.assertEqual([], sent)  # the property's name is still unknown
        self.wrong("SELECT qty FROM b")
        self.query("INSERT INTO b(PartitionKey, RowKey, qty) VALUES ('p', 'x', 1)")
        self.query("INSERT INTO b(PartitionKey, RowKey, N) VALUES ('p', 'y', 1)")

    def test_one_additional_request(self):
        self.put('{"N":1,"Other":2}', '{"N":2}')
        self.virtual("b", "N INT32, Rare INT32, Seldom STRING")
        page = "()?$select=PartitionKey%2CRowKey%2CRare"
        self.assertEqual([page, "()?$top=1"], self.sent_by("SELECT Rare FROM b")[0])
        self.assertEqual([page], self.sent_by("SELECT Rare FROM b")[0])
        self.assertEqual(["()?$select=PartitionKey%2CRowKey%2CSeldom"], self.sent_by("SELECT Seldom FROM b")[0])
        self.virtual("another", "rare INT32")
        self.assertEqual(1, len(self.sent_by("SELECT rare FROM another")[0]))
        db = host.connect()
        self.virtual("b", "Rare INT32", db=db)
        self.assertEqual([(None,), (None,)], db.execute("SELECT Rare FROM b").fetchall())
        self.assertEqual([(2,)], db.execute("SELECT count(*) FROM aztables_requests").fetchall())
        db.close()

    def test_additional_request_reads_the_same_entities(self):
        self.put('{"Kind":"header"}', '{"Kind":"order","Qty":5}', '{"Kind":"order","Qty":6}')
        self.virtual("b", "Kind STRING, qty INT32", mismatch="null")
        self.wrong("SELECT qty FROM b WHERE Kind = 'order' AND PartitionKey = 'p'")
        (seek,), (look,) = self.query("SELECT url FROM aztables_requests ORDER BY id DESC LIMIT 2")
        self.assertIn("()?$filter=PartitionKey%20eq%20%27p%27%20and%20Kind%20eq%20%27order%27&$top=1", look)
        self.assertIn("()?$filter=%28qty%20lt%200%20or%20qty%20ge%200%29&$top=1", seek)

    def test_existing_property_needs_no_additional_request(self):
        self.put('{"Qty":5}', '{"Qty":6,"N":1}')
        self.virtual("b", "Qty INT32, N INT32")
        for sql in ("SELECT N, Qty FROM b", "SELECT count(*) FROM b", "SELECT N FROM b WHERE RowKey = '1' AND PartitionKey = 'p'",
                    "SELECT Qty FROM b WHERE Qty = 99", "SELECT N FROM b WHERE PartitionKey = 'nobody'"):
            self.assertEqual(1, len(self.sent_by(sql)[0]), sql)

    def test_empty_table_needs_no_additional_request(self):
        self.virtual("b", WRONG, mismatch="null")
        self.assertEqual(1, len(self.sent_by("SELECT qty FROM b")[0]))
        self.assertEqual(1, len(self.sent_by("SELECT qty FROM b WHERE PartitionKey = 'p'")[0]))
        # A condition on the property may exclude every entity. One additional request checks this.
        self.assertEqual(["()?$filter=qty%20eq%205&$select=PartitionKey%2CRowKey%2Cqty", "()?$top=1"],
                         self.sent_by("SELECT qty FROM b WHERE qty = 5")[0])
        self.assertEqual(1, len(self.sent_by("SELECT qty FROM b WHERE qty = 5")[0]))
        self.put('{"Qty":5}')
        self.wrong("SELECT qty FROM b")

    def test_declared_name_in_another_entity_is_no_error(self):
        """Regardless of earlier reads, one request finds such an entity."""
        self.put('{"Qty":1,"Name":"x"}', '{"Qty":2}')
        self.put('{"qty":2}', '{"qty":3}', partition="q")
        for sql in ("SELECT count(*) FROM b WHERE qty > 100", "SELECT qty FROM b LIMIT 1", "SELECT RowKey FROM b WHERE name = 'zz'",
                    "DELETE FROM b WHERE qty > 100", "SELECT qty FROM b WHERE PartitionKey = 'p'",
                    "INSERT INTO b(PartitionKey, RowKey, qty) VALUES ('q', 'new', 1)", "UPDATE b SET qty = 5 WHERE PartitionKey = 'p'"):
            with self.subTest(sql):
                db = host.connect()
                self.virtual("b", "N INT32, qty INT32, name STRING", db=db)
                for _ in range(2 if not sql.startswith("INSERT") else 1):
                    if "name" in sql:
                        self.wrong(sql, "table b: there is no property name, but Name; write name STRING PROPERTY 'Name'", db=db)
                    else:
                        db.execute(sql).fetchall()
                db.execute("SELECT qty FROM b WHERE qty > 100").fetchall()
                db.close()

    def test_name_in_another_entity_for_each_type(self):
        for number, (type_name, value) in enumerate((("STRING", '"x"'), ("INT64", "7"), ("DOUBLE", "0.5"), ("BOOLEAN", "true"), ("ANY", "1"), (
                "DATETIME", '"2026-01-01T00:00:00Z","qty@odata.type":"Edm.DateTime"'))):
            with self.subTest(type_name):
                self.query("DELETE FROM raw")
                self.put('{"Qty":1}')
                db = host.connect()
                self.virtual("b", f"qty {type_name}", db=db)
                error = f"table b: there is no property qty, but Qty; write qty {type_name} PROPERTY 'Qty'"
                self.wrong("SELECT qty FROM b", error, db=db)
                self.put('{"qty":' + value + "}", partition="q")
                db.close()
                db = host.connect()
                self.virtual("b", f"qty {type_name}", db=db)
                self.assertEqual([(None,)], db.execute("SELECT qty FROM b WHERE PartitionKey = 'p'").fetchall())
                db.close()

    def test_insert_after_the_data_was_corrected(self):
        self.put('{"Qty":1}')
        self.virtual("b", WRONG)
        self.wrong("SELECT qty FROM b")
        self.query("DELETE FROM raw")
        self.query("INSERT INTO b(PartitionKey, RowKey, qty) VALUES ('p', 'z', 1)")
        self.assertEqual([(1,)], self.query("SELECT qty FROM b"))

    def test_update_requests_only_the_declared_name(self):
        self.put('{"N":1}', '{"N":2,"Qty":5}')
        self.virtual("b", WRONG)
        sent, _ = self.sent_by("UPDATE b SET N = N + 1")
        self.assertEqual(["()", "()?$filter=%28qty%20lt%200%20or%20qty%20ge%200%29&$top=1"], sent)
        self.assertEqual(["()"], self.sent_by("UPDATE b SET N = N - 1")[0])
        self.wrong("UPDATE b SET qty = 1 WHERE RowKey = '2'")
        self.wrong("UPDATE b SET qty = 1 WHERE RowKey = '1'")
        self.assertEqual([('{"N":1}',), ('{"N":2,"Qty":5}',)], self.query("SELECT _entity FROM raw"))

    def test_update_checks_each_entity(self):
        self.put(*['{"N":1}'] * 2, '{"Qty":5}')
        self.virtual("b", WRONG)
        # makes the additional request, which finds nothing
        self.sent_by("SELECT qty FROM b WHERE RowKey = '1' AND PartitionKey = 'p'")
        self.wrong("UPDATE b SET qty = 1 WHERE RowKey = '3' AND PartitionKey = 'p'")
        self.query("UPDATE b SET qty = 1 WHERE RowKey = '2' AND PartitionKey = 'p'")
        self.assertEqual([('{"N":1,"qty":1}',)], self.query("SELECT _entity FROM raw WHERE RowKey = '2'"))

    def test_both_names_are_no_error(self):
        self.put('{"Qty":5,"qty":1}', '{"Qty":6}')
        self.virtual("b", WRONG)
        self.assertEqual([(1,), (None,)], self.query("SELECT qty FROM b"))
        self.query("UPDATE b SET qty = 2 WHERE RowKey = '2'")
        self.assertEqual([('{"Qty":6,"qty":2}',)], self.query("SELECT _entity FROM raw WHERE RowKey = '2'"))
        self.assertEqual([(1,), (2,)], self.query("SELECT qty FROM b"))

    def test_column_for_each_name_is_no_error(self):
        self.put('{"Qty":5}', '{"Qty":6}')
        self.virtual("b", "qty INT32, upper_qty INT32 PROPERTY 'Qty'")
        self.assertEqual([(None, 5), (None, 6)], self.query("SELECT qty, upper_qty FROM b"))
        self.assertEqual([], self.query("SELECT upper_qty FROM b WHERE qty = 1"))
        self.query("UPDATE b SET qty = upper_qty + 1 WHERE RowKey = '1'")
        self.assertEqual([('{"Qty":5,"qty":6}',)], self.query("SELECT _entity FROM raw WHERE RowKey = '1'"))

    def test_inferred_columns_are_exact(self):
        self.put('{"Qty":5}')
        self.virtual("inferred")
        self.put('{"qty":5}', partition="q")
        self.assertEqual(1, len(self.sent_by("SELECT Qty FROM inferred WHERE PartitionKey = 'q'")[0]))
        self.query("UPDATE inferred SET Qty = 1 WHERE PartitionKey = 'q'")
        self.assertEqual([('{"Qty":1,"qty":5}',)], self.query("SELECT _entity FROM raw WHERE PartitionKey = 'q'"))

    def test_correct_declaration_works_at_once(self):
        self.put('{"Qty":5}')
        self.virtual("b", WRONG)
        self.wrong("SELECT qty FROM b")
        self.query("DROP TABLE b")
        self.virtual("b", "qty INT32 PROPERTY 'Qty'")
        self.query("UPDATE b SET qty = qty + 1")
        self.query("INSERT INTO b(PartitionKey, RowKey, qty) VALUES ('p', 'x', 1)")
        self.assertEqual([("1", 6), ("x", 1)], self.query("SELECT RowKey, qty FROM b"))

    def test_dropped_table_is_forgotten(self):
        self.put('{"Qty":5}')
        self.virtual("b", WRONG)
        self.wrong("SELECT qty FROM b")
        self.query(f"SELECT aztables_drop_table('demo.{self.table}')")
        self.query(f"SELECT aztables_create_table('demo.{self.table}')")
        self.query("INSERT INTO b(PartitionKey, RowKey, N) VALUES ('p', 'x', 1)")
        self.assertEqual([(None,)], self.query("SELECT qty FROM b"))

    def test_in_a_transaction(self):
        self.put('{"Qty":5}')
        self.virtual("b", WRONG)
        self.query("BEGIN")
        self.query("INSERT INTO b(PartitionKey, RowKey, N) VALUES ('p', 'x', 1)")
        self.wrong("SELECT qty FROM b")
        self.wrong("UPDATE b SET qty = 1")
        self.query("UPDATE b SET N = 5")
        self.query("COMMIT")
        self.assertEqual([('{"N":5,"Qty":5}',), ('{"N":5}',)], self.query("SELECT _entity FROM raw"))

    def test_budgets_count_the_additional_request(self):
        self.query("BEGIN")
        self.put(*['{"N":1}'] * 1001)
        self.query("COMMIT")
        self.virtual("b", "N INT32, Rare INT32", max_requests=2)
        self.fails(host.sqlite3.DataError, "SQLITE_TOOBIG", "max_requests=2 is used up", "SELECT count(Rare) FROM b")
        self.assertEqual([(0,)], self.query("SELECT count(Rare) FROM b"))

    def test_used_up_budget_omits_the_additional_request(self):
        self.put('{"Qty":5}')
        for limit in ("max_requests", "max_entities"):
            db = host.connect()
            self.virtual("b", WRONG, db=db, **{limit: 1})
            self.assertEqual([(None,)], db.execute("SELECT qty FROM b WHERE RowKey = '1' AND PartitionKey = 'p'").fetchall())
            self.assertEqual([(1,)], db.execute("SELECT count(*) FROM aztables_requests").fetchall())
            db.execute(f"INSERT INTO b(_command) VALUES('{limit}=none')")
            self.wrong("SELECT qty FROM b", db=db)
            db.close()

    def test_scan_deny_and_options(self):
        self.put('{"Qty":5}')
        for option in ({"scan": "deny"}, {"pushdown": "none"}, {"mismatch": "null"}, {"parallel": 1}):
            db = host.connect()
            self.virtual("b", WRONG, db=db, **option)
            self.wrong("SELECT RowKey FROM b WHERE qty = 5", db=db)
            db.close()

    def test_read_with_many_queries(self):
        for partition in ("p", "q", "r"):
            self.put('{"N":1}', partition=partition)
        self.virtual("b", "N INT32, Rare INT32")
        sent, _ = self.sent_by("SELECT Rare FROM b WHERE PartitionKey IN ('p', 'q', 'r')")
        self.assertEqual((4, 1), (len(sent), sum("$top=1" in url for url in sent)))


class Local(Tests, host.LocalCase):
    pass


class Server(Tests, host.ServerCase):
    pass


if __name__ == "__main__":
    unittest.main()
