-- Question: how do I copy a table to another account, prove that the copy is equal, and keep it in step?
-- Key design: the copy has the keys of the source. Both services return entities in key order, so SQLite merges the
-- two streams. It needs no memory for a comparison, and no point read per entity.
-- The original: the five documents describe no copy. AzCopy 7.3, for Windows, was the last version with tables. A
-- program reads segments, groups entities by partition and sends batches of 100. A comparison is one more program.
--
-- It needs connections `demo` (the source) and `copy` (the target). sql/README.md describes how to run it.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use empty stores, an account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo') WHERE name COLLATE NOCASE IN ('Orders');
INSERT INTO clash SELECT name FROM aztables_tables('copy') WHERE name COLLATE NOCASE IN ('Orders');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':orders', 5000); -- or before: .parameter set :orders 1000000
-- The safety overlap of step 5. These services have one clock. For Azure, whose servers have many, set '-5 minutes'.
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':overlap', '-0 seconds');

-- 1. Data: orders of 20 shops with properties of all eight types. Every 50th order has two more properties.
CREATE VIRTUAL TABLE orders USING aztables(table=Orders, connection=demo, create=missing, parallel=1, bulk=on,
  Id GUID, Items INT32, Cents INT64, Weight DOUBLE, Paid BOOLEAN, Ordered DATETIME, Customer STRING, Seal BINARY);
INSERT INTO orders(PartitionKey, RowKey, Id, Items, Cents, Weight, Paid, Ordered, Customer, Seal, _entity)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :orders)
  SELECT printf('shop%02d', i * 20 / :orders), printf('%08d', i), printf('00000000-0000-4000-8000-%012x', i), i % 9,
    i * 4294967296, i / 8.0, i % 2, aztables_datetime('2026-01-01', i || ' seconds'), 'Zoë "' || i || '" 漢字 😀',
    CAST(i AS BLOB),
    CASE i % 50 WHEN 7 THEN '{"Note":"line 1\nline 2\ud83d","Score@odata.type":"Edm.Double","Score":"NaN"}' END
  FROM n;
--= list tables: 2 requests, 0 entities
--= create table: 1 request, 0 entities
--= EGT: 60 requests, 5,000 entities

-- 2. The copy. `_entity` is the text of all properties with their types. It also has those that no column shows, NaN
-- and halves of surrogate pairs. The target declares no column. `bulk=on` sends full EGTs while the statement reads, so
-- memory stays bounded. The clock of the source gives the start: a marker gets its Timestamp before the first read.
CREATE VIRTUAL TABLE orders_copy USING aztables(table=Orders, connection=copy, create=missing, parallel=1, bulk=on,
  infer=off);
CREATE VIRTUAL TABLE clock USING aztables(table=SyncClock, connection=demo, create=missing, infer=off);
CREATE VIRTUAL TABLE synced USING aztables(table=SyncState, connection=copy, create=missing, Since DATETIME);
INSERT OR REPLACE INTO clock(PartitionKey, RowKey) VALUES ('Orders', 'copy');
INSERT INTO orders_copy(PartitionKey, RowKey, _entity) SELECT PartitionKey, RowKey, _entity FROM orders;
INSERT OR REPLACE INTO synced(PartitionKey, RowKey, Since)
  SELECT PartitionKey, RowKey, Timestamp FROM clock WHERE PartitionKey = 'Orders' AND RowKey = 'copy';
--= create table: 3 requests, 0 entities
--= EGT: 62 requests, 5,002 entities
--= table scan: 5 requests, 5,000 entities
--= point: 1 request, 1 entity

-- 3. Proof. `_entity` lists the properties in the order of their names. So equal entities have equal texts, however
-- they were written. Keys are unique on both sides. So the tables are equal if their UNION has as many rows as each of
-- them. ORDER BY of the keys lets SQLite merge two ordered streams: a few pages of each side are in memory. Without
-- ORDER BY, a temporary B-tree holds the entities of a whole table, on disk. The counts read only keys.
CREATE TEMP VIEW source AS SELECT PartitionKey, RowKey, _entity FROM orders;
CREATE TEMP VIEW target AS SELECT PartitionKey, RowKey, _entity FROM orders_copy;
EXPLAIN QUERY PLAN SELECT PartitionKey, RowKey FROM source UNION SELECT PartitionKey, RowKey FROM target ORDER BY 1, 2;
SELECT (SELECT count(*) FROM orders) AS source, (SELECT count(*) FROM orders_copy) AS target, count(*) AS together
  FROM (SELECT * FROM source UNION SELECT * FROM target ORDER BY PartitionKey, RowKey);
--| QUERY PLAN
--| `--MERGE (UNION)
--|    |--LEFT
--|    |  `--SCAN orders VIRTUAL TABLE INDEX 0:table scan; select PartitionKey,RowKey; in order
--|    `--RIGHT
--|       `--SCAN orders_copy VIRTUAL TABLE INDEX 0:table scan; select PartitionKey,RowKey; in order
--| 5000|5000|5000
--= table scan: 20 requests, 20,000 entities

