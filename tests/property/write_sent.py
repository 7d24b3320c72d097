"""Checks of the oracle of writes (write_oracle.py) for rows that are sent while statements run
(write_bulk.py): how the remote entities change, the rows of aztables_commits, and the state after
an undo.
"""

from write_checks import Difference, same


class Sent:
    """A part of BulkRound, which has side, model, schema, counts. sent: the remote rows at the last
    read. versions, left: the transaction's writes, and the keys that it left. mark, heard: the end
    of the known rows of aztables_commits.
    """
    sent, versions, left, mark, heard = None, (), (), None, 0

    def hear(self):
        """The new rows of aztables_commits for the transaction; None: the side does not report
        them.
        """
        told = self.side.told(self.mark)
        if told is None:
            return None
        new, self.heard = told[self.heard:], len(told)
        if any(outcome == "unknown" for _, _, outcome, _ in new):
            raise Difference(f"the outcome unknown: {new}")
        for place in {entry[:2] for entry in told}:
            operations = sum(entry[3] for entry in told if entry[:2] == place and entry[2] == "applied")
            written = sum(key[:2] == place for key in [*self.left, *(key for key, _ in self.versions)])
            if operations > written:
                raise Difference(f"{operations} operations were applied in {place}, of {written} writes")
        return new

    def watch(self, allowed=None):
        """Reads the remote rows. allowed: key -> the new states that an entity may have. Returns
        the new rows of aztables_commits.
        """
        before, new = self.sent or self.model.base, self.hear()
        self.sent = [self.side.remote(0), self.side.remote(1)]
        changed = {}
        for remote, (old, now) in enumerate(zip(before, self.sent)):
            for key in sorted(old.keys() | now.keys()):
                if same(old.get(key), now.get(key)):
                    continue
                states = allowed((remote, *key)) if allowed else []
                if not any(same(now.get(key), row) for row in states):
                    raise Difference(f"table {remote}: the remote entity {key} has become\n    {now.get(key)}\n  from\n    "
                                     f"{old.get(key)}\n  and might become {states}")
                changed[remote, key[0]] = changed.get((remote, key[0]), 0) + 1
        for place, count in changed.items():
            applied = None if new is None else sum(entry[3] for entry in new if (*entry[:2], entry[2]) == (*place, "applied"))
            if applied is not None and applied < count:
                raise Difference(f"{count} entities were changed in {place}, and {applied} operations are reported as applied")
        if new and not allowed:
            raise Difference(f"something was sent: {new}")
        return new

    def put(self, full, row):
        """Gives an entity another state in the native tables."""
        remote, key = full[0], full[1:]
        self.model.db.execute(f"DELETE FROM n{remote + 1} WHERE PartitionKey = ? AND RowKey = ?", key)
        if row is not None:
            self.model.db.execute(f"INSERT INTO n{remote + 1} VALUES ({', '.join('?' * len(row))})", row)

    def look(self, full, states):
        """Reads an entity whose state only the transaction knows."""
        target = self.schema.remotes[full[0]]
        rows = self.side.run(f"SELECT {target.listed()} FROM {{{target.name}}} WHERE PartitionKey = ? AND RowKey = ?", full[1:])
        row = rows[0] if rows else None
        if not any(same(row, state) for state in states):
            raise Difference(f"the undo left {full} as\n    {row}\n  and might leave {states}")
        self.put(full, row)
        if row:
            self.model.note_read([full])

    def undone(self, then, since):
        """Native tables have undone the writes `since`, made when the remote rows were `then`. Sent
        ones stay.
        """
        states = {}
        for full, row in since:
            states.setdefault(full, []).append(row)
        native = self.model.both()
        for full, rows in states.items():
            remote, key = full[0], full[1:]
            mine, now = native[remote].get(key), self.sent[remote].get(key)
            sent = not same(then[remote].get(key), now)
            if sent:  # as a change of the existing row, after the INSERT of a conflict was undone
                self.model.doomed.pop(full, None)
            if sent and not same(mine, now):
                self.counts["sent and undone"] += 1
                self.put(full, now)
            elif not sent and not same(mine, now) and any(same(now, row) for row in rows):
                self.look(full, [mine, now])
            if sent and now:
                self.model.read.add(full)
