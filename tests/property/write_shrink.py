"""Reduces a difference of the oracle of writes (write_oracle.py).

It repeats the transaction on fresh tables with the initial rows, and removes statements, rows, and
rows of INSERTs as long as the difference stays.
"""

import itertools
import sqlite3

from write_checks import Difference
from write_runner import COUNTS
from write_sides import Failed

_numbers = itertools.count(1_000_000)  # for names of remote tables
MOST_TRIES = 600


class Replay:
    """The transaction `ops` on tables with the initial rows `base` and `local`. The kind of Round
    is a second base class.
    """

    def __init__(self, schema, make_side, base, local):  # pylint: disable=super-init-not-called
        self.schema, self.kinds, self.counts = schema, (), dict.fromkeys(COUNTS, 0)
        self._open(make_side, next(_numbers))
        for remote, rows in enumerate(base):
            self.model.replace(remote, rows)
        self.model.base = self.model.both()
        self.side.fill(self.model.base)
        for db in (self.model.db, self.side.db):
            db.executemany("INSERT INTO loc VALUES (?, ?, ?)", local)

    def differs(self, ops):
        """The text of these calls' difference, or None."""
        try:
            for name, arguments in ops:
                getattr(self, name)(*arguments)
        except Difference as difference:
            return str(difference)
        except (LookupError, ValueError, AssertionError, sqlite3.Error, Failed):
            return None  # the rest of the transaction is not valid
        finally:
            self.close()
        return None


class Shrinker:
    """Tries smaller ones; `best` is (ops, base, local, text, log)."""

    def __init__(self, found, make_side):
        self.schema, self.make_side, self.tries, self.best = found.schema, make_side, 0, None
        base, local = found.start
        self.replay = type("ReplayOf", (Replay, type(found)), {})
        self.attempt(list(found.ops), base, local)

    def attempt(self, ops, base, local):
        if self.tries >= MOST_TRIES:
            return False
        self.tries += 1
        replay = self.replay(self.schema, self.make_side, base, local)
        text = replay.differs(ops)
        if text:
            self.best = (ops, base, local, text, replay.log)
        return bool(text)

    def run(self):
        """The text to print, or None if the transaction alone shows no difference."""
        while self.best and any([self._fewer_ops(), self._fewer_rows(), self._fewer_values()]):
            pass
        if not self.best:
            return None
        _, base, local, text, log = self.best
        rows = "".join(f"  table {remote}: {row}\n" for remote in (0, 1) for row in base[remote].values())
        return f"made small, in {self.tries} tries, from\n{rows}  loc: {local}\n" + "\n".join(log) + f"\n{text}"

    def _fewer_ops(self):
        shrunk = False
        for at in reversed(range(len(self.best[0]))):
            ops, base, local = self.best[:3]
            shrunk = self.attempt(ops[:at] + ops[at + 1:], base, local) or shrunk
        return shrunk

    def _fewer_rows(self):
        shrunk = False
        for remote in (0, 1):
            size = len(self.best[1][remote])
            while size:
                for at in range(0, len(self.best[1][remote]), size):
                    ops, base, local = self.best[:3]
                    keys = sorted(base[remote])
                    kept = {key: base[remote][key] for key in keys[:at] + keys[at + size:]}
                    smaller = [kept if number == remote else rows for number, rows in enumerate(base)]
                    if len(kept) < len(keys):
                        shrunk = self.attempt(ops, smaller, local) or shrunk
                size //= 2
        if self.best[2]:
            shrunk = self.attempt(self.best[0], self.best[1], []) or shrunk
        return shrunk

    def _fewer_values(self):
        shrunk = False
        for at, (name, arguments) in enumerate(self.best[0]):
            draft = arguments[0] if name == "again" else None
            for number in reversed(range(len(draft.values) if draft and draft.values else 0)):
                ops, base, local = self.best[:3]
                draft = ops[at][1][0]
                if len(draft.values) > 1:
                    smaller = [*ops[:at], ("again", (draft.without(number),)), *ops[at + 1:]]
                    shrunk = self.attempt(smaller, base, local) or shrunk
        return shrunk
