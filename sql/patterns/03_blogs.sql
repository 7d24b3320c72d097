-- Question: how do I read one set of entities in two orders, for example an author's blogs by date and by category?
-- Key design: PartitionKey is the author. The entity with RowKey <date>;<title> holds the blog. The entity with RowKey
-- <category>;<title> holds it again (option 1) or holds only its date (option 2). One EGT writes both.
-- The original: 2 LINQ queries of 3 to 4 lines for option 1, no code for option 2, and no code that writes the pair.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use an empty store, the account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo') WHERE name COLLATE NOCASE IN ('BlogsTwice', 'BlogsIndexed');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':blogs', 2500); -- or before: .parameter set :blogs 250000

-- A trigger may change a remote table only if you named its connection.
SELECT aztables_connect('demo', 'env:AZTABLES_CONNECTION_DEMO') LIKE 'demo: %';

-- 1. Option 1. The view shows each blog once, from the entity that begins with its date. Every digit sorts before ':'.
CREATE VIRTUAL TABLE twice USING aztables(table=BlogsTwice, connection=demo, create=missing, parallel=1, atomic=strict,
  Published STRING, Category STRING, Title STRING, Body STRING);
CREATE TEMP VIEW blog1 AS SELECT PartitionKey AS author, RowKey AS id, Published AS published, Category AS category,
  Title AS title, Body AS body, substr(RowKey, 12) AS slug, _etag AS etag
  FROM twice WHERE RowKey < ':';
