"""A test case on a virtual table t that it can fill with numbered rows. Call host.enter() first."""

import host


class Case(host.LocalCase):
    def setUp(self):
        super().setUp()
        self.virtual("t", "N INT32, S STRING")

    def fill(self, count, partition="printf('p%03d', i)", row="printf('%06d', i)", more="NULL"):
        self.query(f"""INSERT INTO t(PartitionKey, RowKey, N, S) WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL
            SELECT i + 1 FROM n WHERE i < {count - 1}) SELECT {partition}, {row}, i, {more} FROM n""")
