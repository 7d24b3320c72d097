#!/usr/bin/env python3
"""LocalStore=PATH;Simulate=PLAN: each fault of a plan as a statement sees it.

usage: simulation_test.py, as the other drivers (host.py)
"""

import pathlib
import sqlite3
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

INSERT = "INSERT INTO t(PartitionKey, RowKey, A) VALUES (?, ?, 1)"
COUNT = "SELECT count(*) FROM t"
PLACE = "http://localstore"


class Simulated(host.LocalCase):
    """The table `t` is on a simulated connection to the store of `demo`."""

    def simulate(self, plan, **options):
        self.query("DROP TABLE IF EXISTS t")
        self.query("SELECT aztables_connect('sim', ?)", f"LocalStore={self.stores}/store.db;Simulate={plan}")
        self.virtual("t", **{"connection": "sim", "retries": 0, "infer": "off", **options})

    def meets(self, text, sql, *parameters):
        """Runs a statement that meets a fault. It fails with this text, or the client got through. Returns whether it
        failed."""
        try:
            self.query(sql, *parameters)
        except sqlite3.OperationalError as error:
            self.assertIn(text, str(error))
            return True
        return False

    def fill(self, partitions="abcd", rows=3):
        self.virtual("straight")
        self.query("BEGIN")
        for partition in partitions:
            for row in range(rows):
                self.query("INSERT INTO straight(PartitionKey, RowKey, A) VALUES (?, ?, 1)", partition, str(row))
        self.query("COMMIT")

    def test_a_plan_that_is_not_valid(self):
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR",
                   "connection 'sim': item 2 of the simulation (latency) needs milliseconds from 0 to 3600000",
                   "SELECT aztables_connect('sim', 'LocalStore=:memory:;Simulate=seed=1,latency=x')")
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "Simulate in the connection string needs LocalStore",
                   "SELECT aztables_connect('sim', 'UseDevelopmentStorage=true;Simulate=latency=1')")

    def test_the_connection_is_described_as_simulated(self):
        ((text,),) = self.query("SELECT aztables_connect('sim', 'LocalStore=:memory:;Simulate=latency=1;ReadOnly=true')")
        self.assertEqual(text, "sim: LocalStore=:memory: from connection string, read-only, simulated")

    def test_faults_of_reads(self):
        self.fill()
        for fault, text in {
            "refuse:50": f"cannot reach {PLACE}",
            "reset-before": f"the connection to {PLACE} broke: Recv failure: Connection reset by peer",
            "reset-after": f"the connection to {PLACE} broke: Recv failure: Connection reset by peer",
            "truncate": f"the connection to {PLACE} broke: transfer closed with",
            "503": "The server is currently unable to receive requests",
            "500": "The operation could not be completed within the permitted time",
            "429": "429", "408": "408", "502": "502", "504-after": "504",
        }.items():
            with self.subTest(fault):
                self.simulate(f"{fault}@1/reads")
                self.meets(text, COUNT)
                time.sleep(0.06 if fault.startswith("refuse") else 0)
                self.assertEqual(self.query(COUNT), [(12,)])

    def test_bodies_that_are_not_the_services(self):
        self.fill()
        for fault in ("html", "html-after", "bad-json"):
            with self.subTest(fault):
                self.simulate(f"{fault}@1/reads")
                self.meets("", COUNT)
                self.assertEqual(self.query(COUNT), [(12,)])

    def test_faults_of_commits(self):
        """After an error, the entity is there if and only if the fault came after the work."""
        for fault, text, there in [
                ("refuse:1", f"cannot reach {PLACE}", False),
                ("reset-before", "Connection reset by peer", False),
                ("reset-after", "Connection reset by peer", True),
                ("truncate:10", "transfer closed with", True),
                ("503:0", "unable to receive requests", False),
                ("503:+0", "unable to receive requests", False),
                ("500", "within the permitted time", False),
                ("500-after", "within the permitted time", True),
                ("429", "429", False),
                ("html", "", False),
                ("html-after", "", True),
                ("bad-batch", "", True)]:
            with self.subTest(fault):
                self.simulate(f"{fault}@1/egts")
                self.query("BEGIN")
                self.query(INSERT, "p", fault)
                self.query(INSERT, "p", fault + "2")
                failed = self.meets(text, "COMMIT")
                if self.db.in_transaction:
                    self.query("ROLLBACK")
                self.assertEqual(len(self.remote(where=f"PartitionKey = 'p' AND RowKey = '{fault}'")),
                                 int(there or not failed))

    def test_a_stall_ends_with_the_timeout_or_its_time(self):
        self.fill()
        self.simulate("stall-before@1/reads, stall-after:100@2/reads, stall-before:100@3/reads", timeout=1)
        began = time.monotonic()
        self.meets(f"{PLACE} did not answer in time: Operation timed out after 1000 milliseconds", COUNT)
        self.assertGreaterEqual(time.monotonic() - began, 1)
        for _ in range(2):
            began = time.monotonic()
            self.assertEqual(self.query(COUNT), [(12,)])
            self.assertGreaterEqual(time.monotonic() - began, 0.1)

    def test_a_stall_obeys_an_interrupt(self):
        self.simulate("stall-before@1, stall-after@2")
        for _ in range(2):
            timer = threading.Timer(0.1, self.db.interrupt)
            began = time.monotonic()
            timer.start()
            self.fails(sqlite3.OperationalError, "SQLITE_INTERRUPT", "interrupted", COUNT)
            self.assertLess(time.monotonic() - began, 5)

    def test_requests_under_way_share_their_latency(self):
        self.fill("abcdefgh", 1)
        self.simulate("latency=150", parallel=8)
        keys = ", ".join(f"'{key}'" for key in "abcdefgh")
        for rest in ("AND RowKey = '0'", "", "ORDER BY PartitionKey, RowKey", "ORDER BY PartitionKey DESC, RowKey DESC"):
            began = time.monotonic()
            rows = self.query(f"SELECT PartitionKey FROM t WHERE PartitionKey IN ({keys}) {rest}")
            self.assertEqual(sorted(key for key, in rows), list("abcdefgh"))
            self.assertGreaterEqual(time.monotonic() - began, 0.15)
            self.assertLess(time.monotonic() - began, 8 * 0.15, rest)

    def test_pages_of_ranges_have_all_rows(self):
        self.fill("abcdefgh", 3)
        for plan in ("ranges=1", "ranges=2,seed=3,tokens=partition", "scan_rows=1", "scan_time=0", "scan_rows=2,ranges=3"):
            with self.subTest(plan):
                self.simulate(plan)
                before = self.sent("table scan")
                self.assertEqual(self.query("SELECT PartitionKey, RowKey FROM t ORDER BY 1, 2"),
                                 [(partition, str(row)) for partition in "abcdefgh" for row in range(3)])
                self.assertGreater(self.sent("table scan") - before, 1)

    def test_a_rate_and_a_move(self):
        self.fill("ab", 3)
        self.simulate("partition_rate=1")
        self.query(f"{COUNT} WHERE PartitionKey = 'a'")
        self.meets("unable to receive requests", f"{COUNT} WHERE PartitionKey = 'a'")
        self.assertEqual(self.query(f"{COUNT} WHERE PartitionKey = 'b'"), [(3,)])
        self.simulate("move:150@1")
        self.meets("unable to receive requests", f"{COUNT} WHERE PartitionKey = 'a'")
        self.meets("unable to receive requests", f"{COUNT} WHERE PartitionKey = 'a'")
        self.assertEqual(self.query(f"{COUNT} WHERE PartitionKey = 'b'"), [(3,)])
        time.sleep(0.2)
        self.assertEqual(self.query(f"{COUNT} WHERE PartitionKey = 'a'"), [(3,)])

    def test_reads_get_through_with_retries(self):
        self.fill()
        self.simulate("seed=2, 503@*2/reads, scan_rows=3", retries=5)
        self.assertEqual(self.query(COUNT), [(12,)])


if __name__ == "__main__":
    host.enter()
    unittest.main()
