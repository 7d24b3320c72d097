"""The schemas, keys and values of the oracle of writes (write_oracle.py), all random.

A value is a pair: the statement's value (raw) and the column's value (shown). shown() independently
implements the conversion rules of REFERENCE.md. It raises Mismatch for a value that is not valid
for the column's type.
"""

import dataclasses
import datetime
import decimal
import re

TYPES = ["STRING", "INT32", "INT64", "DOUBLE", "BOOLEAN", "DATETIME", "GUID", "BINARY", "ANY"]
AFFINITY = {"STRING": "TEXT", "INT32": "INTEGER", "INT64": "INTEGER", "DOUBLE": "REAL", "BOOLEAN": "INTEGER",
            "DATETIME": "TEXT", "GUID": "TEXT", "BINARY": "BLOB", "ANY": ""}
INTEGERS = ("INT32", "INT64")
MOST_INT32, MOST_INT64 = 2**31 - 1, 2**63 - 1
# Types that a column of a wider one shows; an UPDATE keeps them. Those of ANY are the ones that an
# INSERT of the same value does not write.
NARROWER = {"INT64": ["INT32"], "DOUBLE": ["INT32", "INT64"], "ANY": ["INT32", "GUID", "DATETIME"]}
# No key contains / \ # ? or a control character. Surrogate pairs come before U+E000 in the
# service's order, and after U+FFFF in SQLite's.
PLAIN = ["a", "b", "c", "A", "B", "1", "2", "10", "p1", "p2", "x y"]
HOSTILE = ["", "'", "it''s", '"', " ", "é", "%", "%2F", "a+b", "A&B=C", "\U0001f600", "\U00010000", "\ue000",
           "\uffff", "\ufffd", "\ud7ff", "x\U0001f600y", "x\uff5e", "z" * 200, "k,1;(2)", "5.0", "-1", "=;@$"]
DATES = ["1601-01-01", "1999-12-31", "2024-02-29", "2026-11-21", "9999-12-31"]


class Mismatch(Exception):
    """A value that a column of this type refuses."""


@dataclasses.dataclass(frozen=True)
class Target:
    """A table as statements see it: its name in templates, its remote table, its columns."""
    name: str
    remote: int
    columns: tuple  # (name, type) of its own columns
    every: tuple  # (name, type) of the remote table's columns

    def listed(self):
        return ", ".join(["PartitionKey", "RowKey", *(name for name, _ in self.columns)])

    def type_of(self, column):
        return dict(self.columns).get(column, "STRING")  # keys accept the values of a STRING


class Schema:
    """Two virtual tables v1 (all columns) and v2 (some) over one remote table, and w over another.
    """

    def __init__(self, rng):
        every = tuple((f"P{i}", rng.choice(TYPES)) for i in range(1, rng.randint(1, 6) + 1))
        some = tuple(rng.sample(every, rng.randint(1, len(every))))
        other = tuple((f"P{i}", rng.choice(TYPES)) for i in range(1, rng.randint(1, 3) + 1))
        self.targets = [Target("v1", 0, every, every), Target("v2", 0, some, every), Target("w", 1, other, other)]
        self.remotes = [self.targets[0], self.targets[2]]  # the views of all columns
        self.partitions = self._keys(rng, rng.randint(3, 6))
        self.rows = self._keys(rng, rng.randint(5, 15))
        self.options = {"batch": rng.choice([100, 100, 100, 3, 1]), "parallel": rng.choice([8, 8, 1, 2]),
                        "concurrency": rng.choice(["etag", "etag", "none"]), "pushdown": rng.choice(["all", "all", "keys", "none"])}
        self.without_bulk = ()  # names of tables without the option

    @staticmethod
    def _keys(rng, count):
        hostile = rng.randint(1, count // 2)
        return rng.sample(HOSTILE, hostile) + rng.sample(PLAIN, min(count - hostile, len(PLAIN)))


def declared(columns):
    return ", ".join(f"{name} {kind}" for name, kind in columns)


def _real_text(value):
    mantissa, e, exponent = f"{value:.15g}".partition("e")
    return mantissa + ("" if "." in mantissa else ".0") + e + exponent


def _integer(raw):
    if isinstance(raw, int):
        return raw
    if isinstance(raw, float) and raw.is_integer():
        return int(raw)
    if isinstance(raw, str) and re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", raw):
        number = decimal.Decimal(raw.strip())
        if number == number.to_integral_value():
            return int(number)
    raise Mismatch(raw)


def _real(raw):
    if isinstance(raw, float):
        return raw
    if isinstance(raw, int) and int(float(raw)) == raw and abs(raw) <= MOST_INT64:
        return float(raw)
    if isinstance(raw, str) and re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", raw):
        return float(raw)
    raise Mismatch(raw)


_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,7}))?(Z|[+-]\d\d:\d\d)?)?")


def _date(raw):
    found = _DATE.fullmatch(raw) if isinstance(raw, str) else None
    if not found:
        raise Mismatch(raw)
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    try:
        at = datetime.datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0))
        if zone and zone != "Z":
            away = datetime.timedelta(hours=int(zone[1:3]), minutes=int(zone[4:6]))
            at = at - away if zone[0] == "+" else at + away
    except (ValueError, OverflowError) as error:
        raise Mismatch(raw) from error
    if at.year < 1601:
        raise Mismatch(raw)
    return f"{at.year:04}-{at:%m-%dT%H:%M:%S}.{(fraction or '').ljust(7, '0')}Z"


