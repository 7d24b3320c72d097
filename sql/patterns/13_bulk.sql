-- Question: how do I upload a million entities, delete many by a condition, and stop and resume both, with little
-- memory?
-- Key design: PartitionKey is one of 8 buckets, RowKey a number of fixed length. Uploads and deletes use all buckets at
-- once: 8 times the target of one partition, which is 2,000 entities of 1 KB a second.
-- The original: EGTs of 100 from 15 threads. One EGT of 100 took up to 1.2 s, one after the other: 3.3 hours per
-- million. No code: threads, batches per partition, backoff and memory were left to the reader, deleting by condition
-- too.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use an empty store, the account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo') WHERE name COLLATE NOCASE IN ('BulkLogs');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':entities', 10000); -- or before: .parameter set :entities 1000000

-- With bulk=on, the statement sends its EGTs each time 64 of them are full, 8 at a time. So memory stays bounded.
-- parallel=1 makes the reads the same in each run: leave it out in real use.
CREATE VIRTUAL TABLE logs USING aztables(table=BulkLogs, connection=demo, create=missing, parallel=1, bulk=on,
  Level STRING, Payload STRING);

-- 1. An upload that stops. Each row is 1 KB, as in the original. The rows go around the buckets, so 8 EGTs fill at a
-- time. If half of max_pending (256 MB by default) is full before 64 EGTs are, EGTs leave half-empty: sort rows of many
-- partitions by PartitionKey. Here a budget of requests ends the upload, as a lost network or a closed laptop would.
-- aztables_commits counts what was sent.
INSERT INTO logs(_command) VALUES ('max_requests=' || max(1, :entities / 150));
INSERT OR REPLACE INTO logs(PartitionKey, RowKey, Level, Payload)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :entities)
  SELECT printf('b%d', i % 8), printf('%09d', i), CASE i / 8 % 4 WHEN 0 THEN 'info' ELSE 'debug' END,
    printf('%.*c', 950, 'x') FROM n;
--! Runtime error: writing to table BulkLogs: 40 requests are needed, and max_requests=66 leaves 2; 64 of 104 EGTs applied: see aztables_commits; the statement had used 64 requests for 6400 entities; another limit for this database connection: INSERT INTO logs(_command) VALUES('max_requests=none'); (18)
--= list tables: 1 request, 0 entities
--= create table: 1 request, 0 entities
--= EGT: 64 requests, 6,400 entities
SELECT outcome, sum(egts) AS egts, sum(operations) AS entities FROM aztables_commits GROUP BY outcome;
--| applied|64|6400
--| not sent|40|3600
--= no request

-- 2. Resume: the same statement again. In a new shell, load the extension and declare `logs` first. OR REPLACE writes
-- an entity again if it exists, with the same result, in the same number of requests. (OR IGNORE keeps what exists, but
-- must ask which entities of a refused EGT exist.)
INSERT INTO logs(_command) VALUES ('max_requests=none');
BEGIN;
INSERT OR REPLACE INTO logs(PartitionKey, RowKey, Level, Payload)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :entities)
  SELECT printf('b%d', i % 8), printf('%09d', i), CASE i / 8 % 4 WHEN 0 THEN 'info' ELSE 'debug' END,
    printf('%.*c', 950, 'x') FROM n;
SELECT sum(inserts) < :entities AS some_were_sent, sum(bytes) < 10000000 AS memory_is_bounded FROM aztables_pending;
COMMIT;
SELECT count(*) = :entities AS complete FROM logs;
--| 1|1
--| 1
--= EGT: 104 requests, 10,000 entities
--= table scan: 10 requests, 10,000 entities

-- 3. Rehearse a delete. First count and look at a sample. The service returns the matches only, with the columns in
-- use.
SELECT count(*), count(DISTINCT PartitionKey), min(RowKey), max(RowKey) FROM logs WHERE Level = 'debug';
SELECT PartitionKey, RowKey, Level FROM logs WHERE Level = 'debug' LIMIT 3;
--| 7496|8|000000008|000009999
--| b0|000000008|debug
--| b0|000000016|debug
--| b0|000000024|debug
--= table scan: 9 requests, 7,499 entities

