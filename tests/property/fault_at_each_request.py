#!/usr/bin/env python3
"""Each kind of fault at each request of each script. A fault must change nothing that the script sees or leaves.

usage: fault_at_each_request.py [--on local,server,forgetful,azurite] [--slice] [--pairs N] [--seed N]
                                [--script NAME] [--kind KIND] [--at K] [--options OPTIONS] [--threads N]

A script (fault_scripts.py) first runs without faults; that gives its requests and the expected result. Then it runs
with each kind at each request, in a fresh copy of the tables. Compared are the rows of each statement, its error, the
growth of total_changes(), the remote rows, and the outcomes in aztables_commits, of which none may be unknown.

--slice: each request meets one kind on one service, and each kind some request. --seed chooses another slice.
--pairs N: N random cases with two or three faults in place of the cases with one. --script, --kind and --at repeat a
case. --options are more options of the tables: with settle=off there must be differences.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import random
import re
import sqlite3
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import host  # noqa: E402

host.enter()
import fault_places  # noqa: E402
from fault_scripts import SCRIPTS, Either  # noqa: E402

STATUSES = ("408", "429", "500", "502", "503", "504")
# Without MS, a stall ends when the client gives up.
ENDLESS = ("stall-before", "stall-after")
# After these no request is sent again: they only delay.
DELAYS = ("stall-before:30", "stall-after:30")
KINDS = ("refuse:50", "reset-before", "reset-after", "truncate:0", "truncate:10", "truncate", *STATUSES,
         *(status + "-after" for status in STATUSES if status not in ("429", "503")), "503:1", "429:+1",
         "html", "html-after", "bad-json", "bad-batch", "move:50", *DELAYS, *ENDLESS)
NAMES = re.compile(r"\b(Main|Side|Fresh|Missing)\b")
BEYOND = 2  # how many requests after the last one of the run without faults are hit, too

Case = collections.namedtuple("Case", "script kind at plan")


class Result:
    """What a script saw and left."""

    def __init__(self):
        self.seen = []  # of each statement: rows or the name of the error, growth of total_changes()
        self.remote = []
        self.commits = ()
        self.unknown = 0
        self.attempts = 0
        self.egts = 0


def run(place, script, plan, options):
    """Runs a script under a plan."""
    result = Result()
    settings = ", ".join(filter(None, [script.settings, plan])) or "seed=1"
    with place.open(settings) as (faulty, straight, suffix):
        db = host.connect()
        try:
            db.execute("SELECT aztables_connect('sim', ?)", (faulty,))
            tables = {"t": "Main", "u": "Side"}
            more = "".join(", " + option for option in (script.options, options, "timeout=1" if _stalls(plan) else "") if option)
            for virtual, name in tables.items():
                db.execute(f"CREATE VIRTUAL TABLE {virtual} USING aztables(connection=sim, table={name}{suffix}, N INT32, "
                           f"S STRING{more})")
            for statement in script.statements:
                if script.repeats and statement == "COMMIT":
                    _wait_while_busy(db)
                result.seen.append(_seen(db, NAMES.sub(rf"\g<1>{suffix}", statement)))
            if db.in_transaction:
                db.execute("ROLLBACK")
            _history(db, result, "commit_id = (SELECT max(commit_id) FROM aztables_commits)" if script.repeats else "true")
        finally:
            db.close()
        result.remote = _remote(straight, suffix)
    return result


def _wait_while_busy(db):
    """The last COMMIT is not busy, and has left no transaction."""
    for _ in range(100):
        if _seen(db, "COMMIT")[0] != "SQLITE_BUSY":
            break
        time.sleep(0.02)
    db.execute("BEGIN")  # for the COMMIT of the script


def _stalls(plan):
    return any(fault.startswith(kind + "@") for fault in plan.split(", ") for kind in ENDLESS)


def _seen(db, statement):
    before = db.total_changes
    try:
        rows = sorted(db.execute(statement).fetchall(), key=repr)
    except sqlite3.Error as error:
        return getattr(error, "sqlite_errorname", None), str(error), db.total_changes - before
    return rows, "", db.total_changes - before


def _history(db, result, which):
    result.attempts = db.execute("SELECT coalesce(sum(attempts), 0) FROM aztables_requests").fetchone()[0]
    result.egts = db.execute("SELECT coalesce(sum(attempts), 0) FROM aztables_requests WHERE kind = 'EGT'").fetchone()[0]
    result.unknown = db.execute(f"SELECT count(*) FROM aztables_commits WHERE outcome = 'unknown' AND {which}").fetchone()[0]
    # A row that on_error=continue left out has no operations of its own EGT.
    result.commits = sorted(db.execute("SELECT partition_key, row_key, operation, code FROM aztables_commits "
                                       f"WHERE outcome = 'failed' AND {which}").fetchall(), key=repr)


def _remote(straight, suffix):
    db = host.connect()
    db.execute("SELECT aztables_connect('sim', ?)", (straight,))
    found = []
    for name in ("Main", "Side", "Fresh", "Missing"):
        if db.execute("SELECT count(*) FROM aztables_tables('sim') WHERE name = ?", (name + suffix,)).fetchone()[0]:
            found.append((name, db.execute("SELECT PartitionKey, RowKey, _entity FROM aztables_query(?)",
                                           (f"sim.{name}{suffix}",)).fetchall()))
    db.close()
    return found


def differences(script, expected, got):
    """Texts; none if the faults have changed nothing."""
    for statement, wanted, seen in zip(script.statements, expected.seen, got.seen):
        others = statement.others if isinstance(statement, Either) else ()
        if (seen[0], seen[2]) != (wanted[0], wanted[2]) and seen[0] not in others:
            yield f"{statement[:90]}: {_short(seen)}; expected {_short(wanted)}"
    if got.unknown:
        yield f"{got.unknown} unknown outcomes"
    if got.commits != expected.commits:
        yield f"failed in aztables_commits: {got.commits}; expected {expected.commits}"
    for (name, rows), (other, wanted) in zip(got.remote, expected.remote):
        if (name, rows) != (other, wanted):
            yield f"remote {name}, only there: {[r for r in rows if r not in wanted][:4]}; only expected: " \
                  f"{[r for r in wanted if r not in rows][:4]}"
    if len(got.remote) != len(expected.remote):
        yield f"remote tables {[name for name, _ in got.remote]}; expected {[name for name, _ in expected.remote]}"


def _short(seen):
    rows, text, grown = seen
    return f"{text or str(rows)[:120]}, {grown} changes"


def single_cases(script, kinds, expected):
    """Each kind at each request."""
    for place, kind in enumerate(kinds):
        if kind in ENDLESS and not script.stalls:
            continue
        for at in range(1, (expected.egts if kind == "bad-batch" else expected.attempts) + BEYOND + 1):
            yield place, Case(script, kind, at, f"{kind}@{at}")


def random_case(chance, script, kinds, expected):
    """Two or three faults, often one soon after the other. The first request gets a response: a host that never
    responded is tried only twice.
    """
    usable = [kind for kind in kinds if kind not in ENDLESS]
    at = chance.randint(2, max(2, expected.attempts))
    plan = [f"{chance.choice(usable)}@{at}"]
    for _ in range(chance.choice([1, 1, 2])):
        at += chance.choice([1, 1, 2, chance.randint(1, max(1, expected.attempts))])
        plan.append(f"{chance.choice(usable)}@{at}")
    return Case(script, "pair", at, ", ".join(plan))


class Campaign:
    """All cases on one service."""

    def __init__(self, name, number, options):
        self.name, self.number, self.options = name, number, options
        self.kinds = [kind for kind in (fault_places.AzuritePlace.WAYS if name == "azurite" else KINDS)
                      if options.kind in (None, kind)]
        self.scripts = [script for script in SCRIPTS if options.script in (None, script.name)]
        self.place = None
        self.expected = {}

    def choose(self):
        """The cases to run."""
        options = self.options
        cases = []
        for number, script in enumerate(self.scripts, options.seed):
            expected = self.expected[script.name]
            if options.pairs:
                chance = random.Random(f"{options.seed}/{self.name}/{script.name}")
                cases += [random_case(chance, script, self.kinds, expected) for _ in range(options.pairs // len(self.scripts) + 1)]
            else:
                cases += [case for kind, case in single_cases(script, self.kinds, expected)
                          if options.at in (None, case.at) and (not options.slice or self.in_slice(number, kind, case.at))]
        return cases

    def in_slice(self, number, kind, at):
        services = len(self.options.on.split(","))
        return (kind + at + number) % len(self.kinds) == 0 and (at + number) % services == self.number

    def one(self, case):
        """Runs a case; returns it, its result and the differences."""
        try:
            got = run(self.place, case.script, case.plan, self.options.options)
            return case, got, list(differences(case.script, self.expected[case.script.name], got))
        except Exception:  # pylint: disable=broad-except  # the case is needed for any exception
            return case, None, [traceback.format_exc()]

    def run(self):
        """Returns how many cases differ."""
        began = time.monotonic()
        # Before Azurite has a table for each case, the local store counts the requests.
        counting = fault_places.make("local" if self.name == "azurite" else self.name, 0)
        self.place = counting
        self.expect()
        if self.name == "azurite":
            cases = self.choose()
            self.place = fault_places.make("azurite", len(cases) + len(self.scripts))
            self.expect()
        cases = self.choose()[:len(cases)] if self.name == "azurite" else self.choose()
        wrong = hit = 0
        with concurrent.futures.ThreadPoolExecutor(self.options.threads) as pool:
            for case, got, found in pool.map(self.one, cases):
                expected = self.expected[case.script.name]
                hit += bool(got and got.attempts > expected.attempts)
                if found:
                    wrong += 1
                    self.show(case, got, found)
        print(f"{self.name}: {len(cases)} cases, {hit} with more attempts, {wrong} differ; requests without faults: "
              + ", ".join(f"{name} {result.attempts}" for name, result in self.expected.items())
              + f"; {time.monotonic() - began:.1f} s", flush=True)
        self.place.close()
        counting.close()
        return wrong

    def expect(self):
        """Runs each script without faults."""
        for script in self.scripts:
            self.expected[script.name] = run(self.place, script, "", self.options.options)

    def show(self, case, got, found):
        print(f"{self.name}, {case.script.name}, {case.plan}" + (f", {got.attempts} attempts" if got else ""))
        print("\n".join(f"  {text}" for text in found))
        if case.kind != "pair":
            print(f"  again: fault_at_each_request.py --on {self.name} --script {case.script.name} --kind {case.kind} "
                  f"--at {case.at}", flush=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--on", default="local,server,forgetful")
    arguments.add_argument("--slice", action="store_true")
    arguments.add_argument("--pairs", type=int, default=0)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--script", choices=[script.name for script in SCRIPTS])
    arguments.add_argument("--kind", choices=KINDS)
    arguments.add_argument("--at", type=int)
    arguments.add_argument("--options", default="")
    arguments.add_argument("--threads", type=int, default=6, help="at each service")
    options = arguments.parse_args()
    fault_places.plain_environment()
    campaigns = [Campaign(name, number, options) for number, name in enumerate(options.on.split(","))]
    fault_places.prepare()
    with concurrent.futures.ThreadPoolExecutor(len(campaigns)) as pool:
        wrong = sum(pool.map(Campaign.run, campaigns))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
