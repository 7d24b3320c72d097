"""The values of the oracle of reads (oracle.py): random keys, cells of entities, and close
literals.

A cell is None (the entity lacks the property) or a pair (EDM type, value). shown() is the value of
a column of a type in a table with mismatch=null: an independent implementation of REFERENCE.md's
rules.
"""

import base64
import functools
import json
import math
import re

TYPES = ["STRING", "INT32", "INT64", "DOUBLE", "BOOLEAN", "DATETIME", "GUID", "BINARY", "ANY"]
AFFINITY = {"STRING": "TEXT", "INT32": "INTEGER", "INT64": "INTEGER", "DOUBLE": "REAL", "BOOLEAN": "INTEGER",
            "DATETIME": "TEXT", "GUID": "TEXT", "BINARY": "BLOB", "ANY": ""}
EDM = {"STRING": "String", "INT32": "Int32", "INT64": "Int64", "DOUBLE": "Double", "BOOLEAN": "Boolean",
       "DATETIME": "DateTime", "GUID": "Guid", "BINARY": "Binary"}
# Numbers that a column of a wider type shows.
NARROWER = {"INT64": ["INT32"], "DOUBLE": ["INT32", "INT64"]}
# No key contains / \ # ? or a control character. Surrogate pairs come before U+E000 in the
# service's order, and after U+FFFF in SQLite's.
EDGES = ["\ud7ff", "\ue000", "\ufffd", "\ufffe", "\uffff", "\U00010000", "\U0001f600", "\U0010ffff"]
PLAIN = ["A", "B", "a", "b", "Sh", "Sha", "shaft", "SHAFT", "Si", "p 1", "p1", "p10", "p2", "M", "N", "z", "~"]
HOSTILE = ["", "'", "''", "it's", "p'q", '"', " ", "  ", " 5", "A ", "%", "%2F", "%_", "a%", "a_b", "a+b", "+",
           "A&B=C", "=;@$,", "(1)", "é", "É", "ß", "Ａ", "*", "a*", "[a]", "x\U0001f600y", "x\uff5e", "a\u0301",
           "\u200b", "null", "true"]
NUMERIC = ["0", "1", "2", "5", "05", "5.0", "+5", "-1", "-5", "10", "1e1", "1E1", "0x10", "9" * 20, "-0", ".5",
           "9223372036854775807", "Inf", "-Inf"]
LONG = ["z" * 512, "z" * 511, "z" * 500 + "é", "y" * 255, "\U0001f600" * 256, "%" * 300]
INTS = {"INT32": [0, 1, 2, 3, 5, 5, -1, -3, 10, 1000, 2**31 - 1, -2**31, 2**31 - 2],
        "INT64": [0, 1, 2, 5, 5, -1, -7, 2**31 - 1, 2**31, -2**31, -2**31 - 1, 2**53 - 1, 2**53, 2**53 + 1, -2**53 - 1,
                  2**62, 2**63 - 1, 2**63 - 2, -2**63, -2**63 + 1]}
REALS = [0.0, -0.0, 0.5, 1.0, 5.0, -1.5, 1 / 3, 0.1, 1e6, 2.5e-7, 1e15, 1e16, 123456789.125, 2.0**31, 2.0**53,
         -2.0**53, 2.0**63, -2.0**63, 1e300, -1e300, 1.7976931348623157e308, 2.2250738585072014e-308, 5e-324, -5e-324,
         1e22, 1e23, float("inf"), -float("inf"), float("nan")]
EASY_REALS = [0.0, 0.5, 1.0, 5.0, -1.5, 0.125, 1000.25, 12345.5, -77.0]
TEXTS = ["", "a", "b", "A", "abc", "ABC", "abd", "Abc", "it's", "''", '"', "é", "É", "5", "05", "5.0", "10", "-1",
         "1e1", " 5", "5 ", "x y", " ", "a\tb", "\n", "\x01", "\x7f", "a\\b", "a/b?c#d", "100%", "a_c", "null",
         "true", "2024-01-01", "k" * 2000, "k" * 2500 + "é", "\U0001f600", "x\ue001", "x\U00010000", "\ufffd", "x\ufffd", "x\ufffdy", "a\ufffd\ufffd"]
