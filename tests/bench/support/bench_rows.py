"""The rows of the benchmark: what is measured, in SQL and by the JavaScript client."""

import dataclasses

import bench_data
from bench_data import EACH, FIRST_N

IN_KEYS = 500
JOIN_KEYS = 1000
PAGE = 1000  # entities, at most
PARALLEL = 8  # requests under way: the module's default
AGGREGATES = "SELECT count(*), sum(N), max(Big), min(Name) FROM {t}"


@dataclasses.dataclass
class Row:
    """A measurement. {t} in SQL is the table."""

    name: str
    sql: str
    entities: int  # read or written
    js: dict  # an operation of js_requests.mjs
    keys: str = ""  # a query; `sql` runs for each of its rows
    setup: str = ""
    check: str = ""  # a query after `sql`
    table: str = "Bench"
    connections: int = 1  # of the raw transport, for reads
    divided: bool = False  # a read that may give up requests
    writes: str = ""  # the counter of page_server that must have grown by `entities`
    native_setup: str = ""  # in place of the native file
    options: str = ""  # of the virtual table: ", parallel=1"


def scans(entities):
    """Rows that read each entity."""
    half = "SELECT count(*), sum(N), max(Big), min(Name), sum(length(Body)), max(Id), max(Made) FROM copy"
    return [
        Row("scan: 9 properties sent, 4 used", AGGREGATES, entities, {"operation": "scan"}, table="Whole", connections=PARALLEL,
            divided=True),
        Row("the same, by one chain of pages", AGGREGATES, entities, {"operation": "scan"}, table="Whole", options=", parallel=1"),
        Row("scan: $select of 1 property", "SELECT count(*), sum(N) FROM {t}", entities,
            {"operation": "scan", "select": ["N"]}, connections=PARALLEL, divided=True),
        Row("CREATE TABLE AS SELECT *", "CREATE TABLE copy AS SELECT * FROM {t}", entities, {"operation": "collect"},
            check=half, connections=PARALLEL, divided=True),
    ]


def lookups(entities, points):
    """Rows that read entities by keys, and DISTINCT."""
    names = ", ".join(f"'r{i:07}'" for i in range(IN_KEYS))
    joined = f"CREATE TEMP TABLE wanted AS {bench_data.keys(JOIN_KEYS, entities)};"
    partitions = -(-entities // EACH)
    return [
        Row("point read, one after another", "SELECT N FROM {t} WHERE PartitionKey = ?1 AND RowKey = ?2", points,
            {"operation": "points", "count": points, "parallel": 1}, keys=bench_data.keys(points, entities)),
        Row(f"RowKey IN ({IN_KEYS} keys)",
            f"SELECT count(*), sum(N) FROM {{t}} WHERE PartitionKey = 'p000001' AND RowKey IN ({names})", IN_KEYS,
            {"operation": "in", "count": IN_KEYS, "parallel": PARALLEL}, connections=PARALLEL),
        Row(f"join of {JOIN_KEYS:,} keys",
            "SELECT count(*), sum(N) FROM wanted CROSS JOIN {t} AS t ON t.PartitionKey = p AND t.RowKey = r", JOIN_KEYS,
            {"operation": "points", "count": JOIN_KEYS, "parallel": PARALLEL}, setup=joined, connections=PARALLEL),
        Row("DISTINCT PartitionKey", "SELECT count(*) FROM (SELECT DISTINCT PartitionKey FROM {t})", partitions,
            {"operation": "distinct"}, connections=PARALLEL, divided=True),
    ]


def writes(entities, count):
    """Rows that write. The service stores nothing."""
    empty = bench_data.NATIVE.format(name="t") + ";"
    filled = f"{empty} INSERT INTO t {bench_data.select(entities)};"
    insert = f"INSERT INTO {{t}}({bench_data.NAMES}) SELECT {bench_data.NAMES} FROM source"

    def inserts(name, each):
        source = f"CREATE TEMP TABLE source AS {bench_data.select(count, each=each, prefix='q')};"
        return Row(name, insert, count, {"operation": "insert", "count": count, "insertEach": each}, setup=source,
                   writes="inserts", native_setup=empty)

    first = FIRST_N + entities // 2
    return [
        inserts("INSERT into one partition", count),
        inserts("INSERT into partitions of 10", 10),
        Row("DELETE by a predicate", f"DELETE FROM {{t}} WHERE N >= {first} AND N < {first + count}", count,
            {"operation": "delete", "first": first, "count": count}, writes="deletes", native_setup=filled),
    ]


def rows(entities, points, count):
    """All rows: `entities` in the table, `points` point reads, `count` writes."""
    return scans(entities) + lookups(entities, points) + writes(entities, count)
