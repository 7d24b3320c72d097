#!/usr/bin/python3
"""The oracle of reads: random SQL must give the same result over remote tables and native tables
with the same rows.

usage: oracle.py [--seed N] [--queries N] [--only K] [--on local|server|azurite] [--paging] [--writers]
                 [--most N]
       oracle.py --self-check [--seed N] [--queries N]

The service is a local store in this process, aztables-server, or Azurite. --paging simulates short
pages of many sizes on one of the first two, also empty ones, and tokens without NextRowKey. With
--writers, a second connection writes other entities meanwhile (read_writers). The seed
determines schemas, rows and queries; every read_round.PER_ROUND queries have a new schema. A
difference is printed with its query, a reduced form, and the command that repeats it: --only K runs
the queries of its round up to K. --self-check must find every planted defect: proxies that simulate
wrong pushdown or paging (read_broken), and wrong tables (read_wrong). The other parts: read_values,
read_schema, read_operands, read_terms, read_joins, read_queries, read_round, read_compare, read_strict,
read_shrink.
"""

import argparse
import contextlib
import os
import pathlib
import random
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/support/azurite")]
import on_service  # noqa: E402
import read_broken  # noqa: E402
import read_shrink  # noqa: E402
import read_writers  # noqa: E402
import read_wrong  # noqa: E402
from read_round import COUNTS, PER_ROUND, Found, Round  # noqa: E402

MODULE = os.environ.get("AZTABLES_MODULE", str(ROOT / "build/aztables.so"))
SHOWN = 400  # characters of a result
PROGRESS = 5_000  # queries between two lines that show it


@contextlib.contextmanager
def proxied(connection_string, proxy):
    """A connection string through a proxy (a class of http_proxy), and the proxy; None: no proxy."""
    if proxy is None:
        yield connection_string, None
        return
    port = int(re.search(r":(\d+)/", connection_string).group(1))
    with proxy(port) as between:
        yield connection_string.replace(f":{port}/", f":{between.port}/"), between


def short_pages(seed):
    """The plan of a simulation in which pages end early."""
    rng = random.Random(seed)
    return (f"seed={seed}, ranges={rng.choice([1, 2, 3, 5])}, scan_rows={rng.choice([7, 20, 50, 400])}, "
            "tokens=partition")


