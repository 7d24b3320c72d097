"""The truth table: what a query sends. truth_table_test.py tests each entry, and copies the rows
with a reason into PUSHDOWN.md.

- SQL that begins with WHERE, ORDER BY or LIMIT follows `SELECT PartitionKey, RowKey FROM t`.
  Statements before the last one prepare the database.
- The second field has the filters of the requests in order. "" is a request without filter. A point
  read has the keys of its address. `&$top=3` is the number of rows that a request asks for.
- EXACT: the service returns the rows that SQLite keeps. SUPERSET: it returns more rows. NONE: the
  condition is not sent.
"""

import collections

EXACT, SUPERSET, NONE = "exact", "superset", "none"
NO_REQUEST = ()

# The columns of the table t. The ordinary table `native` has the same columns and rows.
COLUMNS = {
    "Name": "STRING", "N": "INT32", "Big": "INT64", "Score": "DOUBLE", "Done": "BOOLEAN", "At": "DATETIME",
    "Id": "GUID", "Data": "BINARY", "Mixed": "ANY", "Twin1": "STRING PROPERTY 'Twin'",
    "Twin2": "STRING PROPERTY 'Twin'", "Odd": "INT32 PROPERTY 'null'"}

Entry = collections.namedtuple("Entry", "sql filters kind why parameters")


def row(sql, filters, kind, why, parameters=()):
    """An entry that the document shows."""
    return Entry(sql, [filters] if isinstance(filters, str) else list(filters), kind, why, parameters)


def also(sql, filters, kind, *parameters):
    """One more case of the row before it, which the document does not show."""
    return row(sql, filters, kind, None, parameters)


GUID = "00000000-0000-0000-0000-00000000000a"
P = "PartitionKey eq 'p'"
POINT_A = "(PartitionKey='p',RowKey='a')"
POINT_B = "(PartitionKey='p',RowKey='b')"
NUMBERS = "RowKey ge ' ' and RowKey lt ':'"  # every text that looks like a number
IN_P = "WHERE PartitionKey = 'p' AND "
LONG = "x" * 3000
MIXED_2 = "(Mixed eq 2 or Mixed eq 2L or (Mixed ge 1.99999999999999 and Mixed le 2.00000000000001))"
SET_PUSHDOWN = "INSERT INTO t(_command) VALUES ('pushdown={}'); "
CHANGE = "BEGIN; UPDATE t SET Name = 'a' WHERE PartitionKey = 'p' AND RowKey = '6'; "

