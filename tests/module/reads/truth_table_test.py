#!/usr/bin/env python3
"""Tests each entry of truth_table.py: the filters that its SQL sends, its rows, and its kind. Keeps
the tables of PUSHDOWN.md equal to it.

usage: truth_table_test.py [--update | unittest argument ...]
"""

import pathlib
import re
import sqlite3
import sys
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/support"))
import host  # noqa: E402

host.enter()
from truth_table import COLUMNS, EXACT, GROUPS, GUID, NONE, SUPERSET  # noqa: E402

DOCUMENT = ROOT / "PUSHDOWN.md"
SECTION = re.compile(r"(<!-- truth table -->\n).*?(<!-- end -->)", re.DOTALL)
PARTITIONS = ("p", "q", "P_x", "5", "05")
ROW_KEYS = ("", "5", "05", "5.0", "6", "a", "b", "Sh", "Sha", "sha", "SZ", "a\ud7ff", "a\ue000", "a\ufffd",
            "a\U0001f600", "n", "2022", "2024-01")
VALUES = {  # by column; each list repeats
    "Name": ["a", "it's", "5", None, "ab\t", "AB", "é"],
    "N": [-3, 1, 5, None, 6], "Big": [5, 2**40, None],
    "Score": [0.5, 5.0, None, -1e9, 0.5000000000000003, 5.000000000000004],
    "Done": [0, 1, None], "At": ["2014-05-01T10:00:00.0000000Z", "2014-06-01T00:00:00.0000000Z", None],
    "Id": [GUID, None], "Data": [b"\x01\x02", b"", None], "Mixed": ["a", 2, b"\x01", None, 2.0, "2", 0, 1],
    "Twin1": ["a"], "Twin2": ["a"], "Odd": [0, 1]}
# Entities with values that reveal a superset: their keys, and the one column that is not NULL.
MORE = [("€" * 512, "€" * 512, "Name", "a"), ("€" * 512, "€" * 511, "Name", "a"), ("r", "1", "Name", "AZ"),
        ("r", "2", "Name", "é" * 300), ("r", "3", "Name", "é" * 299), ("r", "4", "At", "2014-05-01T10:00:00.1234000Z"),
        ("r", "5", "Mixed", "2014-05-01T10:00:00.0000000Z"), ("r", "6", "N", 10), ("6", "1", "N", 5)]


def shown(text):
    """A text as code in a cell of a table. A character that repeats is shown three times."""
    return "`" + re.sub(r"(.)\1{19,}", r"\1\1\1…", text).replace("|", "\\|") + "`"


def shown_filter(text):
    filter, _, top = text.partition("&")
    return ", ".join([shown(filter) if filter else "none"] + [shown(top)] * bool(top))


def paragraph(text):
    return textwrap.fill(text, 100, break_on_hyphens=False) + "\n"


def section():
    """The tables of the document."""
    columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    text = paragraph(f"The columns of `t` are PartitionKey, RowKey, Timestamp, and `{columns}`.")
    for title, (note, entries) in GROUPS.items():
        text += f"\n## {title}\n\n{paragraph(note)}\n| SQL | `$filter` | kind | why |\n|---|---|---|---|\n"
        for entry in entries:
            if entry.why:
                filters = "<br>".join(map(shown_filter, entry.filters)) or "no request"
                text += f"| {shown(entry.sql)} | {filters} | {entry.kind} | {entry.why} |\n"
    return text


def create_databases(folder, encoding):
    """Writes a database with a table t and an ordinary table `native` that has the same rows."""
    db = host.connect(f"{folder}/{encoding}.db")
    db.execute(f"PRAGMA encoding = '{encoding}'")
    table = "Truth" + re.sub(r"\W", "", encoding)
    db.execute(f"SELECT aztables_create_table('demo.{table}')")
    columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    db.execute(f"CREATE VIRTUAL TABLE t USING aztables(connection=demo, table={table}, parallel=1, compare=text, mismatch=null, {columns})")
    db.execute("CREATE TABLE native(PartitionKey TEXT, RowKey TEXT, Name TEXT, N INTEGER, Big INTEGER, Score REAL, "
               "Done INTEGER, At TEXT, Id TEXT, Data BLOB, Mixed, Twin1 TEXT, Twin2 TEXT, Odd INTEGER, Timestamp TEXT "
               "DEFAULT '2026-01-01T00:00:00.0000000Z')")
    rows = [(p, r) for p in PARTITIONS for r in ROW_KEYS]
    rows = [dict(zip(COLUMNS, [values[n % len(values)] for values in VALUES.values()]), PartitionKey=p, RowKey=r)
            for n, (p, r) in enumerate(rows)]
    rows += [{**dict.fromkeys(COLUMNS), "PartitionKey": p, "RowKey": r, name: value} for p, r, name, value in MORE]
    rows.sort(key=lambda row: (row["PartitionKey"], row["RowKey"]))
    names = ["PartitionKey", "RowKey", *COLUMNS]
    db.executemany(f"INSERT INTO native({', '.join(names)}) VALUES ({', '.join(':' + name for name in names)})", rows)
    names.remove("Twin2")
    db.execute(f"INSERT INTO t({', '.join(names)}) SELECT {', '.join(names)} FROM native")
    db.execute("CREATE TABLE local(k TEXT, n INTEGER, d DATE)")
    db.execute("INSERT INTO local VALUES ('p', 5, '2024-01')")
    db.close()


