"""The conditions of the oracle of reads (oracle.py): random WHERE trees over the visible columns.

A term has the marks OPEN and CLOSE for the shrinker; SQLite never sees them.
"""

import dataclasses
import functools
import re
import sqlite3

import read_values
from read_operands import LOCAL, NUMERIC_AFFINITY, Operands

OPEN, CLOSE = "\u27e6", "\u27e7"
COMPARE = ["=", "=", "=", "==", "<", "<=", ">", ">=", "<>", "!=", "IS", "IS NOT"]
TEXTS_OF = " WHERE typeof({}) NOT IN ('integer', 'real')"


@functools.cache
def mixes_collations():
    """Whether this SQLite merges equalities of different collations into one list, and so loses
    rows even of ordinary tables with an index: `k = 'a' OR k = 'B' COLLATE NOCASE`.
    """
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE t(k TEXT UNIQUE)")
    db.execute("INSERT INTO t VALUES ('b')")
    rows = db.execute("SELECT k FROM t WHERE k = 'a' OR k = 'B' COLLATE NOCASE").fetchall()
    db.close()
    return not rows


class Terms(Operands):
    """Makes terms."""

    def compare(self, left, column, operators, aliases=()):
        right, numeric = self.operand(column, aliases)
        # If affinities differ, equal values may not be identical.
        self.uneasy |= numeric and column.affinity not in NUMERIC_AFFINITY
        if self.rng.random() < 0.1:
            turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
            operator = self.rng.choice(operators)
            return f"{right} {turned.get(operator, operator)} {left}"
        return f"{left} {self.rng.choice(operators)} {right}"

    def column(self, source):
        columns = source.columns
        if columns[0].kind != "KEY" or self.rng.random() < 0.5:
            return self.rng.choice(columns[1:])
        return self.rng.choice(columns[:2])

    def term(self, alias, source, aliases=(), depth=0):
        """A condition on one table, whose alias is `alias` ('t.' or ''); aliases: other tables,
        (alias, Source).
        """
        rng = self.rng
        remote = source.table != "loc"
        if remote and rng.random() < 0.12:
            return self.compare(f"{alias}PartitionKey", source.columns[0], ["="])
        column = self.column(source)
        name = alias + column.sql
        way = self.one_of(compare=38, between=8, list=10, subquery=4, row=6 if remote else 0, rows=3 if remote else 0,
                          like=10, collate=6, null=5, expression=6, rowid=3 if remote and depth == 0 else 0,
                          exists=3 if depth == 0 else 0, truth=2, columns=2, fixed=6, constant=1)
        easy_range = not (self.easy and column.kind in ("BINARY", "GUID"))  # Azurite does not order these
        if way == "compare":
            return self.compare(name, column, COMPARE if easy_range else ["=", "IS", "<>"], aliases)
        if way == "between" and easy_range:
            low, high = (self.operand(column, aliases) for _ in range(2))
            return f"{name} {rng.choice(['', '', 'NOT '])}BETWEEN {low[0]} AND {high[0]}"
        if way == "list":
            count = rng.choice([0, 1, 1, 2, 2, 3, 4, 6, 15, 30, 60])
            values = ", ".join(self.written(self.value(column), 0.15) for _ in range(count))
            return f"{name} {rng.choice(['', '', '', 'NOT '])}IN ({values})"
        if way == "subquery":
            return f"{name} {rng.choice(['', '', 'NOT '])}IN ({self.keys_of(column, depth)})"
        if way in ("row", "rows"):
            return self.row(alias, source, depth) if way == "row" else self.rows(alias, source, depth)
        if way == "like":
            return self.like(name, column)
        if way == "collate":
            # Not RTRIM in a join: the Bloom filter of 3.40's automatic index distinguishes texts by
            # length.
            collation = rng.choice(["NOCASE", "NOCASE", "BINARY"] + ([] if alias or aliases else ["RTRIM"]))
            value = self.value(column)
            if isinstance(value, str) and rng.random() < 0.8:  # equal under the collation only
                value = value.swapcase() if collation == "NOCASE" else value + " "
            right = self.written(value)
            return rng.choice([f"{name} COLLATE {collation} {rng.choice(COMPARE)} {right}",
                               f"{name} {rng.choice(COMPARE)} {right} COLLATE {collation}",
                               f"{name} COLLATE {collation} IN ({right}, {self.written(self.value(column))})"])
        if way == "null":
            return f"{name} {rng.choice(['IS NULL', 'IS NULL', 'IS NOT NULL', 'NOTNULL', 'ISNULL'])}"
        if way == "expression":
            return self.expression(name, column)
        if way == "rowid":
            return f"{alias}rowid IN (SELECT rowid FROM {{{source.table}}} WHERE {self.term('', source, (), 1)})"
        if way == "exists":
            other = self.sources[rng.choice(["t", "u", "loc"])]
            table = "loc" if other.table == "loc" else f"{{{other.table}}}"
            tie = rng.choice([f"{name} = e.{other.columns[rng.randint(0, 1)].sql}"] * 2 + ["1"])
            self.uneasy |= "= e." in tie
            inner = f"SELECT 1 FROM {table} e WHERE {tie} AND {self.term('e.', other, (), 1)}"
            return f"{rng.choice(['', 'NOT '])}EXISTS ({inner})"
        if way == "truth":
            return rng.choice([name, f"NOT {name}", f"{name} IS TRUE", f"{name} IS NOT FALSE",
                               f"+{name} = {self.written(self.value(column))}"])
        if way == "columns":
            other = rng.choice(source.columns)
            self.uneasy |= other.affinity != column.affinity
            return f"{name} {rng.choice(COMPARE)} {alias}{other.sql}"
        if way == "fixed":
            return self.fixed(alias, source)
        return rng.choice(["1", "0", "NULL", ":none IS NULL"]) if way == "constant" else f"{name} IS NOT NULL"

    def fixed(self, alias, source):
        """A comparison with a column that equals a value. SQLite may replace the column by the
        value. The value then keeps the column's affinity.
        """
        rng = self.rng
        numbers = [column for column in source.columns if column.affinity in NUMERIC_AFFINITY] or source.columns
        other, column = rng.choice(numbers), rng.choice(source.columns[:3])
        self.uneasy |= other.affinity != column.affinity
        name = alias + other.sql
        shown = rng.choice([name, name, name, f"+{name}", f"({name})", f"likely({name})"])
        own = [value for value in other.values if value is not None]
        value = self.written(rng.choice(own) if own and rng.random() < 0.8 else self.value(other))
        same = f"{alias}{column.sql} {rng.choice(COMPARE)} {shown}"
        if rng.random() < 0.2:
            same = f"{shown} BETWEEN {alias}{column.sql} AND {self.written(self.value(other))}"
        return f"({name} = {value} AND {same})" if rng.random() < 0.5 else f"({same} AND {name} = {value})"

    def keys_of(self, column, depth):
        """A subquery with values for IN.

        Left out: a column of numeric affinity of loc for a column without one. For 5 and TEXT,
        SQLite 3.40 finds '05' if it uses no index. It does not find it if it uses an index or a
        virtual table, whose rows do not matter. `(PartitionKey, RowKey) IN (SELECT d, k ...)` and
        `(RowKey, PartitionKey) IN (SELECT k, d ...)` differ on a native table.

        Also left out: numbers in a column without affinity for a TEXT column. They equal none of
        its texts, but are converted to texts for a virtual table.
        """
        rng = self.rng
        if rng.random() < 0.6 or depth:
            where = rng.choice(["", " WHERE k IS NOT NULL", " WHERE n > 0", " WHERE 0", " ORDER BY k LIMIT 2"])
            numeric = column.affinity in NUMERIC_AFFINITY
            name, affinity = rng.choice([found for found in [LOCAL[0]] * 2 + LOCAL if numeric
                                         or found[1] not in NUMERIC_AFFINITY])
            self.uneasy |= affinity != column.affinity
            if column.affinity == "TEXT" and name in "bx":
                where = rng.choice([TEXTS_OF.format(name), TEXTS_OF.format(name) + " AND k IS NOT NULL"])
            # Not for keys: an ordinary table compares them by their own collation in lookups.
            collate = " COLLATE NOCASE" if column.kind != "KEY" and name == "k" and rng.random() < 0.2 else ""
            return f"SELECT {name}{collate} FROM loc{where}"
        source = self.sources[rng.choice("tu")]
        inner = rng.choice([column.sql] if column in source.columns else [source.columns[0].sql, source.columns[1].sql])
        order = rng.choice(["", "", " ORDER BY PartitionKey, RowKey LIMIT 3",
                            " ORDER BY PartitionKey DESC, RowKey DESC LIMIT 2 OFFSET 1"])
        return f"SELECT {inner} FROM {{{source.table}}} WHERE {self.term('', source, (), 1)}{order}"

    def row(self, alias, source, depth):
        """A comparison of row values."""
        rng = self.rng
        three = (*source.columns[:2], rng.choice(source.columns))
        names = list(rng.choice([source.columns[:2]] * 3 + [source.columns[1::-1], three]))
        if self.easy:
            names = names[:2]
        left = "(" + ", ".join(alias + column.sql for column in names) + ")"
        own = rng.choice(self.pairs(source))
        right = ", ".join(self.written(own[at] if at < 2 and names[at].sql == ("PartitionKey", "RowKey")[at]
                                       and rng.random() < 0.7
                                       else self.value(column)) for at, column in enumerate(names))
        operator = rng.choice(["=", "<", "<=", ">", ">=", "<>", "IS", "IS NOT"])
        if rng.random() < 0.1 and not depth:
            columns = ", ".join(column.sql for column in names)
            first = f"SELECT {columns} FROM {{{source.table}}} ORDER BY PartitionKey, RowKey LIMIT 1"
            return f"{left} {operator} ({first})"
        return f"{left} {operator} ({right})"

    @staticmethod
    def pairs(source):
        return list(zip(source.columns[0].values, source.columns[1].values)) or [("a", "b")]

    def rows(self, alias, source, depth):
        """Pairs of keys in a list or a subquery."""
        rng = self.rng
        left = f"({alias}PartitionKey, {alias}RowKey) {rng.choice(['', '', 'NOT '])}IN"
        way = self.one_of(values=5, local=2, remote=0 if depth else 3)
        if way == "values":
            chosen = [(*rng.choice(self.pairs(source)),) for _ in range(rng.choice([1, 2, 5, 20]))]
            pairs = ", ".join(f"({self.written(one, 0.1)}, {self.written(two, 0.1)})" for one, two in chosen)
            return f"{left} (VALUES {pairs})"
        if way == "local":
            name = rng.choice("kbx")
            return f"{left} (SELECT {rng.choice([f'k, {name}', f'{name}, k'])} FROM loc{TEXTS_OF.format(name)})"
        other = self.sources[rng.choice("tu")]
        return f"{left} (SELECT PartitionKey, RowKey FROM {{{other.table}}} WHERE {self.term('', other, (), 1)})"

    def like(self, name, column):
        """LIKE and GLOB with all kinds of prefixes, except for U+FFFD to U+FFFF. These functions
        read all three as U+FFFD, while SQLite's range for a prefix distinguishes them.
        """
        rng = self.rng
        own = rng.choice([value for value in column.values if isinstance(value, str)][:200] or ["abc", "Sha", "5"])
        start = own[:rng.choice([0, 1, 1, 2, 3, 20, len(own)])]
        start = re.sub("[\x00\ufffd-\uffff]", "", start)
        if rng.random() < 0.25:
            operator, many, one = "GLOB", "*", "?"
            end = rng.choice(["*", "*", "*a", "?*", "[a-z]*", "[!a]*", "", "?"])
        else:
            operator, many, one = rng.choice(["LIKE", "LIKE", "LIKE", "NOT LIKE"]), "%", "_"
            start = rng.choice([start, start, start.swapcase(), start.lower()])
            end = rng.choice(["%", "%", "%a", "_%", "", "_", "%%", "%_a%"])
        pattern = rng.choice([start + end] * 6 + [many + start + end, one + start + end, start + end + start])
        escape = ""
        if operator != "GLOB" and rng.random() < 0.25:
            sign = rng.choice(["\\", "!", "%", "é"])
            pattern = start.replace(sign, sign + sign).replace("%", sign + "%").replace("_", sign + "_") + end
            escape = f" ESCAPE {self.written(sign, 0.1)}"
        return f"{name} {operator} {self.written(pattern, 0.2)}{escape}"

    def keyed(self, alias, source):
        """Typical queries: a partition and a range of it, or a range of partitions."""
        rng = self.rng
        partition, row = rng.choice(self.pairs(source))
        rows = [other for one, other in self.pairs(source) if one == partition]
        if rng.random() < 0.25:
            name, own, terms = f"{alias}PartitionKey", list(source.columns[0].values) or ["a"], []
        else:
            name, own, terms = f"{alias}RowKey", rows, [f"{alias}PartitionKey = {self.written(partition)}"]
        low, high = (rng.choice(own) if rng.random() < 0.8 else read_values.near(rng, rng.choice(own))
                     for _ in range(2))
        if low > high:
            low, high = high, low
        way = self.one_of(low=3, high=3, both=3, between=2, list=3, like=2, point=1)
        if way in ("low", "both"):
            terms.append(f"{name} {rng.choice(['>=', '>=', '>'])} {self.written(low)}")
        if way in ("high", "both"):
            terms.append(f"{name} {rng.choice(['<=', '<=', '<'])} {self.written(high)}")
        if way == "between":
            terms.append(f"{name} BETWEEN {self.written(low)} AND {self.written(high)}")
        if way == "list":
            some = [self.written(rng.choice(own), 0.1) for _ in range(rng.choice([1, 2, 3, 5, 20]))]
            terms.append(f"{name} IN ({', '.join(some)})")
        if way == "like":
            terms.append(self.like(name, dataclasses.replace(source.columns[0], values=tuple(own))))
        if way == "point":
            terms.append(f"{name} = {self.written(row if terms else partition)}")
        if rng.random() < 0.3:
            terms.append(self.term(alias, source, (), 1))
        rng.shuffle(terms)
        return " AND ".join(f"{OPEN}{term}{CLOSE}" for term in terms)

    def where(self, alias, source, aliases=(), depth=0):
        """A tree of terms."""
        rng = self.rng
        if rng.random() < (0.2, 0.05, 0)[min(depth, 2)]:
            arms = [self.keyed(alias, source) for _ in range(rng.choice([1, 1, 1, 2, 2, 3]))]
            return OPEN + " OR ".join(f"({arm})" for arm in arms) + CLOSE if len(arms) > 1 else arms[0]
        if depth > 2 or rng.random() < (0.35, 0.5, 0.75)[depth]:
            return OPEN + self.term(alias, source, aliases, 1 if depth > 1 else 0) + CLOSE
        count = rng.choice([2, 2, 2, 3, 3, 2 if depth else 5])
        parts = [self.where(alias, source, aliases, depth + 1) for _ in range(count)]
        operator = rng.choice(["AND", "AND", "OR"])
        if mixes_collations() and any(" COLLATE " in part for part in parts) and "Key" in str(parts):
            operator = "AND"
        joined = f" {operator} ".join(f"({part})" for part in parts)
        return f"{OPEN}NOT ({joined}){CLOSE}" if rng.random() < 0.1 else f"{OPEN}{joined}{CLOSE}"
