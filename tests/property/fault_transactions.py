#!/usr/bin/env python3
"""Random transactions whose requests fail. The same statements run on an ordinary table, which must have equal rows.

usage: fault_transactions.py [--on server|local|forgetful] [--faults PERCENT] [--transactions N] [--writers N] [--seed N]
                             [--options OPTIONS]

A transaction has 1 to 300 operations over 20 partitions: INSERT, OR IGNORE, OR REPLACE, UPDATE, DELETE and changes of
keys, in BEGIN or in autocommit, a third of them on a table with bulk=on. Each writer has its own entities in the same
partitions. No statement and no COMMIT may fail, and no outcome may be unknown. After each transaction its writer reads
its rows; at the end they are read without faults. forgetful: see forgetful_proxy.py; there, unknown outcomes are counted.
--options are more options of the tables: with settle=off there must be differences.
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
from faults import make_contact, simulation  # noqa: E402
from forgetful_proxy import ForgetfulProxy  # noqa: E402

PARTITIONS = 20
MOST_OPERATIONS = 300
MOST_ROWS = 700  # of a writer; beyond them rows are deleted
ALL = "SELECT PartitionKey, RowKey, N, S FROM {t} WHERE RowKey >= :first AND RowKey < :after"
TABLES = {"t": "", "b": ", bulk=on, on_error=continue, batch=40, max_pending=16000"}


class Writer:
    """A database connection, its model, and its transactions. Its row keys begin with its letter."""

    def __init__(self, letter, connection_string, options):
        self.letter, self.connection_string, self.options = letter, connection_string, options
        self.rng = random.Random(f"{options.seed}/{letter}")
        self.bounds = {"first": letter, "after": chr(ord(letter) + 1)}
        self.model = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.model.execute("CREATE TABLE t(PartitionKey TEXT, RowKey TEXT, N INT, S TEXT, PRIMARY KEY(PartitionKey, RowKey))")
        self.counts = collections.Counter()
        self.keys = 0
        self.db, self.table, self.statements, self.error = None, "t", [], None

    def run(self):
        """All transactions, until one fails."""
        try:
            self.db = connect(self.connection_string, self.options.options)
            for number in range(self.options.transactions):
                self.transaction(number)
                self.counts["transactions"] += 1
            self.counts.update(dict(self.db.execute("SELECT outcome, sum(egts) FROM aztables_commits GROUP BY 1")))
            self.db.close()
        except Exception as error:  # pylint: disable=broad-except  # the main thread reports it
            listed = "\n  ".join(f"{sql} {parameters}" for sql, parameters in self.statements)
            self.error = f"writer {self.letter}, transaction {self.counts['transactions']}, table {self.table}: " \
                         f"{type(error).__name__} {error}\n  {listed}"

    def transaction(self, number):
        self.table, self.statements = self.rng.choice("ttb"), []
        before = self.model.total_changes
        most = self.rng.choice([1, 5, 30, 100, MOST_OPERATIONS])
        begins = most > 1 and self.rng.random() < 0.8
        if begins:
            self.both("BEGIN")
        while True:
            left = most - (self.model.total_changes - before)
            self.statement(max(left, 1))
            if not begins or left <= 0 or self.rng.random() < 0.1:
                break
        if begins:
            self.both("COMMIT")
        self.counts["operations"] += self.model.total_changes - before
        self.check(self.db, number)

    def both(self, sql, **parameters):
        """Runs a statement on both sides."""
        self.statements.append((sql, parameters))
        self.db.execute(sql.format(t=self.table), parameters)
        self.model.execute(sql.format(t="t"), parameters)

    def statement(self, most):
        """A random statement for at most so many rows."""
        rows = self.model.execute("SELECT count(*) FROM t").fetchone()[0]
        kinds = ["insert", "insert", "ignore", "replace", "update", "update", "everywhere", "row_key", "partition", "delete"]
        kind = "insert" if rows == 0 else "delete" if rows > MOST_ROWS else self.rng.choice(kinds)
        if kind == "insert":
            self.insert("INSERT", self.rng.randint(1, min(most, 120)))
        elif kind in ("ignore", "replace"):
            self.copy(kind, min(most, 30))
        elif kind == "everywhere":
            self.both("UPDATE {t} SET N = N + 1 WHERE RowKey >= :first AND RowKey < :after AND N % 29 = :rest",
                      rest=self.rng.randrange(29), **self.bounds)
        else:
            self.change(kind, most)

    def insert(self, verb, count):
        """Rows of one to three partitions."""
        first, self.keys = self.keys, self.keys + count
        self.both(f"{verb} INTO {{t}}(PartitionKey, RowKey, N, S) WITH RECURSIVE n(i) AS (SELECT :from UNION ALL "
                  "SELECT i + 1 FROM n WHERE i < :to) SELECT 'p' || ((i % :wide + :shift) % :all), printf('%s%06d', :letter, i), i, "
                  "'s' || i FROM n", **{"from": first}, to=first + count - 1, wide=self.rng.randint(1, 3),
                  shift=self.rng.randrange(PARTITIONS), all=PARTITIONS, letter=self.letter)

    def copy(self, clause, most):
        """Keys that exist, and new ones, by OR IGNORE or OR REPLACE."""
        for partition, row in self.some_rows(self.rng.randint(1, most)):
            key = row if self.rng.random() < 0.5 else f"{row}c"
            self.both(f"INSERT OR {clause.upper()} INTO {{t}}(PartitionKey, RowKey, N) VALUES (:p, :r, :n)",
                      p=partition, r=key, n=self.rng.randrange(1000))

    def change(self, kind, most):
        """A range of one partition."""
        rows = self.some_rows(self.rng.randint(1, min(most, 100)))
        limits = {"p": rows[0][0], "a": rows[0][1], "z": rows[-1][1]}
        where = "WHERE PartitionKey = :p AND RowKey BETWEEN :a AND :z"
        if kind == "update":
            self.both(f"UPDATE {{t}} SET N = N + 10, S = nullif(S, 's7') {where}", **limits)
        elif kind == "delete":
            self.both(f"DELETE FROM {{t}} {where}", **limits)
        elif kind == "row_key":
            self.both(f"UPDATE {{t}} SET RowKey = RowKey || :more {where}", more=f"m{self.next_key()}", **limits)
        else:
            self.both(f"UPDATE {{t}} SET PartitionKey = :to, RowKey = RowKey || :more {where}",
                      to=f"p{self.rng.randrange(PARTITIONS)}", more=f"p{self.next_key()}", **limits)

    def next_key(self):
        self.keys += 1
        return self.keys

    def some_rows(self, most):
        """Keys of adjoining rows of one partition."""
        partition = self.rng.choice(self.model.execute("SELECT DISTINCT PartitionKey FROM t ORDER BY 1").fetchall())[0]
        keys = self.model.execute("SELECT PartitionKey, RowKey FROM t WHERE PartitionKey = ? ORDER BY RowKey", (partition,)).fetchall()
        start = self.rng.randrange(len(keys))
        return keys[start:start + most]

    def check(self, db, number):
        """The rows of the writer in `db` are those of the model."""
        self.statements.append((f"check {number}", ""))
        got = set(db.execute(ALL.format(t=self.table), self.bounds))
        wanted = set(self.model.execute("SELECT * FROM t"))
        if got != wanted:
            raise AssertionError(f"only there: {sorted(got - wanted)[:5]}; only in the model: {sorted(wanted - got)[:5]}")


def connect(connection_string, options=""):
    """A database connection with both tables that has got a response."""
    db = host.connect()
    db.execute("SELECT aztables_connect('sim', ?)", (connection_string,))
    for name, own in TABLES.items():
        more = f", {options}" if options else ""
        db.execute(f"CREATE VIRTUAL TABLE {name} USING aztables(connection=sim, table=Main, N INT32, S STRING{own}{more})")
    make_contact(db, "sim")
    return db


@contextlib.contextmanager
def service(folder, options):
    """Yields the connection strings with and without faults."""
    store = f"LocalStore={folder}/store.db"
    plan = simulation(options.seed, options.faults, "latency=1")
    if options.on == "local":
        yield f"{store};Simulate={plan}", store
        return
    with aztables_server.start(store=f"{folder}/store.db", log=False, options=("--simulate", plan)) as server:
        with ForgetfulProxy(server.port) if options.on == "forgetful" else contextlib.nullcontext(server) as seen:
            yield host.key_of(seen), store


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--on", choices=["local", "server", "forgetful"], default="server")
    arguments.add_argument("--faults", type=float, default=10)
    arguments.add_argument("--transactions", type=int, default=500, help="of each writer")
    arguments.add_argument("--writers", type=int, default=2)
    arguments.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    arguments.add_argument("--options", default="")
    options = arguments.parse_args()
    print(f"seed {options.seed}", flush=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="aztables-transactions-", dir=on_service.fast_folder()) as folder:
        with service(folder, options) as (faulty, straight):
            reader = connect(straight)
            reader.execute("SELECT aztables_create_table('sim.Main')").fetchall()
            writers = [Writer(chr(ord("a") + number), faulty, options) for number in range(options.writers)]
            threads = [threading.Thread(target=writer.run) for writer in writers]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            errors = [writer.error for writer in writers if writer.error]
            for writer in writers if not errors else ():
                writer.check(reader, -1)
            reader.close()
    counts = sum((writer.counts for writer in writers), collections.Counter())
    print("\n".join(errors))
    print(f"seed {options.seed}: {dict(counts)}; {len(errors)} writers failed; {time.monotonic() - began:.1f} s")
    return 1 if errors or counts["unknown"] else 0


if __name__ == "__main__":
    sys.exit(main())