# Strings with lone surrogates, which SQLite shows as U+FFFD.
LONE = ["\ud83d", "\ude00", "\udfff\ud800", "x\ud800", "x\udc00", "x\udbffy", "x\ud83d\U0001f600", "a\udfff\udfff",
        "a\ufffd\ud83d", "it's\udead"]
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
DATES = ["1601-01-01T00:00:00.0000000Z", "1969-12-31T23:59:59.9999999Z", "1970-01-01T00:00:00.0000000Z",
         "2000-02-29T12:00:00.5000000Z", "2024-01-01T00:00:00.0000000Z", "2024-01-01T00:00:00.0000001Z",
         "2024-01-01T00:00:00.1230000Z", "2024-01-01T00:00:00.1234567Z", "2024-02-29T23:59:59.9999999Z",
         "2026-11-21T10:00:00.0000000Z", "9999-12-31T23:59:59.9999999Z"]
GUIDS = ["00000000-0000-0000-0000-000000000000", "c9da6455-213d-42c9-9a79-3e9149a57833",
         "c9da6455-213d-42c9-9a79-3e9149a57834", "01000000-0000-0000-0000-000000000000",
         "00000001-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
         "c9da6455-213d-42c9-79ff-000000000000"]
BLOBS = [b"", b"\x00", b"\x00\x00", b"A", b"abc", b"5", b"\xff", b"\xff\xfe'", b"\x7f\x80", b"q" * 600]
# Values that Azurite compares correctly: it compares dates by milliseconds, and reads 1e300 in a
# filter as a name.
EASY_DATES = [date for date in DATES if date.endswith("0000Z")]


def make_keys(rng, count):
    """Keys that often coincide: plain ones, hostile ones, and families with a common prefix."""
    pool = rng.sample(PLAIN, rng.randint(3, 9)) + rng.sample(HOSTILE, rng.randint(2, 9))
    pool += rng.sample(NUMERIC, rng.randint(1, 6))
    if rng.random() < 0.3:
        pool.append("")
    if rng.random() < 0.3:
        pool += rng.sample(LONG, rng.randint(1, 3))
    for _ in range(rng.choice([1, 1, 2])):  # twice nested: prefix, edge, edge
        prefix = rng.choice(["", "", "x", "p", "k" * rng.choice([20, 120, 400]), "é", "\U0001f600"])
        first = rng.sample(EDGES, rng.randint(2, 4))
        family = [prefix + one for one in first]
        family += [prefix + one + two + rng.choice(["", "", "b"]) for one in first for two in rng.sample(EDGES, 3)]
        pool += rng.sample(family, rng.randint(3, len(family)))
    pool = list(dict.fromkeys(pool))
    rng.shuffle(pool)
    while len(pool) < count:
        pool.append(f"{rng.choice(['r', 'R', '', '0'])}{len(pool):04}")
    return pool[:count]


def make_cell(rng, kind, easy):
    """A value of this column type, as a cell. ANY: of any type; easy ones are texts."""
    if kind == "ANY":
        return make_cell(rng, "STRING" if easy else rng.choice(TYPES[:-1]), easy)
    if kind in INTS:
        value = rng.choice(INTS[kind]) if rng.random() < 0.8 else rng.randint(-20, 20)
    elif kind == "DOUBLE":
        value = rng.choice(EASY_REALS if easy else REALS)
    elif kind == "BOOLEAN":
        value = rng.randint(0, 1)
    elif kind == "STRING":
        value = rng.choice(TEXTS) if rng.random() < 0.995 or easy else "a\x00b"
        if not easy and rng.random() < 0.08:
            value = rng.choice(LONE)
    else:
        value = rng.choice({"DATETIME": EASY_DATES if easy else DATES, "GUID": GUIDS, "BINARY": BLOBS}[kind])
    return EDM[kind], value


def shown(kind, cell):
    """The column value of a cell; None if its type does not match."""
    if cell is None:
        return None
    edm, value = cell
    if isinstance(value, float):
        value += 0.0  # the service stores negative zero as zero
        if math.isnan(value):
            return None
    if kind == "ANY" or EDM[kind] == edm:
        return LONE_SURROGATE.sub("\ufffd", value) if isinstance(value, str) else value
    if kind == "INT64" and edm == "Int32":
        return value
    if kind == "DOUBLE" and edm in ("Int32", "Int64") and int(float(value)) == value:
        return float(value)
    return None


