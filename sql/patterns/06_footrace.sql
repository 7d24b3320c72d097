-- Question: how do I find the runners of a race by bib number and by age, although a table has only one index?
-- Key design: PartitionKey is the race: 'event__distance'. Each runner has two rows in it. One RowKey begins with the
-- bib number, the other with the age. All properties are in both rows, so each query reads one range.
-- The original: a table of the two RowKeys, no code. The application itself had to write, change and delete both rows.
-- Its URL for one runner needed the whole RowKey: bib, name, sex and age.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use an empty store, the account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo') WHERE name COLLATE NOCASE IN ('Registrations');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':runners', 6000); -- or before: .parameter set :runners 500000

-- 1. Data: three distances per event, up to 10,000 runners of each. The bib numbers begin at 2001. bulk=on sends EGTs
-- while the statement runs. The two rows of a runner follow each other, and 100 is even: no EGT splits a pair.
CREATE VIRTUAL TABLE loader USING aztables(table=Registrations, connection=demo, create=missing, bulk=on,
  Bib INT32, Name STRING, Sex STRING, Age INT32, Club STRING);
INSERT INTO loader(PartitionKey, RowKey, Bib, Name, Sex, Age, Club)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :runners),
    runner(race, bib, name, sex, age) AS (SELECT
      (2011 + i / 30000) || ' New York City Marathon__' || substr('FullHalf10Km', 1 + i % 3 * 4, 4),
      2001 + i / 3 % 10000, substr('AnnaBillCaraDaveElsaFinn', 1 + i / 3 % 6 * 4, 4), substr('FM', 1 + i / 3 % 2, 1),
      18 + i / 3 * 37 % 70 FROM n)
  SELECT race, CASE k.value WHEN 'BIB' THEN printf('BIB:%05d__%s__%s__%d', bib, name, sex, age)
    ELSE printf('AGE:%03d__%d__%s__%s', age, bib, name, sex) END, bib, name, sex, age, 'Club ' || bib % 40
  FROM runner, json_each('["BIB", "AGE"]') AS k;
--= list tables: 1 request, 0 entities
--= create table: 1 request, 0 entities
--= EGT: 120 requests, 12,000 entities

-- 2. One statement per change. The view shows a runner once, and its triggers write both rows. atomic=strict refuses
-- a COMMIT that needs more than one EGT. The service would accept a used bib with another name, so the trigger checks.
-- Triggers may write only to a connection that this session names: hence aztables_connect.
SELECT aztables_connect('demo', 'env:AZTABLES_CONNECTION_DEMO') LIKE 'demo: %';
CREATE VIRTUAL TABLE registrations USING aztables(table=Registrations, connection=demo, parallel=1, atomic=strict,
  Bib INT32, Name STRING, Sex STRING, Age INT32, Club STRING);
CREATE TEMP VIEW runners AS SELECT PartitionKey AS race, RowKey AS bib_key, Bib, Name, Sex, Age, Club
  FROM registrations WHERE RowKey >= 'BIB:' AND RowKey < 'BIB;';
CREATE TEMP TRIGGER register INSTEAD OF INSERT ON runners BEGIN
  SELECT RAISE(ABORT, 'this bib is taken') FROM registrations WHERE PartitionKey = new.race
    AND RowKey >= printf('BIB:%05d__', new.Bib) AND RowKey < aztables_prefix_end(printf('BIB:%05d__', new.Bib));
  INSERT INTO registrations(PartitionKey, RowKey, Bib, Name, Sex, Age, Club) VALUES
    (new.race, printf('BIB:%05d__%s__%s__%d', new.Bib, new.Name, new.Sex, new.Age),
      new.Bib, new.Name, new.Sex, new.Age, new.Club),
    (new.race, printf('AGE:%03d__%d__%s__%s', new.Age, new.Bib, new.Name, new.Sex),
      new.Bib, new.Name, new.Sex, new.Age, new.Club);
END;
CREATE TEMP TRIGGER correct INSTEAD OF UPDATE OF Name, Sex, Age, Club ON runners BEGIN
  UPDATE registrations SET RowKey = printf('BIB:%05d__%s__%s__%d', Bib, new.Name, new.Sex, new.Age),
      Name = new.Name, Sex = new.Sex, Age = new.Age, Club = new.Club
    WHERE PartitionKey = old.race AND RowKey = old.bib_key;
  UPDATE registrations SET RowKey = printf('AGE:%03d__%d__%s__%s', new.Age, Bib, new.Name, new.Sex),
      Name = new.Name, Sex = new.Sex, Age = new.Age, Club = new.Club
    WHERE PartitionKey = old.race AND RowKey = printf('AGE:%03d__%d__%s__%s', old.Age, old.Bib, old.Name, old.Sex);
END;
CREATE TEMP TRIGGER withdraw INSTEAD OF DELETE ON runners BEGIN
  DELETE FROM registrations WHERE PartitionKey = old.race
    AND RowKey IN (old.bib_key, printf('AGE:%03d__%d__%s__%s', old.Age, old.Bib, old.Name, old.Sex));
END;
--| 1
--= no request

-- 3. John registers. The trigger reads the range of his bib. Then one EGT writes both rows.
INSERT INTO runners(race, Bib, Name, Sex, Age, Club)
  VALUES ('2011 New York City Marathon__Full', 1234, 'John', 'M', 55, 'Harriers');
--= row range: 1 request, 0 entities
--= EGT: 1 request, 2 entities
SELECT RowKey, Club FROM registrations WHERE PartitionKey = '2011 New York City Marathon__Full' AND Bib = 1234;
--| AGE:055__1234__John__M|Harriers
--| BIB:01234__John__M__55|Harriers
--= row range: 1 request, 2 entities

