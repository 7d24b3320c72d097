#!/usr/bin/env python3
"""Runs the statements of two scripts of sql/patterns on entities with all types and difficult values. The import of
19_ndjson.sql returns what its export wrote. The restore of 17_backup.sql returns all tables of an account.

The statements are taken from the scripts. Properties, types and values are compared here, without the extension's
functions. On a local store and on aztables-server.

AZTABLES_ROUND_TRIP=100000 exports so many entities (default: 5,000).
"""

import base64
import json
import math
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import host  # noqa: E402

if __name__ == "__main__":
    host.enter()
import aztables_server  # noqa: E402
import on_service  # noqa: E402

ENTITIES = int(os.environ.get("AZTABLES_ROUND_TRIP", "5000"))
ACCOUNTS = {"DEMO": ("demoaccount", "ZGVtbw=="), "COPY": ("copyaccount", "Y29weQ==")}

TEXTS = ["", " ", "plain", "007", "NaN", "null", "'", '"', '"quoted", \'twice\'', "a\nb\r\nc\rd\te\\n",
         "a\0b\x01\x1f\x7f",
         "a,b;c|d\x1e\x1f", '{"json": [1]}', "--| not a result", ".quit", "Grüße ☃ 日本語", "\ufeff\u2028\u2029\ufffd",
         "e\u0301 é", "😀\U0010ffff", "\ud83d", "a\udc00b", "\udfff\ud800", "x\ud83d😀", "%s %Q ?1 :a",
         "x" * 32768, "😀" * 16384, "\n" * 5000]
DOUBLES = [0.0, 1.0, -1.0, 0.1, 1 / 3, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 1e15, 1e16, 1e22,
           123456789.125, math.nan, math.inf, -math.inf]
INT32 = [0, 1, -1, 2147483647, -2147483648]
INT64 = [0, 1, -1, 9007199254740993, 9223372036854775807, -9223372036854775808]
DATES = ["1601-01-01T00:00:00.0000000Z", "2026-11-20T10:15:30.1234567Z", "2000-02-29T23:59:59.9999999Z",
         "9999-12-31T23:59:59.9999999Z", "2026-11-20T00:00:00.0000001Z", "2026-11-20T00:00:00.5000000Z"]
BINARIES = [b"", b"\0", b"\0" * 3, bytes(range(256)), b"\n\"'\xed\xa0\xbd", b"\xff" * 65536]
NAMES = ["a", "A", "_", "type", "rowid", "entity", "ä", "日本", "x" * 255, "line", "N" + "9" * 30]
KEYS = ["", "plain", " ", "it's 100%", '"', '","', "a,b;c|d", "{", "}", "[]", "ü日", "😀", "\ufffd", "x" * 400,
        "+&=;,()!~", "$x", "--| x", "007", "7", "7.0", "null", "{\"PartitionKey\":1}"]


def of_type(kind, any_of):
    """A value of an EDM type."""
    if kind == "String":
        return any_of.choice(TEXTS[:-4] * 6 + TEXTS)
    if kind == "Double":
        some = struct.unpack("<d", any_of.randbytes(8))[0]
        return any_of.choice([*DOUBLES, some, any_of.uniform(-1e6, 1e6)])
    if kind == "Int32":
        return any_of.choice([*INT32, any_of.randrange(-2**31, 2**31)])
    if kind == "Int64":
        return any_of.choice([*INT64, any_of.randrange(-2**63, 2**63)])
    if kind == "Boolean":
        return any_of.random() < 0.5
    if kind == "DateTime":
        return any_of.choice([*DATES, f"20{any_of.randrange(10, 99)}-05-06T07:08:09.{any_of.randrange(10**7):07}Z"])
    if kind == "Guid":
        return str(uuid.UUID(bytes=any_of.randbytes(16)))
    return any_of.choice([*BINARIES[:-1] * 6, BINARIES[-1], any_of.randbytes(any_of.randrange(300))])


KINDS = ["String", "Double", "Int32", "Int64", "Boolean", "DateTime", "Guid", "Binary"]