KEYS = [
    row("WHERE PartitionKey = 'p'", P, EXACT, "The service finds the partition by its key."),
    also("WHERE 'p' = PartitionKey", P, EXACT),
    also("WHERE PartitionKey = 'short'", "PartitionKey eq 'short'", EXACT),
    row("WHERE PartitionKey = 'p' AND RowKey = 'a'", POINT_A, EXACT, "Both keys name one entity: a point read."),
    also("WHERE RowKey = 'a' AND PartitionKey IS 'p'", POINT_A, EXACT),
    also(IN_P + "RowKey = ?", "(PartitionKey='p',RowKey='5')", EXACT, "5"),
    also(IN_P + "RowKey = '5'", "(PartitionKey='p',RowKey='5')", EXACT),
    row("WHERE PartitionKey = 'p' AND RowKey > 'm'", f"{P} and RowKey gt 'm'", EXACT,
        "The service and SQLite order these texts alike."),
    also(IN_P + "RowKey BETWEEN 'a' AND 'b'", f"{P} and RowKey ge 'a' and RowKey le 'b'", EXACT),
    also(IN_P + "RowKey < 'a'", f"{P} and RowKey lt 'a'", EXACT),
    also(IN_P + "RowKey < '6'", f"{P} and RowKey lt '6'", EXACT),
    also(IN_P + "RowKey < ?", f"{P} and RowKey lt '2024-01'", EXACT, "2024-01"),
    row("WHERE RowKey = 'a'", "RowKey eq 'a'", EXACT, "The service searches every partition."),
    row("WHERE PartitionKey >= 'm' AND PartitionKey < 'q'", "PartitionKey ge 'm' and PartitionKey lt 'q'", EXACT,
        "Two bounds are one range."),
    also("WHERE PartitionKey < ?", "PartitionKey lt '7'", EXACT, "7"),
    also("WHERE PartitionKey > 'a' AND PartitionKey > 'b'", "PartitionKey gt 'b'", EXACT),
    
    row("WHERE RowKey GLOB 'Sh*'", "RowKey ge 'Sh' and RowKey lt 'Si'", EXACT,
        "SQLite makes a range of the constant prefix."),
    also(IN_P + "RowKey GLOB 'Sh*'", f"{P} and RowKey ge 'Sh' and RowKey lt 'Si'", EXACT),
    row("WHERE RowKey GLOB 'Sh*a'", "RowKey ge 'Sh' and RowKey lt 'Si'", SUPERSET, "Only the prefix `Sh` is sent."),
    row("WHERE RowKey LIKE 'sh%'", "RowKey ge 'SH' and RowKey lt 'si' and ((RowKey ge 'SH' and RowKey lt 'Si') or "
        "(RowKey ge 'sH' and RowKey lt 'si'))", SUPERSET,
        "LIKE ignores case. One range begins with `S`, one with `s`."),
    also(IN_P + "RowKey LIKE 'sH%'", f"{P} and RowKey ge 'SH' and RowKey lt 'si' and ((RowKey ge 'SH' and RowKey lt "
         "'Si') or (RowKey ge 'sH' and RowKey lt 'si'))", SUPERSET),
    also("WHERE PartitionKey LIKE 'p~_%' ESCAPE '~'", "PartitionKey ge 'P_' and PartitionKey lt 'p`' and "
         "((PartitionKey ge 'P_' and PartitionKey lt 'P`') or (PartitionKey ge 'p_' and PartitionKey lt 'p`'))", EXACT),
    row("PRAGMA case_sensitive_like = 1; WHERE RowKey LIKE 'Sh%'", "RowKey ge 'Sh' and RowKey lt 'Si'", EXACT,
        "With this PRAGMA, LIKE distinguishes upper and lower case."),
    also("PRAGMA case_sensitive_like = 1; " + IN_P + "RowKey LIKE 'Sh%'", f"{P} and RowKey ge 'Sh' and RowKey lt 'Si'",
         EXACT),
    row("WHERE RowKey LIKE '%h'", "", NONE, "The pattern has no constant prefix."),
    also(IN_P + "RowKey LIKE '%h'", P, SUPERSET),
    also(IN_P + "RowKey GLOB '[S]h*'", P, SUPERSET),
    row("WHERE RowKey LIKE '20%'", "", NONE, "SQLite makes no range of a prefix that looks like a number."),

    row("WHERE RowKey = 'a/b'", NO_REQUEST, EXACT, "No key contains `/`, `\\`, `#`, `?` or a control character."),
    also(IN_P + "RowKey = 'a/b'", NO_REQUEST, EXACT),
    also("WHERE PartitionKey = char(9)", NO_REQUEST, EXACT),
    row("WHERE RowKey > 'a/b'", "RowKey gt 'a/b'", EXACT, "A bound may have characters that a key may not have."),
    also(IN_P + "RowKey > 'a/b'", f"{P} and RowKey gt 'a/b'", EXACT),
    row("WHERE RowKey > 'a' || char(9)", "RowKey ge 'a'", SUPERSET, "A filter cannot hold a control character."),
    row("WHERE RowKey >= 'a😀'", "RowKey ge 'a'", SUPERSET,
        "The service and SQLite order 😀 differently. The bound is cut before it."),
    also(IN_P + "RowKey >= 'a\ue000'", f"{P} and RowKey ge 'a'", SUPERSET),
    also(IN_P + "RowKey >= 'a\ud7ff'", f"{P} and RowKey ge 'a\ud7ff'", EXACT),
    row("WHERE RowKey < 'a😀'", "RowKey lt 'b'", SUPERSET, "The bound is cut before 😀, and `a` becomes `b`."),
    also(IN_P + "RowKey < 'a😀'", f"{P} and RowKey lt 'b'", SUPERSET),
    row("WHERE RowKey = 'a' || char(0xFFFD)", "RowKey ge 'a' and RowKey lt 'b'", SUPERSET,
        "SQLite sees U+FFFD where the service has half a surrogate pair."),
    row("WHERE PartitionKey = printf('%.512c', '€') AND RowKey = printf('%.512c', '€')",
        f"PartitionKey eq '{'€' * 512}' and RowKey ge '{'€' * 166}' and RowKey lt '{'€' * 165}₭'", SUPERSET,
        "The keys are too long for an address. A prefix of RowKey fits."),
    also(f"WHERE PartitionKey = '{LONG}'", f"PartitionKey eq '{LONG}'", EXACT),
    also(f"WHERE PartitionKey = 'k{'é' * 1300}'", f"PartitionKey ge 'k{'é' * 633}' and PartitionKey lt 'k{'é' * 632}ê'",
         EXACT),

    row("WHERE RowKey = 5", "RowKey eq '5'", EXACT, "In a plain statement, an integer is compared as text."),
    also(IN_P + "RowKey = ?", "(PartitionKey='p',RowKey='5')", EXACT, 5),
    also("WHERE 5 = PartitionKey", "PartitionKey eq '5'", EXACT),
    row("WHERE RowKey >= 5 AND RowKey < 6", "RowKey ge '5' and RowKey lt '6'", EXACT,
        "In a plain statement, bounds are texts too."),
    also(IN_P + "RowKey >= 5 AND RowKey < 6", f"{P} and RowKey ge '5' and RowKey lt '6'", EXACT),
    also("WHERE PartitionKey BETWEEN ? AND 6", "PartitionKey ge '-5' and PartitionKey le '6'", EXACT, -5),
    row("WHERE RowKey = CAST('5' AS INTEGER)", NUMBERS, SUPERSET,
        "Not plain: SQLite compares as numbers. '05' equals 5."),
    also("WHERE PartitionKey = CAST(? AS INTEGER)", NUMBERS.replace("RowKey", "PartitionKey"), SUPERSET, 5),
    also(IN_P + "RowKey = N AND N = 5", f"{P} and {NUMBERS} and N eq 5", SUPERSET),
    row("WHERE RowKey > CAST('5' AS INTEGER)", "", NONE, "Not plain: numbers and texts have different orders."),
    also(IN_P + "RowKey < 6 AND RowKey < likely(6)", P, SUPERSET),
    also(IN_P + "RowKey >= 5 AND EXISTS (SELECT 1)", P, SUPERSET),
    also(IN_P + "RowKey < N AND N = 6", f"{P} and N eq 6", SUPERSET),
    row("WHERE RowKey = 5.0", NUMBERS, SUPERSET, "SQLite decides which text a REAL equals."),
    also(IN_P + "RowKey = 5.0", f"{P} and {NUMBERS}", SUPERSET),
    also("WHERE RowKey = 1e999", "RowKey ge ' ' and RowKey le 'Inf'", SUPERSET),
    row("WHERE RowKey >= 0.5", "", NONE, "SQLite decides how texts and a REAL compare."),
    also(IN_P + "RowKey >= ?", P, SUPERSET, 0.5),
    row("WHERE RowKey < (SELECT d FROM local)", "RowKey lt ':'", SUPERSET,
        "Not plain: SQLite may order keys that look like numbers first."),
    also(IN_P + "RowKey < (SELECT d FROM local)", f"{P} and RowKey lt ':'", SUPERSET),
    row("WHERE RowKey > (SELECT d FROM local)", "RowKey gt '2024-01'", SUPERSET,
        "Not plain: the keys that SQLite keeps are greater as text too."),
    also(IN_P + "RowKey > (SELECT d FROM local)", f"{P} and RowKey gt '2024-01'", SUPERSET),

    row("WHERE RowKey = NULL", NO_REQUEST, EXACT, "A comparison with NULL is never true."),
    also("WHERE PartitionKey = NULL", NO_REQUEST, EXACT),
    also(IN_P + "RowKey < ?", NO_REQUEST, EXACT, None),
    also(IN_P + "RowKey IS NULL", NO_REQUEST, EXACT),
    row("WHERE RowKey >= x'61'", NO_REQUEST, EXACT, "SQLite orders every text before every BLOB."),
    also(IN_P + "RowKey = x'61'", NO_REQUEST, EXACT),
    also("WHERE PartitionKey >= x''", NO_REQUEST, EXACT),
    row("WHERE RowKey < x'61'", "", NONE, "Every text is less than a BLOB."),
    also(IN_P + "RowKey < x'00'", P, EXACT),

    row("WHERE RowKey <> 'a'", "", NONE, "IS NOT and NOT are not sent either. Most rows match."),
    also(IN_P + "RowKey <> 'a'", P, SUPERSET),
    also(IN_P + "RowKey IS NOT 'a'", P, SUPERSET),
    also("WHERE RowKey IS NOT NULL", "", NONE),
    row("WHERE RowKey = 'a' COLLATE NOCASE", "", NONE, "The service knows no collation but BINARY."),
    also(IN_P + "RowKey >= 'a' COLLATE RTRIM", P, SUPERSET),
    also(IN_P + "RowKey >= 'SH' COLLATE NOCASE AND RowKey < 'sz' COLLATE NOCASE", P, SUPERSET),
    row("WHERE upper(RowKey) = 'A'", "", NONE, "SQLite offers only conditions on columns."),
    row("PRAGMA encoding = 'UTF-16le'; WHERE RowKey > 'm'", "", NONE,
        "A UTF-16 database orders texts differently."),
    also("PRAGMA encoding = 'UTF-16le'; WHERE PartitionKey = 'p' AND RowKey > 'a' AND Name < 'b'", P, SUPERSET),
    also("PRAGMA encoding = 'UTF-16le'; WHERE PartitionKey = 'p' AND RowKey = 'a'", POINT_A, EXACT),
    row(SET_PUSHDOWN.format("none") + "WHERE RowKey = 'a'", "", NONE, "The option `pushdown=none` asks for all rows."),
    also(SET_PUSHDOWN.format("none") + IN_P + "Name = 'a'", "", NONE),
    row("SELECT rowid FROM t; WHERE rowid = 1", "(PartitionKey='05',RowKey='')", EXACT,
        "The connection knows the keys of this rowid. Unknown rowids are errors."),
    row("SELECT rowid FROM t; WHERE rowid IN (2, 1)", ["(PartitionKey='05',RowKey='')", "(PartitionKey='05',RowKey='05')"],
        EXACT, "The rowids of a list are read by points, up to `parallel` at once."),
    row("SELECT rowid FROM t; WHERE rowid > 1", "", NONE, "The service knows no rowids."),
]

