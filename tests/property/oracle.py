#!/usr/bin/python3
"""The oracle: random SQL over a remote table and over a native table with the same rows gives the same answer.

usage: oracle.py [--seed N] [--queries N] [--on local|server|azurite]

The service is a local store in this process, aztables-server, or Azurite.

Data and queries are made from the seed, which is printed; hostile keys (empty, quotes, code points on
which UTF-8 and UTF-16 order differ, texts that look like numbers) are in both. Each query runs against
the table of the service with pushdown=all, now and then with pushdown=none and with inferred columns and
every guard set, and against the native one.
"""

import argparse
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/support/azurite")]
import on_service  # noqa: E402

MODULE = os.environ.get("AZTABLES_MODULE", str(ROOT / "build/aztables.so"))
PARTITIONS = ["", "A", "a", "B", "p 1", "p'q", "5", "05", "é", "\ufffd", "\U0001f600", "\ud7ff", "\ue000"]
ROWS = PARTITIONS + ["1", "10", "2", "5.0", " 5", "%2F", "a+b", "A&B=C", "x\U0001f600y", "x\uff5e", "z" * 300,
                     "\U0010ffff", "Sh", "Sha", "shaft", "Si", "~", "-1", "1e1"]


def make_rows(rng):
    rows = {}
    for _ in range(260):
        key = (rng.choice(PARTITIONS), rng.choice(ROWS))
        rows[key] = (rng.choice([None, 0, 1, 5, -3, 2**31 - 1]), rng.choice([None, "", "5", "abc", "ABC", "é"]),
                     rng.choice([None, 0.5, 5.0, -1e300]), rng.choice([None, 0, 1]))
    return [(*key, *values) for key, values in rows.items()]