-- 4. The source changes: other properties, a removed property, new entities, deleted entities.
UPDATE orders SET Paid = TRUE, Items = Items + 1 WHERE PartitionKey = 'shop03' AND RowKey LIKE '%0';
UPDATE orders SET Seal = NULL WHERE PartitionKey = 'shop04' AND RowKey LIKE '%00';
INSERT INTO orders(PartitionKey, RowKey, Customer) VALUES ('shop20', '1', 'new'), ('shop20', '2', 'new');
DELETE FROM orders WHERE PartitionKey = 'shop05' AND RowKey LIKE '%5';
--= row range: 3 requests, 750 entities
--= EGT: 4 requests, 55 entities

-- 5. The next sync copies what changed since the last one. The service filters by Timestamp. It reads the whole table,
-- but returns only the changes. INSERT OR REPLACE makes a repeated copy harmless. So the overlap costs a few more
-- entities, and it finds changes that another server of the service stamped with a slow clock.
-- The new time is taken before the read. The next sync copies a change during the read again. Without a state, all is
-- copied. In a script, write `.bail on`: a failed copy must not store a new time.
INSERT OR REPLACE INTO clock(PartitionKey, RowKey) VALUES ('Orders', 'copy');
INSERT OR REPLACE INTO orders_copy(PartitionKey, RowKey, _entity)
  SELECT PartitionKey, RowKey, _entity FROM orders WHERE Timestamp >=
    (SELECT aztables_datetime(coalesce(max(Since), '2000-01-01'), :overlap) FROM synced
     WHERE PartitionKey = 'Orders' AND RowKey = 'copy');
INSERT OR REPLACE INTO synced(PartitionKey, RowKey, Since)
  SELECT PartitionKey, RowKey, Timestamp FROM clock WHERE PartitionKey = 'Orders' AND RowKey = 'copy';
--= EGT: 5 requests, 32 entities
--= point: 2 requests, 2 entities
--= table scan: 1 request, 30 entities

-- 6. A deleted entity has no Timestamp. EXCEPT of the keys finds it: two ordered streams, 1,000 keys per request. A
-- join would read a point per entity. The DELETE then reads and deletes only the keys found.
CREATE TEMP TABLE gone AS
  SELECT PartitionKey, RowKey FROM orders_copy EXCEPT SELECT PartitionKey, RowKey FROM orders ORDER BY 1, 2;
SELECT count(*), min(RowKey), max(RowKey) FROM gone;
--| 25|00001255|00001495
--= table scan: 11 requests, 9,979 entities
-- With a wrong source, all keys would be gone. A budget stops such a DELETE before its first write.
INSERT INTO orders_copy(_command) VALUES ('max_entities=10');
DELETE FROM orders_copy WHERE (PartitionKey, RowKey) IN (SELECT PartitionKey, RowKey FROM gone);
--! Runtime error: table orders_copy: max_entities=10 is used up: the statement sent 11 requests for 11 entities in 4 ms; it stopped before the first entity of this read; the statement changed no rows; another limit for this database connection: INSERT INTO orders_copy(_command) VALUES('max_entities=none'); (18)
--= point: 11 requests, 11 entities
INSERT INTO orders_copy(_command) VALUES ('max_entities=10000');
DELETE FROM orders_copy WHERE (PartitionKey, RowKey) IN (SELECT PartitionKey, RowKey FROM gone);
INSERT INTO orders_copy(_command) VALUES ('reset');
--= point: 25 requests, 25 entities
--= EGT: 1 request, 25 entities

-- 7. What differs, entity by entity: EXCEPT in both directions. Nothing differs.
SELECT 'other in source', *
  FROM (SELECT * FROM source EXCEPT SELECT * FROM target ORDER BY PartitionKey, RowKey) LIMIT 10;
SELECT 'other in target', *
  FROM (SELECT * FROM target EXCEPT SELECT * FROM source ORDER BY PartitionKey, RowKey) LIMIT 10;
--= table scan: 20 requests, 19,908 entities

-- 8. Somebody changes the copy. No Timestamp of the source shows it. EXCEPT finds it and gives the rows of the repair.
UPDATE orders_copy SET _entity = aztables_set(_entity, 'Cents', 1) WHERE PartitionKey = 'shop07' AND RowKey GLOB '*77';
INSERT OR REPLACE INTO orders_copy(PartitionKey, RowKey, _entity)
  SELECT * FROM source EXCEPT SELECT * FROM target ORDER BY PartitionKey, RowKey;
--= row range: 1 request, 250 entities
--= EGT: 2 requests, 6 entities
--= table scan: 10 requests, 9,954 entities
SELECT (SELECT count(*) FROM orders) = count(*) AND (SELECT count(*) FROM orders_copy) = count(*) AS equal
  FROM (SELECT * FROM source UNION SELECT * FROM target ORDER BY PartitionKey, RowKey);
--| 1
--= table scan: 20 requests, 19,908 entities
