-- Question: how do I store a time series with many points per entity, and what does this save?
-- Key design: PartitionKey is 'source;hour', RowKey the time rounded to four minutes, both as Unix time in seconds. An
-- entity has up to 240 points as properties s000 to s239, the seconds after RowKey. The limit is 252 properties.
-- The original: 15 lines of C# that list all RowKeys. The filter of two hours has 30 of them in 850 characters. If the
-- time is long, the service refuses the filter: 414 URI Too Long. Its tools do not show dynamic properties.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use an empty store, the account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo') WHERE name COLLATE NOCASE IN ('Basic', 'Series');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES
  (':hours', 4),         -- hours of one point per second, at least 2; or before: .parameter set :hours 278
  (':price', 0.00036),   -- what 10,000 requests cost: an example, look it up for your account
  (':since', 1420070400), (':until', 1420077600); -- the first two hours of 2015

-- 1. Data: the first two hours of 2015 in the basic design of 08_time_series.sql, then in this design. An EGT has at
-- most 100 entities of one partition: 100 points there, the 3,600 points of an hour here. INT32 needs no type in JSON.
CREATE VIRTUAL TABLE basic USING aztables(table=Basic, connection=demo, create=missing, parallel=1, bulk=on,
  Value INT32);
CREATE VIRTUAL TABLE series USING aztables(table=Series, connection=demo, create=missing, parallel=1, upsert=merge,
  infer=off);
CREATE TEMP TABLE clock AS
  WITH RECURSIVE t(s) AS (SELECT 1420070400 UNION ALL SELECT s + 1 FROM t WHERE s + 1 < 1420070400 + :hours * 3600)
  SELECT s, 300 - abs(15 - s / 3600 % 24) * 10 + s * 7919 % 41 AS value FROM t;
INSERT INTO basic(PartitionKey, RowKey, Value) SELECT 'mysource', s, value FROM clock WHERE s < 1420077600;
--= list tables: 1 request, 0 entities
--= create table: 2 requests, 0 entities
--= EGT: 72 requests, 7,200 entities
INSERT INTO series(PartitionKey, RowKey, _entity)
  SELECT 'mysource;' || (s / 3600 * 3600), s / 240 * 240,
    aztables_group_entity(printf('s%03d', s % 240), value, 'INT32')
  FROM clock WHERE s < 1420077600 GROUP BY s / 240;
--= EGT: 2 requests, 30 entities

-- 2. The view shows a row per point, for every tool that knows SQL. Its trigger puts a point into its entity.
-- upsert=merge makes OR REPLACE an InsertOrMerge, which keeps the other properties. No read is needed. Conditions on
-- PartitionKey and RowKey of the view reach the service. Those on source, time and value are checked here.
-- Triggers may write only to a connection that this session names: hence aztables_connect.
SELECT aztables_connect('demo', 'env:AZTABLES_CONNECTION_DEMO') LIKE 'demo: %';
CREATE TEMP VIEW points AS
  SELECT e.PartitionKey, e.RowKey, substr(e.PartitionKey, 1, instr(e.PartitionKey, ';') - 1) AS source,
    e.RowKey + substr(p.name, 2) AS time, p.value AS value
  FROM series AS e, aztables_each(e._entity) AS p;
CREATE TEMP TRIGGER measure INSTEAD OF INSERT ON points BEGIN
  INSERT OR REPLACE INTO series(PartitionKey, RowKey, _entity) VALUES (new.source || ';' || (new.time / 3600 * 3600),
    new.time / 240 * 240, aztables_set(NULL, printf('s%03d', new.time % 240), new.value, 'INT32'));
END;
--| 1
--= no request

-- 3. The two hours: each partition is one row range, 30 entities for 7,200 points. The list of hours comes from the two
-- times. Its length does not matter: each partition has a filter of its own, so no filter becomes too long.
WITH RECURSIVE hour(h) AS (SELECT :since / 3600 * 3600 UNION ALL SELECT h + 3600 FROM hour WHERE h + 3600 < :until)
SELECT count(*), min(value), max(value), round(avg(value), 2) FROM points
  WHERE PartitionKey IN (SELECT 'mysource;' || h FROM hour) AND time >= :since AND time < :until;
