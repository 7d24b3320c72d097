-- Question: which partitions get most of the writes?
-- Your own table: change `table` and `connection` of the virtual table `t`, and run only steps 4 and 5. Nothing writes
-- through `t`: it has access=read. The other steps make and check the example table. Set the window with :since and
-- :until before, for example: .parameter set :since "'2026-11-20'"
-- Cost: one scan that returns keys and Timestamps of the window. 1,000 entities written in it are one request. The
-- service reads the whole table, so a large table with a short window can return short and empty pages.
-- Conclusions: a partition is served by one server. Its target is 2,000 entities of 1 KiB per second. If the busiest
-- second is near it, or a partition has most of the writes, spread it: add a suffix to its PartitionKey.
-- Timestamp is the time of an entity's last write. So an entity that was written ten times counts once. A deleted
-- entity does not count.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
.parameter init
CREATE VIRTUAL TABLE t USING aztables(table=ExampleWrites, connection=demo, infer=off, access=read, parallel=1);
-- The window: after :since, up to and including :until. Default: the last hour.
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':since', aztables_datetime('now', '-1 hour')),
  (':until', '9999-12-31');

-- The report, one view. The first row is all writes of the window. Then follow the 20 hottest partitions. Percent and
-- bar are shares of all writes. `busiest_second` is the most entities that have the same second of Timestamp.
CREATE TEMP VIEW hottest_partitions AS
  WITH seconds AS (
      SELECT PartitionKey AS partition, substr(Timestamp, 1, 19) AS second, count(*) AS writes FROM t
        WHERE Timestamp > (SELECT value FROM temp.sqlite_parameters WHERE key = ':since')
          AND Timestamp <= (SELECT value FROM temp.sqlite_parameters WHERE key = ':until')
        GROUP BY PartitionKey, second),
    partitions AS MATERIALIZED (
      SELECT partition, sum(writes) AS writes, max(writes) AS busiest FROM seconds GROUP BY partition),
    lines AS (
      SELECT 0 AS position, count(*) || ' partitions' AS partition, coalesce(sum(writes), 0) AS writes, NULL AS busiest
        FROM partitions
      UNION ALL SELECT * FROM (SELECT row_number() OVER (ORDER BY writes DESC, partition),
          '''' || iif(length(partition) > 40, substr(partition, 1, 39) || '…', partition) || '''', writes, busiest
        FROM partitions ORDER BY writes DESC, partition LIMIT 20))
  SELECT partition, writes, round(100.0 * writes / max(writes) OVER (), 1) AS percent,
    iif(writes > 0, printf('%.*c', max(1, 40 * writes / max(writes) OVER ()), '#'), '') AS bar,
    busiest AS busiest_second
  FROM lines ORDER BY position;

-- 1. The example table is empty at first. Then the report has one row.
CREATE VIRTUAL TABLE example USING aztables(table=ExampleWrites, connection=demo, create=missing, parallel=1,
  Value INT32);
SELECT * FROM hottest_partitions;
--| 0 partitions|0|||
--= create table: 1 request, 0 entities
--= table scan: 1 request, 0 entities

-- 2. Example data: 30 devices with 50 readings each. They are old: the window of the example begins a millisecond
-- after them, because a filter has whole milliseconds. With your own table, :since is a time that you choose.
INSERT INTO example(PartitionKey, RowKey, Value)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1499)
  SELECT printf('device %02d', i % 30), printf('%05d', i / 30), i FROM n;
UPDATE temp.sqlite_parameters SET value = (SELECT aztables_datetime(max(Timestamp), '+0.001 seconds') FROM example)
  WHERE key = ':since';
--= EGT: 30 requests, 1,500 entities
--= table scan: 2 requests, 1,500 entities

-- 3. New writes: one device sends most of them, all others a few. An update is a write, too.
INSERT INTO example(PartitionKey, RowKey, Value)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1499)
  SELECT 'device 07', printf('%05d', 50 + i), i FROM n
  UNION ALL SELECT 'Gerät 🌡️', printf('%05d', i), i FROM n WHERE i < 300
  UNION ALL SELECT printf('device %02d', i % 30), printf('%05d', 2000 + i / 30), i FROM n WHERE i < 150;
UPDATE example SET Value = 0 WHERE PartitionKey = 'device 12' AND RowKey < '00045';
--= EGT: 49 requests, 1,995 entities
--= row range: 1 request, 45 entities

-- 4. The report. 'device 07' has three quarters of the writes of the window. The filter that was sent shows that the
-- service selects the window.
.mode column
.headers on
SELECT partition, writes, percent, bar FROM hottest_partitions LIMIT 8;
.mode list
.headers off
SELECT DISTINCT kind, filter GLOB 'Timestamp ge datetime*' AS sent FROM aztables_requests
  WHERE statement_id = (SELECT max(statement_id) FROM aztables_requests);
--| partition      writes  percent  bar
--| -------------  ------  -------  ----------------------------------------
--| 31 partitions  1995    100.0    ########################################
--| 'device 07'    1505    75.4     ##############################
--| 'Gerät 🌡️'     300     15.0     ######
--| 'device 12'    50      2.5      #
--| 'device 00'    5       0.3      #
--| 'device 01'    5       0.3      #
--| 'device 02'    5       0.3      #
--| 'device 03'    5       0.3      #
--| table scan|1
--= table scan: 2 requests, 1,995 entities

-- 5. The busiest second depends on the speed of the writes.
SELECT partition, busiest_second FROM hottest_partitions LIMIT 4;
--~ 31 partitions|
--~ 'device 07'|1505
--~ 'Gerät 🌡️'|300
--~ 'device 12'|45
--= table scan: 2 requests, 1,995 entities

-- 6. The check: every write of step 3 and no other is in the window.
SELECT sum(writes) = 1500 + 300 + 150 + 45 AS complete FROM hottest_partitions WHERE partition = '31 partitions';
SELECT writes = 1500 + 5 AS hottest FROM hottest_partitions WHERE partition = '''device 07''';
--| 1
--| 1
--= table scan: 4 requests, 3,990 entities
