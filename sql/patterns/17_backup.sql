-- Question: how do I back up all tables of an account into one file, and restore one table or all of them?
-- Key design: the backup is a local store: one file that is a table service. So a backup has the same tables and keys,
-- and every SELECT works on it. A restore is the same copy with the two connections exchanged.
-- The original: the five documents describe no backup. AzCopy 7.3, for Windows, was the last version with tables. It
-- exported a table to files with a manifest.
--
-- It needs connections `demo` (to back up) and `copy` (an empty account). sql/README.md describes how to run it.
.load ./aztables
-- The script stops if an account has tables, because it copies all of them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use empty stores, an account has tables" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo');
INSERT INTO clash SELECT name FROM aztables_tables('copy');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':entities', 2000); -- per table

-- 1. Data: three tables of an account.
CREATE VIRTUAL TABLE customers USING aztables(table=Customers, connection=demo, create=missing, parallel=1, bulk=on,
  Name STRING, Since DATETIME);
CREATE VIRTUAL TABLE invoices USING aztables(table=Invoices, connection=demo, create=missing, parallel=1, bulk=on,
  Id GUID, Cents INT64, Scan BINARY);
CREATE VIRTUAL TABLE sensors USING aztables(table=Sensors, connection=demo, create=missing, parallel=1, bulk=on,
  Celsius DOUBLE, Active BOOLEAN, Errors INT32);
CREATE TEMP TABLE numbers AS
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :entities) SELECT i FROM n;
INSERT INTO customers(PartitionKey, RowKey, Name, Since)
  SELECT 'region' || (i % 5), printf('%07d', i), 'Zoë ' || i, aztables_datetime('2020-01-01', i || ' minutes')
  FROM numbers;
INSERT INTO invoices(PartitionKey, RowKey, Id, Cents, Scan)
  SELECT 'region' || (i % 5), printf('%07d', i), printf('%08x-0000-4000-8000-000000000000', i), i << 33,
    zeroblob(i % 50) FROM numbers;
INSERT INTO sensors(PartitionKey, RowKey, Celsius, Active, Errors, _entity)
  SELECT 'room' || (i % 5), printf('%07d', i), nullif(i % 70, 69) / 2.0, i % 2, i % 3,
    CASE i % 70 WHEN 69 THEN '{"Celsius@odata.type":"Edm.Double","Celsius":"NaN"}' END FROM numbers;
--= list tables: 2 requests, 0 entities
--= create table: 3 requests, 0 entities
--= EGT: 60 requests, 6,000 entities

