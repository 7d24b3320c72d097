"""The statements that the oracle of reads (oracle.py) runs: random SELECTs over {t}, {u} and loc.

A Query says what of its answer is certain: which result columns order it, whether it is cut by a LIMIT, whether one
of several equal values stands for all of them.
"""

import dataclasses

from read_terms import CLOSE, LOCAL, OPEN, Terms

ORDERED = "ORDER BY"


@dataclasses.dataclass
class Query:
    sql: str  # without `limit`
    params: dict
    limit: str = ""
    order: tuple = ()  # of (index of the result column, collation)
    merged: bool = False  # 5 may stand for 5.0, since they are one group

    def text(self, limited=True):
        return (self.sql + (self.limit if limited else "")).replace(OPEN, "").replace(CLOSE, "")


class Queries(Terms):
    """Makes queries; `small`: the tables are small enough to be read again and again within one."""

    def __init__(self, rng, easy, sources, small):
        super().__init__(rng, easy, sources)
        self.small = small
        self.t, self.u, self.loc = sources["t"], sources["u"], sources["loc"]

    def make(self):
        """A query on which SQLite agrees with itself.

        Where a column is equal to something of another affinity, 3.40 takes the column for a constant, or for the same
        as the other, when it sorts or groups, although '5' and '05' are both equal to the number 5.
        """
        while True:
            self.params, self.uneasy = {"none": None}, False
            way = self.one_of(plain=24, ordered=20, limited=5, distinct=7, grouped=8, totals=8, local=9, remote=6, correlated=6, compound=6,
                              cte=4, window=4)
            query = getattr(self, way)()
            sorts = any(word in query.sql for word in (ORDERED, "GROUP BY", "DISTINCT", "OVER", "UNION", "EXCEPT", "INTERSECT", "min(", "max("))
            if not (self.uneasy and sorts):
                return query

    def query(self, sql, **more):
        return Query(sql, self.params, **more)

    def main(self):
        """{t} mostly, {u} now and then."""
        return self.u if self.rng.random() < 0.08 else self.t

    def some_columns(self, source, most=5):
        """Columns for a result; the keys are often among them."""
        rng = self.rng
        if rng.random() < 0.3:
            return list(source.columns[:2])
        if rng.random() < 0.05:
            return list(source.columns)
        if rng.random() < 0.05:
            return [source.columns[-1]]
        columns = rng.sample(source.columns, rng.randint(1, min(most, len(source.columns))))
        return columns if rng.random() < 0.5 else [*source.columns[:2], *columns]

    def result(self, columns, alias=""):
        return ", ".join(alias + column.sql for column in columns)

    def some_limit(self):
        rng = self.rng
        count = rng.choice([0, 1, 1, 2, 3, 10, 50, 1001, -1])
        offset = rng.choice([None, None, None, 0, 1, 2, 40, -1])
        count = self.param(count) if rng.random() < 0.3 else count
        return f" LIMIT {count}" + ("" if offset is None else f" OFFSET {self.param(offset) if rng.random() < 0.3 else offset}")

    def some_order(self, columns, source, alias=""):
        """(ORDER BY, order): mostly a beginning of the key, by columns that are in the result (they are added)."""
        rng = self.rng
        partition, row = source.columns[:2]
        chosen = list(rng.choice([[partition, row]] * 5 + [[partition]] * 2 + [[row], [row, partition], [partition, rng.choice(source.columns), row],
                                                                               [rng.choice(source.columns)], rng.sample(source.columns, min(3, len(source.columns)))]))
        direction = rng.choice(["", "", "", " ASC", " DESC", " DESC", None])
        terms, order = [], []
        for column in chosen:
            if column not in columns:
                columns.append(column)
            collation = rng.choice(["NOCASE", "RTRIM", "BINARY"]) if rng.random() < 0.05 else ""
            way = rng.choice(["", " ASC", " DESC"]) if direction is None else direction
            nulls = rng.choice([" NULLS FIRST", " NULLS LAST"]) if rng.random() < (0.03 if column.kind == "KEY" else 0.3) else ""
            by = str(columns.index(column) + 1) if rng.random() < 0.05 and not collation else alias + column.sql
            terms.append(by + (f" COLLATE {collation}" if collation else "") + way + nulls)
            order.append((columns.index(column), collation))
        return f" ORDER BY {', '.join(terms)}", tuple(order)

    def plain(self):
        source = self.main()
        columns = "*" if self.rng.random() < 0.04 and source.columns[2:3] and source.columns[2].sql == "Timestamp" else self.result(self.some_columns(source))
        if self.rng.random() < 0.1:
            columns += ", " + self.rng.choice([f"typeof({self.column(source).sql})", f"quote({self.column(source).sql})", f"length({self.column(source).sql})"])
        where = f" WHERE {self.where('', source)}" if self.rng.random() < 0.95 else ""
        return self.query(f"SELECT {columns} FROM {{{source.table}}}{where}")

    def ordered(self):
        rng, source = self.rng, self.main()
        columns = self.some_columns(source)
        by, order = self.some_order(columns, source)
        where = self.where("", source)
        if rng.random() < 0.3:  # a partition, as applications ask
            where = f"{OPEN}PartitionKey = {self.written(self.value(source.columns[0]))}{CLOSE} AND ({where})"
        where = f" WHERE {where}" if rng.random() < 0.85 else ""
        limit = self.some_limit() if rng.random() < 0.6 else ""
        return self.query(f"SELECT {self.result(columns)} FROM {{{source.table}}}{where}{by}", limit=limit, order=order)

    def limited(self):
        source = self.main()
        where = f" WHERE {self.where('', source)}" if self.rng.random() < 0.8 else ""
        return self.query(f"SELECT {self.result(self.some_columns(source))} FROM {{{source.table}}}{where}", limit=self.some_limit())

    def distinct(self):
        rng, source = self.rng, self.main()
        columns = list(rng.choice([source.columns[:1]] * 4 + [source.columns[:2], source.columns[1::-1], source.columns[1:2], self.some_columns(source, 3)]))
        order, by = (), ""
        if rng.random() < 0.5:
            order = tuple((at, "") for at in range(len(columns)))[:rng.randint(1, len(columns))]
            way = rng.choice(["", "", " DESC"])
            by = " ORDER BY " + ", ".join(columns[at].sql + way for at, _ in order)
        where = f" WHERE {self.where('', source)}" if rng.random() < 0.6 else ""
        limit = self.some_limit() if rng.random() < 0.2 else ""
        return self.query(f"SELECT DISTINCT {self.result(columns)} FROM {{{source.table}}}{where}{by}", order=order, limit=limit, merged=True)

    def aggregate(self, source, alias=""):
        """An aggregate that does not depend on the order of rows: no sums of REAL, nor those that may overflow."""
        rng = self.rng
        name = alias + rng.choice(source.columns).sql
        ways = ["count(*)", f"count({name})", f"count(DISTINCT {name})", f"min({name})", f"max({name})", f"sum(length({name}))", f"sum({name} IS NULL)",
                f"count(*) FILTER (WHERE {name} IS NOT NULL)", f"min({alias}PartitionKey)", f"max({alias}PartitionKey)", f"max({alias}RowKey)"]
        ways += [f"{rng.choice(['sum', 'total', 'avg'])}({alias}{column.sql})" for column in source.columns if column.kind in ("INT32", "BOOLEAN")][:3]
        return rng.choice(ways)

    def grouped(self):
        rng, source = self.rng, self.main()
        keys = list(rng.choice([source.columns[:1]] * 3 + [source.columns[1:2], source.columns[:2], [rng.choice(source.columns)], self.some_columns(source, 2)]))
        group = self.result(keys)
        where = f" WHERE {self.where('', source)}" if rng.random() < 0.7 else ""
        having = rng.choice(["", "", "", f" HAVING count(*) > {rng.randint(1, 3)}", f" HAVING {keys[0].sql} > {self.written(self.value(keys[0]))}"])
        order = tuple((at, "") for at in range(len(keys))) if rng.random() < 0.3 else ()
        by = f" ORDER BY {group}" if order else ""
        limit = self.some_limit() if order and rng.random() < 0.4 else ""
        return self.query(f"SELECT {group}, {self.aggregate(source)}, {self.aggregate(source)} FROM {{{source.table}}}{where} GROUP BY {group}{having}{by}",
                          order=order, limit=limit, merged=True)

    def totals(self):
        rng, source = self.rng, self.main()
        where = f" WHERE {self.where('', source)}" if rng.random() < 0.8 else ""
        table = f"{{{source.table}}}"
        if rng.random() < 0.15:  # what depends on order is given one
            name = self.column(source).sql
            return self.query(f"SELECT group_concat(quote({name}), '|') FROM (SELECT {name} FROM {table}{where} ORDER BY PartitionKey, RowKey)")
        if rng.random() < 0.15:
            name, limit = self.column(source).sql, self.some_limit()
            return self.query(f"SELECT count(*), count({name}) FROM (SELECT {name} FROM {table}{where} ORDER BY PartitionKey, RowKey{limit})")
        what = ", ".join(self.aggregate(source) for _ in range(rng.choice([1, 1, 1, 2, 3])))
        return self.query(f"SELECT {what} FROM {table}{where}", merged=True)

    def tie(self, left, source, right, other):
        """What joins two tables."""
        rng = self.rng
        one = rng.choice([source.columns[0], source.columns[1], self.column(source)])
        if other.table == "loc":
            two = rng.choice([other.columns[0]] * 4 + list(other.columns))
        else:
            two = next((column for column in other.columns if column.sql == one.sql), other.columns[rng.randint(0, 1)])
        a, b = left + one.sql, right + two.sql
        self.uneasy |= one.affinity != two.affinity
        return rng.choice([f"{a} = {b}"] * 5 + [f"{b} = {a}", f"{a} IS {b}", f"{a} > {b}", f"{a} <= {b}", f"{a} BETWEEN {b} AND {b} || 'z'", f"{a} LIKE {b} || '%'",
                                               f"{left}PartitionKey = {b} AND {left}RowKey >= {b}", f"{left}RowKey = {b} AND {left}PartitionKey < {b}",
                                               f"({left}PartitionKey, {left}RowKey) >= ({b}, {b})", f"{a} IN ({b}, {self.written(self.value(one))})",
                                               f"({a} = {b} OR {left}RowKey = {b})"])

    def local(self):
        """{t} or {u} and loc, in either order."""
        rng, source = self.rng, self.main()
        names = rng.sample([name for name, _ in LOCAL], 2)
        columns = f"l.{names[0]}, l.{names[1]}, " + self.result(self.some_columns(source, 3), "t.")
        on = f"{self.tie('t.', source, 'l.', self.loc)}" + (f" AND {self.where('t.', source, (('l.', self.loc),), 2)}" if rng.random() < 0.6 else "")
        table = f"{{{source.table}}} t"
        joined = rng.choice([f"loc l JOIN {table} ON {on}", f"{table} JOIN loc l ON {on}", f"loc l LEFT JOIN {table} ON {on}", f"{table} LEFT JOIN loc l ON {on}",
                             f"loc l CROSS JOIN {table} WHERE {on}", f"{table} CROSS JOIN loc l WHERE {on}", f"{table}, loc l WHERE {on}"])
        if "WHERE" not in joined and rng.random() < 0.3:
            joined += f" WHERE {self.where('t.', source, (('l.', self.loc),), 1)}"
        return self.query(f"SELECT {columns} FROM {joined}", **self.cut())

    def cut(self):
        return {"limit": self.some_limit()} if self.rng.random() < 0.08 else {}

    def remote(self):
        """Two remote tables, or one twice, or three tables; the outer ones are cut where the tables are large."""
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
        elif rng.random() < 0.1:  # Timestamp would be common to all
            sql = (f"SELECT * FROM (SELECT PartitionKey, RowKey FROM {{{one.table}}}) NATURAL {rng.choice(['', 'LEFT '])}JOIN "
                   f"(SELECT PartitionKey, RowKey FROM {{{two.table}}})")
            return self.query(sql)
        else:
            sql = f"SELECT {columns} FROM {outer} {kind} {inner} ON {self.tie('b.', two, 'a.', one)}"
        if rng.random() < 0.25:
            sql += f" {rng.choice(['JOIN', 'LEFT JOIN'])} loc l ON l.k = {rng.choice(['a', 'b'])}.{rng.choice(['PartitionKey', 'RowKey'])}"
        sql += f" WHERE {self.where('b.', two, (('a.', one),), 1)}"
        if rng.random() < 0.5 or one is self.t and two is self.t:
            sql += f" AND a.PartitionKey = {self.written(self.value(one.columns[0]))}"
        return self.query(sql, **self.cut())

    def correlated(self):
        """Subqueries that are run for each row of loc, or of {u}."""
        rng, source = self.rng, self.main()
        name = "l." + rng.choice(["k", "k", "k", "d", "x", "n"])
        self.uneasy |= name != "l.k"
        key = rng.choice(["PartitionKey", "RowKey"])
        where = f"{key} = {name} AND {self.where('', source, (('l.', self.loc),), 1)}"
        table = f"{{{source.table}}}"
        return self.query(rng.choice([
            f"SELECT {name}, (SELECT {self.aggregate(source)} FROM {table} WHERE {where}) FROM loc l",
            f"SELECT {name}, (SELECT RowKey FROM {table} WHERE {where} ORDER BY PartitionKey, RowKey LIMIT 1) FROM loc l",
            f"SELECT {name}, (SELECT max({key}) FROM {table} WHERE {key} < {name}) FROM loc l",
            f"SELECT l.k FROM loc l WHERE {rng.choice(['', 'NOT '])}EXISTS (SELECT 1 FROM {table} WHERE {where})",
            f"SELECT l.k FROM loc l WHERE {name} {rng.choice(['', 'NOT '])}IN (SELECT {key} FROM {table} WHERE {self.where('', source, (), 1)})",
            f"SELECT a.PartitionKey, a.RowKey, (SELECT count(*) FROM {table} b WHERE b.PartitionKey = a.PartitionKey AND b.RowKey < a.RowKey) FROM {{u}} a",
        ]), merged=True)

    def compound(self):
        rng = self.rng
        parts, width = [], rng.choice([1, 1, 2])
        for _ in range(rng.choice([2, 2, 3])):
            source = self.rng.choice([self.t, self.t, self.u])
            chosen = source.columns[:2] if width == 2 else [rng.choice([*source.columns[:2], self.column(source)])]
            parts.append(f"SELECT {self.result(chosen)} FROM {{{source.table}}} WHERE {self.where('', source, (), 1)}")
        if rng.random() < 0.2:
            parts.append("SELECT k" + ", n" * (width - 1) + " FROM loc")
        sql = parts[0]
        for part in parts[1:]:
            sql += f" {rng.choice(['UNION', 'UNION ALL', 'UNION ALL', 'EXCEPT', 'INTERSECT'])} {part}"
        order = tuple((at, "") for at in range(width)) if rng.random() < 0.5 else ()
        by = f" ORDER BY {', '.join(str(at + 1) + rng.choice(['', ' DESC']) for at, _ in order)}" if order else ""
        return self.query(sql + by, order=order, limit=self.some_limit() if rng.random() < 0.4 else "", merged=True)

    def cte(self):
        rng, source = self.rng, self.main()
        columns = self.result(source.columns[:2]) + ", " + rng.choice(source.columns[2:] or source.columns).sql + " AS c"
        hint = rng.choice(["", "MATERIALIZED ", "NOT MATERIALIZED "])
        w = f"WITH w AS {hint}(SELECT {columns} FROM {{{source.table}}} WHERE {self.where('', source, (), 1)}) "
        again = f"SELECT a.PartitionKey, b.RowKey FROM w a JOIN w b ON a.PartitionKey = b.PartitionKey AND a.RowKey < b.RowKey WHERE a.PartitionKey = {self.written(self.value(source.columns[0]))}"
        return self.query(w + rng.choice([
            "SELECT PartitionKey, RowKey, c FROM w", "SELECT count(*), count(c) FROM w", f"SELECT RowKey, c FROM w WHERE {self.where('', source.key_only(), (), 1)}",
            "SELECT w.RowKey, l.k FROM w JOIN loc l ON l.k = w.RowKey", "SELECT PartitionKey FROM w UNION ALL SELECT RowKey FROM w",
            *([again] if self.small else [])]))

    def window(self):
        rng, source = self.rng, self.main()
        numbers = [column.sql for column in source.columns if column.kind in ("INT32", "BOOLEAN")]
        name = self.column(source).sql
        what = rng.choice(["row_number() OVER (ORDER BY PartitionKey, RowKey)", "lag(RowKey) OVER (ORDER BY PartitionKey, RowKey)",
                           "row_number() OVER (PARTITION BY PartitionKey ORDER BY RowKey DESC)", f"rank() OVER (PARTITION BY PartitionKey ORDER BY {name})",
                           "first_value(RowKey) OVER (PARTITION BY PartitionKey ORDER BY RowKey)", f"count({name}) OVER (PARTITION BY PartitionKey)",
                           f"sum({rng.choice(numbers or ['1'])}) OVER (PARTITION BY PartitionKey ORDER BY RowKey)"])
        return self.query(f"SELECT PartitionKey, RowKey, {what} FROM {{{source.table}}} WHERE {self.where('', source, (), 1)}")
