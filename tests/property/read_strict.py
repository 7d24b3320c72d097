"""What the oracle of reads (oracle.py) demands of tables with mismatch=error and compare=strict.

A table may end a query in an error where a native table has a result. These judges, which know
REFERENCE.md's rules, find errors that are wrong, and errors that are missing: of an entity of
another type that satisfies the other conditions, and of a date, GUID or Boolean in another form.
"""

import datetime
import math
import re

import read_values
from read_terms import CLOSE, OPEN

REFUSED = re.compile(r"column (.+?) (?:is text such as '.+?', and (.+) is not valid; |is 0 or 1, not (.+?); "
                     r"|is text, and (.+) is a REAL; )", re.DOTALL)
LITERAL = re.compile(r"'(?:[^']|'')*'|:p\d+")
# A query over the one table t whose rows SQLite reads all.
QUERY = re.compile(rf"SELECT [^{OPEN}]* FROM {{t}} WHERE (?P<where>[({OPEN}].*[){CLOSE}])(?: GROUP BY [^{OPEN}]*| ORDER BY [^{OPEN}]*)?",
                   re.DOTALL)
OPERATORS = r"=|==|<|<=|>|>=|<>|!=|IS NOT|IS|NOT BETWEEN|BETWEEN|NOT IN|IN|LIKE|NOT LIKE|GLOB"
ARMED = ("String", "Int32", "Double", "DateTime", "Boolean", "Int64")
# The types that a column shows although they are not its own.
ALSO = {"INT64": ("Int32",), "DOUBLE": ("Int32", "Int64")}
ROOM = 8  # a filter of so few comparisons has room for another arm
ARMS = {"String": " ge ''", "Int32": r" ge 0(?![.L\d])", "Double": r" ge 0\.0", "DateTime": " ge datetime'1601-01-01T00:00:00.0000000Z'",
        "Boolean": " eq false", "Int64": " ge 0L"}


def split(text):
    """The parts of a condition that AND joins; the condition itself if it has no such parts."""
    depth, parts, begin, quoted = 0, [], 0, False
    for at, character in enumerate(text):
        quoted ^= character == "'"
        if quoted:
            continue
        depth += (character in "(" + OPEN) - (character in ")" + CLOSE)
        if depth == 0 and text.startswith(" OR ", at):
            return [text]
        if depth == 0 and text.startswith(" AND ", at):
            parts.append(text[begin:at])
            begin = at + 5
        if depth == 0 and at == 0:
            return [text]
        if depth == 0 and at == len(text) - 1 and not parts and text[0] in "(" + OPEN:
            inner = text[1:-1]
            # Only marks delimit a term: within one, AND may belong to BETWEEN.
            return split(inner) if OPEN in inner else [text]
    return [*parts, text[begin:]]


def flat(text):
    parts = split(text)
    return [text] if parts == [text] else [term for part in parts for term in flat(part)]


def terms_of(query):
    """The terms that AND joins in the WHERE, or nothing if the query has another form."""
    found = QUERY.fullmatch(query.sql)
    # A LIMIT within the query may end its read before it reads every row.
    others = (" HAVING ", "OVER", "min(", "max(", "UNION", "EXCEPT", "INTERSECT", " LIMIT ")
    if not found or query.limit or any(word in query.sql for word in others):
        return []
    return [term.replace(OPEN, "").replace(CLOSE, "") for term in flat(found["where"])]


def mentions(text, column):
    bare = LITERAL.sub("", text)
    return re.search(rf"(?<!\w){re.escape(column.name)}(?!\w)", bare, re.IGNORECASE) is not None


def compared(term, column):
    """The right side of a term that certainly reads the column, and may be sent; else None."""
    found = re.fullmatch(rf"{re.escape(column.sql)} ({OPERATORS}) (.*)", term, re.DOTALL)
    if not found or any(word in found[2] for word in ("NULL", "SELECT", "COLLATE", "()", ":none")):
        return None
    return found[2]


def is_other_type(kind, cell):
    """Whether a filter can ask for the cell because a column of this type does not show it."""
    if kind == "ANY" or cell is None or cell[0] not in ARMED or isinstance(cell[1], float) and math.isnan(cell[1]):
        return False
    return cell[0] != read_values.EDM[kind] and cell[0] not in ALSO.get(kind, ())


def comparisons(filter_text):
    bare = re.sub(r"'(?:[^']|'')*'", "''", filter_text or "")
    return len(re.findall(r" (?:eq|lt|le|gt|ge) ", bare))


