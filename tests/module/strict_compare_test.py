#!/usr/bin/env python3
"""The option compare=strict. A DATETIME, GUID or BOOLEAN column may be compared only with a form
that the column shows. Otherwise the statement fails and shows the right form. This applies to every
pushdown. The right forms find the rows that INSERT wrote.

usage: strict_compare_test.py [unittest argument ...]
"""

import datetime
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import host  # noqa: E402

host.enter()

GUID = "c9da6455-213d-42c9-9a79-3e9149a57833"
INSTANT = "2026-02-01T10:00:00Z"
SHOWN = "2026-02-01T10:00:00.0000000Z"
# (WHERE, parameters, the start of the message after the table's name)
ERRORS = [
    ("At = ?", (INSTANT,), "column At is compared as text; write At = aztables_datetime(?), or set compare=text"),
    ("At >= ?", (INSTANT,), "column At is compared as text; write At >= aztables_datetime(?)"),
    ("? < At", (INSTANT,), "column At is compared as text; write At > aztables_datetime(?)"),
    ("At >= ?", (str(datetime.datetime(2026, 2, 1, 10)),), "column At is compared as text; write At >= aztables_datetime(?)"),
    ("At <= datetime('now')", (), "column At is compared as text; write At <= aztables_datetime(?)"),
    ("At <> ?", (INSTANT,), "column At is compared as text; write At <> aztables_datetime(?)"),
    ("At IS NOT ?", (INSTANT,), "column At is compared as text; write At IS NOT aztables_datetime(?)"),
    ("At IN (?, NULL)", (INSTANT,), "column At is compared as text; write At IN (aztables_datetime(?), ...)"),
    ("At IN (SELECT g FROM loc)", (), "column At is compared as text; write At IN (aztables_datetime(?), ...)"),
    ("At BETWEEN '2026-02-01' AND '2026-02-02T10:00'", (), "column At is compared as text; write At <= aztables_datetime(?)"),
    ("At > '2026-02-01T1'", (), "column At is compared as text; write At > '2026-11-20T10:15:00.0000000Z', the whole form"),
    ("At < '20260201'", (), "column At is compared as text; write At < aztables_datetime(?)"),
    ("At < 'now'", (), "column At is compared as text; write At < aztables_datetime(?)"),
    ("At >= 20260201", (), "column At is compared as text; write At >= '2026-11-20T10:15:00.0000000Z', the whole form"),
    ("At > 2026", (), "column At is compared as text; write At > '2026-11-20T10:15:00.0000000Z', the whole form"),
    ("At < 9e18", (), "column At is compared as text; write At < '2026-11-20T10:15:00.0000000Z', the whole form"),
    ("At < unixepoch()", (), "column At is compared as text; write At < aztables_datetime(?, 'unixepoch')"),
    ("At > julianday('2026-01-01')", (), "column At is compared as text; write At > aztables_datetime(?), or set"),
    ("At > ?", (1769940000000,), "column At is compared as text; write At > aztables_datetime(? / 1000.0, 'unixepoch')"),
    ("At > ?", (638745660000000000,), "column At is compared as text; write At > aztables_ticks_datetime(?)"),
    ("At > strftime('%s', '2026-01-01')", (), "column At is compared as text; write At > aztables_datetime(?, 'unixepoch')"),
    ("Timestamp > 1e9", (), "column Timestamp is compared as text; write Timestamp > aztables_datetime(?, 'unixepoch')"),
    ("At = '2026-02-01'", (), "column At is compared as text; write At = aztables_datetime(?), or At LIKE '2026-02-01%'"),
    ("At IS '2026'", (), "column At is compared as text; write At IS '2026-11-20T10:15:00.0000000Z', the whole form, or At LIKE '2026%'"),
    ("At <> '2026-02'", (), "column At is compared as text; write At <> '2026-11-20T10:15:00.0000000Z', the whole form, or At NOT LIKE '2026-02%'"),
    ("PartitionKey = 'p' AND RowKey = 'r' AND At < 5", (), "column At is compared as text"),
    ("rowid = 1 AND At < 5", (), "column At is compared as text"),
    ("PartitionKey = NULL AND At < 5", (), "column At is compared as text"),
    ("Id = ?", (GUID.upper(),), "column Id is compared as text; write Id = lower(?)"),
    ("Id > ?", (GUID.upper(),), "column Id is compared as text; write Id > lower(?)"),
    ("Id IN ('x', ?)", ("{" + GUID + "}",), "column Id is compared as text; write Id IN (lower(trim(?, ' {}')), ...)"),
    ("Id = 5", (), "column Id is compared as text; write Id = '" + GUID + "'"),
    ("Done = 'true'", (), "column Done is 0 or 1; write Done = 1"),
    ("Done <> 'FALSE'", (), "column Done is 0 or 1; write Done <> 0"),
    ("Done = 2", (), "column Done is 0 or 1; compare it with one of them, or set compare=text"),
    ("Done > -0.5", (), "column Done is 0 or 1; compare it with one of them"),
    ('"at time" = ?', (INSTANT,), 'column "at time" is compared as text; write "at time" = aztables_datetime(?)'),
    ("Done IN ('true')", (), "column Done is 0 or 1; write Done"),
]
# (WHERE, parameters, whether the row is found)
FORMS = [
    ("At = ?", (SHOWN,), 1), ("At IN (?, 'x', 'May 2014')", (SHOWN,), 1), ("At = aztables_datetime(?)", (INSTANT,), 1),
    ("At >= '2026-02'", (), 1), ("At < '2026-02-01T10:00:01'", (), 1), ("At >= '2026-02-01T10:00:00.00'", (), 1),
    ("At > '2026-02-01' AND At <= '2026-02-02'", (), 1), ("At > '2026'", (), 1), ("At BETWEEN '2026-02-01' AND '2026-02-02'", (), 1),
    ("At LIKE '2026-02-01%'", (), 1), ("At GLOB '2026-02-01T1*'", (), 1), ("At NOT LIKE '2026-02-01%'", (), 0),
    ("At <> ''", (), 1), ("At > ''", (), 1), ("At IS NOT NULL", (), 1), ("At < NULL", (), 0), ("At = 'May 2014'", (), 0), ("At = x'00'", (), 0),
    ("At < '202'", (), 0), ("Timestamp > '2026'", (), 1),
    ("Id = ?", (GUID,), 1), ("Id >= 'c9'", (), 1), ("Id = 'none'", (), 0), ("Id = ? COLLATE NOCASE", (GUID.upper(),), 1),
    ("Done", (), 1), ("Done = TRUE", (), 1), ("NOT Done", (), 0), ("Done = '1'", (), 1), ("Done > 0.0", (), 1), ("Done IN (0, 1)", (), 1),
    ("Done = 'yes'", (), 0), ("+At = ?", (INSTANT,), 0), ("S = ?", (INSTANT,), 0), ("N < 5", (), 0),
]


