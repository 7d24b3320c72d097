"""The runner of the oracle of writes (write_oracle.py): compares transactions on a side with the
model.

A Round has one schema and some transactions, determined by the seed and its number. It records the
calls of a transaction (ops), so that write_shrink.py can repeat some of them. A transaction either
sees everything (it reads all rows at its start and after each statement) or is blind; then
conflicts may appear at COMMIT only.
"""

import random

import write_model
from write_checks import Checks, Difference, same
from write_model import Model, PRIMARYKEY
from write_schema import Schema
from write_sides import Failed
from write_statements import Generator

PER_ROUND = 25
COUNTS = ("transactions", "statements", "commits", "failed statements", "failed commits", "late conflicts",
          "partly applied", "changes of conflicts", "transactions with them", "reads", "requests", "early EGTs", "sent and undone",
          "too big", "kept types")


class Round(Checks):
    """One schema, and the transactions from `first` on."""
    conflicts = 0.3  # the share of transactions that start with a conflict
    changed = 0  # how many of the transaction's statements have changed a conflict's row

    def __init__(self, seed, number, make_side, kinds, counts):
        self.rng = random.Random(f"{seed}/{number}")
        self.schema = Schema(self.rng)
        self.generator = Generator(self.rng, self.schema, kinds)
        self.kinds, self.counts = kinds, counts
        self._open(make_side, number)
        self._fill()

    def _open(self, make_side, number):
        self.log, self.ops, self.start = [], [], ()
        self.model = Model(self.schema)
        self.side = make_side(self.schema, number)
        self.sighted = True

    def _fill(self):
        for _ in range(self.rng.randint(0, 8)):
            for name in (0, 2):
                draft = self.generator.insert(target=self.schema.targets[name]).with_clause("REPLACE")
                self.model.db.execute("SAVEPOINT fill")
                try:
                    self.model.db.execute(self._native(draft), draft.native_params)
                except write_model.sqlite3.Error:
                    self.model.db.execute("ROLLBACK TO fill")
                self.model.db.execute("RELEASE fill")
        for remote in (0, 1):  # forgets intended errors
            rows = {key: row for key, row in self.model.rows(remote).items() if self._fits(remote, row)}
            self.model.replace(remote, rows)
        self.model.base = self.model.both()
        self.side.fill(self.model.base)
        self.model.end()

    def _fits(self, remote, row):
        try:
            shown = [write_model.shown(kind, value)
                     for (_, kind), value in zip(self.schema.remotes[remote].every, row[2:])]
            return same(shown, list(row[2:]))
        except write_model.Mismatch:
            return False

    @staticmethod
    def _native(draft, clause=None):
        clause = draft.clause if clause is None else clause
        return draft.native_sql.format(**write_model.NAMES, **{"or": f" OR {clause}" if clause else ""})

    def close(self):
        self.counts["requests"] += self.side.requests()
        self.side.close()
        self.model.db.close()

    def say(self, text, params=(), result=""):
        self.log.append(f"  {text}{'  ' + repr(list(params)) if params else ''}{'  -- ' + result if result else ''}")

    # Transactions.

    def do(self, name, *arguments):
        """Calls a method and records the call."""
        self.ops.append((name, arguments))
        return getattr(self, name)(*arguments)

    def transaction(self):
        """Runs one transaction; Difference if the sides do not agree."""
        rng, self.log, self.ops = self.rng, [], []
        self.start = ([dict(rows) for rows in self.model.base], self.model.execute("SELECT * FROM loc"))
        self.counts["transactions"] += 1
        self.sighted = rng.random() < 0.5 and "read" in self.kinds
        self.generator.existing = sorted(self.model.base[0])
        dice = rng.random()
        if dice < 0.3 or not {"begin", "savepoint"} & set(self.kinds):
            for _ in range(rng.randint(1, 3)):
                self.do("note_types")
                self.step()
                name, arguments = self.ops[-1]
                self.do("check_remote")
                if name == "again":
                    self.do("check_types", *arguments)
            return
        if (dice < 0.8 and "begin" in self.kinds) or "savepoint" not in self.kinds:
            self.do("control", rng.choice(["BEGIN", "BEGIN IMMEDIATE"]))
        else:
            self.savepoint()
        self.check_all()
        self.changed = 0
        if "conflict" in self.kinds and rng.random() < self.conflicts:
            self.step(self.generator.conflict)
            self.check_some()
        for _ in range(rng.randint(1, 9) if self.model.open else 0):
            if "savepoint" in self.kinds and rng.random() < 0.3:
                self.savepoint()
            else:
                self.step()
            if not self.model.open:
                break
            self.check_some()
        self.counts["transactions with them"] += self.changed > 0
        if self.model.open:
            self.do("finish", "COMMIT" if rng.random() < 0.75 else "ROLLBACK")
        self.do("check_remote")
        self.do("check_local")

    def control(self, sql):
        """A statement without rows that must succeed on both sides."""
        self.say(sql)
        self.model.db.execute(sql)
        try:
            self.side.transact(sql)
        except Failed as error:
            raise Difference(f"{sql} failed: {error}") from None
        self.check_open()

    def savepoint(self):
        """SAVEPOINT, RELEASE or ROLLBACK TO."""
        rng, stack = self.rng, self.model.stack
        dice = rng.random()
        if not stack or dice < 0.45:
            self.do("save", rng.choice(["s1", "s2", "s3"]))
        elif dice < 0.75:
            self.do("back_to", rng.choice(stack)[0])
            if rng.random() < 0.3:
                self.do("check_remote")
        else:
            self.do("release", rng.choice(stack)[0])

    def save(self, name):
        self.control(f"SAVEPOINT {name}")
        self.model.savepoint(name)

    def back_to(self, name):
        self.control(f"ROLLBACK TO {name}")
        self.model.rollback_to(name)

    def release(self, name):
        if self._ends(name):
            self.finish(f"RELEASE {name}")
        else:
            self.control(f"RELEASE {name}")
            self.model.release(name)

    def _ends(self, name):
        """Whether RELEASE of this savepoint is a COMMIT."""
        outermost = min(i for i, entry in enumerate(self.model.stack) if entry[0] == name)
        innermost = max(i for i, entry in enumerate(self.model.stack) if entry[0] == name)
        return outermost == innermost == 0 and not any(line.startswith("  BEGIN") for line in self.log)

    def finish(self, sql):
        """COMMIT, ROLLBACK, or the RELEASE of the outermost savepoint."""
        if sql == "ROLLBACK":
            self.control(sql)
        elif self.model.doomed:
            after, mark, keys = self.model.both(), self.side.commits(), set(self.model.doomed)
            self.say(sql, result="must fail")
            failed = self.attempt(lambda: self.side.transact(sql))
            if failed is None or failed.code != PRIMARYKEY:
                raise Difference(f"{sql} must fail with {PRIMARYKEY} for one of {sorted(keys)}, but: {failed or 'it succeeded'}")
            self.counts["failed commits"] += 1
            self.model.db.execute("ROLLBACK")
            if sql != "COMMIT" and self.side.db.in_transaction:
                self.side.transact("ROLLBACK")  # if RELEASE fails, SQLite undoes everything, but the transaction seems open
            self.partly(after, mark, keys)
        else:
            self.control(sql)
            self.model.base = self.model.both()
            self.counts["commits"] += 1
        self.check_open()
        self.model.end()

    def partly(self, after, mark, kept):
        """After a failed commit each partition is unchanged or, if its EGT was applied, as `after`.
        Rows of the keys in `kept` are unchanged. The model then continues with the service's rows.
        """
        report = self.side.report(mark)
        self.say(f"the outcomes: {report}")
        for remote in (0, 1):
            before, got = self.model.base[remote], self.side.remote(remote)
            partitions = {key[0] for key in {*before, *after[remote], *got}}
            for partition in partitions:
                old, new, now = ({key: row for key, row in rows.items() if key[0] == partition}
                                 for rows in (before, after[remote], got))
                outcomes = None if report is None else set(report.get((remote, partition), ["not sent"]))
                if outcomes and "unknown" in outcomes:
                    raise Difference(f"partition {partition!r} has the outcome unknown")
                if outcomes == {"applied"}:
                    right = same(sorted(now.items()), sorted(new.items()))
                elif outcomes and "applied" not in outcomes:
                    right = same(sorted(now.items()), sorted(old.items()))
                else:  # several EGTs, or unknown: each entity has its old or new state
                    right = all(any(same(now.get(key), rows.get(key)) for rows in (old, new)) for key in {*old, *new, *now})
                for key in kept:
                    right = right and (key[:2] != (remote, partition) or same(now.get(key[1:]), old.get(key[1:])))
                if not right:
                    lines = "".join(f"\n  {key}:\n    before {old.get(key)}\n    all applied {new.get(key)}\n    remote {now.get(key)}"
                                    for key in sorted({*old, *new, *now}) if repr(old.get(key)) != repr(new.get(key))
                                    or repr(old.get(key)) != repr(now.get(key)))
                    raise Difference(f"a failed commit, partition {partition!r} of table {remote}, outcomes {outcomes}:{lines}")
            if not same(sorted(before.items()), sorted(got.items())):
                self.counts["partly applied"] += 1
                self.model.replace(remote, got)
            self.model.base[remote] = got

    # Statements.

    def step(self, make=None):
        """One statement, which `make` makes."""
        self.counts["statements"] += 1
        self.generator.conflicts = sorted(key[1:] for key in self.model.doomed)
        make = make or self.generator.draft
        if "local" in self.kinds and self.rng.random() < 0.06:
            sql, params = self.generator.local()
            self.do("compare", sql, params)
            return
        for _ in range(20):
            draft = self.generator.insert(self.model.alt) if self.model.alt else make()
            forecast = draft and self.model.forecast(draft)
            if forecast:
                self.ops.append(("again", (draft,)))
                self.write(draft, forecast)
                break

    def again(self, draft):
        """A draft from another run; LookupError if it may not run now."""
        forecast = self.model.forecast(draft)
        if forecast is None or (self.model.alt and (draft.values is None or forecast.written & set(self.model.alt))):
            raise LookupError(draft.sql)
        self.write(draft, forecast)

    def write(self, draft, forecast):
        """Runs a draft on both sides and compares the results."""
        model, side = self.model, self.side
        was_open, mark = model.open, None
        model.joined.add(draft.target.remote)
        if forecast.soft and not was_open:
            mark = side.commits()
        ours, native = side.changes(), model.db.total_changes
        failed = self.attempt(lambda: side.write(draft, forecast))
        self.say(draft.sql.format(**side.names, **{"or": f" OR {draft.clause}" if draft.clause else ""}), draft.params,
                 str(failed) if failed else "")
        late = forecast.late and failed is None
        allowed = forecast.codes | ({PRIMARYKEY} if forecast.late else set())
        if draft.clause in ("FAIL", "ROLLBACK"):  # SQLite obeys these only if xUpdate returns the plain code
            allowed = allowed | {code & 0xFF for code in allowed}
        if failed and failed.code not in allowed:
            raise Difference(f"the statement failed: {failed}; expected {sorted(allowed) or 'success'}")
        if not failed and forecast.codes:
            raise Difference(f"the statement succeeded; it must fail with one of {sorted(forecast.codes)}")
        if forecast.soft and not was_open and failed:
            model.db.execute("BEGIN")
            model.db.execute(self._native(draft, "REPLACE"), draft.native_params)
            after = model.both()
            model.db.execute("ROLLBACK")
            self.partly(after, mark, set(forecast.soft))
        elif failed and forecast.touched and not forecast.mismatch:
            self.refused(draft)
        elif not forecast.mismatch:
            error = self.on_model(draft, "REPLACE" if late else None)
            if (error is None) != (failed is None) or (error and forecast.codes and error not in forecast.codes):
                raise AssertionError(f"the oracle is wrong: native {error}, forecast {forecast}, side {failed}")
        self.check_open()
        if failed:
            self.counts["failed statements"] += 1
            if not model.open:
                model.end()
            elif draft.clause == "FAIL" and not forecast.mismatch:
                model.written |= forecast.early
        else:
            self.counts["late conflicts"] += bool(late and forecast.soft)
            wanted = model.db.total_changes - native
            if ours is not None and not forecast.soft and side.changes() - ours != wanted:
                raise Difference(f"total_changes() grew by {side.changes() - ours}, not by {wanted}")
            model.succeeded(draft, forecast)
        self.noted(draft, forecast)
        if not was_open:
            model.end()
            model.base = model.both()

    def refused(self, draft):
        """A draft failed that native tables may accept, because it changes the row of a conflict.
        """
        if self.model.open and draft.clause == "ROLLBACK":
            self.model.db.execute("ROLLBACK")

    def noted(self, draft, forecast):
        """A draft ran: records its writes and what it may have discovered."""
        if draft.values is None:
            self.model.learn(draft.where, draft.params)
        self.counts["changes of conflicts"] += bool(forecast.touched)
        self.changed += bool(forecast.touched)

    def on_model(self, draft, clause):
        """Runs a draft on the native tables; returns its error code."""
        try:
            self.model.db.execute(self._native(draft, clause), draft.native_params).fetchall()
        except write_model.sqlite3.Error as error:
            return error.sqlite_errorcode
        return None
