-- Changing: UPDATE, DELETE and conflict clauses, with their operations and requests.
SELECT aztables_create_table('demo.Changing');
CREATE VIRTUAL TABLE t USING aztables(table=Changing, connection=demo, N INT32, S STRING);
INSERT INTO t(PartitionKey, RowKey, N, S, _entity) VALUES
  ('a', '1', 1, 'one', '{"Extra":true}'), ('a', '2', 2, 'two', '{"Big@odata.type":"Edm.Int64","Big":"9007199254740993"}'),
  ('a', '3', 3, 'three', NULL), ('b', '1', 4, 'four', NULL);
CREATE TEMP VIEW outcomes AS SELECT partition_key, operations, outcome FROM aztables_commits
  WHERE commit_id = (SELECT max(commit_id) FROM aztables_commits);
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
.print == UPDATE of some columns merges them
UPDATE t SET N = N + 10 WHERE PartitionKey = 'a';
SELECT changes();
.read sent.sql
SELECT RowKey, N, S, _entity FROM t WHERE PartitionKey = 'a';
.print == NULL removes the property and keeps all others
UPDATE t SET S = NULL WHERE RowKey = '2';
SELECT _entity FROM t WHERE PartitionKey = 'a' AND RowKey = '2';
.print == _entity sets all properties except those of columns that are also set
UPDATE t SET _entity = aztables_set(_entity, 'P17', 3.5), N = 99 WHERE PartitionKey = 'a' AND RowKey = '1';
SELECT _entity FROM t WHERE PartitionKey = 'a' AND RowKey = '1';
.print == UPDATE ... FROM
UPDATE t SET S = n.name FROM (SELECT 'a' AS pk, '3' AS rk, 'drei' AS name) n WHERE PartitionKey = n.pk AND RowKey = n.rk;
SELECT S FROM t WHERE PartitionKey = 'a' AND RowKey = '3';
.print == a changed key: one EGT within a partition; otherwise inserts before deletes
UPDATE t SET RowKey = 'x' || RowKey WHERE PartitionKey = 'a';
SELECT * FROM outcomes;
UPDATE t SET PartitionKey = 'c' WHERE PartitionKey = 'a';
SELECT * FROM outcomes;
SELECT PartitionKey, RowKey, _entity FROM t;
UPDATE t SET PartitionKey = 'b', RowKey = '1' WHERE RowKey = 'x1';
.print == DELETE reads keys and ETags only
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
DELETE FROM t WHERE PartitionKey = 'c' AND RowKey >= 'x2';
.read sent.sql
DELETE FROM t ORDER BY PartitionKey DESC LIMIT 1;
SELECT PartitionKey, RowKey FROM t;
.print == conflict clauses
INSERT OR REPLACE INTO t(PartitionKey, RowKey, N) VALUES ('b', '1', 5), ('b', '2', 6);
SELECT RowKey, _entity FROM t;
INSERT INTO t(_command) VALUES ('upsert=merge');
INSERT OR REPLACE INTO t(PartitionKey, RowKey, S) VALUES ('b', '1', 'merged');
SELECT RowKey, _entity FROM t;
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
INSERT OR IGNORE INTO t(PartitionKey, RowKey, N) VALUES ('b', '1', 0), ('b', '2', 0), ('b', '3', 7), ('b', '4', 8);
.read sent.sql
SELECT RowKey, N FROM t;
.print == a transaction reads its own writes and the EGTs that a COMMIT would send
BEGIN;
UPDATE t SET N = 100 WHERE RowKey = '3';
DELETE FROM t WHERE RowKey = '4';
INSERT INTO t(PartitionKey, RowKey, N) VALUES ('b', '25', 1), ('d', '1', 1);
UPDATE t SET N = N + 1 WHERE RowKey IN ('1', '25');
SELECT PartitionKey, RowKey, N, Timestamp IS NULL FROM t;
SELECT table_name, partition_key, inserts, updates, deletes, egt_number, bytes > 500 FROM aztables_pending;
ROLLBACK;
SELECT count(*), sum(N) FROM t;
.print == options of a COMMIT
INSERT INTO t(_command) VALUES ('atomic=partition');
INSERT INTO t(_command) VALUES ('batch=2');
UPDATE t SET N = 0;
INSERT INTO t(_command) VALUES ('atomic=strict');
INSERT INTO t(PartitionKey, RowKey) VALUES ('e', '1'), ('f', '1');
INSERT INTO t(_command) VALUES ('reset');
INSERT INTO t(_command) VALUES ('max_pending=10KB');
UPDATE t SET S = printf('%.*c', 5000, 'x');
SELECT count(*), sum(N), max(length(S)) FROM t;
.print == an ETag of a statement that read another version
SELECT _etag <> '' FROM t WHERE PartitionKey = 'b' AND RowKey = '1';
DELETE FROM t WHERE RowKey = '1' AND _etag = 'another';
SELECT changes();
