-- Question: how do I read the newest entities first, without reading all the others?
-- Key design: the service only sorts by PartitionKey and RowKey, ascending. So the key counts backwards: 9999-YYYY,
-- 12-MM, 31-DD, all with leading zeros. Or it is aztables_reverse_ticks, which also contains the time.
-- The original: 3 tables of sorted keys, and no code to make a key, to read the date back or to read a page.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use an empty store, the account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo')
  WHERE name COLLATE NOCASE IN ('RecentMovies', 'RecentMoviesUnpadded', 'RecentMoviesByCategory');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':movies', 10000); -- or before: .parameter set :movies 1000000

-- A trigger may change a remote table only if you named its connection.
SELECT aztables_connect('demo', 'env:AZTABLES_CONNECTION_DEMO') LIKE 'demo: %';
CREATE VIRTUAL TABLE by_day USING aztables(table=RecentMovies, connection=demo, create=missing, parallel=1,
  Rating DOUBLE);
-- The view turns the key into the date, and its trigger turns the date into the key.
CREATE TEMP VIEW recent AS SELECT RowKey AS title, Rating AS rating, PartitionKey,
  printf('%04d-%02d-%02d', 9999 - substr(PartitionKey, 1, 4), 12 - substr(PartitionKey, 6, 2),
    31 - substr(PartitionKey, 9, 2)) AS released FROM by_day;
CREATE TEMP TRIGGER release INSTEAD OF INSERT ON recent BEGIN
  SELECT RAISE(ABORT, 'released must be YYYY-MM-DD') WHERE new.released IS NOT date(new.released);
  INSERT INTO by_day(PartitionKey, RowKey, Rating) VALUES (printf('%04d-%02d-%02d', 9999 - substr(new.released, 1, 4),
    12 - substr(new.released, 6, 2), 31 - substr(new.released, 9, 2)), new.title, new.rating);
END;
--| 1
--= list tables: 1 request, 0 entities
--= create table: 1 request, 0 entities

-- 1. Data: 50 movies per day, oldest first, up to 2010-12-31. Each new day sorts before all others.
INSERT INTO by_day(_command) VALUES ('bulk=on'), ('parallel=8');
INSERT INTO recent(title, released, rating)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :movies)
  SELECT printf('Movie %07d', i), date('2010-12-31', -((:movies - 1 - i) / 50) || ' days'), i % 41 / 10.0 FROM n;
INSERT INTO by_day(_command) VALUES ('reset');
--= EGT: 200 requests, 10,000 entities

-- 2. The five newest are the first five entities of the table. LIMIT is the size of the page, so nothing else is read.
CREATE TEMP TABLE page AS SELECT PartitionKey AS day, title, released FROM recent ORDER BY PartitionKey, title LIMIT 5;
SELECT released, title FROM page;
--| 2010-12-31|Movie 0009950
--| 2010-12-31|Movie 0009951
--| 2010-12-31|Movie 0009952
--| 2010-12-31|Movie 0009953
--| 2010-12-31|Movie 0009954
--= table scan: 1 request, 5 entities

-- 3. The next page begins after the last key: the rest of that day, then the days before. Each request reads
-- five entities, also for page 1,000. An OFFSET would read all pages before.
.parameter set :day "(SELECT day FROM page ORDER BY rowid DESC LIMIT 1)"
.parameter set :title "(SELECT title FROM page ORDER BY rowid DESC LIMIT 1)"
SELECT PartitionKey, RowKey FROM (SELECT PartitionKey, RowKey FROM by_day
    WHERE PartitionKey = :day AND RowKey > :title ORDER BY RowKey LIMIT 5)
  UNION ALL SELECT PartitionKey, RowKey FROM (SELECT PartitionKey, RowKey FROM by_day
    WHERE PartitionKey > :day ORDER BY PartitionKey, RowKey LIMIT 5)
  ORDER BY 1, 2 LIMIT 5;
--| 7989-00-00|Movie 0009955
--| 7989-00-00|Movie 0009956
--| 7989-00-00|Movie 0009957
--| 7989-00-00|Movie 0009958
--| 7989-00-00|Movie 0009959
--= row range: 1 request, 5 entities
--= partition range: 1 request, 5 entities

-- 4. A range of days is a range of partitions. The newest day is its lower bound.
SELECT released, count(*), max(rating) FROM recent
  WHERE PartitionKey BETWEEN '7989-00-05' AND '7989-00-07' GROUP BY PartitionKey;
--| 2010-12-26|50|4.0
--| 2010-12-25|50|4.0
--| 2010-12-24|50|4.0
--= partition range: 1 request, 150 entities

-- 5. Why the zeros: without them, the service puts January 2010 between November and October.
CREATE VIRTUAL TABLE unpadded USING aztables(table=RecentMoviesUnpadded, connection=demo, create=missing, parallel=1,
  infer=off);
