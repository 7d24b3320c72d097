-- Guards: scan, max_requests, max_entities, max_seconds, and the commands that change options.
SELECT aztables_create_table('demo.Guards'), aztables_create_table('demo.GuardsSmall');
CREATE VIRTUAL TABLE t USING aztables(table=Guards, connection=demo, N INT32, scan=deny);
CREATE VIRTUAL TABLE small USING aztables(table=GuardsSmall, connection=demo, N INT32, scan=deny);
INSERT INTO t(PartitionKey, RowKey, N)
  WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 2499)
  SELECT 'p' || (i % 3), printf('%05d', i), i FROM c;
INSERT INTO small(PartitionKey, RowKey, N) VALUES ('a', '1', 1), ('a', '2', 2), ('b', '1', 3);
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
.print == scan=deny allows reads that limit PartitionKey, and a first page
SELECT count(*) FROM t WHERE PartitionKey = 'p1';
SELECT count(*) FROM t WHERE PartitionKey > 'p0';
SELECT count(*) FROM t WHERE PartitionKey IN ('p0', 'p2');
SELECT N FROM t WHERE PartitionKey = 'p1' AND RowKey = '00001';
SELECT RowKey FROM t LIMIT 3;
SELECT count(*) FROM small;
SELECT count(*) FROM small WHERE N > 1;
SELECT count(*) FROM small UNION ALL SELECT max(N) FROM small;
.read sent.sql
.print == scan=deny rejects a second request
SELECT count(*) FROM t;
SELECT count(*) FROM t WHERE RowKey > '0';
SELECT count(*) FROM t WHERE N = 5;
SELECT RowKey FROM t WHERE N > 5000 LIMIT 3;
SELECT count(*) FROM (SELECT RowKey FROM t LIMIT 1001);
SELECT N FROM t ORDER BY N LIMIT 1;
SELECT count(*) FROM t WHERE PartitionKey = CAST(5 AS INTEGER);
.read sent.sql
.print == inner sides of joins, and subqueries
CREATE TABLE l(i INTEGER);
INSERT INTO l VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12);
SELECT count(*) FROM l CROSS JOIN small WHERE small.N >= l.i;
SELECT l.i, (SELECT count(*) FROM small WHERE N >= l.i) AS n FROM l WHERE i < 4;
SELECT count(n) FROM (SELECT (SELECT count(*) FROM small WHERE N >= l.i) AS n FROM l);
SELECT count(*) FROM l JOIN small ON small.PartitionKey = 'a' AND small.RowKey = l.i || '';
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
.print == aztables_query obeys the rules of the tables over the same remote table
SELECT count(*) FROM aztables_query('demo.Guards');
SELECT count(*) FROM aztables_query('demo.Guards', 'N ge 0');
SELECT count(*) FROM aztables_query('demo.Guards', 'PartitionKey eq ''p0'' or RowKey eq ''1''');
SELECT count(*) FROM aztables_query('demo.Guards', 'PartitionKey eq ''p0'' and N ge 0');
SELECT count(*) FROM (SELECT RowKey FROM aztables_query('demo.Guards') LIMIT 5);
.read sent.sql
.print == the statement in the message removes the rule for this database connection
INSERT INTO t(_command) VALUES('scan=allow');
SELECT count(*) FROM t;
SELECT count(*) FROM aztables_query('demo.Guards');
INSERT INTO t(_command) VALUES('reset');
SELECT count(*) FROM t;
INSERT INTO t(_command) VALUES('scan=warn');
.log stdout
SELECT count(*) FROM t;
SELECT count(*) FROM t WHERE PartitionKey = 'p1';
.log off
CREATE VIRTUAL TABLE temp."odd name" USING aztables(table=Guards, connection=demo, N INT32, scan=deny);
SELECT count(*) FROM temp."odd name";
INSERT INTO temp."odd name"(_command) VALUES('scan=allow');
SELECT count(*) FROM temp."odd name";
DROP TABLE temp."odd name";
.print == a new table of the same name begins with its declared options
INSERT INTO t(_command) VALUES('scan=allow');
DROP TABLE t;
CREATE VIRTUAL TABLE t USING aztables(table=Guards, connection=demo, N INT32, scan=deny, retries=1);
SELECT count(*) FROM t;
INSERT INTO t(_command) VALUES('scan=allow');
.print == max_requests
INSERT INTO t(_command) VALUES('max_requests=2');
SELECT count(*) FROM t WHERE PartitionKey = 'p1';
SELECT count(*) FROM t;
INSERT INTO t(_command) VALUES('max_requests=3');
SELECT count(*) FROM t;
SELECT count(*) FROM l CROSS JOIN t ON t.PartitionKey = 'p1' AND t.RowKey = printf('%05d', l.i);
SELECT count(*) FROM l CROSS JOIN small ON small.PartitionKey = 'a' AND small.RowKey = l.i || '' CROSS JOIN t ON t.PartitionKey = 'p1' AND t.RowKey >= printf('%05d', l.i);
SELECT count(*) FROM aztables_query('demo.Guards');
INSERT INTO t(_command) VALUES('max_requests=2');
SELECT count(*) FROM aztables_query('demo.Guards');
INSERT INTO t(_command) VALUES('max_requests=none');
.print == max_entities: no page is larger than the rest of the budget
INSERT INTO t(_command) VALUES('max_entities=1200');
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
SELECT count(*) FROM t;
SELECT count(*) FROM (SELECT RowKey FROM t LIMIT 1200);
SELECT count(*) FROM t WHERE PartitionKey = 'p1';
.read sent.sql
INSERT INTO t(_command) VALUES('max_entities=none');
.print == budgets of a COMMIT are checked before the first request
INSERT INTO t(_command) VALUES('max_requests=2');
INSERT INTO t(PartitionKey, RowKey) VALUES ('x', '1'), ('y', '1'), ('z', '1');
INSERT INTO t(PartitionKey, RowKey) VALUES ('x', '1'), ('y', '1');
INSERT INTO t(_command) VALUES('max_entities=2');
BEGIN;
INSERT INTO t(PartitionKey, RowKey) VALUES ('x', '2');
INSERT INTO t(PartitionKey, RowKey) VALUES ('x', '3');
INSERT INTO t(PartitionKey, RowKey) VALUES ('x', '4');
COMMIT;
SELECT count(*) FROM t WHERE PartitionKey >= 'x';
INSERT INTO t(_command) VALUES('reset');
.read sent.sql
.print == max_seconds ends a wait
CREATE VIRTUAL TABLE slow USING aztables(connection=faulty, table=slow, N INT32, max_seconds=1);
SELECT * FROM slow;
.print == retried attempts are counted
CREATE VIRTUAL TABLE busy USING aztables(connection=faulty, table=throttled, N INT32, max_requests=2, retries=20);
SELECT * FROM busy;
.print == commands: other options, and invalid commands
INSERT INTO small(_command) VALUES(' ACCESS = read ');
INSERT INTO small(PartitionKey, RowKey) VALUES ('c', '1');
BEGIN;
INSERT INTO small(_command) VALUES('access=write');
INSERT INTO small(PartitionKey, RowKey) VALUES ('c', '1');
SAVEPOINT s;
INSERT INTO small(PartitionKey, RowKey) VALUES ('c', '2');
ROLLBACK TO s;
COMMIT;
SELECT group_concat(RowKey) FROM small WHERE PartitionKey = 'c';
INSERT INTO small(_command) VALUES('pushdown=none'), ('timeout=''2m''');
EXPLAIN QUERY PLAN SELECT * FROM small WHERE PartitionKey = 'a';
INSERT INTO small(_command) VALUES('reset');
EXPLAIN QUERY PLAN SELECT N FROM small WHERE PartitionKey = 'a';
SELECT _command FROM small WHERE PartitionKey = 'c';
INSERT INTO small(_command) VALUES('scan=sometimes');
INSERT INTO small(_command) VALUES('scan=my way');
INSERT INTO small(_command) VALUES('scan=deny, retries=1');
INSERT INTO small(_command) VALUES('colour=red');
INSERT INTO small(_command) VALUES('table=Other');
INSERT INTO small(_command) VALUES('connection=other');
INSERT INTO small(_command) VALUES('infer=10');
INSERT INTO small(_command) VALUES('do something');
INSERT INTO small(_command) VALUES('');
INSERT INTO small(_command) VALUES('refresh');
INSERT INTO small(_command, PartitionKey, RowKey) VALUES('reset', 'a', 'b');
INSERT INTO small(_command, PartitionKey, RowKey) VALUES(NULL, 'd', '1');
SELECT count(*) FROM small;
