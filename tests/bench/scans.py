#!/usr/bin/env python3
"""The effect of ranges on a long scan. One run compares each number of concurrent requests with one chain of pages, for each
distribution of keys. page_server answers from memory, with a latency.

usage: scans.py [--pages N] [--latency MS] [--parallel LIST] [--keys REGEX] [--rounds N] [--order | --reverse | --last] [--memory]

Results that differ end the run. Asserts no times. The default takes about 10 minutes.
"""

import argparse
import dataclasses
import pathlib
import re
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/bench/support")]
import host  # noqa: E402

host.enter()
import bench_clients  # noqa: E402
import bench_data  # noqa: E402
import page_server  # noqa: E402
from figures import print_lines, ratio  # noqa: E402
from ratios import PROGRAMS, Progress  # noqa: E402

PAGE = 1000  # entities
CHAIN = 1  # the value of parallel without ranges
GOAL = 0.9  # of K
GOALS = {16: 12}  # times as fast as one chain, where this is not GOAL
ORDER_GOAL = 0.95  # times as fast as one chain, in the order of the keys
ORDER_GOALS = {8: 5}
MOST_REQUESTS = 1.5  # for each page of a read from the last row to the first
MOST_SECONDS = 0.3  # of the last row
HEADS = ["requests", "per page", "seconds", "x one chain", "of K", "again: x one chain", "again: per page"]
MEMORY_HEADS = ["peak MB", "seconds"]
SUMMARY_HEADS = ["goal", "reached by", "worst", "with the keys", "again: reached by", "again: worst", "again: with the keys"]
EXPLAINED = """\
{pages:,} pages of {page:,} entities; page_server waits {latency:g} ms before each response; {rounds}
{sql}
x one chain: how much faster than the line parallel=1 of the same keys; of K: this by the value K of parallel
again: a second scan of the same table on the same database connection
"""


@dataclasses.dataclass
class Scan:
    """A scan, or the medians of several."""

    seconds: float
    requests: float

    @classmethod
    def median(cls, scans):
        return cls(statistics.median(scan.seconds for scan in scans), statistics.median(scan.requests for scan in scans))


@dataclasses.dataclass
class Read:
    """What is measured."""

    sql: str
    plan: str  # what only its plan has; "": the plan has no order
    figure: object  # the figure of (given, chain, scan) that has a goal
    goal: object  # of a number of chains
    highest: bool  # the goal is the highest figure that is good; else the lowest
    unit: str


def times(_, chain, scan):
    """How many times as fast as one chain."""
    return chain.seconds / scan.seconds


def goal_of(parallel):
    return GOALS.get(parallel, GOAL * parallel)


# Without LIMIT, because a read with LIMIT is another plan. SQLite keeps this ORDER BY, because sum() may depend on it.
SORTED = "SELECT count(*), sum(N) FROM (SELECT N FROM t ORDER BY {})"
FORWARD = "PartitionKey, RowKey"
BACKWARD = "PartitionKey DESC, RowKey DESC"
UNORDERED = Read("SELECT count(*), sum(N) FROM t", "", times, goal_of, False, "x")
READS = {
    "order": Read(SORTED.format(FORWARD), "; in order", times, lambda parallel: ORDER_GOALS.get(parallel, ORDER_GOAL), False, "x"),
    "reverse": Read(SORTED.format(BACKWARD), "; in reverse order", lambda given, _, scan: scan.requests / given.pages,
                    lambda _: MOST_REQUESTS, True, " requests per page"),
    "last": Read(f"SELECT PartitionKey, RowKey FROM t ORDER BY {BACKWARD} LIMIT 1", "; in reverse order", lambda _given, _, scan: scan.seconds,
                 lambda _: MOST_SECONDS, True, " s"),
}


def connect(server, parallel):
    """A new database connection with the virtual table t."""
    db = host.connect()
    db.execute("SELECT aztables_connect('b', ?)", (server.connection_string,)).fetchall()
    db.execute(f"CREATE VIRTUAL TABLE t USING aztables(table=Bench, connection=b, infer=off, parallel={parallel}, N INT32)")
    return db


