"""The tables of the oracle of reads (oracle.py): random schemas, their rows and declarations.

Two remote tables, t and u, share keys. Besides native twins there are several virtual tables over t
with other options.
"""

import dataclasses
import random

import read_values
from read_values import AFFINITY, TYPES

NAMES = ["N", "S", "Name", "wert", "a b", "select", "é", "Order", "x_1", "_y", "Key", "T", "group", "value", "Row"]
REMOTE = ["Other", "other", "OTHER", "_z", "Länge", "x1", "eq", "Value", "value", "PartitionKey2", "Timestamp2"]


@dataclasses.dataclass(frozen=True)
class Column:
    name: str
    kind: str
    remote: str

    @property
    def sql(self):
        bare = self.name.isidentifier() and self.name.lower() not in ("select", "order", "group")
        return self.name if bare else f'"{self.name}"'

    def declared(self):
        return f"{self.sql} {self.kind}" + ("" if self.remote == self.name else f" PROPERTY '{self.remote}'")


@dataclasses.dataclass
class Table:
    """A remote table: `columns` after the keys, `rows` of (PartitionKey, RowKey, cells)."""
    name: str
    columns: list
    rows: list
    mixed: bool  # whether a property's type may differ from the column's

    def native(self, name):
        columns = "".join(f", {column.sql} {AFFINITY[column.kind]}" for column in self.columns)
        return (f"CREATE TABLE {name}(PartitionKey TEXT NOT NULL, RowKey TEXT NOT NULL, Timestamp TEXT{columns}, "
                "PRIMARY KEY (PartitionKey, RowKey))")

    def declared(self, columns=None):
        columns = self.columns if columns is None else columns
        return "".join(f", {column.declared()}" for column in columns)

    def native_rows(self):
        for partition, row, cells in self.rows:
            shown = (read_values.shown(column.kind, cell) for column, cell in zip(self.columns, cells))
            yield partition, row, None, *shown

    def entity_rows(self):
        for partition, row, cells in self.rows:
            yield partition, row, read_values.entity_text(zip((column.remote for column in self.columns), cells))


class Schema:
    """The tables of a round, made from its random numbers; easy: only what Azurite supports."""

    def __init__(self, rng, easy, most_rows):
        self.easy = easy
        self.mixed = not easy and rng.random() < 0.4
        self.narrow = random.Random(rng.getstate()[1][1])  # selects numbers with a narrower type than their column
        count = rng.choice([1, 2, 3, 4, 5, 6, 8, 12]) if rng.random() < 0.92 else rng.randint(58, 72)
        columns = self._columns(rng, count, rng.random() < 0.5)
        size = rng.choice([20, 50, 80, 120, 150, 200, 300]) if rng.random() < 0.95 else 3000
        size = min(size, most_rows)
        partitions = read_values.make_keys(rng, rng.choice([1, 3, 8, 15, 25]))
        weights = None
        if size == 3000:
            partitions = partitions[:4]
            weights = rng.choice([None, [1, 20, 1, 1], [100, 10, 3, 1]])
        rows = read_values.make_keys(rng, max(size // len(partitions) * 2, 30))
        self.t = Table("t", columns, self._rows(rng, columns, partitions, rows, size, self.mixed, weights),
                       self.mixed)
        if size == 3000 or rng.random() < 0.1:
            self._keep_in_part(rng)
        other, count = self._columns(rng, rng.randint(1, 4), False), rng.choice([0, 8, 25])
        shared = partitions[:6] + ["only u"], rows[:12] + ["only u"]
        self.u = Table("u", other, self._rows(rng, other, *shared, count, False), False)
        self.local = self._local(rng, partitions, rows)

    def _columns(self, rng, count, mapped):
        names = rng.sample(NAMES, min(count, rng.randint(0, 6)))
        names += [f"P{number}" for number in range(count - len(names))]
        rng.shuffle(names)
        # Azurite reads a property with an operator's name as the operator.
        remotes = [name for name in REMOTE if name != "eq" or not self.easy]
        columns = []
        for name in names:
            # An invalid property name needs a mapping.
            remote = name if name.isidentifier() and not mapped else f"Q{len(columns)}"
            if mapped and remotes and rng.random() < 0.4:
                remote = remotes.pop(rng.randrange(len(remotes)))
            columns.append(Column(name, rng.choice(TYPES + ["ANY"]), remote))
        if mapped and len(columns) > 1:  # swaps the names
            one, two = rng.sample(range(len(columns)), 2)
            if all(columns[at].name.isidentifier() and columns[at].name not in {column.remote for column in columns}
                   for at in (one, two)):
                columns[one] = dataclasses.replace(columns[one], remote=columns[two].name)
                columns[two] = dataclasses.replace(columns[two], remote=columns[one].name)
        return columns

    def _rows(self, rng, columns, partitions, keys, count, mixed, weights=None):
        chosen = {}
        for _ in range(count):
            partition = rng.choices(partitions, weights and weights[:len(partitions)])[0]
            chosen[partition, rng.choice(keys)] = None
        absent = rng.choice([0.05, 0.2, 0.2, 0.6])
        wrong = rng.choice([0.03, 0.2]) if mixed else 0
        return [(*key, tuple(self._cell(rng, column.kind, absent, wrong) for column in columns)) for key in chosen]

    def _keep_in_part(self, rng):
        """Removes most properties from all rows of t but a range of their order, so that conditions find no row in many
        pages.
        """
        order = sorted(range(len(self.t.rows)), key=lambda at: self.t.rows[at][:2])
        width = len(order) // rng.choice([3, 10, 50])
        begin = rng.choice([0, len(order) // 2, len(order) - width])
        kept = set(order[begin:begin + width])
        lost = [rng.random() < 0.8 for _ in self.t.columns]
        for at, (partition, row, cells) in enumerate(self.t.rows):
            if at not in kept:
                cells = tuple(None if gone else cell for gone, cell in zip(lost, cells))
                self.t.rows[at] = partition, row, cells

    def _cell(self, rng, kind, absent, wrong):
        if rng.random() < absent:
            return None
        if wrong and rng.random() < wrong:
            return read_values.make_cell(rng, rng.choice(TYPES[:-1]), False)
        cell = read_values.make_cell(rng, kind, self.easy)
        narrower = read_values.NARROWER.get(kind)
        if narrower and not self.easy and self.narrow.random() < 0.3:
            other = read_values.make_cell(self.narrow, self.narrow.choice(narrower), False)
            return cell if read_values.shown(kind, other) is None else other
        return cell

    def _local(self, rng, partitions, rows):
        """Rows of loc(k TEXT, n INTEGER, r REAL, d DATE, b BLOB, x): every affinity; some values
        are keys.
        """
        found = []
        keys = partitions + rows
        for _ in range(rng.choice([0, 3, 6, 9])):
            value = rng.choice([None, rng.choice(rows), read_values.any_value(rng, self.easy)])
            found.append((rng.choice([None, rng.choice(partitions), rng.choice(rows), rng.choice(rows)]),
                          rng.choice([None, 0, 1, 5, 10, -1, 2**53 + 1, 2**63 - 1]),
                          rng.choice([None, 0.5, 5.0, 1e300, -1.0]),
                          rng.choice([None, rng.choice(keys), "2024-01-01", "5", "05", 5, 0.5]),
                          rng.choice([None, rng.choice(keys), b"A", b"", 5]), value))
        return found

    def inferable(self):
        """Whether inferred columns can equal the declared ones."""
        return all(column.name == column.remote for column in self.t.columns)

    def pairs(self):
        return [(row[0], row[1]) for row in self.t.rows]
