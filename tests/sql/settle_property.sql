-- settle_property: each entity that a transaction writes gets an id of the transaction.
SELECT aztables_create_table('demo.Marked'), aztables_create_table('demo.Plain');
CREATE VIRTUAL TABLE t USING aztables(table=Marked, connection=demo, settle_property=Tx, N INT32, A STRING);
CREATE VIRTUAL TABLE raw USING aztables(table=Marked, connection=demo, N INT32, Tx STRING);
CREATE VIRTUAL TABLE plain USING aztables(table=Plain, connection=demo, N INT32);
CREATE TEMP TABLE seen(step TEXT, RowKey TEXT, Tx TEXT);
CREATE TEMP VIEW marks AS SELECT RowKey, N, length(Tx) AS size, dense_rank() OVER (ORDER BY Tx) AS mark FROM raw;
.print == every kind of write, and one id for all of a transaction
INSERT INTO raw(PartitionKey, RowKey, N) VALUES ('p', '1', 1), ('p', '2', 2), ('p', '3', 3), ('p', '4', 4), ('p', '5', 5);
BEGIN;
INSERT INTO t(PartitionKey, RowKey, N) VALUES ('p', '6', 6), ('q', '7', 7);
INSERT OR IGNORE INTO t(PartitionKey, RowKey, N) VALUES ('p', '1', 11), ('p', '8', 8);
INSERT OR REPLACE INTO t(PartitionKey, RowKey, N) VALUES ('p', '2', 22);
UPDATE t SET N = 33 WHERE RowKey = '3';
UPDATE t SET RowKey = '44' WHERE PartitionKey = 'p' AND RowKey = '4';
DELETE FROM t WHERE RowKey = '5';
.print == before COMMIT nothing shows it
SELECT RowKey, N, _entity FROM t ORDER BY RowKey;
COMMIT;
SELECT * FROM marks ORDER BY RowKey;
INSERT INTO seen SELECT 'first', RowKey, Tx FROM raw;
SELECT RowKey, N, A FROM t ORDER BY RowKey;
.print == a later transaction replaces it, once in each entity
BEGIN;
UPDATE t SET N = N + 100 WHERE RowKey IN ('6', '7');
UPDATE t SET _entity = aztables_set(_entity, 'A', 'a') WHERE RowKey = '8';
UPDATE t SET RowKey = '4' WHERE PartitionKey = 'p' AND RowKey = '44';
COMMIT;
SELECT r.RowKey, r.N, length(r.Tx), r.Tx = s.Tx FROM raw r LEFT JOIN seen s ON s.RowKey = r.RowKey ORDER BY r.RowKey;
SELECT count(DISTINCT Tx) FROM raw WHERE RowKey IN ('6', '7', '8', '4');
SELECT DISTINCT name FROM t, aztables_each(t._entity) WHERE RowKey = '8';
.print == what carries an id along gets that of its own transaction
INSERT INTO t(PartitionKey, RowKey, _entity) SELECT 'copy', RowKey, _entity FROM raw WHERE RowKey IN ('6', '7');
INSERT INTO t(PartitionKey, RowKey, _entity) VALUES ('copy', 'g', '{"Tx@odata.type":"Edm.Guid","Tx":"c9da6455-213d-42c9-9a79-3e9149a57833","N":1}');
SELECT c.RowKey, c.N, aztables_type(c._entity, 'Tx'), o.Tx = c.Tx FROM raw c LEFT JOIN raw o ON o.RowKey = c.RowKey AND o.PartitionKey != 'copy'
WHERE c.PartitionKey = 'copy' ORDER BY c.RowKey;
.print == a declared column shows it and cannot change it
CREATE VIRTUAL TABLE shows USING aztables(table=Marked, connection=demo, settle_property=Tx, N INT32, id STRING PROPERTY 'Tx');
SELECT RowKey, length(id) FROM shows WHERE PartitionKey = 'q';
UPDATE shows SET id = 'mine' WHERE PartitionKey = 'q';
UPDATE shows SET id = NULL WHERE PartitionKey = 'q';
UPDATE shows SET id = id, N = 8 WHERE PartitionKey = 'q';
INSERT INTO shows(PartitionKey, RowKey, id) VALUES ('i', '1', 'mine');
SELECT RowKey, N, length(id) FROM shows WHERE PartitionKey IN ('i', 'q') ORDER BY PartitionKey;
.print == inference
CREATE VIRTUAL TABLE inferred USING aztables(table=Marked, connection=demo, settle_property=Tx);
SELECT group_concat(name, ' ') FROM pragma_table_info('inferred');
INSERT INTO inferred(_command) VALUES ('refresh');
SELECT group_concat(name, ' ') FROM pragma_table_info('inferred');
SELECT property, coalesce(column_name, 'no column') FROM aztables_infer('demo.Marked') ORDER BY 1;
SELECT aztables_schema('demo.Marked');
.print == limits
CREATE TEMP TABLE many AS WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 252)
SELECT n, '{' || group_concat('"P' || n || '":1', ',') OVER (ORDER BY n) || '}' AS entity FROM i;
INSERT INTO t(PartitionKey, RowKey, _entity) SELECT 'l', '1', entity FROM many WHERE n = 252;
INSERT INTO t(PartitionKey, RowKey, _entity) SELECT 'l', '2', entity FROM many WHERE n = 251;
UPDATE t SET A = 'one more' WHERE PartitionKey = 'l';
UPDATE t SET _entity = aztables_set(_entity, 'P1', 2) WHERE PartitionKey = 'l';
INSERT INTO raw(PartitionKey, RowKey, _entity) SELECT 'l', '3', entity FROM many WHERE n = 252;
UPDATE t SET _entity = aztables_set(_entity, 'P1', 2) WHERE PartitionKey = 'l' AND RowKey = '3';
SELECT RowKey, (SELECT count(*) FROM aztables_each(_entity)) FROM t WHERE PartitionKey = 'l';
.print == tables over one remote table have the same one in a transaction
BEGIN;
INSERT INTO t(PartitionKey, RowKey) VALUES ('z', '1');
INSERT INTO raw(PartitionKey, RowKey) VALUES ('z', '2');
INSERT INTO plain(PartitionKey, RowKey, N) VALUES ('z', '1', 5);
INSERT INTO shows(PartitionKey, RowKey) VALUES ('z', '3');
COMMIT;
SELECT count(*), count(DISTINCT id) FROM shows WHERE PartitionKey = 'z';
SELECT _entity FROM plain;
.print == bulk, and settle=off
CREATE VIRTUAL TABLE bulk USING aztables(table=Marked, connection=demo, settle_property=Tx, settle=off, bulk=on, batch=1, N INT32);
BEGIN;
WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 70) INSERT INTO bulk(PartitionKey, RowKey, N) SELECT 'b', n, n FROM i;
ROLLBACK;
SELECT count(*), count(DISTINCT id), min(length(id)) FROM shows WHERE PartitionKey = 'b';
.print == the declaration
CREATE VIRTUAL TABLE bad USING aztables(table=Marked, connection=demo, settle_property=RowKey, N INT32);
CREATE VIRTUAL TABLE bad USING aztables(table=Marked, connection=demo, settle_property='a b', N INT32);
CREATE VIRTUAL TABLE bad USING aztables(table=Marked, connection=demo, settle_property=Tx, Tx GUID);
INSERT INTO t(_command) VALUES ('settle_property=Other');