LISTS = [
    row("WHERE PartitionKey IN ('p', 'q')", [P, "PartitionKey eq 'q'"], EXACT, "One query for each partition."),
    also("WHERE PartitionKey IN ('q', 'p', 'q')", [P, "PartitionKey eq 'q'"], EXACT),
    row("WHERE PartitionKey = 'p' OR PartitionKey = 'q'", [P, "PartitionKey eq 'q'"], EXACT,
        "SQLite makes IN of this OR."),
    also("WHERE PartitionKey = 'q' OR PartitionKey = 'p'", [P, "PartitionKey eq 'q'"], EXACT),
    row("WHERE PartitionKey IN ('p', 'q') AND RowKey > 'm'", [f"{P} and RowKey gt 'm'",
        "PartitionKey eq 'q' and RowKey gt 'm'"], EXACT, "Other conditions are part of each query."),
    row("WHERE PartitionKey = 'p' AND RowKey IN ('a', 'b')", [POINT_A, POINT_B], EXACT,
        "A point read for each pair of keys."),
    also("WHERE PartitionKey = 'p' AND RowKey IN ('b', 'a')", [POINT_A, POINT_B], EXACT),
    also("WHERE PartitionKey = 'p' AND (RowKey = 'b' OR RowKey = 'a' OR RowKey = 'b')", [POINT_A, POINT_B], EXACT),
    row("WHERE PartitionKey IN (SELECT k FROM local)", P, EXACT, "SQLite runs the subquery first."),
    also("WHERE PartitionKey IN (SELECT k FROM local) AND RowKey = 'a'", POINT_A, EXACT),
    row("SELECT RowKey FROM local JOIN t ON PartitionKey = local.k", P, EXACT, "A join sends one query per row of the other table."),
    row("SELECT RowKey FROM local JOIN t ON PartitionKey = local.k AND RowKey = local.n", f"{P} and {NUMBERS}", SUPERSET,
        "Not plain: '05' equals 5. The range has all numbers."),
    row("WHERE PartitionKey IN (5, 'p')", ["PartitionKey eq '5'", P], EXACT,
        "In a plain statement, integers are compared as text."),
    also(IN_P + "RowKey IN (5, '6')", ["(PartitionKey='p',RowKey='5')", "(PartitionKey='p',RowKey='6')"], EXACT),
    row("WHERE PartitionKey = 'p' AND RowKey IN (SELECT n FROM local)", f"{P} and {NUMBERS}", SUPERSET,
        "Not plain: '05' equals 5. The range has all numbers."),
    row("WHERE RowKey IN ('a', 'b')", "(RowKey eq 'a' or RowKey eq 'b')", EXACT,
        "Without PartitionKey, one query asks for up to 6 values."),
    also("WHERE RowKey IN ('a')", "RowKey eq 'a'", EXACT),
    row("WHERE RowKey IN ('a', 'b', 'c', 'd', 'e', 'f', 'g')", "RowKey ge 'a' and RowKey le 'g'", SUPERSET,
        "7 values: the range from the least to the greatest."),
    also("WHERE RowKey IN ('a','b','c','d','e','f','5')", "RowKey ge '5' and RowKey le 'f'", SUPERSET),
    row("WHERE RowKey IN ('a', NULL)", "RowKey eq 'a'", EXACT, "NULL equals nothing."),
    also(IN_P + "RowKey IN (NULL, 'a')", POINT_A, EXACT),
    row("WHERE PartitionKey NOT IN ('p', 'q')", "", NONE, "Most rows match."),
    also("WHERE PartitionKey NOT IN ('q', 'p')", "", NONE),
    row("WHERE PartitionKey = 'p' OR RowKey = 'a'", [P, "RowKey eq 'a'"], SUPERSET,
        "SQLite reads each alternative and drops the entity that occurs twice."),
    also("WHERE (PartitionKey = 'p' AND RowKey = 'a') OR (PartitionKey = 'q' AND RowKey >= 'b')",
         [POINT_A, "PartitionKey eq 'q' and RowKey ge 'b'"], EXACT),
    row("WHERE PartitionKey = 'p' OR length(Name) = 1", "", NONE, "One alternative needs all rows."),
    also("WHERE (PartitionKey = 'p' AND RowKey = 'a') OR length(Name) = 1", "", NONE),

    row("WHERE Name IN ('a', 'b')", "(Name eq 'a' or Name eq 'b')", EXACT, "One query asks for up to 12 values."),
    also("WHERE Name IN ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l')", "(Name eq 'a' or Name eq 'b' or "
         "Name eq 'c' or Name eq 'd' or Name eq 'e' or Name eq 'f' or Name eq 'g' or Name eq 'h' or Name eq 'i' or "
         "Name eq 'j' or Name eq 'k' or Name eq 'l')", EXACT),
    row("WHERE N IN (2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26)", "N ge 2 and N le 26", SUPERSET,
        "13 values: the range from the least to the greatest."),
    also("WHERE N IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, -13, NULL)", "N ge -13 and N le 12", SUPERSET),
    also("WHERE Name IN ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'it''s')", "Name ge 'a' and "
         "Name le 'l'", SUPERSET),
    also("WHERE Data IN (x'01', x'02', x'03', x'04', x'05', x'06', x'07', x'08', x'09', x'0a', x'0b', x'0c', x'0d')",
         "", NONE),
    row("WHERE Name IN ('a', 'b') AND EXISTS (SELECT 1)", "", NONE, "Not plain: the list may have another collation."),
    also("WHERE Name IN ('a', 'b') AND Mixed COLLATE NOCASE <> 'q'", "", NONE),
    also("WHERE Name IN (SELECT 'a' UNION SELECT 'b')", "", NONE),
    also("WHERE N IN (1, 5) AND EXISTS (SELECT 1)", "(N eq 1 or N eq 5)", EXACT),
    row("WHERE N IN (NULL, 5)", "N eq 5", EXACT, "NULL equals nothing."),
    row("WHERE N IN (NULL, 4.5)", NO_REQUEST, EXACT, "No INT32 is 4.5."),
    also("WHERE Name IN ()", NO_REQUEST, EXACT),
    also("WHERE Name IN (SELECT k FROM local WHERE 0)", NO_REQUEST, EXACT),
    row("WHERE Name = 'a' OR N = 5", ["Name eq 'a'", "N eq 5"], SUPERSET,
        "SQLite reads each alternative and drops the entity that occurs twice."),
]

