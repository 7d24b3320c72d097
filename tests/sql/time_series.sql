-- A time series with one point per second and unix seconds as keys. Integers limit the range of the read.
CREATE VIRTUAL TABLE points USING aztables(connection=demo, table=TimeSeries, create=missing, parallel=1, Value DOUBLE);
INSERT INTO points(PartitionKey, RowKey, Value)
  WITH RECURSIVE second(i) AS (SELECT 1420070400 UNION ALL SELECT i + 1 FROM second WHERE i < 1420082399)
  SELECT 'mysource', i, i % 60 FROM second;
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
.print == two hours of a day
SELECT count(*), min(RowKey), max(RowKey), sum(Value) FROM points
  WHERE PartitionKey = 'mysource' AND RowKey >= 1420070400 AND RowKey < 1420077600;
.read sent.sql
.print == the same bounds as parameters, and by BETWEEN
.parameter set ?1 1420077540
SELECT count(*) FROM points WHERE PartitionKey = 'mysource' AND RowKey >= ?1 AND 1420077600 > RowKey;
.parameter clear
SELECT count(*) FROM points WHERE PartitionKey = 'mysource' AND RowKey BETWEEN 1420077540 AND 1420077600;
SELECT Value FROM points WHERE PartitionKey = 'mysource' AND RowKey = 1420077541;
.read sent.sql
.print == a join may compare differently: it reads the whole partition
CREATE TABLE bound(low INTEGER);
INSERT INTO bound VALUES (1420082390);
SELECT count(*) FROM bound CROSS JOIN points WHERE PartitionKey = 'mysource' AND RowKey >= low AND RowKey >= 1420082390;
SELECT count(*), sum(entities) FROM aztables_requests WHERE id > (SELECT id FROM shown);
