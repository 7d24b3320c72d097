"""The generator of the oracle of writes (write_oracle.py): random INSERT, UPDATE and DELETE
statements.

A Draft is a statement template: {v1}, {v2} and {w} are the tables, {or} is the conflict clause. It
has one form for virtual tables and one for native ones. Its preview is a query over native tables
for the rows that it would write. write_model.py determines whether it may run and what it must do.
"""

import dataclasses

import write_schema
from write_schema import INTEGERS

KINDS = ("insert", "copy", "clauses", "update", "from", "move", "entity", "delete", "limit", "bad", "begin",
         "savepoint", "read", "second", "local", "bulk", "conflict")
CLAUSES = ["REPLACE", "REPLACE", "IGNORE", "IGNORE", "FAIL", "ABORT", "ROLLBACK"]


@dataclasses.dataclass
class Draft:
    """A statement; see above. `columns` are those that it writes, including keys."""
    verb: str
    target: write_schema.Target
    columns: list
    sql: str
    params: list
    native_sql: str = None
    native_params: list = None
    clause: str = ""
    values: list = None  # for INSERT ... VALUES: rows of raw values, in the order of columns
    preview: str = None  # else: a query of keys (last for an INSERT) and new values of `columns`
    preview_params: list = dataclasses.field(default_factory=list)
    where: str = ""  # its condition and LIMIT

    def __post_init__(self):
        self.native_sql = self.native_sql or self.sql
        self.native_params = self.params if self.native_params is None else self.native_params

    def with_clause(self, clause):
        return dataclasses.replace(self, clause=clause)

    def without(self, number):
        """An INSERT ... VALUES without this row."""
        width, row = len(self.columns), ", (" + ", ".join("?" * len(self.columns)) + ")"
        cut = slice(number * width, (number + 1) * width)
        raw, shown = list(self.params), list(self.native_params)
        del raw[cut], shown[cut]
        sql = self.sql[:-len(row)]
        return dataclasses.replace(self, sql=sql, native_sql=sql, params=raw, native_params=shown,
                                   values=self.values[:number] + self.values[number + 1:])