class StrictCompareTest(host.LocalCase):
    def setUp(self):
        super().setUp()
        columns = "\"at time\" DATETIME PROPERTY 'AtTime', At DATETIME, Id GUID, Done BOOLEAN, S STRING, N INT64"
        for pushdown in ("all", "keys", "none"):
            self.virtual(f"t_{pushdown}", columns, pushdown=pushdown)
        self.virtual("as_text", columns, compare="text")
        self.query("CREATE TABLE native(PartitionKey TEXT, RowKey TEXT, Timestamp TEXT, \"at time\" TEXT, At TEXT, Id TEXT, Done INTEGER, S TEXT, N INTEGER)")
        self.query('INSERT INTO t_all(PartitionKey, RowKey, At, Id, Done, S, N) VALUES (?, ?, ?, ?, ?, ?, ?)', "p", "r", INSTANT, GUID.upper(), "true",
                   "s", 5)
        self.query('INSERT INTO native SELECT PartitionKey, RowKey, Timestamp, NULL, At, Id, Done, S, N FROM t_all')
        self.query("CREATE TABLE loc(g TEXT)")
        self.query("INSERT INTO loc VALUES (?), (?)", INSTANT, GUID.upper())

    def test_another_form_is_an_error(self):
        for table in ("t_all", "t_keys", "t_none"):
            for where, parameters, message in ERRORS:
                with self.subTest(table, where=where):
                    self.fails(host.sqlite3.OperationalError, "SQLITE_ERROR", f"table {table}: {message}",
                               f'SELECT RowKey FROM {table} WHERE {where}', *parameters)

    def test_right_forms_find_inserted_rows(self):
        for table in ("t_all", "t_keys", "t_none", "as_text"):
            for where, parameters, found in FORMS:
                with self.subTest(table, where=where):
                    rows = self.query(f'SELECT RowKey FROM {table} WHERE {where}', *parameters)
                    self.assertEqual(found, len(rows))
                    self.assertEqual(rows, self.query(f"SELECT RowKey FROM native WHERE {where}", *parameters))

    def test_compare_text_works_as_an_ordinary_column(self):
        for where, parameters, _ in ERRORS:
            with self.subTest(where=where):
                where = where.replace("rowid = 1", "true")
                self.assertEqual(self.query(f"SELECT RowKey FROM native WHERE {where}", *parameters),
                                 self.query(f"SELECT RowKey FROM as_text WHERE {where}", *parameters))

    def test_error_sends_nothing_and_changes_nothing(self):
        for statement in ("DELETE FROM {} WHERE At < '2027-01-01 00:00:00'", "UPDATE {} SET N = 6 WHERE Done = 'true'"):
            before = self.query("SELECT count(*) FROM aztables_requests")
            self.fails(host.sqlite3.OperationalError, "SQLITE_ERROR", "; write ", statement.format('t_all'))
            self.assertEqual(before, self.query("SELECT count(*) FROM aztables_requests"))
        self.assertEqual([(5,)], self.query('SELECT N FROM t_all'))

    def test_row_of_a_join_is_checked(self):
        self.fails(host.sqlite3.OperationalError, "SQLITE_ERROR", "table t_all: column Id is compared as text; write Id = lower(?)",
                   'SELECT * FROM loc CROSS JOIN t_all ON t_all.Id = loc.g')
        self.assertEqual(1, len(self.query('SELECT * FROM loc CROSS JOIN t_all ON t_all.Id = lower(loc.g)')))

    def test_more_comparisons_than_a_filter_holds(self):
        many = " AND ".join(f"N <> {i} AND N < {i + 100}" for i in range(20))
        self.fails(host.sqlite3.OperationalError, "SQLITE_ERROR", "column Done", f'SELECT 1 FROM t_all WHERE {many} AND Done = \'true\'')

    def test_command_sets_the_option(self):
        sql = f"SELECT count(*) FROM t_all WHERE At = '{INSTANT}'"
        self.query("INSERT INTO t_all(_command) VALUES ('compare=text')")
        self.assertEqual([(0,)], self.query(sql))
        self.query("INSERT INTO t_all(_command) VALUES ('reset')")
        self.fails(host.sqlite3.OperationalError, "SQLITE_ERROR", "column At", sql)


if __name__ == "__main__":
    unittest.main()
