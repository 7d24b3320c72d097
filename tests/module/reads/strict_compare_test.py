#!/usr/bin/env python3
"""The option compare=strict. A DATETIME, GUID or BOOLEAN column may be compared only with a form
that the column shows, and a key with no REAL. Otherwise the statement fails and shows the right
form. This applies to every pushdown. The right forms find the rows that INSERT wrote.

usage: strict_compare_test.py [unittest argument ...]
"""

import datetime
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/support"))
import host  # noqa: E402

host.enter()

GUID = "c9da6455-213d-42c9-9a79-3e9149a57833"
INSTANT = "2026-02-01T10:00:00Z"
SHOWN = "2026-02-01T10:00:00.0000000Z"
DATE = "is text such as '2026-11-20T10:15:00.0000000Z', and "
WRITE = "write a date in this form"
BEGIN = WRITE + ", or its beginning, such as '2026-11-20'"
GUIDS = f"is text such as '{GUID}', and "
KEY = "is a REAL; use text or an integer (JavaScript binds 5 as REAL: pass String(5) or 5n)"
# (WHERE, parameters, the message after the table's name)
ERRORS = [
    *((f"At < '{text}'", (), f"column At {DATE}'{text}' is not valid; {BEGIN}") for text in (
        "27/08/2026", "2026/08/27", "2026-8-27", "2026-27-08", "26-08-27", "Aug 27 2026", "27.08.2026",
        "2026-08-27 10:00 AM", "2026-13", "2026-02-3", "2026-02-29T", "0000", "2026-02-01T1x", "x")),
    ("At < '27/08/2026' OR N = 7", (), f"column At {DATE}'27/08/2026' is not valid; {BEGIN}"),
    ("At > 'Aug 27 2026' OR (S = 'a' AND N = 7)", (), f"column At {DATE}'Aug 27 2026' is not valid; {BEGIN}"),
    ("At < x'00'", (), f"column At {DATE}a BLOB of 1 byte is not valid; {BEGIN}"),
    ("At = x'00'", (), f"column At {DATE}a BLOB of 1 byte is not valid; {WRITE}"),
    ("At = ?", (INSTANT,), f"column At {DATE}'{INSTANT}' is not valid; wrap the value: At = aztables_datetime(...)"),
    (f"At = '{INSTANT}'", (), f"column At {DATE}'{INSTANT}' is not valid; write At = '{SHOWN}'"),
    ("? < At", (INSTANT,), f"column At {DATE}'{INSTANT}' is not valid; wrap the value: At > aztables_datetime(...)"),
    ("At >= '2026-11-01T00:00:00+02:00'", (),
     f"column At {DATE}'2026-11-01T00:00:00+02:00' is not valid; write At >= '2026-10-31T22:00:00.0000000Z'"),
    ("At >= ?", (str(datetime.datetime(2026, 2, 1, 10)),),
     f"column At {DATE}'2026-02-01 10:00:00' is not valid; wrap the value: At >= aztables_datetime(...)"),
    ("At <= datetime('2026-02-03')", (), f"column At {DATE}'2026-02-03 00:00:00' is not valid; wrap the value: At <= aztables_datetime(...)"),
    ("At <> ?", (INSTANT,), f"column At {DATE}'{INSTANT}' is not valid; wrap the value: At <> aztables_datetime(...)"),
    ("At IS NOT ?", (INSTANT,), f"column At {DATE}'{INSTANT}' is not valid; wrap the value: At IS NOT aztables_datetime(...)"),
    ("At IN (?, NULL)", (INSTANT,), f"column At {DATE}'{INSTANT}' is not valid; wrap the value: At IN (aztables_datetime(...), ...)"),
    ("At IN (SELECT g FROM loc)", (), f"column At {DATE}'{INSTANT}' is not valid; wrap the value: At IN (aztables_datetime(...), ...)"),
    ("At IN (?, 'May 2014')", (SHOWN,), f"column At {DATE}'May 2014' is not valid; {WRITE}"),
    ("At BETWEEN '2026-02-01' AND '2026-02-02T10:00'", (),
     f"column At {DATE}'2026-02-02T10:00' is not valid; write At <= '2026-02-02T10:00:00.0000000Z'"),
    ("At > '2026-02-01T1'", (), f"column At {DATE}'2026-02-01T1' is not valid; {BEGIN}"),
    ("At < '20260201'", (), f"column At {DATE}'20260201' is not valid; write At < '2026-02-01T00:00:00.0000000Z'"),
    ("At < 'now'", (), f"column At {DATE}'now' is not valid; write At < aztables_datetime('now')"),
    ("At < ?", ("now",), f"column At {DATE}'now' is not valid; wrap the value: At < aztables_datetime(...)"),
    ("At >= 20260201", (), f"column At {DATE}20260201 is not valid; {BEGIN}"),
    ("At > 2026", (), f"column At {DATE}2026 is not valid; {BEGIN}"),
    ("At < 9000000000000000000", (), f"column At {DATE}9000000000000000000 is not valid; {BEGIN}"),
    ("At < 1769940000", (), f"column At {DATE}1769940000 is not valid; write At < aztables_datetime(1769940000, 'unixepoch')"),
    ("At > julianday('2026-01-01')", (), f"column At {DATE}2461041.5 is not valid; wrap the value: At > aztables_datetime(...)"),
    ("At > 2461041.5", (), f"column At {DATE}2461041.5 is not valid; write At > aztables_datetime(2461041.5)"),
    ("At > ?", (1769940000000,), f"column At {DATE}1769940000000 is not valid; wrap the value: At > aztables_datetime(... / 1000.0, 'unixepoch')"),
    ("At > ?", (638745660000000000,), f"column At {DATE}638745660000000000 is not valid; wrap the value: At > aztables_ticks_datetime(...)"),
    ("At > '639055368000000000'", (),
     f"column At {DATE}'639055368000000000' is not valid; write At > aztables_ticks_datetime('639055368000000000')"),
    ("At > strftime('%s', '2026-01-01')", (), f"column At {DATE}'1767225600' is not valid; wrap the value: At > aztables_datetime(..., 'unixepoch')"),
    ("Timestamp > 1000000000", (), f"column Timestamp {DATE}1000000000 is not valid; write Timestamp > aztables_datetime(1000000000, 'unixepoch')"),
    ("At = '2026-02-01'", (), f"column At {DATE}'2026-02-01' is not valid; write At = '2026-02-01T00:00:00.0000000Z', or At LIKE '2026-02-01%'"),
    ("At IS '2026'", (), f"column At {DATE}'2026' is not valid; {WRITE}"),
    ("At <> ?", ("2026-02-01",), f"column At {DATE}'2026-02-01' is not valid; wrap the value: At <> aztables_datetime(...), or At NOT LIKE '2026-02-01%'"),
    ("PartitionKey = 'p' AND RowKey = 'r' AND At < 5", (), f"column At {DATE}5 is not valid; {BEGIN}"),
    ("rowid = 1 AND At < 5", (), f"column At {DATE}5 is not valid; {BEGIN}"),
    ("PartitionKey = NULL AND At < 5", (), f"column At {DATE}5 is not valid; {BEGIN}"),
    ("At >= '2026/02/01' AND At < '2026/02/02' AND At GLOB '2026*'", (), f"column At {DATE}'2026/02/01' is not valid; {BEGIN}"),
    ("Id = ?", (GUID.upper(),), f"column Id {GUIDS}'{GUID.upper()}' is not valid; wrap the value: Id = lower(...)"),
    ("Id > '" + GUID.upper() + "'", (), f"column Id {GUIDS}'{GUID.upper()}' is not valid; write Id > '{GUID}'"),
    ("Id IN (?, NULL)", ("{" + GUID + "}",), f"column Id {GUIDS}'{{{GUID}}}' is not valid; wrap the value: Id IN (lower(trim(..., ' {{}}')), ...)"),
    ("Id = 5", (), f"column Id {GUIDS}5 is not valid; write a whole GUID in this form"),
    ("Id = 'c9da'", (), f"column Id {GUIDS}'c9da' is not valid; write a whole GUID in this form"),
    ("Id < 'x'", (), f"column Id {GUIDS}'x' is not valid; write a GUID in this form, or its beginning"),
    ("Id < 'C9' OR N = 7", (), f"column Id {GUIDS}'C9' is not valid; write a GUID in this form, or its beginning"),
    ("Id <> x''", (), f"column Id {GUIDS}a BLOB of 0 bytes is not valid; write a whole GUID in this form"),
    ("Done = 'true'", (), "column Done is 0 or 1, not 'true'; write Done = 1"),
    ("Done <> ?", ("FALSE",), "column Done is 0 or 1, not 'FALSE'; write Done <> 0"),
    ("Done IN ('true', 'x')", (), "column Done is 0 or 1, not 'true'; write Done IN (1, ...)"),
    ("Done = 2", (), "column Done is 0 or 1, not 2; write 0 or 1"),
    ("Done < 'yes' OR N = 7", (), "column Done is 0 or 1, not 'yes'; write 0 or 1"),
    ("Done > -0.5", (), "column Done is 0 or 1, not -0.5; write 0 or 1"),
    ("Done < x'01'", (), "column Done is 0 or 1, not a BLOB of 1 byte; write 0 or 1"),
    ('"at time" = ?', (INSTANT,), f'column "at time" {DATE}\'{INSTANT}\' is not valid; wrap the value: "at time" = aztables_datetime(...)'),
    ("RowKey = ?", (5.0,), f"column RowKey is text, and 5.0 {KEY}"),
    ("RowKey = 5.0", (), f"column RowKey is text, and 5.0 {KEY}"),
    ("RowKey <> 5.0", (), f"column RowKey is text, and 5.0 {KEY}"),
    ("PartitionKey < 5.5", (), f"column PartitionKey is text, and 5.5 {KEY}"),
    ("PartitionKey > 0.5 OR N = 7", (), f"column PartitionKey is text, and 0.5 {KEY}"),
]
# (WHERE, parameters, whether the row is found)
FORMS = [
    ("At = ?", (SHOWN,), 1), ("At IN (?, NULL, '2026-02-01T10:00:00.0000001Z')", (SHOWN,), 1), ("At = aztables_datetime(?)", (INSTANT,), 1),
    ("At >= '2026-02'", (), 1), ("At < '2026-02-01T10:00:01'", (), 1), ("At >= '2026-02-01T10:00:00.00'", (), 1),
    ("At > '2026-02-01' AND At <= '2026-02-02'", (), 1), ("At > '2026'", (), 1), ("At BETWEEN '2026-02-01' AND '2026-02-02'", (), 1),
    ("At LIKE '2026-02-01%'", (), 1), ("At GLOB '2026-02-01T1*'", (), 1), ("At NOT LIKE '2026-02-01%'", (), 0),
    ("At <> ''", (), 1), ("At > ''", (), 1), ("At IS NOT NULL", (), 1), ("At < NULL", (), 0), ("At < '202'", (), 0), ("At < '2026-02-2'", (), 1),
    ("Timestamp > '2026'", (), 1), ("At GLOB 'Aug*'", (), 0), ("At LIKE 'Aug%'", (), 0), ("At = '2'", (), 0), ("At > '9'", (), 0),
    ("Id = ?", (GUID,), 1), ("Id >= 'c9'", (), 1), ("Id > ''", (), 1), ("Id LIKE 'X%'", (), 0), ("Id GLOB 'C9*'", (), 0), ("Id GLOB 'c9*'", (), 1), ("Id = ? COLLATE NOCASE", (GUID.upper(),), 1),
    ("Done", (), 1), ("Done = TRUE", (), 1), ("NOT Done", (), 0), ("Done = '1'", (), 1), ("Done > 0.0", (), 1), ("Done IN (0, 1)", (), 1), ("Done = ' 1.0 '", (), 1),
    ("RowKey > 5", (), 1), ("RowKey = 'r'", (), 1), ("+RowKey > 5.0", (), 1), ("+At = ?", (INSTANT,), 0), ("S = ?", (INSTANT,), 0), ("N < 5", (), 0),
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
                    error = self.fails(host.sqlite3.OperationalError, "SQLITE_ERROR", "column ",
                                       f'SELECT RowKey FROM {table} WHERE {where}', *parameters)
                    self.assertEqual(f"table {table}: {message}", error)

    def test_what_the_message_shows_works(self):
        typed = 0
        for _, parameters, message in ERRORS:
            advice = re.search("; (write|wrap the value:) ((At|Timestamp|Id|Done|\"at time\") .*)", message)
            if not advice:
                continue
            where = advice[2].replace(", ...)", ")").replace("...", "?").split(", or ")
            for condition in where:
                value = parameters[0] if parameters else 1767225600 if "unixepoch" in condition else INSTANT
                with self.subTest(condition):
                    self.query(f"SELECT RowKey FROM t_all WHERE {condition}", *([value] * condition.count("?")))
            typed += 1
        self.assertGreater(typed, 25)

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
            self.fails(host.sqlite3.OperationalError, "SQLITE_ERROR", " is ", statement.format('t_all'))
            self.assertEqual(before, self.query("SELECT count(*) FROM aztables_requests"))
        self.assertEqual([(5,)], self.query('SELECT N FROM t_all'))

    def test_row_of_a_join_is_checked(self):
        self.query("DELETE FROM loc WHERE g = ?", INSTANT)
        self.fails(host.sqlite3.OperationalError, "SQLITE_ERROR", "wrap the value: Id = lower(...)",
                   'SELECT * FROM loc CROSS JOIN t_all ON t_all.Id = loc.g')
        self.assertEqual(1, len(self.query('SELECT * FROM loc CROSS JOIN t_all ON t_all.Id = lower(loc.g)')))

    def test_what_sqlite_does_not_show_is_compared_as_it_is(self):
        for where, parameters, found in (("At < ? OR N = ?", ("27/08/2026", 7), 1), ("NOT At < '27/08/2026'", (), 0), ("+At < '27/08/2026'", (), 1),
                                         ("length(S) = 1 OR At < '27/08/2026'", (), 1), ("CASE WHEN At < '27/08/2026' THEN 1 END", (), 1),
                                         ("PartitionKey = 'p' AND RowKey IN ('r', ?)", (5.0,), 1)):
            with self.subTest(where):
                self.assertEqual(found, len(self.query(f"SELECT RowKey FROM t_all WHERE {where}", *parameters)))

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
