"""A round of the oracle of reads (oracle.py): remote and native tables of one schema, and queries.

In some rounds part of the queries runs in a transaction with the same writes on both sides.
"""

import dataclasses
import random
import sqlite3

import read_compare
import read_schema
import read_strict
import read_values
from read_operands import local_source, source_of
from read_queries import Queries

PER_ROUND = 200
GUARDS = ", scan=warn, max_requests=1000000, max_entities=100000000, max_seconds=3600"
COUNTS = ("queries", "rows", "errors", "pending", "mismatches", "refused", "requests")


class Found(Exception):
    """A difference and its place."""

    def __init__(self, text, query, variant, wanted, got):
        super().__init__(text)
        self.query, self.variant, self.wanted, self.got = query, variant, wanted, got


class Round:
    """seed and number determine everything. easy: only what Azurite supports. between: a proxy that
    is active during remote queries.
    """
    rewrite = staticmethod(lambda query: query)  # for the self-check: replaces a query

    def __init__(self, seed, number, module, easy, most_rows, run, between=None):
        self.name, self.rng = f"{seed}/{number}", random.Random(f"{seed}/{number}")
        self.schema = read_schema.Schema(self.rng, easy, most_rows)
        self.between = between if hasattr(between, "used") else None
        self.easy, self.writing, self.remote = easy, False, f"Reads{run}x{number}"
        self.db = sqlite3.connect(":memory:", isolation_level=None)
        self.db.enable_load_extension(True)
        self.db.load_extension(module.removesuffix(".so"))
        self._declare()
        self._fill()
        self.sources = self._sources()
        size = len(self.schema.t.rows)
        self.small = size <= 150
        if self.between:
            plan = self.db.execute("EXPLAIN QUERY PLAN SELECT RowKey FROM pushed ORDER BY PartitionKey, RowKey")
            self.between.sorts = any("TEMP B-TREE" in row[3] for row in plan.fetchall())
        begin = self.rng.randrange(PER_ROUND) if self.rng.random() < 0.5 else None
        self.begin = begin
        self.end = None if begin is None else begin + self.rng.choice([10, 40, 100])
        like = self.rng.random()
        if like < 0.1:
            self.db.execute("PRAGMA case_sensitive_like = 1")
        elif like < 0.15:  # as ICU does; then a pattern's prefix implies no range
            for count in (2, 3):
                self.db.create_function("like", count, read_values.own_like, deterministic=True)
        self.reading = None  # an open statement: cursor, first rows, query, whole result
        self.at_close = []  # functions
        self.changed, self.filters = False, []  # whether rows were written; what the last query sent

    def _option(self, text):
        """The option, if the module supports it."""
        try:
            self.db.execute("CREATE VIRTUAL TABLE temp.probe USING aztables(table=Probe, connection=demo, infer=off, "
                            f"{text})")
        except sqlite3.OperationalError:
            return ""
        self.db.execute("DROP TABLE temp.probe")
        return ", " + text

    def _declare(self):
        rng, schema, execute = self.rng, self.schema, self.db.execute
        for table in (schema.t, schema.u):
            execute("SELECT aztables_create_table(?)", (f"demo.{self.remote}{table.name}",))
            execute(table.native(f"native_{table.name}"))
            execute(f"CREATE VIRTUAL TABLE raw_{table.name} USING aztables({self.where_is(table)}, infer=off)")
        execute("CREATE TABLE loc(k TEXT, n INTEGER, r REAL, d DATE, b BLOB, x)")
        null = ", mismatch=null" if schema.mixed else rng.choice(["", "", ", mismatch=null"])
        parallel = self._option(f"parallel={rng.choice([1, 2, 8, 64])}")
        self.variants = {}  # name of the virtual table -> its weight
        for name, weight, options in (("pushed", 70, null + rng.choice(["", parallel])),
                                      ("parallel", 12 if parallel else 0, null + parallel),
                                      ("keys", 6, null + ", pushdown=keys"),
                                      ("unpushed", 8, null + ", pushdown=none"),
                                      ("strict", 60 if schema.mixed else 0, ""),
                                      ("dated", 8, null),
                                      ("guarded", 4, null + GUARDS)):
            if weight:
                where = self.where_is(schema.t, "strict" if name == "dated" else "text")
                execute(f"CREATE VIRTUAL TABLE {name} USING aztables({where}{schema.t.declared()}{options})")
                self.variants[name] = weight
        execute(f"CREATE VIRTUAL TABLE remote_u USING aztables({self.where_is(schema.u)}{schema.u.declared()}"
                f"{parallel})")

    def where_is(self, table, compare="text"):
        return f"table={self.remote}{table.name}, connection=demo, compare={compare}"

    def _fill(self):
        schema, db = self.schema, self.db
        db.executemany("INSERT INTO loc VALUES (?, ?, ?, ?, ?, ?)", schema.local)
        db.execute("BEGIN")
        for table in (schema.t, schema.u):
            db.executemany(f"INSERT INTO raw_{table.name}(PartitionKey, RowKey, _entity) VALUES (?, ?, ?)",
                           table.entity_rows())
            db.executemany(f"INSERT INTO native_{table.name} VALUES (?, ?, ?{', ?' * len(table.columns)})",
                           table.native_rows())
        db.execute("COMMIT")
        self._timestamps()
        db.execute("CREATE VIEW viewed AS SELECT * FROM pushed")
        self.variants["viewed"] = 4
        if schema.inferable() and schema.t.rows:
            db.execute(f"CREATE VIRTUAL TABLE inferred USING aztables({self.where_is(schema.t)})")
            kinds = [{(row[1], row[2]) for row in db.execute(f"SELECT * FROM pragma_table_info('{name}')")}
                     for name in ("inferred", "native_t")]
            if kinds[0] == kinds[1]:
                self.variants["inferred"] = 8

    def _timestamps(self):
        """Gives native rows the service's Timestamps."""
        for table in "tu":
            stamps = self.db.execute(f"SELECT Timestamp, PartitionKey, RowKey FROM raw_{table}").fetchall()
            self.db.executemany(f"UPDATE native_{table} SET Timestamp = ? WHERE (PartitionKey, RowKey) = (?, ?)",
                                stamps)

    def _sources(self):
        """The parts of queries. Timestamp is excluded in a writing transaction, and on Azurite,
        which compares milliseconds.
        """
        found = {"loc": local_source(self.schema.local)}
        for table in (self.schema.t, self.schema.u):
            stamps = None
            if not self.easy and not self.writing:
                stamps = [row[0] for row in self.db.execute(f"SELECT Timestamp FROM native_{table.name}")]
            found[table.name] = source_of(table.name, table, stamps)
        return found

    def query(self, number):
        """(Query, name of the virtual table) of this number in the round."""
        rng = random.Random(f"{self.name}/{number}")
        variants = {name: weight for name, weight in self.variants.items() if not (self.writing and name == "inferred")}
        variant = rng.choices(list(variants), list(variants.values()))[0]
        queries = Queries(rng, self.easy, self.sources, self.small)
        query = queries.judged() if variant in ("strict", "dated") and rng.random() < 0.6 else queries.make()
        # Inferred columns have another order; a view has no rowids. No other table leaves out a writer's entities.
        rowid = "rowid" in query.sql
        if {"inferred": "*" in query.sql.replace("(*)", ""), "viewed": rowid, "noisy": rowid}.get(variant):
            variant = "native_t" if variant == "noisy" else "pushed"
        return query, variant

    def run(self, number, counts):
        """Runs a query; Found if the results differ."""
        if number == self.begin:
            self._begin(number)
        elif self.writing:
            self._go_on(number)
        query, variant = self.query(number)
        counts["queries"] += 1
        counts["pending"] += self.writing
        wanted = self.check(query, variant, counts)
        self._again(number, query, variant, counts)
        counts["rows"] += isinstance(wanted, list) and len(wanted) > 0
        counts["errors"] += isinstance(wanted, str)
        if number == self.end:
            self._end(number)

    def _again(self, number, query, variant, counts):
        """Runs the statement again with other parameters, or suspends it in the middle of its rows.
        """
        rng = random.Random(f"{self.name}/{number}/again")
        if self.reading:
            cursor, rows, read, wanted = self.reading
            self.reading = None
            got = rows + cursor.fetchall()
            if sorted(read_compare.texts(read, got)) != sorted(read_compare.texts(read, wanted)):
                raise Found("other rows, since another statement ran meanwhile", read, variant, wanted, got)
        way, texts = rng.random(), [name for name, value in query.params.items()
                                    if isinstance(value, str) and len(value) != 1]
        # Keeps the values of ESCAPE and LIMIT, and texts that read_terms.Terms.like excludes.
        if way < 0.2 and texts and not any(word in query.sql for word in ("LIKE", "GLOB")):
            others = [query.params[name] for name in texts] + [*self.sources["t"].columns[1].values[:20]]
            params = {**query.params, **{name: rng.choice(others) for name in texts}}
            self.check(dataclasses.replace(query, params=params), variant, counts)
        elif way > 0.95 and not self.between and not self.writing and number + 1 != self.begin and not query.limit:
            sql = query.text().replace("{t}", variant).replace("{u}", "remote_u")
            wanted = read_compare.answer(self.db, query, {"t": variant, "u": "remote_u"})
            if isinstance(wanted, list) and variant != "wrong":
                cursor = self.db.execute(sql, query.params)
                self.reading = cursor, cursor.fetchmany(rng.choice([1, 3])), query, wanted

    def check(self, query, variant, counts):
        """The native result; Found if the remote one differs."""
        native = {"t": "native_t", "u": "native_u"}
        wanted = read_compare.answer(self.db, query, native)
        if self.between:
            self.between.active = True
        last = self.requests()
        got = read_compare.answer(self.db, self.rewrite(query), {"t": variant, "u": "remote_u"})
        if self.between:
            self.between.active = False
        if variant == "strict" and isinstance(got, str) and read_compare.MISMATCH in got:
            counts["mismatches"] += 1
            return wanted
        if variant == "dated" and isinstance(got, str) and read_strict.REFUSED.search(got):
            counts["refused"] += 1
            wrong = read_strict.refused_wrongly(got)
            if wrong:
                raise Found(f"{wrong} is refused", query, variant, wanted, got)
            return wanted
        text = read_compare.difference(query, wanted, got, lambda: read_compare.answer(self.db, query, native, False))
        if not text and isinstance(got, list):
            text = self.missed(query, variant, last)
        if text:
            raise Found(text, query, variant, wanted, got)
        return wanted

    def missed(self, query, variant, last):
        """The error that the query should have ended in, though its rows are right; None: there is none."""
        if variant == "dated":
            value = read_strict.accepted(self, query)
            return value and f"not refused: {value}"
        if variant != "strict" or self.changed:
            return None
        self.filters = [text for text, in self.db.execute(
            "SELECT filter FROM aztables_requests WHERE id > ? AND kind <> 'point' AND method = 'GET'", (last,))]
        entity = read_strict.left_out(self, query)
        return entity and f"an entity of another type is left out: {entity}"

    def _begin(self, number):
        """Writes the same rows to both sides, in a transaction that stays open."""
        rng = random.Random(f"{self.name}/{number}/writes")
        self.writing = True
        self.sources = self._sources()
        if rng.random() < 0.8:  # else each statement commits itself
            self.db.execute("BEGIN")
        for _ in range(rng.choice([1, 3, 8, 20])):
            self._write(rng)

    def _go_on(self, number):
        """Sometimes writes more between queries, and rolls part of it back."""
        rng = random.Random(f"{self.name}/{number}/more")
        if rng.random() > 0.15:
            return
        undo = rng.random() < 0.3
        if undo:
            self.db.execute("SAVEPOINT more")
        self._write(rng)
        if undo:
            for table in ("native_t", "pushed"):  # later reads must see other rows
                self.db.execute(f"SELECT count(*) FROM {table}").fetchall()
            self.db.execute("ROLLBACK TO more")
            self.db.execute("RELEASE more")

    def _write(self, rng):
        sql, params = self.write(rng)
        self.changed = True
        for table in ("native_t", "pushed"):
            self.db.execute(sql.replace("{t}", table), params)

    def write(self, rng):
        """A writing statement and its parameters. Its conditions are simple, since queries test
        conditions.
        """
        queries, columns = Queries(rng, self.easy, self.sources, False), self.schema.t.columns
        partition, row = self.sources["t"].columns[:2]
        way = rng.choice(["insert", "insert", "update", "update", "delete"])
        cells = {column: read_values.make_cell(rng, column.kind, self.easy)
                 for column in rng.sample(columns, rng.randint(1, min(4, len(columns))))}
        values = {column.sql: read_values.shown(column.kind, cell) for column, cell in cells.items()}
        if way == "insert":
            key, known = None, "SELECT 1 FROM native_t WHERE (PartitionKey, RowKey) = (?, ?)"
            while not key or self.db.execute(known, key).fetchone():
                new = [*row.values[:1], f"new{rng.randrange(10**6)}", rng.choice(read_values.EDGES)]
                key = rng.choice(partition.values or ("",)), rng.choice(new)
            return (f"INSERT INTO {{t}}(PartitionKey, RowKey, {', '.join(values)}) VALUES (?, ?{', ?' * len(values)})",
                    [*key, *values.values()])
        condition = rng.choice([f"RowKey >= {queries.written(queries.value(row), 0)}",
                                f"PartitionKey = {queries.written(queries.value(partition), 0)}"])
        if way == "delete" or rng.random() < 0.6:
            pairs = rng.sample(self.schema.pairs(), min(rng.choice([1, 2, 5]), len(self.schema.pairs())))
            terms = [f"(PartitionKey = {read_values.literal(one)} AND RowKey = {read_values.literal(two)})"
                     for one, two in pairs]
            condition = " OR ".join(terms) or "0"
        if way == "delete":
            return f"DELETE FROM {{t}} WHERE {condition}", []
        # An ANY column writes a whole number in the type that the property has; a row does not show it (NaN, Boolean).
        anys = {column.sql for column in columns if column.kind == "ANY"}
        values = {name: str(value) if name in anys and read_values.is_whole(value) else value
                  for name, value in values.items()}
        sets = ", ".join(f"{name} = ?" for name in values)
        return f"UPDATE {{t}} SET {sets} WHERE {condition}", list(values.values())

    def _end(self, number):
        if self.db.in_transaction:
            self.db.execute(random.Random(f"{self.name}/{number}/end").choice(["COMMIT", "ROLLBACK"]))
        self.writing = False
        self._timestamps()
        self.sources = self._sources()

    def plan(self, query, variant):
        """EXPLAIN QUERY PLAN of the remote query, as lines."""
        sql = query.text().replace("{t}", variant).replace("{u}", "remote_u")
        try:
            return [f"    {row[3]}" for row in self.db.execute(f"EXPLAIN QUERY PLAN {sql}", query.params)]
        except sqlite3.Error as error:
            return [f"    {error}"]

    def requests(self):
        return self.db.execute("SELECT coalesce(max(id), 0) FROM aztables_requests").fetchone()[0]

    def close(self):
        for end in self.at_close:
            end()
        if self.db.in_transaction:
            self.db.execute("ROLLBACK")
        self.db.close()
