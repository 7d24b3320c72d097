-- Question: how do I repair a table that has wrong types, late properties, keys without zeros and too large partitions?
-- Key design: registrations for races. PartitionKey is race__distance, RowKey the bib number. The repair pads the bib
-- and adds its last digit to the PartitionKey, so that a race spreads over 10 partitions per distance.
-- The original: advice to pad keys and to test partitions before production, 0 lines of code to repair them. A
-- partition serves 500 entities a second. In C#, each repair is a program: read, convert, batches of 100, delete, start
-- again.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use an empty store, the account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo')
  WHERE name COLLATE NOCASE IN ('Registrations', 'RegistrationsSpread');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':runners', 3000); -- or before: .parameter set :runners 1000000

-- The table as the programs should have written it, and without columns: _entity has every property with its type.
-- bulk=on keeps memory bounded. All statements here may be run again if they stop half-way.
CREATE VIRTUAL TABLE runners USING aztables(table=Registrations, connection=demo, create=missing, parallel=1, bulk=on,
  Name STRING, Age INT32, Country STRING);
CREATE VIRTUAL TABLE raw USING aztables(table=Registrations, connection=demo, infer=off, parallel=1, bulk=on);

-- 1. Data with four faults. Each 20th Age is a String, one is no number. The first half has no Country. The bib numbers
-- have no zeros. Time is Int32 or Double, which is allowed. One partition has a wrong name ('10 Km').
INSERT INTO raw(PartitionKey, RowKey, _entity)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :runners),
    runner(i, race, bib, entity) AS (SELECT i,
      CASE i % 3 WHEN 0 THEN 'Full' WHEN 1 THEN 'Half' ELSE '10 Km' END, i / 3 + 1,
      json_object('Name', 'Runner ' || i, 'Age',
        CASE WHEN i = 7 THEN 'n/a' WHEN i % 20 = 7 THEN CAST(18 + i % 60 AS TEXT) ELSE 18 + i % 60 END,
        'Time', CASE i % 4 WHEN 0 THEN 7200.5 + i % 7000 ELSE 7200 + i % 7000 END) FROM n)
  SELECT '2011 New York City Marathon__' || race, bib,
    CASE WHEN i < :runners / 2 THEN entity ELSE aztables_set(entity, 'Country', 'USA') END FROM runner;
--= list tables: 1 request, 0 entities
--= create table: 1 request, 0 entities
--= EGT: 30 requests, 3,000 entities

-- 2. A census: each property with each of its types. It reads the table once. (aztables_infer reads a sample, at most
-- 10 requests.) The faults: two types of Age, and a Country that half of the entities have. Numbers of several types
-- are no fault: a DOUBLE column shows both types of Time.
SELECT p.name, p.type, count(*) AS entities, min(p.value), max(p.value) FROM raw, aztables_each(raw._entity) AS p
  GROUP BY p.name, p.type;
--| Age|INT32|2850|18|77
--| Age|STRING|150|25|n/a
--| Country|STRING|1500|USA|USA
--| Name|STRING|3000|Runner 0|Runner 999
--| Time|DOUBLE|750|7200.5|10196.5
--| Time|INT32|2250|7201|10199
--= table scan: 3 requests, 3,000 entities

-- 3. A mistyped property stops every typed read, so that no program computes with it.
SELECT avg(Age) FROM runners;
--! Runtime error: table runners: property Age of the entity PartitionKey='2011 New York City Marathon__10 Km', RowKey='116' is Edm.String, but its column is declared INT32; declare it ANY, or the table with mismatch=null, or read it in _entity (20)
--= table scan: 1 request, 1,000 entities

-- 4. Find the entities with an Age of type String. A column of that type with mismatch=null sends a condition that only
-- Strings meet. So the service returns these entities only.
CREATE VIRTUAL TABLE age_text USING aztables(table=Registrations, connection=demo, parallel=1, bulk=on, mismatch=null,
  Age STRING);
