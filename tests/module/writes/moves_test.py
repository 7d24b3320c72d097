#!/usr/bin/env python3
"""Key changes. If any batch of a COMMIT fails in any way, each moved entity is in its old or its
new place. Across partitions it may be in both: then the COMMIT names the partition. No entity is
lost. The tests also cover moves that depend on one another, within one EGT and across several,
swaps, and moves that cannot be sent.
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402

WAYS = ("refuse", "drop response", "half response", "busy")


class Case(host.Case):
    """The virtual table `t`. `cut` uses the same remote table through a proxy."""

    def setUp(self):
        super().setUp()
        self.virtual("t", "N INT32, S STRING")
        self.proxy = self.cut_connection()
        self.virtual("cut", "N INT32, S STRING", connection="cut", retries=0)

    def fill(self, rows):
        """Gives the remote table exactly these (partition, row, N), each with an undeclared
        property.
        """
        self.query("DELETE FROM t")
        self.query("BEGIN")
        self.db.executemany("INSERT INTO t(PartitionKey, RowKey, N, _entity) VALUES (?, ?, ?, '{\"Extra\":\"x\"}')", rows)
        self.query("COMMIT")

    def places(self):
        """{N: its places} of the remote table. Checks that each entity is complete."""
        places = {}
        for partition, row, n, extra in self.remote("PartitionKey, RowKey, aztables_get(_entity, 'N'), "
                                                    "aztables_get(_entity, 'Extra')"):
            self.assertEqual("x", extra)
            places.setdefault(n, set()).add((partition, row))
        return places

    def broken(self, number, way, *changes):
        """Runs the changes and a COMMIT whose batch of this number fails. Returns the message."""
        for sql in ("BEGIN", *changes):
            self.query(sql)
        self.proxy.plan = {self.proxy.batches + number: way}
        with self.assertRaises(sqlite3.OperationalError) as caught:
            self.query("COMMIT")
        self.assertEqual("SQLITE_BUSY", caught.exception.sqlite_errorname)
        return str(caught.exception)

    def end(self):
        if self.db.in_transaction:
            self.query("ROLLBACK")

    def batches_of(self, *changes):
        """The number of batches for these changes without failures."""
        before = self.proxy.batches
        for sql in ("BEGIN", *changes):
            self.query(sql)
        self.query("COMMIT")
        return self.proxy.batches - before


class Across(Case):
    """Moves between partitions."""

    ROWS = [(partition, str(i), 10 * p + i) for p, partition in enumerate("abc") for i in range(3)]
    CHANGE = "UPDATE cut SET PartitionKey = PartitionKey || '2' WHERE length(PartitionKey) = 1"

    def check(self, old, new):
        """Each entity of `old` ({N: place}) exists there or in `new`. The message names those that
        exist in both.
        """
        places = self.places()
        said = self.outcomes()
        self.assertEqual(set(old), set(places), "an entity is lost")
        for n, held in places.items():
            self.assertLessEqual(held, {old[n], new[n]})
            if len(held) == 2:
                self.assertIn(old[n][0], said["failed"] | said["unknown"] | said["not sent"])
            elif held == {old[n]}:
                self.assertNotIn(new[n][0], said["applied"])
        return places

    def test_every_batch_fails_in_every_way(self):
        old = {n: (p, r) for p, r, n in self.ROWS}
        new = {n: (p + "2", r) for p, r, n in self.ROWS}
        self.fill(self.ROWS)
        self.assertEqual(6, self.batches_of(self.CHANGE))
        self.assertEqual({n: {place} for n, place in new.items()}, self.places())
        duplicates = 0
        for way in WAYS:
            for number in range(1, 7):
                with self.subTest(way=way, number=number):
                    self.fill(self.ROWS)
                    message = self.broken(number, way, self.CHANGE)
                    self.end()
                    places = self.check(old, new)
                    self.assertIn("of 6 EGTs applied: see aztables_commits", message)
                    duplicates += sum(len(held) == 2 for held in places.values())
                    if number <= 3:  # no delete is sent before all inserts are known to be applied
                        self.assertTrue(all(old[n] in held for n, held in places.items()))
        self.assertTrue(duplicates)

    def test_hanging_service(self):
        self.query("INSERT INTO cut(_command) VALUES ('timeout=1')")
        self.fill(self.ROWS)
        self.broken(2, "hang", self.CHANGE)
        self.end()
        self.check({n: (p, r) for p, r, n in self.ROWS}, {n: (p + "2", r) for p, r, n in self.ROWS})

    def test_busy_commit_continues(self):
        for number in range(1, 7):
            with self.subTest(number=number):
                self.fill(self.ROWS)
                self.broken(number, "busy", self.CHANGE)
                self.query("COMMIT")
                self.assertEqual({n: {(p + "2", r)} for p, r, n in self.ROWS}, self.places())

    def test_refused_insert_deletes_nothing(self):
        self.fill(self.ROWS + [("b2", "1", 99)])
        with self.assertRaises(sqlite3.IntegrityError) as caught:
            self.query(self.CHANGE + " AND PartitionKey <> 'c'")
        self.assertIn("PartitionKey='b2', RowKey='1'", str(caught.exception))
        places = self.places()
        self.assertTrue(all((p, r) in places[n] for p, r, n in self.ROWS))
        self.assertEqual({("b2", "1")}, places[99])

    def test_chain_across_partitions(self):
        """Each entity takes the place of the previous one, in its own partition."""
        rows = [(f"{i:02}", "r", i) for i in range(1, 9)]
        change = "UPDATE cut SET PartitionKey = printf('%02d', N - 1)"
        self.fill(rows)
        total = self.batches_of(change)
        self.assertEqual({n: {(f"{n - 1:02}", "r")} for _, _, n in rows}, self.places())
        for way in ("refuse", "drop response", "busy"):
            for number in range(1, total + 1):
                with self.subTest(way=way, number=number):
                    self.fill(rows)
                    self.broken(number, way, change)
                    self.end()
                    self.check({n: (p, r) for p, r, n in rows}, {n: (f"{n - 1:02}", r) for _, r, n in rows})

    def test_move_onto_a_replaced_or_deleted_entity(self):
        rows = [("a", "1", 1), ("b", "1", 2)]
        for changes in (["UPDATE OR REPLACE cut SET PartitionKey = 'b' WHERE PartitionKey = 'a'"],
                        ["DELETE FROM cut WHERE PartitionKey = 'b'", "UPDATE cut SET PartitionKey = 'b'"]):
            self.fill(rows)
            self.assertEqual(2, self.batches_of(*changes))
            self.assertEqual({1: {("b", "1")}}, self.places())
            for number in (1, 2):
                with self.subTest(changes, number=number):
                    self.fill(rows)
                    self.broken(number, "refuse", *changes)
                    self.end()
                    expected = {1: {("a", "1")}, 2: {("b", "1")}} if number == 1 else {1: {("a", "1"), ("b", "1")}}
                    self.assertEqual(expected, self.places())

    def test_move_and_return_sends_nothing_across_partitions(self):
        self.fill(self.ROWS)
        batches = self.batches_of("UPDATE cut SET PartitionKey = 'z' WHERE N = 11",
                                  "UPDATE cut SET PartitionKey = 'b', S = 'back' WHERE N = 11")
        self.assertEqual(1, batches)
        self.assertEqual({n: {(p, r)} for p, r, n in self.ROWS}, self.places())
        self.assertEqual([("b", "back")], self.remote("PartitionKey, aztables_get(_entity, 'S')",
                                                      "aztables_get(_entity, 'N') = 11"))


class Within(Case):
    """Moves within one partition."""

    def test_move_in_one_egt_is_never_in_both_places(self):
        rows = [("p", f"{i:03}", i) for i in range(150)]
        change = "UPDATE cut SET RowKey = 'x' || RowKey"
        self.query("INSERT INTO cut(_command) VALUES ('batch=10')")
        self.fill(rows)
        self.assertEqual(30, self.batches_of(change))
        self.assertEqual({n: {("p", f"x{r}")} for _, r, n in rows}, self.places())
        for way, number in (("refuse", 1), ("drop response", 7), ("half response", 15), ("busy", 30)):
            with self.subTest(way=way, number=number):
                self.fill(rows)
                self.broken(number, way, change)
                self.end()
                places = self.places()
                self.assertEqual(set(range(150)), set(places))
                self.assertTrue(all(len(held) == 1 and held <= {("p", r), ("p", f"x{r}")}
                                    for (_, r, n), held in ((row, places[row[2]]) for row in rows)))

    def test_shift_that_exceeds_one_egt(self):
        rows = [("p", f"{i:03}", i) for i in range(1, 151)]
        change = "UPDATE cut SET RowKey = printf('%03d', N - 1)"
        self.query("INSERT INTO cut(_command) VALUES ('batch=10')")
        self.fill(rows)
        total = self.batches_of(change)
        self.assertGreaterEqual(total, 16)
        self.assertEqual({n: {("p", f"{n - 1:03}")} for _, _, n in rows}, self.places())
        self.assertLessEqual(max(n for n, in self.query("SELECT operations FROM aztables_commits ORDER BY rowid DESC "
                                                        "LIMIT ?", total)), 10)
        for way, number in (("refuse", 1), ("drop response", 2), ("refuse", total // 2), ("drop response", total - 1),
                            ("busy", total)):
            with self.subTest(way=way, number=number):
                self.fill(rows)
                self.broken(number, way, change)
                self.end()
                places = self.places()
                self.assertEqual(set(range(1, 151)), set(places), "an entity is lost")
                self.assertTrue(all(held <= {("p", f"{n:03}"), ("p", f"{n - 1:03}")} for n, held in places.items()))

    def test_shift_within_one_egt(self):
        rows = [("p", f"{i:03}", i) for i in range(1, 91)]
        self.fill(rows)
        self.assertEqual(1, self.batches_of("UPDATE cut SET RowKey = printf('%03d', N - 1)"))
        self.assertEqual({n: {("p", f"{n - 1:03}")} for _, _, n in rows}, self.places())

    SWAP = ("UPDATE cut SET RowKey = 'free' WHERE N = 1", "UPDATE cut SET RowKey = '1' WHERE N = 2",
            "UPDATE cut SET RowKey = '2' WHERE RowKey = 'free'")

    def test_swap_through_a_free_key(self):
        self.fill([("p", "1", 1), ("p", "2", 2)])
        self.assertEqual(1, self.batches_of(*self.SWAP))
        self.assertEqual([("p", 2, "applied")], self.last_commit())
        self.assertEqual({1: {("p", "2")}, 2: {("p", "1")}}, self.places())

    def test_impossible_moves_are_refused_before_sending(self):
        """A swap across partitions, and a cycle that is larger than an EGT."""
        turn = ["UPDATE cut SET RowKey = 'free' WHERE N = 0"]
        turn += [f"UPDATE cut SET RowKey = '{n - 1:02}' WHERE N = {n}" for n in range(1, 15)]
        turn += ["UPDATE cut SET RowKey = '14' WHERE RowKey = 'free'"]
        for rows, changes in (
                ([("p", "1", 1), ("q", "2", 2)],
                 ["UPDATE cut SET PartitionKey = 'free', RowKey = '' WHERE N = 1",
                  "UPDATE cut SET PartitionKey = 'p', RowKey = '1' WHERE N = 2",
                  "UPDATE cut SET PartitionKey = 'q', RowKey = '2' WHERE PartitionKey = 'free'"]),
                ([("p", f"{n:02}", n) for n in range(15)], turn)):
            self.fill(rows)
            before = (self.proxy.batches, self.remote("*"))
            self.query("INSERT INTO cut(_command) VALUES ('batch=10')")
            for sql in ("BEGIN", *changes):
                self.query(sql)
            message = self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "form a cycle", "COMMIT")
            self.assertIn("nothing was sent", message)
            self.assertFalse(self.db.in_transaction)
            self.assertEqual(before, (self.proxy.batches, self.remote("*")))
            self.query("INSERT INTO cut(_command) VALUES ('reset')")
        self.assertEqual(1, self.batches_of(*turn))  # within one EGT the cycle is permitted
        self.assertEqual({n: {("p", f"{(n - 1) % 15:02}")} for n in range(15)}, self.places())

    def test_cycle_among_pending_writes(self):
        """Its writes have no EGT number, since COMMIT refuses them. All other writes have one."""
        self.fill([("p", "1", 1), ("q", "2", 2), ("r", "3", 3)])
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey) VALUES ('q', '9'), ('s', '9'), ('s', '8')")
        self.query("UPDATE t SET PartitionKey = iif(PartitionKey = 'p', 'x', 'p'), RowKey = '1' WHERE PartitionKey < 'r' AND N")
        self.query("UPDATE t SET PartitionKey = 'q', RowKey = '2' WHERE PartitionKey = 'x'")
        self.query("DELETE FROM t WHERE N = 3")
        pending = self.query("SELECT partition_key, inserts, updates, deletes, egt_number FROM aztables_pending "
                             "WHERE bytes > 100")
        self.assertEqual([("q", 1, 0, 0, 1), ("q", 0, 1, 0, None), ("s", 2, 0, 0, 2), ("p", 0, 1, 0, None),
                          ("r", 0, 0, 1, 3)], pending)
        self.fails(sqlite3.OperationalError, "SQLITE_ERROR", "form a cycle", "COMMIT")


class Again(host.LocalCase):
    """UPDATE ... FROM with several source rows for one row. The last one counts, and the others
    have no effect.
    """

    ROWS = [("p", "1", 1), ("p", "8", 8), ("p", "x", 0)]

    def setUp(self):
        super().setUp()
        self.virtual_for_two("t")

    def moves(self, source, left, clause="", before="SELECT 1"):
        """The result of UPDATE of the RowKey of N = 1 from the rows of a source."""
        for known in ("SELECT 1", "SELECT * FROM t"):
            with self.subTest(source, clause=clause, known=known):
                self.other.execute("DELETE FROM t")
                self.other.executemany("INSERT INTO t(PartitionKey, RowKey, A) VALUES (?, ?, ?)", self.ROWS)
                self.query("BEGIN")
                self.query(before)
                self.query(known)
                self.query(f"UPDATE {clause} t SET RowKey = n.k FROM ({source}) n WHERE A = 1")
                self.query("SAVEPOINT s")
                self.query("UPDATE t SET B = 'b' WHERE A = 1")
                self.query("ROLLBACK TO s")
                self.assertEqual(left, self.query("SELECT RowKey, A FROM t"))
                self.query("COMMIT")
                self.assertEqual(left, self.remote("RowKey, A"))

    def test_entity_that_is_not_replaced_in_the_end_stays(self):
        source = "SELECT '8' AS k UNION ALL SELECT '9'"
        self.moves(source, [("8", 8), ("9", 1), ("x", 0)], "OR REPLACE")
        self.moves("SELECT '9' AS k UNION ALL SELECT '8'", [("8", 1), ("x", 0)], "OR REPLACE")
        self.moves("SELECT '8' AS k UNION ALL SELECT '1'", [("1", 1), ("8", 8), ("x", 0)], "OR REPLACE")
        self.moves(source, [("8", 8), ("9", 1), ("x", 0)], "OR REPLACE", "UPDATE t SET A = 8 WHERE RowKey = '8'")

    def test_row_of_the_transaction(self):
        insert = "INSERT INTO t(PartitionKey, RowKey, A) VALUES ('p', '3', 1)"
        delete = "DELETE FROM t WHERE RowKey = '1'"
        for source, left in (("SELECT '4' AS k UNION ALL SELECT '5'", "5"), ("SELECT '4' AS k UNION ALL SELECT '3'", "3"),
                             ("SELECT '3' AS k UNION ALL SELECT '4' UNION ALL SELECT '4'", "4")):
            with self.subTest(source):
                self.other.execute("DELETE FROM t")
                self.query("BEGIN")
                self.query(insert)
                self.query(delete)
                self.query(f"UPDATE t SET RowKey = n.k FROM ({source}) n WHERE A = 1")
                self.query("COMMIT")
                self.assertEqual([(left, 1)], self.remote("RowKey, A"))


class Inserted(host.LocalCase):
    def test_key_from_which_a_row_was_moved_before(self):
        """The row that is moved from it later need not exist remotely."""
        self.virtual("t")
        for first in ("INSERT", "INSERT OR REPLACE"):
            self.query("BEGIN")
            self.query(f"{first} INTO t(PartitionKey, RowKey, A) VALUES ('p', 'a', 1)")
            self.query("UPDATE t SET RowKey = 'b' WHERE PartitionKey = 'p' AND RowKey = 'a'")
            self.query("INSERT OR REPLACE INTO t(PartitionKey, RowKey, A) VALUES ('p', 'a', 2)")
            self.query("UPDATE t SET RowKey = 'c' WHERE PartitionKey = 'p' AND RowKey = 'a'")
            self.query("COMMIT")
            self.assertEqual([("b", 1), ("c", 2)], self.remote("RowKey, A"))
            self.query("DELETE FROM t")


if __name__ == "__main__":
    unittest.main()
