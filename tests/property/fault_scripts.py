"""The scripts of fault_at_each_request.py: statements whose results no fault may change.

A script runs on the virtual tables `t` (over Main) and `u` (over Side) of the connection `sim`, which have the rows
of FIXTURE.
"""

FIXTURE = """
    INSERT INTO t(PartitionKey, RowKey, N, S)
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 59)
      SELECT 'p' || (i % 4), printf('%02d', i / 4), i, 's' || i FROM n;
    INSERT INTO u(PartitionKey, RowKey, N) VALUES ('p0', '01', 1), ('p1', '02', 2), ('p3', '14', 3), ('q', '00', 4);
"""

SERIES = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {last}) SELECT "
MANY = f"INSERT INTO t(PartitionKey, RowKey, N) {SERIES}"

CHANGES = (
    MANY.format(last=119) + "'new', printf('%03d', i), i FROM n",
    "INSERT INTO t(PartitionKey, RowKey, N, S) VALUES ('p0', '50', 1, 'a'), ('p1', '50', 2, NULL), ('q', '1', 3, 'c')",
    "UPDATE t SET N = N + 1000 WHERE PartitionKey = 'p0'",
    "UPDATE t SET N = N + 1, S = NULL WHERE PartitionKey = 'p1' AND RowKey = '03'",
    "DELETE FROM t WHERE PartitionKey = 'p1' AND RowKey >= '10'",
    "UPDATE t SET RowKey = '90' WHERE PartitionKey = 'p0' AND RowKey = '02'",
    "UPDATE t SET PartitionKey = 'moved' WHERE PartitionKey = 'p2' AND RowKey < '03'",
    "INSERT OR IGNORE INTO t(PartitionKey, RowKey, N) VALUES ('p3', '00', -1), ('p3', '60', 60), ('p3', '05', -2)",
    "INSERT OR REPLACE INTO t(PartitionKey, RowKey, N) VALUES ('p3', '07', -7), ('p3', '61', 61)",
    "UPDATE u SET N = N * 2",
)
FAILED = ("SQLITE_BUSY", "SQLITE_ERROR")
READ_ALL = "SELECT PartitionKey, RowKey, N, S FROM t"


class Either(str):
    """A statement whose result may also be `others`: only a response that was lost could tell them apart."""
    others = ()


def either(sql, *others):
    """A statement, and the results that it may have if a response was lost."""
    statement = Either(sql)
    statement.others = others
    return statement


class Script:
    """Statements, the options of `t` and `u`, and the settings of the simulation."""

    def __init__(self, name, *statements, options="", settings="", stalls=True, repeats=False):
        self.name, self.statements, self.options, self.settings = name, statements, options, settings
        self.stalls = stalls  # whether the option timeout limits all requests
        self.repeats = repeats  # whether COMMIT is repeated until it is not busy; the last one counts


SCRIPTS = (
    Script("transaction", "BEGIN", *CHANGES, "SELECT count(*), sum(N) FROM t", "COMMIT", READ_ALL),
    Script("autocommit", *CHANGES[1:],
           "INSERT OR IGNORE INTO t(PartitionKey, RowKey, N) VALUES ('p3', '00', -1)",
           "INSERT INTO t(PartitionKey, RowKey, N) VALUES ('r', '1', 1)",
           "DELETE FROM t WHERE PartitionKey = 'r'", "DELETE FROM t WHERE N % 7 = 0"),
    Script("bulk", "BEGIN", *CHANGES,
           "INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p2', '10', 0), ('p2', '70', 70), ('p2', '71', 'no number')",
           "COMMIT", READ_ALL,
           "UPDATE t SET N = N + 1 WHERE PartitionKey = 'new'",
           options="bulk=on, on_error=continue, batch=40, max_pending=16000"),
    Script("refused",
           "INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p0', '90', 1), ('p0', '00', 2)",
           "BEGIN", "INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p1', '90', 1), ('p1', '00', 2)", "COMMIT",
           "UPDATE t SET RowKey = '01' WHERE PartitionKey = 'p1' AND RowKey = '00'"),
    Script("merge",
           "INSERT OR REPLACE INTO t(PartitionKey, RowKey, N) VALUES ('p0', '00', 5), ('p0', '80', 6)",
           "UPDATE t SET _entity = aztables_set(_entity, 'X', RowKey) WHERE PartitionKey = 'p1'",
           "SELECT RowKey, aztables_get(_entity, 'X') FROM t WHERE PartitionKey = 'p1'",
           "UPDATE t SET N = N + 5 WHERE PartitionKey = 'p0' AND RowKey <= '01'",
           "DELETE FROM t WHERE PartitionKey = 'p0'",
           options="upsert=merge, concurrency=none"),
    Script("repeated", either("SELECT count(*) FROM aztables_tables('sim') WHERE name IN ('Main', 'Side')", *FAILED),
           "BEGIN",
           MANY.format(last=119) + "'new', printf('%03d', i), i FROM n",
           "INSERT INTO u(PartitionKey, RowKey, N) VALUES ('a', '1', 1), ('b', '1', 2), ('c', '1', 3)",
           "INSERT OR REPLACE INTO u(PartitionKey, RowKey, N) VALUES ('p0', '01', 7)",
           "INSERT OR IGNORE INTO u(PartitionKey, RowKey, N) VALUES ('p1', '02', -1), ('p1', '03', 3)",
           "COMMIT", either(READ_ALL, *FAILED), either("SELECT PartitionKey, RowKey, N FROM u", *FAILED),
           options="retries=0", repeats=True),
    Script("scans", READ_ALL, "SELECT count(*) FROM t", "SELECT RowKey, N FROM t WHERE PartitionKey = 'p1' AND RowKey > '04'",
           "SELECT N FROM t WHERE PartitionKey = 'p2' AND RowKey = '07'",
           "SELECT PartitionKey, N FROM t WHERE PartitionKey IN ('p0', 'p3', 'none') AND RowKey IN ('01', '05', '99')",
           "SELECT u.N, t.N FROM u LEFT JOIN t ON t.PartitionKey = u.PartitionKey AND t.RowKey = u.RowKey",
           "SELECT RowKey FROM t WHERE N > 40 ORDER BY N DESC LIMIT 3",
           "SELECT sum(N) FROM t a WHERE EXISTS (SELECT 1 FROM u WHERE u.PartitionKey = a.PartitionKey)",
           "SELECT RowKey FROM aztables_query('sim.Main', 'N gt 50')", settings="scan_rows=25"),
    Script("tables", "SELECT aztables_create_table('sim.Fresh')",
           either("SELECT aztables_create_table('sim.Fresh')", [(1,)]),
           "SELECT count(*) FROM aztables_tables('sim') WHERE name IN ('Main', 'Side', 'Fresh', 'Missing')",
           "SELECT property, type, entities FROM aztables_infer('sim.Main')",
           "CREATE VIRTUAL TABLE m USING aztables(connection=sim, table=Missing, create=missing, N INT32)",
           "INSERT INTO m(PartitionKey, RowKey, N) VALUES ('a', '1', 1)",
           "CREATE VIRTUAL TABLE guessed USING aztables(connection=sim, table=Main)", "SELECT count(S) FROM guessed",
           "SELECT aztables_drop_table('sim.Missing')",
           "INSERT INTO m(PartitionKey, RowKey, N) VALUES ('a', '2', 2), ('b', '3', 3)",
           "SELECT RowKey FROM m",
           "SELECT aztables_drop_table('sim.Missing')",
           either("SELECT aztables_drop_table('sim.Missing')", [(1,)]),
           stalls=False),
)
