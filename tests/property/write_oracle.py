#!/usr/bin/python3
"""The oracle of writes: random transactions must have the same effect on virtual tables and native
ones.

usage: write_oracle.py [--seed N] [--transactions M] [--only K] [--kinds insert,delete,...]
                       [--late unread|any] [--conflicts SHARE] [--bulk some|all|none] [--faults PERCENT]
                       [--on local|server|azurite] [--extension aztables.so]
       write_oracle.py --self-check [--seed N] [--transactions M]

Each statement runs on virtual tables (two over one remote table, one over another) and on native
tables with the same rows. Then codes, total_changes() and visible rows must agree; after each
transaction also the remote rows and the outcomes of a failed COMMIT. A difference is printed with
the transaction's statements, a reduced form, and the command that repeats it: --only K runs the
transactions of its schema up to K. --self-check runs native tables instead of virtual ones, which
must show no difference, and wrong ones, which must each show one. A third of the rounds has tables
with bulk=on (--bulk: all, none): write_bulk, write_sent. With --faults, so many percent of all
requests fail in each of the ways of faults.FAULTS. No statement and no COMMIT may fail because of that. The other parts: write_schema,
write_statements, write_model, write_sides, write_runner, write_checks, write_shrink.
"""

import argparse
import os
import pathlib
import random
import subprocess
import sys
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/support/azurite")]
import on_service  # noqa: E402
import write_broken  # noqa: E402
import write_bulk_broken  # noqa: E402
import write_model  # noqa: E402
import write_shrink  # noqa: E402
import write_sides  # noqa: E402
from faults import simulation  # noqa: E402
from write_bulk import MORE_KINDS, BulkRound  # noqa: E402
from write_bulk_broken import FlushingSide  # noqa: E402
from write_checks import Difference  # noqa: E402
from write_runner import COUNTS, PER_ROUND, Round  # noqa: E402
from write_sides import DeferredSide, NativeSide, ReversedSide  # noqa: E402
from write_statements import KINDS  # noqa: E402

MODULE = os.environ.get("AZTABLES_MODULE", str(ROOT / "build/aztables.so"))


def kind_of_round(number, bulk):
    """A third of the rounds have bulk=on, or all or none of them."""
    return BulkRound if bulk == "all" or (bulk == "some" and number % 3 == 2) else Round


