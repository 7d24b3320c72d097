"""Statements of the oracle of reads (oracle.py) over several tables, and the parts of all
statements.
"""

from read_compare import Query
from read_operands import LOCAL
from read_terms import Terms


class Joins(Terms):
    """Makes joins. `small`: the tables are small enough for repeated reads within a join."""

    def __init__(self, rng, easy, sources, small):
        super().__init__(rng, easy, sources)
        self.small = small
        self.t, self.u, self.loc = sources["t"], sources["u"], sources["loc"]

    def query(self, sql, **more):
        return Query(sql, self.params, **more)

    def main(self):
        """{t} mostly, {u} sometimes."""
        return self.u if self.rng.random() < 0.08 else self.t

    def result(self, columns, alias=""):
        return ", ".join(alias + column.sql for column in columns)

    def some_columns(self, source, most=5):
        """Columns of a result; the keys are often included."""
        rng = self.rng
        if rng.random() < 0.3:
            return list(source.columns[:2])
        if rng.random() < 0.05:
            return list(source.columns)
        if rng.random() < 0.05:
            return [source.columns[-1]]
        columns = rng.sample(source.columns, rng.randint(1, min(most, len(source.columns))))
        return columns if rng.random() < 0.5 else [*source.columns[:2], *columns]

    def some_limit(self):
        rng = self.rng
        count = rng.choice([0, 1, 1, 2, 3, 10, 50, 1001, -1])
        offset = rng.choice([None, None, None, 0, 1, 2, 40, -1])
        count = self.param(count) if rng.random() < 0.3 else count
        return f" LIMIT {count}" + ("" if offset is None
                                    else f" OFFSET {self.param(offset) if rng.random() < 0.3 else offset}")

    def cut(self):
        return {"limit": self.some_limit()} if self.rng.random() < 0.08 else {}

    def aggregate(self, source, alias=""):
        """An aggregate that does not depend on row order: no sums of REAL, and none that may
        overflow.
        """
        rng = self.rng
        name = alias + rng.choice(source.columns).sql
        ways = ["count(*)", f"count({name})", f"count(DISTINCT {name})", f"min({name})", f"max({name})",
                f"sum(length({name}))", f"sum({name} IS NULL)",
                f"count(*) FILTER (WHERE {name} IS NOT NULL)", f"min({alias}PartitionKey)", f"max({alias}PartitionKey)",
                f"max({alias}RowKey)"]
        ways += [f"{rng.choice(['sum', 'total', 'avg'])}({alias}{column.sql})" for column in source.columns
                 if column.kind in ("INT32", "BOOLEAN")][:3]
        return rng.choice(ways)

    def tie(self, left, source, right, other):
        """The condition that joins two tables."""
        rng = self.rng
        one = rng.choice([source.columns[0], source.columns[1], self.column(source)])
        if other.table == "loc":
            two = rng.choice([other.columns[0]] * 4 + list(other.columns))
        else:
            two = next((column for column in other.columns if column.sql == one.sql), other.columns[rng.randint(0, 1)])
        a, b = left + one.sql, right + two.sql
        self.uneasy |= one.affinity != two.affinity
        return rng.choice([f"{a} = {b}"] * 5 + [f"{b} = {a}", f"{a} IS {b}", f"{a} > {b}", f"{a} <= {b}",
                                                f"{a} BETWEEN {b} AND {b} || 'z'", f"{a} LIKE {b} || '%'",
                                               f"{left}PartitionKey = {b} AND {left}RowKey >= {b}",
                                               f"{left}RowKey = {b} AND {left}PartitionKey < {b}",
                                               f"({left}PartitionKey, {left}RowKey) >= ({b}, {b})",
                                               f"{a} IN ({b}, {self.written(self.value(one))})",
                                               f"({a} = {b} OR {left}RowKey = {b})",
                                               self.pinned(a, b, two)])

    def pinned(self, a, b, two):
        """Equalities in which SQLite may replace a column by a parameter with the column's
        affinity.
        """
        value = self.param(self.value(two)) if self.rng.random() < 0.8 else self.written(self.value(two))
        return f"{b} = {value} AND {a} {self.rng.choice(['<', '<=', '>', '>=', '=', 'IS'])} {b}"

    def local(self):
        """{t} or {u} and loc, in either order."""
        rng, source = self.rng, self.main()
        names = rng.sample([name for name, _ in LOCAL], 2)
        columns = f"l.{names[0]}, l.{names[1]}, " + self.result(self.some_columns(source, 3), "t.")
        on = self.tie("t.", source, "l.", self.loc)
        if rng.random() < 0.6:
            on += f" AND {self.where('t.', source, (('l.', self.loc),), 2)}"
        table = f"{{{source.table}}} t"
        joined = rng.choice([f"loc l JOIN {table} ON {on}", f"{table} JOIN loc l ON {on}",
                             f"loc l LEFT JOIN {table} ON {on}", f"{table} LEFT JOIN loc l ON {on}",
                             f"loc l CROSS JOIN {table} WHERE {on}", f"{table} CROSS JOIN loc l WHERE {on}",
                             f"{table}, loc l WHERE {on}"])
        if "WHERE" not in joined and rng.random() < 0.3:
            joined += f" WHERE {self.where('t.', source, (('l.', self.loc),), 1)}"
        return self.query(f"SELECT {columns} FROM {joined}", **self.cut())

    def remote(self):
        """Two remote tables, one table twice, or three tables. Large outer tables are limited."""
        rng = self.rng
        one, two = rng.choice([(self.t, self.u), (self.u, self.t), (self.u, self.u), (self.t, self.t)])
        if not self.small or rng.random() < 0.3:
            outer = f"(SELECT * FROM {{{one.table}}} ORDER BY PartitionKey, RowKey LIMIT 5) a"
        else:
            outer = f"{{{one.table}}} a"
        inner = f"{{{two.table}}} b"
        columns = self.result(self.some_columns(one, 2), "a.") + ", " + self.result(self.some_columns(two, 2), "b.")
        kind = rng.choice(["JOIN", "JOIN", "LEFT JOIN", "CROSS JOIN"])
        if rng.random() < 0.35:
            using = rng.choice(["PartitionKey, RowKey", "PartitionKey", "RowKey"])
            sql = f"SELECT {columns} FROM {outer} {kind} {inner} USING ({using})"
        elif rng.random() < 0.1:  # all would have Timestamp in common
            kind = rng.choice(["JOIN", "LEFT JOIN"])
            sql = (f"SELECT * FROM (SELECT PartitionKey, RowKey FROM {{{one.table}}}) NATURAL {kind} "
                   f"(SELECT PartitionKey, RowKey FROM {{{two.table}}})")
            return self.query(sql)
        else:
            sql = f"SELECT {columns} FROM {outer} {kind} {inner} ON {self.tie('b.', two, 'a.', one)}"
        if rng.random() < 0.25:
            key = rng.choice(["a.PartitionKey", "a.RowKey", "b.PartitionKey", "b.RowKey"])
            sql += f" {rng.choice(['JOIN', 'LEFT JOIN'])} loc l ON l.k = {key}"
        sql += f" WHERE {self.where('b.', two, (('a.', one),), 1)}"
        if rng.random() < 0.5 or one is self.t and two is self.t:
            sql += f" AND a.PartitionKey = {self.written(self.value(one.columns[0]))}"
        return self.query(sql, **self.cut())

    def correlated(self):
        """Subqueries that run for each row of loc or of {u}."""
        rng, source = self.rng, self.main()
        name = "l." + rng.choice(["k", "k", "k", "d", "x", "n"])
        self.uneasy |= name != "l.k"
        key = rng.choice(["PartitionKey", "RowKey"])
        where = f"{key} = {name} AND {self.where('', source, (('l.', self.loc),), 1)}"
        alone = self.where("", source, (), 1)
        within = rng.choice(["IN", "NOT IN"])
        table = f"{{{source.table}}}"
        return self.query(rng.choice([
            f"SELECT {name}, (SELECT {self.aggregate(source)} FROM {table} WHERE {where}) FROM loc l",
            f"SELECT {name}, (SELECT RowKey FROM {table} WHERE {where} ORDER BY PartitionKey, RowKey LIMIT 1) "
            "FROM loc l",
            f"SELECT {name}, (SELECT max({key}) FROM {table} WHERE {key} < {name}) FROM loc l",
            f"SELECT l.k FROM loc l WHERE {rng.choice(['', 'NOT '])}EXISTS (SELECT 1 FROM {table} WHERE {where})",
            f"SELECT l.k FROM loc l WHERE {name} {within} (SELECT {key} FROM {table} WHERE {alone})",
            f"SELECT a.PartitionKey, a.RowKey, (SELECT count(*) FROM {table} b WHERE b.PartitionKey = a.PartitionKey "
            "AND b.RowKey < a.RowKey) FROM {u} a",
        ]), merged=True)