PROPERTIES = [
    row("WHERE Name = 'it''s'", "Name eq 'it''s'", EXACT, "A filter doubles a quote in a text, as SQL does."),
    also("WHERE Name = 'a'", "Name eq 'a'", EXACT),
    also("WHERE Name = ?", "Name eq '5'", EXACT, "5"),
    also("WHERE Name = 'a' COLLATE BINARY", "Name eq 'a'", EXACT),
    also("WHERE NOT Name <> 'a' AND Name = 'a'", "Name eq 'a'", EXACT),
    row("WHERE PartitionKey = 'p' AND Name = 'a'", f"{P} and Name eq 'a'", EXACT, "The service searches one partition."),
    row("WHERE Name >= 'a' AND Name < 'b'", "Name ge 'a' and Name lt 'b'", EXACT,
        "The service and SQLite order these texts alike."),
    also("WHERE Name >= ''", "Name ge ''", EXACT),
    row("WHERE Name >= 'a😀'", "Name ge 'a'", SUPERSET, "As for keys, the bound is cut before 😀."),
    row("WHERE Name LIKE 'aB%'", "((Name ge 'AB' and Name lt 'Ac') or (Name ge 'aB' and Name lt 'ac'))", SUPERSET,
        "LIKE ignores case. One range begins with `A`, one with `a`."),
    row("WHERE Name = 'a' || char(9)", "Name ge 'a' and Name lt 'b'", SUPERSET, "A filter cannot hold a control character."),
    row("WHERE Name = printf('%.300c', 'é')", f"Name ge '{'é' * 250}' and Name lt '{'é' * 249}ê'", SUPERSET,
        "A text in a filter has at most 1,500 encoded characters."),
    row("WHERE Name = 5", "", NONE, "SQLite may compare texts as numbers."),
    also("WHERE Name = ?", "", NONE, 5),
    also("WHERE Name > 5", "", NONE),
    also("WHERE Name = char(9)", "", NONE),
    row("WHERE Name = x'61'", NO_REQUEST, EXACT, "No text equals a BLOB."),
    also("WHERE Name >= x'00'", NO_REQUEST, EXACT),
    row("PRAGMA encoding = 'UTF-16le'; WHERE Name < 'b'", "", NONE, "A UTF-16 database orders texts differently."),
    also("PRAGMA encoding = 'UTF-16le'; WHERE N > 1", "N gt 1", EXACT),

    row("WHERE N = 5", "N eq 5", EXACT, "An INT32 column shows Int32 values."),
    row("WHERE N = '5'", "N eq 5", EXACT, "SQLite compares this text as a number."),
    row("WHERE N > 4.5", "N gt 4", EXACT, "The integers above 4.5 are the integers above 4."),
    row("WHERE N = 4.5", NO_REQUEST, EXACT, "No integer is 4.5."),
    row("WHERE N < 3000000000", "(N lt 0 or N ge 0)", EXACT, "Every Int32 is less. The filter excludes absent properties."),
    row("WHERE N = 3000000000", NO_REQUEST, EXACT, "No Int32 is so large."),
    row("WHERE N = 'five'", NO_REQUEST, EXACT, "No number equals this text."),
    also("WHERE N > x'00'", NO_REQUEST, EXACT),
    also("WHERE Score = x'00'", NO_REQUEST, EXACT),
    also("WHERE Big >= 'x'", NO_REQUEST, EXACT),
    also(IN_P + "RowKey = 'a' AND N = 'x'", NO_REQUEST, EXACT),
    row("WHERE N < 'five'", "", NONE, "SQLite orders every number before every text."),
    also("WHERE N < x'00'", "", NONE),
    row("WHERE Big > 4", "(Big gt 4 or Big gt 4L)", EXACT, "An INT64 column shows Int32 and Int64 values."),
    also("WHERE Big > '4.5'", "(Big gt 4 or Big gt 4L)", EXACT),
    row("WHERE Score = 0.5", "Score ge 0.499999999999999 and Score le 0.500000000000001", SUPERSET,
        "A service may show only 15 digits. The filter adds one unit on each side."),
    row("WHERE Score <= 5", "(Score le 5 or Score le 5L or Score le 5.00000000000001)", SUPERSET,
        "A DOUBLE column shows Int32, Int64 and Double values."),
    also("WHERE Score = ' 5'", "(Score eq 5 or Score eq 5L or (Score ge 4.99999999999999 and Score le "
         "5.00000000000001))", SUPERSET),
    also("WHERE N IN (1, 5)", "(N eq 1 or N eq 5)", EXACT),

    row("WHERE Done = 1", "Done eq true", EXACT, "1 is true, 0 is false."),
    also("WHERE Done IN (0, 1)", "(Done eq false or Done eq true)", EXACT),
    also("WHERE Done = 2", NO_REQUEST, EXACT),
    row("WHERE Done > 0", "", NONE, "Only `=` and IN are sent for BOOLEAN."),
    row("WHERE At >= '2014-05'", "At ge datetime'2014-05-01T00:00:00.0000000Z'", EXACT,
        "The filter begins with the first instant of that month."),
    also("WHERE Timestamp >= '2014'", "Timestamp ge datetime'2014-01-01T00:00:00.0000000Z'", EXACT),
    also("WHERE At > '2014'", "At ge datetime'2014-01-01T00:00:00.0000000Z'", EXACT),
    row("WHERE At <= '2014-05-01 10:00'", "At lt datetime'2014-05-02T00:00:00.0000000Z'", SUPERSET,
        "Compared as text. A space is less than `T`, so the day is asked for."),
    row("WHERE At > '2014-05-01T10:00:00.1234567Z'", "At ge datetime'2014-05-01T10:00:00.1230000Z'", SUPERSET,
        "Emulators compare milliseconds."),
    row("WHERE At LIKE '2014-05%'", "At ge datetime'2014-05-01T00:00:00.0000000Z' and At lt "
        "datetime'2014-06-01T00:00:00.0000000Z'", EXACT, "The texts of that month have this prefix."),
    row("WHERE At = '2014-05-01'", NO_REQUEST, EXACT, "No value shows this text."),
    also("WHERE At = 'x'", NO_REQUEST, EXACT),
    row("WHERE At > 'May 2014'", "", NONE, "The text does not begin with a year."),
    also("WHERE At < 'x'", "", NONE),
    also("WHERE At > 2014", "", NONE),
    also("WHERE At < '1600'", "", NONE),
    row(f"WHERE Id = '{GUID}'", f"Id eq guid'{GUID}'", EXACT, "A GUID shows 36 characters in lower case."),
    row(f"WHERE Id = upper('{GUID}')", NO_REQUEST, EXACT, "No GUID shows upper case."),
    also("WHERE Id IN ('x', 'y')", NO_REQUEST, EXACT),
    row(f"WHERE Id > '{GUID}'", "", NONE, "The service orders GUID values differently."),
    row("WHERE Data = x'0102'", "Data eq X'0102'", EXACT, "The same bytes."),
    row("WHERE Data = x''", "", NONE, "Only a BLOB that is not empty is sent."),
    row("WHERE Data > x'0102'", "", NONE, "The service orders BINARY values differently."),
    row("WHERE Mixed = 'a'", "Mixed eq 'a'", EXACT, "Only a String can equal this text."),
    also("WHERE Mixed = x'01'", "Mixed eq X'01'", EXACT),
    row("WHERE Mixed = '2014-05-01T10:00:00.0000000Z'", "(Mixed eq '2014-05-01T10:00:00.0000000Z' or Mixed eq "
        "datetime'2014-05-01T10:00:00.0000000Z')", EXACT, "A DateTime shows the same text."),
    row("WHERE Mixed = 2", MIXED_2, EXACT, "In a plain statement, only numbers equal 2: of each numeric type."),
    also("WHERE Mixed = ?", MIXED_2, EXACT, 2),
    also("WHERE Mixed IS 2.0", MIXED_2, EXACT),
    also("WHERE Mixed = 1", "(Mixed eq 1 or Mixed eq 1L or (Mixed ge 0.99999999999999 and Mixed le 1.00000000000001) or "
         "Mixed eq true)", EXACT),
    also("WHERE Mixed IN (2.5, 'a')", "((Mixed ge 2.49999999999999 and Mixed le 2.50000000000001) or Mixed eq 'a')", EXACT),
    row("WHERE Mixed = 2 AND EXISTS (SELECT 1)", "", NONE, "Not plain: the text '2' may equal 2."),
    also("WHERE Mixed = CAST('2' AS INTEGER)", "", NONE),
    also("WHERE Mixed = (SELECT n FROM local)", "", NONE),
    also("WHERE Mixed = N AND N = 5", "N eq 5", SUPERSET),
    also("WHERE Mixed IN (2, 3) AND EXISTS (SELECT 1)", "", NONE),
    row("WHERE Mixed < 0.5", "(Mixed le 0 or Mixed le 0L or Mixed lt 0.500000000000001 or Mixed eq false)", EXACT,
        "A Boolean counts as 0 or 1."),
    also("WHERE Mixed <= ?", "(Mixed le 2 or Mixed le 2L or Mixed le 2.00000000000001 or Mixed eq false or Mixed eq true)",
         EXACT, 2),
    also("WHERE Mixed < 2 AND EXISTS (SELECT 1)", "", NONE),
    row("WHERE Mixed > 2", "", NONE, "Texts and BLOBs are greater too. GUID and BINARY values have no filter."),
    also("WHERE Mixed < 'a'", "", NONE),
    row("WHERE Mixed > 'a'", "", NONE, "In SQLite, BLOB values are greater too."),

    row("WHERE Name IS NOT NULL", "Name ge ''", EXACT, "The filter is true for every value that is not NULL."),
    also("WHERE N NOTNULL", "(N lt 0 or N ge 0)", EXACT),
    also("WHERE Done IS NOT NULL", "(Done eq true or Done eq false)", EXACT),
    also("WHERE Big IS NOT NULL", "(Big lt 0 or Big ge 0 or Big lt 0L or Big ge 0L)", EXACT),
    also("WHERE Score IS NOT NULL", "(Score lt 0 or Score ge 0 or Score lt 0L or Score ge 0L or Score lt 0.0 or "
         "Score ge 0.0)", EXACT),
    also("WHERE At IS NOT NULL AND Name > 'a'", "Name gt 'a' and (At lt datetime'2000-01-01T00:00:00.0000000Z' or "
         "At ge datetime'2000-01-01T00:00:00.0000000Z')", EXACT),
    row("WHERE Name IS NOT NULL AND Name > 'a'", "Name gt 'a'", EXACT, "NULL is not above 'a'."),
    row("WHERE Name IS NOT NULL AND EXISTS (SELECT 1)", "", NONE,
        "Not plain: IS NOT NULL may be a condition of an outer join."),
    also("WHERE Name IS NOT NULL AND 1 IN (SELECT 1 FROM local x JOIN local y)", "", NONE),
    row("WHERE Id IS NOT NULL", "", NONE, "GUID, BINARY and ANY have no filter that every value meets."),
    also("WHERE Data IS NOT NULL", "", NONE),
    also("WHERE Mixed IS NOT NULL", "", NONE),
    also("WHERE Twin1 IS NOT NULL", "", NONE),
    also("WHERE Timestamp IS NOT NULL", "", NONE),
    row("WHERE Name IS NULL", "", NONE, "No comparison in a filter is true for an absent property."),
    also("WHERE Name IS ?", "", NONE, None),
    row("WHERE Name = NULL", NO_REQUEST, EXACT, "A comparison with NULL is never true."),
    also("WHERE N > ?", NO_REQUEST, EXACT, None),
    row("WHERE Name <> 'a'", "", NONE, "IS NOT, NOT and NOT LIKE are not sent either. Most rows match."),
    also("WHERE Name IS NOT 'a'", "", NONE),
    also("WHERE Name NOT LIKE 'a%'", "", NONE),
    also("WHERE NOT (N > 5 AND N < 9)", "", NONE),
    row("WHERE N + 0 = 5", "", NONE, "SQLite offers only conditions on columns."),
    row("WHERE Name = 'a' COLLATE NOCASE", "", NONE, "The service knows no collation but BINARY."),
    row("WHERE Twin1 = 'a'", "", NONE, "Twin1 and Twin2 show the same property."),
    row("WHERE Odd = 1", "", NONE, "Its property is named `null`, which means something else in a filter."),
    row(CHANGE + "WHERE Name = 'a'", "(Name eq 'a' or (PartitionKey eq 'p' and RowKey eq '6'))", EXACT,
        "An entity may match only after its pending change. Pending entities are asked for too."),
    also(CHANGE + IN_P + "Name = 'a'", f"{P} and (Name eq 'a' or RowKey eq '6')", EXACT),
    also(CHANGE + "WHERE PartitionKey = 'q' AND Name = 'a'", "PartitionKey eq 'q' and Name eq 'a'", EXACT),
    also(CHANGE + IN_P + "RowKey > '6' AND Name = 'a'", f"{P} and RowKey gt '6' and Name eq 'a'", EXACT),
    also(CHANGE + IN_P + "Name >= 'a' AND Name < 'b' AND N IN (1, 5)", f"{P} and ((Name ge 'a' and Name lt 'b') or "
         "RowKey eq '6') and (N eq 1 or N eq 5 or RowKey eq '6')", SUPERSET),
    row("BEGIN; UPDATE t SET N = 1; WHERE Name = 'a'", "", NONE, "So many pending entities do not fit into a filter."),
    also("BEGIN; " + IN_P + "Name = 'a'", f"{P} and Name eq 'a'", EXACT),
    row(SET_PUSHDOWN.format("keys") + "WHERE Name = 'a'", "", NONE, "The option `pushdown=keys` sends conditions on keys only."),
    also(SET_PUSHDOWN.format("keys") + IN_P + "Name = 'a'", P, SUPERSET),
    also(SET_PUSHDOWN.format("all") + IN_P + "Name = 'a'", f"{P} and Name eq 'a'", EXACT),
]