def properties_of(number, any_of):
    """{name: (EDM type, value)} of an entity. Some have no property, some 252, some each value of a type."""
    if number == 0:
        return {}
    each = {1: ("String", TEXTS[:-3]), 2: ("Double", DOUBLES), 3: ("Int32", INT32), 4: ("Int64", INT64),
            5: ("DateTime", DATES), 6: ("Binary", BINARIES), 7: ("String", TEXTS[-3:])}
    if number in each:
        kind, values = each[number]
        return {f"P{i}": (kind, value) for i, value in enumerate(values)}
    if number % 1000 == 8:
        short = {"String": "\U0001f600'", "Binary": b"\0"}  # 252 long values exceed an entity's limit
        kinds = (KINDS * 32)[:252]
        return {f"P{i}": (kind, short.get(kind) or of_type(kind, any_of)) for i, kind in enumerate(kinds)}
    names = any_of.sample(NAMES, any_of.randrange(5)) + ["P" + str(any_of.randrange(50))]
    result = {}
    for name in names:
        kind = any_of.choice(KINDS)
        result[name] = kind, of_type(kind, any_of)
    return result


def entities(count, seed=1):
    """{(PartitionKey, RowKey): properties}. The first have the keys of KEYS in all pairs."""
    any_of = random.Random(seed)
    pairs = [(partition, row) for partition in KEYS for row in KEYS]
    keys = pairs[:count] + [(f"p{i * 10 // count}", f"{i:07}") for i in range(max(0, count - len(pairs)))]
    return {key: properties_of(number, any_of) for number, key in enumerate(keys)}


def json_of(properties):
    """The JSON text of an entity, as the protocol defines it."""
    found = {}
    for name, (kind, value) in properties.items():
        if kind not in ("String", "Boolean", "Int32"):
            found[f"{name}@odata.type"] = f"Edm.{kind}"
        if kind == "Int64":
            value = str(value)
        elif kind == "Binary":
            value = base64.b64encode(value).decode()
        elif kind == "Double":
            value = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(str(value), value)
        found[name] = value
    return json.dumps(found)


def properties_from(text):
    """{name: (EDM type, value)} of a JSON text. A Double is its bits, so that NaN equals NaN."""
    entity = json.loads(text)
    found = {}
    for name, value in entity.items():
        if name.endswith("@odata.type"):
            continue
        kind = entity.get(f"{name}@odata.type", "").removeprefix("Edm.")
        kind = kind or {bool: "Boolean", int: "Int32", float: "Double", str: "String"}[type(value)]
        if kind == "Int64":
            value = int(value)
        elif kind == "Double":
            value = struct.pack("<d", float(value))
        elif kind == "Binary":
            value = base64.b64decode(value, validate=True)
        elif kind == "DateTime":
            whole, fraction = re.fullmatch(r"([^.Z]*)(?:\.(\d*))?Z", value).groups()
            value = f"{whole}.{fraction or '':0<7}Z"
        found[name] = kind, value
    return found


def code_of(script, *numbers):
    """The code of the steps of a script with these numbers, without results."""
    text = (host.ROOT / "sql/patterns" / f"{script}.sql").read_text()
    parts = re.split(r"^-- (\d+)\. ", text, flags=re.MULTILINE)
    steps = {int(number): "-- " + code for number, code in zip(parts[1::2], parts[2::2])}
    lines = "".join(steps[number] for number in numbers).splitlines(True)
    return "".join(line for line in lines if not re.match("--[|!=~]", line))