INSERT INTO unpadded(PartitionKey, RowKey)
  WITH days(year, month, day) AS (
    VALUES (2010, 12, 31), (2010, 11, 1), (2010, 10, 31), (2010, 9, 5), (2010, 1, 31), (2009, 12, 31))
  SELECT printf('%d-%d-%d', 9999 - year, 12 - month, 31 - day), printf('%04d-%02d-%02d', year, month, day) FROM days;
--= create table: 1 request, 0 entities
--= EGT: 6 requests, 6 entities
SELECT PartitionKey, RowKey AS released,
  iif(RowKey > lag(RowKey) OVER (ORDER BY PartitionKey, RowKey), 'newer than the line above: wrong', 'ok')
  FROM unpadded;
--| 7989-0-0|2010-12-31|ok
--| 7989-1-30|2010-11-01|ok
--| 7989-11-0|2010-01-31|ok
--| 7989-2-0|2010-10-31|newer than the line above: wrong
--| 7989-3-26|2010-09-05|ok
--| 7990-0-0|2009-12-31|ok
--= table scan: 1 request, 6 entities

-- 6. aztables_reverse_ticks makes such keys from any time, exact to 100 ns, 19 digits wide. It also turns them back.
SELECT key, aztables_ticks_datetime(aztables_reverse_ticks(key))
  FROM (SELECT aztables_reverse_ticks(value) AS key FROM json_each('["2010-12-31T20:00Z","2010-12-31T19:00Z"]'));
--| 2521084751999999999|2010-12-31T20:00:00.0000000Z
--| 2521084787999999999|2010-12-31T19:00:00.0000000Z
--= no request

-- 7. In table 1, all movies of a day go to one partition, the first of the table. So one server takes all writes. Here
-- the category is the partition, and RowKey is <reverse ticks>;<title>: the same order in each of eight partitions.
CREATE VIRTUAL TABLE by_category USING aztables(table=RecentMoviesByCategory, connection=demo, create=missing,
  parallel=1, bulk=on, Rating DOUBLE);
INSERT INTO by_category(PartitionKey, RowKey, Rating)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :movies)
  SELECT c.value, aztables_reverse_ticks('2010-12-31T20:00Z', -(:movies - 1 - i) || ' hours') || ';' ||
    printf('Movie %07d', i), i % 41 / 10.0
  FROM n JOIN json_each('["Action","Comedy","Crime","Drama","Musical","SciFi","Thriller","War"]') AS c ON c.key = i % 8;
--= create table: 1 request, 0 entities
--= EGT: 104 requests, 10,000 entities

-- 8. The three newest dramas.
SELECT aztables_ticks_datetime(aztables_reverse_ticks(substr(RowKey, 1, 19))) AS released, substr(RowKey, 21) AS title
  FROM by_category WHERE PartitionKey = 'Drama' ORDER BY RowKey LIMIT 3;
--| 2010-12-31T16:00:00.0000000Z|Movie 0009995
--| 2010-12-31T08:00:00.0000000Z|Movie 0009987
--| 2010-12-31T00:00:00.0000000Z|Movie 0009979
--= row range: 1 request, 3 entities

-- 9. The dramas since an instant: newer is smaller. '<' follows the delimiter, so the instant itself is in the range.
SELECT substr(RowKey, 21) FROM by_category
  WHERE PartitionKey = 'Drama' AND RowKey < aztables_reverse_ticks('2010-12-31T00:00Z') || '<';
--| Movie 0009995
--| Movie 0009987
--| Movie 0009979
--= row range: 1 request, 3 entities

-- 10. The newest of each category: one request per category, each for one entity. The '+' matters: if SQLite sees two
-- columns compared, it does not pass the LIMIT on, and each request reads a page.
SELECT value AS category,
  (SELECT substr(RowKey, 21) FROM by_category WHERE PartitionKey = +value ORDER BY RowKey LIMIT 1)
  FROM json_each('["Action","Comedy","Crime","Drama","Musical","SciFi","Thriller","War"]');
--| Action|Movie 0009992
--| Comedy|Movie 0009993
--| Crime|Movie 0009994
--| Drama|Movie 0009995
--| Musical|Movie 0009996
--| SciFi|Movie 0009997
--| Thriller|Movie 0009998
--| War|Movie 0009999
--= row range: 8 requests, 8 entities

-- 11. The proof, over all entities of both designs: no entity is newer than the one before it.
SELECT count(*), sum(newer) FROM (
  SELECT released > lag(released) OVER (ORDER BY PartitionKey, title) AS newer FROM recent);
SELECT count(*), sum(newer) FROM (
  SELECT released > lag(released) OVER (PARTITION BY PartitionKey ORDER BY RowKey) AS newer FROM (
    SELECT PartitionKey, RowKey, aztables_ticks_datetime(aztables_reverse_ticks(substr(RowKey, 1, 19))) AS released
    FROM by_category));
--| 10000|0
--| 10000|0
--= table scan: 20 requests, 20,000 entities
