"""Rounds of the oracle of writes (write_oracle.py) whose virtual tables have bulk=on.

Then rows are sent while statements run, and stay although native tables undo them. So the remote
rows are read after every call. An entity may change only to a state that a later write gave it, and
only if aztables_commits reports its partition as sent. If a statement fails or a ROLLBACK undoes
writes, the native tables get the sent rows. Any statement that sends, and COMMIT, may find a
conflict that only the service knows.
"""

from write_checks import Difference, same
from write_model import PRIMARYKEY
from write_runner import Round
from write_sent import Sent

TOOBIG = 18
MORE_KINDS = ("going",)  # reads that continue while statements run


def largest(schema):
    """max_pending must exceed the largest write of a schema: a row with a new key counts twice."""
    most = max(len(target.every) for target in schema.targets)
    return 2 * (256 + 2 * 220) + 480 * most


class BulkRound(Sent, Round):
    """A round with bulk=on and such a small max_pending that some rows fill half of it."""

    def _open(self, make_side, number):
        if "bulk" not in self.schema.options:
            self._choose()
        super()._open(make_side, number)
        self.sent = None  # the remote rows at the last read
        self.cursor = None  # one that is open during a statement: cursor, first row, expected rows
        self.end()

    def _choose(self):
        rng, options = self.rng, self.schema.options
        options["bulk"] = "on"
        options["batch"] = rng.choice([1, 1, 2, 3, 100])
        if rng.random() < 0.1:  # as many full EGTs as sending waits for
            options["batch"] = rng.choice([1, 2])
            self.generator.many = 0.1
            return
        options["max_pending"] = int(largest(self.schema) * rng.choice([2, 2, 2, 3, 5]))
        if rng.random() < 0.2:
            self.schema.without_bulk = ("v2",)
            options["max_pending"] *= 3

    def end(self):
        """No transaction is open: native tables must have the remote rows."""
        self.versions = []  # (key, row or None) of the transaction's writes
        self.left = []  # keys of rows that it moved onto an unread entity
        self.saved = []  # for each of the model's savepoints: number of versions, and the remote rows
        self.stuck = set()  # remote tables to which sending may have failed
        self.taking = set()  # names of tables that may have written
        self.wrote = set()  # names of tables that have written
        self.mark, self.heard = self.side.commits(), 0
        if self.sent:
            self.model.base = [dict(rows) for rows in self.sent]

    def check_remote(self):
        if self.model.open:
            self.watch()
        else:
            super().check_remote()

    def back_to(self, name):
        at = self.model._find(name)
        written, then = self.saved[at]
        del self.saved[at + 1:]
        super().back_to(name)
        self.watch()
        self.undone(then, self.versions[written:])

    def save(self, name):
        super().save(name)
        self.saved.append((len(self.versions), self.sent or self.model.base))

    def release(self, name):
        at = self.model._find(name)
        super().release(name)
        del self.saved[at:]

    def finish(self, sql):
        if sql == "ROLLBACK":
            self.control(sql)
            self.watch()
        elif self.model.doomed:
            self._fail(sql)
        else:
            after = self.model.both()
            self.control(sql)
            self.watch(lambda full: [after[full[0]].get(full[1:])])
            self.counts["commits"] += 1
            self.model.base = after
            super().check_remote()
        self.check_open()
        self.start_over()

    def start_over(self):
        """The transaction has ended: native tables get the remote rows."""
        for remote, rows in enumerate(self.sent):
            if not same(self.model.rows(remote), rows):
                self.model.replace(remote, rows)
        self.model.end()
        self.end()

    def _fail(self, sql):
        """A COMMIT that must fail."""
        before, after, doomed = self.sent or self.model.base, self.model.both(), set(self.model.doomed)
        self.say(sql, result="must fail")
        failed = self.attempt(lambda: self.side.transact(sql))
        if failed is None or failed.code != PRIMARYKEY:
            raise Difference(f"{sql} must fail with {PRIMARYKEY} for one of {sorted(doomed)}, but: {failed or 'it succeeded'}")
        self.counts["failed commits"] += 1
        self.model.db.execute("ROLLBACK")
        if sql != "COMMIT" and self.side.db.in_transaction:
            self.side.transact("ROLLBACK")
        new = self.watch(lambda full: [] if full in doomed else [after[full[0]].get(full[1:])])
        for place in {entry[:2] for entry in new or ()}:
            outcomes = {entry[2] for entry in new if entry[:2] == place}
            wanted = {frozenset(["applied"]): after}.get(frozenset(outcomes), before if "applied" not in outcomes else None)
            if wanted is None:
                continue
            partition = [{key: row for key, row in rows[place[0]].items() if key[0] == place[1]} for rows in (wanted, self.sent)]
            if not same(*(sorted(rows.items()) for rows in partition)):
                raise Difference(f"a failed commit, outcomes {outcomes} of {place}: remote {partition[1]}, not {partition[0]}")

    # Statements.

    def step(self, make=None):
        """One statement, sometimes during a read."""
        if "going" in self.kinds and self.model.open and self.sighted and self.rng.random() < 0.2:
            self.do("begin_reading", self.rng.choice(self.schema.targets))
        super().step(make)
        if self.cursor:
            self.do("end_reading")

    def begin_reading(self, target):
        if self.side.reads_on and not self.model.alt:
            wanted = self.model.execute(f"SELECT {target.listed()} FROM {{{target.name}}}")
            cursor = self.side.db.execute(f"SELECT {target.listed()} FROM {target.name}")
            self.cursor = cursor, cursor.fetchmany(1), wanted

    def end_reading(self):
        """A read returns the rows from its start, regardless of sent writes."""
        if not self.cursor:
            return
        cursor, rows, wanted = self.cursor
        self.cursor = None
        if self.model.open and not same(sorted(rows + cursor.fetchall(), key=repr), sorted(wanted, key=repr)):
            raise Difference(f"a read that began before the statement gave\n  {sorted(rows, key=repr)}\n  and rows after it, not\n"
                             f"  {sorted(wanted, key=repr)}")
        cursor.close()

    def write(self, draft, forecast):
        model, side, was_open = self.model, self.side, self.model.open
        remote = draft.target.remote
        model.joined.add(remote)
        self.taking.add(draft.target.name)
        before, then = model.both(), self.sent or model.base
        self.versions += forecast.versions
        self.left += forecast.left
        ours, native = side.changes(), model.db.total_changes
        failed = self.attempt(lambda: side.write(draft, forecast))
        self.say(draft.sql.format(**side.names, **{"or": f" OR {draft.clause}" if draft.clause else ""}), draft.params,
                 str(failed) if failed else "")
        cause = self.cause(draft, forecast, failed)
        if not failed and forecast.versions:
            self.wrote.add(draft.target.name)
        late = forecast.late and not failed
        self.on_native(draft, forecast, cause, late)
        self.check_open()
        after = model.both()
        if not failed:
            self.check_versions(before, after, forecast)
            self.counts["late conflicts"] += bool(late and forecast.soft)
            wanted = model.db.total_changes - native
            if ours is not None and not forecast.soft and side.changes() - ours != wanted:
                raise Difference(f"total_changes() grew by {side.changes() - ours}, not by {wanted}")
        self.counts["failed statements"] += bool(failed)
        doomed = set(model.doomed)
        if not failed:
            model.succeeded(draft, forecast)
        elif model.open and draft.clause == "FAIL" and cause == "own":
            model.written |= forecast.early
        new = self.watch(self.may_send(draft, before, forecast, doomed, was_open))
        self.counts["early EGTs"] += len(new or ()) if was_open else 0
        if not was_open and not failed:
            model.base = after
            super().check_remote()
        self.noted(draft, forecast)
        if not model.open:
            self.start_over()
        elif failed and not (draft.clause == "FAIL" and failed.code == 19):
            self.undone(then, forecast.versions)
        elif failed and model.doomed:  # the rows before the failing one stay, whichever it was
            for full in {key for key, _ in forecast.versions}:
                self.look(full, [before[full[0]].get(full[1:]), *(row for key, row in forecast.versions if key == full)])

    def noted(self, draft, forecast):
        """Sent writes may have met any conflict."""
        super().noted(draft, forecast)
        self.model.perhaps |= set(self.model.doomed)

    def may_send(self, draft, before, forecast, doomed, was_open):
        """The states to which this statement may bring remote entities; None: it may send nothing.
        """
        remote = draft.target.remote
        held = "v2" in self.schema.without_bulk and remote == 0 and "v2" in self.wrote
        if was_open and held:
            return None
        states = {}
        for full, row in forecast.versions:
            states.setdefault(full, []).append(row)
        return lambda full: [] if full[0] != remote or full in doomed else [before[remote].get(full[1:]), *states.get(full, ())]

    def cause(self, draft, forecast, failed):
        """The reason for a statement's failure: "own", "sending" or "too big". Difference if it
        must not fail, or must fail and did not.
        """
        if failed is None:
            if forecast.codes:
                raise Difference(f"the statement succeeded; it must fail with one of {sorted(forecast.codes)}")
            return None
        if failed.code == TOOBIG and self.full(draft, str(failed)):
            self.counts["too big"] += 1
            return "too big"
        plain = draft.clause in ("FAIL", "ROLLBACK")
        met = (forecast.meets and draft.clause != "IGNORE") or any(key[0] == draft.target.remote for key in self.model.doomed)
        if met and failed.code in (1, PRIMARYKEY, 19) and "already exists" in str(failed):
            self.stuck.add(draft.target.remote)
        codes = set(forecast.codes) | ({PRIMARYKEY} if forecast.late else set())
        if failed.code in codes or (plain and failed.code in {code & 0xFF for code in codes}):
            return "own"
        code = 1 if draft.clause == "IGNORE" else 19 if plain else PRIMARYKEY
        if met and failed.code == code and "already exists" in str(failed):
            return "sending"
        raise Difference(f"the statement failed: {failed}; expected {sorted(codes) or 'success'}")

    def full(self, draft, text):
        """Whether max_pending may be reached for this reason."""
        _, said, reason = text.partition("nothing is sent now: ")
        if not said and draft.target.name in self.schema.without_bulk:
            return "declare the table with bulk=on" in text
        if not said:
            return False
        if reason.startswith("sending has failed before"):
            return draft.target.remote in self.stuck
        if reason.startswith("table v2 is over the same remote table, without bulk=on"):
            return "v2" in self.schema.without_bulk and "v2" in self.taking
        return draft.values is None and reason.startswith("a statement of this database connection still reads")

    def on_native(self, draft, forecast, cause, late):
        """Repeats the writes on the native tables."""
        if cause == "sending" or (cause == "own" and forecast.touched and not forecast.mismatch):
            self.refused(draft)
        elif cause == "too big":
            pass
        elif not forecast.mismatch:
            error = self.on_model(draft, "REPLACE" if late else None)
            if (error is None) != (cause is None) or (error and forecast.codes and error not in forecast.codes):
                raise AssertionError(f"the oracle is wrong: native {error}, forecast {forecast}, cause {cause}")

    def check_versions(self, before, after, forecast):
        """Whether the forecast matches the native tables."""
        for remote in (0, 1):
            for key in before[remote].keys() | after[remote].keys():
                full, row = (remote, *key), after[remote].get(key)
                if same(before[remote].get(key), row) or full in forecast.soft or forecast.soft:
                    continue
                if not any(full == other and same(row, state) for other, state in forecast.versions):
                    raise AssertionError(f"the oracle is wrong: {full} became {row}, forecast {forecast.versions}")
