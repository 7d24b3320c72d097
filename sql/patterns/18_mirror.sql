-- Question: how do I search the texts of a table, with ranks and phrases, and pay for no scan per search?
-- Key design: a native table in the user's SQLite file mirrors the remote table, with a full-text index (FTS5) over it.
-- A refresh reads only changes. Deletions come from a comparison of keys.
-- The original: the five documents describe no search of words. Table Storage has no index but the keys. So a search of
-- a word reads the whole table, or needs a second service with its own copy and its own price.
--
-- It needs a connection `demo`. In real use, open a file instead of `:memory:`. sql/README.md describes how to run it.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use an empty store, the account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo') WHERE name COLLATE NOCASE IN ('Articles');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':articles', 10000); -- or before: .parameter set :articles 1000000
-- The safety overlap of a refresh. These services have one clock. For Azure, whose servers have many: '-5 minutes'.
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':overlap', '-0 seconds');

-- 1. Data: articles with a title and a text. Each word is in every n-th article, so the counts are known.
CREATE VIRTUAL TABLE articles USING aztables(table=Articles, connection=demo, create=missing, parallel=1, bulk=on,
  Title STRING, Body STRING, Stars INT32);
INSERT INTO articles(PartitionKey, RowKey, Title, Body, Stars)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :articles)
  SELECT printf('%04d', 2000 + i * 20 / :articles), printf('%07d', i),
    'Article ' || i || iif(i % 500 = 0, ' on Kraków', ''),
    'A text about storage' || iif(i % 7 = 0, ' and partitions', '') || iif(i % 100 = 0, ', with a full table scan', '')
    || iif(i % 1000 = 0, ' of a distributed table', '') || '.', i % 6 FROM n;
--= list tables: 1 request, 0 entities
--= create table: 1 request, 0 entities
--= EGT: 100 requests, 10,000 entities

-- 2. The mirror: a native table with the keys, the properties that the program uses, and the number that FTS5 needs.
-- The index stores no copy of the texts (content=). Triggers keep it in step, whoever changes the mirror. `unicode61`
-- ignores case and accents.
CREATE TABLE mirror(id INTEGER PRIMARY KEY, PartitionKey TEXT NOT NULL, RowKey TEXT NOT NULL, Title, Body, Stars,
  UNIQUE(PartitionKey, RowKey));
CREATE TABLE refreshed(since TEXT);
CREATE VIRTUAL TABLE words USING fts5(Title, Body, content=mirror, content_rowid=id,
  tokenize='unicode61 remove_diacritics 2');
CREATE TRIGGER mirror_insert AFTER INSERT ON mirror BEGIN
  INSERT INTO words(rowid, Title, Body) VALUES (new.id, new.Title, new.Body);
END;
CREATE TRIGGER mirror_delete AFTER DELETE ON mirror BEGIN
  INSERT INTO words(words, rowid, Title, Body) VALUES ('delete', old.id, old.Title, old.Body);
END;
CREATE TRIGGER mirror_update AFTER UPDATE ON mirror BEGIN
  INSERT INTO words(words, rowid, Title, Body) VALUES ('delete', old.id, old.Title, old.Body);
  INSERT INTO words(rowid, Title, Body) VALUES (new.id, new.Title, new.Body);
END;
CREATE VIRTUAL TABLE clock USING aztables(table=SyncClock, connection=demo, create=missing, infer=off);
--= create table: 1 request, 0 entities

-- 3. A refresh in one transaction: take the time, copy changes, delete what is gone, store the time. The marker in
-- `clock` gets its Timestamp from the service, before the first read. The first refresh has no time, so it reads all
-- entities. The mirror is native, so UPSERT works. In a script, write
-- `.bail on`: a failed copy must not store a new time.
INSERT OR REPLACE INTO clock(PartitionKey, RowKey) VALUES ('Articles', 'mirror');
BEGIN;
INSERT INTO mirror(PartitionKey, RowKey, Title, Body, Stars)
  SELECT PartitionKey, RowKey, Title, Body, Stars FROM articles
  WHERE Timestamp >= (SELECT aztables_datetime(coalesce(max(since), '2000-01-01'), :overlap) FROM refreshed)
  ON CONFLICT (PartitionKey, RowKey) DO UPDATE SET Title = excluded.Title, Body = excluded.Body, Stars = excluded.Stars;
