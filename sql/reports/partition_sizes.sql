-- Question: how many partitions does the table have, and how many entities and bytes are in each?
-- Your own table: change `table` and `connection` of the virtual table `t`, and run only step 3. Nothing
-- writes through `t`: it has access=read. The other steps make and check the example table.
-- Cost: one scan of all properties. 1,000 entities are one request: 100,000 entities are 100 requests.
-- Conclusions: one partition with most of the entities cannot be spread over servers, so it limits the throughput.
-- Partitions of one entity spread well, but no EGT can change two entities, and a range query visits many partitions.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
CREATE VIRTUAL TABLE t USING aztables(table=ExamplePartitions, connection=demo, infer=off, access=read, parallel=1);

-- The report, one view. The first row is the whole table. Then follow classes of partitions by their size, and the ten
-- largest partitions. Percent and bar are shares of all entities.
-- aztables_size follows the size rule of Microsoft: 4 for the entity, 2 per UTF-16 code unit of its keys. A property has
-- 8, 2 per code unit of its name, and its value. A String has 4 more, a Binary too.
CREATE TEMP VIEW partition_sizes AS
  WITH sizes(partition, entities, bytes) AS MATERIALIZED (
      SELECT PartitionKey, count(*), sum(aztables_size(PartitionKey, RowKey, _entity)) FROM t GROUP BY PartitionKey),
    lines(section, position, what, partitions, entities, bytes) AS (
      SELECT 1, 0, 'all partitions', count(*), coalesce(sum(entities), 0), coalesce(sum(bytes), 0) FROM sizes
      UNION ALL SELECT 2, iif(entities = 1, 0, length(entities)), CASE WHEN entities = 1 THEN 'of 1 entity'
          ELSE printf('of %,d to %,d', max(2, pow10), 10 * pow10 - 1) END, count(*), sum(entities), sum(bytes)
        FROM (SELECT *, CAST('1' || substr('000000000000', 1, length(entities) - 1) AS INTEGER) AS pow10 FROM sizes)
        GROUP BY 2
      UNION ALL SELECT * FROM (SELECT 3, row_number() OVER (ORDER BY entities DESC, partition),
          '''' || iif(length(partition) > 40, substr(partition, 1, 39) || '…', partition) || '''', 1, entities, bytes
        FROM sizes ORDER BY entities DESC, partition LIMIT 10))
  SELECT what, partitions, entities, bytes, round(100.0 * entities / max(entities) OVER (), 1) AS percent,
      iif(entities > 0, printf('%.*c', max(1, 40 * entities / max(entities) OVER ()), '#'), '') AS bar
    FROM lines ORDER BY section, position;

-- 1. The example table is empty at first. Then the report has one row.
CREATE VIRTUAL TABLE example USING aztables(table=ExamplePartitions, connection=demo, create=missing, parallel=1,
  Name STRING, Visits INT32);
SELECT * FROM partition_sizes;
--| all partitions|0|0|0||
--= create table: 1 request, 0 entities
--= table scan: 1 request, 0 entities

-- 2. Example data: cities with their visitors, and many partitions of one visitor.
INSERT INTO example(PartitionKey, RowKey, Name, Visits)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2599),
    city(name, entities) AS (
      VALUES ('東京', 2600), ('São Paulo', 700), ('Zürich', 90), ('🚀 Kourou', 60), ('Oslo', 9))
  SELECT name, printf('%05d', i), 'Visitor ' || i, i % 7 FROM city, n WHERE i < entities
  UNION ALL SELECT printf('visitor %02d', i), '', '😀', NULL FROM n WHERE i < 40;
--= EGT: 76 requests, 3,499 entities

-- 3. The report. One partition has three quarters of the entities: spread it, for example by a suffix of the
-- PartitionKey. sql/patterns/14_repair.sql does it.
.mode column
.headers on
SELECT * FROM partition_sizes;
.mode list
.headers off
--| what               partitions  entities  bytes   percent  bar
--| -----------------  ----------  --------  ------  -------  ----------------------------------------
--| all partitions     45          3499      306256  100.0    ########################################
--| of 1 entity        40          40        1920    1.1      #
--| of 2 to 9          1           9         756     0.3      #
--| of 10 to 99        2           150       13820   4.3      #
--| of 100 to 999      1           700       68380   20.0     ########
--| of 1,000 to 9,999  1           2600      221380  74.3     #############################
--| '東京'               1           2600      221380  74.3     #############################
--| 'São Paulo'        1           700       68380   20.0     ########
--| 'Zürich'           1           90        8080    2.6      #
--| '🚀 Kourou'         1           60        5740    1.7      #
--| 'Oslo'             1           9         756     0.3      #
--| 'visitor 00'       1           1         48      0.0      #
--| 'visitor 01'       1           1         48      0.0      #
--| 'visitor 02'       1           1         48      0.0      #
--| 'visitor 03'       1           1         48      0.0      #
--| 'visitor 04'       1           1         48      0.0      #
--= table scan: 4 requests, 3,499 entities

-- 4. The check. Each 'visitor NN' has 10 code units of keys. Its property has a name of 4, and the face has 2.
SELECT bytes = 40 * (4 + 2 * 10 + 8 + 2 * 4 + 4 + 2 * 2) AS bytes_right,
  (SELECT sum(entities) FROM partition_sizes WHERE what GLOB 'of *') = (SELECT count(*) FROM t) AS complete
  FROM partition_sizes WHERE what = 'of 1 entity';
--| 1|1
--= table scan: 12 requests, 10,497 entities
