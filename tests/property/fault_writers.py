#!/usr/bin/env python3
"""Writers on one service whose requests fail. Each EGT that they report as applied was applied once, all others never.

usage: fault_writers.py [--on local|server|forgetful] [--faults PERCENT] [--writers N] [--own] [--bare] [--kills N]
                        [--retries N] [--transactions N] [--seed N]

A transaction adds 1 to the counters of some partitions and inserts a row with its own key into each. So each
partition is an EGT, all its counters are equal, and they are the number of its rows. Every fifth transaction only
inserts a key that the other writers insert at that time. All writers change the same partitions (--own: each its own,
and nothing may fail). --bare: no rows, only counters; then two writers may write equal values.

--kills N: SIGKILL of the server at N random moments and a restart on the same store and port. A COMMIT that fails with
SQLITE_BUSY is repeated until it succeeds or fails with another code. forgetful: see forgetful_proxy.py.
Unknown outcomes must name an entity. They may be one in 500 EGTs if writers share partitions, else none.
"""

import argparse
import collections
import contextlib
import pathlib
import random
import sqlite3
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import host  # noqa: E402

host.enter()
import aztables_server  # noqa: E402
import on_service  # noqa: E402
from faults import simulation  # noqa: E402
from forgetful_proxy import ForgetfulProxy  # noqa: E402

PARTITIONS = 4
COUNTERS = 3
RACES = 5  # each so many transactions
SECONDS = 90  # until a COMMIT must have succeeded
BUSY = "SQLITE_BUSY"
UNKNOWN_SHARE = 500

Known = collections.namedtuple("Known", "partition row outcome message")


class Writer:
    """A database connection with its transactions, in its own thread."""

    def __init__(self, name, connection_string, options):
        self.name, self.connection_string, self.options = name, connection_string, options
        self.random = random.Random(f"{options.seed}/{name}")
        self.known = []
        self.counts = collections.Counter()
        self.failures = collections.Counter()  # errors of statements and of COMMIT
        self.error = None
        self.db = None

    def run(self, killed):
        """Runs its transactions, and more until `killed`."""
        try:
            self.db = host.connect()
            self.db.execute("SELECT aztables_connect('sim', ?)", (self.connection_string,))
            self.db.execute(f"CREATE VIRTUAL TABLE t USING aztables(connection=sim, table=Main, V INT32, W STRING, "
                            f"retries={self.options.retries})")
            number = 0
            while number < self.options.transactions or not killed.is_set():
                self.transaction(number)
                number += 1
            self.db.close()
        except BaseException as error:  # pylint: disable=broad-except  # the main thread raises it
            self.error = error

    def transaction(self, number):
        rows = {}  # partition -> the key that its EGT inserts
        mark = self.db.execute("SELECT coalesce(max(commit_id), 0) FROM aztables_commits").fetchone()[0]
        self.db.execute("BEGIN")
        if number % RACES == 0 and not self.options.own:
            rows[f"race{number // RACES % PARTITIONS}"] = f"{number:06}"
            self.insert(rows)
        else:
            own = f"{self.name}-" if self.options.own else ""
            for partition in self.random.sample(range(PARTITIONS), self.random.choice([1, 1, 2])):
                rows[f"{own}p{partition}"] = f"log-{self.name}-{number:06}"
                self.persist("UPDATE t SET V = V + 1 WHERE PartitionKey = ? AND RowKey < 'b'", f"{own}p{partition}")
            if not self.options.bare:
                self.insert(rows)
        self.commit()
        self.note(rows, mark)

    def insert(self, rows):
        for partition, row in rows.items():
            self.persist("INSERT INTO t(PartitionKey, RowKey, W) VALUES (?, ?, ?)", partition, row, self.name)

    def persist(self, sql, *parameters):
        """Runs a statement, which sends at most reads, until it gets a response."""
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                return self.db.execute(sql, parameters).fetchall()
            except sqlite3.OperationalError as error:
                self.failures[f"{sql.split()[0]} {error.sqlite_errorname}"] += 1
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def commit(self):
        deadline = time.monotonic() + SECONDS
        while self.db.in_transaction:
            try:
                self.db.execute("COMMIT")
            except sqlite3.Error as error:
                self.failures[f"COMMIT {error.sqlite_errorname}"] += 1
                if error.sqlite_errorname == BUSY:
                    assert self.db.in_transaction and time.monotonic() < deadline, error
                    self.counts["repeated"] += 1
                    time.sleep(0.02)

    def note(self, rows, mark):
        """Notes the last outcome of each EGT."""
        last = {}
        for partition, *outcome, settled, reads in self.db.execute(
                "SELECT partition_key, outcome, message, settled, settle_reads FROM aztables_commits WHERE commit_id > ? "
                "ORDER BY commit_id", (mark,)):
            assert last.get(partition, [""])[0] != "applied", f"{partition} was applied, then {outcome}"
            last[partition] = outcome
            self.counts["settled"] += settled
            self.counts["reads"] += reads
        assert set(last) == set(rows), f"{last}, not {rows}"
        for partition, (outcome, message) in last.items():
            self.counts[outcome] += 1
            self.known.append(Known(partition, rows[partition], outcome, message))


