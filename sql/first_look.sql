-- A first look at a table that nobody described: which tables there are, which properties this one
-- has, ten rows of it, and a question that names a partition. A question that would read the whole
-- table is refused. Run it in the sqlite3 shell, with the names of your connection and table in
-- place of demo and Readings.
.load ./aztables
.mode box --wrap 60

SELECT name FROM aztables_tables('demo');

SELECT property, type, round(share, 2) AS share, example FROM aztables_infer('demo.Readings');

CREATE VIRTUAL TABLE readings USING aztables(table=Readings, connection=demo, scan=deny);

SELECT PartitionKey, RowKey, Celsius, Status FROM readings LIMIT 10;

SELECT max(Celsius) FROM readings;

SELECT substr(RowKey, 1, 7) AS month, count(*) AS readings, round(avg(Celsius), 2) AS celsius
FROM readings WHERE PartitionKey = 'boiler-2' AND RowKey >= '2026-08' GROUP BY month;