def run(seed, numbers, make_side, kinds, counts, bulk):
    """Runs the transactions with these numbers. Returns None, or the number, the difference and the
    statements.
    """
    current, number = None, -1
    try:
        for number in numbers:
            if current is None or number % PER_ROUND == 0:
                if current:
                    current.close()
                kind = kind_of_round(number // PER_ROUND, bulk)
                current = kind(seed, number // PER_ROUND, make_side, kinds, counts)
            current.transaction()
    except Difference as difference:
        return number, str(difference), current
    except Exception:  # pylint: disable=broad-except  # the statements are needed for any exception
        return number, traceback.format_exc(), current
    finally:
        if current:
            current.close()
    return None


def show(seed, found, again, make_side=None):
    """Prints a difference and its reduced form."""
    number, text, current = found
    print(f"seed {seed}, transaction {number}:")
    if current:
        for target in current.schema.targets:
            print(f"  {target.name}: {write_sides.declared(target.columns)}; {current.schema.options}"
                  + (", without bulk" if target.name in current.schema.without_bulk else ""))
        print("\n".join(current.log))
    print(text)
    small = make_side and current and write_shrink.Shrinker(current, make_side).run()
    if small:
        print(small)
    print(f"again: write_oracle.py --seed {seed} --only {number}{again}")


def summary(counts):
    return ", ".join(f"{counts[name]} {name}" for name in COUNTS)


def self_check(seed, numbers, kinds):
    """Whether the right sides show no difference and each wrong one shows one."""
    failed = False
    for sides, bulk in (((NativeSide, ReversedSide, DeferredSide), "none"), ((NativeSide, FlushingSide), "all")):
        for side in sides:
            counts = dict.fromkeys(COUNTS, 0)
            found = run(seed, numbers, side, kinds, counts, bulk)
            print(f"{side.__name__}: {summary(counts)}")
            if found:
                show(seed, found, f" --self-check --bulk {bulk} --conflicts {Round.conflicts}")
                failed = True
    broken = [(side, "none") for side in write_broken.BROKEN] + [(side, "all") for side in write_bulk_broken.BROKEN]
    for side, bulk in broken:
        counts = dict.fromkeys(COUNTS, 0)
        found = run(seed, numbers, side, kinds, counts, bulk)
        print(f"{side.__name__}: " + (f"found in transaction {found[0]}: {found[1].splitlines()[0][:100]}" if found
                                      else f"NOT FOUND in {summary(counts)}"))
        failed = failed or not found or "Traceback" in found[1]
    return 1 if failed else 0


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    arguments.add_argument("--transactions", type=int, default=2000)
    arguments.add_argument("--only", type=int)
    arguments.add_argument("--kinds", default=",".join(KINDS + MORE_KINDS), help="of: " + ", ".join(KINDS + MORE_KINDS))
    arguments.add_argument("--on", choices=["local", "server", "azurite"], default="local")
    arguments.add_argument("--extension", default=MODULE)
    arguments.add_argument("--late", choices=["unread", "any"], default="unread", help="which conflicts COMMIT may find: "
                           "with rows that the transaction has not read, or with any that it has not written")
    arguments.add_argument("--conflicts", type=float, default=Round.conflicts, help="the share of transactions that begin "
                           "with an INSERT of a row that exists")
    arguments.add_argument("--bulk", choices=["some", "all", "none"], default="some", help="how many rounds have bulk=on")
    arguments.add_argument("--faults", type=float, default=0, help="the percentage of requests that fail")
    arguments.add_argument("--self-check", action="store_true")
    options = arguments.parse_args()
    kinds = options.kinds.split(",")
    if options.faults and options.on == "azurite":
        arguments.error("--faults: on local or server")
    if not set(kinds) <= {*KINDS, *MORE_KINDS} or not set(kinds) & {"insert", "copy", "update", "from", "move", "delete", "entity"}:
        arguments.error(f"--kinds: of {', '.join(KINDS + MORE_KINDS)}, and one that is a statement")
    if os.environ.get("AZTABLES_PRELOAD") and "LD_PRELOAD" not in os.environ and not options.self_check:
        # A sanitized module needs its runtime from the start of the process.
        environment = {**os.environ, "LD_PRELOAD": os.environ["AZTABLES_PRELOAD"], "ASAN_OPTIONS": "detect_leaks=0"}
        return subprocess.run([sys.executable, __file__, *sys.argv[1:], "--seed", str(options.seed)],
                              env=environment, check=False).returncode
    Round.conflicts = options.conflicts
    write_model.Model.reads_show = options.late == "unread"
    print(f"seed {options.seed}")
    began = time.monotonic()
    numbers = range(options.transactions)
    if options.only is not None:
        numbers = range(options.only // PER_ROUND * PER_ROUND, options.only + 1)
    if options.self_check:
        result = self_check(options.seed, numbers, kinds)
    else:
        counts = dict.fromkeys(COUNTS, 0)
        plan = simulation(options.seed, options.faults) if options.faults else None
        with on_service.service(options.on, on_service.fast_folder(), plan) as (connection_string, _):
            os.environ["AZTABLES_CONNECTION_DEMO"] = connection_string

            def make_side(schema, number):
                return write_sides.VirtualSide(schema, number, options.extension)

            found = run(options.seed, numbers, make_side, kinds, counts, options.bulk)
            if found:
                show(options.seed, found, f" --on {options.on} --kinds {options.kinds} --late {options.late} "
                     f"--conflicts {options.conflicts} --bulk {options.bulk} --faults {options.faults} "
                     f"--extension {options.extension}", make_side)
        print(f"seed {options.seed}: {summary(counts)}")
        result = 1 if found else 0
    print(f"{time.monotonic() - began:.1f} s")
    return result


if __name__ == "__main__":
    sys.exit(main())