DELETE FROM mirror WHERE (PartitionKey, RowKey) IN (SELECT PartitionKey, RowKey FROM
  (SELECT PartitionKey, RowKey FROM mirror EXCEPT SELECT PartitionKey, RowKey FROM articles ORDER BY 1, 2));
INSERT INTO refreshed SELECT Timestamp FROM clock WHERE PartitionKey = 'Articles' AND RowKey = 'mirror';
COMMIT;
--= EGT: 1 request, 1 entity
--= table scan: 20 requests, 20,000 entities
--= point: 1 request, 1 entity

-- 4. Searches. None sends a request. A phrase, ranked by bm25 with the title ten times as important as the text:
SELECT RowKey, mirror.Title, snippet(words, 1, '[', ']', '...', 6) FROM words JOIN mirror ON id = words.rowid
  WHERE words MATCH '"full table scan"' AND Stars >= 4 ORDER BY bm25(words, 10.0, 1.0), id LIMIT 3;
-- A word of the title without its accent, and a prefix with a second word near it:
SELECT count(*) FROM words WHERE words MATCH 'title: krakow';
SELECT count(*) FROM words WHERE words MATCH 'NEAR(distrib* table, 2) NOT partitions';
--| 0000100|Article 100|...storage, with a [full table scan].
--| 0000400|Article 400|...storage, with a [full table scan].
--| 0001300|Article 1300|...storage, with a [full table scan].
--| 20
--| 8
--= no request
-- Without the mirror, LIKE reads the whole table and has no rank.
SELECT count(*) FROM articles WHERE Body LIKE '%full table scan%';
--| 100
--= table scan: 10 requests, 10,000 entities

-- 5. Other programs change the remote table. Then the statements of step 3 run again. One request finds the changes:
-- the service reads the table, but returns only them. The keys cost a request per 1,000 entities. If entities are never
-- deleted, leave the DELETE out.
UPDATE articles SET Title = 'Article 500 on Gdańsk' WHERE RowKey = '0000500';
INSERT INTO articles(PartitionKey, RowKey, Title, Body, Stars) VALUES ('2030', '1', 'Gdańsk again', 'A new text.', 5);
DELETE FROM articles WHERE PartitionKey = '2019';
--= table scan: 1 request, 1 entity
--= EGT: 7 requests, 502 entities
--= row range: 1 request, 500 entities
INSERT OR REPLACE INTO clock(PartitionKey, RowKey) VALUES ('Articles', 'mirror');
BEGIN;
INSERT INTO mirror(PartitionKey, RowKey, Title, Body, Stars)
  SELECT PartitionKey, RowKey, Title, Body, Stars FROM articles
  WHERE Timestamp >= (SELECT aztables_datetime(coalesce(max(since), '2000-01-01'), :overlap) FROM refreshed)
  ON CONFLICT (PartitionKey, RowKey) DO UPDATE SET Title = excluded.Title, Body = excluded.Body, Stars = excluded.Stars;
SELECT changes() AS copied;
DELETE FROM mirror WHERE (PartitionKey, RowKey) IN (SELECT PartitionKey, RowKey FROM
  (SELECT PartitionKey, RowKey FROM mirror EXCEPT SELECT PartitionKey, RowKey FROM articles ORDER BY 1, 2));
SELECT changes() AS deleted;
INSERT INTO refreshed SELECT Timestamp FROM clock WHERE PartitionKey = 'Articles' AND RowKey = 'mirror';
COMMIT;
--| 2
--| 500
--= EGT: 1 request, 1 entity
--= table scan: 11 requests, 9,503 entities
--= point: 1 request, 1 entity
SELECT RowKey, highlight(words, 0, '[', ']') FROM words JOIN mirror ON id = words.rowid
  WHERE words MATCH 'gdansk' ORDER BY RowKey;
SELECT count(*) FROM words WHERE words MATCH 'title: krakow';
--| 0000500|Article 500 on [Gdańsk]
--| 1|[Gdańsk] again
--| 18
--= no request

-- 6. The proof. Mirror and table have the same rows, and FTS5 checks its index against the mirror.
SELECT (SELECT count(*) FROM mirror) = count(*) AND (SELECT count(*) FROM articles) = count(*) AS equal FROM
  (SELECT PartitionKey, RowKey, Title, Body, Stars FROM mirror
   UNION SELECT PartitionKey, RowKey, Title, Body, Stars FROM articles ORDER BY 1, 2);
INSERT INTO words(words, rank) VALUES ('integrity-check', 1);
--| 1
--= table scan: 20 requests, 19,002 entities
