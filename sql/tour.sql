-- A guided tour: a Movies table, every kind of query, its plan, and the requests that it caused.
-- Run it with scripts/demo.sh. It wants a connection named "demo" on which there is no table Movies yet.
.load ./aztables
.mode box --wrap 100
.print
.print '1. A connection is a name. This one comes from the environment: AZTABLES_CONNECTION_DEMO.'
.print
SELECT aztables_create_table('demo.Movies') AS created;
SELECT name, endpoint, kind, credential FROM aztables_connections;

.print
.print '2. A remote table becomes an SQL table. PartitionKey (here the category) and RowKey (the title)'
.print '   are always there; the other properties are declared.'
.print
CREATE VIRTUAL TABLE movies USING aztables(
  table=Movies,
  connection=demo,
  ReleaseYear INT32, Rating DOUBLE, Language STRING, IsFavorite BOOLEAN);
.schema movies

-- What was sent since the last look: a view for this tour.
CREATE TEMP TABLE looked(id INTEGER);
INSERT INTO looked SELECT max(id) FROM aztables_requests;
CREATE TEMP VIEW sent AS
  SELECT kind, method,
         coalesce('filter: ' || filter,
                  replace(substr(url || '?', 1, instr(url || '?', '?') - 1),
                          rtrim(url, replace(url, '/', '')), '')) AS asked,
         status, entities
  FROM aztables_requests WHERE id > (SELECT id FROM looked) ORDER BY id;

.print
.print '3. INSERT buffers the rows. COMMIT sends them as entity group transactions (EGTs), one or more'
.print '   per partition.'
.print
BEGIN;
INSERT INTO movies(PartitionKey, RowKey, ReleaseYear, Rating, Language, IsFavorite) VALUES
  ('Action', 'Alien',                1979, 8.5, 'English',  1),
  ('Action', 'Cop Out',              2010, 5.5, 'English',  0),
  ('Action', 'Law Abiding Citizen',  2009, 7.4, 'English',  0),
  ('Action', 'Shaft',                1971, 6.6, 'English',  0),
  ('Action', 'Shanghai Noon',        2000, 6.6, 'English',  1),
  ('Action', 'Shoot ''Em Up',        2007, 6.6, 'English',  0),
  ('Action', 'Terminator',           1984, 8.1, 'English',  1),
  ('Comedy', 'Amélie',               2001, 8.3, 'French',   1),
  ('Comedy', 'Sideways',             2004, 7.5, 'English',  0),
  ('SciFi',  'Sphere',               1998, 6.1, 'English',  0),
  ('SciFi',  'Star Wars',            1977, 8.6, 'English',  1),
  ('Thriller', 'Rear Window',        1954, 8.5, 'English',  1),
  ('War',    'Ran',                  1985, 8.2, 'Japanese', 1);
COMMIT;
SELECT * FROM sent;
UPDATE looked SET id = (SELECT max(id) FROM aztables_requests);

.print
.print '4. Point query: both keys. One request reads one entity.'
.print
SELECT RowKey, ReleaseYear, Rating FROM movies WHERE PartitionKey = 'SciFi' AND RowKey = 'Star Wars';
EXPLAIN QUERY PLAN
SELECT RowKey, ReleaseYear, Rating FROM movies WHERE PartitionKey = 'SciFi' AND RowKey = 'Star Wars';
SELECT * FROM sent;
UPDATE looked SET id = (SELECT max(id) FROM aztables_requests);

.print
.print "5. Row range: one partition, a range of row keys. All action movies whose title begins with Sh:"
.print "   from 'Sh' to 'Si'."
.print
SELECT RowKey, Rating FROM movies WHERE PartitionKey = 'Action' AND RowKey >= 'Sh' AND RowKey < 'Si';
EXPLAIN QUERY PLAN
SELECT RowKey, Rating FROM movies WHERE PartitionKey = 'Action' AND RowKey >= 'Sh' AND RowKey < 'Si';
SELECT * FROM sent;
UPDATE looked SET id = (SELECT max(id) FROM aztables_requests);