--| 7200|150|200|175.01
--= row range: 2 requests, 30 entities

-- 4. The same query of the basic design.
SELECT count(*), min(Value), max(Value), round(avg(Value), 2) FROM basic
  WHERE PartitionKey = 'mysource' AND RowKey >= :since AND RowKey < :until;
--| 7200|150|200|175.01
--= row range: 8 requests, 7,200 entities
SELECT DISTINCT table_name, filter FROM aztables_requests WHERE kind = 'row range';
-- The filter of the original in characters: an hour is one PartitionKey and 15 RowKeys, 423 characters, and an OR. The
-- last column is the longest filter here.
SELECT span, hours * 15 AS row_keys, hours * 427 - 4 AS original, max(length(filter)) AS here
  FROM (SELECT '2 hours' AS span, 2 AS hours UNION ALL SELECT 'day', 24 UNION ALL SELECT 'month', 744),
    aztables_requests WHERE table_name = 'Series' GROUP BY hours;
--| Series|PartitionKey eq 'mysource;1420070400'
--| Series|PartitionKey eq 'mysource;1420074000'
--| Basic|PartitionKey eq 'mysource' and RowKey ge '1420070400' and RowKey lt '1420077600'
--| 2 hours|30|850|37
--| day|360|10244|37
--| month|11160|317684|37
--= no request

-- 5. What the service saw so far, from the request log: the same 7,200 points were written and read. It bills requests.
SELECT table_name, kind, count(*) AS requests, sum(entities) AS entities,
    printf('%.8f', count(*) * :price / 10000) AS price
  FROM aztables_requests WHERE table_name IN ('Basic', 'Series') AND kind IN ('EGT', 'row range')
  GROUP BY kind, table_name;
--| Basic|EGT|72|7200|0.00000259
--| Series|EGT|2|30|0.00000007
--| Basic|row range|8|7200|0.00000029
--| Series|row range|2|30|0.00000007
--= no request

-- 6. The same with time in ms and bytes. They differ between runs and services.
SELECT table_name, kind, sum(ms) AS ms, sum(bytes_in) AS bytes_in, sum(bytes_out) AS bytes_out
  FROM aztables_requests WHERE table_name IN ('Basic', 'Series') AND kind IN ('EGT', 'row range')
  GROUP BY kind, table_name;
--~ Basic|EGT|584.557147|3603958|2580192
--~ Series|EGT|29.352041|16306|90352
--~ Basic|row range|44.616863|907046|0
--~ Series|row range|0.766292|84350|0
--= no request

-- 7. A month of one source with a point per second, in requests and money: requests * price / 10,000.
WITH plan(part, requests) AS (VALUES
    ('write  basic: each point at once', 2678400), ('write  basic: 100 points per EGT', 2678400 / 100),
    ('write  here: a point at once', 2678400), ('write  here: a merge per minute', 2678400 / 60),
    ('write  here: a row of four minutes', 2678400 / 240), ('write  here: an hour per EGT', 2678400 / 3600),
    ('read   basic: a page of 1,000 points', (2678400 + 999) / 1000), ('read   here: a range per hour', 2678400 / 3600))
SELECT part, requests, printf('%.5f', requests * :price / 10000) AS price FROM plan;
--| write  basic: each point at once|2678400|0.09642
--| write  basic: 100 points per EGT|26784|0.00096
--| write  here: a point at once|2678400|0.09642
--| write  here: a merge per minute|44640|0.00161
--| write  here: a row of four minutes|11160|0.00040
--| write  here: an hour per EGT|744|0.00003
--| read   basic: a page of 1,000 points|2679|0.00010
--| read   here: a range per hour|744|0.00003
--= no request

-- 8. Any start and end: 00:30:10 to 01:09:30. The RowKeys cut the first and the last row, the times cut the points. It
-- reads 11 entities.
WITH RECURSIVE span(since, until) AS (SELECT 1420072210, 1420074570),
  hour(h) AS (SELECT since / 3600 * 3600 FROM span UNION ALL SELECT h + 3600 FROM hour, span WHERE h + 3600 < until)
