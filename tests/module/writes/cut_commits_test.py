#!/usr/bin/env python3
"""COMMITs that an interrupt, the end of the server or a budget stops. Their reports must match the
remote rows. The last tests check aztables_commits after a COMMIT with more EGTs than it keeps.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import aztables_server  # noqa: E402
import sqlite3  # noqa: E402

PARTITIONS = {f"p{number:02}" for number in range(40)}


class Case(host.LocalCase):
    """A slow server with a proxy for the virtual table `t` with 40 partitions. `store` reads the
    same store directly.
    """

    ROWS = 3

    def serve(self, delay="100"):
        """Starts a server with an empty table. No request was sent to it yet."""
        self.db.close()
        self.db = host.connect()
        self.query("CREATE TABLE l(x)")
        self.server = aztables_server.start(options=("--simulate", f"latency={delay}"))
        self.addCleanup(self.server.stop)
        self.query("SELECT aztables_connect('store', ?), aztables_create_table('store.Things')",
                   f"LocalStore={self.server.store}")
        self.proxy = self.cut_connection(self.server)
        self.virtual("t", table="Things", connection="cut", retries=0)
        self.virtual("store", table="Things", connection="store")

    def insert(self, table):
        self.db.executemany(f"INSERT INTO {table}(PartitionKey, RowKey) VALUES (?, ?)",
                            [(partition, str(row)) for row in range(self.ROWS) for partition in sorted(PARTITIONS)])

    def write(self):
        """Starts a transaction with pending writes."""
        self.query("BEGIN")
        self.query("INSERT INTO l VALUES (1)")
        self.insert("t")

    def cut_off(self, sql):
        """Runs a statement that fails. Returns the name of the code, and the message."""
        with self.assertRaises(sqlite3.OperationalError) as caught:
            self.query(sql)
        return caught.exception.sqlite_errorname, str(caught.exception)

    def there(self):
        """Stops the server and returns the existing partitions. Each of them must be complete."""
        self.server.stop()
        counts = dict(self.query("SELECT PartitionKey, count(*) FROM store GROUP BY 1"))
        self.assertLessEqual(set(counts.values()), {self.ROWS}, "an EGT was applied in part")
        return set(counts)

    def agree(self, message, done):
        """Compares the message and aztables_commits with the existing partitions. Returns the
        outcomes.
        """
        said = self.outcomes()
        self.assertEqual(PARTITIONS, set.union(*said.values()))
        self.assertEqual(len(PARTITIONS), sum(map(len, said.values())))
        self.assertLessEqual(said["applied"], done)
        self.assertFalse(done & (said["failed"] | said["not sent"]))
        self.assertIn(f"; {len(said['applied'])} of 40 EGTs applied: see aztables_commits", message)
        self.assertEqual(bool(said["unknown"]), " unknown: " in message)
        self.assertIn(f"of {len(said['unknown'])} EGT" if said["unknown"] else "", message)
        return said

    def assert_rolled_back(self):
        self.assertFalse(self.db.in_transaction)
        self.assertEqual([], self.query("SELECT x FROM l"))
        self.assertEqual([], self.query("SELECT * FROM aztables_pending"))


class Interrupted(Case):
    """sqlite3_interrupt from another thread."""

    def test_long_commit(self):
        for number in (1, 5, 9):
            with self.subTest(number=number):
                self.serve()
                self.write()
                self.proxy.plan = {number: self.db.interrupt}
                code, message = self.cut_off("COMMIT")
                self.assertEqual("SQLITE_INTERRUPT", code)
                self.assertIn("writing to table Things: interrupted; ", message)
                self.assert_rolled_back()
                said = self.agree(message, self.there())
                self.assertEqual(set(), said["unknown"])
                self.assertGreaterEqual(len(said["applied"]), number)
                self.assertTrue(said["not sent"])

    def test_long_delete(self):
        for number in (1, 5, 9):
            with self.subTest(number=number):
                self.serve()
                self.insert("store")
                self.proxy.plan = {number: self.db.interrupt}
                code, message = self.cut_off("DELETE FROM t")
                self.assertEqual("SQLITE_INTERRUPT", code)
                self.assertIn("writing to table Things: interrupted; run the same DELETE again; ", message)
                said = self.agree(message, PARTITIONS - self.there())
                self.assertEqual(set(), said["unknown"])
                self.assertGreaterEqual(len(said["applied"]), number)
                self.assertTrue(said["not sent"])

    def test_what_does_not_end_in_two_seconds_is_unknown(self):
        """The statement that the message names settles it."""
        for sql, word, left in (("DELETE FROM t", "DELETE", 0),
                                ("INSERT OR REPLACE INTO t(PartitionKey, RowKey, _entity) "
                                 "SELECT PartitionKey, RowKey, '{\"N\":2}' FROM store", "statement", 120)):
            with self.subTest(word):
                self.serve()
                self.insert("store")
                self.proxy.plan = {2: "hang", 5: lambda: self.db.interrupt()}
                code, message = self.cut_off(sql)
                self.assertEqual("SQLITE_INTERRUPT", code)
                self.assertRegex(message, f"^writing to table Things: interrupted; run the same {word} again; the "
                                 "outcome of 1 EGT is unknown: the repeated statement settles it; [0-9]+ of 40 EGTs applied: see ")
                self.assertEqual(1, len(self.outcomes()["unknown"]))
                self.query(sql)
                rows = self.query("SELECT _entity FROM store")
                self.assertEqual((left, left), (len(rows), sum('"N":2' in row for row, in rows)))

    def test_commit_whose_egts_all_end(self):
        self.serve()
        self.query("BEGIN")
        self.query("INSERT INTO l VALUES (1)")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p00', '1'), ('p01', '1')")
        self.proxy.plan = {2: self.db.interrupt}
        self.query("COMMIT")
        self.assertFalse(self.db.in_transaction)
        self.assertEqual([(1,)], self.query("SELECT x FROM l"))
        self.assertEqual([("p00",), ("p01",)], self.query("SELECT PartitionKey FROM store"))

    def test_delete_that_is_interrupted_while_it_reads(self):
        """Nothing was sent yet. SQLite decides whether the transaction continues."""
        for begin in ("SELECT 1", "BEGIN"):
            with self.subTest(begin):
                self.serve()
                self.query("INSERT INTO store(PartitionKey, RowKey) WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n "
                           "WHERE i < 2999) SELECT 'p', i FROM n")
                sent = self.sent()
                self.query(begin)
                self.query("INSERT INTO l VALUES (1)")
                self.proxy.reads = {1: self.db.interrupt}
                code, _ = self.cut_off("DELETE FROM t")
                self.assertEqual("SQLITE_INTERRUPT", code)
                self.query("COMMIT") if self.db.in_transaction else None
                self.assertEqual((sent, [(3000,)]), (self.sent(), self.query("SELECT count(*) FROM store")))
                self.query("DELETE FROM t WHERE RowKey = '1'")
                self.assertEqual([(2999,)], self.query("SELECT count(*) FROM store"))


class Killed(Case):
    """SIGKILL of the server."""

    def test_during_a_commit(self):
        for number in (1, 12):
            with self.subTest(number=number):
                self.serve()
                self.write()
                # The outcome of a request that arrived is unknown.
                self.proxy.plan = {number: lambda: self.server.kill() or "drop response"}
                code, message = self.cut_off("COMMIT")
                self.assertEqual("SQLITE_BUSY", code)
                self.assertTrue(self.db.in_transaction, "a repeated COMMIT settles it")
                self.query("ROLLBACK")
                self.assert_rolled_back()
                said = self.agree(message, self.there())
                self.assertTrue(said["unknown"])
                self.assertTrue(said["not sent"])
                # At most eight requests are in flight, so some of the first eight are applied.
                self.assertTrue(said["applied"] or number == 1)


class Budgets(Case):
    """A repeated COMMIT has its own budget."""

    def test_repeated_commit_reports_earlier_egts(self):
        self.serve(delay="0")
        self.proxy.plan = {12: "busy"}
        self.write()
        message = self.fails(sqlite3.OperationalError, "SQLITE_BUSY", "of 40 EGTs applied", "COMMIT")
        done = {partition for partition, in self.query("SELECT DISTINCT PartitionKey FROM store")}
        said = self.agree(message, done)
        self.assertTrue(said["applied"] and said["not sent"])
        self.query("INSERT INTO t(_command) VALUES ('max_requests=3')")
        message = self.fails(sqlite3.DataError, "SQLITE_TOOBIG", "max_requests=3", "COMMIT")
        self.assertIn(f"{40 - len(done)} requests are needed, and max_requests=3 leaves 3; {len(done)} of 40 EGTs "
                      "applied: see aztables_commits", message)
        self.assert_rolled_back()
        self.assertEqual(done, self.there())


class History(host.LocalCase):
    """aztables_commits after a COMMIT with more than the 10,000 EGTs that it lists one by one. Their sums are those of
    all.
    """

    COUNT = 10_400

    def commit(self, number):
        """Inserts rows in EGTs of one entity each. One entity exists. Returns the number of applied
        EGTs from the message.
        """
        self.query("SELECT aztables_connect('memory', 'LocalStore=:memory:'), aztables_create_table('memory.Things')")
        self.virtual("t", table="Things", connection="memory", batch=1)
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('p', ?)", number)
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey) WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
                   "SELECT 'p', i FROM n", self.COUNT - 1)
        message = self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_PRIMARYKEY", f"RowKey='{number}' already exists",
                             "COMMIT")
        applied = self.query("SELECT count(*) - 1 FROM t")[0][0]
        self.assertIn(f"; {applied} of {self.COUNT} EGTs applied: see aztables_commits", message)
        return applied

    def check_sums(self, applied):
        self.assertEqual({"applied": applied + 1, "failed": 1, "not sent": self.COUNT - 1 - applied},
                         {"not sent": 0, **dict(self.query("SELECT outcome, sum(egts) FROM aztables_commits GROUP BY 1"))})
        self.assertEqual([(self.COUNT + 1, self.COUNT + 1)], self.query("SELECT sum(egts), sum(operations) FROM aztables_commits"))
        self.assertLessEqual(self.query("SELECT count(*) FROM aztables_commits")[0][0], 10_000 + 1 + 3)
        self.assertEqual([("failed",)], self.query("SELECT outcome FROM aztables_commits WHERE row_key IS NOT NULL"))
        self.assertEqual([(1,), (2,)], self.query("SELECT DISTINCT commit_id FROM aztables_commits ORDER BY 1"))

    def sums_are_those_of_all(self, number):
        self.check_sums(self.commit(number))
        self.assertEqual([(str(number), "Insert", "EntityAlreadyExists", 1)], self.query(
            "SELECT row_key, operation, code, egts FROM aztables_commits WHERE outcome = 'failed'"))

    def test_early_egt_fails(self):
        self.sums_are_those_of_all(3)

    def test_middle_egt_fails(self):
        self.sums_are_those_of_all(9000)

    def test_egt_after_the_first_10000_fails(self):
        applied = self.commit(10_390)
        self.assertGreater(applied, 10_000)
        self.check_sums(applied)


if __name__ == "__main__":
    unittest.main()