def has_room(filter_text, column, edm):
    """Whether the filter asks for values of the type, or should."""
    return comparisons(filter_text) <= ROOM or re.search(f"(?<!\\w){column.remote}{ARMS[edm]}", filter_text) is not None


def is_replaced(name, own):
    """Whether SQLite puts a value that equals the column into its other terms, and may need no row then."""
    return len(own) > 1 and any(re.match(rf"{re.escape(name)} (=|==|IS) ", term) for term in own)


def left_out(current, query):
    """An entity of another type that a query without an error should have read; None: there is none."""
    terms, table = terms_of(query), current.schema.t
    for at, column in enumerate(table.columns):
        own = [term for term in terms if mentions(term, column)]
        right = [compared(term, column) for term in own]
        if not own or None in right or any(value is None for name, value in query.params.items() if f":{name}" in str(own)):
            continue
        if any(other is not column and mentions(term, other) for term in own for other in table.columns):
            continue
        if sum(other.remote == column.remote for other in table.columns) > 1:
            continue
        if is_replaced(column.sql, own):
            continue
        others = " AND ".join(f"({term})" for term in terms if term not in own) or "1"
        if re.search(r"rowid|SELECT", others):
            continue
        keys = [(row[0], row[1], row[2][at][0]) for row in table.rows if is_other_type(column.kind, row[2][at])]
        for partition, row, edm in keys:
            sql = f"SELECT count(*) FROM native_t WHERE PartitionKey = :key_p AND RowKey = :key_r AND {others}"
            found = current.db.execute(sql, {**query.params, "key_p": partition, "key_r": row}).fetchone()[0]
            if found and all(has_room(text, column, edm) for text in current.filters):
                return f"{column.name} of {(partition, row)} is {edm}"
    return None


def begins_date(text):
    """Whether the form of a real date begins with the text."""
    for tail in ("0001-01-01T00:00:00.0000000Z", "0001-01-00T00:00:00.0000000Z"):
        whole = text + tail[len(text):]
        if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z", whole, re.ASCII) and len(text) <= 28:
            try:
                datetime.datetime.fromisoformat(whole[:19])
                return True
            except ValueError:
                pass
    return False


def is_form(kind, value):
    """Whether a value may be compared with a column of this type by some operator."""
    if value is None:
        return True
    if kind == "KEY":
        return not isinstance(value, float)
    if kind == "BOOLEAN":
        try:
            return not isinstance(value, bytes) and float(value) in (0, 1)
        except ValueError:
            return False
    if not isinstance(value, str):
        return False
    if kind == "DATETIME":
        return begins_date(value)
    whole = value + read_values.GUIDS[0][len(value):]
    return len(value) <= 36 and re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", whole, re.ASCII) is not None


def accepted(current, query):
    """A value in another form that a query without an error should have refused; None: there is none.
    SQLite passes a parameter only when it reads the table, which NULL or a constant may prevent.
    """
    columns = current.schema.t.columns
    reads = not any(re.search("SELECT|rowid|NULL", term) or not any(mentions(term, column) for column in columns)
                    or any(query.params[name[1:]] is None for name in re.findall(r":p\d+", term)) for term in terms_of(query))
    kinds = {column.sql: column.kind for column in current.schema.t.columns}
    kinds |= {"PartitionKey": "KEY", "RowKey": "KEY", "Timestamp": "DATETIME"}
    for term in terms_of(query):
        for name, kind in kinds.items():
            if kind not in ("DATETIME", "GUID", "BOOLEAN", "KEY"):
                continue
            found = re.fullmatch(rf"{re.escape(name)} (=|==|<|<=|>|>=|<>|!=|IS|IS NOT) (:p\d+|'(?:[^']|'')*'|-?\d+\.\d+|x'[^']*')", term)
            if not found:
                continue
            value = query.params[found[2][1:]] if found[2][0] == ":" else current.db.execute(f"SELECT {found[2]}").fetchone()[0]
            # SQLite shows the literal 5.0 as 5 until it reads.
            late = found[2][0] == ":" or kind == "KEY"
            if late and (not reads or is_replaced(name, [one for one in terms_of(query) if name in one])):
                continue
            if not is_form(kind, value):
                return f"{term} with {value!r}"
    return None


def refused_wrongly(error):
    """The value of an error of compare=strict, if it is one that every operator accepts."""
    found = REFUSED.search(error)
    if not found:
        return None
    shown = next(text for text in found.groups()[1:] if text is not None)
    valid = ["0", "1", "0.0", "1.0"] if " is 0 or 1, not " in error else map(
        read_values.literal, read_values.DATES if "such as '2026-" in error else read_values.GUIDS)
    return shown if shown in valid else None
