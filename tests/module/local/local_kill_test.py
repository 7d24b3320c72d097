#!/usr/bin/env python3
"""SIGKILL of processes that write to one local store at the same time. Committed transactions are
complete. Of an unfinished transaction, each partition is complete or absent.

usage: local_kill_test.py [--kills N] [--faults PERCENT] [--seed N]

Two processes insert in SQL transactions, and each prints the number of a transaction when its
COMMIT returns. One process is killed at a random moment and restarted, while the other one
continues. With --faults, so many percent of their requests fail.
"""

import argparse
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402
from faults import simulation  # noqa: E402

WRITERS = 2
PARTITIONS = [2, 5, 9]  # the number of entities in each partition of a transaction
KILLS_IF_SANITIZED = 12
SECONDS = 60

WRITE = """
import os, sqlite3, sys
db = sqlite3.connect(":memory:", isolation_level=None)
db.enable_load_extension(True)
db.load_extension(os.environ["AZTABLES_MODULE"])
name, number, counts = sys.argv[1], int(sys.argv[2]), [int(count) for count in sys.argv[3].split(",")]
db.execute("CREATE VIRTUAL TABLE t USING aztables(table=Kill, connection=demo, Of INT32)")
while True:
    db.execute("BEGIN")
    for place, count in enumerate(counts):
        partition = f"{name}-{number:06}-{place}"
        for row in range(count):
            db.execute("INSERT INTO t(PartitionKey, RowKey, Of) VALUES (?, ?, ?)", (partition, str(row), count))
    db.execute("COMMIT")
    os.write(1, f"{number}\\n".encode())
    number += 1
"""


class Writer:
    """A process that writes, and the known state of its transactions."""

    def __init__(self, name, environment):
        self.name = name
        self.environment = environment
        self.next = 1  # the number of the next transaction
        self.committed = set()
        self.partly = {}  # number -> which partitions of an interrupted transaction exist
        self.process = None
        self.first = b""

    def start(self):
        arguments = [self.name, str(self.next), ",".join(map(str, PARTITIONS))]
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [host.PYTHON, "-c", WRITE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=self.environment(), bufsize=0)  # unbuffered, so that communicate() misses nothing
        self.first = self.process.stdout.readline()  # the process starts to write now

    def kill(self):
        """Ends the process and records its committed transactions."""
        self.process.send_signal(signal.SIGKILL)
        rest, errors = self.process.communicate(timeout=SECONDS)
        assert self.process.returncode == -signal.SIGKILL, errors.decode()
        numbers = [int(line) for line in (self.first + rest).split(b"\n")[:-1]]
        assert numbers == list(range(self.next, self.next + len(numbers))), numbers
        self.committed.update(numbers)
        cut = self.next + len(numbers)
        self.partly[cut] = None
        self.next = cut + 1

    def check(self, db, since):
        """Compares the entities in the store, for numbers from `since` on, with the known state.
        Records the partitions of interrupted transactions.
        """
        found = {}
        for partition, count, least, most in db.execute(
                "SELECT PartitionKey, count(*), min(Of), max(Of) FROM t WHERE PartitionKey >= ? AND "
                "PartitionKey < ? GROUP BY PartitionKey", (f"{self.name}-{since:06}", f"{self.name}.")):
            assert count == least == most, f"{partition} is incomplete: {count} of {most}"
            _, number, place = partition.split("-")
            found.setdefault(int(number), set()).add(int(place))
        whole = set(range(len(PARTITIONS)))
        for number in (number for number in self.committed if number >= since):
            assert found.pop(number, set()) == whole, f"{self.name}: {number} was committed and is missing"
        for number, places in self.partly.items():
            if number < since:
                continue
            there = found.pop(number, set())
            assert places in (None, there), f"{self.name}: {number} changed from {places} to {there}"
            self.partly[number] = there
        assert not found, f"{self.name} never wrote {found}"


def main(kills, faults, chance):
    """The whole test. Raises AssertionError at the first missing or incomplete partition."""
    with tempfile.TemporaryDirectory(prefix="aztables-local-kill-") as folder:
        store = os.path.join(folder, "store.db")
        os.environ["AZTABLES_CONNECTION_DEMO"] = f"LocalStore={store}"

        def environment():
            """That of a process; each has its own faults."""
            plan = f";Simulate={simulation(chance.randrange(10**6), faults)}" if faults else ""
            return host.environment(AZTABLES_MODULE=host.MODULE, AZTABLES_CONNECTION_DEMO=f"LocalStore={store}{plan}")

        db = host.connect()
        db.execute("SELECT aztables_create_table('demo.Kill')").fetchall()
        db.execute("CREATE VIRTUAL TABLE t USING aztables(table=Kill, connection=demo, Of INT32)")
        writers = [Writer(f"w{i}", environment) for i in range(WRITERS)]
        for writer in writers:
            writer.start()
        for _ in range(kills):
            time.sleep(chance.uniform(0, 0.5 if faults else 0.1))
            writer = chance.choice(writers)
            since = writer.next
            writer.kill()
            writer.check(db, since)
            writer.start()
        for writer in writers:
            writer.kill()
        for writer in writers:
            writer.check(db, 0)
        db.close()
        database = sqlite3.connect(store)
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        database.close()
    committed = sum(len(writer.committed) for writer in writers)
    cut = [places for writer in writers for places in writer.partly.values()]
    print(f"{kills} kills: {committed} transactions committed, {len(cut)} cut, "
          f"of which {sum(1 for places in cut if places)} left partitions")
    assert committed > kills, "the writers committed too few transactions"


if __name__ == "__main__":
    host.enter()
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=KILLS_IF_SANITIZED if host.PRELOAD else 60)
    parser.add_argument("--faults", type=float, default=0, help="the percentage of requests that fail")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    main(options.kills, options.faults, random.Random(options.seed))