def run(seed, numbers, make_round, counts, found_one):
    """Runs the queries with these numbers. found_one(number, round, found) returns whether to
    continue.
    """
    current = None
    try:
        for number in numbers:
            if current is None or number % PER_ROUND == 0:
                if current:
                    counts["requests"] += current.requests()
                    current.close()
                current = make_round(seed, number // PER_ROUND)
            if number > 0 and number % PROGRESS == 0:
                print(f"query {number}", file=sys.stderr, flush=True)
            try:
                current.run(number % PER_ROUND, counts)
            except Found as found:
                if not found_one(number, current, found):
                    break
        if current:
            counts["requests"] += current.requests()
    finally:
        if current:
            current.close()


def show(seed, number, current, found, again, make_round=None):
    """Prints a difference and its reduced form."""
    table = current.schema.t
    place = f"round {number // PER_ROUND}, {number % PER_ROUND} in it"
    print(f"seed {seed}, query {number} ({place}), {found.variant}: {found}")
    for name in (found.variant, "remote_u"):
        print("  " + current.db.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0][:SHOWN])
    print(f"  {len(table.rows)} rows" + (", properties of several types" if table.mixed else "")
          + (", in a transaction that has written" if current.writing else ""))
    print(f"  {short(found.query.text())}\n  parameters: {short(found.query.params)}\n  plan:")
    print(short("\n".join(current.plan(found.query, found.variant))))
    print(f"  native: {short(found.wanted)[:SHOWN]}\n  remote: {short(found.got)[:SHOWN]}")
    if make_round and not current.writing and found.variant != "wrong":
        print(short(read_shrink.shrink(make_round(seed, number // PER_ROUND), found)))
    print(f"again: oracle.py --seed {seed} --only {number}{again}", flush=True)


def short(value):
    """Shortens a text with repetitions."""
    return re.sub(r"(.)\1{30,}", lambda found: f"{found[1]}{{{len(found[0])}}}", str(value))


def summary(counts):
    return ", ".join(f"{counts[name]} {name}" for name in COUNTS)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    arguments.add_argument("--queries", type=int, default=1500)
    arguments.add_argument("--only", type=int)
    arguments.add_argument("--on", choices=["local", "server", "azurite"], default="local")
    arguments.add_argument("--paging", action="store_true")
    arguments.add_argument("--writers", action="store_true")
    arguments.add_argument("--most", type=int, default=5, help="the number of differences that end the run")
    arguments.add_argument("--self-check", action="store_true")
    options = arguments.parse_args()
    if options.paging and options.on == "azurite":
        arguments.error("--paging needs --on local or --on server")
    if options.writers and options.on == "local":
        arguments.error("--writers needs --on server or --on azurite")
    # A sanitized module needs its runtime from the start of the process.
    if os.environ.get("AZTABLES_PRELOAD") and "LD_PRELOAD" not in os.environ:
        environment = {**os.environ, "LD_PRELOAD": os.environ["AZTABLES_PRELOAD"], "ASAN_OPTIONS": "detect_leaks=0"}
        return subprocess.run([sys.executable, __file__, *sys.argv[1:], "--seed", str(options.seed)], env=environment,
                              check=False).returncode
    began = time.monotonic()
    print(f"seed {options.seed}", flush=True)
    numbers = range(options.queries)
    if options.only is not None:
        numbers = range(options.only // PER_ROUND * PER_ROUND, options.only + 1)
    if options.self_check:
        result = read_broken.self_check(options.seed, numbers, check)
    else:
        result = check(options.seed, numbers, options.on, None, options.most, paging=options.paging,
                       writers=options.writers)
    print(f"{time.monotonic() - began:.1f} s")
    return result


def check(seed, numbers, service, proxy, most, shown=True, counts=None, wrong=None, paging=False, writers=False):
    """Runs the queries on a service through a proxy. Returns 0, or 1 if there is a difference.

    counts also gets `found`: number and text of the last difference. wrong: the read_wrong.Wrong
    that replaces the virtual table. paging: pages are short. writers: another connection writes.
    """
    counts = {} if counts is None else counts
    counts.update(dict.fromkeys(COUNTS, 0), differences=0)
    made = 0
    folder = on_service.fast_folder()
    plan = short_pages(seed) if paging else None
    with on_service.service(service, folder, plan) as (straight, _), proxied(straight, proxy) as (connection_string, between):
        os.environ["AZTABLES_CONNECTION_DEMO"] = connection_string

        def make_round(seed, number):
            nonlocal made
            made += 1  # another name for the remote tables if a round is repeated
            current = Round(seed, number, MODULE, service == "azurite", 3000 if service != "azurite" else 150, made,
                            between)
            if wrong:
                read_wrong.put(wrong, current)
            if writers:
                read_writers.put(current, MODULE)
            return current

        def found_one(number, current, found):
            counts["differences"] += 1
            counts["found"] = number, str(found)
            if shown:
                again = f" --on {service}" + (" --paging" if paging else "") + (" --writers" if writers else "")
                show(seed, number, current, found, again, make_round)
            return counts["differences"] < most

        run(seed, numbers, make_round, counts, found_one)
        counts["harmful"] = getattr(between, "used", 0)
    if not shown:
        return int(counts["differences"] > 0)
    print(f"seed {seed}: {summary(counts)}, {counts['differences']} differences")
    if counts["queries"] >= PER_ROUND and not counts["rows"] > counts["queries"] / 4 > counts["errors"] * 5:
        print("too few queries have a result: the test shows nothing")
        return 1
    return 1 if counts["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
