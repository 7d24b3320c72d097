-- Question: how large are the entities, and which are the largest?
-- Your own table: change `table` and `connection` of the virtual table `t`, and run only step 3. Nothing
-- writes through `t`: it has access=read. The other steps make and check the example table.
-- Cost: one scan of all properties. 1,000 entities are one request: 100,000 entities are 100 requests.
-- Conclusions: the limit of an entity is 1 MiB. The service refuses an entity that grows beyond it: move its
-- largest property to a blob, or split it over entities. An EGT has 4 MiB at most, so large entities need more EGTs.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
CREATE VIRTUAL TABLE t USING aztables(table=ExampleEntities, connection=demo, infer=off, access=read, parallel=1);

-- The report, one view. The first row is the whole table. Then follows a histogram: each class is twice as large as the
-- class before it, and percent is its share of the entities. Then follow the ten largest entities as
-- 'PartitionKey/RowKey': no key contains a '/'. Their percent is the share of the limit of 1 MiB.
-- aztables_size follows the size rule of Microsoft: 4 for the entity, 2 per UTF-16 code unit of its keys. A property has
-- 8, 2 per code unit of its name, and its value. A String has 4 more, a Binary too.
CREATE TEMP VIEW entity_sizes AS
  WITH RECURSIVE sizes AS MATERIALIZED (
      SELECT PartitionKey || '/' || RowKey AS keys, aztables_size(PartitionKey, RowKey, _entity) AS bytes FROM t),
    limits AS MATERIALIZED (
      SELECT count(*) AS entities, min(bytes) AS least, max(bytes) AS most FROM sizes),
    class(upper) AS (SELECT 4 UNION ALL SELECT 2 * upper FROM class, limits WHERE upper < most),
    lines(section, position, what, entities, bytes, percent) AS (
      SELECT 1, 0, 'all entities', count(*), coalesce(sum(bytes), 0), iif(count(*) > 0, 100.0, NULL) FROM sizes
      UNION ALL SELECT 2, upper, iif(upper < 1024, 'up to ' || upper || ' bytes', 'up to ' || (upper / 1024) || ' KiB'),
          coalesce(sum(n), 0), coalesce(sum(n * bytes), 0), 100.0 * coalesce(sum(n), 0) / entities
        FROM limits JOIN class ON upper >= least LEFT JOIN (SELECT bytes, count(*) AS n FROM sizes GROUP BY bytes)
          ON bytes > upper / 2 AND bytes <= upper GROUP BY upper
      UNION ALL SELECT * FROM (SELECT 3, row_number() OVER (ORDER BY bytes DESC, keys),
          '''' || iif(length(keys) > 40, substr(keys, 1, 39) || '…', keys) || '''', 1, bytes, bytes / 10485.76
        FROM sizes ORDER BY bytes DESC, keys LIMIT 10))
  SELECT what, entities, bytes, round(percent, 1) AS percent,
      iif(percent > 0, printf('%.*c', max(1, CAST(percent * 0.4 AS INTEGER)), '#'), '') AS bar
    FROM lines ORDER BY section, position;

-- 1. The example table is empty at first. Then the report has one row.
CREATE VIRTUAL TABLE example USING aztables(table=ExampleEntities, connection=demo, create=missing, parallel=1,
  Body STRING, Picture BINARY, Id GUID, Seen BOOLEAN, Votes INT32, Views INT64, Rating DOUBLE, At DATETIME);
SELECT * FROM entity_sizes;
--| all entities|0|0||
--= create table: 1 request, 0 entities
--= table scan: 1 request, 0 entities

-- 2. Example data: 3,000 messages, few with a long text, one with a picture. One entity has each type, one has none.
INSERT INTO example(PartitionKey, RowKey, Body, Picture)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
  SELECT 'inbox', printf('%05d', i), printf('%.*c', CASE WHEN i % 1000 = 7 THEN 30000 WHEN i % 50 = 7 THEN 2500
      ELSE 110 + i % 300 END, 'x'), iif(i = 1007, zeroblob(60000), NULL) FROM n;
