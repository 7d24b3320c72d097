"""The comparisons of the oracle of writes (write_oracle.py): a side's rows with the model's.

Difference describes a result that the model does not allow. If an INSERT OR IGNORE may have met a
row that only the service knows, either row may be shown until COMMIT.
"""

import write_model
from write_schema import holds
from write_sides import Failed


class Difference(Exception):
    """The side and the model differ; the text describes it."""


def same(a, b):
    """Whether rows are equal, types included."""
    return a == b and repr(a) == repr(b)


class Checks:
    """The comparisons of a Round (write_runner.py), which has side, model, generator, schema, rng,
    kinds and counts.
    """

    @staticmethod
    def attempt(action):
        """The Failed of an action, or None if it succeeds."""
        try:
            action()
        except Failed as error:
            return error
        return None

    def compare(self, sql, params=(), where=""):
        """A statement with this condition must have the same rows or error code on both sides;
        returns the rows.
        """
        rows = wanted = failed = code = None
        try:
            wanted = self.model.execute(sql, params)
        except write_model.sqlite3.Error as error:
            failed = error.sqlite_errorcode
        try:
            rows = self.side.run(sql, params)
        except Failed as error:
            code = error
        self.say(sql.format(**self.side.names), params, str(code or ""))
        self.model.learn(where, params)
        if failed != (code and code.code):
            raise Difference(f"{sql} {params}: {code or 'it succeeded'}; native: {failed or 'it succeeds'}")
        if rows is not None and not same(rows, wanted) and not self.lenient(rows, wanted):
            missing = [row for row in wanted if repr(row) not in map(repr, rows)]
            more = [row for row in rows if repr(row) not in map(repr, wanted)]
            raise Difference(f"{sql} {params}: {len(rows)} rows, native: {len(wanted)}\n  native alone: {missing}\n"
                             f"  side alone:   {more}" + ("" if missing or more else f"\n  order: {rows}\n  native: {wanted}"))
        return rows

    def lenient(self, rows, wanted):
        """Whether rows differ only as allowed; read() sets it for the current query."""
        if not self.reading or not self.model.alt or len(rows) != len(wanted):
            return False
        columns = [name for name, _ in self.reading.every]
        places = [columns.index(name) for name, _ in self.reading.columns]
        for row, native in zip(rows, wanted):
            other = self.model.alt.get((self.reading.remote, *native[:2]))
            if not same(row, native) and (
                    other is None or not same(row, (*native[:2], *(other[2 + place] for place in places)))):
                return False
        return True

    reading = None

    def read(self, target, where="true", params=(), tail=""):
        """Reads rows of a table with their keys on both sides."""
        self.counts["reads"] += 1
        self.reading = target
        rows = self.compare(f"SELECT {target.listed()} FROM {{{target.name}}} WHERE {where} "
                            f"ORDER BY PartitionKey, RowKey{tail}", params, where + tail)
        self.reading = None
        keys = [(target.remote, *row[:2]) for row in rows or ()]
        self.model.learn(where + tail, params, keys)
        self.model.note_read(keys)

    def check_all(self):
        """A transaction that sees everything starts with a read of every row."""
        for target in self.schema.targets:
            if self.sighted and target.name != "v2":
                self.do("read", target)

    def check_some(self):
        """After a statement of a transaction: reads everything, in varying ways; if blind, little.
        """
        rng, (v1, v2, w) = self.rng, self.schema.targets
        if self.sighted:
            self.do("read", v1 if rng.random() < 0.8 else v2)
            if rng.random() < 0.25:
                self.do("read", w)
        if rng.random() > 0.3 or "read" not in self.kinds:
            return
        target = rng.choice([v1, v2])
        # A property of an `alt` row may have either of two values.
        by_keys = self.model.alt or rng.random() < 0.4
        where, params = self.generator.key_condition() if by_keys else self.generator.condition(target)
        dice = rng.random()
        if dice < 0.5:
            self.do("read", target, where, params)
        elif dice < 0.65:
            self.do("read", target, where, params, rng.choice([" LIMIT 3", " LIMIT 2 OFFSET 1", " LIMIT 0"]))
        elif dice < 0.8 and self.sighted:  # a blind transaction would read their keys
            self.do("compare", f"SELECT count(*), min(RowKey), max(PartitionKey) FROM {{{target.name}}} WHERE {where}", params)
        elif self.sighted and not self.model.alt:
            self.do("compare", "SELECT a.PartitionKey, a.RowKey, b.RowKey, lk FROM {v1} a JOIN {v2} b ON a.PartitionKey = "
                    "b.PartitionKey AND a.RowKey < b.RowKey LEFT JOIN loc ON lk = b.RowKey ORDER BY 1, 2, 3")
        elif self.sighted:
            where, params = self.generator.key_condition()
            self.do("read", w, where, params)

    def check_open(self):
        if self.side.db.in_transaction != self.model.open:
            raise Difference(f"in a transaction: {self.side.db.in_transaction}, native: {self.model.open}")

    def check_remote(self):
        """Another connection reads the committed rows."""
        for remote in (0, 1):
            got, wanted = self.side.remote(remote), self.model.base[remote]
            if not same(sorted(got.items()), sorted(wanted.items())):
                names = {key for key in {*got, *wanted} if not same(got.get(key), wanted.get(key))}
                lines = "".join(f"\n  {key}: remote {got.get(key)}, committed {wanted.get(key)}" for key in sorted(names))
                raise Difference(f"remote rows of table {remote}:{lines}")

    types = None

    def note_types(self):
        """Records which numbers have a narrower type than their column."""
        self.types = self.side.types()

    def check_types(self, draft):
        """After a single statement: an UPDATE has kept the narrower types of fitting values."""
        if not self.types or draft.verb != "update" or "_entity" in draft.sql or {"PartitionKey", "RowKey"} & set(draft.columns):
            return
        now = self.side.types()
        for target, before, after in zip(self.schema.remotes, self.types, now):
            places, rows = {name: place for place, (name, _) in enumerate(target.every, 2)}, self.model.base[target.remote]
            for (key, name), kind in before.items():
                value = rows[key][places[name]]
                kept = value is not None and holds(kind, value)
                self.counts["kept types"] += kept and name in draft.columns
                if after.get((key, name)) != (kind if kept else None):
                    raise Difference(f"table {target.remote}, {key}: {name} = {value} was {kind} and is {after.get((key, name))}")

    def check_local(self):
        self.compare("SELECT * FROM loc ORDER BY lk")
