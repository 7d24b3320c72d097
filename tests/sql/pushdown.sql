-- Each kind of query with its requests, one at a time (parallel=1).
SELECT aztables_create_table('demo.Pushed');
CREATE VIRTUAL TABLE t USING aztables(mismatch=null, table=Pushed, connection=demo, parallel=1, S STRING, I INT32, L INT64, D DOUBLE,
  B BOOLEAN, W DATETIME, G GUID, X BINARY, A ANY);
INSERT INTO t(PartitionKey, RowKey, S, I, L, D, B, W, G, X, A) VALUES
  ('a', '1', 'one', 1, 10000000001, 0.5, 1, '2014-05-01', '00000000-0000-0000-0000-000000000001', x'01', 1),
  ('a', '2', 'two', 2, 10000000002, 8.15, 0, '2014-05-31T23:59:59.9999999Z', '00000000-0000-0000-0000-000000000002', x'02', 'two'),
  ('a', 'Sh', 'it''s', 3, 3, -3.0, 1, '2014-06-01', '00000000-0000-0000-0000-000000000003', x'', x'03'),
  ('b', 'sha', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('b', 'Shb', '', -1, -1, 1e300, 0, '1601-01-01', '00000000-0000-0000-0000-000000000005', x'05', 0.5),
  ('c', '1', 'one', 1, 1, 1.0, 1, '9999-12-31', '00000000-0000-0000-0000-000000000006', x'06', '2014-05-01T00:00:00.0000000Z');
CREATE TEMP TABLE pairs(k TEXT, r TEXT);
INSERT INTO pairs VALUES ('a', '1'), ('c', '1'), (NULL, '1');
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
.print == lists of keys are points, or partitions
SELECT group_concat(PartitionKey || RowKey) FROM t WHERE PartitionKey IN ('c', 'a', 'nobody', 'a', NULL) AND RowKey = '1';
SELECT group_concat(PartitionKey || RowKey) FROM t WHERE PartitionKey IN ('a', 'c') AND RowKey IN ('1', '2');
SELECT group_concat(PartitionKey || RowKey) FROM t WHERE PartitionKey = 'a' OR PartitionKey = 'c';
SELECT group_concat(PartitionKey || RowKey) FROM t WHERE PartitionKey IN ('a', 'b') AND RowKey >= 'S';
SELECT group_concat(PartitionKey || RowKey) FROM t WHERE PartitionKey = 'a' AND (RowKey = '1' OR RowKey = '2');
SELECT group_concat(PartitionKey || RowKey) FROM t WHERE PartitionKey IN (SELECT 'b' UNION SELECT 'c') AND I = 1;
SELECT group_concat(PartitionKey || RowKey) FROM t WHERE (PartitionKey, RowKey) IN (SELECT k, r FROM pairs);
SELECT group_concat(PartitionKey || RowKey) FROM t WHERE (PartitionKey = 'a' AND RowKey = '1') OR (PartitionKey = 'b' AND RowKey >= 'T');
SELECT count(*) FROM t WHERE PartitionKey IN ();
.read sent.sql
.print == without a partition, a list of row keys is one scan
SELECT group_concat(PartitionKey || RowKey) FROM t WHERE RowKey IN ('1', 'sha');
SELECT group_concat(PartitionKey || RowKey) FROM t WHERE RowKey IN ('0', '1', '2', '3', '4', '5', '6', '7', '8', '9');
.read sent.sql
.print == prefixes of keys
SELECT group_concat(RowKey) FROM t WHERE RowKey LIKE 'sh%';
SELECT group_concat(RowKey) FROM t WHERE RowKey LIKE 'sh~_%' ESCAPE '~';
SELECT group_concat(RowKey) FROM t WHERE PartitionKey = 'b' AND RowKey GLOB 'Sh*';
SELECT group_concat(RowKey) FROM t WHERE PartitionKey LIKE 'A%';
.read sent.sql
.print == strings
SELECT group_concat(RowKey) FROM t WHERE S = 'one';
SELECT group_concat(RowKey) FROM t WHERE S = 'it''s';
SELECT group_concat(RowKey) FROM t WHERE S IS 'one';
SELECT group_concat(RowKey) FROM t WHERE S >= 'o' AND S < 'p';
SELECT group_concat(RowKey) FROM t WHERE S BETWEEN 'a' AND 'z' AND PartitionKey = 'a';
SELECT group_concat(RowKey) FROM t WHERE S IN ('one', 'two', NULL);
SELECT group_concat(RowKey) FROM t WHERE S LIKE 'ON%';
SELECT group_concat(RowKey) FROM t WHERE S GLOB 'on*';
.read sent.sql
.print == numbers: one comparison for each type of the column
SELECT group_concat(RowKey) FROM t WHERE I = 1;
SELECT group_concat(RowKey) FROM t WHERE I > 1.5;
SELECT group_concat(RowKey) FROM t WHERE I <= '2';
SELECT group_concat(RowKey) FROM t WHERE L = 3;
SELECT group_concat(RowKey) FROM t WHERE L > 10000000001;
SELECT group_concat(RowKey) FROM t WHERE D = 8.15;
SELECT group_concat(RowKey) FROM t WHERE D < 1;
SELECT group_concat(RowKey) FROM t WHERE I IN (1, 3);
.read sent.sql
.print == booleans, guids, binaries
SELECT group_concat(RowKey) FROM t WHERE B = 1;
SELECT group_concat(RowKey) FROM t WHERE B = 0 AND PartitionKey >= 'b';
SELECT group_concat(RowKey) FROM t WHERE G = '00000000-0000-0000-0000-000000000002';
SELECT group_concat(RowKey) FROM t WHERE X = x'02';
.read sent.sql
.print == dates: the widest range of instants that the text comparison permits
SELECT group_concat(RowKey) FROM t WHERE W >= '2014-05-01' AND W < '2014-06';
SELECT group_concat(RowKey) FROM t WHERE W = '2014-06-01T00:00:00.0000000Z';
SELECT group_concat(RowKey) FROM t WHERE W <= '2014-05-31';
SELECT group_concat(RowKey) FROM t WHERE W LIKE '2014-05%';
.read sent.sql
.print == IS NOT NULL: a filter that is true for every value; not in statements with JOIN
SELECT group_concat(RowKey) FROM t WHERE S IS NOT NULL;
SELECT group_concat(RowKey) FROM t WHERE I IS NOT NULL AND PartitionKey = 'a';
EXPLAIN QUERY PLAN SELECT group_concat(RowKey) FROM t WHERE I IS NOT NULL AND PartitionKey = 'a';
SELECT group_concat(RowKey) FROM t LEFT JOIN (SELECT 1 AS one) ON S IS NOT NULL AND one > 1 WHERE PartitionKey = 'a';
.read sent.sql
.print == ANY: an unambiguous equality
SELECT group_concat(RowKey) FROM t WHERE A = 'two';
SELECT group_concat(RowKey) FROM t WHERE A = '2014-05-01T00:00:00.0000000Z';
SELECT group_concat(RowKey) FROM t WHERE A = x'03';
.read sent.sql
.print == not pushed
SELECT group_concat(RowKey) FROM t WHERE S <> 'one';
SELECT group_concat(RowKey) FROM t WHERE NOT I < 2;
SELECT group_concat(RowKey) FROM t WHERE S IS NULL;
SELECT group_concat(RowKey) FROM t WHERE B > 0;
SELECT group_concat(RowKey) FROM t WHERE G > '00000000-0000-0000-0000-000000000002';
SELECT group_concat(RowKey) FROM t WHERE X > x'02';
SELECT group_concat(RowKey) FROM t WHERE I = 3000000000;
SELECT group_concat(RowKey) FROM t WHERE I = 1.5;
SELECT group_concat(RowKey) FROM t WHERE S = 'ONE' COLLATE NOCASE;
SELECT group_concat(RowKey) FROM t WHERE A > 0;
SELECT group_concat(RowKey) FROM t WHERE W > 'yesterday';
.read sent.sql
.print == orders that the service supports
EXPLAIN QUERY PLAN SELECT RowKey FROM t ORDER BY PartitionKey, RowKey LIMIT 2;
SELECT PartitionKey, RowKey FROM t ORDER BY PartitionKey, RowKey LIMIT 2;
SELECT RowKey FROM t WHERE PartitionKey = 'a' ORDER BY RowKey LIMIT 1 OFFSET 1;
SELECT PartitionKey FROM t WHERE PartitionKey IN ('c', 'b', 'a') ORDER BY PartitionKey LIMIT 2;
SELECT min(PartitionKey) FROM t;
SELECT PartitionKey, count(*) FROM t GROUP BY PartitionKey;
SELECT DISTINCT PartitionKey FROM t;
SELECT count(*) FROM (SELECT DISTINCT PartitionKey FROM t WHERE PartitionKey > 'a');
SELECT EXISTS (SELECT 1 FROM t WHERE PartitionKey = 'b');
SELECT PartitionKey, RowKey, row_number() OVER (PARTITION BY PartitionKey ORDER BY RowKey) FROM t WHERE PartitionKey < 'b';
EXPLAIN QUERY PLAN SELECT PartitionKey, RowKey, row_number() OVER (PARTITION BY PartitionKey ORDER BY RowKey) FROM t;
.read sent.sql
.print == orders that the service does not support
EXPLAIN QUERY PLAN SELECT RowKey FROM t ORDER BY PartitionKey DESC;
EXPLAIN QUERY PLAN SELECT RowKey FROM t ORDER BY RowKey;
EXPLAIN QUERY PLAN SELECT RowKey FROM t ORDER BY PartitionKey COLLATE NOCASE;
SELECT max(PartitionKey) FROM t;
.read sent.sql
.print == pushdown=keys and pushdown=none
INSERT INTO t(_command) VALUES('pushdown=keys');
SELECT group_concat(RowKey) FROM t WHERE PartitionKey = 'a' AND S = 'one';
INSERT INTO t(_command) VALUES('pushdown=none');
SELECT group_concat(RowKey) FROM t WHERE PartitionKey = 'a' AND S = 'one';
INSERT INTO t(_command) VALUES('reset');
.read sent.sql
.print == Cosmos DB returns no order: SQLite sorts
SELECT aztables_connect('cosmos', 'AccountName=a;AccountKey=a2V5;TableEndpoint=https://a.table.cosmos.azure.com:443/') LIKE 'cosmos: %';
CREATE VIRTUAL TABLE c USING aztables(table=Pushed, connection=cosmos, infer=off);
EXPLAIN QUERY PLAN SELECT RowKey FROM c ORDER BY PartitionKey, RowKey LIMIT 2;
EXPLAIN QUERY PLAN SELECT DISTINCT PartitionKey FROM c;
EXPLAIN QUERY PLAN SELECT RowKey FROM c WHERE PartitionKey = 'a' ORDER BY RowKey;
.read sent.sql
