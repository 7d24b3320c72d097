#!/usr/bin/env python3
"""100,000 entities of about 1 KB in the emulator, through the sqlite3 shell. They are loaded by
INSERT ... SELECT, and a read returns the same rows as the native table. The reads use hardly more
requests than there are pages, and bounded memory. A read in order uses exactly as many.

The printed figures are of this run. The test checks only counts, equality and memory.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support/azurite"))
import azurite  # noqa: E402

MODULE = os.environ.get("AZTABLES_MODULE", str(ROOT / "build/aztables.so"))
ENTITIES = 100_000
PARALLEL = 8  # requests under way: the default
MOST_MEMORY = 40 * 1024 * 1024
COLUMNS = "Name STRING, Body STRING, N INT32, Big INT64, Score DOUBLE, Flag BOOLEAN, Made DATETIME, Id GUID"
NATIVE = f"""
CREATE TABLE native(PartitionKey TEXT, RowKey TEXT, Name TEXT, Body TEXT, N INTEGER, Big INTEGER, Score REAL,
                    Flag INTEGER, Made TEXT, Id TEXT, PRIMARY KEY (PartitionKey, RowKey)) WITHOUT ROWID;
WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < {ENTITIES - 1})
INSERT INTO native SELECT printf('p%03d', i / 1000), printf('%04d', i % 1000), 'name ' || i,
  printf('%.*c', 600, char(97 + i % 26)), i, i * 10000000000, i / 8.0, i % 2,
  printf('2026-%02d-%02dT10:00:00.%07dZ', 1 + i % 12, 1 + i % 28, i),
  printf('%08x-0000-4000-8000-%012x', i, i * 7) FROM c;
"""
REMOTE = f".load {MODULE}\nCREATE VIRTUAL TABLE temp.remote USING aztables(table=Scale, connection=demo, {COLUMNS});\n"
# The same queries for both tables.
QUESTIONS = [
    "SELECT count(*) FROM {t}",
    "SELECT sum(N), sum(Big / 1000), max(Big), sum(Score), sum(Flag), min(Made), max(Made), min(Id), max(Name), sum(length(Body)) FROM {t}",
    "SELECT PartitionKey, count(*), sum(N), max(RowKey) FROM {t} GROUP BY PartitionKey",
    "SELECT count(*), sum(N) FROM {t} WHERE PartitionKey >= 'p010' AND PartitionKey < 'p020'",
    "SELECT Name, N FROM {t} WHERE PartitionKey = 'p050' AND RowKey BETWEEN '0100' AND '0105'",
    "SELECT Name, Body, N, Big, Score, Flag, Made, Id FROM {t} WHERE PartitionKey = 'p099' AND RowKey = '0999'",
]


def shell(script, database, environment):
    """Runs a script in the sqlite3 shell. Returns its output and the seconds it took."""
    began = time.monotonic()
    done = subprocess.run(["sqlite3", "-batch", "-bail", "-init", "/dev/null", database], input=script, text=True,
                          capture_output=True, env=environment, check=False)
    if done.returncode != 0 or done.stderr:
        raise SystemExit(f"the shell ended with {done.returncode}: {done.stderr}\n{done.stdout[-2000:]}")
    return done.stdout, time.monotonic() - began


def measured_scan(select, database, environment):
    """Peak memory of a shell that does only this scan. A separate Python process measures it."""
    code = ("import resource, subprocess, sys\n"
            "done = subprocess.run(['sqlite3', '-batch', '-bail', '-init', '/dev/null', sys.argv[1]], input=sys.argv[2],"
            " text=True, stdout=subprocess.DEVNULL)\n"
            "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    out = subprocess.run([sys.executable, "-c", code, database, REMOTE + select + ";"], text=True, capture_output=True,
                         env=environment, check=True).stdout.split()
    if out[0] != "0":
        raise SystemExit(f"a measured scan failed: {select}")
    return int(out[1]) * 1024


def check(holds, text):
    print(("ok   " if holds else "FAIL ") + text)
    return 0 if holds else 1


def main():
    failed = 0
    with azurite.start() as service, tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "AZTABLES_CONNECTION_DEMO": service.connection_string}
        database = os.path.join(folder, "native.db")
        shell(NATIVE, database, environment)
        load = REMOTE + "SELECT aztables_create_table('demo.Scale');\n" + (
            f"INSERT INTO remote(PartitionKey, RowKey, {', '.join(c.split()[0] for c in COLUMNS.split(', '))}) "
            "SELECT * FROM native;\nSELECT count(*), sum(entities) FROM aztables_requests WHERE kind = 'EGT';\n")
        out, seconds = shell(load, database, environment)
        failed += check(out.split() == ["1", f"{ENTITIES // 100}|{ENTITIES}"], f"loaded in 1000 EGTs: {out.split()}")
        print(f"     load: {ENTITIES / seconds:,.0f} entities/s")

        for question in QUESTIONS:
            native, _ = shell(question.format(t="native") + ";", database, environment)
            remote, seconds = shell(
                REMOTE + question.format(t="remote") + ";\nSELECT 'requests', kind, (SELECT count(*) FROM aztables_requests WHERE "
                "scan = 1) FROM aztables_requests WHERE scan = 1 ORDER BY id LIMIT 1;", database, environment)
            rows, _, requests = remote.rpartition("requests|")
            failed += check(rows == native and len(native) > 1, f"equal, {requests.strip()}: {question[:70]}")
            kind, count = requests.split("|")
            pages = {"table scan": 100, "partition range": 10, "row range": 1, "point": 1}[kind]
            # Windows in order need more requests than ranges in any order.
            in_order = pages * 1.6
            most = pages if pages <= 3 else in_order if "GROUP BY" in question else pages * 1.1 + 4 * PARALLEL
            failed += check(pages <= int(count) <= most, f"{int(count)} requests for {pages} pages of a {kind}")
            if kind == "table scan":
                print(f"     scan: {ENTITIES / seconds:,.0f} entities/s, including the emulator")

        for select in (QUESTIONS[1].format(t="remote"),
                       "SELECT sum(length(_entity)), count(_etag), max(Timestamp) FROM remote"):
            memory = measured_scan(select, database, environment)
            failed += check(memory < MOST_MEMORY, f"{memory / 2**20:.1f} MiB at most: {select[:60]}")
    print("all checks passed" if failed == 0 else f"{failed} checks failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
