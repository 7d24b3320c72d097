#!/usr/bin/env python3
"""DELETE of 100,000 entities of a local store in one statement, UPDATE of 20,000 entities, and new
keys for 20,000. The reads request only the needed data, EGTs are full, and exactly the right
entities change. The test prints memory and times of this run. It compares times only if
AZTABLES_LONG is set: some would grow with the square of the number of entities.
"""

import json
import os
import pathlib
import re
import resource
import sys
import tempfile
import time
import traceback
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
COMPARE_TIMES = "AZTABLES_LONG" in os.environ

PARTITIONS = 110
ROWS = 1000
FILL = f"""INSERT INTO t(PartitionKey, RowKey, N, Body) WITH p(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM p WHERE k < ?),
  r(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < {ROWS - 1})
  SELECT printf('p%03d', ? + k), printf('%04d', i), i, 'some text of the entity ' || i FROM p, r"""


def in_child(work):
    """Runs work() in a child process and returns its result after a round trip through JSON. A
    failure of the child is printed.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, json.dumps(work()).encode())
        except BaseException:
            traceback.print_exc()
        os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8") as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    if not text:
        raise AssertionError("the child failed")
    return json.loads(text)


def peak():
    """The peak memory of this process, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


class LargeWrites(unittest.TestCase):
    """Each step runs in its own process, so that its memory can be measured."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.store = os.path.join(folder.name, "store.db")

    def connect(self):
        db = host.connect()
        db.execute("SELECT aztables_connect('b', ?)", (f"LocalStore={self.store}",)).fetchall()
        db.execute("SELECT aztables_create_table('b.Things')").fetchall()
        db.execute("CREATE VIRTUAL TABLE t USING aztables(table=Things, connection=b, N INT32, Body STRING)")
        return db

    def fill(self, partitions):
        def work():
            db = self.connect()
            for first in range(0, partitions, 10):
                db.execute(FILL, (min(10, partitions - first) - 1, first))
            db.close()
            return True

        in_child(work)

    def change(self, sql, entities):
        """Runs a statement that changes so many entities.

        ($select of its reads, entities read, those of each EGT); the time is in self.seconds.
        """
        def work():
            db = self.connect()
            before, began = peak(), time.monotonic()
            changed = db.execute(sql).rowcount
            seconds, more = time.monotonic() - began, peak() - before
            [(last,)] = db.execute("SELECT max(statement_id) FROM aztables_requests").fetchall()
            requests = db.execute("SELECT kind, url, entities, method FROM aztables_requests WHERE statement_id = ?",
                                  (last,))
            return changed, seconds, more, requests.fetchall()

        changed, seconds, more, requests = in_child(work)
        self.seconds = seconds
        print(f"{sql[:60]}: {seconds:.1f} s, {more / entities:.0f} bytes of memory for each of {entities} entities")
        self.assertEqual(entities, changed)
        selects, read, egts = set(), 0, []
        for kind, url, count, method in requests:
            if kind == "EGT":
                egts.append(count)
                continue
            self.assertEqual("GET", method)
            found = re.search(r"[?&]\$select=([^&]*)", url)
            selects.add(urllib.parse.unquote(found.group(1)) if found else "everything")
            read += count
        return selects, read, egts

    def assert_time(self, seconds, most):
        if COMPARE_TIMES:
            self.assertLess(seconds, most)

    def left(self, columns):
        return tuple(in_child(lambda: self.connect().execute(f"SELECT {columns} FROM t").fetchone()))

    def test_delete_100000(self):
        self.fill(PARTITIONS)
        self.assertEqual((PARTITIONS * ROWS,), self.left("count(*)"))
        selects, read, egts = self.change("DELETE FROM t WHERE PartitionKey < 'p100'", 100_000)
        self.assertEqual(({"PartitionKey,RowKey"}, 100_000), (selects, read))
        self.assertEqual([100] * 1000, egts)
        self.assertEqual((10_000, "p100", "p109", sum(range(ROWS)) * 10),
                         self.left("count(*), min(PartitionKey), max(PartitionKey), sum(N)"))
        # A predicate on a property reads this property, too, and does not change the other entities
        # of the same partitions.
        selects, read, egts = self.change("DELETE FROM t WHERE N % 10 > 0", 9_000)
        self.assertEqual(({"PartitionKey,RowKey,N"}, 10_000), (selects, read))
        self.assertEqual([100] * 90, egts)
        self.assertEqual((1000, 0, 990), self.left("count(*), max(N % 10), max(N)"))

    def test_update_20000(self):
        self.fill(21)
        _, read, egts = self.change("UPDATE t SET N = -N - 1 WHERE PartitionKey >= 'p001'", 20_000)
        self.assertEqual((20_000, [100] * 200), (read, egts))
        self.assertEqual((21_000, sum(range(ROWS)) * -19 - 20_000, 20_000, 21_000),
                         self.left("count(*), sum(N), sum(N < 0), sum(Body = 'some text of the entity ' || "
                                   "CASE WHEN N < 0 THEN -N - 1 ELSE N END)"))

    def test_new_keys_for_20000(self):
        self.fill(21)
        self.change("UPDATE t SET N = N WHERE PartitionKey >= 'p001'", 20_000)
        most = 2 + 8 * self.seconds
        _, read, egts = self.change("UPDATE t SET RowKey = 'x' || RowKey WHERE PartitionKey >= 'p001'", 20_000)
        self.assertEqual((20_000, [100] * 400), (read, egts))
        self.assertEqual((21_000, sum(range(ROWS)) * 21, 20_000),
                         self.left("count(*), sum(N), sum(RowKey = printf('x%04d', N) AND PartitionKey > 'p000')"))
        self.assert_time(self.seconds, most)
        _, read, egts = self.change("UPDATE t SET PartitionKey = 'q' || PartitionKey WHERE PartitionKey >= 'p001'", 20_000)
        self.assertEqual((20_000, [100] * 400), (read, egts))
        self.assertEqual((21_000, 20_000), self.left("count(*), sum(PartitionKey BETWEEN 'qp001' AND 'qp020')"))
        self.assert_time(self.seconds, most)

    def test_points_of_a_large_transaction(self):
        """A read of one entity does not search all writes of the transaction to its partition."""
        db = self.connect()
        db.execute("BEGIN")
        db.execute("INSERT INTO t(PartitionKey, RowKey, N) WITH r(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < "
                   "19999) SELECT 'p', printf('%05d', i), i FROM r")

        def timed(where, expected):
            began = time.monotonic()
            for _ in range(500):
                rows = db.execute(f"SELECT N FROM t WHERE PartitionKey = 'p' AND {where}").fetchall()
                self.assertEqual([(expected,)], rows)
            return time.monotonic() - began

        most = 0.5 + 20 * timed("RowKey = '19999'", 19999)
        for where, expected in (("RowKey = '00001'", 1), ("RowKey = '10000'", 10000),
                                ("RowKey > '00001' AND RowKey < '00003'", 2), ("RowKey > '19998'", 19999)):
            with self.subTest(where):
                self.assert_time(timed(where, expected), most)
        db.execute("ROLLBACK")
        db.close()


if __name__ == "__main__":
    unittest.main()