ORDER = [
    row("ORDER BY PartitionKey, RowKey", "", EXACT, "Entities arrive in this order."),
    also("ORDER BY PartitionKey, RowKey, Name", "", EXACT),
    row("ORDER BY PartitionKey", "", EXACT, "Entities with the same PartitionKey arrive together."),
    row("WHERE PartitionKey = 'p' ORDER BY RowKey", P, EXACT, "All rows have the same PartitionKey."),
    also("WHERE PartitionKey IN ('p', 'q') ORDER BY 1", [P, "PartitionKey eq 'q'"], EXACT),
    also("WHERE RowKey = 'a' ORDER BY RowKey, PartitionKey", "RowKey eq 'a'", EXACT),
    row("SELECT PartitionKey, count(*) FROM t GROUP BY PartitionKey", "", EXACT, "The entities of a partition arrive together."),
    row("ORDER BY RowKey", "", NONE, "Entities arrive by PartitionKey first."),
    also("WHERE PartitionKey IN ('p', 'q') ORDER BY RowKey", [P, "PartitionKey eq 'q'"], NONE),
    also("SELECT RowKey, count(*) FROM t GROUP BY RowKey", "", NONE),
    row("ORDER BY PartitionKey DESC, RowKey DESC", "", EXACT, "The last entity is searched, and ranges before it are read backwards."),
    also("WHERE PartitionKey = 'p' ORDER BY RowKey DESC", P, EXACT),
    row("ORDER BY PartitionKey DESC, RowKey", "", NONE, "Both keys must have the same direction."),
    row("ORDER BY Name", "", NONE, "The service sorts by keys only."),
    also("ORDER BY PartitionKey COLLATE NOCASE", "", NONE),
    row("SELECT DISTINCT PartitionKey FROM t", "", SUPERSET, "Each page begins after the last partition of the previous page."),
    row("LIMIT 3", "&$top=3", EXACT, "The first page has 3 entities."),
    row("LIMIT 3 OFFSET 2", "&$top=5", SUPERSET, "SQLite skips 2 of them."),
    also("WHERE PartitionKey = 'p' ORDER BY RowKey LIMIT 2 OFFSET 1", f"{P}&$top=3", SUPERSET),
    row("SELECT (SELECT RowKey FROM t WHERE PartitionKey = +local.k LIMIT 1) FROM local", f"{P}&$top=1", EXACT,
        "Without `+`, SQLite 3.40.1 offers no LIMIT here."),
    row("ORDER BY Name LIMIT 3", "", NONE, "SQLite sorts all rows first."),
    also("ORDER BY PartitionKey DESC, RowKey DESC LIMIT 3", "", SUPERSET),
]

# Title of a group -> the text before its table in the document, and its entries.
GROUPS = {
    "Keys": ("A row about RowKey also holds for PartitionKey. IS is sent like `=`. BETWEEN is `>=` and `<=`.",
             KEYS),
    "Lists": ("A list of more than 10,000 pairs of keys is read as one range for each partition. So is a list with at "
              "least ten pairs for each page of the largest partition, if that size is known.", LISTS),
    "Properties": ("A row about a column holds for every column of its type. The type of Timestamp is DATETIME.",
                   PROPERTIES),
    "Order and limits": ("For ORDER BY and GROUP BY, *exact* means that SQLite does not sort, and *none* that it sorts. "
                         "Window functions are like ORDER BY. Cosmos DB has no order of keys, so SQLite sorts.", ORDER),
}
