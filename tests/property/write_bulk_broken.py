"""The sides of the self-check of the oracle of writes (write_oracle.py) for bulk=on: a right one,
and wrong ones.

FlushingSide has native tables and the rows that were sent. Each of the others breaks one rule.
"""

from write_sides import Failed, NativeSide


class FlushingSide(NativeSide):
    """Sends pending writes after every second statement, and one row of a failing statement."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.sent = [{}, {}]
        self.done = [{}, {}]  # the rows that the side considers sent
        self.began = [{}, {}]  # the sent rows at the start of the transaction
        self.entries, self.saved, self.statements, self.earlier = [], [], 0, None

    def fill(self, both):
        super().fill(both)
        self.sent, self.done, self.began = self.both(), self.both(), self.both()

    def changes(self):
        return None

    def remote(self, number):
        return dict(self.sent[number])

    def commits(self):
        return len(self.entries)

    def told(self, mark):
        return self.entries[mark:]

    def both(self):
        return [{row[:2]: row for row in self.db.execute(sql)} for sql in self.reading]

    def put(self, rows, remote, key, row):
        """Gives an entity this row in `rows`; None: in the native tables."""
        if rows is None:
            self.db.execute(f"DELETE FROM n{remote + 1} WHERE PartitionKey = ? AND RowKey = ?", key)
            if row is not None:
                self.db.execute(f"INSERT INTO n{remote + 1} VALUES ({', '.join('?' * len(row))})", row)
        elif row is None:
            rows[remote].pop(key, None)
        else:
            rows[remote][key] = row

    @staticmethod
    def differing(old, new):
        return [key for key in sorted(old.keys() | new.keys()) if repr(old.get(key)) != repr(new.get(key))]

    def tell(self, remote, keys):
        for partition in sorted({key[0] for key in keys}):
            self.entries.append((remote, partition, "applied", sum(key[0] == partition for key in keys)))

    def send(self, remote):
        """Sends the pending writes of a remote table."""
        now = self.both()[remote]
        keys = self.differing(self.done[remote], now)
        for key in keys:
            self.put(self.sent, remote, key, now.get(key))
            self.put(self.done, remote, key, now.get(key))
        self.tell(remote, keys)
        return keys

    def may_send(self, draft):
        """Whether a statement may send: not an UPDATE ... FROM, and not if a table without bulk
        participates.
        """
        joins = draft.verb == "update" and " FROM loc WHERE" in draft.sql
        return not joins and not (self.schema.without_bulk and draft.target.remote == 0)

    def write(self, draft, forecast):
        self.earlier = self.both()
        try:
            super().write(draft, forecast)
        except Failed:
            if forecast.versions and self.may_send(draft):
                (remote, *key), row = forecast.versions[0]
                self.failed(remote, tuple(key), row)
            self.ended()
            raise
        self.statements += 1
        if not self.db.in_transaction:
            self.send(draft.target.remote)
            self.ended()
        elif self.statements % 2 and self.may_send(draft):
            self.send(draft.target.remote)

    def failed(self, remote, key, row):
        """A statement was undone after it sent this row."""
        self.put(None, remote, key, row)
        if repr(self.sent[remote].get(key)) != repr(row):
            self.put(self.sent, remote, key, row)
            self.put(self.done, remote, key, row)
            self.tell(remote, [key])

    def take_back(self, then):
        """Native tables have undone the writes since the sent rows were `then`. Sent rows stay."""
        for remote in (0, 1):
            for key in self.differing(then[remote], self.sent[remote]):
                self.put(None, remote, key, self.sent[remote].get(key))

    def ended(self):
        """If no transaction is open, native tables get the sent rows."""
        if self.db.in_transaction:
            return
        now = self.both()
        for remote in (0, 1):
            for key in self.differing(now[remote], self.sent[remote]):
                self.put(None, remote, key, self.sent[remote].get(key))
        self.saved, self.began, self.done = [], self.both(), self.both()

    def roll_back(self):
        self.run("ROLLBACK")

    def roll_back_to(self, sql, then):
        self.run(sql)
        self.take_back(then)

    def transact(self, sql):
        words = sql.split()
        at = max((i for i, entry in enumerate(self.saved) if entry[0] == words[-1]), default=None)
        if sql.startswith("ROLLBACK TO"):
            del self.saved[at + 1:]
            self.roll_back_to(sql, self.saved[at][1])
        elif sql == "ROLLBACK":
            self.roll_back()
        else:
            self.run(sql)
        if words[0] == "SAVEPOINT":
            self.saved.append((words[1], [dict(rows) for rows in self.sent]))
        elif words[0] == "RELEASE":
            del self.saved[at:]
        if not self.db.in_transaction and sql != "ROLLBACK":
            self.send(0)
            self.send(1)
        self.ended()


class LosesSentRow(FlushingSide):
    """One of a statement's sent rows is lost."""

    def send(self, remote):
        before = dict(self.sent[remote])
        keys = super().send(remote)
        if keys and self.db.in_transaction:
            self.put(self.sent, remote, keys[-1], before.get(keys[-1]))
        return keys


