#!/usr/bin/env python3
"""sql/patterns/02_video_rental.sql under several writers. Each has its own database connection with the view and the
triggers of the script, and runs a transaction again after SQLITE_CONSTRAINT. In the end, each member's count equals
the number of the member's rentals, and of the rentals that the writers made and did not return.
"""

import collections
import pathlib
import random
import re
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402

SCRIPT = host.ROOT / "sql/patterns/02_video_rental.sql"
MEMBERS = [f"M{number}" for number in range(3)]
MOVIES = ["Alien", "Ran", "Rear Window", "Sphere", "Star Wars", "Terminator"]
MAY_RENT = 4
LIMIT = "the limit is reached"


def schema():
    """The statements of the script before its first result: the connection, the tables, the view, the triggers."""
    head = re.split(r"^--[|=]", SCRIPT.read_text(), maxsplit=1, flags=re.MULTILINE)[0]
    text = re.sub(r"^(--|\.).*\n", "", head, flags=re.MULTILINE)
    statements, rest = [], ""
    for line in text.splitlines(keepends=True):
        rest += line
        if sqlite3.complete_statement(rest):
            statements.append(rest)
            rest = ""
    assert not rest.strip(), rest
    return [statement for statement in statements if not statement.startswith("INSERT")]  # without the size


class Writer(threading.Thread):
    """Rents and returns at random on its own database connection. All writers write, then all commit."""

    def __init__(self, number, changes, meeting):
        super().__init__()
        self.random = random.Random(number)
        self.changes = changes
        self.meeting = meeting
        self.acknowledged = []  # (member, movie, 1 or -1)
        self.lost_races = 0
        self.refused = 0
        self.errors = []

    def run(self):
        try:
            db = Rental.open()
            for _ in range(self.changes):
                change = (self.random.choice(MEMBERS), self.random.choice(MOVIES), self.random.random() < 0.7)
                written = self.write(db, *change)
                self.meeting.wait(60)
                while not self.commit(db):
                    self.lost_races += 1
                    written = self.write(db, *change)
                self.acknowledged += written
            db.close()
        except Exception as error:  # pylint: disable=broad-exception-caught
            self.errors.append(error)
            self.meeting.abort()

    def write(self, db, member, movie, rent):
        """Begins a transaction that rents or returns a movie; returns what it changes, if anything."""
        before = db.total_changes
        db.execute("BEGIN")
        there = db.execute("SELECT count(*) FROM rental WHERE member = ? AND movie = ?", (member, movie)).fetchone()[0]
        try:
            if rent and not there:
                db.execute("INSERT INTO rental(member, movie) VALUES (?, ?)", (member, movie))
            if not rent:
                db.execute("DELETE FROM rental WHERE member = ? AND movie = ?", (member, movie))
        except sqlite3.IntegrityError as error:
            if LIMIT not in str(error):
                raise
            self.refused += 1
        changed = db.total_changes - before  # the triggers change two rows of the virtual table
        return [(member, movie, 1 if rent else -1)] if changed == 2 else []

    @staticmethod
    def commit(db):
        """False if another writer won the race."""
        try:
            db.execute("COMMIT")
            return True
        except sqlite3.IntegrityError:  # SQLITE_CONSTRAINT and its kinds
            assert not db.in_transaction
            return False


class Rental:
    """The tests, for each service."""

    @staticmethod
    def open():
        db = host.connect()
        for statement in schema():
            db.execute(statement)
        return db

    def setUp(self):
        super().setUp()
        self.db = self.open()
        self.query("INSERT INTO rentals(_command) VALUES ('atomic=egt')")
        self.query("DELETE FROM rentals")
        self.db.executemany("INSERT INTO rentals(PartitionKey, RowKey, MayRent, Rented) VALUES (?, 'Member', ?, 0)",
                            [(member, MAY_RENT) for member in MEMBERS])
        self.query("INSERT INTO rentals(_command) VALUES ('reset')")

    def counts(self):
        """{member: (count, number of rentals)}"""
        rows = self.query("SELECT PartitionKey, max(Rented), sum(RowKey <> 'Member') FROM rentals GROUP BY 1")
        return {member: (count, rentals) for member, count, rentals in rows}

    def test_two_writers(self):
        self.race(writers=2, changes=60)

    def test_six_writers(self):
        self.race(writers=6, changes=20)

    def race(self, writers, changes):
        meeting = threading.Barrier(writers)
        threads = [Writer(number, changes, meeting) for number in range(writers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([], [error for thread in threads for error in thread.errors])
        self.assertGreater(sum(thread.lost_races for thread in threads), 0, "no race: the test proves nothing")
        self.assertGreater(sum(thread.refused for thread in threads), 0, "the limit was never reached")
        balance = collections.Counter()
        for thread in threads:
            for member, movie, change in thread.acknowledged:
                balance[member, movie] += change
        self.assertLessEqual(set(balance.values()), {0, 1})
        self.assertEqual(sorted(pair for pair, count in balance.items() if count),
                         self.query("SELECT member, movie FROM rental ORDER BY member, movie"))
        for member, (count, rentals) in self.counts().items():
            self.assertEqual(rentals, count, member)
            self.assertLessEqual(rentals, MAY_RENT, member)

    def test_a_lost_race(self):
        other = self.open()
        self.addCleanup(other.close)
        for change in ("INSERT INTO rental(member, movie) VALUES ('M0', 'Ran')",
                       "DELETE FROM rental WHERE member = 'M0' AND movie = 'Alien'"):
            with self.subTest(change):
                self.query("INSERT INTO rental(member, movie) VALUES ('M0', 'Alien')")
                self.query("BEGIN")
                self.query(change)
                other.execute("INSERT INTO rental(member, movie) VALUES ('M0', 'Sphere')")
                self.fails(sqlite3.IntegrityError, "SQLITE_CONSTRAINT_VTAB", "RowKey='Member' was changed", "COMMIT")
                self.assertEqual((2, 2), self.counts()["M0"])
                other.execute("DELETE FROM rental WHERE member = 'M0'")
                self.assertEqual((0, 0), self.counts()["M0"])

    def test_returned_by_another_meanwhile(self):
        """The movie is returned after the view has read it, and before the trigger reads it again."""
        other = self.open()
        self.addCleanup(other.close)
        rest = [("Ran",), ("Sphere",)]
        self.query("INSERT INTO rental(member, movie) VALUES ('M0', 'Alien'), ('M0', 'Ran'), ('M0', 'Sphere')")

        def meanwhile():
            other.execute("DELETE FROM rental WHERE member = 'M0' AND movie = 'Alien'")
            return 1

        self.db.create_function("meanwhile", 0, meanwhile)
        self.query("DELETE FROM rental WHERE member = 'M0' AND movie = 'Alien' AND meanwhile()")
        self.assertEqual(rest, self.query("SELECT movie FROM rental WHERE member = 'M0' ORDER BY movie"))
        self.assertEqual((2, 2), self.counts()["M0"])


class LocalRental(Rental, host.LocalCase):
    """On a local store."""


class ServerRental(Rental, host.ServerCase):
    """On aztables-server."""


if __name__ == "__main__":
    unittest.main()
