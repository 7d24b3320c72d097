"""The tables of writes.py, and its measurement of one write: time and sent bytes.

    target = Target(folder, rows, body=100, each=1000, how=connection_string)
    sample = target.transaction("UPDATE t SET Score = Score + 1")
"""

import dataclasses
import time

import entities
from raw_transport import RawTable

UNBOUNDED = ", max_pending='64GB'"
EGT = 100


@dataclasses.dataclass
class Sample:
    """The time of one write, and the bytes that it sent to a service."""

    rows: int
    seconds: float
    in_commit: float = None  # share of the time
    egts: str = ""
    others: str = ""
    sent: int = None  # bytes per row


class Target:
    """A database connection with the tables source (local), t and dst (of a service; native if `how` is None).

    `mode` is part of the remote tables' names. `options` are additional options of the virtual tables.
    """

    def __init__(self, folder, rows, each, body, how=None, mode="", options=""):
        self.how = how
        self.db = entities.connect(f"{folder}/{time.time_ns()}.db")
        entities.fill_source(self.db, rows, each, body)
        for name, remote in (("t", "Bench"), ("dst", "Copy")):
            if how is None:
                entities.create_native(self.db, name)
            else:
                entities.create_virtual(self.db, name, how, remote + mode, UNBOUNDED + options)

    def one(self, sql):
        """The first row."""
        return self.db.execute(sql).fetchone()

    def transaction(self, sql):
        """A Sample of one statement between BEGIN and COMMIT."""

        def work():
            self.db.execute("BEGIN")
            rows = self.db.execute(sql).rowcount
            commit_began = time.perf_counter()
            self.db.execute("COMMIT")
            return rows, commit_began

        return self._timed(work)

    def single_rows(self, count):
        """A Sample of INSERTs of one row, each committed before the next."""

        def work():
            for i in range(count):
                self.db.execute("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('single', ?, ?)", (f"{i:06}", i))
            return count, None

        return self._timed(work)

    def small_transactions(self):
        """A Sample of the INSERT of all rows into a native table, with one COMMIT for each EGT of the module."""
        entities.create_native(self.db, "small")

        def work():
            rows = self.one("SELECT max(rowid) FROM source")[0]
            for first in range(0, rows, EGT):
                self.db.execute("INSERT INTO small SELECT * FROM source WHERE rowid > ? AND rowid <= ?",
                                (first, first + EGT))
            return rows, None

        return self._timed(work)

    def _timed(self, work):
        # work() returns the rows and, if there is one COMMIT, the time of its start.
        request, commit = self.one(entities.ENDS_OF_LOGS)
        began = time.perf_counter()
        rows, commit_began = work()
        ended = time.perf_counter()
        sample = Sample(rows, ended - began)
        if commit_began:
            sample.in_commit = (ended - commit_began) / (ended - began)
        if self.how is not None:
            sample.egts, sample.others = self._requests_since(request)
            sample.sent = round(self.one(entities.SENT.format(request=request, commit=commit))[0])
        return sample

    def _requests_since(self, last):
        """EGTs and other requests. If the log has dropped some of a kind, ">" and the number of the remaining ones."""
        sent, kept, egts = self.one(f"SELECT max(id) - {last}, count(*), sum(kind = 'EGT') FROM aztables_requests "
                                    f"WHERE id > {last}")
        if sent > kept > egts:
            return f">{egts:,}", f">{kept - egts:,}"
        return f"{egts:,}", f"{sent - egts:,}"


# The tables' names are as long as those of a mode, because every operation of an EGT contains them.
def raw_inserts(port, source):
    """A Sample of the rows of `source` in EGTs, over the bare transport."""
    rows = source.execute("SELECT * FROM source")
    names = [column[0] for column in rows.description]
    return raw_sample(RawTable(port, "BenchOfTransport", connections=8), (dict(zip(names, row)) for row in rows), EGT)


def raw_single_rows(port, count):
    """A Sample of single rows over the bare transport, one after the other."""
    rows = ({"PartitionKey": "single", "RowKey": f"{i:06}", "N": i} for i in range(count))
    return raw_sample(RawTable(port, "BenchOfSingleRow", connections=1), rows, 1)


def raw_sample(table, rows, operations):
    """A Sample of these rows, in EGTs of this many operations, prepared before the measurement."""
    bodies = table.bodies(rows, operations)
    seconds = table.send(bodies)
    table.close()
    count = sum(operations for _, _, operations in bodies)
    sent = round(sum(len(body) for _, body, _ in bodies) / count)
    return Sample(count, seconds, egts=f"{len(bodies):,}", others="0", sent=sent)