class RoundTrip:
    """Cases for two accounts: the connections demo and copy."""

    maxDiff = 2000

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=on_service.fast_folder())
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.connections = self.accounts()

    def open(self):
        """A database connection that knows both accounts."""
        db = host.connect()
        self.addCleanup(db.close)
        for name, text in self.connections.items():
            db.execute("SELECT aztables_connect(?, ?)", (name.lower(), text))
        return db

    def shell(self, script):
        """The output of the sqlite3 shell in the test's folder."""
        names = {f"AZTABLES_CONNECTION_{name}": text for name, text in self.connections.items()}
        done = subprocess.run(["sqlite3", "-batch", "-init", "/dev/null", ":memory:"],
                              input=f".load {host.MODULE}\n{script}", text=True, cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=host.environment(LC_ALL="C.UTF-8", **names), timeout=1200, check=False)
        self.assertNotIn("rror", done.stdout)
        self.assertEqual(0, done.returncode, done.stdout)
        return done.stdout.splitlines()

    def write(self, table, rows, account="demo"):
        db = self.open()
        db.execute(f"CREATE VIRTUAL TABLE t USING aztables(table={table}, connection={account}, create=missing, "
                   "bulk=on, infer=off)")
        db.execute("BEGIN")
        db.executemany("INSERT INTO t(PartitionKey, RowKey, _entity) VALUES (?, ?, ?)",
                       ((*key, json_of(properties)) for key, properties in rows.items()))
        db.execute("COMMIT")

    def check(self, table, rows, account):
        """Compares all entities of a table."""
        name = f"{account}.{table}"
        found = self.open().execute("SELECT PartitionKey, RowKey, _entity FROM aztables_query(?)", (name,))
        keys = set()
        for partition, row, text in found:
            keys.add((partition, row))
            expected = properties_from(json_of(rows[partition, row]))
            if expected != properties_from(text):  # faster than assertEqual
                self.assertEqual(expected, properties_from(text), (table, partition, row))
        self.assertEqual(set(rows), keys)

    def test_ndjson(self):
        rows = entities(ENTITIES)
        self.write("Events", rows)
        self.check("Events", rows, "demo")
        output = self.shell("CREATE VIRTUAL TABLE events USING aztables(table=Events, connection=demo, infer=off);\n"
                            + code_of("19_ndjson", 2, 4) + "SELECT count(*) FROM imported;\n")
        self.assertEqual(["1", str(len(rows))], output)
        with open(self.folder / "events.ndjson", encoding="utf-8") as file:
            for line in file:
                self.assertEqual(["PartitionKey", "RowKey", "entity"], list(json.loads(line)))
        self.check("Events", rows, "copy")

    def test_backup_of_all_tables(self):
        tables = {f"Table{number}": entities(ENTITIES // 20 * number, seed=number) for number in range(5)}
        for name, rows in tables.items():
            self.write(name, rows)
        output = self.shell(code_of("17_backup", 2, 3, 8))
        lines = [f"{name}|{len(rows)}|equal" for name, rows in tables.items()]
        self.assertRegex(output[0], "^backup: LocalStore=")
        self.assertEqual(lines * 2, output[1:])
        self.connections["BACKUP"], = [f"LocalStore={file}" for file in self.folder.glob("backup*.db")]
        for account in ("backup", "copy"):
            for name, rows in tables.items():
                self.check(name, rows, account)
            names = self.open().execute("SELECT name FROM aztables_tables(?)", (account,)).fetchall()
            self.assertEqual([(name,) for name in tables], names)

    def test_restore_over_changes(self):
        """A second restore removes changes of properties. Entities that the backup does not have stay, and the
        comparison reports the table.
        """
        rows = entities(600)
        self.write("Table1", rows)
        self.shell(code_of("17_backup", 2, 3, 8))
        db = self.open()
        db.execute("CREATE VIRTUAL TABLE t USING aztables(table=Table1, connection=copy, infer=off)")
        db.execute("UPDATE t SET _entity = '{\"Lost\":1}' WHERE PartitionKey = 'plain'")
        db.execute("DELETE FROM t WHERE PartitionKey = '😀'")
        again = (code_of("17_backup", 2) + code_of("17_backup", 8).replace("DELETE FROM job;",
                 "SELECT aztables_connect('backup', 'LocalStore=backup-2026-11-20.db') > '';"))
        self.assertEqual(["1", "Table1|600|equal"], self.shell(again))
        self.check("Table1", rows, "copy")
        db.execute("INSERT INTO t(PartitionKey, RowKey) VALUES ('more', 'one')")
        self.assertEqual(["1", "Table1|601|DIFFERENT"], self.shell(again))


class LocalRoundTrip(RoundTrip, unittest.TestCase):
    def accounts(self):
        return {name: f"LocalStore={self.folder}/{name.lower()}.db" for name in ACCOUNTS}


class ServerRoundTrip(RoundTrip, unittest.TestCase):
    def accounts(self):
        options = [f"--account={name}:{key}" for name, key in ACCOUNTS.values()]
        server = aztables_server.start(options=options, log=False)
        self.addCleanup(server.stop)
        return {name: f"AccountName={account};AccountKey={key};"
                      f"TableEndpoint=http://{aztables_server.HOST}:{server.port}/{account}"
                for name, (account, key) in ACCOUNTS.items()}


if __name__ == "__main__":
    unittest.main()