def shown(kind, raw):
    """The column's value after `raw` was written; Mismatch if the type refuses it."""
    if raw is None or kind == "ANY":
        return raw
    if kind == "STRING":
        if isinstance(raw, bytes):
            raise Mismatch(raw)
        return _real_text(raw) if isinstance(raw, float) else str(raw)
    if raw == "":
        return None
    if kind in ("INT32", "INT64"):
        value, most = _integer(raw), MOST_INT32 if kind == "INT32" else MOST_INT64
        if not -most - 1 <= value <= most:
            raise Mismatch(raw)
        return value
    if kind == "DOUBLE":
        return _real(raw)
    if kind == "BOOLEAN":
        if isinstance(raw, str) and raw.lower() in ("true", "false"):
            return int(raw.lower() == "true")
        value = _integer(raw)
        if value not in (0, 1):
            raise Mismatch(raw)
        return value
    if kind == "DATETIME":
        return _date(raw)
    if kind == "GUID":
        if isinstance(raw, str) and re.fullmatch(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", raw):
            return raw.lower()
        raise Mismatch(raw)
    if not isinstance(raw, bytes):
        raise Mismatch(raw)
    return raw


def kept(old, new):
    """The value of an ANY column after an UPDATE: the entity keeps its number type if the new value fits it."""
    if isinstance(old, int) and isinstance(new, float) and new.is_integer() and -2**63 <= new < 2**63:
        return int(new)
    if isinstance(old, float) and isinstance(new, int) and int(float(new)) == new:
        return float(new)
    return new


def holds(kind, number):
    """Whether a property of this type can hold the value exactly."""
    if kind in ("GUID", "DATETIME") or not isinstance(number, (int, float)):
        try:
            return kind in ("GUID", "DATETIME") and isinstance(number, str) and number != "" and shown(kind, number) == number
        except Mismatch:
            return False
    most = {"INT32": MOST_INT32, "INT64": MOST_INT64}.get(kind)
    return most is None or (number == int(number) and -most - 1 <= number <= most)


def plain_value(rng, kind):
    """A column value of this type; there are few different ones, so that they coincide."""
    if kind == "STRING":
        return rng.choice(["", "a", "b", "it's", "é", "\U0001f600", "5", " x ", "{v1}", "%", "y" * 300])
    if kind in INTEGERS:
        most = MOST_INT32 if kind == "INT32" else MOST_INT64
        return rng.choice([0, 1, 2, 3, -7, 5, 1000, most, -most - 1])
    if kind == "DOUBLE":
        return rng.choice([0.0, 0.5, 1.0, -2.5, 1e6, 1 / 3, 5.0])
    if kind == "BOOLEAN":
        return rng.choice([0, 1])
    if kind == "DATETIME":
        return shown(kind, rng.choice(DATES) + rng.choice(["", "T10:20:30Z", "T23:59:59.1234567Z"]))
    if kind == "GUID":
        return f"c9da6455-213d-42c9-9a79-3e9149a5783{rng.randint(0, 3)}"
    if kind == "BINARY":
        return rng.choice([b"", b"\x00", b"abc", b"\xff\xfe'"])
    return plain_value(rng, rng.choice(["INT64", "DOUBLE", "BINARY"])) if rng.random() < 0.6 else rng.choice(
        ["t", "5", plain_value(rng, "GUID"), plain_value(rng, "DATETIME")])


def other_form(rng, value, kind):
    """Another form of a column value that the column treats as equal."""
    if kind in INTEGERS or kind == "BOOLEAN":
        forms = [str(value), f" {value}.0 "]
        if abs(value) < 2**50:
            forms.append(float(value))
        if kind == "BOOLEAN":
            forms.append("True" if value else "false")
        return rng.choice(forms)
    if kind == "DOUBLE":
        return rng.choice([repr(value), f" {value!r}", *([int(value)] if value.is_integer() else [])])
    if kind == "DATETIME":
        short = value[:10] if value.endswith("T00:00:00.0000000Z") else value
        moved = value.replace("T10:20:30.0000000Z", "T12:20:30+02:00")
        return rng.choice([short, moved, value.rstrip("0Z.") + "Z" if ".1" in value else value])
    if kind == "GUID":
        return value.upper()
    return value


def value(rng, kind):
    """(raw, shown) of a value that a column of this type accepts."""
    dice = rng.random()
    if dice < 0.12:
        return None, None
    if dice < 0.16 and kind not in ("STRING", "ANY"):
        return "", None
    if kind == "STRING" and dice < 0.25:
        raw = rng.choice([5, -1, 0.5, 5.0, 1e300])
        return raw, shown(kind, raw)
    plain = plain_value(rng, kind)
    return (other_form(rng, plain, kind), plain) if dice > 0.7 else (plain, plain)


def bad_value(rng, kind):
    """A value that a column of this type refuses, or None if it accepts all values."""
    pool = {"STRING": [b"x"], "INT32": ["x", 2**31, 0.5, b"1", "1 2"], "INT64": ["9223372036854775808", 1.5, "e"],
            "DOUBLE": ["x", b"", 2**53 + 1], "BOOLEAN": [2, "yes", 0.5], "DATETIME": ["now", 5, "2026-13-01", "1600-12-31"],
            "GUID": ["c9da6455", 7, b"x"], "BINARY": ["text", 1], "ANY": [None]}
    return rng.choice(pool[kind])