class SendsOldValue(FlushingSide):
    """A row is sent with its value from before the last change."""

    def send(self, remote):
        before = dict(self.sent[remote])
        keys = super().send(remote)
        for key in keys:
            old = self.earlier[remote].get(key)
            if self.db.in_transaction and old and repr(old) != repr(before.get(key)):
                self.put(self.sent, remote, key, old)
        return keys


class SendsTwice(FlushingSide):
    """A statement sends its rows twice."""

    def send(self, remote):
        keys = super().send(remote)
        if self.db.in_transaction:
            self.tell(remote, keys)
        return keys


class SendsInSilence(FlushingSide):
    """A statement's sent writes are not reported."""

    def tell(self, remote, keys):
        if not self.db.in_transaction:
            super().tell(remote, keys)


class HeldIsSent(FlushingSide):
    """A statement sends when it must not."""

    def may_send(self, draft):
        return True


class RollbackTakesBack(FlushingSide):
    """ROLLBACK undoes sent rows, too."""

    def roll_back(self):
        self.sent = self.began
        super().roll_back()


class RollbackSends(FlushingSide):
    """ROLLBACK sends pending writes."""

    def roll_back(self):
        self.send(0)
        super().roll_back()


class RollbackToKeeps(FlushingSide):
    """ROLLBACK TO keeps unsent writes."""

    def roll_back_to(self, sql, then):
        pass


class RollbackToDropsSent(FlushingSide):
    """Sent rows are invisible after ROLLBACK TO."""

    def take_back(self, then):
        pass


class RollbackToDropsAll(FlushingSide):
    """ROLLBACK TO also drops writes that were pending at the savepoint."""

    def roll_back_to(self, sql, then):
        super().roll_back_to(sql, then)
        self.take_back(self.both())


class FailureKeeps(FlushingSide):
    """A row of a failed statement stays in the transaction although it was not sent."""

    def failed(self, remote, key, row):
        if self.db.in_transaction:
            self.put(None, remote, key, row)
        else:
            super().failed(remote, key, row)


class FailureDropsEarlier(FlushingSide):
    """A failing statement also drops earlier pending writes."""

    def failed(self, remote, key, row):
        super().failed(remote, key, row)
        self.take_back(self.both())


class SentIsOld(FlushingSide):
    """The transaction sees the old state of a row that it has sent."""

    def send(self, remote):
        before = dict(self.done[remote])
        keys = super().send(remote)
        if keys and self.db.in_transaction:
            self.put(None, remote, keys[0], before.get(keys[0]))
            self.put(self.done, remote, keys[0], before.get(keys[0]))
        return keys


BROKEN = [LosesSentRow, SendsOldValue, SendsTwice, SendsInSilence, HeldIsSent, RollbackTakesBack, RollbackSends, RollbackToKeeps,
          RollbackToDropsSent, RollbackToDropsAll, FailureKeeps, FailureDropsEarlier, SentIsOld]