-- 4. Then run the DELETE itself in a transaction, with bulk=off: it reads, but sends no write. aztables_pending shows
-- what COMMIT would send. ROLLBACK forgets it. All deletes wait in memory: at many millions, rehearse one partition.
INSERT INTO logs(_command) VALUES ('bulk=off'), ('max_pending=1GB');
BEGIN;
DELETE FROM logs WHERE Level = 'debug';
SELECT count(*) AS egts, sum(deletes), min(deletes), max(deletes) FROM aztables_pending;
ROLLBACK;
INSERT INTO logs(_command) VALUES ('reset');
--| 80|7496|37|100
--= table scan: 8 requests, 7,496 entities

-- 5. Guard a delete. max_entities counts an entity twice: when it is read, and when it is deleted. A DELETE reads all
-- its rows before it sends the first EGT. If the limit does not allow all of them, it sends nothing, with bulk=on too.
-- Here the condition is forgotten: the statement would delete the whole table.
-- Write .bail on at the start of a script of your own. Otherwise the shell runs the DELETE even if the guard failed.
INSERT INTO logs(_command) SELECT 'max_entities=' || max(1, 2 * count(*)) FROM logs WHERE Level = 'debug';
DELETE FROM logs;
--! Runtime error: virtual table logs: writing to table BulkLogs: 10000 entities are needed, and max_entities=14992 leaves 4992; nothing was sent; the statement had used 10 requests for 10000 entities; another limit for this database connection: INSERT INTO logs(_command) VALUES('max_entities=none'); (18)
--= table scan: 18 requests, 17,496 entities
INSERT INTO logs(_command) VALUES ('reset');
SELECT count(*) = :entities AS nothing_was_deleted FROM logs;
--| 1
--= table scan: 10 requests, 10,000 entities

-- 6. Run it with bulk=on, and stop it half-way: by max_requests, max_seconds or Ctrl-C. The sent EGTs stay.
INSERT INTO logs(_command) VALUES ('max_requests=' || max(1, :entities / 130));
DELETE FROM logs WHERE Level = 'debug';
--! Runtime error: writing to table BulkLogs: 19 requests are needed, and max_requests=76 leaves 7; 61 of 80 EGTs applied: see aztables_commits; the statement had used 69 requests for 13596 entities; another limit for this database connection: INSERT INTO logs(_command) VALUES('max_requests=none'); (18)
--= table scan: 8 requests, 7,496 entities
--= EGT: 61 requests, 6,100 entities
SELECT outcome, sum(egts) AS egts, sum(operations) AS entities FROM aztables_commits
  WHERE commit_id = (SELECT max(commit_id) FROM aztables_commits) GROUP BY outcome;
--| applied|61|6100
--| not sent|19|1396
--= no request

-- 7. Resume: the same statement again. It reads what is left.
INSERT INTO logs(_command) VALUES ('reset');
DELETE FROM logs WHERE Level = 'debug';
SELECT count(*) FILTER (WHERE Level = 'debug') AS debug, count(*) FROM logs;
--| 0|2504
--= table scan: 5 requests, 3,900 entities
--= EGT: 19 requests, 1,396 entities

-- 8. Delete everything. Row by row, the rest would need a request per 1,000 entities to read and one per 100 to delete.
-- The table itself is one request. Azure keeps the name blocked for 40 s or more, so give the next table another name.
SELECT (sum(n) + 999) / 1000 + sum((n + 99) / 100) AS requests_by_rows
  FROM (SELECT count(*) AS n FROM logs GROUP BY PartitionKey);
SELECT aztables_drop_table('demo.BulkLogs') AS dropped;
SELECT count(*) = 0 AS gone FROM aztables_tables('demo', 'BulkLogs');
--| 35
--| 1
--| 1
--= table scan: 3 requests, 2,504 entities
--= delete table: 1 request, 0 entities
--= list tables: 1 request, 0 entities
