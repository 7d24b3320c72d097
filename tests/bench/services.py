#!/usr/bin/env python3
"""Compares the same table and the same SQL on four services in one run: a native SQLite table with the
same durability, the embedded store in process, aztables-server over loopback HTTP, and Azurite.

usage: services.py [--entities N] [--without-azurite]

Every figure is the median of its rounds; ratios are to the native table of the same run. First compares
each service's rows with the native ones. Asserts no times.
"""

import argparse
import os
import pathlib
import statistics
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/bench/support")]
import host  # noqa: E402

host.enter()
import aztables_server  # noqa: E402
import azurite  # noqa: E402
import entities  # noqa: E402
from figures import rate  # noqa: E402

PARTITIONS = 100
BODY = 600
ROUNDS = 3
# The timed reads: name, statement, runs per round, entities read.
READS = [
    ("count(*)", "SELECT count(*) FROM {t}", 1, "all"),
    ("scan, all columns", "SELECT sum(N), max(Big), sum(Score), min(Made), max(Id), sum(length(Body)) FROM {t}", 1, "all"),
    ("scan, one column", "SELECT sum(N) FROM {t}", 1, "all"),
    ("one partition", "SELECT count(*), sum(N) FROM {t} WHERE PartitionKey = 'p050'", 20, "partition"),
    ("ten rows of a partition",
     "SELECT sum(N) FROM {t} WHERE PartitionKey = 'p050' AND RowKey >= '000100' AND RowKey < '000110'", 300, 10),
    ("point read", "SELECT N FROM {t} WHERE PartitionKey = 'p099' AND RowKey = '000007'", 500, 1),
]


class Target:
    """One service under test, with its database connection."""

    def __init__(self, name, folder, how, rows):
        self.name = name
        self.how = how
        self.db = entities.connect(os.path.join(folder, f"{name}.db"))
        entities.fill_source(self.db, rows, rows // PARTITIONS, BODY)

    def load(self, number):
        """Seconds to write all entities to a new table t in one transaction."""
        self.db.execute("DROP TABLE IF EXISTS t")
        if self.how is None:
            entities.create_native(self.db, "t")
        else:
            entities.create_virtual(self.db, "t", self.how, f"Bench{number}")
        began = time.perf_counter()
        self.db.execute(f"INSERT INTO t({entities.NAMES}) SELECT {entities.NAMES} FROM source")
        return time.perf_counter() - began

    def read(self, statement, times):
        """The seconds of one run of the statement, and its result."""
        statement = statement.format(t="t")
        began = time.perf_counter()
        for _ in range(times):
            rows = self.db.execute(statement).fetchall()
        return (time.perf_counter() - began) / times, rows


def committer(how, native):
    """A new database connection with the table t of the service; if `how` is None, t is native."""
    db = host.connect(native if how is None else ":memory:", timeout=60)
    if how is None:
        db.execute("PRAGMA synchronous = FULL")
    else:
        db.execute("SELECT aztables_connect('b', ?)", (how,)).fetchall()
        db.execute("CREATE VIRTUAL TABLE t USING aztables(table=Commits, connection=b, infer=off, N INT32)")
    return db


def small_commits(how, native, writers, each):
    """Commits per second: concurrent writers commit transactions of ten rows, each in its own
    partition."""
    setup = host.connect(native if how is None else ":memory:")
    if how is None:
        setup.execute("PRAGMA journal_mode = WAL")
        setup.execute("CREATE TABLE IF NOT EXISTS t(PartitionKey TEXT, RowKey TEXT, N INTEGER, "
                      "PRIMARY KEY(PartitionKey, RowKey)) WITHOUT ROWID")
    else:
        setup.execute("SELECT aztables_connect('b', ?)", (how,)).fetchall()
        setup.execute("SELECT aztables_create_table('b.Commits')").fetchall()

    def write(number):
        db = committer(how, native)
        for i in range(each):
            db.execute(f"INSERT INTO t(PartitionKey, RowKey, N) SELECT 'w{number}-{time.time_ns()}-{i}', value, 1 "
                       "FROM json_each('[1,2,3,4,5,6,7,8,9,10]')")

    threads = [threading.Thread(target=write, args=(n,)) for n in range(writers)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return writers * each / (time.perf_counter() - began)


def print_row(name, rates, unit):
    base = rates[0]
    cells = [f"{rate(base):>12}"] + [f"{rate(r):>12} {r / base:5.2f}x" for r in rates[1:]]
    print(f"{name:<26}{''.join(cells)}   {unit}", flush=True)


def run(targets, loaded):
    print(f"{'':<26}{targets[0].name:>12}" + "".join(f"{t.name:>19}" for t in targets[1:]), flush=True)
    loads = [[target.load(number) for target in targets] for number in range(ROUNDS)]
    print_row("load", [loaded / statistics.median(seconds) for seconds in zip(*loads)], "entities/s")
    for name, statement, times, reads in READS:
        count = {"all": loaded, "partition": loaded // PARTITIONS}.get(reads, reads)
        seconds = {t.name: [] for t in targets}
        for _ in range(ROUNDS):
            results = []
            for target in targets:
                took, rows = target.read(statement, times)
                seconds[target.name].append(took)
                results.append(rows)
            if any(rows != results[0] for rows in results):
                raise SystemExit(f"{name}: the services differ: {results}")
        unit = "entities/s" if count > 1 else "reads/s"
        print_row(name, [count / statistics.median(seconds[t.name]) for t in targets], unit)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entities", type=int, default=100_000)
    parser.add_argument("--without-azurite", action="store_true")
    arguments = parser.parse_args()
    loaded = arguments.entities // PARTITIONS * PARTITIONS
    with tempfile.TemporaryDirectory() as folder, aztables_server.start() as server:
        emulator = None if arguments.without_azurite else azurite.start()
        hows = [("native", None), ("LocalStore", f"LocalStore={folder}/store.db"),
                ("aztables-server", server.connection_string)]
        if emulator:
            hows.append(("Azurite", emulator.connection_string))
        print(f"{loaded:,} entities of about 1 KB in {PARTITIONS} partitions; medians of {ROUNDS} rounds", flush=True)
        run([Target(name, folder, how, loaded) for name, how in hows], loaded)
        print("\ntransactions of ten rows per second, each committed before the next", flush=True)
        for writers in (1, 4, 16):
            rates = [statistics.median(small_commits(how, f"{folder}/commits.db", writers, 320 // writers)
                                       for _ in range(ROUNDS)) for _, how in hows]
            print_row(f"{writers} at once", rates, "transactions/s")
        if emulator:
            emulator.stop()


if __name__ == "__main__":
    main()