def entity_text(cells):
    """The text for _entity of (name of the property, cell)."""
    parts = []
    for name, cell in cells:
        if cell is None:
            continue
        edm, value = cell
        if edm in ("Int64", "Double", "DateTime", "Guid", "Binary"):
            parts.append(f"{json.dumps(name + '@odata.type')}:\"Edm.{edm}\"")
        if edm == "Binary":
            value = base64.b64encode(value).decode()
        elif edm == "Int64":
            value = str(value)
        elif edm == "Boolean":
            value = bool(value)
        elif edm == "Double" and (math.isnan(value) or math.isinf(value)):
            value = "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        parts.append(f"{json.dumps(name)}:{json.dumps(value)}")
    return "{" + ",".join(parts) + "}"


def near(rng, value):
    """A value close to another one."""
    if isinstance(value, int):
        return value + rng.choice([-1, 1]) if abs(value) < 2**63 - 1 else float(value)
    if isinstance(value, float):
        return rng.choice([math.nextafter(value, math.inf), math.nextafter(value, -math.inf), -value, value + 0.5])
    if isinstance(value, bytes):
        return rng.choice([value + b"\x00", value[:-1], value.decode("latin-1")])
    if isinstance(value, str):
        return rng.choice([value + rng.choice(["", "a", " ", "\uffff", "\U00010000", "\x01", "0"]), value[:-1],
                           value[:1], value.swapcase(), value + value[-1:],
                           value[:-1] + chr(min(ord(value[-1:] or "a") + 1, 0x10ffff)).replace("\ud800", "")])
    return value


def form(rng, value):
    """Another form of a value: of another type, or shorter. It may be equal to others or lie
    between them.
    """
    if isinstance(value, int):
        return rng.choice([float(value), value + 0.5, str(value), f"{value}.0", f" {value}", f"0{value}", "true"])
    if isinstance(value, float):
        return rng.choice([int(value) if abs(value) < 2**63 else str(value), repr(value), f"{value:.3f}"])
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, str) and value[4:5] == "-":  # a date
        day, second = value[:10], value[:19]
        year, month, date = day.split("-") if day.count("-") == 2 else (day, "1", "1")
        other = rng.choice([f"{date}/{month}/{year}", f"{year}/{month}/{date}", f"{date}.{month}.{year}", f"{year}-{date}-{month}",
                            f"{year[2:]}-{month}-{date}", f"{year}-{month[-1:]}-{date[-1:]}", f"Aug {date} {year}", value[:9]])
        return rng.choice([value[:4], day, second, second + "Z", day + " 00:00:00", value[:23] + "Z", other, other])
    if isinstance(value, str):
        return rng.choice([value.upper(), value.replace("-", ""), value.encode()])
    return value


def any_value(rng, easy):
    """A value for a statement, of any type."""
    return shown("ANY", make_cell(rng, rng.choice(TYPES[:-1]), easy))


def is_whole(value):
    """Whether the value is a number without a fraction."""
    return isinstance(value, int) or isinstance(value, float) and value.is_integer()


def literal(value):
    """The value as SQL; None if no literal can represent it (a text with U+0000)."""
    if value is None:
        return "NULL"
    if isinstance(value, float):
        return repr(value).replace("inf", "9e999") if math.isinf(value) else repr(value)
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    if isinstance(value, str):
        return None if "\x00" in value else "'" + value.replace("'", "''") + "'"
    return str(value)


@functools.lru_cache(maxsize=4096)
def pattern_of(pattern, escape):
    """The matches of own_like()."""
    pieces, signs = [""], iter(pattern)
    for sign in signs:
        if sign == escape:
            pieces[-1] += re.escape(next(signs, ""))
        elif sign == "%":
            pieces.append("")
        else:
            pieces[-1] += "." if sign == "_" else re.escape(sign)
    # The first match of a piece suffices, so many % take no longer.
    first, *inner = pieces
    last = [f".*{inner.pop()}"] if inner else []
    text = "".join([first, *(f"(?>.*?{piece})" for piece in inner), *last])
    return re.compile(text, re.IGNORECASE | re.DOTALL)


def own_like(pattern, value, escape=None):
    """A LIKE for which É equals é."""
    if pattern is None or value is None:
        return None
    pattern, value = (one.decode("latin-1") if isinstance(one, bytes) else str(one) for one in (pattern, value))
    return int(pattern_of(pattern, escape).fullmatch(value) is not None)