-- The key contains the title as a slug, because no key takes / \ # ?. A category must neither begin with a digit nor
-- contain the delimiter. Otherwise the ranges of two categories, or of a category and a date, could overlap.
CREATE TEMP TRIGGER insert1 INSTEAD OF INSERT ON blog1 BEGIN
  SELECT RAISE(ABORT, 'published must be YYYY-MM-DD') WHERE new.published IS NOT date(new.published);
  SELECT RAISE(ABORT, 'a category must begin with a letter and contain no ;')
    WHERE new.category < ':' OR new.category GLOB '*;*';
  INSERT INTO twice(PartitionKey, RowKey, Published, Category, Title, Body)
    SELECT new.author,
      prefix || ';' || replace(replace(replace(replace(new.title, '/', '-'), '\', '-'), '#', '-'), '?', '-'),
      new.published, new.category, new.title, new.body
    FROM (SELECT new.published AS prefix UNION ALL SELECT new.category);
END;
-- The trigger reads the entities after the view. If somebody else changed the blog in between, the ETag differs.
-- Date and title stay, because links contain them.
CREATE TEMP TRIGGER update1 INSTEAD OF UPDATE OF category, body ON blog1 BEGIN
  SELECT RAISE(ABORT, 'a category must begin with a letter and contain no ;')
    WHERE new.category < ':' OR new.category GLOB '*;*';
  UPDATE twice SET Category = new.category, Body = new.body
    WHERE PartitionKey = old.author AND RowKey = old.id AND _etag IS old.etag;
  SELECT RAISE(ABORT, 'the blog was changed meanwhile') WHERE changes() = 0;
  UPDATE twice SET Category = new.category, Body = new.body, RowKey = new.category || ';' || old.slug
    WHERE PartitionKey = old.author AND RowKey = old.category || ';' || old.slug;
  SELECT RAISE(ABORT, 'the blog was changed meanwhile') WHERE changes() = 0;
END;
CREATE TEMP TRIGGER delete1 INSTEAD OF DELETE ON blog1 BEGIN
  DELETE FROM twice WHERE PartitionKey = old.author AND RowKey = old.id AND _etag IS old.etag;
  SELECT RAISE(ABORT, 'the blog was changed meanwhile') WHERE changes() = 0;
  DELETE FROM twice WHERE PartitionKey = old.author AND RowKey = old.category || ';' || old.slug;
END;
--| 1
--= list tables: 1 request, 0 entities
--= create table: 1 request, 0 entities

-- 2. Option 2 in a second table. The index entity holds only the date. The blog's own date is in its key.
CREATE VIRTUAL TABLE indexed USING aztables(table=BlogsIndexed, connection=demo, create=missing, parallel=1,
  atomic=strict, Published STRING, Category STRING, Title STRING, Body STRING);
CREATE TEMP VIEW blog2 AS SELECT PartitionKey AS author, RowKey AS id, substr(RowKey, 1, 10) AS published,
  Category AS category, Title AS title, Body AS body, substr(RowKey, 12) AS slug, _etag AS etag
  FROM indexed WHERE RowKey < ':';
CREATE TEMP TRIGGER insert2 INSTEAD OF INSERT ON blog2 BEGIN
  SELECT RAISE(ABORT, 'published must be YYYY-MM-DD') WHERE new.published IS NOT date(new.published);
  SELECT RAISE(ABORT, 'a category must begin with a letter and contain no ;')
    WHERE new.category < ':' OR new.category GLOB '*;*';
  INSERT INTO indexed(PartitionKey, RowKey, Published, Category, Title, Body)
    SELECT new.author,
      prefix || ';' || replace(replace(replace(replace(new.title, '/', '-'), '\', '-'), '#', '-'), '?', '-'),
      published, category, title, body
    FROM (SELECT new.published AS prefix, NULL AS published, new.category AS category, new.title AS title,
        new.body AS body
      UNION ALL SELECT new.category, new.published, NULL, NULL, NULL);
END;
-- If only the body changes, one operation is enough. If the category changes, the index entity moves in the same EGT.
CREATE TEMP TRIGGER update2 INSTEAD OF UPDATE OF category, body ON blog2 BEGIN
  SELECT RAISE(ABORT, 'a category must begin with a letter and contain no ;')
    WHERE new.category < ':' OR new.category GLOB '*;*';
  UPDATE indexed SET Category = new.category, Body = new.body
    WHERE PartitionKey = old.author AND RowKey = old.id AND _etag IS old.etag;
  SELECT RAISE(ABORT, 'the blog was changed meanwhile') WHERE changes() = 0;
  UPDATE indexed SET RowKey = new.category || ';' || old.slug
    WHERE PartitionKey = old.author AND RowKey = old.category || ';' || old.slug AND new.category <> old.category;
  SELECT RAISE(ABORT, 'the blog was changed meanwhile') WHERE changes() = 0 AND new.category <> old.category;
END;
CREATE TEMP TRIGGER delete2 INSTEAD OF DELETE ON blog2 BEGIN
  DELETE FROM indexed WHERE PartitionKey = old.author AND RowKey = old.id AND _etag IS old.etag;
  SELECT RAISE(ABORT, 'the blog was changed meanwhile') WHERE changes() = 0;
  DELETE FROM indexed WHERE PartitionKey = old.author AND RowKey = old.category || ';' || old.slug;
END;
--= create table: 1 request, 0 entities

-- 3. Data, through the same views: 200 blogs per author in 400 days, in five categories, with 500 characters each.
-- The commands allow many EGTs for these statements. A pair fills two places of 100, so no EGT divides it.
CREATE TEMP VIEW sample AS
  SELECT printf('Author %05d', i / 200) AS author, date('2010-01-01', (i % 200 * 2) || ' days') AS published,
    json_extract('["Sports","Travel","Food","Music","Life"]', '$[' || (i % 5) || ']') AS category,
    printf('Blog %03d', i % 200) AS title, printf('%.*c', 500, char(97 + i % 26)) AS body
  FROM (WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n
    WHERE i + 1 < (SELECT value FROM sqlite_parameters WHERE key = ':blogs')) SELECT i FROM n);
INSERT INTO twice(_command) VALUES ('atomic=egt'), ('bulk=on');
INSERT INTO indexed(_command) VALUES ('atomic=egt'), ('bulk=on');
INSERT INTO blog1(author, published, category, title, body) SELECT * FROM sample;
INSERT INTO blog2(author, published, category, title, body) SELECT * FROM sample;
INSERT INTO twice(_command) VALUES ('reset');
INSERT INTO indexed(_command) VALUES ('reset');
--= EGT: 100 requests, 10,000 entities

-- 4. An author writes: one EGT for all five blogs of the transaction, and no read. The third title has a '?'.
INSERT INTO blog1(author, published, category, title, body) VALUES
  ('Brady', '2010-10-06', 'Sports', 'Randy has left the building…', 'He is gone.'),
  ('Brady', '2010-12-01', 'Sports', 'Snow game', 'Bring a coat.'),
  ('Brady', '2010-12-24', 'Family', 'A white Christmas?', 'We hope so.'),
  ('Brady', '2010-12-31', 'Sports', 'The season so far', 'Two games are left.'),
  ('Brady', '2011-01-02', 'Sports and law', 'Contracts', 'Read them.');
--= EGT: 1 request, 10 entities
INSERT INTO blog2(author, published, category, title, body)
  SELECT author, published, category, title, body FROM blog1 WHERE author = 'Brady';
--= row range: 1 request, 5 entities
--= EGT: 1 request, 10 entities

-- 5. By date: Brady's blogs in December 2010. The character after ';' is '<', so the upper bound includes the last day.
SELECT RowKey, Title FROM twice WHERE PartitionKey = 'Brady' AND RowKey >= '2010-12-01;' AND RowKey < '2010-12-31<';
--| 2010-12-01;Snow game|Snow game
--| 2010-12-24;A white Christmas-|A white Christmas?
--| 2010-12-31;The season so far|The season so far
--= row range: 1 request, 3 entities

-- 6. By category, option 1: the same form. Without the delimiter in the bounds, 'Sports and law' would be in the range.
SELECT RowKey, Published, Body FROM twice WHERE PartitionKey = 'Brady' AND RowKey >= 'Sports;' AND RowKey < 'Sports<';
--| Sports;Randy has left the building…|2010-10-06|He is gone.
--| Sports;Snow game|2010-12-01|Bring a coat.
--| Sports;The season so far|2010-12-31|Two games are left.
--= row range: 1 request, 3 entities

-- 7. By category, option 2: the index entities give the keys of the blogs, and each blog is a point read.
SELECT blog.RowKey, blog.Body FROM indexed AS found CROSS JOIN indexed AS blog
  ON blog.PartitionKey = found.PartitionKey
    AND blog.RowKey = found.Published || substr(found.RowKey, instr(found.RowKey, ';'))
  WHERE found.PartitionKey = 'Brady' AND found.RowKey >= 'Sports;' AND found.RowKey < 'Sports<';
--| 2010-10-06;Randy has left the building…|He is gone.
--| 2010-12-01;Snow game|Bring a coat.
--| 2010-12-31;The season so far|Two games are left.
--= row range: 1 request, 3 entities
--= point: 3 requests, 3 entities

-- 8. The join reads one point after the other. IN sends up to `parallel` at once and returns the blogs by date. LIMIT
-- then reads only what it returns: the three oldest of 40.
SELECT RowKey, Title FROM indexed WHERE PartitionKey = 'Author 00007' AND RowKey IN (
  SELECT Published || substr(RowKey, instr(RowKey, ';')) FROM indexed
  WHERE PartitionKey = 'Author 00007' AND RowKey >= 'Sports;' AND RowKey < 'Sports<') ORDER BY RowKey LIMIT 3;
--| 2010-01-01;Blog 000|Blog 000
--| 2010-01-11;Blog 005|Blog 005
--| 2010-01-21;Blog 010|Blog 010
--= row range: 1 request, 40 entities
--= point: 3 requests, 3 entities

-- 9. If dates and slugs are enough, the index entities answer alone, with one request. Option 1 answers every question
-- with one request.
SELECT count(*), min(Published), max(Published) FROM indexed
  WHERE PartitionKey = 'Author 00007' AND RowKey >= 'Sports;' AND RowKey < 'Sports<';
SELECT count(*), min(Published), max(Published), sum(length(Body)) FROM twice
  WHERE PartitionKey = 'Author 00007' AND RowKey >= 'Sports;' AND RowKey < 'Sports<';
--| 40|2010-01-01|2011-01-26
--| 40|2010-01-01|2011-01-26|20000
--= row range: 2 requests, 80 entities

-- 10. A change of category, option 1: one EGT changes the blog, deletes the old second entity and inserts the new one.
-- The UPDATE reads the blog for the view, and each statement of the trigger reads its entity with the ETag.
UPDATE blog1 SET category = 'Work' WHERE author = 'Brady' AND id = '2010-12-01;Snow game';
SELECT RowKey, Category FROM twice WHERE PartitionKey = 'Brady' AND RowKey >= ':';
--| Family;A white Christmas-|Family
--| Sports and law;Contracts|Sports and law
--| Sports;Randy has left the building…|Sports
--| Sports;The season so far|Sports
--| Work;Snow game|Work
--= point: 3 requests, 3 entities
--= EGT: 1 request, 3 entities
--= row range: 1 request, 5 entities

-- 11. The same for option 2. Only small entities move. A change of the body alone is one operation.
UPDATE blog2 SET category = 'Work' WHERE author = 'Brady' AND id = '2010-12-01;Snow game';
SELECT RowKey, Published FROM indexed WHERE PartitionKey = 'Brady' AND RowKey >= ':';
--| Family;A white Christmas-|2010-12-24
--| Sports and law;Contracts|2011-01-02
--| Sports;Randy has left the building…|2010-10-06
--| Sports;The season so far|2010-12-31
--| Work;Snow game|2010-12-01
--= point: 3 requests, 3 entities
--= EGT: 1 request, 3 entities
--= row range: 1 request, 5 entities
UPDATE blog2 SET body = 'Bring two coats.' WHERE author = 'Brady' AND id = '2010-12-01;Snow game';
--= point: 2 requests, 2 entities
--= EGT: 1 request, 1 entity

-- 12. Delete a blog: both entities, one EGT.
DELETE FROM blog1 WHERE author = 'Brady' AND id = '2010-12-24;A white Christmas-';
DELETE FROM blog2 WHERE author = 'Brady' AND id = '2010-12-24;A white Christmas-';
--= point: 6 requests, 6 entities
--= EGT: 2 requests, 4 entities

-- 13. What would break an index is refused: a delimiter in a category, and a title that its category already has. Then
-- the EGT fails as a whole, also the entity by date. If titles repeat, use <category>;<date>;<title> as the second key.
INSERT INTO blog1(author, published, category, title) VALUES ('Brady', '2011-01-05', 'Sports;2010', 'Gloves');
INSERT INTO blog1(author, published, category, title) VALUES ('Brady', '2011-01-05', 'Work', 'Snow game');
SELECT count(*) FROM twice WHERE PartitionKey = 'Brady' AND RowKey >= '2011-01-05;' AND RowKey < '2011-01-05<';
--! Runtime error: a category must begin with a letter and contain no ; (19)
--! Runtime error: writing to table BlogsTwice (connection 'demo') failed: the entity PartitionKey='Brady', RowKey='Work;Snow game' already exists; INSERT OR IGNORE keeps it, OR REPLACE overwrites it [409 EntityAlreadyExists, request id REQUEST-ID]; 0 of 1 EGTs applied: see aztables_commits (19)
--| 0
--= EGT: 1 request, 0 entities
--= row range: 1 request, 0 entities

-- 14. The price: the length of all properties in the entities by date, and in those by category. A '#' is 5%.
WITH stored(option, by_date, by_category) AS (
  SELECT 'option 1', sum(iif(RowKey < ':', length(_entity), 0)), sum(iif(RowKey < ':', 0, length(_entity))) FROM twice
  UNION ALL
  SELECT 'option 2', sum(iif(RowKey < ':', length(_entity), 0)), sum(iif(RowKey < ':', 0, length(_entity)))
  FROM indexed)
SELECT option, by_date, by_category, printf('%.*c', round(by_category * 20.0 / by_date), '#') FROM stored;
--| option 1|1435390|1435390|####################
--| option 2|1372793|65104|#
--= table scan: 12 requests, 10,016 entities

-- 15. The proof: each blog has two entities, one for each order, that agree on author, date, category and title.
SELECT count(*) AS blogs, sum(n <> 2 OR first <> 1) AS broken FROM (
  SELECT count(*) AS n, sum(RowKey < ':') AS first FROM twice
  GROUP BY PartitionKey, Published, Category, substr(RowKey, instr(RowKey, ';')));
SELECT count(*) AS blogs, sum(n <> 2 OR first <> 1) AS broken FROM (
  SELECT count(*) AS n, sum(RowKey < ':') AS first FROM indexed
  GROUP BY PartitionKey, coalesce(Published, substr(RowKey, 1, 10)),
    coalesce(Category, substr(RowKey, 1, instr(RowKey, ';') - 1)), substr(RowKey, instr(RowKey, ';')));
--| 2504|0
--| 2504|0
--= table scan: 12 requests, 10,016 entities
