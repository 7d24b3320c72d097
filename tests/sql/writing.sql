-- Writing: every form of INSERT, its EGTs, and rejected rows.
SELECT aztables_create_table('demo.Writing');
CREATE VIRTUAL TABLE t USING aztables(table=Writing, connection=demo, N INT32);
.print == one row, many rows, INSERT ... SELECT
INSERT INTO t(PartitionKey, RowKey, N) VALUES ('a', '1', 1);
INSERT INTO t(PartitionKey, RowKey, N) VALUES ('a', '2', 2), ('b', '1', 3), ('a', '3', 4);
INSERT INTO t(PartitionKey, RowKey, N) SELECT 'c' || value % 2, value, value FROM generate_series(1, 220);
SELECT changes();
.read sent.sql
SELECT PartitionKey, count(*), sum(N) FROM t GROUP BY 1;
.read sent.sql
.print == last_insert_rowid() is the entity's
INSERT INTO t(PartitionKey, RowKey, N) VALUES ('id', 'x', 9);
SELECT RowKey, N FROM t WHERE rowid = last_insert_rowid();
.print == a transaction is sent at COMMIT
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
BEGIN;
INSERT INTO t(PartitionKey, RowKey) VALUES ('tx', '1');
INSERT INTO t(PartitionKey, RowKey) VALUES ('tx', '2');
SELECT count(*) FROM sent;
COMMIT;
.read sent.sql
.print == ROLLBACK, ROLLBACK TO and failed statements drop exactly their rows
BEGIN;
INSERT INTO t(PartitionKey, RowKey) VALUES ('gone', '1');
ROLLBACK;
BEGIN;
INSERT INTO t(PartitionKey, RowKey) VALUES ('kept', '1');
SAVEPOINT s;
INSERT INTO t(PartitionKey, RowKey) VALUES ('dropped', '1'), ('kept', '9');
ROLLBACK TO s;
INSERT INTO t(PartitionKey, RowKey) VALUES ('kept', '2');
RELEASE s;
INSERT INTO t(PartitionKey, RowKey, N) VALUES ('dropped', '2', 1), ('dropped', '3', 'no number');
INSERT INTO t(PartitionKey, RowKey, N) VALUES ('kept', '3', 3);
COMMIT;
.read sent.sql
SELECT PartitionKey, RowKey FROM t WHERE PartitionKey IN ('gone', 'kept', 'dropped') ORDER BY 1, 2;
.print == conflicts
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
INSERT INTO t(PartitionKey, RowKey) VALUES ('a', '1');
INSERT INTO t(PartitionKey, RowKey) VALUES ('new', '1'), ('new', '1');
BEGIN;
INSERT INTO t(PartitionKey, RowKey) VALUES ('new', '1');
INSERT INTO t(PartitionKey, RowKey) VALUES ('a', '4'), ('a', '2');
COMMIT;
.read sent.sql
SELECT PartitionKey, RowKey FROM t WHERE PartitionKey = 'new' OR (PartitionKey = 'a' AND RowKey = '4');
.print == keys
INSERT INTO t(PartitionKey, RowKey) VALUES (NULL, '1');
INSERT INTO t(PartitionKey) VALUES ('p');
INSERT INTO t(PartitionKey, RowKey) VALUES (x'00', '1');
INSERT INTO t(PartitionKey, RowKey) VALUES ('a/b', '1');
INSERT INTO t(PartitionKey, RowKey) VALUES ('a' || char(10), '1');
INSERT INTO t(PartitionKey, RowKey) VALUES (printf('%.*c', 1025, 'k'), '1');
INSERT INTO t(PartitionKey, RowKey, N) VALUES (12, 15, 1);
INSERT INTO t(PartitionKey, RowKey, N) VALUES (12, 1.5, 2);
INSERT INTO t(PartitionKey, RowKey, N) VALUES ('empty row key', '', 2);
INSERT INTO t(PartitionKey, RowKey, N) VALUES ('odd % + & = '' "', 'x?y', 1);
INSERT INTO t(PartitionKey, RowKey, N) VALUES ('odd % + & = '' " ; , ( ) < > %2F ü 𝄞', 'ünï %20 +', 3);
SELECT PartitionKey, RowKey, N FROM t WHERE PartitionKey = '12';
SELECT PartitionKey, RowKey, N FROM t WHERE PartitionKey = 'empty row key' AND RowKey = '';
SELECT PartitionKey, RowKey, N FROM t WHERE PartitionKey = 'odd % + & = '' " ; , ( ) < > %2F ü 𝄞' AND RowKey = 'ünï %20 +';
.print == Timestamp and _etag are the service's
INSERT INTO t(PartitionKey, RowKey, Timestamp, _etag) VALUES ('ts', '1', '2001-01-01', 'x');
SELECT Timestamp > '2020', _etag <> 'x' FROM t WHERE PartitionKey = 'ts';
.print == rejected values are never converted
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
INSERT INTO t(PartitionKey, RowKey) VALUES ('a', '1') ON CONFLICT DO NOTHING;
INSERT INTO t(rowid, PartitionKey, RowKey) VALUES (5, 'a', '1');
UPDATE t SET rowid = 5 WHERE PartitionKey = 'a' AND RowKey = '1';
UPDATE t SET _etag = 'x' WHERE PartitionKey = 'a' AND RowKey = '1';
UPDATE t SET Timestamp = '2001-01-01' WHERE PartitionKey = 'a' AND RowKey = '1';
UPDATE t SET _command = 'reset' WHERE PartitionKey = 'a' AND RowKey = '1';
DELETE FROM t WHERE PartitionKey = 'a' AND RowKey = '1' RETURNING N;
SELECT line FROM sent WHERE line NOT LIKE '%GET%';
SELECT N FROM t WHERE PartitionKey = 'a' AND RowKey = '1';
.print == limits, at the statement
CREATE VIRTUAL TABLE big USING aztables(table=Writing, connection=demo, S STRING, X BINARY);
BEGIN;
INSERT INTO big(PartitionKey, RowKey, S) VALUES ('big', '1', printf('%.*c', 32768, 's'));
INSERT INTO big(PartitionKey, RowKey, S) VALUES ('big', '2', printf('%.*c', 32769, 's'));
INSERT INTO big(PartitionKey, RowKey, X) VALUES ('big', '3', zeroblob(65536));
INSERT INTO big(PartitionKey, RowKey, X) VALUES ('big', '4', zeroblob(65537));
COMMIT;
SELECT RowKey, length(S), length(X) FROM big WHERE PartitionKey = 'big';
.print == create=missing
CREATE VIRTUAL TABLE fresh USING aztables(table=WritingFresh, connection=demo, create=missing);
SELECT count(*) FROM fresh;
SELECT aztables_drop_table('demo.WritingFresh');
INSERT INTO fresh(PartitionKey, RowKey) VALUES ('a', '1'), ('b', '1');
SELECT PartitionKey FROM fresh;
