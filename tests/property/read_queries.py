"""The queries of the oracle of reads (oracle.py): random SELECTs over {t}, {u} and loc."""

from read_joins import Joins
from read_terms import CLOSE, COMPARE, OPEN

SORTING = ("ORDER BY", "GROUP BY", "DISTINCT", "OVER", "UNION", "EXCEPT", "INTERSECT", "min(", "max(")


class Queries(Joins):
    """Makes queries."""

    def make(self):
        """A query on which SQLite is consistent.

        A column may equal a value of another affinity. When SQLite 3.40 sorts or groups, it then
        treats the column as constant, or as equal to another column. But '5' and '05' both equal
        the number 5.
        """
        while True:
            self.params, self.uneasy = {"none": None}, False
            way = self.one_of(plain=24, ordered=20, limited=5, distinct=7, grouped=8, totals=8, local=9, remote=6,
                              correlated=6, compound=6, cte=4, window=4)
            query = getattr(self, way)()
            sorts = any(word in query.sql for word in SORTING)
            if not (self.uneasy and sorts):
                return query

    def judged(self):
        """A query of the form that read_strict judges."""
        rng, source = self.rng, self.sources["t"]
        self.params, self.uneasy = {"none": None}, False
        terms = []
        for _ in range(rng.choice([1, 1, 2, 2, 3])):
            column = rng.choice(source.columns) if rng.random() < 0.8 else self.column(source)
            values = [self.written(self.value(column)) for _ in range(3)]
            terms.append(OPEN + rng.choice([f"{column.sql} {rng.choice(COMPARE)} {values[0]}"] * 4 + [
                f"{column.sql} BETWEEN {values[0]} AND {values[1]}", f"{column.sql} IN ({', '.join(values)})",
                self.like(column.sql, column), f"{column.sql} IS NOT NULL"]) + CLOSE)
        what = rng.choice(["count(*)", "RowKey", self.result(self.some_columns(source))])
        return self.query(f"SELECT {what} FROM {{t}} WHERE {' AND '.join(terms)}")

    def some_order(self, columns, source, alias=""):
        """(ORDER BY, order): often a prefix of the key. Ordering columns are added to the result.
        """
        rng = self.rng
        partition, row = source.columns[:2]
        other = rng.choice(source.columns)
        some = rng.sample(source.columns, min(3, len(source.columns)))
        chosen = list(rng.choice([[partition, row]] * 5 + [[partition]] * 2 +
                                 [[row], [row, partition], [partition, other, row], [other], some]))
        direction = rng.choice(["", "", "", " ASC", " DESC", " DESC", None])
        terms, order = [], []
        for column in chosen:
            if column not in columns:
                columns.append(column)
            collation = rng.choice(["NOCASE", "RTRIM", "BINARY"]) if rng.random() < 0.05 else ""
            way = rng.choice(["", " ASC", " DESC"]) if direction is None else direction
            odd = rng.random() < (0.03 if column.kind == "KEY" else 0.3)
            nulls = rng.choice([" NULLS FIRST", " NULLS LAST"]) if odd else ""
            by = str(columns.index(column) + 1) if rng.random() < 0.05 and not collation else alias + column.sql
            terms.append(by + (f" COLLATE {collation}" if collation else "") + way + nulls)
            order.append((columns.index(column), collation))
        return f" ORDER BY {', '.join(terms)}", tuple(order)

    def plain(self):
        source = self.main()
        columns = self.result(self.some_columns(source))
        if self.rng.random() < 0.04 and [column.sql for column in source.columns[2:3]] == ["Timestamp"]:
            columns = "*"
        if self.rng.random() < 0.1:
            columns += ", " + self.rng.choice([f"typeof({self.column(source).sql})",
                                               f"quote({self.column(source).sql})",
                                               f"length({self.column(source).sql})"])
        where = f" WHERE {self.where('', source)}" if self.rng.random() < 0.95 else ""
        return self.query(f"SELECT {columns} FROM {{{source.table}}}{where}")

    def ordered(self):
        rng, source = self.rng, self.main()
        columns = self.some_columns(source)
        by, order = self.some_order(columns, source)
        where = self.where("", source)
        if rng.random() < 0.3:  # a partition, as in applications
            where = f"{OPEN}PartitionKey = {self.written(self.value(source.columns[0]))}{CLOSE} AND ({where})"
        where = f" WHERE {where}" if rng.random() < 0.85 else ""
        limit = self.some_limit() if rng.random() < 0.6 else ""
        return self.query(f"SELECT {self.result(columns)} FROM {{{source.table}}}{where}{by}", limit=limit, order=order)

    def limited(self):
        source = self.main()
        where = f" WHERE {self.where('', source)}" if self.rng.random() < 0.8 else ""
        return self.query(f"SELECT {self.result(self.some_columns(source))} FROM {{{source.table}}}{where}",
                          limit=self.some_limit())

    def distinct(self):
        rng, source = self.rng, self.main()
        other = [source.columns[:2], source.columns[1::-1], source.columns[1:2], self.some_columns(source, 3)]
        columns = list(rng.choice([source.columns[:1]] * 4 + other))
        order, by = (), ""
        if rng.random() < 0.5:
            order = tuple((at, "") for at in range(len(columns)))[:rng.randint(1, len(columns))]
            way = rng.choice(["", "", " DESC"])
            by = " ORDER BY " + ", ".join(columns[at].sql + way for at, _ in order)
        where = f" WHERE {self.where('', source)}" if rng.random() < 0.6 else ""
        limit = self.some_limit() if rng.random() < 0.2 else ""
        return self.query(f"SELECT DISTINCT {self.result(columns)} FROM {{{source.table}}}{where}{by}", order=order,
                          limit=limit, merged=True)

    def grouped(self):
        rng, source = self.rng, self.main()
        other = [source.columns[1:2], source.columns[:2], [rng.choice(source.columns)], self.some_columns(source, 2)]
        keys = list(rng.choice([source.columns[:1]] * 3 + other))
        group = self.result(keys)
        where = f" WHERE {self.where('', source)}" if rng.random() < 0.7 else ""
        having = rng.choice(["", "", "", f" HAVING count(*) > {rng.randint(1, 3)}",
                             f" HAVING {keys[0].sql} > {self.written(self.value(keys[0]))}"])
        order = tuple((at, "") for at in range(len(keys))) if rng.random() < 0.3 else ()
        by = f" ORDER BY {group}" if order else ""
        limit = self.some_limit() if order and rng.random() < 0.4 else ""
        what = group + ("" if rng.random() < 0.2 else f", {self.aggregate(source)}, {self.aggregate(source)}")
        return self.query(f"SELECT {what} FROM {{{source.table}}}{where} GROUP BY {group}{having}{by}",
                          order=order, limit=limit, merged=True)

    def totals(self):
        rng, source = self.rng, self.main()
        where = f" WHERE {self.where('', source)}" if rng.random() < 0.8 else ""
        table = f"{{{source.table}}}"
        if rng.random() < 0.15:  # order-dependent, so it gets an order
            name = self.column(source).sql
            inner = f"SELECT {name} FROM {table}{where} ORDER BY PartitionKey, RowKey"
            return self.query(f"SELECT group_concat(quote({name}), '|') FROM ({inner})")
        if rng.random() < 0.15:
            name, limit = self.column(source).sql, self.some_limit()
            inner = f"SELECT {name} FROM {table}{where} ORDER BY PartitionKey, RowKey{limit}"
            return self.query(f"SELECT count(*), count({name}) FROM ({inner})")
        what = ", ".join(self.aggregate(source) for _ in range(rng.choice([1, 1, 1, 2, 3])))
        if rng.random() < 0.15:  # it needs an order
            what = f"{rng.choice(['min', 'max'])}({self.column(source).sql})"
        return self.query(f"SELECT {what} FROM {table}{where}", merged=True)

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
        columns = f"PartitionKey, RowKey, {rng.choice(source.columns[2:] or source.columns).sql} AS c"
        hint = rng.choice(["", "MATERIALIZED ", "NOT MATERIALIZED "])
        w = f"WITH w AS {hint}(SELECT {columns} FROM {{{source.table}}} WHERE {self.where('', source, (), 1)}) "
        again = ("SELECT a.PartitionKey, b.RowKey FROM w a JOIN w b ON a.PartitionKey = b.PartitionKey "
                 f"AND a.RowKey < b.RowKey WHERE a.PartitionKey = {self.written(self.value(source.columns[0]))}")
        return self.query(w + rng.choice([
            "SELECT PartitionKey, RowKey, c FROM w", "SELECT count(*), count(c) FROM w",
            f"SELECT RowKey, c FROM w WHERE {self.where('', source.key_only(), (), 2)}",
            "SELECT w.RowKey, l.k FROM w JOIN loc l ON l.k = w.RowKey",
            "SELECT PartitionKey FROM w UNION ALL SELECT RowKey FROM w",
            *([again] if self.small else [])]))

    def window(self):
        rng, source = self.rng, self.main()
        numbers = [column.sql for column in source.columns if column.kind in ("INT32", "BOOLEAN")]
        name = self.column(source).sql
        what = rng.choice(["row_number() OVER (ORDER BY PartitionKey, RowKey)",
                           "lag(RowKey) OVER (ORDER BY PartitionKey, RowKey)",
                           "row_number() OVER (PARTITION BY PartitionKey ORDER BY RowKey DESC)",
                           f"rank() OVER (PARTITION BY PartitionKey ORDER BY {name})",
                           "first_value(RowKey) OVER (PARTITION BY PartitionKey ORDER BY RowKey)",
                           f"count({name}) OVER (PARTITION BY PartitionKey)",
                           f"sum({rng.choice(numbers or ['1'])}) OVER (PARTITION BY PartitionKey ORDER BY RowKey)"])
        where = self.where("", source, (), 1)
        return self.query(f"SELECT PartitionKey, RowKey, {what} FROM {{{source.table}}} WHERE {where}")