class Service:
    """The service with its store; kill() ends it, and starts it again."""

    def __init__(self, folder, options):
        self.options = options
        self.store = f"{folder}/store.db"
        self.plan = simulation(options.seed, options.faults, "latency=4") if options.faults else "latency=4"
        self.server, self.proxy, self.starts = None, None, 0
        self.straight = f"LocalStore={self.store}"
        self.faulty = f"{self.straight};Simulate={self.plan}"
        if options.on != "local":
            self.start("0")
            self.proxy = ForgetfulProxy(self.server.port) if options.on == "forgetful" else None
            self.faulty = host.key_of(self.proxy or self.server)

    def start(self, port):
        self.starts += 1  # another seed, otherwise each start would break the same requests
        plan = self.plan.replace(f"seed={self.options.seed},", f"seed={self.options.seed + self.starts},")
        self.server = aztables_server.start(store=self.store, log=False, options=("--simulate", plan, "--port", port))

    def kill(self):
        port = str(self.server.port)
        self.server.kill()
        self.start(port)

    def close(self):
        for part in filter(None, (self.proxy, self.server)):
            part.__exit__()


def create(connection_string, options):
    """The table, with counters of 0."""
    db = host.connect()
    db.execute("SELECT aztables_connect('sim', ?)", (connection_string,))
    db.execute("SELECT aztables_create_table('sim.Main')").fetchall()
    db.execute("CREATE VIRTUAL TABLE t USING aztables(connection=sim, table=Main, V INT32)")
    db.execute("BEGIN")
    owners = [f"w{writer}-" for writer in range(options.writers)] if options.own else [""]
    for owner in owners:
        for partition in range(PARTITIONS):
            for counter in range(COUNTERS):
                db.execute("INSERT INTO t(PartitionKey, RowKey, V) VALUES (?, ?, 0)", (f"{owner}p{partition}", f"a{counter}"))
    db.execute("COMMIT")
    db.close()


def wrong(connection_string, writers, options):
    """Yields a text for each EGT and each partition that is not as reported."""
    db = host.connect()
    db.execute("SELECT aztables_connect('sim', ?)", (connection_string,))
    db.execute("CREATE VIRTUAL TABLE t USING aztables(connection=sim, table=Main, V INT32, W STRING)")
    counters, rows = collections.defaultdict(list), {}
    for partition, row, value, writer in db.execute("SELECT PartitionKey, RowKey, V, W FROM t"):
        if value is None:
            rows[partition, row] = writer
        else:
            counters[partition].append(value)
    db.close()
    applied, unknown = collections.Counter(), collections.Counter()
    for writer in writers:
        for known in writer.known:
            applied[known.partition] += known.outcome == "applied"
            unknown[known.partition] += known.outcome == "unknown"
            if options.bare and not known.partition.startswith("race"):
                continue
            there = rows.get((known.partition, known.row)) == writer.name
            if known.outcome != "unknown" and there != (known.outcome == "applied"):
                yield f"{writer.name}: {known}, but the row is {'' if there else 'not '}there"
    for partition, values in counters.items():
        count = len([key for key in rows if key[0] == partition])
        if len(set(values)) != 1 or (values[0] != count and not options.bare):
            yield f"{partition}: counters {values}, {count} rows"
        elif not applied[partition] <= values[0] <= applied[partition] + unknown[partition]:
            yield f"{partition}: counters {values}, {applied[partition]} EGTs applied, {unknown[partition]} unknown"


def write(service, writers, options):
    """Runs the writers, and kills the server meanwhile."""
    killed = threading.Event()
    threads = [threading.Thread(target=writer.run, args=(killed,)) for writer in writers]
    for thread in threads:
        thread.start()
    chance = random.Random(options.seed)
    for _ in range(options.kills):
        time.sleep(chance.uniform(0.01, 0.4))
        service.kill()
    killed.set()
    for thread in threads:
        thread.join()
    for writer in writers:
        if writer.error:
            raise writer.error


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--on", choices=["local", "server", "forgetful"], default="server")
    arguments.add_argument("--faults", type=float, default=10)
    arguments.add_argument("--writers", type=int, default=2)
    arguments.add_argument("--own", action="store_true")
    arguments.add_argument("--bare", action="store_true")
    arguments.add_argument("--kills", type=int, default=0)
    arguments.add_argument("--retries", type=int, default=5)
    arguments.add_argument("--transactions", type=int, default=500, help="of each writer")
    arguments.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = arguments.parse_args()
    print(f"seed {options.seed}", flush=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="aztables-writers-", dir=on_service.fast_folder()) as folder:
        create(f"LocalStore={folder}/store.db", options)
        with contextlib.closing(Service(folder, options)) as service:
            writers = [Writer(f"w{number}", service.faulty, options) for number in range(options.writers)]
            write(service, writers, options)
            found = list(wrong(service.straight, writers, options))
    counts, failures = (sum((getattr(writer, name) for writer in writers), collections.Counter()) for name in ("counts", "failures"))
    unknown = [known for writer in writers for known in writer.known if known.outcome == "unknown"]
    egts = sum(len(writer.known) for writer in writers)
    print("\n".join([*found, *(f"unknown: {known}" for known in unknown)]))
    print(f"{egts} EGTs: {dict(counts)}; errors {dict(failures)}; {len(unknown)} unknown, {len(found)} wrong; "
          f"{time.monotonic() - began:.1f} s")
    unnamed = [known for known in unknown if "RowKey='" not in (known.message or "")]
    allowed = 0 if options.own else egts / UNKNOWN_SHARE
    return 1 if found or unnamed or len(unknown) > allowed or (options.own and counts["failed"] > counts["repeated"]) else 0


if __name__ == "__main__":
    sys.exit(main())
