#!/usr/bin/env python3
"""Compares the same writes in one run: on a local store, on aztables-server over loopback HTTP, on Azurite, on a native
SQLite table with the same durability, and over the bare transport (support/raw_transport.py).

usage: writes.py [--rows N] [--rounds N] [--services LocalStore,aztables-server,Azurite]

Every figure is the median of its rounds; each round has new services and empty tables. Checks the
written rows. Asserts no times. A million rows: --rows 1000000 --rounds 1 --services LocalStore.
"""

import argparse
import contextlib
import pathlib
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/bench/support")]
import host  # noqa: E402

host.enter()
import aztables_server  # noqa: E402
import azurite  # noqa: E402
import entities  # noqa: E402
import peak_memory  # noqa: E402
import write_target  # noqa: E402
from figures import print_lines, rate, ratio  # noqa: E402
from write_target import EGT, UNBOUNDED, Target  # noqa: E402

# The module's modes of writing: name, options of the virtual table.
MODES = [
    ("transaction", ""),
    ("bulk", ", bulk=on"),
]
SERVICES = ["LocalStore", "aztables-server", "Azurite"]
PARTITION_ROWS = 1000
BODY = 100
AZURITE_ROWS = 10_000  # at most
SINGLE_ROWS = 500
NATIVE, NATIVE_SMALL, RAW = "native", f"native, COMMIT every {EGT} rows", "bare transport to "

INSERT = "INSERT INTO t SELECT of all rows"
SINGLE = "INSERT INTO t VALUES of a row, each in autocommit"
COPIED = "PartitionKey, RowKey, _entity"
SUMS = "SELECT count(*), sum(N), sum(Score)"
UPDATED = "SELECT count(*), sum(N), sum(Score + 1) FROM source"
# Each in one transaction, in this order: name, statement, statement for a native table, query of the result, and
# query of the source with the same result.
WRITES = [
    (INSERT, f"INSERT INTO t({entities.NAMES}) SELECT {entities.NAMES} FROM source", None,
     f"{SUMS} FROM t", f"{SUMS} FROM source"),
    ("UPDATE t of a column, all rows", "UPDATE t SET Score = Score + 1", None, f"{SUMS} FROM t", UPDATED),
    ("copy: INSERT INTO dst(keys, _entity) SELECT FROM t", f"INSERT INTO dst({COPIED}) SELECT {COPIED} FROM t",
     "INSERT INTO dst SELECT * FROM t", f"{SUMS} FROM dst", UPDATED),
    ("DELETE FROM t WHERE N % 2 = 0, which reads all rows", "DELETE FROM t WHERE N % 2 = 0", None,
     f"{SUMS} FROM t", f"{UPDATED} WHERE N % 2 = 1"),
]
HEADS = ["rows", "rows/s", "x native", "x bare", "in COMMIT", "EGTs", "other requests", "sent B/row"]
MEMORY_HEADS = ["rows", "statement B/row", "with COMMIT B/row", "sent B/row", "x sent"]
# The text above the tables.
EXPLAINED = f"""\
{{rows:,}} rows in partitions of {PARTITION_ROWS:,}, on Azurite at most {AZURITE_ROWS:,}; medians of {{rounds}}
x native: rows/s in ratio to the line native, with the same durability
x bare: rows/s in ratio to the bare transport of the service: the same EGTs, prepared beforehand, signed and sent by
  http.client over 8 kept connections, those of single rows over one
in COMMIT: share of the time; sent: bodies of the EGTs
"""


class Figures:
    """All samples: of each write, of each line in the order of their first line."""

    def __init__(self):
        self._writes = {}

    def add(self, write, line, sample):
        self._writes.setdefault(write, {}).setdefault(line, []).append(sample)

    def print(self):
        for write, lines in self._writes.items():
            speeds = {line: statistics.median(s.rows / s.seconds for s in samples) for line, samples in lines.items()}
            cells = [(line, self._cells(line, samples, speeds)) for line, samples in lines.items()]
            print_lines(write, HEADS, cells)

    def _cells(self, line, samples, speeds):
        last = samples[-1]
        commit = "" if last.in_commit is None else f"{statistics.median(s.in_commit for s in samples):.0%}"
        bare = speeds.get(RAW + line.partition(",")[0])
        return [f"{last.rows:,}", rate(speeds[line]), ratio(speeds[line], speeds[NATIVE]), ratio(speeds[line], bare),
                commit, last.egts, last.others, "" if last.sent is None else f"{last.sent:,}"]


