-- Joins and subqueries: repeated runs of a cursor, rowids, OR and IN.
SELECT aztables_create_table('demo.Joins');
CREATE VIRTUAL TABLE t USING aztables(table=Joins, connection=demo, N INT32);
INSERT INTO t(PartitionKey, RowKey, N) VALUES
  ('a', '1', 1), ('a', '2', 2), ('a', '05', 5), ('a', '5', 6), ('b', '1', 3), ('b', '2', 4), ('c', '1', 7);
CREATE TEMP TABLE local(k TEXT, n INTEGER);
INSERT INTO local VALUES ('a', 1), ('b', 5), ('nobody', 9), (NULL, 2);
.read sent.sql
.print == the outer table's values drive the inner reads
EXPLAIN QUERY PLAN SELECT l.k, t.RowKey, t.N FROM local l JOIN t ON t.PartitionKey = l.k AND t.RowKey = '1';
SELECT l.k, t.RowKey, t.N FROM local l JOIN t ON t.PartitionKey = l.k AND t.RowKey = '1';
SELECT l.k, t.RowKey, t.N FROM local l LEFT JOIN t ON t.PartitionKey = l.k AND t.RowKey < '2' ORDER BY 1, 2;
.read sent.sql
.print == SQLite compares an INTEGER column and a key as numbers
SELECT l.n, t.RowKey FROM local l JOIN t ON t.PartitionKey = 'a' AND t.RowKey = l.n ORDER BY 1, 2;
SELECT RowKey FROM t WHERE PartitionKey = 'a' AND RowKey = 5;
SELECT RowKey FROM t WHERE PartitionKey = 'a' AND RowKey = CAST('5' AS INTEGER) ORDER BY 1;
.read sent.sql
.print == an upper bound of numeric affinity that is text: keys that look like numbers sort before it
CREATE TEMP TABLE dated(d DATE);
INSERT INTO dated VALUES ('2024-01-01');
SELECT t.RowKey FROM dated CROSS JOIN t ON t.PartitionKey = 'a' AND t.RowKey < dated.d ORDER BY 1;
EXPLAIN QUERY PLAN SELECT t.RowKey FROM dated CROSS JOIN t ON t.PartitionKey = 'a' AND t.RowKey < dated.d;
SELECT t.RowKey FROM t WHERE PartitionKey = 'a' AND RowKey < '2024-01-01' ORDER BY 1;
.parameter init
.parameter set ?1 '2024-01-01'
SELECT t.RowKey FROM t WHERE PartitionKey = 'a' AND RowKey < ?1 ORDER BY 1;
.read sent.sql
.print == IN and OR
SELECT PartitionKey, RowKey FROM t WHERE PartitionKey IN ('a', 'c', 'nobody', NULL) AND RowKey = '1';
SELECT PartitionKey, RowKey FROM t WHERE (PartitionKey = 'a' AND RowKey = '2') OR (PartitionKey = 'b' AND RowKey = '1') OR (PartitionKey = 'a' AND RowKey >= '2');
.read sent.sql
.print == correlated subqueries
SELECT k, (SELECT sum(N) FROM t WHERE PartitionKey = k) FROM local WHERE k IS NOT NULL;
SELECT k FROM local WHERE EXISTS (SELECT 1 FROM t WHERE PartitionKey = k AND RowKey = '5');
.read sent.sql
.print == a table joined with itself, compounds, windows
SELECT x.RowKey, y.RowKey FROM t x JOIN t y ON x.PartitionKey = y.PartitionKey AND x.RowKey < y.RowKey WHERE x.PartitionKey = 'b';
SELECT RowKey FROM t WHERE PartitionKey = 'b' UNION ALL SELECT RowKey FROM t WHERE PartitionKey = 'c' LIMIT 2 OFFSET 1;
SELECT PartitionKey, RowKey, row_number() OVER (PARTITION BY PartitionKey ORDER BY N DESC) AS place FROM t WHERE PartitionKey > 'a' ORDER BY 1, 3;
.read sent.sql
.print == rowids: stable for an entity, and usable later
CREATE TEMP TABLE ids AS SELECT rowid AS id, PartitionKey AS pk, RowKey AS rk FROM t;
SELECT count(*), count(DISTINCT id) FROM ids;
SELECT count(*) FROM ids JOIN t ON t.rowid = ids.id AND t.PartitionKey = pk AND t.RowKey = rk;
SELECT RowKey FROM t WHERE rowid = 123456;
.print == few keys are looked up; for many keys the table is read once if its size is known
CREATE VIRTUAL TABLE big USING aztables(table=JoinsBig, connection=demo, create=missing, N INT32);
INSERT INTO big(PartitionKey, RowKey, N) WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1499)
  SELECT 'p' || (i % 30), printf('%04d', i), i FROM n;
CREATE TABLE few AS SELECT 'p' || (value % 30) AS pk, printf('%04d', value) AS rk FROM json_each('[3, 700]');
CREATE TABLE many AS SELECT 'p' || (value % 30) AS pk, printf('%04d', value) AS rk FROM generate_series(0, 1499, 3);
ANALYZE;
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
SELECT count(*), sum(N) FROM few JOIN big ON PartitionKey = pk AND RowKey = rk;
.read sent.sql
SELECT count(*) FROM big;
.read sent.sql
SELECT count(*), sum(N) FROM few JOIN big ON PartitionKey = pk AND RowKey = rk;
SELECT count(*), sum(N) FROM many JOIN big ON PartitionKey = pk AND RowKey = rk;
SELECT count(*), sum(N) FROM big WHERE (PartitionKey, RowKey) IN (SELECT pk, rk FROM few);
.read sent.sql
