-- With mismatch=error, filters also ask for entities whose property has another type than its column.
SELECT aztables_create_table('demo.TypeArms');
CREATE VIRTUAL TABLE raw USING aztables(table=TypeArms, connection=demo, infer=off);
INSERT INTO raw(PartitionKey, RowKey, _entity) VALUES
  ('p', '1', '{"Q":4,"Total":5.5,"S":"a"}'), ('p', '2', '{"Q":"4","Total":7.5,"S":"b"}'),
  ('p', '3', '{"Q":4.5,"Total":8.5,"S":"c"}'), ('p', '4', '{"Q":true,"Total":9.5,"S":"d"}'),
  ('p', '5', '{"Q@odata.type":"Edm.Int64","Q":"4","Total":10.5,"S":"e"}'),
  ('p', '6', '{"Q@odata.type":"Edm.DateTime","Q":"2026-01-01T00:00:00Z","Total":11.5,"S":"f"}'),
  ('p', '7', '{"Q@odata.type":"Edm.Guid","Q":"00000000-0000-0000-0000-000000000001","Total":12.5,"S":"g"}'),
  ('p', '8', '{"Q@odata.type":"Edm.Binary","Q":"AAAA","Total":13.5,"S":"h"}'),
  ('p', '9', '{"Q":5,"Total":14.5,"S":6}'), ('q', '1', '{"Q":4,"Total":1}');
CREATE VIRTUAL TABLE t USING aztables(table=TypeArms, connection=demo, parallel=1, Q INT32, Total DOUBLE, S STRING, B INT64,
  D DATETIME, G GUID, X BINARY, F BOOLEAN, A ANY PROPERTY 'Q');
CREATE VIRTUAL TABLE u USING aztables(table=TypeArms, connection=demo, parallel=1, Q INT32, Total DOUBLE, S STRING);
CREATE VIRTUAL TABLE n USING aztables(table=TypeArms, connection=demo, parallel=1, Q INT32, Total DOUBLE, S STRING, mismatch=null);
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
.print == each type that a filter can ask for is found
SELECT sum(Total) FROM u WHERE Q = 4;
SELECT sum(Total) FROM u WHERE Q = 4 AND RowKey > '2';
SELECT sum(Total) FROM u WHERE Q = 4 AND RowKey > '3';
SELECT sum(Total) FROM u WHERE Q = 4 AND RowKey > '4';
SELECT sum(Total) FROM u WHERE Q = 4 AND RowKey > '5';
SELECT sum(Total) FROM u WHERE Q >= 5 AND RowKey > '6';
SELECT sum(Total) FROM u WHERE Q IS NOT NULL AND RowKey <= '2';
SELECT sum(Total) FROM u WHERE Q IS NOT NULL AND RowKey > '6';
.read sent.sql
.print == other conditions still apply
SELECT sum(Total) FROM u WHERE Q = 4 AND Total < 6;
SELECT sum(Total) FROM u WHERE Q = 4 AND Total < 8;
SELECT sum(Total) FROM u WHERE Q = 4 AND S = 'a';
SELECT sum(Total) FROM u WHERE Q = 4 AND PartitionKey = 'q';
.read sent.sql
.print == a comparison that is never true still asks for other types
SELECT count(*) FROM u WHERE Q = 4.5 AND PartitionKey = 'q';
SELECT count(*) FROM u WHERE Q = 4.5;
SELECT count(*) FROM u WHERE Q IN (4.5, NULL) AND PartitionKey = 'q';
SELECT count(*) FROM u WHERE Q = NULL;
SELECT count(*) FROM u WHERE Q IN (NULL);
SELECT count(*) FROM u WHERE Q = 'x' AND PartitionKey = 'p' AND RowKey = '2';
.read sent.sql
.print == every type of column, and bounds that share their arms
SELECT count(*) FROM t WHERE B BETWEEN 1 AND 7;
SELECT count(*) FROM t WHERE Total >= 100 AND Total < 200;
SELECT count(*) FROM t WHERE D >= '2026' AND D < '2027';
SELECT count(*) FROM t WHERE G = '00000000-0000-0000-0000-000000000001';
SELECT count(*) FROM t WHERE X = x'01';
SELECT count(*) FROM t WHERE F = 1;
SELECT count(*) FROM t WHERE S LIKE 'x%';
SELECT count(*) FROM t WHERE Timestamp < '2020';
.read sent.sql
.print == arms share the room that conditions leave
SELECT count(*) FROM t WHERE Total >= 100 AND B < 3 AND F = 1 AND D > '2026' AND X = x'01' AND G = '00000000-0000-0000-0000-000000000001';
SELECT count(*) FROM t WHERE B IN (1, 2, 3, 4, 5, 6) AND RowKey > '9';
.read sent.sql
.print == in a transaction, pending entities come first
BEGIN;
UPDATE n SET Total = 6 WHERE PartitionKey = 'q' AND RowKey = '1';
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
SELECT count(*) FROM u WHERE Total = 6 AND PartitionKey = 'q';
SELECT count(*) FROM u WHERE Q = 4 AND Total < 8 AND S = 'a';
.read sent.sql
ROLLBACK;
.print == mismatch=null and pushdown=keys need none
SELECT sum(Total) FROM n WHERE Q = 4;
SELECT count(*) FROM n WHERE Q = 4.5;
INSERT INTO u(_command) VALUES ('pushdown=keys');
SELECT sum(Total) FROM u WHERE Q = 4;
.read sent.sql
