#!/usr/bin/env python3
"""The effect of pushdown with slow requests. One run compares each query with 1, 8 and 32 concurrent requests, the query
without pushdown, without arms for entities of other types, and the bare transport of the same requests. aztables-server
waits before each response.

usage: reads.py [--entities N] [--delay MS] [--rounds N]

Prints medians of the rounds. First compares the rows with a native table. Asserts no times.
"""

import argparse
import os
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/bench/support")]
import host  # noqa: E402

host.enter()
import aztables_server  # noqa: E402
import entities  # noqa: E402
from figures import print_lines, ratio  # noqa: E402
from raw_transport import RawReads  # noqa: E402

EACH = 100  # entities in a partition
BODY = 100
BARE_CONNECTIONS = 8
# A name, and SQL over the table {t} and the local tables wanted (500 keys) and often (each key ten times).
QUERIES = [
    ("500 points: IN", "SELECT sum(N) FROM {t} WHERE PartitionKey IN (SELECT DISTINCT partition FROM wanted LIMIT 100) "
     "AND RowKey IN (SELECT row FROM rows LIMIT 5)"),
    ("500 rows of a small partition: IN", "SELECT sum(N) FROM {t} WHERE PartitionKey = 'p003' AND RowKey IN (SELECT row FROM rows)"),
    ("500 points: join", "SELECT sum(t.N) FROM wanted w CROSS JOIN {t} t ON t.PartitionKey = w.partition AND t.RowKey = w.row"),
    ("5,000 points, 500 of them different: join",
     "SELECT sum(t.N) FROM often w CROSS JOIN {t} t ON t.PartitionKey = w.partition AND t.RowKey = w.row"),
    ("100 partitions: IN", "SELECT sum(N) FROM {t} WHERE PartitionKey IN (SELECT DISTINCT partition FROM wanted LIMIT 100)"),
    ("two partitions: OR", "SELECT sum(N) FROM {t} WHERE PartitionKey = 'p004' OR PartitionKey = 'p005'"),
    ("the partitions: DISTINCT", "SELECT count(*) FROM (SELECT DISTINCT PartitionKey FROM {t})"),
    ("the first ten: ORDER BY keys", "SELECT group_concat(RowKey) FROM (SELECT RowKey FROM {t} ORDER BY PartitionKey, RowKey LIMIT 10)"),
    ("one in a thousand, by a property", "SELECT sum(N) FROM {t} WHERE N >= 1000 AND N < 1100"),
    ("a day of DATETIME", "SELECT count(*) FROM {t} WHERE Made LIKE '2026-01-01%'"),
]
WAYS = [("parallel=1", "parallel=1"), ("parallel=8", "parallel=8"), ("parallel=8, no type arms", "parallel=8, mismatch=null"),
        ("parallel=32", "parallel=32"), ("pushdown=none", "parallel=8, pushdown=none")]
# The rows of a join are looked up one after another; without pushdown, each lookup would be a scan.
WAYS_OF_JOIN = [WAYS[0]]
HEADS = ["requests", "ms", "x parallel=1", "x bare", "server CPU ms"]
EXPLAINED = f"""\
{{count:,}} entities in partitions of {EACH}; aztables-server waits {{delay}} ms before each response; medians of {{rounds}}
x parallel=1: how much faster than the line parallel=1 of the same query
x bare: how much faster than the same requests, signed and sent by http.client over {BARE_CONNECTIONS} kept connections
no type arms: mismatch=null, so that filters ask only for entities of the declared type
server CPU ms: of aztables-server
"""


def connect(folder, server, count):
    """A database connection with the native table and the virtual one of each configuration, all with data."""
    db = entities.connect(f"{folder}/bench.db")
    entities.fill_source(db, count, EACH, BODY)
    entities.create_native(db, "native")
    db.execute(f"INSERT INTO native({entities.NAMES}) SELECT {entities.NAMES} FROM source")
    db.execute("SELECT aztables_connect('store', ?)", (f"LocalStore={server.store}",)).fetchall()
    db.execute(f"CREATE VIRTUAL TABLE temp.store USING aztables(table=Reads, connection=store, create=missing, {entities.COLUMNS})")
    db.execute(f"INSERT INTO store({entities.NAMES}) SELECT {entities.NAMES} FROM source")
    for number, (_, options) in enumerate(WAYS):
        entities.create_virtual(db, f"way{number}", server.connection_string, "Reads", f", {options}")
    db.executescript("""
        CREATE TEMP TABLE wanted AS SELECT PartitionKey AS partition, RowKey AS row FROM native WHERE N % 37 = 3 LIMIT 500;
        CREATE TEMP TABLE often AS SELECT partition, row FROM wanted, json_each('[1,2,3,4,5,6,7,8,9,10]');
        CREATE TEMP TABLE rows AS WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 499) SELECT printf('%06d', i) AS row FROM n;
    """)
    return db


def cpu_of(pid):
    """Milliseconds."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(db, pid, sql, table, expected):
    """(milliseconds, CPU of the server, addresses of the requests) of one run."""
    cpu = cpu_of(pid)
    before = db.execute("SELECT ifnull(max(id), 0) FROM aztables_requests").fetchone()[0]
    began = time.perf_counter()
    found = db.execute(sql.format(t=table)).fetchall()
    took = 1000 * (time.perf_counter() - began)
    if found != expected:
        raise SystemExit(f"{sql}: {found}, not {expected}")
    return took, cpu_of(pid) - cpu, [url for url, in db.execute("SELECT url FROM aztables_requests WHERE id > ? ORDER BY id", (before,))]


def run_query(db, server, rounds, name, sql):
    """Prints the lines of one query."""
    expected = db.execute(sql.format(t="native")).fetchall()
    ways = WAYS_OF_JOIN if " JOIN " in sql else WAYS
    took = {way: [] for way, *_ in ways}
    cpu = {way: [] for way, *_ in ways}
    asked = {}
    bare = []
    for _ in range(rounds):
        for number, (way, *_) in enumerate(ways):
            milliseconds, server_cpu, asked[way] = measure(db, server.pid, sql, f"way{number}", expected)
            took[way].append(milliseconds)
            cpu[way].append(server_cpu)
        raw = RawReads(server.port, BARE_CONNECTIONS)
        bare.append(1000 * raw.send(["/" + url.split("/", 4)[4] for url in asked["parallel=1"]]))
        raw.close()
    lines = []
    median = {way: statistics.median(some) for way, some in took.items()}
    bare = statistics.median(bare)
    for way, *_ in ways:
        lines.append((way, [f"{len(asked[way]):,}", f"{median[way]:,.0f}", ratio(median["parallel=1"], median[way]),
                            ratio(bare, median[way]) if way != "pushdown=none" else "",
                            f"{statistics.median(cpu[way]):,.0f}"]))
    lines.append(("bare transport", [f"{len(asked['parallel=1']):,}", f"{bare:,.0f}", ratio(median["parallel=1"], bare), "", ""]))
    print_lines(name, HEADS, lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entities", type=int, default=100_000)
    parser.add_argument("--delay", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    print(EXPLAINED.format(count=given.entities, delay=given.delay, rounds=f"{given.rounds} rounds"), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        server = aztables_server.start(store=f"{folder}/server.db", log=False, options=("--simulate", f"latency={given.delay}"))
        with server:
            db = connect(folder, server, given.entities)
            for name, sql in QUERIES:
                run_query(db, server, given.rounds, name, sql)
            db.close()


if __name__ == "__main__":
    main()
