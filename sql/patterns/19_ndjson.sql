-- Question: how do I export a table to a text file, and import it again, with every type and without a loss?
-- Key design: NDJSON, one JSON object per line: PartitionKey, RowKey, and the entity as `_entity` shows it. JSON
-- escapes newlines, so a line is an entity. The annotations (`@odata.type`) keep Int64, Double, DateTime, Guid and
-- Binary.
-- The original: the five documents describe no export. AzCopy 7.3, for Windows, was the last version with tables. A CSV
-- file has no types, no NULL and one set of columns.
--
-- It needs connections `demo` and `copy` (an empty account). sql/README.md describes how to run it.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use empty stores, an account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo') WHERE name COLLATE NOCASE IN ('Events');
INSERT INTO clash SELECT name FROM aztables_tables('copy') WHERE name COLLATE NOCASE IN ('Events');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':events', 5000); -- or before: .parameter set :events 1000000

-- 1. Data: events with all eight types, and texts that break simple formats: newlines, quotes, commas, half of a
-- surrogate pair, empty text. NaN is a Double that no SQL value shows.
CREATE VIRTUAL TABLE events USING aztables(table=Events, connection=demo, create=missing, parallel=1, bulk=on,
  Id GUID, Code INT32, Bytes INT64, Load DOUBLE, Ok BOOLEAN, At DATETIME, Text STRING, Raw BINARY);
INSERT INTO events(PartitionKey, RowKey, Id, Code, Bytes, Load, Ok, At, Text, Raw, _entity)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :events)
  SELECT printf('day %02d, "%d"', i * 10 / :events, i * 10 / :events), printf('%08d', i),
    printf('%08x-0000-4000-8000-000000000000', i), i, i * 9007199254740993 % 9223372036854775807, i / 3.0, i % 2,
    aztables_datetime('2026-11-20', i || ' seconds'), 'a "b", ''c''' || char(13, 10, 9) || 'Zoë 漢字 😀',
    zeroblob(i % 30), CASE i % 100
      WHEN 11 THEN '{"Half":"\ud83d","Empty":""}'
      WHEN 12 THEN '{"Ratio@odata.type":"Edm.Double","Ratio":"NaN","Top@odata.type":"Edm.Double","Top":"-Infinity"}' END
  FROM n;
--= list tables: 2 requests, 0 entities
--= create table: 1 request, 0 entities
--= EGT: 50 requests, 5,000 entities

-- 2. Export. json() of the entity makes it a part of the line, not a text in it. The SELECT streams: memory holds a
-- page. ORDER BY costs no sort, and lines in key order make full EGTs at the import.
.once events.ndjson
SELECT json_object('PartitionKey', PartitionKey, 'RowKey', RowKey, 'entity', json(_entity)) FROM events
  ORDER BY PartitionKey, RowKey;
--= table scan: 5 requests, 5,000 entities

-- 3. A look at the first line. readfile() needs memory for the whole file, so use it for small files only.
SELECT substr(CAST(readfile('events.ndjson') AS TEXT), 1, 110) AS beginning;
--| {"PartitionKey":"day 00, \"0\"","RowKey":"00000000","entity":{"At@odata.type":"Edm.DateTime","At":"2026-11-20T
--= no request

-- 4. Import. `.import` reads a line at a time, so a file may be larger than memory. In ascii mode there are no quotes
-- and no escapes: a line is a value. A view takes the lines, and its trigger writes the entity. No copy of the file is
-- stored on the way. `bulk=on` sends full EGTs while the file is read. A trigger may write through a connection only if
-- this session names it. BEGIN and COMMIT around `.import` report every error. To repeat an import, write INSERT OR
-- REPLACE.
SELECT aztables_connect('copy', 'env:AZTABLES_CONNECTION_COPY') LIKE 'copy: %' AS named;
CREATE VIRTUAL TABLE imported USING aztables(table=Events, connection=copy, create=missing, parallel=1, bulk=on,
  infer=off);
CREATE TEMP VIEW lines(line) AS SELECT NULL;
CREATE TEMP TRIGGER import_line INSTEAD OF INSERT ON lines BEGIN
  SELECT RAISE(ABORT, 'the line has no entity') WHERE new.line -> 'entity' IS NULL;
  INSERT INTO imported(PartitionKey, RowKey, _entity)
    VALUES (new.line ->> 'PartitionKey', new.line ->> 'RowKey', new.line -> 'entity');
END;
.mode ascii
.separator "\037" "\n"
BEGIN;
.import events.ndjson lines
COMMIT;
.mode list
.separator "|" "\n"
--| 1
--= create table: 1 request, 0 entities
--= EGT: 50 requests, 5,000 entities

-- 5. Proof: both tables are equal, compared as two ordered streams (15_copy.sql explains it).
SELECT (SELECT count(*) FROM events) AS source, (SELECT count(*) FROM imported) AS target, count(*) AS together FROM
  (SELECT PartitionKey, RowKey, _entity FROM events
   UNION SELECT PartitionKey, RowKey, _entity FROM imported ORDER BY 1, 2);
--| 5000|5000|5000
--= table scan: 20 requests, 20,000 entities

-- 6. A broken file. The second line is no JSON, the third has a value that its type does not allow, the fourth has no
-- entity. The shell names the lines and continues. The good lines are written.
.once broken.ndjson
SELECT '{"PartitionKey":"broken","RowKey":"1","entity":{"N":1}}' || char(10) || '{"PartitionKey":"bro' || char(10) ||
  '{"PartitionKey":"broken","RowKey":"3","entity":{"N@odata.type":"Edm.Guid","N":"none"}}' || char(10) ||
  '{"PartitionKey":"broken","RowKey":"4"}' || char(10) || '{"PartitionKey":"broken","RowKey":"5","entity":{"N":5}}';
.mode ascii
.separator "\037" "\n"
BEGIN;
.import broken.ndjson lines
COMMIT;
.mode list
.separator "|" "\n"
--| broken.ndjson:2: INSERT failed: malformed JSON
--| broken.ndjson:3: INSERT failed: table imported: _entity is not a JSON object of properties: property N: 'none' is not a valid Edm.Guid; the entity is PartitionKey='broken', RowKey='3'
--| broken.ndjson:4: INSERT failed: the line has no entity
--= EGT: 1 request, 2 entities
SELECT RowKey, _entity FROM imported WHERE PartitionKey = 'broken';
--| 1|{"N":1}
--| 5|{"N":5}
--= row range: 1 request, 2 entities

-- 7. A small file without `.import`: the lines become one JSON array. Both are in memory, up to 1 GB. In this way a
-- SELECT can read a part of the file, or change it on the way into a table.
SELECT count(*), sum(line.value ->> '$.entity.Code') FROM
  json_each('[' || replace(rtrim(readfile('events.ndjson'), char(10)), char(10), ',') || ']') AS line;
--| 5000|12497500
--= no request
