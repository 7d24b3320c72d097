"""The operands of conditions in the oracle of reads (oracle.py): columns and the values compared
with them.
"""

import dataclasses

import read_values
from read_values import AFFINITY

LOCAL = [("k", "TEXT"), ("n", "INTEGER"), ("r", "REAL"), ("d", "NUMERIC"), ("b", "BLOB"), ("x", "")]
NUMERIC_AFFINITY = ("INTEGER", "REAL", "NUMERIC")


@dataclasses.dataclass(frozen=True)
class Seen:
    """A visible column: its name without alias, type (None: of loc), affinity, and values of its
    rows.
    """
    sql: str
    kind: str
    affinity: str
    values: tuple


@dataclasses.dataclass(frozen=True)
class Source:
    """A visible table ({t}, {u} or loc) and its columns."""
    table: str
    columns: tuple

    def key_only(self):
        return dataclasses.replace(self, columns=self.columns[:2])


def source_of(name, table, timestamps):
    """The Source of a read_schema.Table; timestamps: the values of Timestamp, None to omit it."""
    columns = [Seen("PartitionKey", "KEY", "TEXT", tuple(row[0] for row in table.rows)),
               Seen("RowKey", "KEY", "TEXT", tuple(row[1] for row in table.rows))]
    if timestamps is not None:
        columns.append(Seen("Timestamp", "DATETIME", "TEXT", tuple(timestamps)))
    for at, column in enumerate(table.columns):
        values = tuple(read_values.shown(column.kind, row[2][at]) for row in table.rows)
        columns.append(Seen(column.sql, column.kind, AFFINITY[column.kind], values))
    return Source(name, tuple(columns))


def local_source(rows):
    return Source("loc", tuple(Seen(name, None, affinity, tuple(row[at] for row in rows)) for at,
                               (name, affinity) in enumerate(LOCAL)))


class Operands:
    """Makes operands. `params` are the statement's parameters so far. `uneasy` is set by a term on
    which SQLite is inconsistent when it also sorts (read_queries.Queries.make).
    """

    def __init__(self, rng, easy, sources):
        self.rng, self.easy, self.sources = rng, easy, sources
        self.params, self.uneasy = {}, False

    def one_of(self, **ways):
        """One of the names, by weight."""
        return self.rng.choices(list(ways), list(ways.values()))[0]

    def param(self, value):
        name = f"p{len(self.params) + 1}"
        self.params[name] = value
        return f":{name}"

    def written(self, value, params=0.3):
        """A value as a literal or a parameter."""
        text = None if self.rng.random() < params else read_values.literal(value)
        return self.param(value) if text is None else text

    def value(self, column):
        """A likely value for the column: of its rows, a neighbour, of its type, or any."""
        rng = self.rng
        way = self.one_of(own=54, near=16, form=6, pool=14, any=6, null=4)
        own = rng.choice(column.values) if column.values else None
        if way == "own" or (way == "near" and column.kind in ("DATETIME", "BINARY", "DOUBLE") and self.easy):
            return own
        if way == "near":
            return self.in_range(read_values.near(rng, own))
        if way == "form":
            return self.in_range(read_values.form(rng, own))
        if way == "pool" and column.kind == "KEY":
            return rng.choice(rng.choice([read_values.PLAIN, read_values.HOSTILE, read_values.NUMERIC,
                                          read_values.EDGES, read_values.TEXTS]))
        if way == "pool":
            cell = read_values.make_cell(rng, column.kind if column.kind in read_values.EDM else "STRING", self.easy)
            return read_values.shown("ANY", cell)
        return None if way == "null" else read_values.any_value(rng, self.easy)

    @staticmethod
    def in_range(value):
        return value if not isinstance(value, int) or -2**63 <= value < 2**63 else float(value)

    def operand(self, column, aliases=()):
        """(SQL of an operand for the column, whether it has numeric affinity)."""
        rng = self.rng
        if column.kind == "DATETIME" and rng.random() < 0.15:
            day = rng.choice(["2024-01-01", "2024-01-01 00:00:00", "now", "2000-02-29T12:00:00Z", "9999-12-31"])
            more = rng.choice(["", ", '+1 day'", ", '-1 month'", ", 'start of month'"]) if day < "9" else ""
            return f"aztables_datetime('{day}'{more})", False
        if column.kind == "DATETIME" and rng.random() < 0.1:
            return self.written(read_values.form(rng, rng.choice(read_values.DATES))), False
        way = self.one_of(value=76, cast=5, local=4, scalar=3, expression=5, other=6 if aliases else 0, short=1)
        value = self.value(column)
        if way == "value":
            return self.written(value), False
        if way == "cast":
            to = rng.choice(["TEXT", "INTEGER", "REAL", "NUMERIC", "BLOB"])
            return f"CAST({self.written(value)} AS {to})", to in NUMERIC_AFFINITY
        if way == "local":
            name, affinity = rng.choice(LOCAL)
            how = rng.choice(["min({})", "max({})", "{}"])
            order = "" if "(" in how else " ORDER BY 1 LIMIT 1"
            return f"(SELECT {how.format(name)} FROM loc{order})", affinity in NUMERIC_AFFINITY
        if way == "scalar":
            # Not ANY: 5 equals 5.0, so min() may return either.
            other = rng.choice([seen for seen in self.sources["t"].columns + self.sources["u"].columns[:2]
                                if seen.kind != "ANY"])
            table = "{t}" if other in self.sources["t"].columns else "{u}"
            what = rng.choice(["min", "max"])
            return f"(SELECT {what}({other.sql}) FROM {table})", other.affinity in NUMERIC_AFFINITY
        if way == "expression" and isinstance(value, str):
            half = self.written(value[:1], 0.2) + " || " + self.written(value[1:], 0.2)
            return rng.choice([half, f"upper({self.written(value)})", f"substr({self.written(value)}, 1, 2)"]), False
        if way == "expression":
            return f"{self.written(value)} {rng.choice(['+ 0', '+ 1', '* 1.0', chr(124) * 2 + chr(39) * 2])}", False
        if way == "other":
            alias, source = rng.choice(aliases)
            seen = rng.choice(source.columns)
            return alias + seen.sql, seen.affinity in NUMERIC_AFFINITY
        return rng.choice(["TRUE", "FALSE", "''", "0", "1", "9e999", "-9e999"]), False

    def expression(self, name, column):
        """An operand that is never compared with a bare column."""
        rng = self.rng
        value = self.written(self.value(column))
        kind = rng.choice(["text", "integer", "real", "null", "blob"])
        return rng.choice([f"length({name}) {rng.choice(['=', '>', '<'])} {rng.randint(0, 4)}",
                           f"{name} || '' = {value}", f"coalesce({name}, {value}) = {value}",
                           f"typeof({name}) {rng.choice(['=', '<>'])} '{kind}'",
                           f"CAST({name} AS TEXT) >= {value}", f"substr({name}, 1, 1) = {value}",
                           f"upper({name}) = upper({value})", f"{name} + 0 > {value}",
                           f"CASE WHEN {name} > {value} THEN 1 ELSE 0 END", f"instr({name}, {value}) > 0",
                           f"nullif({name}, {value}) IS NULL",
                           f"CASE {name} WHEN {value} THEN 1 END", f"iif({name} IS NULL, 0, 1)",
                           f"({name} = {value}) = {rng.randint(0, 1)}"])
