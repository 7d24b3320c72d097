#!/usr/bin/env python3
"""INSERT OR IGNORE and the other conflict clauses for existing entities. Exactly these entities are
skipped, in a bounded number of requests. Other errors still fail. The tests also cover upserts, and
entities without properties.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402


class Case(host.Case):
    """The virtual table `t` in both database connections, the test's and `other`."""

    def setUp(self):
        super().setUp()
        self.virtual_for_two("t")

    def requests(self):
        """The number of requests of this test's connection, retries included."""
        return self.query("SELECT coalesce(sum(attempts), 0) FROM aztables_requests")[0][0]

    def put(self, partition, rows, value, verb="INSERT", db=None):
        """Inserts rows in one transaction."""
        db = db or self.db
        db.execute("BEGIN")
        db.executemany(f"{verb} INTO t(PartitionKey, RowKey, A, B) VALUES (?, ?, ?, 'b')",
                       [(partition, row, value) for row in rows])
        db.execute("COMMIT")


class Ignored(Case):
    """INSERT OR IGNORE."""

    def skips(self, partition, keys, existing, most=None):
        """Inserts `keys`, of which `existing` already exist, and checks the resulting rows."""
        self.put(partition, sorted(existing), 1, db=self.other)
        before = self.requests()
        self.put(partition, keys, 2, "INSERT OR IGNORE")
        sent = self.requests() - before
        if most is not None:
            self.assertLessEqual(sent, most)
        # The service orders by UTF-16. For these keys, Python's order is the same.
        self.assertEqual([(key, 1 if key in existing else 2) for key in sorted(keys)],
                         [row for row in self.remote("RowKey, A", f"PartitionKey = '{partition}'")])
        return sent

    def test_exactly_the_existing_entities_are_skipped(self):
        keys = [f"{i:03}" for i in range(100)]
        for count in (0, 1, 2, 50, 99, 100):
            for place, chosen in (("first", keys[:count]), ("last", keys[100 - count:]),
                                  ("spread", [keys[i * 100 // count] for i in range(count)])):
                with self.subTest(count=count, place=place):
                    self.skips(f"{place}{count}", keys, set(chosen), most=12 if count else 1)

    def test_insert_order_does_not_matter(self):
        keys = [f"{i * 37 % 100:03}" for i in range(100)]
        self.skips("p", keys, set(keys[::3]), most=12)

    def test_long_and_unusual_keys(self):
        for name, keys in (("long", [f"{i:03}" + "k" * 297 for i in range(100)]),
                           ("quotes", [f"{i:03}'&=+%()" + "'" * 290 for i in range(100)]),
                           ("beyond", [f"{i:03}" + "\u00e4\u20ac" * 148 for i in range(100)])):
            for count in (1, 2, 50, 99, 100):
                with self.subTest(name, count=count):
                    self.skips(f"{name}{count}", keys, {keys[i * 100 // count] for i in range(count)})

    def test_similar_keys(self):
        keys = ["", " ", "a", "A", "a ", "\u00e4", "\u00c4", "a'", "a''", "1", "01", "%41", "a+b", "a b"]
        for chosen in (keys[::2], keys[1::2]):
            with self.subTest(chosen):
                self.skips(f"p{keys.index(chosen[0])}", keys, set(chosen), most=12)

    def test_several_partitions_and_egts(self):
        keys = [f"{i:03}" for i in range(250)]
        for partition, existing in (("a", keys[90:110]), ("b", []), ("c", keys[200:])):
            self.put(partition, existing, 1, db=self.other)
        before = self.requests()
        self.query("BEGIN")
        for partition in "abc":
            self.db.executemany("INSERT OR IGNORE INTO t(PartitionKey, RowKey, A) VALUES (?, ?, 2)",
                                [(partition, key) for key in keys])
        self.query("COMMIT")
        self.assertLessEqual(self.requests() - before, 9 + 3 * 11)
        self.assertEqual([("a", 250, 480), ("b", 250, 500), ("c", 250, 450)],
                         self.remote("PartitionKey, count(*), sum(A)", "true GROUP BY 1"))

    def test_keys_that_the_transaction_knows(self):
        """The statement itself decides whether to skip rows that the transaction has read, inserted
        or deleted.
        """
        self.put("p", ["1", "2"], 1)
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', '3', 1)")
        self.query("DELETE FROM t WHERE RowKey = '2'")
        self.query("SELECT * FROM t")
        cursor = self.db.execute("INSERT OR IGNORE INTO t(PartitionKey, RowKey, A) VALUES ('p', '1', 2), ('p', '2', 2), "
                                 "('p', '3', 2), ('p', '4', 2), ('p', '4', 3)")
        self.assertEqual(2, cursor.rowcount)
        rows = [("1", 1), ("2", 2), ("3", 1), ("4", 2)]
        self.assertEqual(rows, self.query("SELECT RowKey, A FROM t"))
        self.query("COMMIT")
        self.assertEqual(rows, self.remote("RowKey, A"))

    def test_other_errors_fail_the_egt(self):
        keys = [f"{i:02}" for i in range(20)]
        self.put("p", ["00", "05", "07", "u"], 1)
        for change, code in (("UPDATE t SET A = 5 WHERE RowKey = 'u'", "SQLITE_CONSTRAINT_VTAB"),
                             ("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', '05')", "SQLITE_CONSTRAINT_PRIMARYKEY")):
            self.query("BEGIN")
            self.query(change)
            self.db.executemany("INSERT OR IGNORE INTO t(PartitionKey, RowKey, A) VALUES ('p', ?, 2)",
                                [(key,) for key in keys if key != "05"])
            self.other.execute("UPDATE t SET B = B || 'x' WHERE RowKey = 'u'")
            self.fails(sqlite3.IntegrityError, code, "0 of 1 EGTs applied", "COMMIT")
            self.assertEqual([("00", 1), ("05", 1), ("07", 1), ("u", 1)], self.remote("RowKey, A"))

    def test_together_with_deletes_of_absent_entities(self):
        """With concurrency=none, both kinds of operations may be omitted from one EGT."""
        old = [f"d{i:02}" for i in range(30)]
        self.put("p", old, 1)
        self.query("INSERT INTO t(_command) VALUES ('concurrency=none')")
        self.query("BEGIN")
        self.query("DELETE FROM t")
        self.other.execute("DELETE FROM t WHERE RowKey < 'd20'")
        self.put("p", [f"i{i:02}" for i in range(10)], 1, db=self.other)
        self.db.executemany("INSERT OR IGNORE INTO t(PartitionKey, RowKey, A) VALUES ('p', ?, 2)",
                            [(f"i{i:02}",) for i in range(40)])
        before = self.requests()
        self.query("COMMIT")
        self.assertLessEqual(self.requests() - before, 12)
        self.assertEqual([(f"i{i:02}", 1 if i < 10 else 2) for i in range(40)], self.remote("RowKey, A"))

    def test_busy_service(self):
        """Skipped rows stay skipped if COMMIT is repeated."""
        existing = {f"{i:02}" for i in range(0, 50, 7)}
        keys = [f"{i:02}" for i in range(50)]
        with self.cut_connection() as proxy:
            self.virtual("cut", connection="cut", retries=0)
            for way, number in (("busy", 1), ("busy", 2), ("busy", 3), ("refuse", 2), ("drop response", 3)):
                with self.subTest(way=way, number=number):
                    partition = f"{way} {number}"
                    self.put(partition, sorted(existing), 1, db=self.other)
                    self.query("BEGIN")
                    self.db.executemany("INSERT OR IGNORE INTO cut(PartitionKey, RowKey, A) VALUES (?, ?, 2)",
                                        [(partition, key) for key in keys])
                    proxy.plan = {proxy.batches + number: way}
                    self.fails(sqlite3.OperationalError, "SQLITE_BUSY", "0 of 1 EGTs applied", "COMMIT")
                    self.query("COMMIT")
                    left = dict(self.remote("RowKey, A", f"PartitionKey = '{partition}'"))
                    self.assertEqual({key: 1 if key in existing else 2 for key in keys}, left)


class Others(Case):
    """OR REPLACE, OR FAIL, OR ABORT, OR ROLLBACK, and rows without properties."""

    def test_replace_and_merge(self):
        self.query("INSERT INTO t(PartitionKey, RowKey, A, B, _entity) VALUES ('p', '1', 1, 'b', '{\"Extra\":true}')")
        self.query("INSERT OR REPLACE INTO t(PartitionKey, RowKey, A) VALUES ('p', '1', 2), ('p', '2', 2)")
        self.assertEqual([("1", '{"A":2}'), ("2", '{"A":2}')], self.remote("RowKey, _entity"))
        self.query("INSERT INTO t(_command) VALUES ('upsert=merge')")
        self.query("REPLACE INTO t(PartitionKey, RowKey, B) VALUES ('p', '1', 'x'), ('p', '3', 'y')")
        self.assertEqual([("1", 2, "x"), ("2", 2, None), ("3", None, "y")], self.remote("RowKey, A, B"))
        self.assertEqual(0, self.query("SELECT count(*) FROM aztables_requests WHERE method = 'GET' AND table_name = ?",
                                       self.table)[0][0], "an upsert reads nothing")

    def test_fail_and_rollback(self):
        """For conflicts that the transaction knows, these clauses work as for an ordinary table."""
        self.query("CREATE TABLE native(PartitionKey, RowKey, A, B, PRIMARY KEY (PartitionKey, RowKey))")
        rows = "VALUES ('p', '1', 1), ('p', '2', 2), ('p', '1', 3), ('p', '4', 4)"
        for clause, left in (("ABORT", ["0", "5"]), ("FAIL", ["0", "1", "2", "5"]), ("ROLLBACK", ["5"])):
            for table in ("native", "t"):
                with self.subTest(clause, table=table):
                    self.query(f"DELETE FROM {table}")
                    self.query("BEGIN")
                    self.query(f"INSERT INTO {table}(PartitionKey, RowKey) VALUES ('p', '0')")
                    with self.assertRaises(sqlite3.IntegrityError):
                        self.query(f"INSERT OR {clause} INTO {table}(PartitionKey, RowKey, A) {rows}")
                    self.assertEqual(clause != "ROLLBACK", self.db.in_transaction)
                    self.query(f"INSERT INTO {table}(PartitionKey, RowKey) VALUES ('p', '5')")
                    self.query("COMMIT") if self.db.in_transaction else None
                    self.assertEqual(left, [row for row, in self.query(f"SELECT RowKey FROM {table} ORDER BY 1")])

    def test_entities_without_properties(self):
        for sql, entity in (
                ("INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', '1', 1)", '{"A":1}'),
                ("UPDATE t SET A = NULL WHERE RowKey = '1'", "{}"),
                ("UPDATE t SET B = 'x' WHERE RowKey = '1'", '{"B":"x"}'),
                ("UPDATE t SET _entity = '{}' WHERE RowKey = '1'", "{}"),
                ("INSERT OR REPLACE INTO t(PartitionKey, RowKey, A) VALUES ('p', '1', 2)", '{"A":2}'),
                ("INSERT OR REPLACE INTO t(PartitionKey, RowKey) VALUES ('p', '1')", "{}")):
            with self.subTest(sql):
                self.query(sql)
                self.assertEqual([("1", entity)], self.remote("RowKey, _entity"))


if __name__ == "__main__":
    unittest.main()
