"""Wrong tables and wrong statements for the self-check of the oracle of reads (oracle.py).

Native tables replace virtual ones. Each behaves like a wrong pushdown or conversion that proxies
cannot simulate while a module leaves the work to SQLite: another order, collation, affinity or
value. Or its rows are right and the statement is changed.
"""

import dataclasses
import re
import sqlite3


def utf16(one, two):
    """The service's order."""
    first, second = one.encode("utf-16-be"), two.encode("utf-16-be")
    return (first > second) - (first < second)


@dataclasses.dataclass(frozen=True)
class Wrong:
    """name; declared: changes the CREATE TABLE of the native twin; value: changes a value of a
    column of a type; asked: a pattern in the statement and its replacement; command: instead, an option
    of the virtual table `dated`.
    """
    name: str
    declared: object = lambda sql: sql
    value: object = lambda kind, value: value
    where: str = "1"  # its rows
    asked: tuple = ()
    command: str = ""


def keys_as(form):
    return lambda sql: sql.replace("PartitionKey TEXT", f"PartitionKey {form}").replace("RowKey TEXT", f"RowKey {form}")


def of(kinds, change, types=object):
    """Changes the values of these columns."""
    return lambda kind, value: change(value) if kind in kinds and isinstance(value, types) else value


COLUMN = r"(\b(?:[te]\.)?(?:P\d+|[A-Za-z_]\w*)(?<!Key) )"
NUMBERS = ("INT32", "INT64", "DOUBLE")
RIGHT = Wrong("right")
WRONG = [
    Wrong("keys in the order of UTF-16", keys_as("TEXT COLLATE utf16")),
    Wrong("keys ignore case", keys_as("TEXT COLLATE NOCASE")),
    Wrong("keys without trailing blanks", keys_as("TEXT COLLATE RTRIM")),
    Wrong("numeric affinity of keys", keys_as("NUMERIC")),
    Wrong("no affinity of keys", keys_as("BLOB")),
    Wrong("texts ignore case", lambda sql: sql.replace(" TEXT,", " TEXT COLLATE NOCASE,")),
    Wrong("no affinity of properties", lambda sql: sql.replace(" INTEGER", " BLOB").replace(" REAL", " BLOB")),
    Wrong("properties of type ANY as texts", value=of(("ANY",), str, (int, float))),
    Wrong("absent texts are empty", value=lambda kind, value: "" if kind == "STRING" and value is None else value),
    Wrong("absent numbers are 0", value=lambda kind, value: 0 if kind in NUMBERS and value is None else value),
    Wrong("absent Booleans are false", value=lambda kind, value: 0 if kind == "BOOLEAN" and value is None else value),
    Wrong("Int64 converted to Double", value=of(("INT64",), lambda value: max(-2**63, min(int(float(value)), 2**63 - 1)),
                                             int)),
    Wrong("Double with six digits", value=of(("DOUBLE",), lambda value: float(f"{value:.6g}"), float)),
    Wrong("denormals are 0", value=of(("DOUBLE",), lambda value: 0.0 if abs(value) < 1e-307 else value, float)),
    Wrong("dates rounded to milliseconds", value=of(("DATETIME",), lambda value: value[:23] + "0000Z", str)),
    Wrong("guids in upper case", value=of(("GUID",), str.upper, str)),
    Wrong("empty blobs are absent", value=of(("BINARY",), lambda value: value or None, bytes)),
    Wrong("texts end at 2000 characters", value=of(("STRING",), lambda value: value[:2000], str)),
    Wrong("keys end at 500 characters", where="length(PartitionKey) <= 500 AND length(RowKey) <= 500"),
    Wrong("without empty keys", where="PartitionKey <> '' AND RowKey <> ''"),
    Wrong("without keys beyond U+FFFF", where="NOT (PartitionKey || RowKey) GLOB '*[\U00010000-\U0010ffff]*'"),
    Wrong("without keys from U+E000 to U+FFFF", where="NOT (PartitionKey || RowKey) GLOB '*[\ue000-\uffff]*'"),
    Wrong("without keys with %", where="instr(PartitionKey || RowKey, '%') = 0"),
    Wrong("without keys with quotes", where="instr(PartitionKey || RowKey, '''') = 0"),
    Wrong("ge of a property is gt", asked=(COLUMN + ">= ", r"\1> ")),
    Wrong("le of a property is lt", asked=(COLUMN + "<= ", r"\1< ")),
    Wrong("BETWEEN of a property without its low end", asked=(COLUMN + r"BETWEEN (\S+) AND", r"\1> \2 AND \1<=")),
    Wrong("IS of a property is =", asked=(COLUMN + "IS (?!N|T|F)", r"\1= ")),
    Wrong("IS NOT of a property is <>", asked=(COLUMN + "IS NOT (?!N|T|F)", r"\1<> ")),
    Wrong("<> of a property is IS NOT", asked=(COLUMN + "(<>|!=) ", r"\1IS NOT ")),
    Wrong("LIKE distinguishes case", asked=(r"(\S+) LIKE ('[^']*%')", r"(\1 LIKE \2 AND substr(\1, 1, 1) = substr(\2, 1, 1))")),
    Wrong("ESCAPE is ignored", asked=(r" ESCAPE ('.'|:p\d+)", "")),
    Wrong("a list without its last value", asked=(r"(IN \(.*?), '[^',]*'\)", r"\1)")),
    Wrong("NULL in a list is ignored", asked=(r", NULL(, |\))", r"\1")),
    Wrong("row values are compared column by column",
          asked=(r"\((\S*PartitionKey), (\S*RowKey)\) (<|>|<=|>=) \(([^,()]+), ([^,()]+)\)",
                 r"(\1 \3 \4 AND \2 \3 \5)")),
    Wrong("NOCASE is ignored", asked=(" COLLATE NOCASE", "")),
    Wrong("RTRIM is ignored", asked=(" COLLATE RTRIM", "")),
    Wrong("NULLS FIRST and LAST are ignored", asked=(" NULLS (FIRST|LAST)", "")),
    Wrong("DESC after the first term is ignored", asked=(r"(ORDER BY \S+ DESC, \S+) DESC", r"\1")),
    Wrong("OFFSET is ignored", asked=(r" OFFSET \S+", "")),
    Wrong("LIMIT counts OFFSET", asked=(r" LIMIT (\d+) OFFSET (\d+)", r" LIMIT max(\1 - \2, 0) OFFSET \2")),
    Wrong("DISTINCT is ignored", asked=("SELECT DISTINCT", "SELECT")),
    Wrong("LEFT JOIN is JOIN", asked=("LEFT JOIN", "JOIN")),
    Wrong("a blob is a text", asked=(r"x'(41|616263|35)'", lambda found: f"'{bytes.fromhex(found[1]).decode()}'")),
    Wrong("numbers are texts to columns of type ANY",
          asked=(COLUMN + r"(=|<|>|<=|>=) (-?\d+(?:\.\d+)?)\b", r"\1\2 '\3'")),
    Wrong("other forms are compared as text", command="compare=text"),
    Wrong("5.5 is 5", asked=(r"\b(-?\d+)\.\d*[1-9]\d*\b(?!e)", r"\1")),
]