-- 2. SQL has no loop over tables: a table name is part of a statement. So SQL writes the statements, one group per row
-- of aztables_tables. `job` names the two connections. A group copies a table and compares both sides as 15_copy.sql
-- does: equal tables have a UNION of the same size. No statement names a table of the account, so new tables are
-- included. INSERT OR REPLACE lets you repeat a run that failed. In real use, leave out `parallel=1`.
CREATE TEMP TABLE job(source, target);
CREATE TEMP VIEW statements(sql) AS
  SELECT format('CREATE VIRTUAL TABLE temp.source USING aztables(table=%Q, connection=%Q, infer=off, parallel=1);
CREATE VIRTUAL TABLE temp.target USING aztables(table=%Q, connection=%Q, infer=off, parallel=1,
  create=missing, bulk=on);
INSERT OR REPLACE INTO target(PartitionKey, RowKey, _entity) SELECT PartitionKey, RowKey, _entity FROM source;
SELECT %Q, count(*), iif((SELECT count(*) FROM source) = count(*) AND (SELECT count(*) FROM target) = count(*),
  ''equal'', ''DIFFERENT'') FROM (SELECT PartitionKey, RowKey, _entity FROM source
    UNION SELECT PartitionKey, RowKey, _entity FROM target ORDER BY 1, 2);
DROP TABLE source; DROP TABLE target;
', name, job.source, name, job.target, name) FROM job, aztables_tables(job.source);
--= no request

-- 3. The backup: one connection to a new file, one row in `job`, then `.once` writes the statements and `.read` runs
-- them. The cost is the reads of each page for the copy, again for the comparison, and the keys for the counts.
SELECT aztables_connect('backup', 'LocalStore=backup-2026-11-20.db');
INSERT INTO job VALUES ('demo', 'backup');
.once statements.sql
SELECT sql FROM statements;
.read statements.sql
--| backup: LocalStore=backup-2026-11-20.db from connection string, new: there is no such file yet
--| Customers|2000|equal
--| Invoices|2000|equal
--| Sensors|2000|equal
--= list tables: 1 request, 3 entities
--= create table: 3 requests, 0 entities
--= table scan: 30 requests, 30,000 entities
--= EGT: 60 requests, 6,000 entities

-- 4. The backup is a service. It answers every query, also over HTTP: `aztables-server --store backup-2026-11-20.db`.
-- One SELECT reads all tables, because aztables_query takes the table's name as a value. It sends nothing to Azure.
-- `CREATE TABLE saved AS SELECT ...` in this way copies an account to a native table with one statement. But a restore
-- needs a statement per table, and a native table is no service.
SELECT t.name, count(*), count(DISTINCT q.PartitionKey), max(length(q._entity))
  FROM aztables_tables('backup') AS t JOIN aztables_query('backup.' || t.name) AS q GROUP BY t.name;
--| Customers|2000|5|84
--| Invoices|2000|5|237
--| Sensors|2000|5|76
--= list tables: 1 request, 3 entities
--= query: 6 requests, 6,000 entities

-- 5. Accidents: a partition is deleted, a property is overwritten, a table is dropped.
DELETE FROM customers WHERE PartitionKey = 'region3';
UPDATE customers SET Name = '?' WHERE PartitionKey = 'region1';
SELECT aztables_drop_table('demo.Sensors');
--| 1
--= row range: 2 requests, 800 entities
--= EGT: 8 requests, 800 entities
--= delete table: 1 request, 0 entities

-- 6. What is lost or changed, without a restore: EXCEPT of the backup and the account, all properties, in key order.
CREATE VIRTUAL TABLE saved_customers USING aztables(table=Customers, connection=backup, parallel=1, infer=off);
CREATE TEMP VIEW lost AS SELECT PartitionKey, RowKey, _entity FROM saved_customers
  EXCEPT SELECT PartitionKey, RowKey, _entity FROM customers ORDER BY PartitionKey, RowKey;
SELECT PartitionKey, count(*), min(RowKey) FROM lost GROUP BY PartitionKey;
--| region1|400|0000001
--| region3|400|0000003
--= table scan: 4 requests, 3,600 entities

-- 7. The repair of one table writes only what differs. A restore of one partition adds `WHERE PartitionKey = ...`.
INSERT OR REPLACE INTO customers(PartitionKey, RowKey, _entity) SELECT * FROM lost;
--= table scan: 4 requests, 3,600 entities
--= EGT: 8 requests, 800 entities
SELECT count(*) AS still_different FROM lost;
--| 0
--= table scan: 4 requests, 4,000 entities

-- 8. The restore of all tables into a new account: the same statements, with the backup as the source. On Azure, the
-- name of a dropped table is blocked for some time. If you restore into the same account, repeat until it is free.
DELETE FROM job;
INSERT INTO job VALUES ('backup', 'copy');
.once statements.sql
SELECT sql FROM statements;
.read statements.sql
--| Customers|2000|equal
--| Invoices|2000|equal
--| Sensors|2000|equal
--= list tables: 1 request, 3 entities
--= create table: 3 requests, 0 entities
--= table scan: 30 requests, 30,000 entities
--= EGT: 60 requests, 6,000 entities

-- 9. A move from a local store to Azure changes one connection string. The connection's name stays, so the virtual
-- table, its views and the program stay. Here `shop` is first the backup, then the new account.
SELECT aztables_connect('shop', 'LocalStore=backup-2026-11-20.db') LIKE 'shop: LocalStore=%';
CREATE VIRTUAL TABLE shop_sensors USING aztables(table=Sensors, connection=shop, parallel=1, Celsius DOUBLE);
SELECT count(*), round(avg(Celsius), 2) FROM shop_sensors WHERE PartitionKey = 'room1';
SELECT aztables_connect('shop', 'env:AZTABLES_CONNECTION_COPY') LIKE 'shop: %';
INSERT INTO shop_sensors(PartitionKey, RowKey, Celsius) VALUES ('room1', 'new', 20.5);
SELECT count(*), round(avg(Celsius), 2) FROM shop_sensors WHERE PartitionKey = 'room1';
SELECT count(*) FROM aztables_query('copy.Sensors', 'PartitionKey eq ''room1''');
--| 1
--| 400|16.6
--| 1
--| 401|16.61
--| 401
--= row range: 2 requests, 801 entities
--= EGT: 1 request, 1 entity
--= query: 1 request, 401 entities
