-- Question: which properties does the table have, of which types, and how many entities have them?
-- Your own table: change `table` and `connection` of the virtual table `t`, and run only step 3. Nothing
-- writes through `t`: it has access=read. The other steps make and check the example table.
-- Cost: one scan of all properties. 1,000 entities are one request: 100,000 entities are 100 requests. SQLite sorts all
-- values in a temporary file. aztables_infer('demo.Example') reads a sample in at most 10 requests.
-- Conclusions: a property of two types needs a repair, except for numbers (sql/patterns/14_repair.sql). A rare property
-- may be a misspelled name. A property with one value in all entities carries nothing. If `distinct` is the number of
-- entities, the property can be a key.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
CREATE VIRTUAL TABLE t USING aztables(table=ExampleProperties, connection=demo, infer=off, access=read, parallel=1);

-- The report, one view. A row is a property with one of its types: `types` is their number. The first rows are keys:
-- their `entities` are those of the table, and `percent` compares with them. `min` and `max` show 12 characters, or
-- the hexadecimal digits of 6 bytes. `example` is the first entity that has the property with this type, as
-- 'PartitionKey/RowKey': no key contains a '/'. Look it up to see what is wrong.
CREATE TEMP VIEW property_census AS
  WITH cells AS (
      SELECT part.column1 AS key, coalesce(part.column1, p.name) AS property, coalesce(p.type, 'key') AS type,
        CASE part.column1 WHEN 'PartitionKey' THEN PartitionKey WHEN 'RowKey' THEN RowKey ELSE p.value END AS value,
        PartitionKey || '/' || RowKey AS entity
      FROM t CROSS JOIN (VALUES ('PartitionKey'), ('RowKey'), (NULL)) AS part
        LEFT JOIN aztables_each(iif(part.column1 IS NULL, _entity, NULL)) AS p
      WHERE part.column1 IS NOT NULL OR p.name IS NOT NULL),
    census AS MATERIALIZED (
      SELECT key, property, type, count(*) AS entities, count(DISTINCT value) AS different,
        min(value) AS least, max(value) AS most, min(entity) AS first
      FROM cells GROUP BY key, property, type)
  SELECT property, type, count(*) OVER (PARTITION BY key, property) AS types, entities,
    round(100.0 * entities / max(entities) OVER (), 1) AS percent,
    printf('%.*c', max(1, 10 * entities / max(entities) OVER ()), '#') AS bar, different AS "distinct",
    CASE typeof(least) WHEN 'blob' THEN hex(substr(least, 1, 6)) WHEN 'text' THEN substr(least, 1, 12) ELSE least END
      AS min,
    CASE typeof(most) WHEN 'blob' THEN hex(substr(most, 1, 6)) WHEN 'text' THEN substr(most, 1, 12) ELSE most END
      AS max,
    iif(length(first) > 30, substr(first, 1, 29) || '…', first) AS example
  FROM census ORDER BY key IS NULL, property, entities DESC, type;

-- 1. The example table is empty at first. Then the report has no row.
CREATE VIRTUAL TABLE example USING aztables(table=ExampleProperties, connection=demo, create=missing, infer=off,
  parallel=1);
SELECT count(*) FROM property_census;
--| 0
--= create table: 1 request, 0 entities
--= table scan: 1 request, 0 entities

-- 2. Example data: films with faults. Each 50th Year is a String. One name is misspelled, in one entity. Rating is
-- Int32 or Double. All films have the same Source. One entity has no property.
INSERT INTO example(PartitionKey, RowKey, _entity)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
  SELECT json_extract('["Action","Comédie","ドラマ","🚀"]', '$[' || (i % 4) || ']'), printf('Film %04d', i),
    json_object(iif(i = 1234, 'Tilte', 'Title'), 'Film ' || i,
      'Year', iif(i % 50 = 7, CAST(1950 + i % 70 AS TEXT), 1950 + i % 70), 'Rating', iif(i % 2, 0.5 + i % 5, i % 5),
      'Source', 'import', 'Poster@odata.type', 'Edm.Binary', 'Poster', 'AQID')
  FROM n UNION ALL SELECT 'Action', 'Film without properties', '{}';
--= EGT: 32 requests, 3,001 entities

-- 3. The report: two types of Year, the misspelled Tilte with its entity, and Source with one value.
.mode column
.headers on
SELECT * FROM property_census;
.mode list
.headers off
--| property      type    types  entities  percent  bar         distinct  min        max           example
--| ------------  ------  -----  --------  -------  ----------  --------  ---------  ------------  -----------------
--| PartitionKey  key     1      3001      100.0    ##########  4         Action     🚀             Action/Film 0000
--| RowKey        key     1      3001      100.0    ##########  3001      Film 0000  Film without  Action/Film 0000
--| Poster        BINARY  1      3000      100.0    #########   1         010203     010203        Action/Film 0000
--| Rating        DOUBLE  2      1500      50.0     ####        5         0.5        4.5           Comédie/Film 0001
--| Rating        INT32   2      1500      50.0     ####        5         0          4             Action/Film 0000
--| Source        STRING  1      3000      100.0    #########   1         import     import        Action/Film 0000
--| Tilte         STRING  1      1         0.0      #           1         Film 1234  Film 1234     ドラマ/Film 1234
--| Title         STRING  1      2999      99.9     #########   2999      Film 0     Film 999      Action/Film 0000
--| Year          INT32   2      2940      98.0     #########   70        1950       2019          Action/Film 0000
--| Year          STRING  2      60        2.0      #           7         1957       2017          Comédie/Film 0057
--= table scan: 4 requests, 3,001 entities

-- 4. The check: 3,001 entities, and their properties as the data has them.
SELECT sum(entities) = 2 * 3001 + 3000 * 5 AS complete, count(*) FILTER (WHERE types > 1) = 4 AS faults
  FROM property_census;
--| 1|1
--= table scan: 4 requests, 3,001 entities