INSERT INTO example(PartitionKey, RowKey, Body, Picture, Id, Seen, Votes, Views, Rating, At) VALUES
  ('types', 'each', 'né 😀', x'010203', '00000000-0000-0000-0000-000000000001', TRUE, 1, 2, 0.5, '2026-11-20'),
  ('types', '空', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
--= EGT: 31 requests, 3,002 entities

-- 3. The report. Most entities are small. 60 of 3,002 have a quarter of all bytes.
.mode column
.headers on
SELECT * FROM entity_sizes;
.mode list
.headers off
--| what             entities  bytes    percent  bar
--| ---------------  --------  -------  -------  ----------------------------------------
--| all entities     3002      2185224  100.0    ########################################
--| up to 16 bytes   1         16       0.0      #
--| up to 32 bytes   0         0        0.0
--| up to 64 bytes   0         0        0.0
--| up to 128 bytes  0         0        0.0
--| up to 256 bytes  1         222      0.0      #
--| up to 512 bytes  1220      473660   40.6     ################
--| up to 1 KiB      1720      1183660  57.3     ######################
--| up to 2 KiB      0         0        0.0
--| up to 4 KiB      0         0        0.0
--| up to 8 KiB      57        287508   1.9      #
--| up to 16 KiB     0         0        0.0
--| up to 32 KiB     0         0        0.0
--| up to 64 KiB     2         120088   0.1      #
--| up to 128 KiB    1         120070   0.0      #
--| 'inbox/01007'    1         120070   11.5     ####
--| 'inbox/00007'    1         60044    5.7      ##
--| 'inbox/02007'    1         60044    5.7      ##
--| 'inbox/00057'    1         5044     0.5      #
--| 'inbox/00107'    1         5044     0.5      #
--| 'inbox/00157'    1         5044     0.5      #
--| 'inbox/00207'    1         5044     0.5      #
--| 'inbox/00257'    1         5044     0.5      #
--| 'inbox/00307'    1         5044     0.5      #
--| 'inbox/00357'    1         5044     0.5      #
--= table scan: 4 requests, 3,002 entities

-- 4. The check, by hand for the two entities of 'types'. They are alone in their classes. The face is two code units.
SELECT bytes = 4 + 2 * 9 + (8 + 8 + 4 + 2 * 5) + (8 + 14 + 4 + 3) + (8 + 4 + 16) + (8 + 8 + 1) + (8 + 10 + 4)
    + (8 + 10 + 8) + (8 + 12 + 8) + (8 + 4 + 8) AS each_type FROM entity_sizes WHERE what = 'up to 256 bytes';
SELECT bytes = 4 + 2 * 6 AS no_property FROM entity_sizes WHERE what = 'up to 16 bytes';
--| 1
--| 1
--= table scan: 8 requests, 6,004 entities

-- 5. The limit. Sixteen Strings fill an entity to exactly 1 MiB by this rule, and the service accepts it. It refuses
-- one character more.
INSERT INTO example(PartitionKey, RowKey, _entity)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 15)
  SELECT 'limit', '1', aztables_group_entity(printf('S%02d', i), printf('%.*c', iif(i < 15, 32768, 32616), 'x')) FROM n;
SELECT * FROM entity_sizes WHERE what = '''limit/1''';
--| 'limit/1'|1|1048576|100.0|########################################
--= EGT: 1 request, 1 entity
--= table scan: 4 requests, 3,003 entities
INSERT INTO example(PartitionKey, RowKey, _entity)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 15)
  SELECT 'limit', '2', aztables_group_entity(printf('S%02d', i), printf('%.*c', iif(i < 15, 32768, 32617), 'x')) FROM n;
--! Runtime error: writing to table ExampleEntities (connection 'demo') failed: the service refused the request at the entity PartitionKey='limit', RowKey='2' ("The entity is larger than the maximum allowed size (1MB).") [400 EntityTooLarge, request id REQUEST-ID]; 0 of 1 EGTs applied: see aztables_commits (18)
--= EGT: 1 request, 0 entities

-- 6. The smallest entity has empty keys and no property: 4 bytes.
INSERT INTO example(PartitionKey, RowKey) VALUES ('', '');
SELECT * FROM entity_sizes WHERE what = 'up to 4 bytes';
--| up to 4 bytes|1|4|0.0|#
--= EGT: 1 request, 1 entity
--= table scan: 4 requests, 3,004 entities
