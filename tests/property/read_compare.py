"""Compares two results of a query of the oracle of reads (oracle.py), as far as the query
determines them.
"""

import collections
import dataclasses
import sqlite3

from read_terms import CLOSE, OPEN

MISMATCH = "but its column is "  # part of the error for a property of another type


@dataclasses.dataclass
class Query:
    """A statement and the determined part of its result: the result columns of its order, whether a
    LIMIT cuts it, and whether one of several equal values represents all of them.
    """
    sql: str  # without `limit`
    params: dict
    limit: str = ""
    order: tuple = ()  # (index of the result column, collation)
    merged: bool = False  # 5 may represent 5.0, since they are one group

    def text(self, limited=True):
        return (self.sql + (self.limit if limited else "")).replace(OPEN, "").replace(CLOSE, "")


def answer(db, query, tables, limited=True):
    """The rows, or the text of the error."""
    sql = query.text(limited)
    for name, table in tables.items():
        sql = sql.replace(f"{{{name}}}", table)
    try:
        return db.execute(sql, query.params).fetchall()
    except sqlite3.Error as error:
        return f"error: {error}"


def plain(value, collation=""):
    """The value that represents all values that SQLite considers equal."""
    if isinstance(value, float) and value.is_integer() and abs(value) <= 2**63:
        return int(value)
    if isinstance(value, str) and collation == "NOCASE":
        return value.translate(_LOWER)
    if isinstance(value, str) and collation == "RTRIM":
        return value.rstrip(" ")
    return value


_LOWER = {number: number + 32 for number in range(ord("A"), ord("Z") + 1)}


def texts(query, rows):
    """Rows as texts; repr distinguishes types, and -0.0 from 0.0."""
    if query.merged:
        return [repr([plain(value) for value in row]) for row in rows]
    return [repr(row) for row in rows]


def keys(query, rows):
    """The values by which the query orders its rows."""
    return [repr([plain(row[at], collation) for at, collation in query.order]) for row in rows]


def difference(query, wanted, got, whole):
    """The error in `got`, or None. whole() is the native result without LIMIT."""
    if isinstance(wanted, str) or isinstance(got, str):
        return None if isinstance(wanted, str) and isinstance(got, str) else "an error on one side"
    if wanted == got and repr(wanted) == repr(got):
        return None
    if len(wanted) != len(got):
        return f"{len(wanted)} native rows, {len(got)} remote ones"
    if query.order and keys(query, wanted) != keys(query, got):
        return "another order"
    if not query.limit:
        return None if sorted(texts(query, wanted)) == sorted(texts(query, got)) else "other rows"
    rows = whole()
    if isinstance(rows, str):
        return "an error without LIMIT"
    if query.order and len(set(keys(query, rows))) == len(rows):  # the order is total
        return None if texts(query, wanted) == texts(query, got) else "other rows"
    extra = collections.Counter(texts(query, got)) - collections.Counter(texts(query, rows))
    return f"rows that the query without LIMIT does not return: {list(extra)[:3]}" if extra else None
