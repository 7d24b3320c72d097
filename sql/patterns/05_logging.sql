-- Question: how do many instances log at once without a hot partition, so that each can still be read cheaply?
-- Key design: PartitionKey is Component;Instance;Bucket. RowKey is <ticks>;<number>. A writer chooses a random bucket.
-- The original: 3 options, 2 LINQ queries of 3 lines, and no code that writes, measures partitions or merges buckets.
-- It gives 500 entities per second as the target of one partition. A newer document gives 2,000.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use an empty store, the account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo') WHERE name COLLATE NOCASE IN ('Logs', 'LogsByBucket');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':records', 10000); -- or before: .parameter set :records 1000000

CREATE VIRTUAL TABLE logs USING aztables(table=Logs, connection=demo, create=missing, parallel=1,
  Level STRING, Text STRING);

-- 1. Data: 5,000 records per second from 14 instances. Five of eight records come from the portal. The bucket is one of
-- four, from the record's number, so that each run is the same. In real use, a writer takes abs(random() % 4).
CREATE TEMP TABLE arrived AS
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :records)
  SELECT c.value AS component, printf('Instance%04d', i / 8 % iif(c.key < 5, 10, 2)) AS instance,
    i * 2654435761 / 65536 % 4 AS bucket,
    printf('%019d', aztables_ticks('2026-11-20T10:00Z') + i * 2000) AS ticks, -- 200 microseconds
    printf('%08d', i) AS number, iif(i % 500 = 3, 'Error', 'Info') AS level, 'Request ' || i AS text
  FROM n JOIN json_each('["Portal","Portal","Portal","Portal","Portal","ReportingRole","ReportingRole","Worker"]') AS c
    ON c.key = i % 8;
INSERT INTO logs(_command) VALUES ('bulk=on'), ('parallel=8');
INSERT INTO logs(PartitionKey, RowKey, Level, Text)
  SELECT component || ';' || instance || ';' || bucket, ticks || ';' || number, level, text FROM arrived;
INSERT INTO logs(_command) VALUES ('reset');
--= list tables: 1 request, 0 entities
--= create table: 1 request, 0 entities
--= EGT: 128 requests, 10,000 entities

-- 2. The writer of one record: the keys are an expression over what the writer knows. One EGT of one entity.
INSERT INTO logs(PartitionKey, RowKey, Level, Text) VALUES ('ReportingRole' || ';' || 'Instance0001' || ';' || 3,
  aztables_ticks('2026-11-20T09:59:59Z') || ';' || '00000000', 'Info', 'started');
--= EGT: 1 request, 1 entity

-- 3. A component: all its instances and buckets are one range of partitions. '<' is the character after ';'.
SELECT count(*) FROM logs WHERE PartitionKey >= 'ReportingRole;' AND PartitionKey < 'ReportingRole<';
--| 2501
--= partition range: 3 requests, 2,501 entities

-- 4. An instance. The last ';' of the bounds matters: without it, Instance00010 would be in the range of Instance0001.
SELECT PartitionKey, count(*), min(RowKey) FROM logs
  WHERE PartitionKey >= 'ReportingRole;Instance0001;' AND PartitionKey < 'ReportingRole;Instance0001<'
  GROUP BY PartitionKey;
--| ReportingRole;Instance0001;0|315|0639307656000028000;00000014
--| ReportingRole;Instance0001;1|310|0639307656000026000;00000013
--| ReportingRole;Instance0001;2|311|0639307656000188000;00000094
--| ReportingRole;Instance0001;3|315|0639307655990000000;00000000
--= partition range: 2 requests, 1,251 entities

-- 5. The errors of a component: the service reads the component and returns the errors.
SELECT PartitionKey, substr(RowKey, 21), Text FROM logs
  WHERE PartitionKey >= 'Portal;' AND PartitionKey < 'Portal<' AND Level = 'Error' LIMIT 3;
--| Portal;Instance0000;1|00002003|Request 2003
--| Portal;Instance0000;1|00008003|Request 8003
--| Portal;Instance0000;2|00000003|Request 3
--= partition range: 1 request, 3 entities

-- 6. Twenty milliseconds of an instance, in the order of time. The buckets are known, so each is a row range, and the
-- service reads nothing else. With the default option parallel=8, all four requests run at once.
SELECT aztables_ticks_datetime(substr(RowKey, 1, 19)), substr(PartitionKey, -1) AS bucket, Text FROM logs
  WHERE PartitionKey IN (SELECT 'Portal;Instance0002;' || value FROM json_each('[0,1,2,3]'))
    AND RowKey >= aztables_ticks('2026-11-20T10:00:01.0Z') AND RowKey < aztables_ticks('2026-11-20T10:00:01.02Z')
  ORDER BY RowKey;