def start(names, folder, stack):
    """{name: (connection string, port or None)} of new services."""
    started = {}
    if "LocalStore" in names:
        started["LocalStore"] = (f"LocalStore={folder}/store.db", None)
    if "aztables-server" in names:
        server = stack.enter_context(aztables_server.start(store=f"{folder}/server.db", log=False))
        started["aztables-server"] = (server.connection_string, server.port)
    if "Azurite" in names:
        emulator = stack.enter_context(azurite.start())
        started["Azurite"] = (emulator.connection_string, emulator.port)
    return started


def transaction(target, write):
    """A Sample of one of WRITES; checks the resulting rows."""
    name, sql, native, left, source = write
    sample = target.transaction(native if native and target.how is None else sql)
    if target.one(left) != target.one(source):
        raise SystemExit(f"{name}: the result is {target.one(left)}, not {target.one(source)}")
    return sample


def run_round(figures, services, folder, rows):
    """One sample of each write on each service."""
    targets = {NATIVE: Target(folder, rows, PARTITION_ROWS, BODY)}
    for service, (how, _) in services.items():
        count = min(rows, AZURITE_ROWS) if service == "Azurite" else rows
        for mode, options in MODES:
            targets[f"{service}, {mode}"] = Target(folder, count, PARTITION_ROWS, BODY, how, mode, options)
    for write in WRITES:
        for line, target in targets.items():
            figures.add(write[0], line, transaction(target, write))
            if write[0] == INSERT and line == NATIVE:
                figures.add(INSERT, NATIVE_SMALL, target.small_transactions())
    for line, target in targets.items():
        figures.add(SINGLE, line, target.single_rows(SINGLE_ROWS))
    for service, (_, port) in services.items():
        if port is not None:
            source = targets[f"{service}, {MODES[0][0]}"].db
            figures.add(INSERT, RAW + service, write_target.raw_inserts(port, source))
            figures.add(SINGLE, RAW + service, write_target.raw_single_rows(port, SINGLE_ROWS))
    for target in targets.values():
        target.db.close()


def measure_memory(folder, rows):
    """Lines of memory: each statement in a separate process, one after the other on one local store."""
    lines = []
    select = entities.select(rows, PARTITION_ROWS, BODY)
    statements = [("INSERT", f"INSERT INTO t({entities.NAMES}) {select}")]
    statements += [(write[0].partition(" ")[0].rstrip(":"), write[1]) for write in WRITES[1:]]
    for mode, options in MODES:
        for name, sql in statements:
            got = peak_memory.measure(f"{folder}/{mode}.db", "Bench", UNBOUNDED + options, sql)
            count, sent = got["rows"], got["sent"]
            statement, commit = got["statement"] / count, got["commit"] / count
            lines.append((f"{name}, {mode}",
                          [f"{count:,}", f"{statement:,.0f}", f"{commit:,.0f}", f"{sent:,.0f}", ratio(commit, sent)]))
    return lines


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--services", default=",".join(SERVICES), help="default: all")
    given = parser.parse_args()
    given.services = [name for name in given.services.split(",") if name]
    unknown = set(given.services) - set(SERVICES)
    if unknown or given.rows < 2 or given.rounds < 1:
        parser.error(f"no service {sorted(unknown)}" if unknown else "at least 2 rows and 1 round")
    return given


def main():
    given = arguments()
    rounds = "1 round" if given.rounds == 1 else f"{given.rounds} rounds"
    print(EXPLAINED.format(rows=given.rows, rounds=rounds), flush=True)
    figures = Figures()
    for number in range(given.rounds):
        print(f"round {number + 1} of {given.rounds}", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            run_round(figures, start(given.services, folder, stack), folder, given.rows)
    figures.print()
    if "LocalStore" in given.services:
        with tempfile.TemporaryDirectory() as folder:
            print_lines("growth of the peak resident memory, in one transaction on LocalStore", MEMORY_HEADS,
                        measure_memory(folder, given.rows))


if __name__ == "__main__":
    main()
