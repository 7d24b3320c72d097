"""A second database connection that inserts and deletes entities while the oracle of reads (oracle.py) runs queries.

Its entities have the property Noise. The queries read a view without them, whose condition is not sent to the service.
"""

import contextlib
import random
import sqlite3
import threading

MOST = 60  # entities at the same time
PAUSE = 0.002  # seconds


class Writer(threading.Thread):
    """Writes until stop(), which raises the error that has ended it."""

    def __init__(self, current, module):
        super().__init__(daemon=True)
        self.random = random.Random(f"{current.name}/noise")
        self.keys = [pair for pair in current.schema.pairs() if max(map(len, pair)) < 200]
        self.module, self.where, self.written = module, current.where_is(current.schema.t), 0
        self.ended, self.error = threading.Event(), None

    def run(self):
        try:
            with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
                db.enable_load_extension(True)
                db.load_extension(self.module.removesuffix(".so"))
                db.execute(f"CREATE VIRTUAL TABLE noise USING aztables({self.where}, infer=off, Noise INT32)")
                self._write(db)
        except sqlite3.Error as error:
            self.error = error

    def _write(self, db):
        there = []
        while not self.ended.wait(PAUSE):
            if len(there) < MOST and self.random.random() < 0.6:
                partition, row = self.random.choice(self.keys)
                new = [(partition, f"{row}!{self.written}"), (f"{partition}!{self.written}", row)][self.random.random() < 0.3]
                db.execute("INSERT INTO noise(PartitionKey, RowKey, Noise) VALUES (?, ?, 1)", new)
                self.written += 1
                there.append(new)
            elif there:
                gone = there.pop(self.random.randrange(len(there)))
                db.execute("DELETE FROM noise WHERE PartitionKey = ? AND RowKey = ?", gone)

    def stop(self):
        self.ended.set()
        self.join()
        if self.error:
            raise self.error


def put(current, module):
    """The queries of a round read a view without the entities of a writer, which it starts. Nothing else is written."""
    current.begin = current.end = None
    columns = ", ".join('"' + name.replace('"', '""') + '"'
                        for name, in current.db.execute("SELECT name FROM pragma_table_info('pushed')"))
    mixed = ", mismatch=null" if current.schema.mixed else ""
    current.db.execute(f"CREATE VIRTUAL TABLE noisy_base USING aztables({current.where_is(current.schema.t)}"
                       f"{current.schema.t.declared()}, Noise INT32, parallel=8{mixed})")
    current.db.execute(f"CREATE VIEW noisy AS SELECT {columns} FROM noisy_base WHERE Noise IS NULL")
    current.variants = {"noisy": 1}
    writer = Writer(current, module)
    if writer.keys:
        writer.start()
        current.at_close.append(writer.stop)
