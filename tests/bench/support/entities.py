"""The entities that the benches use: their source, and their tables.

    db = entities.connect(path)
    entities.fill_source(db, rows=100_000, each=1000, body=100)
    entities.create_virtual(db, "t", connection_string, "Bench")
    db.execute(f"INSERT INTO t({entities.NAMES}) SELECT {entities.NAMES} FROM source")
"""

import host

COLUMNS = "Name STRING, Body STRING, N INT32, Big INT64, Score DOUBLE, Flag BOOLEAN, Made DATETIME, Id GUID"
NAMES = ", ".join(["PartitionKey", "RowKey"] + [c.split()[0] for c in COLUMNS.split(", ")])
SELECT = """
WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < {last})
SELECT printf('p%03d', i / {each}) AS PartitionKey, printf('%06d', i % {each}) AS RowKey, 'name ' || i AS Name,
  printf('%.*c', {body}, char(97 + i % 26)) AS Body, i AS N, i * 10000000000 AS Big, i / 8.0 AS Score, i % 2 AS Flag,
  printf('2026-%02d-%02dT10:00:00.%07dZ', 1 + i % 12, 1 + i % 28, i) AS Made,
  printf('%08x-0000-4000-8000-%012x', i, i * 7) AS Id FROM c
"""
NATIVE = """
CREATE TABLE {name}(PartitionKey TEXT, RowKey TEXT, Name TEXT, Body TEXT, N INTEGER, Big INTEGER, Score REAL,
                    Flag INTEGER, Made TEXT, Id TEXT, PRIMARY KEY (PartitionKey, RowKey)) WITHOUT ROWID;
"""
# The ends of the logs of requests and of commits; the sent bytes of each operation after them.
ENDS_OF_LOGS = ("SELECT ifnull(max(id), 0), (SELECT ifnull(max(commit_id), 0) FROM aztables_commits) "
                "FROM aztables_requests")
SENT = ("SELECT avg(bytes_out) / (SELECT avg(operations) FROM aztables_commits WHERE commit_id > {commit}) "
        "FROM aztables_requests WHERE kind = 'EGT' AND id > {request}")


def connect(path):
    """A database connection whose commits are on the disk when they return, as a local store's are."""
    db = host.connect(str(path))
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    return db


def select(rows, each, body):
    """A SELECT of `rows` rows, `each` per partition, with `body` characters in Body."""
    return SELECT.format(last=rows - 1, each=each, body=body)


def fill_source(db, rows, each, body):
    """Creates the local table `source` with these rows."""
    db.execute(f"CREATE TEMP TABLE source AS {select(rows, each, body)}")


def create_native(db, name):
    """Creates an ordinary table for the entities, with the page cache of a local store."""
    db.execute("PRAGMA cache_size = -16384")
    db.executescript(NATIVE.format(name=name))


def create_virtual(db, name, how, remote, options=""):
    """Creates a virtual table for the entities, and its remote table if that does not exist."""
    db.execute("SELECT aztables_connect('b', ?)", (how,)).fetchall()
    db.execute(f"CREATE VIRTUAL TABLE temp.{name} USING aztables(table={remote}, connection=b, "
               f"create=missing, {COLUMNS}{options})")