class Generator:
    """Makes SELECT statements over {t} (the table under test) and the local table `local`."""

    def __init__(self, rng):
        self.rng = rng

    def text(self):
        pool = ROWS + ["", "b", "S", "Z", "a/b", "q?", "\U0001f601", "x", "é\ue001", "\x01", "0", "6", "k" * 2000]
        value = self.rng.choice(pool)
        if self.rng.random() < 0.2:
            value += self.rng.choice(["", "a", "\uffff", "\U00010000", " "])
        return value

    def literal(self):
        kind = self.rng.random()
        if kind < 0.72:
            return "'" + self.text().replace("'", "''") + "'" if "\x00" not in self.text() else "''"
        if kind < 0.82:
            return self.rng.choice(["5", "5.0", "-1", "10", "0.5", "1e1"])
        if kind < 0.86:
            return "NULL"
        if kind < 0.90:
            return self.rng.choice(["x''", "x'41'", "x'ff'"])
        if kind < 0.94:
            return self.rng.choice(["CAST('5' AS INTEGER)", "CAST(5 AS TEXT)", "'a' || 'b'", "upper('a')"])
        return self.rng.choice(["(SELECT min(k) FROM local)", "(SELECT max(n) FROM local)"])

    def key(self, alias):
        return alias + self.rng.choice(["PartitionKey", "RowKey", "RowKey"])

    def comparison(self, alias):
        rng = self.rng
        kind = rng.random()
        key = self.key(alias)
        if kind < 0.30:
            return f"{alias}PartitionKey = {self.literal()}"
        if kind < 0.60:
            return f"{key} {rng.choice(['=', '<', '<=', '>', '>=', '<>', 'IS', 'IS NOT'])} {self.literal()}"
        if kind < 0.68:
            return f"{key} {rng.choice(['', 'NOT '])}BETWEEN {self.literal()} AND {self.literal()}"
        if kind < 0.76:
            values = ", ".join(self.literal() for _ in range(rng.randint(0, 4)))
            return f"{key} {rng.choice(['', 'NOT '])}IN ({values})"
        if kind < 0.80:
            return f"{key} IN (SELECT k FROM local)"
        if kind < 0.84:
            return f"{key} {rng.choice(['LIKE', 'GLOB'])} '{rng.choice(['S%', 'sh%', 'S*', 'a*', '%a', '5%', '5*'])}'"
        if kind < 0.87:
            return f"{key} = {self.literal()} COLLATE NOCASE"
        if kind < 0.90:
            return f"({alias}PartitionKey, {alias}RowKey) {rng.choice(['=', '<', '>', '>='])} ({self.literal()}, {self.literal()})"
        if kind < 0.93:
            return f"{key} IS {rng.choice(['', 'NOT '])}NULL"
        column = rng.choice(["N", "S", "D", "B"])
        return f"{alias}{column} {rng.choice(['=', '<', '>=', 'IS', '<>'])} {rng.choice(['5', '0.5', 'NULL', chr(39) + 'abc' + chr(39), '1'])}"

    def where(self, alias, depth=0):
        rng = self.rng
        if depth > 2 or rng.random() < 0.4:
            return self.comparison(alias)
        parts = [self.where(alias, depth + 1) for _ in range(rng.randint(2, 3))]
        joined = f" {rng.choice(['AND', 'AND', 'OR'])} ".join(f"({part})" for part in parts)
        return f"NOT ({joined})" if rng.random() < 0.1 else joined

    def query(self):
        """A statement on which SQLite agrees with itself: with a key equal to a number, 3.40 takes the key for a
        constant when it sorts or groups, although '5' and '05' both are that number."""
        while True:
            sql = self.any_query()
            if "AS INTEGER" not in sql or not any(word in sql for word in ("ORDER BY", "GROUP BY", "DISTINCT")):
                return sql

    def any_query(self):
        rng = self.rng
        kind = rng.random()
        where = self.where("")
        columns = rng.choice(["PartitionKey, RowKey, N, S, D, B", "RowKey", "N, PartitionKey", "count(*)", "S, D",
                              "min(PartitionKey), max(RowKey), sum(N), count(D)"])
        if kind < 0.45:
            return f"SELECT {columns} FROM {{t}} WHERE {where}"
        if kind < 0.55:
            order = rng.choice(["PartitionKey, RowKey", "PartitionKey DESC, RowKey DESC", "RowKey DESC, PartitionKey"])
            return (f"SELECT PartitionKey, RowKey, N FROM {{t}} WHERE {where} ORDER BY {order} "
                    f"LIMIT {rng.choice([0, 1, 3, 50, -1])} OFFSET {rng.choice([0, 0, 2])}")
        if kind < 0.62:
            return f"SELECT {rng.choice(['PartitionKey', 'RowKey', 'S'])} AS g, count(*), max(N) FROM {{t}} WHERE {where} GROUP BY 1"
        if kind < 0.66:
            return f"SELECT DISTINCT {rng.choice(['PartitionKey', 'RowKey', 'S', 'N, B'])} FROM {{t}} WHERE {where}"
        if kind < 0.78:
            on = rng.choice(["t.PartitionKey = l.k", "t.RowKey = l.k", "t.RowKey = l.n", "t.PartitionKey = l.k AND t.RowKey > l.k",
                             "t.RowKey = l.k AND t.PartitionKey < l.k", "t.RowKey BETWEEN l.k AND l.k || 'z'",
                             "t.PartitionKey = l.k AND t.RowKey < l.d", "t.RowKey <= l.d"])
            return (f"SELECT l.k, l.n, t.PartitionKey, t.RowKey FROM local l {rng.choice(['', 'LEFT '])}JOIN {{t}} t "
                    f"ON {on} AND ({self.where('t.', 2)})")
        if kind < 0.84:
            return (f"SELECT a.PartitionKey, a.RowKey, b.RowKey FROM {{t}} a JOIN {{t}} b ON a.PartitionKey = b.PartitionKey "
                    f"AND a.RowKey < b.RowKey WHERE {self.comparison('a.')} AND a.PartitionKey = {self.literal()}")
        if kind < 0.90:
            return f"SELECT k, (SELECT count(*) FROM {{t}} WHERE PartitionKey = k AND {self.comparison('')}) FROM local"
        if kind < 0.95:
            return f"SELECT k FROM local WHERE EXISTS (SELECT 1 FROM {{t}} WHERE RowKey = k AND {self.comparison('')})"
        return (f"SELECT PartitionKey FROM {{t}} WHERE {where} {rng.choice(['UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT'])} "
                f"SELECT RowKey FROM {{t}} WHERE {self.comparison('')}")


