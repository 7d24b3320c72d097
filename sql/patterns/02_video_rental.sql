-- Question: how do I keep a count next to the things that it counts, so that it is never wrong?
-- Key design: PartitionKey is the member. RowKey is 'Member' or 'Rental_<movie>'. So one EGT can change both.
-- The original: the design without code, a query or a figure. A relational database needs two tables and a stored
-- procedure. In C#, a change needs a query, tracked entities, SaveChangesOptions.Batch and a retry after a lost race.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use an empty store, the account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo') WHERE name COLLATE NOCASE IN ('Rentals');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':members', 2000); -- or before: .parameter set :members 80000

-- A trigger may change a remote table only if you named its connection.
SELECT aztables_connect('demo', 'env:AZTABLES_CONNECTION_DEMO') LIKE 'demo: %';
-- Both types of entity are in one table. A member has Name, MayRent and Rented, a rental has RentedAt.
-- With atomic=strict, a COMMIT that needs more than one EGT fails before it sends anything.
CREATE VIRTUAL TABLE rentals USING aztables(table=Rentals, connection=demo, create=missing, parallel=1, atomic=strict,
  Name STRING, MayRent INT32, Rented INT32, RentedAt DATETIME);

-- The view shows the rentals. '`' is the character after '_', so the range holds every key with the prefix 'Rental_'.
CREATE TEMP VIEW rental AS SELECT PartitionKey AS member, substr(RowKey, 8) AS movie, RentedAt AS at
  FROM rentals WHERE RowKey >= 'Rental_' AND RowKey < 'Rental`';
-- To rent is to insert. The UPDATE finds no row if the member does not exist, or if the limit is reached.
CREATE TEMP TRIGGER rent INSTEAD OF INSERT ON rental BEGIN
  UPDATE rentals SET Rented = Rented + 1 WHERE PartitionKey = new.member AND RowKey = 'Member' AND Rented < MayRent;
  SELECT RAISE(ABORT, 'there is no such member, or the limit is reached') WHERE changes() = 0;
  INSERT INTO rentals(PartitionKey, RowKey, RentedAt)
    VALUES (new.member, 'Rental_' || new.movie, coalesce(new.at, aztables_datetime('now')));
END;
-- To return is to delete. If somebody else returned the movie meanwhile, the DELETE finds no row, and the count stays.
CREATE TEMP TRIGGER give_back INSTEAD OF DELETE ON rental BEGIN
  DELETE FROM rentals WHERE PartitionKey = old.member AND RowKey = 'Rental_' || old.movie;
  SELECT RAISE(IGNORE) WHERE changes() = 0;
  UPDATE rentals SET Rented = Rented - 1 WHERE PartitionKey = old.member AND RowKey = 'Member';
END;
--| 1
--= list tables: 1 request, 0 entities
--= create table: 1 request, 0 entities

-- 1. Data: members with none to three rentals. Each member is a partition, so each needs an EGT.
-- The commands allow many EGTs for this transaction, eight at a time.
INSERT INTO rentals(_command) VALUES ('atomic=egt'), ('bulk=on'), ('parallel=8');
BEGIN;
INSERT INTO rentals(PartitionKey, RowKey, Name, MayRent, Rented, RentedAt)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :members)
  SELECT printf('M%07d', i), e.value, iif(e.key = 0, 'Member ' || i, NULL), iif(e.key = 0, 3, NULL),
    iif(e.key = 0, i % 4, NULL), iif(e.key = 0, NULL, aztables_datetime('2026-11-01', (i % 20) || ' days'))
  FROM n JOIN json_each('["Member","Rental_Alien","Rental_Ran","Rental_Sphere"]') AS e ON e.key <= i % 4;
COMMIT;
INSERT INTO rentals(_command) VALUES ('reset');
--= EGT: 2,000 requests, 5,000 entities

-- 2. Rent a movie: one point read for the member's count and ETag, then one EGT of two operations.
-- Without a time, the trigger takes the present one. A movie's name here is its RowKey in 01_movies.
INSERT INTO rental(member, movie) VALUES ('M0000004', 'Alien');
--= point: 1 request, 1 entity
--= EGT: 1 request, 2 entities

-- 3. Rent two movies at once. The count changes twice, and both changes become one operation of the EGT.
INSERT INTO rental(member, movie, at) VALUES
  ('M0000004', 'Ran', '2026-11-20'), ('M0000004', 'Terminator', '2026-11-20');
--= point: 2 requests, 2 entities
--= EGT: 1 request, 3 entities

-- 4. A member and his rentals are one partition: one request shows all.
SELECT RowKey, Name, Rented FROM rentals WHERE PartitionKey = 'M0000004';
SELECT movie FROM rental WHERE member = 'M0000004' AND at = '2026-11-20T00:00:00.0000000Z';
--| Member|Member 4|3
--| Rental_Alien||
--| Rental_Ran||
--| Rental_Terminator||
--| Ran
--| Terminator
--= row range: 2 requests, 6 entities

