"""The entities of page_server, computed in SQL, and the native table with them.

server/generated_table.cc makes the same entities for the wire. A bench compares the results of both.
"""

import sqlite3

EACH = 1000  # entities in a partition
FIRST_N = 10_000_000
COLUMNS = ("Name STRING, Note STRING, Body STRING, N INT32, Big INT64, Score DOUBLE, Flag BOOLEAN, Made DATETIME, "
           "Id GUID")
PROPERTIES = [column.split()[0] for column in COLUMNS.split(", ")]
NAMES = ", ".join(["PartitionKey", "RowKey", *PROPERTIES])
# Entities from {first} up to {end}, with {each} rows in a partition, whose keys begin with {prefix}.
SELECT = """
WITH RECURSIVE c(i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM c WHERE i < {end} - 1), d(i, v) AS (SELECT i, i % 1000 FROM c)
SELECT printf('{prefix}%06d', i / {each}) AS PartitionKey, printf('r%07d', i % {each}) AS RowKey,
  printf('2026-01-01T00:00:%02d.%07dZ', v % 60, v) AS Timestamp, 'name ' || v AS Name,
  printf('%.*c', 150, char(97 + v % 26)) AS Note, printf('%.*c', 420 + v % 40, char(98 + v % 20)) AS Body,
  10000000 + i AS N, 9010000000 + i AS Big, v + 0.125 AS Score, v % 2 AS Flag,
  printf('2026-%02d-%02dT10:00:00.0000000Z', 1 + v % 12, 1 + v % 28) AS Made,
  printf('%08d-0000-4000-8000-%012x', 10000000 + i, v * 7) AS Id FROM d
"""
NATIVE = """CREATE TABLE {name}(PartitionKey TEXT, RowKey TEXT, Timestamp TEXT, Name TEXT, Note TEXT, Body TEXT,
  N INTEGER, Big INTEGER, Score REAL, Flag INTEGER, Made TEXT, Id TEXT, PRIMARY KEY (PartitionKey, RowKey)) WITHOUT ROWID"""


def select(end, first=0, each=EACH, prefix="p"):
    """A SELECT of entities."""
    return SELECT.format(first=first, end=end, each=each, prefix=prefix)


def keys(count, entities):
    """A query of `count` different pairs of keys, in the order of the table."""
    return (f"WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < {count} - 1), "
            f"d(i) AS (SELECT i * ({entities} / {count}) FROM c) "
            f"SELECT printf('p%06d', i / {EACH}) AS p, printf('r%07d', i % {EACH}) AS r FROM d")


def write_native(path, entities):
    """Creates a file with the table t."""
    db = sqlite3.connect(path)
    db.execute(NATIVE.format(name="t"))
    db.execute("INSERT INTO t " + select(entities))
    db.commit()
    db.execute("ANALYZE")
    db.close()