def answer(db, sql):
    """The rows as a sorted list (as they are where the query orders them), or the kind of error."""
    try:
        rows = db.execute(sql).fetchall()
    except sqlite3.Error as error:
        return f"error: {error}"
    return rows if "ORDER BY" in sql else sorted(rows, key=repr)


def run(seed, count, connection_string):
    rng = random.Random(seed)
    os.environ["AZTABLES_CONNECTION_DEMO"] = connection_string
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.enable_load_extension(True)
    db.load_extension(MODULE.removesuffix(".so"))
    columns = "N INT32, S STRING, D DOUBLE, B BOOLEAN"
    db.execute("SELECT aztables_create_table('demo.Oracle')")
    db.execute(f"CREATE VIRTUAL TABLE pushed USING aztables(table=Oracle, connection=demo, {columns})")
    db.execute(f"CREATE VIRTUAL TABLE plain USING aztables(table=Oracle, connection=demo, pushdown=none, {columns})")
    db.execute("CREATE TABLE native(PartitionKey TEXT NOT NULL, RowKey TEXT NOT NULL, N INTEGER, S TEXT, D REAL, "
               "B INTEGER, PRIMARY KEY (PartitionKey, RowKey))")
    db.execute("CREATE TABLE local(k TEXT, n INTEGER, d DATE)")
    db.executemany("INSERT INTO local VALUES (?, ?, ?)", [
        ("A", 1, "2024-01-01"), ("5", 5, "5"), ("05", 10, "-"), (None, None, None), ("\U0001f600", 2, "é"),
        ("\ue000", -1, ""), ("Sh", 5, "Sh")])
    rows = make_rows(rng)
    db.executemany("INSERT INTO native VALUES (?, ?, ?, ?, ?, ?)", rows)
    db.execute("INSERT INTO pushed(PartitionKey, RowKey, N, S, D, B) SELECT * FROM native")
    db.execute("CREATE VIRTUAL TABLE inferred USING aztables(table=Oracle, connection=demo, scan=warn, "
               "max_requests=1000000, max_entities=100000000, max_seconds=3600)")
    generator = Generator(rng)
    differences = answered = 0
    for number in range(count):
        query = generator.query()
        wanted = answer(db, query.format(t="native"))
        tables = ["pushed"] + {0: ["plain"], 2: ["inferred"]}.get(number % 5, [])
        answered += isinstance(wanted, list) and len(wanted) > 0
        for table in tables:
            got = answer(db, query.format(t=table))
            if got != wanted:
                differences += 1
                print(f"seed {seed}, query {number}, {table}:\n  {query}\n  native: {str(wanted)[:400]}\n  "
                      f"remote: {str(got)[:400]}")
    requests = db.execute("SELECT count(*), max(id) FROM aztables_requests").fetchone()[1]
    print(f"seed {seed}: {count} queries, {answered} with rows, {requests} requests, {differences} differences")
    if answered < count / 4:
        print("too few queries have an answer: the test shows nothing")
        return 1
    return 1 if differences else 0


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    arguments.add_argument("--queries", type=int, default=1500)
    arguments.add_argument("--on", choices=["local", "server", "azurite"], default="local")
    options = arguments.parse_args()
    # A sanitized module needs its runtime in the process from the start.
    if os.environ.get("AZTABLES_PRELOAD") and "LD_PRELOAD" not in os.environ:
        environment = {**os.environ, "LD_PRELOAD": os.environ["AZTABLES_PRELOAD"], "ASAN_OPTIONS": "detect_leaks=0"}
        return subprocess.run([sys.executable, __file__, "--seed", str(options.seed), "--queries",
                               str(options.queries), "--on", options.on], env=environment, check=False).returncode
    began = time.monotonic()
    with on_service.service(options.on) as (connection_string, _):
        result = run(options.seed, options.queries, connection_string)
    print(f"{time.monotonic() - began:.1f} s")
    return result


if __name__ == "__main__":
    sys.exit(main())