SELECT count(*), count(*) FILTER (WHERE Age GLOB '*[^0-9]*') AS no_number FROM age_text WHERE Age >= '';
SELECT PartitionKey, RowKey, Age FROM age_text WHERE Age >= '' AND Age GLOB '*[^0-9]*';
--| 150|1
--| 2011 New York City Marathon__Half|3|n/a
--= table scan: 2 requests, 300 entities

-- 5. Convert them. aztables_set checks each value: it refuses 'n/a', and the statement changes nothing. The error names
-- no entity; step 4 found it.
UPDATE age_text SET _entity = aztables_set(_entity, 'Age', Age, 'INT32') WHERE Age >= '';
--! Runtime error: aztables_set: property Age: 'n/a' (TEXT) is not a valid Edm.Int32 (20)
--= table scan: 1 request, 150 entities
-- So remove what is no number, and convert the rest. Each entity is replaced under its ETag.
UPDATE age_text SET _entity = aztables_set(_entity, 'Age', CASE WHEN Age NOT GLOB '*[^0-9]*' THEN Age END, 'INT32')
  WHERE Age >= '';
SELECT count(*) AS left_over FROM age_text WHERE Age >= '';
SELECT count(*), round(avg(Age), 2) FROM runners;
--| 0
--| 3000|47.51
--= table scan: 5 requests, 3,150 entities
--= EGT: 3 requests, 150 entities

-- 6. A late property: give older entities its default. No filter can select a missing property, so this reads the
-- table. It sends a Merge of one property. If it stops, run it again: it changes only what is left.
UPDATE runners SET Country = 'USA' WHERE Country IS NULL;
SELECT changes() AS filled;
--| 1500
--= table scan: 3 requests, 3,000 entities
--= EGT: 15 requests, 1,500 entities

-- 7. Rename a property. aztables_rename keeps each entity's type and exact value, also a NaN, which is NULL in SQL.
SELECT aztables_rename('{"Time@odata.type":"Edm.Double","Time":"NaN"}', 'Time', 'Seconds');
UPDATE raw SET _entity = aztables_rename(_entity, 'Time', 'Seconds') WHERE aztables_type(_entity, 'Time') IS NOT NULL;
-- The census again: Time is Seconds, Int32 or Double as before.
SELECT p.name, p.type, count(*) AS entities FROM raw, aztables_each(raw._entity) AS p GROUP BY p.name, p.type;
--| {"Seconds@odata.type":"Edm.Double","Seconds":"NaN"}
--| Age|INT32|2999
--| Country|STRING|3000
--| Name|STRING|3000
--| Seconds|DOUBLE|750
--| Seconds|INT32|2250
--= table scan: 6 requests, 6,000 entities
--= EGT: 30 requests, 3,000 entities

-- 8. Keys without zeros sort as text: '1', '10', '100'. So a range of bib numbers is wrong, and LIMIT shows the wrong
-- first.
SELECT group_concat(RowKey)
  FROM (SELECT RowKey FROM raw WHERE PartitionKey = '2011 New York City Marathon__Full' LIMIT 5);
SELECT count(*) AS bibs_1_to_9 FROM raw
  WHERE PartitionKey = '2011 New York City Marathon__Full' AND RowKey >= '1' AND RowKey <= '9';
-- Is each new key free? '7' and '000007' would become one.
SELECT count(*) = 0 AS free FROM (SELECT 1 FROM raw WHERE RowKey NOT GLOB '*[^0-9]*'
  GROUP BY PartitionKey, printf('%06d', RowKey) HAVING count(*) > 1);
--| 1,10,100,1000,101
--| 890
--| 1
--= row range: 2 requests, 895 entities
--= table scan: 3 requests, 3,000 entities

-- 9. Pad them. A move is an Insert and a Delete. Within a partition both are in one EGT: 50 moves per EGT, and no
-- entity is ever missing or doubled. One partition first, to see it. Without bulk=on, aztables_pending shows all.
INSERT INTO raw(_command) VALUES ('bulk=off'), ('max_pending=1GB');
BEGIN;
UPDATE raw SET RowKey = printf('%06d', RowKey)
  WHERE PartitionKey = '2011 New York City Marathon__Full' AND length(RowKey) BETWEEN 1 AND 5
    AND RowKey NOT GLOB '*[^0-9]*';