-- 5. Return a movie. The DELETE reads the rentals of the member, then the trigger reads both entities and their ETags.
DELETE FROM rental WHERE member = 'M0000004' AND movie = 'Alien';
SELECT Rented FROM rentals WHERE PartitionKey = 'M0000004' AND RowKey = 'Member';
--| 2
--= row range: 1 request, 3 entities
--= point: 3 requests, 3 entities
--= EGT: 1 request, 2 entities

-- 6. What must not happen is refused: a fourth movie, an unknown member, the same movie again. Nothing is applied.
-- The third error comes from the service. It applies no operation of that EGT, so the count stays.
INSERT INTO rental(member, movie) VALUES ('M0000003', 'Terminator');
INSERT INTO rental(member, movie) VALUES ('Nobody', 'Terminator');
INSERT INTO rental(member, movie) VALUES ('M0000004', 'Ran');
SELECT PartitionKey, Rented FROM rentals WHERE PartitionKey IN ('M0000003', 'M0000004') AND RowKey = 'Member';
--! Runtime error: there is no such member, or the limit is reached (19)
--! Runtime error: there is no such member, or the limit is reached (19)
--! Runtime error: writing to table Rentals (connection 'demo') failed: the entity PartitionKey='M0000004', RowKey='Rental_Ran' already exists; INSERT OR IGNORE keeps it, OR REPLACE overwrites it [409 EntityAlreadyExists, request id REQUEST-ID]; 0 of 1 EGTs applied: see aztables_commits (19)
--| M0000003|3
--| M0000004|2
--= point: 5 requests, 4 entities
--= EGT: 1 request, 0 entities

-- 7. A return of a movie that the member does not have changes nothing and sends no EGT. A program sees this in
-- total_changes(): changes() does not count rows that INSTEAD OF triggers change.
DELETE FROM rental WHERE member = 'M0000004' AND movie = 'Alien';
--= row range: 1 request, 2 entities

-- 8. Rentals of two members need two EGTs, so they are not atomic. atomic=strict refuses the COMMIT.
BEGIN;
INSERT INTO rental(member, movie) VALUES ('M0000000', 'Ran'), ('M0000001', 'Ran');
COMMIT;
--! Runtime error: the transaction needs 2 entity group transactions, and atomic=strict allows one; nothing was sent
--= point: 2 requests, 2 entities

-- 9. Two clerks rent to one member. The second clerk is another database connection and commits first. The first clerk
-- has read the count with its old ETag, so this COMMIT fails and the count stays right.
BEGIN;
INSERT INTO rental(member, movie) VALUES ('M0000004', 'Alien');
.connection 1
.load ./aztables
CREATE VIRTUAL TABLE rentals USING aztables(table=Rentals, connection=demo, Rented INT32);
BEGIN;
INSERT INTO rentals(PartitionKey, RowKey) VALUES ('M0000004', 'Rental_Rear Window');
UPDATE rentals SET Rented = Rented + 1 WHERE PartitionKey = 'M0000004' AND RowKey = 'Member';
COMMIT;
.connection 0
COMMIT;
--! Runtime error: writing to table Rentals (connection 'demo') failed: the entity PartitionKey='M0000004', RowKey='Member' was changed since it was read; read it again [412 UpdateConditionNotSatisfied, request id REQUEST-ID]; 0 of 1 EGTs applied: see aztables_commits (19)
--= point: 1 request, 1 entity
--= EGT: 1 request, 0 entities

-- 10. On SQLITE_CONSTRAINT, a program runs the transaction again. The trigger now reads the count 3: the limit holds.
-- After a return, the same rental succeeds.
INSERT INTO rental(member, movie) VALUES ('M0000004', 'Alien');
DELETE FROM rental WHERE member = 'M0000004' AND movie = 'Terminator';
INSERT INTO rental(member, movie) VALUES ('M0000004', 'Alien');
SELECT RowKey, Rented FROM rentals WHERE PartitionKey = 'M0000004';
--! Runtime error: there is no such member, or the limit is reached (19)
--| Member|3
--| Rental_Alien|
--| Rental_Ran|
--| Rental_Rear Window|
--= point: 4 requests, 4 entities
--= row range: 2 requests, 7 entities
--= EGT: 2 requests, 4 entities

-- 11. The price: who has a movie? The keys begin with the member, so the service reads the whole table. RowKey is sent
-- and returns one entity. The view's column is an expression, so all rentals are returned and SQLite chooses.
-- If you ask this often, keep a second table by movie: see 11_orders.
SELECT PartitionKey FROM rentals WHERE RowKey = 'Rental_Rear Window';
--| M0000004
--= table scan: 1 request, 1 entity
SELECT member FROM rental WHERE movie = 'Rear Window';
--| M0000004
--= table scan: 4 requests, 3,003 entities

-- 12. The proof: each member's count equals the number of the rentals. The entities arrive in the order of the groups,
-- so one scan is enough, and SQLite sorts nothing.
SELECT count(*) AS members, sum(counted IS NOT rentals) AS wrong FROM (
  SELECT max(Rented) AS counted, sum(RowKey <> 'Member') AS rentals FROM rentals GROUP BY PartitionKey);
--| 2000|0
--= table scan: 6 requests, 5,003 entities