class Generator:
    """Makes drafts for a schema, of the wanted kinds of statements."""
    many = 0.01  # the share of statements with more rows than an EGT holds

    def __init__(self, rng, schema, kinds):
        self.rng, self.schema, self.kinds = rng, schema, kinds
        self.existing = []  # keys that conditions prefer
        self.conflicts = []  # keys that the transaction has inserted although they exist

    def has(self, kind, share):
        return kind in self.kinds and self.rng.random() < share

    def target(self):
        v1, v2, w = self.schema.targets
        if self.has("second", 0.12):
            return w
        return v2 if self.rng.random() < 0.3 else v1

    def clause(self):
        return self.rng.choice(CLAUSES) if self.has("clauses", 0.45) else ""

    def draft(self):
        """A random statement that writes remote tables."""
        makers = [("insert", 5, self.insert), ("copy", 2, self.copy), ("update", 4, self.update),
                  ("from", 1, self.update_from), ("move", 2, self.move), ("delete", 2, self.delete),
                  ("entity", 1, self.entity)]
        if self.has("bulk", self.many) or (len(self.existing) > 150 and self.has("bulk", 0.1)):
            return self.bulk()
        makers = [maker for maker in makers if maker[0] in self.kinds]
        changes = [maker for maker in makers if maker[0] in ("update", "from", "move", "delete", "entity")]
        if self.conflicts and changes and self.rng.random() < 0.7:
            makers = changes
        return self.rng.choices([make for _, _, make in makers], [weight for _, weight, _ in makers])[0]()

    def key(self):
        return self.rng.choice(self.schema.partitions), self.rng.choice(self.schema.rows)

    def met(self):
        """A key, preferably an existing one, or one of a conflict."""
        if self.conflicts and self.rng.random() < 0.8:
            return self.rng.choice(self.conflicts)
        return self.rng.choice(self.existing) if self.existing and self.rng.random() < 0.8 else self.key()

    def conflict(self):
        """INSERT ... VALUES of an existing row, and perhaps of others."""
        key = self.rng.choice(self.existing) if self.existing else self.key()
        return self.insert(target=self.schema.targets[self.rng.choice([0, 0, 1])], first=key).with_clause("")

    def insert(self, avoid=(), target=None, first=None):
        """INSERT ... VALUES of one or many rows, none with a key of `avoid`; perhaps with an
        invalid value or key.
        """
        rng, target = self.rng, target or self.target()
        columns = [column for column in target.columns if rng.random() < 0.8]
        keys = [self.key() for _ in range(rng.choice([1, 1, 1, 2, 3, 6, 12]))]
        keys[0] = first or keys[0]
        keys = [key for key in keys if (target.remote, *key) not in avoid]
        if not keys:
            return None
        raw, shown = [], []
        for key in keys:
            pairs = [write_schema.value(rng, kind) for _, kind in columns]
            raw.append([*key, *(pair[0] for pair in pairs)])
            shown.append([*key, *(pair[1] for pair in pairs)])
        if self.has("bad", 0.06):
            at, column = rng.randrange(len(keys)), rng.randrange(len(columns) + 2)
            bad = None if column < 2 else write_schema.bad_value(rng, columns[column - 2][1])
            raw[at][column] = shown[at][column] = bad
        names = ["PartitionKey", "RowKey", *(name for name, _ in columns)]
        rows = ", ".join([f"({', '.join('?' * len(names))})"] * len(keys))
        sql = f"INSERT{{or}} INTO {{{target.name}}}({', '.join(names)}) VALUES {rows}"
        return Draft("insert", target, names, sql, sum(raw, []), native_params=sum(shown, []), clause=self.clause(),
                     values=raw)

    def copy(self):
        """INSERT ... SELECT from the same table, from the other view of it, or from the other
        table.
        """
        rng, target, source = self.rng, self.target(), self.target()
        names, texts, params = ["PartitionKey", "RowKey"], [], []
        for key, pool in (("PartitionKey", self.schema.partitions), ("RowKey", self.schema.rows)):
            if rng.random() < 0.4:
                texts.append("?")
                params.append(rng.choice(pool))
            else:
                texts.append(rng.choice([key, key, f"{key} || 'x'", f"'n' || {key}", "lower(RowKey)"]))
        for name, kind in target.columns:
            same = [column for column, other in source.columns if other == kind]
            if same and rng.random() < 0.8:
                names.append(name)
                texts.append(rng.choice(same))
            elif kind == "STRING":
                names.append(name)
                texts.append(rng.choice(["RowKey", "5", "'s' || PartitionKey", "NULL"]))
        where, more = self.condition(source)
        end = f"FROM {{{source.name}}} WHERE {where} ORDER BY +PartitionKey, RowKey"
        if rng.random() < 0.3:
            end += f" LIMIT {rng.randint(0, 5)}"
        selected = ", ".join(texts)
        return Draft("insert", target, names,
                     f"INSERT{{or}} INTO {{{target.name}}}({', '.join(names)}) SELECT {selected} {end}", params + more,
                     clause=self.clause(), preview=f"SELECT {selected}, {source.remote}, PartitionKey, RowKey {end}",
                     preview_params=params + more)

    def entity(self):
        """Uses _entity: a lossless copy, or a change of one property."""
        rng, schema = self.rng, self.schema
        if rng.random() < 0.5:
            target, source = schema.targets[rng.randrange(2)], schema.targets[rng.randrange(2)]
            where, params = self.condition(source)
            new_row = rng.choice(["RowKey || 'e'", "RowKey", "'e' || RowKey"])
            every = [name for name, _ in target.every]
            end = f"FROM {{{source.name}}} WHERE {where} ORDER BY +PartitionKey, RowKey"
            selected = f"PartitionKey, {new_row}, {', '.join(every)}"
            return Draft(
                "insert", target, ["PartitionKey", "RowKey", *every],
                f"INSERT{{or}} INTO {{{target.name}}}(PartitionKey, RowKey, _entity) SELECT PartitionKey, {new_row}, _entity {end}",
                params, native_sql=f"INSERT{{or}} INTO {{v1}}(PartitionKey, RowKey, {', '.join(every)}) SELECT {selected} {end}",
                clause=self.clause(), preview=f"SELECT {selected}, 0, PartitionKey, RowKey {end}", preview_params=params)
        target = schema.targets[rng.randrange(2)]
        name, kind = rng.choice(target.every)
        raw, shown = write_schema.value(rng, kind)
        while kind == "ANY" and raw is None:
            raw, shown = write_schema.value(rng, kind)
        typed = "" if kind == "ANY" else f", '{kind}'"
        if kind == "ANY":  # the name of such a value's type in aztables_set
            typed = {int: ", 'INT64'", float: ", 'DOUBLE'", str: ", 'STRING'", bytes: ", 'BINARY'"}[type(raw)]
        where, params = self.condition(target)
        return Draft("update", target, [name],
                     f"UPDATE {{{target.name}}} SET _entity = aztables_set(_entity, '{name}', ?{typed}) WHERE {where}",
                     [raw, *params], native_sql=f"UPDATE {{v1}} SET {name} = ? WHERE {where}", native_params=[shown, *params],
                     preview=f"SELECT PartitionKey, RowKey, ? FROM {{v1}} WHERE {where}", preview_params=[shown, *params],
                     where=where)

    def bulk(self):
        """More entities of one partition than an EGT takes; or, if they exist, their deletion."""
        v1, partition = self.schema.targets[0], self.rng.choice(self.schema.partitions)
        if len(self.existing) > 150:
            end = "FROM {v1} WHERE RowKey >= 'n000' AND RowKey < 'n9999'"
            return Draft("delete", v1, [], f"DELETE {end}", [], preview=f"SELECT PartitionKey, RowKey {end}", where=end)
        numbers = f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {self.rng.randint(90, 220)}) "
        return Draft("insert", v1, ["PartitionKey", "RowKey"],
                     f"INSERT{{or}} INTO {{v1}}(PartitionKey, RowKey) {numbers} SELECT ?, printf('n%04d', i) FROM n", [partition],
                     preview=f"{numbers} SELECT ?, printf('n%04d', i), -1, '', '' FROM n", preview_params=[partition],
                     clause=self.clause())

    def expression(self, target, name, kind):
        """(SQL, raw parameters, shown parameters) of a new value of a column."""
        rng = self.rng
        if rng.random() < 0.55:
            if self.has("bad", 0.04):
                bad = write_schema.bad_value(rng, kind)
                return "?", [bad], [bad]
            raw, shown = write_schema.value(rng, kind)
            return "?", [raw], [shown]
        whole = [column for column, other in target.columns if other in INTEGERS or other == "BOOLEAN"] or ["3"]
        if kind in INTEGERS:
            forms = [f"{name} + 1", f"-{name}", f"{rng.choice(whole)}", f"coalesce({name}, 4)", f"{name} / 2", "length(RowKey)",
                     f"{name} * 1.0 / 1.0" if kind == "INT32" else f"{name} % 7"]
        elif kind == "DOUBLE":
            forms = [f"{name} + 0.5", f"{name} / 2", "length(RowKey)", f"coalesce({name}, 1)", f"-{name} + 0.25"]
        elif kind == "STRING":
            forms = [f"{name} || 'x'", "RowKey", "PartitionKey || RowKey", rng.choice(whole), f"upper({name})", f"substr({name}, 2)"]
        elif kind == "BOOLEAN":
            forms = [f"1 - {name}", f"{name} IS NULL", f"NOT {name}", "RowKey > 'a'"]
        elif kind == "ANY":
            forms = [name, rng.choice(whole), f"CASE WHEN typeof({name}) = 'integer' THEN {name} / 2 ELSE 0.5 END", "'t' || RowKey"]
        else:
            same = [column for column, other in target.columns if other == kind]
            forms = [rng.choice(same), "NULL"]
        return rng.choice(forms), [], []

    def _update(self, target, sets, source="", condition=None, tail="", clause=""):
        """UPDATE with `sets` of (column, SQL, raw, shown)."""
        where, params = condition or self.condition(target)
        raw, shown = sum((s[2] for s in sets), []), sum((s[3] for s in sets), [])
        table, keys = f"{{{target.name}}}", "PartitionKey, RowKey"
        native = [f"kept({s[0]}, {s[1]})" if target.type_of(s[0]) == "ANY" else s[1] for s in sets]
        sql, native_sql = (f"UPDATE{{or}} {table} SET {', '.join(f'{s[0]} = {value}' for s, value in zip(sets, values))}"
                           f"{' FROM ' + source if source else ''} WHERE {where}{tail}" for values in ([s[1] for s in sets], native))
        joined = f", {source}" if source else ""
        return Draft("update", target, [s[0] for s in sets], sql, raw + params, native_sql=native_sql,
                     native_params=shown + params, clause=clause,
                     preview=f"SELECT {keys}, {', '.join(native)} FROM {table}{joined} WHERE {where}{tail}",
                     preview_params=raw + params, where=where + tail)

    def sets(self, target):
        chosen = self.rng.sample(target.columns, self.rng.randint(1, min(3, len(target.columns))))
        return [(name, *self.expression(target, name, kind)) for name, kind in chosen]

    def tail(self):
        """Limits some statements, in a total order."""
        down, offset = self.rng.choice(["", " DESC"]), self.rng.choice(["", "", " OFFSET 1"])
        return "" if not self.has("limit", 0.15) else f" ORDER BY PartitionKey{down}, RowKey{down} LIMIT {self.rng.randint(0, 5)}{offset}"

    def update(self):
        target = self.target()
        return self._update(target, self.sets(target), tail=self.tail(), clause=self.clause())

    def update_from(self):
        """UPDATE ... FROM the local table, of which at most one row matches each row."""
        rng, target = self.rng, self.target()
        name, kind = rng.choice(target.columns)
        forms = {"STRING": "ls", "DOUBLE": "ln", "ANY": "ln"}
        text = forms.get(kind, "ln % 2" if kind in (*INTEGERS, "BOOLEAN") else "NULL")
        where, params = self.condition(target) if rng.random() < 0.5 else ("true", [])
        where = f"{rng.choice(['PartitionKey', 'RowKey', 'RowKey'])} = lk AND ({where})"
        return self._update(target, [(name, text, [], [])], source="loc", condition=(where, params))

    def move(self):
        """UPDATE of RowKey, of PartitionKey, or of both, often with other columns."""
        rng, target, sets = self.rng, self.target(), []
        which = rng.choice([("RowKey",), ("RowKey",), ("PartitionKey",), ("PartitionKey", "RowKey")])
        for key in which:
            if self.has("bad", 0.04):
                sets.append((key, "?", [None], [None]))
            elif rng.random() < 0.6:
                new = rng.choice(self.schema.rows if key == "RowKey" else self.schema.partitions)
                sets.append((key, "?", [new], [new]))
            else:
                sets.append((key, rng.choice([f"{key} || 'x'", f"'m' || {key}", key, f"substr({key}, 1, 1)"]), [], []))
        if rng.random() < 0.4:
            sets += self.sets(target)
        one = rng.random() < 0.5
        condition = ("PartitionKey = ? AND RowKey = ?", list(self.met())) if one else None
        return self._update(target, sets, condition=condition, tail="" if one else self.tail(), clause=self.clause())

    def delete(self):
        target = self.target()
        where, params = self.condition(target)
        where += self.tail()
        end = f"FROM {{{target.name}}} WHERE {where}"
        return Draft("delete", target, [], f"DELETE {end}", params, preview=f"SELECT PartitionKey, RowKey {end}",
                     preview_params=params, where=where)

    def key_condition(self):
        """A condition on keys only: a point, a partition, ranges."""
        rng, (partition, row) = self.rng, self.met()
        return rng.choice([
            ("PartitionKey = ? AND RowKey = ?", [partition, row]), ("PartitionKey = ?", [partition]),
            ("PartitionKey = ? AND RowKey >= ?", [partition, row]), ("RowKey = ?", [row]), ("PartitionKey > ?", [partition]),
            ("PartitionKey = ? AND RowKey BETWEEN ? AND ?", [partition, row, rng.choice(self.schema.rows)]),
            ("RowKey < ?", [row]), ("RowKey IN (?, ?)", [row, rng.choice(self.schema.rows)]), ("true", [])])

    def condition(self, target):
        """Any condition on rows of the target, with its parameters."""
        rng = self.rng
        if self.conflicts and rng.random() < 0.3:
            return "PartitionKey = ? AND RowKey = ?", list(rng.choice(self.conflicts))
        dice = rng.random()
        if dice < 0.5:
            return self.key_condition()
        if dice < 0.65:
            (left, a), (right, b) = self.condition(target), self.condition(target)
            words = ["AND"] if "SELECT min(" in left + right else ["AND", "AND", "OR"]  # after OR it is requested late
            return f"({left}) {rng.choice(words)} ({right})", a + b
        if dice < 0.72:
            return rng.choice(["RowKey IN (SELECT lk FROM loc)", "PartitionKey < (SELECT max(lk) FROM loc)",
                               f"RowKey > (SELECT min(RowKey) FROM {{{target.name}}})", "PartitionKey LIKE '%a%'"]), []
        name, kind = rng.choice(target.columns)
        if dice < 0.8:
            return f"{name} IS {rng.choice(['', 'NOT '])}NULL", []
        return f"{name} {rng.choice(['=', '<', '>=', '<>', 'IS'])} ?", [write_schema.plain_value(rng, kind)]

    def local(self):
        """(SQL, parameters) of a statement that writes the local table."""
        rng = self.rng
        key = rng.choice(self.schema.rows + self.schema.partitions)
        return rng.choice([
            ("INSERT OR REPLACE INTO loc VALUES (?, ?, ?)", [key, rng.randint(-3, 9), rng.choice(["l", "m", ""])]),
            ("UPDATE loc SET ln = ln + 1 WHERE lk >= ?", [key]), ("DELETE FROM loc WHERE lk = ?", [key]),
            ("INSERT INTO loc VALUES (?, 1, 'fails')", [key])])