--| 2026-11-20T10:00:01.0112000Z|3|Request 5056
--| 2026-11-20T10:00:01.0114000Z|2|Request 5057
--| 2026-11-20T10:00:01.0116000Z|2|Request 5058
--| 2026-11-20T10:00:01.0118000Z|1|Request 5059
--| 2026-11-20T10:00:01.0120000Z|1|Request 5060
--= row range: 4 requests, 5 entities
-- The range of partitions returns the same records with one request. But the service reads the whole instance for it.
SELECT count(*) FROM logs
  WHERE PartitionKey >= 'Portal;Instance0002;' AND PartitionKey < 'Portal;Instance0002<'
    AND RowKey >= aztables_ticks('2026-11-20T10:00:01.0Z') AND RowKey < aztables_ticks('2026-11-20T10:00:01.02Z');
--| 5
--= partition range: 1 request, 5 entities

-- 7. The three options by the size of their partitions. A '#' is 125 entities per second in the largest partition.
-- Only the buckets keep all partitions below the target of 500. One scan counts for all three options.
WITH buckets AS MATERIALIZED (SELECT PartitionKey, substr(PartitionKey, 1, length(PartitionKey) - 2) AS instance,
    count(*) AS entities FROM logs GROUP BY PartitionKey),
  options(option, partition, entities) AS (
    SELECT '1 component', substr(instance, 1, instr(instance, ';') - 1), entities FROM buckets
    UNION ALL SELECT '2 component;instance', instance, entities FROM buckets
    UNION ALL SELECT '3 component;instance;bucket', PartitionKey, entities FROM buckets),
  sizes AS (SELECT option, sum(entities) * 5000 / :records AS per_second FROM options GROUP BY option, partition)
SELECT option, count(*) AS partitions, max(per_second) AS largest, printf('%.*c', round(max(per_second) / 125.0), '#'),
  iif(max(per_second) > 500, 'above the target', 'below the target') FROM sizes GROUP BY option;
--| 1 component|3|3125|#########################|above the target
--| 2 component;instance|14|625|#####|above the target
--| 3 component;instance;bucket|56|158|#|below the target
--= table scan: 11 requests, 10,001 entities

-- 8. The bad order, with the same records: Bucket;Component;Instance.
CREATE VIRTUAL TABLE bad USING aztables(table=LogsByBucket, connection=demo, create=missing, parallel=1, bulk=on,
  Level STRING, Text STRING);
INSERT INTO bad(PartitionKey, RowKey, Level, Text)
  SELECT bucket || ';' || component || ';' || instance, ticks || ';' || number, level, text FROM arrived;
DROP TABLE arrived;
--= create table: 1 request, 0 entities
--= EGT: 128 requests, 10,000 entities

-- 9. A component is in no range of these keys, so all entities are read. The option scan=deny refuses such a query.
SELECT count(*) FROM bad WHERE PartitionKey LIKE '%;ReportingRole;%';
INSERT INTO bad(_command) VALUES ('scan=deny');
SELECT count(*) FROM bad WHERE PartitionKey LIKE '%;ReportingRole;%';
--| 2500
--! Runtime error: table bad: no condition on PartitionKey limits this read, and scan=deny allows it one request, which is not enough; add PartitionKey = '...' or a range of it, or a LIMIT; to allow it on this database connection: INSERT INTO bad(_command) VALUES('scan=allow'); (23)
--= table scan: 11 requests, 11,000 entities

-- 10. If you know the buckets and the instance, you can still name the partitions. A component needs this for each of
-- its instances.
SELECT count(*) FROM bad
  WHERE PartitionKey IN (SELECT value || ';ReportingRole;Instance0001' FROM json_each('[0,1,2,3]'));
--| 1250
--= row range: 4 requests, 1,250 entities

-- 11. The proof: both tables hold the same records, and the range of a component holds all of its records. Both
-- differences are 1: the record of step 2.
INSERT INTO bad(_command) VALUES ('reset');
SELECT (SELECT count(*) FROM logs) - (SELECT count(*) FROM bad),
  (SELECT count(*) FROM logs WHERE PartitionKey >= 'ReportingRole;' AND PartitionKey < 'ReportingRole<') - :records / 4;
--| 1|1
--= table scan: 21 requests, 20,001 entities
--= partition range: 3 requests, 2,501 entities
