-- Wide tables: 252 properties. Columns from the 63rd on (P61 and later, and _entity) share one bit of
-- SQLite's colUsed. A statement that uses one of them reads whole entities.
SELECT aztables_create_table('demo.Wide');
.mode list
.once wide.tmp
WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 252)
SELECT 'CREATE VIRTUAL TABLE t USING aztables(table=Wide, connection=demo, ' || group_concat('P' || i || ' INT32', ', ') || ');' FROM c;
.read wide.tmp
.once wide.tmp
WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 252)
SELECT 'INSERT INTO t VALUES (''p'', ''r'', NULL, ' || group_concat(i * 10, ', ') || ');' FROM c;
.read wide.tmp
.read sent.sql
SELECT count(*) FROM pragma_table_info('t');
SELECT P1, P59, P60, P61, P62, P63, P64, P128, P252 FROM t WHERE P252 = 2520;
SELECT P1 FROM t WHERE PartitionKey = 'p' AND RowKey = 'r';
SELECT P60 FROM t WHERE PartitionKey = 'p' AND RowKey = 'r';
SELECT P61 FROM t WHERE PartitionKey = 'p' AND RowKey = 'r';
.read sent.sql
SELECT (SELECT count(*) FROM json_each(_entity)), json_extract(_entity, '$.P252') FROM t;
.print == one property too many
INSERT INTO t(PartitionKey, RowKey, _entity) SELECT 'p', 'many', json_patch(_entity, '{"X":1}') FROM t;
SELECT RowKey FROM t;
