"""Tests of bulk=on with another writer: both sides have the table t, in a local store."""

import host


class BulkCase(host.LocalCase):
    options = {}  # additional options of t

    def setUp(self):
        super().setUp()
        self.tables(**self.options)

    def tables(self, **options):
        """t with bulk=on for `db` and for `other`, the other writer."""
        self.virtual_for_two("t", "N INT32, S STRING", **{"bulk": "on", "batch": "2", **options})

    def insert(self, first, count, table="t", partition="p"):
        self.query(f"""INSERT INTO {table}(PartitionKey, RowKey, N) WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1
            FROM n WHERE i < ?) SELECT ?, printf('%06d', i), i FROM n""", first, first + count - 1, partition)

    def theirs(self, sql, *parameters):
        return self.other.execute(sql, parameters).fetchall()

    def z(self):
        """The rows of partition z that the other writer sees."""
        return self.theirs("SELECT RowKey, N, S FROM t WHERE PartitionKey = 'z'")