.print
.print '6. Partition range: several partitions, in key order. What is no key, SQLite checks here.'
.print
SELECT PartitionKey, RowKey FROM movies
WHERE PartitionKey >= 'Action' AND PartitionKey < 'Thriller' AND IsFavorite;
EXPLAIN QUERY PLAN
SELECT PartitionKey, RowKey FROM movies
WHERE PartitionKey >= 'Action' AND PartitionKey < 'Thriller' AND IsFavorite;
SELECT * FROM sent;
UPDATE looked SET id = (SELECT max(id) FROM aztables_requests);

.print
.print '7. Table scan: no partition key is known. The whole table is read, a page of 1000 at a time, but'
.print '   only the columns that are used.'
.print
SELECT PartitionKey, RowKey, ReleaseYear FROM movies WHERE ReleaseYear < 1980 ORDER BY ReleaseYear;
EXPLAIN QUERY PLAN
SELECT PartitionKey, RowKey, ReleaseYear FROM movies WHERE ReleaseYear < 1980 ORDER BY ReleaseYear;
SELECT * FROM sent;
UPDATE looked SET id = (SELECT max(id) FROM aztables_requests);

.print
.print '8. A join with a local table: its rows drive the reads of the remote one.'
.print
CREATE TEMP TABLE wishlist(category TEXT, title TEXT, friend TEXT);
INSERT INTO wishlist VALUES ('SciFi', 'Star Wars', 'Ann'), ('War', 'Ran', 'Bob'),
                            ('War', 'Kagemusha', 'Bob');
SELECT w.friend, w.title, m.Rating
FROM wishlist w LEFT JOIN movies m ON m.PartitionKey = w.category AND m.RowKey = w.title;
EXPLAIN QUERY PLAN
SELECT w.friend, w.title, m.Rating
FROM wishlist w LEFT JOIN movies m ON m.PartitionKey = w.category AND m.RowKey = w.title;
SELECT * FROM sent;
UPDATE looked SET id = (SELECT max(id) FROM aztables_requests);

.print
.print '9. Aggregates: what no SDK does. Only the keys and Rating travel.'
.print
SELECT PartitionKey AS category, count(*) AS movies, round(avg(Rating), 2) AS rating
FROM movies GROUP BY PartitionKey ORDER BY rating DESC;
EXPLAIN QUERY PLAN
SELECT PartitionKey AS category, count(*) AS movies, round(avg(Rating), 2) AS rating
FROM movies GROUP BY PartitionKey ORDER BY rating DESC;
SELECT * FROM sent;
UPDATE looked SET id = (SELECT max(id) FROM aztables_requests);

.print
.print '10. Whatever an entity holds, declared or not, is in _entity, with its types.'
.print
SELECT _entity FROM movies WHERE PartitionKey = 'Comedy' AND RowKey = 'Amélie';

.print
.print '11. A table that nobody described: its columns are inferred from a sample. Under scan=deny a'
.print '    question that would read a large table as a whole is refused; a first page never is.'
.print
SELECT property, type, entities, example FROM aztables_infer('demo.Movies');
CREATE VIRTUAL TABLE looked_at USING aztables(table=Movies, connection=demo, scan=deny);
SELECT * FROM looked_at WHERE PartitionKey = 'Comedy' LIMIT 2;

.print
.print '12. Dynamic properties: an entity taken apart, a property added, and put together again.'
.print
SELECT p.name, p.value, p.type
FROM movies m, aztables_each(m._entity) p WHERE m.PartitionKey = 'Comedy' AND m.RowKey = 'Amélie';
INSERT INTO movies(PartitionKey, RowKey, _entity)
  SELECT 'Favourites', RowKey, aztables_set(_entity, 'Since', aztables_datetime('2026-11-20'), 'DATETIME')
  FROM movies WHERE PartitionKey = 'Comedy' AND RowKey = 'Amélie';
SELECT RowKey, aztables_get(_entity, 'Since') AS since, _entity FROM movies WHERE PartitionKey = 'Favourites';

.print
.print '13. What this session cost in requests:'
.print
SELECT kind, count(*) AS requests, sum(entities) AS entities, sum(bytes_in) AS bytes_in
FROM aztables_requests GROUP BY kind ORDER BY min(id);
.print
.print 'SELECT * FROM aztables_help; lists every function, table and option.'