def put(wrong, current):
    """Creates the table `wrong` in a Round and makes it the only one that is read."""
    db, table = current.db, current.schema.t
    if wrong.command:
        db.execute("INSERT INTO dated(_command) VALUES (?)", (wrong.command,))
        current.variants = {"dated": 1}
        return
    db.create_collation("utf16", utf16)
    db.execute(wrong.declared(table.native("native_t")).replace("native_t", "wrong", 1))
    kinds = [None, None, None, *(column.kind for column in table.columns)]
    rows = db.execute(f"SELECT * FROM native_t WHERE {wrong.where}").fetchall()
    db.executemany(f"INSERT OR IGNORE INTO wrong VALUES (?{', ?' * (len(kinds) - 1)})",
                   [[wrong.value(kind, value) for kind, value in zip(kinds, row)] for row in rows])
    current.variants = {"wrong": 1}
    current.begin = current.end = None  # it does not participate in transactions
    if wrong.asked:
        current.rewrite = lambda query: rewritten(wrong.asked, query, db)


def rewritten(asked, query, db):
    """The query after the replacement, if that is valid SQL."""
    other = dataclasses.replace(query, sql=re.sub(*asked, query.sql), limit=re.sub(*asked, query.limit))
    if other != query:
        try:
            db.execute("EXPLAIN " + other.text().replace("{t}", "wrong").replace("{u}", "native_u"), query.params)
        except sqlite3.Error:
            return query
    return other