def check_plan(db, given):
    """Ends the run unless the plan has the order of the read."""
    read = given.read
    plan = "\n".join(row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {read.sql}"))
    right = read.plan in plan if read.plan else not any(other.plan in plan for other in READS.values())
    if not right:
        raise SystemExit(f"{read.sql}: the plan is\n{plan}")


def scan(db, server, sql):
    """A Scan and its result."""
    before = server.counters()
    began = time.perf_counter()
    result = db.execute(sql).fetchall()
    seconds = time.perf_counter() - began
    after = server.counters()
    if after["refused"] != before["refused"]:
        raise SystemExit(f"{sql}: page_server refused a request")
    return Scan(seconds, after["requests"] - before["requests"]), result


def measure(given, keys, progress):
    """{parallel: [Scan, Scan again]} of a table with such keys. One chain is not read again."""
    samples = {}
    expected = None
    progress.show(f"{keys}: page_server starts")
    with page_server.start(PROGRAMS, given.pages * PAGE, given.latency, keys=keys) as server:
        for number in range(given.rounds):
            for parallel in (CHAIN, *given.parallel):
                db = connect(server, parallel)
                check_plan(db, given)
                for turn in range(1 if parallel == CHAIN else 2):
                    progress.show(f"{keys}, round {number + 1} of {given.rounds}: parallel={parallel}{', again' if turn else ''}")
                    sample, result = scan(db, server, given.read.sql)
                    expected = expected or result
                    if result != expected:
                        raise SystemExit(f"{keys}, parallel={parallel}: the result is {result}, not {expected}")
                    samples.setdefault(parallel, ([], []))[turn].append(sample)
                db.close()
    return {parallel: [Scan.median(scans) for scans in turns if scans] for parallel, turns in samples.items()}


def print_memory(given, keys, progress):
    """Prints the peak memory of processes that read all columns."""
    order = given.read.sql.partition("ORDER BY")[1:]
    values = ", ".join(f"max({name})" for name in bench_data.PROPERTIES)
    sql = f"SELECT count(*), {values} FROM (SELECT * FROM t {''.join(order).rstrip(')')})"
    lines = []
    with page_server.start(PROGRAMS, given.pages * PAGE, given.latency, keys=keys) as server:
        for parallel in (CHAIN, *given.parallel):
            progress.show(f"{keys}, all columns: parallel={parallel}")
            setup = f"""SELECT aztables_connect('b', '{server.connection_string}');
                CREATE VIRTUAL TABLE t USING aztables(table=Bench, connection=b, infer=off, parallel={parallel}, {bench_data.COLUMNS})"""
            figures = bench_clients.run([f"{PROGRAMS}/sql_host", host.MODULE, setup, "", sql, "", ""]).splitlines()[0].split("\t")
            lines.append((f"parallel={parallel}", [f"{int(figures[3]) / 1024:.0f}", f"{float(figures[1]):,.2f}"]))
    progress.show("")
    print_lines(f"{keys}, all columns", MEMORY_HEADS, lines)


def print_keys(given, keys, scans):
    """Prints the table of a distribution."""
    chain = scans[CHAIN][0]
    lines = []
    for parallel, (first, *again) in scans.items():
        cells = [f"{first.requests:,.0f}", f"{first.requests / given.pages:.2f}", f"{first.seconds:,.2f}"]
        if again:
            times = chain.seconds / first.seconds
            cells += [ratio(chain.seconds, first.seconds), f"{times / parallel:.2f}", ratio(chain.seconds, again[0].seconds),
                      f"{again[0].requests / given.pages:.2f}"]
        lines.append((f"parallel={parallel}", cells + [""] * (len(HEADS) - len(cells))))
    print_lines(keys, HEADS, lines)


def print_summary(given, measured):
    """Prints how many distributions reach the goal of each K, and the worst. `measured` has the scans by keys."""
    read = given.read
    lines = []
    for parallel in given.parallel:
        goal = read.goal(parallel)
        cells = [f"{goal:.1f}{read.unit}"]
        for turn in range(2):
            figures = {keys: read.figure(given, scans[CHAIN][0], scans[parallel][turn]) for keys, scans in measured.items()}
            worst = (max if read.highest else min)(figures, key=figures.get)
            reached = sum(one <= goal if read.highest else one >= goal for one in figures.values())
            cells += [f"{reached} of {len(figures)}", f"{figures[worst]:.2f}", worst]
        lines.append((f"parallel={parallel}", cells))
    print_lines("all keys", SUMMARY_HEADS, lines)


def numbers(text):
    """The numbers of a list with commas."""
    return [int(word) for word in text.split(",") if word]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=700, metavar="N", help=f"of {PAGE:,} entities; default: 700")
    parser.add_argument("--latency", type=float, default=20, metavar="MS", help="before each response; default: 20")
    parser.add_argument("--parallel", type=numbers, default=[2, 4, 8, 16], metavar="LIST", help="default: 2,4,8,16")
    parser.add_argument("--keys", default="", metavar="REGEX", help="only the distributions whose name matches")
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="default: 1")
    mode = parser.add_mutually_exclusive_group()
    for name, what in (("order", "read in the order of the keys"), ("reverse", "read from the last row to the first"),
                       ("last", "read the last row")):
        mode.add_argument(f"--{name}", dest="read", action="store_const", const=READS[name], default=UNORDERED, help=what)
    parser.add_argument("--memory", action="store_true", help="also measure the memory of a read of all columns")
    given = parser.parse_args()
    given.keys = [keys for keys in page_server.KEYS if re.search(given.keys, keys)]
    if given.pages < 1 or given.rounds < 1 or not given.keys:
        parser.error("at least 1 page, 1 round and 1 distribution of keys")
    if not given.parallel or min(given.parallel) <= CHAIN:
        parser.error(f"--parallel: numbers above {CHAIN}, with commas")
    given.parallel = list(dict.fromkeys(given.parallel))
    return given


def main():
    given = arguments()
    rounds = "1 round" if given.rounds == 1 else f"medians of {given.rounds} rounds"
    print(EXPLAINED.format(pages=given.pages, page=PAGE, latency=given.latency, rounds=rounds, sql=given.read.sql), flush=True)
    progress = Progress()
    measured = {}
    for keys in given.keys:
        measured[keys] = measure(given, keys, progress)
        progress.show("")
        print_keys(given, keys, measured[keys])
        if given.memory:
            print_memory(given, keys, progress)
    print_summary(given, measured)


if __name__ == "__main__":
    main()