class TruthTable(host.LocalCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for encoding in ("UTF-8", "UTF-16le"):
            create_databases(cls.stores, encoding)

    def setUp(self):
        self.db = host.connect()
        self.open("UTF-8")

    def open(self, encoding):
        """Opens a new connection: it knows neither sizes nor entities, and it has no pending
        writes.
        """
        self.db.close()
        self.db = host.connect(f"{self.stores}/{encoding}.db")
        self.addCleanup(self.db.close)

    def prepare(self, sql):
        """Runs the statements before the last one, which it returns."""
        *statements, last = sql.split("; ")
        for statement in statements:
            if statement.startswith("PRAGMA encoding"):
                self.open("UTF-16le")
            self.query(statement)
            if statement.startswith("UPDATE t"):
                self.query(statement.replace("UPDATE t", "UPDATE native"))
        return last if last.startswith("SELECT") else f"SELECT PartitionKey, RowKey FROM t {last}"

    def sent_by(self, sql, *parameters):
        """The rows of a query, the filters of its requests, and how many entities these return."""
        before = self.query("SELECT coalesce(max(id), 0) FROM aztables_requests")[0][0]
        rows = self.query(sql, *parameters)
        requests = self.query("SELECT kind, coalesce(filter, ''), url, entities FROM aztables_requests "
                              "WHERE id > ? ORDER BY id", before)
        filters = []
        for kind, filter, url, _ in requests:
            top = re.search(r"\$top=\d+", url)
            filters.append(re.search(r"\(PartitionKey=.*?\)", url)[0] if kind == "point"
                           else filter + (f"&{top[0]}" if top else ""))
        return rows, filters, sum(entities or 0 for *_, entities in requests)

    def check(self, entry):
        self.open("UTF-8")
        sql = self.prepare(entry.sql)
        rows, filters, entities = self.sent_by(sql, *entry.parameters)
        self.assertEqual(list(map(shown, entry.filters)), list(map(shown, filters)))
        self.assertEqual(entry.filters, filters)
        native = self.query(re.sub(r"\bt\b", "native", sql), *entry.parameters)
        if "LIMIT" in sql:
            self.assertEqual(len(native), len(rows))
        elif "ORDER BY" in sql and entry.kind == EXACT:
            self.assertEqual(native, rows)
        else:
            self.assertEqual(sorted(native), sorted(rows))
        if re.search("(ORDER|GROUP) BY", sql):
            plan = str(self.query(f"EXPLAIN QUERY PLAN {sql}"))
            sorts = entry.kind == NONE
            self.assertEqual((sorts, not sorts), ("TEMP B-TREE" in plan, re.search("in (reverse )?order", plan) is not None))
        elif entry.kind == NONE:
            self.assertEqual([""], filters)
        else:
            self.assertEqual(entry.kind, EXACT if entities == len(rows) else SUPERSET)
            if entry.why and filters and entry.kind == EXACT:
                self.assertNotEqual([], rows, "no row shows that the filter is right")

    def test_entries(self):
        for title, (_, entries) in GROUPS.items():
            for entry in entries:
                with self.subTest(title, sql=shown(entry.sql), parameters=entry.parameters):
                    self.check(entry)

    def test_document_has_the_tables(self):
        text = DOCUMENT.read_text(encoding="utf-8")
        self.assertEqual(SECTION.search(text)[0], f"<!-- truth table -->\n{section()}<!-- end -->", "run with --update")

    def test_unknown_rowid(self):
        with self.assertRaises(sqlite3.OperationalError):
            self.query("SELECT RowKey FROM t WHERE rowid = 123456")

    def test_distinct(self):
        for columns, skips in (("DISTINCT PartitionKey FROM t", True), ("DISTINCT PartitionKey, RowKey FROM t", False),
                               ("PartitionKey FROM t", False), ("DISTINCT PartitionKey, Name FROM t", False),
                               ("count(DISTINCT PartitionKey) FROM t", False),
                               ("DISTINCT PartitionKey FROM t WHERE RowKey > 'a'", False)):
            plan = str(self.query(f"EXPLAIN QUERY PLAN SELECT {columns}"))
            self.assertEqual(skips, "; distinct" in plan, columns)

    def test_prepared_statement_obeys_an_option(self):
        sql = "SELECT count(*) FROM t WHERE PartitionKey = 'p' AND Name = 'a'"
        for command, filter in (("reset", "PartitionKey eq 'p' and Name eq 'a'"), ("pushdown=keys", "PartitionKey eq 'p'"),
                                ("pushdown=none", "")):
            self.query("INSERT INTO t(_command) VALUES (?)", command)
            self.assertEqual([filter], self.sent_by(sql)[1], command)


def update():
    text = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(SECTION.sub(lambda match: match[1] + section() + match[2], text), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        update()
    else:
        unittest.main()
