-- Question: which queries are cheap on a table of movies, and how do I change many entities at once?
-- Key design: PartitionKey is the category, RowKey the title. Both together are the only index.
-- The original: 5 LINQ queries. The OR of two partitions read the whole table. An update of many entities needed a
-- loop, entity tracking and SaveChangesOptions.Batch: 30 lines of C#.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use an empty store, the account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo') WHERE name COLLATE NOCASE IN ('Movies');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':movies', 20000); -- or before: .parameter set :movies 1000000

CREATE VIRTUAL TABLE movies USING aztables(table=Movies, connection=demo, create=missing, parallel=1,
  ReleaseYear INT32, Rating DOUBLE, Language STRING, IsFavorite BOOLEAN);

-- 1. Data: the movies of the original, and as many others as the parameter asks for. They are in eight categories of
-- the same size. One transaction becomes one EGT per 100 movies of a category.
BEGIN;
INSERT INTO movies(PartitionKey, RowKey, ReleaseYear, Rating, Language, IsFavorite) VALUES
  ('Action', 'Alien', 1979, 4.5, 'English', TRUE), ('Action', 'Cop Out', 2010, 2.5, 'English', FALSE),
  ('Action', 'Law Abiding Citizen', 2009, 3.9, 'English', FALSE), ('Action', 'Shaft', 1971, 3.3, 'English', FALSE),
  ('Action', 'Shanghai Noon', 2000, 3.4, 'English', FALSE), ('Action', 'Terminator', 1984, 4.1, 'English', FALSE),
  ('SciFi', 'Sphere', 1998, 3.0, 'English', FALSE), ('SciFi', 'Star Wars', 1977, 4.8, 'English', TRUE),
  ('Thriller', 'Rear Window', 1954, 4.6, 'English', TRUE), ('War', 'Ran', 1985, 4.4, 'Japanese', TRUE);
INSERT INTO movies(PartitionKey, RowKey, ReleaseYear, Rating, Language, IsFavorite)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :movies)
  SELECT c.value, 'Movie ' || printf('%06d', i / 8), 1950 + i / 8 % 70, i / 8 % 40 / 10.0, 'English', i / 8 % 50 = 0
  FROM n JOIN json_each('["Action","Comedy","Crime","Drama","Musical","SciFi","Thriller","War"]') AS c ON c.key = i % 8;
COMMIT;
--= list tables: 1 request, 0 entities
--= create table: 1 request, 0 entities
--= EGT: 204 requests, 20,010 entities

-- 2. One entity: both keys, one point request.
SELECT RowKey, ReleaseYear, Rating FROM movies WHERE PartitionKey = 'SciFi' AND RowKey = 'Star Wars';
--| Star Wars|1977|4.8
--= point: 1 request, 1 entity

-- 3. Rows of one partition: a range of RowKey. The service reads this range only.
SELECT RowKey, ReleaseYear FROM movies WHERE PartitionKey = 'SciFi' AND RowKey BETWEEN 'Sphere' AND 'Star Wars';
--| Sphere|1998
--| Star Wars|1977
--= row range: 1 request, 2 entities

-- 4. Titles with a prefix. GLOB and the explicit range send the same filter.
SELECT RowKey FROM movies WHERE PartitionKey = 'Action' AND RowKey GLOB 'Sh*';
SELECT RowKey FROM movies WHERE PartitionKey = 'Action' AND RowKey >= 'Sh' AND RowKey < aztables_prefix_end('Sh');
--| Shaft
--| Shanghai Noon
--| Shaft
--| Shanghai Noon
--= row range: 2 requests, 4 entities

-- 5. A range of partitions, with a condition on a property. The service reads three categories and returns favourites.
SELECT PartitionKey, count(*) FROM movies WHERE PartitionKey >= 'Action' AND PartitionKey < 'Drama'
  AND IsFavorite = TRUE GROUP BY PartitionKey;
--| Action|51
--| Comedy|50
--| Crime|50
--= partition range: 1 request, 151 entities

-- 6. One partition OR another. The original read the whole table and recommended two queries in parallel. Here the OR
-- is sent as two queries. With the default option parallel=8 they run at once.
SELECT PartitionKey, count(*), round(avg(Rating), 2) FROM movies
  WHERE PartitionKey = 'Action' OR PartitionKey = 'Thriller' GROUP BY PartitionKey;
--| Action|2506|1.95
--| Thriller|2501|1.94
--= row range: 6 requests, 5,007 entities

-- 7. A range of RowKey without PartitionKey. The service reads the whole table and returns the matches.
SELECT PartitionKey, RowKey FROM movies WHERE RowKey BETWEEN 'Ran' AND 'Rear Window';
--| Thriller|Rear Window
--| War|Ran
--= table scan: 1 request, 2 entities

-- 8. All action movies rated above 4 become favourites. The statement reads them and sends one EGT. Each operation
-- carries the ETag that was read, so no change of somebody else is lost.
UPDATE movies SET IsFavorite = TRUE WHERE PartitionKey = 'Action' AND Rating > 4.0;
--= row range: 1 request, 2 entities
--= EGT: 1 request, 2 entities
SELECT RowKey, Rating FROM movies WHERE PartitionKey = 'Action' AND IsFavorite = TRUE AND Rating > 4.0;
--| Alien|4.5
--| Terminator|4.1
--= row range: 1 request, 2 entities