SELECT sum(inserts), sum(deletes), count(*) AS egts, max(inserts), max(deletes) FROM aztables_pending;
COMMIT;
INSERT INTO raw(_command) VALUES ('reset');
UPDATE raw SET RowKey = printf('%06d', RowKey) WHERE length(RowKey) BETWEEN 1 AND 5 AND RowKey NOT GLOB '*[^0-9]*';
SELECT group_concat(RowKey)
  FROM (SELECT RowKey FROM raw WHERE PartitionKey = '2011 New York City Marathon__Full' LIMIT 5);
SELECT count(*) AS bibs_1_to_9 FROM raw
  WHERE PartitionKey = '2011 New York City Marathon__Full' AND RowKey >= '000001' AND RowKey <= '000009';
--| 1000|1000|20|50|50
--| 000001,000002,000003,000004,000005
--| 9
--= row range: 3 requests, 1,014 entities
--= EGT: 60 requests, 6,000 entities
--= table scan: 3 requests, 3,000 entities

-- 10. Rename a partition. Its moves need two EGTs: each Insert is acknowledged before its Delete. If the statement
-- stops in between, entities exist under both keys. OR REPLACE makes it repeatable: the new key may exist. It
-- overwrites, so the new partition must be unused before the first run.
UPDATE OR REPLACE raw SET PartitionKey = '2011 New York City Marathon__10Km'
  WHERE PartitionKey = '2011 New York City Marathon__10 Km';
SELECT changes() AS moved;
SELECT DISTINCT PartitionKey FROM raw;
--| 1000
--| 2011 New York City Marathon__10Km
--| 2011 New York City Marathon__Full
--| 2011 New York City Marathon__Half
--= row range: 1 request, 1,000 entities
--= EGT: 20 requests, 2,000 entities
--= table scan: 3 requests, 3,000 entities

-- 11. Partition the whole table again. A new table is better than moves: nothing is deleted before the proof, and a
-- drop is one request. Any repair above can be done in this SELECT too, in one pass. ORDER BY the new keys fills the
-- EGTs.
CREATE VIRTUAL TABLE spread USING aztables(table=RegistrationsSpread, connection=demo, create=missing, parallel=1,
  bulk=on, Name STRING, Age INT32, Country STRING);
CREATE TEMP VIEW planned AS
  SELECT PartitionKey || '__' || substr(RowKey, -1) AS pk, RowKey AS rk, Timestamp AS changed, _entity AS entity
  FROM raw;
INSERT OR REPLACE INTO spread(PartitionKey, RowKey, _entity) SELECT pk, rk, entity FROM planned ORDER BY pk, rk;
--= create table: 1 request, 0 entities
--= table scan: 3 requests, 3,000 entities
--= EGT: 30 requests, 3,000 entities

-- 12. Verify: each entity exists on both sides with equal properties and types. If somebody wrote meanwhile, run the
-- INSERT of step 11 again with `WHERE changed >= ` its start, and verify again.
SELECT count(*) AS entities, count(*) FILTER (WHERE n <> 2) AS wrong
  FROM (SELECT count(*) AS n FROM (SELECT pk, rk, entity FROM planned
    UNION ALL SELECT PartitionKey, RowKey, _entity FROM spread) GROUP BY pk, rk, entity);
--| 3000|0
--= table scan: 6 requests, 6,000 entities

-- 13. Then drop the old table: one request.
SELECT aztables_drop_table('demo.Registrations') AS dropped;
SELECT count(DISTINCT PartitionKey) AS partitions, count(*) = :runners AS complete, count(Age) = :runners - 1 AS ages
  FROM spread;
--| 1
--| 30|1|1
--= delete table: 1 request, 0 entities
--= table scan: 3 requests, 3,000 entities
