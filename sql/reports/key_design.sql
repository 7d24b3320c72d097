-- Question: does the key design of the table have a known fault?
-- Your own table: change `table` and `connection` of the virtual table `t`, and run only step 4. Nothing
-- writes through `t`: it has access=read. The other steps make and check the example table.
-- Cost: one scan that returns keys and Timestamps. 1,000 entities are one request: 100,000 entities are 100 requests.
-- Conclusions: each row is a finding, with its evidence and what to do. `share` is the part that is concerned. A small
-- share of unpadded numbers can be titles. 'no finding' does not mean that your queries know the keys: read EXPLAIN
-- QUERY PLAN for that.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
CREATE VIRTUAL TABLE t USING aztables(table=ExampleKeys, connection=demo, infer=off, access=read, parallel=1);

-- The report, one view. It checks the PartitionKeys, and the RowKeys of each partition. These are findings:
-- 1. Unpadded numbers. Two neighbours differ only in the number at their end, and the first has the greater number.
--    ltrim() removes zeros. Then the longer number is greater, and text order decides between equal lengths.
-- 2. Append-only keys: nine of ten of the newest quarter are in the last third of the keys. Prepend-only: in the first
--    third. This is checked for 40 or more PartitionKeys, and for the RowKeys of a giant partition. The time of a
--    partition is its least Timestamp. Timestamp is the last write: updates of old entities can hide the pattern.
-- 3. A giant partition: more than 1,000 entities, and more than half of the table.
-- 4. Partitions of one entity: more than half of the partitions, if there are 20 or more.
-- 5. Long keys: more than 512 UTF-16 code units. A character above U+FFFF has two. aztables_size counts 2 bytes per
--    code unit of a key, and 4 more.
CREATE TEMP VIEW key_design AS
  WITH entities AS MATERIALIZED (SELECT PartitionKey AS pk, RowKey AS rk, Timestamp AS at FROM t),
    keys(kind, pk, key, at) AS (
      SELECT 'RowKey', pk, rk, at FROM entities
      UNION ALL SELECT 'PartitionKey', '', pk, min(at) FROM entities GROUP BY pk),
    pairs AS (
      SELECT *, lag(key) OVER sorted AS key0, row_number() OVER sorted AS place,
        row_number() OVER (PARTITION BY kind, pk ORDER BY at DESC) AS age, count(*) OVER (PARTITION BY kind, pk) AS size
      FROM keys WINDOW sorted AS (PARTITION BY kind, pk ORDER BY key)),
    names AS (SELECT *, rtrim(key, '0123456789') AS name, rtrim(key0, '0123456789') AS name0 FROM pairs),
    numbers AS (
      SELECT *, ltrim(substr(key, length(name) + 1), '0') AS n, ltrim(substr(key0, length(name0) + 1), '0') AS n0
      FROM names),
    checked AS (
      SELECT kind, pk, 4 * age <= size AS new, 4 * age <= size AND 3 * place > 2 * size AS at_end,
        4 * age <= size AND 3 * place <= size + 2 AS at_start,
        CASE WHEN name = name0 AND (length(n0), n0) > (length(n), n) THEN printf('''%s'' is before ''%s''',
            iif(length(key0) > 40, '…' || substr(key0, -39), key0), iif(length(key) > 40, '…' || substr(key, -39), key))
          END AS fall,
        aztables_size(key, '', '{}') / 2 - 2 AS units
      FROM numbers),
    parts AS MATERIALIZED (
      SELECT kind, pk, count(*) AS keys, sum(new) AS new, sum(at_end) AS at_end, sum(at_start) AS at_start,
        count(fall) AS falls, min(fall) AS fall, sum(units > 512) AS long, max(units) AS units
      FROM checked GROUP BY kind, pk),
    kinds AS MATERIALIZED (
      SELECT kind, sum(keys) AS keys, sum(falls) AS falls, min(fall) AS fall, sum(long) AS long, max(units) AS units,
        count(*) AS groups, count(*) FILTER (WHERE keys = 1) AS single
      FROM parts GROUP BY kind),
    ordered AS (
      SELECT parts.*, parts.kind = 'RowKey' AS giant, max(at_end, at_start) AS there,
        iif(at_end > at_start, 'append', 'prepend') AS pattern, iif(at_end > at_start, 'last', 'first') AS third,
        kinds.keys AS total
      FROM parts JOIN kinds USING (kind)
      WHERE parts.kind = 'PartitionKey' OR (parts.keys > 1000 AND 2 * parts.keys > kinds.keys)),
    findings(position, finding, concerned, total, evidence, remedy) AS (
      SELECT 1, 'unpadded numbers in ' || kind, falls, keys,
          printf('%,d of %,d keys have a smaller number than the key before them: %s', falls, keys, fall),
          'Ranges of numbers return wrong keys. Pad: printf(''%08d'', n). sql/patterns/14_repair.sql does it.'
        FROM kinds WHERE falls > 0
      UNION ALL SELECT 2, pattern || '-only ' || kind || iif(giant, ' in the giant partition', ''), there, new,
          printf('%,d of the newest %,d keys are in the %s third of %,d keys', there, new, third, keys),
          'New keys go to one server. Put a hash or a name first. A load in the order of the keys looks the same.'
        FROM ordered WHERE keys >= 40 AND 10 * there >= 9 * new
      UNION ALL SELECT 3, 'giant partition', keys, total, printf('''%s'' has %,d of %,d entities',
            iif(length(pk) > 40, substr(pk, 1, 39) || '…', pk), keys, total),
          'One server serves it. Add a suffix to its PartitionKey. sql/patterns/14_repair.sql does it.'
        FROM ordered WHERE giant
      UNION ALL SELECT 4, 'partitions of one entity', single, groups, printf('%,d of %,d partitions', single, groups),
          'No EGT can change two of these entities. If you read more than points, use fewer partitions.'
        FROM kinds WHERE kind = 'RowKey' AND groups >= 20 AND 2 * single > groups
      UNION ALL SELECT 5, 'long ' || kind, long, keys,
          printf('%,d of %,d keys have more than 512 code units, the longest %,d', long, keys, units),
          'Azure allows 1,024 code units, the emulator 512. Put the text in a property, and its hash in the key.'
        FROM kinds WHERE long > 0)
  SELECT finding, iif(concerned > 0,
      printf('%.*c %.1f %%', max(1, 40 * concerned / total), '#', 100.0 * concerned / total), '') AS share,
      evidence, remedy
    FROM (SELECT * FROM findings UNION ALL SELECT 6, 'no finding', 0, 0, printf('%,d entities',
      (SELECT count(*) FROM entities)), '' WHERE NOT EXISTS (SELECT 1 FROM findings)) ORDER BY position, finding;

-- 1. The example table is empty at first.
CREATE VIRTUAL TABLE example USING aztables(table=ExampleKeys, connection=demo, create=missing, parallel=1, infer=off);
SELECT * FROM key_design;
--| no finding||0 entities|
--= create table: 1 request, 0 entities
--= table scan: 1 request, 0 entities

-- 2. A good design: 40 buckets, padded numbers. The buckets are not written in their order.
INSERT INTO example(PartitionKey, RowKey)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
  SELECT printf('Käufer %02d', i * 7 % 40), printf('%05d', i) FROM n;
SELECT * FROM key_design;
--| no finding||1,000 entities|
--= EGT: 40 requests, 1,000 entities
--= table scan: 1 request, 1,000 entities

-- 3. All faults at once: a partition per day, written in the order of the days; orders in one partition, with unpadded
-- numbers that got a fifth digit; a key of 300 letters and 107 faces.
INSERT INTO example(PartitionKey, RowKey)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199)
  SELECT 'day ' || date('2026-01-01', '+' || i || ' days'), '' FROM n;
INSERT INTO example(PartitionKey, RowKey)
  WITH RECURSIVE n(i) AS (SELECT 8520 UNION ALL SELECT i + 1 FROM n WHERE i < 10019)
  SELECT '注文', 'order ' || i FROM n
  UNION ALL SELECT '注文', printf('%.*c', 300, 'x') || replace(hex(zeroblob(107)), '00', '😀');
--= EGT: 216 requests, 1,701 entities

-- 4. The report.
.mode line
SELECT * FROM key_design;
.mode list
--|  finding = unpadded numbers in RowKey
--|    share = # 0.0 %
--| evidence = 1 of 2,701 keys have a smaller number than the key before them: 'order 10019' is before 'order 8520'
--|   remedy = Ranges of numbers return wrong keys. Pad: printf('%08d', n). sql/patterns/14_repair.sql does it.
--|
--|  finding = append-only PartitionKey
--|    share = ######################################## 100.0 %
--| evidence = 60 of the newest 60 keys are in the last third of 241 keys
--|   remedy = New keys go to one server. Put a hash or a name first. A load in the order of the keys looks the same.
--|
--|  finding = append-only RowKey in the giant partition
--|    share = ##################################### 94.7 %
--| evidence = 355 of the newest 375 keys are in the last third of 1,501 keys
--|   remedy = New keys go to one server. Put a hash or a name first. A load in the order of the keys looks the same.
--|
--|  finding = giant partition
--|    share = ###################### 55.6 %
--| evidence = '注文' has 1,501 of 2,701 entities
--|   remedy = One server serves it. Add a suffix to its PartitionKey. sql/patterns/14_repair.sql does it.
--|
--|  finding = partitions of one entity
--|    share = ################################# 83.0 %
--| evidence = 200 of 241 partitions
--|   remedy = No EGT can change two of these entities. If you read more than points, use fewer partitions.
--|
--|  finding = long RowKey
--|    share = # 0.0 %
--| evidence = 1 of 2,701 keys have more than 512 code units, the longest 514
--|   remedy = Azure allows 1,024 code units, the emulator 512. Put the text in a property, and its hash in the key.
--= table scan: 3 requests, 2,701 entities

-- 5. The check: two statements count partitions of one entity, and falling numbers, in another way.
SELECT evidence GLOB (SELECT count(*) FROM (SELECT 1 FROM t GROUP BY PartitionKey HAVING count(*) = 1)) || ' of *'
  AS equal FROM key_design WHERE finding = 'partitions of one entity';
WITH orders(n, n0) AS (
    SELECT CAST(substr(RowKey, 7) AS INTEGER), lag(CAST(substr(RowKey, 7) AS INTEGER)) OVER (ORDER BY RowKey)
    FROM t WHERE PartitionKey = '注文' AND RowKey >= 'order ' AND RowKey < aztables_prefix_end('order '))
  SELECT (SELECT evidence FROM key_design LIMIT 1) GLOB printf('%,d of *', count(*)) AS equal FROM orders WHERE n < n0;
--| 1
--| 1
--= table scan: 9 requests, 8,103 entities
--= row range: 2 requests, 1,500 entities
