"""Reduces a difference of the oracle of reads (oracle.py): fewer terms, then fewer rows.

It recreates the tables of the round. A difference that needs earlier queries or a transaction stays
as it is.
"""

import dataclasses

import read_compare
from read_round import COUNTS, Found
from read_terms import CLOSE, OPEN

MOST_TRIES = 400


class Shrinker:
    def __init__(self, current, found):
        self.round, self.query, self.variant, self.found, self.tries = current, found.query, found.variant, None, 0

    def differs(self, query):
        self.tries += 1
        native = read_compare.answer(self.round.db, query, {"t": "native_t", "u": "native_u"})
        if self.tries > MOST_TRIES or isinstance(native, str):
            return False
        try:
            self.round.check(query, self.variant, dict.fromkeys(COUNTS, 0))
        except Found as found:
            self.query, self.found = query, found
            return True
        return False

    def terms(self):
        """Replaces terms by 1 or 0, whole trees first."""
        at = self.query.sql.find(OPEN)
        while at >= 0:
            sql, end, depth = self.query.sql, at, 0
            while True:
                depth += {OPEN: 1, CLOSE: -1}.get(sql[end], 0)
                end += 1
                if not depth:
                    break
            if sql[at + 1:end - 1] not in "10":
                for text in "10":
                    if self.differs(dataclasses.replace(self.query, sql=sql[:at] + text + sql[end:])):
                        break
            at = self.query.sql.find(OPEN, at + 1)

    def rows(self, table):
        """Removes rows, halves first."""
        db = self.round.db
        pairs = db.execute(f"SELECT PartitionKey, RowKey FROM native_{table}").fetchall()
        size = (len(pairs) + 1) // 2
        while size:
            for at in range(0, len(pairs), size):
                gone = pairs[at:at + size]
                kept = [db.execute(f"SELECT * FROM native_{table} WHERE (PartitionKey, RowKey) = (?, ?)",
                                   pair).fetchone() for pair in gone]
                kept = [row for row in kept if row]
                read = f"SELECT PartitionKey, RowKey, _entity FROM raw_{table} WHERE PartitionKey = ? AND RowKey = ?"
                entities = [db.execute(read, row[:2]).fetchone() for row in kept]
                if not kept:
                    continue
                for name in ("native_", "raw_"):
                    db.executemany(f"DELETE FROM {name}{table} WHERE PartitionKey = ? AND RowKey = ?",
                                   [row[:2] for row in kept])
                if not self.differs(self.query):
                    db.executemany(f"INSERT INTO native_{table} VALUES (?{', ?' * (len(kept[0]) - 1)})", kept)
                    db.executemany(f"INSERT INTO raw_{table}(PartitionKey, RowKey, _entity) VALUES (?, ?, ?)", entities)
                    if "Timestamp" in self.query.sql or "*" in self.query.sql:
                        self.round._timestamps()  # pylint: disable=protected-access
            size //= 2 if self.tries < MOST_TRIES else size + 1

    def run(self):
        if not self.differs(self.query):
            return "  not shown by the query alone"
        self.terms()
        for table in "ut":
            self.rows(table)
        query, db = self.query, self.round.db
        params = {name: value for name, value in query.params.items() if f":{name}" in query.sql}
        lines = [f"  made small, in {self.tries} tries: {self.found}", f"    {query.text()}",
                 f"    parameters: {params}", *self.round.plan(query, self.variant)]
        for table in "tu":
            if f"{{{table}}}" in query.sql:
                lines += [f"    {table}: {str(row)[:600]}"
                          for row in db.execute(f"SELECT PartitionKey, RowKey, _entity FROM raw_{table} LIMIT 8")]
        return "\n".join([*lines, f"    native: {str(self.found.wanted)[:300]}",
                          f"    remote: {str(self.found.got)[:300]}"])


def shrink(current, found):
    """The text to print; closes the round."""
    try:
        return Shrinker(current, found).run()
    finally:
        current.close()
