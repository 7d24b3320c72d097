-- Reading a table: each kind of query with its plan, its rows and its requests.
SELECT aztables_create_table('demo.Reading');
CREATE VIRTUAL TABLE movies USING aztables(table=Reading, connection=demo,
  ReleaseYear INT32, Rating DOUBLE, Language STRING, IsFavorite BOOLEAN);
INSERT INTO movies(PartitionKey, RowKey, ReleaseYear, Rating, Language, IsFavorite) VALUES
  ('Action', 'Alien', 1979, 8.5, 'English', 1), ('Action', 'Shaft', 1971, 6.6, 'English', 0),
  ('Action', 'Shoot ''Em Up', 2007, 6.6, 'English', 1), ('Action', 'Terminator', 1984, 8.1, 'English', 1),
  ('Comedy', 'Sideways', 2004, 7.5, 'English', 0), ('SciFi', 'Star Wars', 1977, 8.6, 'English', 1),
  ('War', 'Ran', 1985, 8.2, 'Japanese', 1);
.read sent.sql
.print == point
EXPLAIN QUERY PLAN SELECT Rating FROM movies WHERE PartitionKey = 'Action' AND RowKey = 'Alien';
SELECT Rating FROM movies WHERE PartitionKey = 'Action' AND RowKey = 'Alien';
SELECT Rating FROM movies WHERE RowKey = 'Shoot ''Em Up' AND 'Action' = PartitionKey;
SELECT Rating FROM movies WHERE PartitionKey = 'Action' AND RowKey = 'No such movie';
.read sent.sql
.print == a whole partition
EXPLAIN QUERY PLAN SELECT RowKey, Rating FROM movies WHERE PartitionKey = 'Action';
SELECT RowKey, Rating FROM movies WHERE PartitionKey = 'Action';
.read sent.sql
.print == row range
EXPLAIN QUERY PLAN SELECT RowKey FROM movies WHERE PartitionKey = 'Action' AND RowKey >= 'Sh' AND RowKey < 'Si';
SELECT RowKey FROM movies WHERE PartitionKey = 'Action' AND RowKey >= 'Sh' AND RowKey < 'Si';
SELECT RowKey FROM movies WHERE PartitionKey = 'Action' AND RowKey BETWEEN 'Alien' AND 'Shaft';
SELECT RowKey FROM movies WHERE PartitionKey = 'Action' AND RowKey > 'Alien' AND RowKey <= 'Shaft';
.read sent.sql
.print == partition range
EXPLAIN QUERY PLAN SELECT RowKey FROM movies WHERE PartitionKey >= 'Action' AND PartitionKey < 'SciFi';
SELECT PartitionKey, RowKey FROM movies WHERE PartitionKey > 'Action' AND PartitionKey <= 'SciFi';
SELECT PartitionKey, RowKey FROM movies WHERE PartitionKey BETWEEN 'C' AND 'D' AND RowKey = 'Sideways';
.read sent.sql
.print == table scan
EXPLAIN QUERY PLAN SELECT * FROM movies;
EXPLAIN QUERY PLAN SELECT RowKey FROM movies WHERE RowKey = 'Ran';
SELECT PartitionKey, RowKey FROM movies WHERE RowKey = 'Ran';
SELECT PartitionKey, RowKey FROM movies WHERE Rating > 8.15;
SELECT RowKey FROM movies WHERE PartitionKey <> 'Action';
.read sent.sql
.print == evaluated by SQLite alone
SELECT RowKey FROM movies WHERE PartitionKey = 'action' COLLATE NOCASE ORDER BY Rating DESC LIMIT 2;
SELECT RowKey FROM movies WHERE RowKey LIKE 'sh%';
SELECT RowKey FROM movies WHERE PartitionKey = 'Action' AND RowKey GLOB 'S*t';
.read sent.sql
.print == aggregates
EXPLAIN QUERY PLAN SELECT count(*) FROM movies;
SELECT count(*) FROM movies;
SELECT PartitionKey, count(*), max(Rating) FROM movies GROUP BY PartitionKey HAVING count(*) > 1;
SELECT DISTINCT Language FROM movies ORDER BY 1;
.read sent.sql
.print == no request: no entity can match
SELECT RowKey FROM movies WHERE PartitionKey = NULL;
SELECT RowKey FROM movies WHERE PartitionKey = x'41' AND RowKey = 'Alien';
SELECT RowKey FROM movies WHERE PartitionKey = 'a/b' AND RowKey = 'x';
.read sent.sql
.print == pushdown=none sends no filter and gives the same rows
CREATE VIRTUAL TABLE plain USING aztables(table=Reading, connection=demo, Rating DOUBLE, pushdown=none);
EXPLAIN QUERY PLAN SELECT Rating FROM plain WHERE PartitionKey = 'Action' AND RowKey = 'Alien';
SELECT Rating FROM plain WHERE PartitionKey = 'Action' AND RowKey = 'Alien';
.read sent.sql
.print == without declared columns
CREATE VIRTUAL TABLE Bare USING aztables(connection=demo, table=Reading, infer=off);
SELECT PartitionKey, RowKey, _entity FROM Bare WHERE PartitionKey = 'War';
SELECT name, type, "notnull", hidden FROM pragma_table_xinfo('Bare');
.read sent.sql