-- 4. First dominant query: the runner with a bib number. The rest of the RowKey is unknown, so it is a range. The
-- service reads one entity.
SELECT Name, Sex, Age FROM registrations
  WHERE PartitionKey = '2011 New York City Marathon__Full' AND RowKey GLOB 'BIB:01234__*';
--| John|M|55
--= row range: 1 request, 1 entity

-- 5. If the whole RowKey is known, for example from a link, the read is a point.
SELECT Club FROM registrations
  WHERE PartitionKey = '2011 New York City Marathon__Full' AND RowKey = 'BIB:01234__John__M__55';
--| Harriers
--= point: 1 request, 1 entity

-- 6. Second dominant query: the runners from 55 to 59. Zeros fill the age to three digits, so the order of the text is
-- the order of the ages. The service reads this range only. The longest bar has 20 marks.
SELECT Age, count(*), printf('%.*c', 20 * count(*) / max(count(*)) OVER (), '#') FROM registrations
  WHERE PartitionKey = '2011 New York City Marathon__Full' AND RowKey >= 'AGE:055' AND RowKey < 'AGE:060' GROUP BY Age;
--| 55|30|####################
--| 56|28|##################
--| 57|29|###################
--| 58|29|###################
--| 59|29|###################
--= row range: 1 request, 145 entities

-- 7. The first runners of 80 years or more. The rows are already in order of age, so LIMIT reads only what it shows.
SELECT Age, Bib, Name FROM registrations
  WHERE PartitionKey = '2011 New York City Marathon__Full' AND RowKey >= 'AGE:080' AND RowKey < 'AGE;'
  ORDER BY RowKey LIMIT 3;
--| 80|2067|Anna
--| 80|2137|Elsa
--| 80|2207|Cara
--= row range: 1 request, 3 entities

-- 8. John is 56. The age is in both RowKeys, so one EGT inserts two rows and deletes two. The view and the two UPDATEs
-- read a point each. The deletes carry the ETags, so no change of somebody else is lost.
UPDATE runners SET Age = 56
  WHERE race = '2011 New York City Marathon__Full' AND bib_key = 'BIB:01234__John__M__55';
--= point: 3 requests, 3 entities
--= EGT: 1 request, 4 entities
SELECT RowKey, Age, Club FROM registrations WHERE PartitionKey = '2011 New York City Marathon__Full' AND Bib = 1234;
--| AGE:056__1234__John__M|56|Harriers
--| BIB:01234__John__M__56|56|Harriers
--= row range: 1 request, 2 entities

-- 9. The bib is taken: the trigger refuses another runner. If two clients register a bib at the same moment, both see
-- it free. Step 12 finds such a pair.
INSERT INTO runners(race, Bib, Name, Sex, Age)
  VALUES ('2011 New York City Marathon__Full', 1234, 'Mary', 'F', 30);
--! Runtime error: this bib is taken (19)
--= row range: 1 request, 1 entity

-- 10. One of two rows exists, so the service refuses the EGT. The new row is not written.
INSERT INTO registrations(PartitionKey, RowKey, Bib) VALUES
  ('2011 New York City Marathon__Full', 'AGE:056__1234__Jon__M', 1234),
  ('2011 New York City Marathon__Full', 'BIB:01234__John__M__56', 1234);
--! Runtime error: writing to table Registrations (connection 'demo') failed: the entity PartitionKey='2011 New York City Marathon__Full', RowKey='BIB:01234__John__M__56' already exists; INSERT OR IGNORE keeps it, OR REPLACE overwrites it [409 EntityAlreadyExists, request id REQUEST-ID]; 0 of 1 EGTs applied: see aztables_commits (19)
--= EGT: 1 request, 0 entities
SELECT RowKey FROM registrations WHERE PartitionKey = '2011 New York City Marathon__Full' AND Bib = 1234;
--| AGE:056__1234__John__M
--| BIB:01234__John__M__56
--= row range: 1 request, 2 entities

-- 11. John changes to the half marathon. No EGT spans two partitions, so atomic=strict refuses before it writes.
UPDATE registrations SET PartitionKey = '2011 New York City Marathon__Half'
  WHERE PartitionKey = '2011 New York City Marathon__Full'
    AND RowKey IN ('BIB:01234__John__M__56', 'AGE:056__1234__John__M');
--! Runtime error: the transaction needs 2 entity group transactions, and atomic=strict allows one; nothing was sent
--= point: 2 requests, 2 entities
-- He withdraws and registers again: two EGTs, each with both rows.
DELETE FROM runners WHERE race = '2011 New York City Marathon__Full' AND bib_key = 'BIB:01234__John__M__56';
INSERT INTO runners(race, Bib, Name, Sex, Age, Club)
  VALUES ('2011 New York City Marathon__Half', 1234, 'John', 'M', 56, 'Harriers');
--= point: 3 requests, 3 entities
--= EGT: 2 requests, 4 entities
--= row range: 1 request, 0 entities

-- 12. Proof: each bib of each race has exactly one row of each kind, and both agree. One scan reads all rows.
SELECT count(*) AS runners, sum(bib_rows = 1 AND age_rows = 1 AND rows = 2) = count(*) AS both_rows_of_each
  FROM (SELECT count(*) AS rows, sum(RowKey = printf('BIB:%05d__%s__%s__%d', Bib, Name, Sex, Age)) AS bib_rows,
      sum(RowKey = printf('AGE:%03d__%d__%s__%s', Age, Bib, Name, Sex)) AS age_rows
    FROM registrations GROUP BY PartitionKey, Bib);
--| 6001|1
--= table scan: 13 requests, 12,002 entities