SELECT count(*), min(time), max(time) FROM points
  WHERE PartitionKey IN (SELECT 'mysource;' || h FROM hour)
    AND RowKey >= (SELECT CAST(since / 240 * 240 AS TEXT) FROM span) AND RowKey < (SELECT CAST(until AS TEXT) FROM span)
    AND time >= (SELECT since FROM span) AND time < (SELECT until FROM span);
--| 2360|1420072210|1420074569
--= row range: 2 requests, 11 entities

-- 9. Long times: all partitions of a source follow each other, so one partition range reads them. A response has up
-- to 1,000 entities: 240,000 points. This is cheaper than a range per hour, but the pages follow one after the other.
SELECT count(*), min(time), max(time) FROM points
  WHERE PartitionKey >= 'mysource;1420070400' AND PartitionKey < 'mysource;1420077600';
--| 7200|1420070400|1420077599
--= partition range: 1 request, 30 entities

-- 10. New points. The points of a minute are one statement: one EGT with one entity. A late point and a correction
-- follow. Each is one request.
INSERT INTO points(source, time, value)
  SELECT 'yoursource', s, value FROM clock WHERE s < 1420070460 AND s <> 1420070401;
INSERT INTO points(source, time, value) VALUES ('yoursource', 1420070401, 171);
INSERT INTO points(source, time, value) VALUES ('yoursource', 1420070402, 180);
--= EGT: 3 requests, 3 entities
SELECT PartitionKey, RowKey, substr(_entity, 1, 36) || '...' FROM series WHERE PartitionKey = 'yoursource;1420070400';
SELECT count(*), max(time), sum(value) FILTER (WHERE time IN (1420070401, 1420070402)) FROM points
  WHERE PartitionKey = 'yoursource;1420070400';
--| yoursource;1420070400|1420070400|{"s000":170,"s001":171,"s002":180,"s...
--| 60|1420070459|351
--= row range: 2 requests, 2 entities

-- 11. One point in time: a point request. Its entity has the other 239 points, too.
SELECT aztables_get(_entity, printf('s%03d', 1420072235 % 240)) FROM series
  WHERE PartitionKey = 'mysource;1420070400' AND RowKey = '1420072080';
--| 151
--= point: 1 request, 1 entity

-- 12. The other hours, many points at once: the grouping makes whole entities, which is faster than 240 merges. The
-- day by hour is one range of partitions.
INSERT INTO series(PartitionKey, RowKey, _entity)
  SELECT 'mysource;' || (s / 3600 * 3600), s / 240 * 240,
    aztables_group_entity(printf('s%03d', s % 240), value, 'INT32')
  FROM clock WHERE s >= 1420077600 GROUP BY s / 240;
--= EGT: 2 requests, 30 entities
SELECT strftime('%H', time, 'unixepoch') AS hour, count(*) AS points, round(avg(value), 1) AS average,
    printf('%.*c', round(avg(value) / 10), '#') AS chart
  FROM points WHERE PartitionKey >= 'mysource;1420070400' AND PartitionKey < 'mysource;1420156800'
  GROUP BY time / 3600;
--| 00|3600|170.0|#################
--| 01|3600|180.0|##################
--| 02|3600|190.0|###################
--| 03|3600|200.0|####################
--= partition range: 1 request, 60 entities

-- 13. Proof: both designs return the same points of the two hours, one with 8 requests, the other with 2.
CREATE TEMP TABLE narrow AS SELECT CAST(RowKey AS INTEGER) AS time, Value AS value FROM basic
  WHERE PartitionKey = 'mysource' AND RowKey >= '1420070400' AND RowKey < '1420077600';
CREATE TEMP TABLE wide AS SELECT time, value FROM points
  WHERE PartitionKey IN ('mysource;1420070400', 'mysource;1420074000');
SELECT (SELECT count(*) FROM narrow) = 7200 AND (SELECT count(*) FROM wide) = 7200
  AND NOT EXISTS (SELECT * FROM narrow EXCEPT SELECT * FROM wide)
  AND NOT EXISTS (SELECT * FROM wide EXCEPT SELECT * FROM narrow) AS same_points;
--| 1
--= row range: 10 requests, 7,230 entities
