-- Question: how do I book cash transactions so that debit and credit are both there, or neither?
-- Key design: PartitionKey is the id of the transaction, RowKey is 'debit' or 'credit'. Both sides are one EGT. The
-- account is a property: the two sides have different accounts, and no EGT spans two partitions.
-- The original: one paragraph, which gives this PartitionKey. It has no RowKey and no code. The sum of zero, the replay
-- and the balances were left to the application.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use an empty store, the account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo') WHERE name COLLATE NOCASE IN ('Cash');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':transfers', 2000); -- or before: .parameter set :transfers 500000

-- 1. Data: transfers between 50 accounts. Amounts are whole cents (INT64), because sums of cents are exact. The ids are
-- spread over the key space, so no server gets all inserts. In real use the client makes an id with
-- lower(hex(randomblob(16))), and keeps it for repeated attempts. Each id is a partition, so each transfer is an EGT.
-- The default parallel=8 sends eight at once, and bulk=on limits the memory.
CREATE VIRTUAL TABLE loader USING aztables(table=Cash, connection=demo, create=missing, bulk=on,
  Account STRING, Amount INT64, Booked DATETIME);
INSERT INTO loader(PartitionKey, RowKey, Account, Amount, Booked)
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :transfers),
    t(number, debit, credit, cents, booked) AS (SELECT printf('t-%08x', i * 2654435761 % 4294967296),
      printf('A%04d', i % 50), printf('A%04d', (i % 50 + 1 + i / 50 % 49) % 50), 100 + i * 7919 % 90000,
      aztables_datetime('2026-11-01', (i % 25000 * 60) || ' seconds') FROM n)
  SELECT number, side.value, iif(side.value = 'debit', debit, credit), iif(side.value = 'debit', cents, -cents), booked
  FROM t, json_each('["debit", "credit"]') AS side;
--= list tables: 1 request, 0 entities
--= create table: 1 request, 0 entities
--= EGT: 2,000 requests, 4,000 entities

-- 2. A transfer has one amount. The trigger makes both sides from it, so their sum is zero. One statement buffers both
-- sides or neither. atomic=strict refuses a COMMIT that needs more than one EGT. Triggers may write only to a
-- connection that this session names: hence aztables_connect.
SELECT aztables_connect('demo', 'env:AZTABLES_CONNECTION_DEMO') LIKE 'demo: %';
CREATE VIRTUAL TABLE cash USING aztables(table=Cash, connection=demo, parallel=1, atomic=strict,
  Account STRING, Amount INT64, Booked DATETIME);
CREATE TEMP VIEW transfers AS SELECT PartitionKey AS id, max(iif(RowKey = 'debit', Account, NULL)) AS debit,
    max(iif(RowKey = 'credit', Account, NULL)) AS credit, max(Amount) AS cents, Booked AS booked
  FROM cash GROUP BY PartitionKey;
CREATE TEMP TRIGGER book INSTEAD OF INSERT ON transfers BEGIN
  SELECT RAISE(ABORT, 'cents must be a positive whole number') WHERE typeof(new.cents) <> 'integer' OR new.cents <= 0;
  SELECT RAISE(ABORT, 'debit and credit must be two accounts') WHERE (new.debit <> new.credit) IS NOT TRUE;
  INSERT INTO cash(PartitionKey, RowKey, Account, Amount, Booked) VALUES
    (new.id, 'debit', new.debit, new.cents, new.booked), (new.id, 'credit', new.credit, -new.cents, new.booked);
END;
--| 1
--= no request

-- 3. A transfer of 250.00 from A0008 to A0007: one EGT with two entities. The view reads both sides in one range.
INSERT INTO transfers(id, debit, credit, cents, booked)
  VALUES ('rent-2026-11', 'A0007', 'A0008', 25000, '2026-11-20T09:00Z');
--= EGT: 1 request, 2 entities
SELECT RowKey, Account, Amount FROM cash WHERE PartitionKey = 'rent-2026-11';
SELECT debit, credit, cents FROM transfers WHERE id = 'rent-2026-11';
--| credit|A0008|-25000
--| debit|A0007|25000
--| A0007|A0008|25000
--= row range: 2 requests, 4 entities

-- 4. The replay: a client got no response and sends the same id again. The keys exist, so the service refuses the EGT.
-- Nothing is booked twice. This also holds for a used id with other accounts. The client reads the transfer instead.
INSERT INTO transfers(id, debit, credit, cents, booked)
  VALUES ('rent-2026-11', 'A0007', 'A0008', 25000, '2026-11-20T09:01Z');
--! Runtime error: writing to table Cash (connection 'demo') failed: the entity PartitionKey='rent-2026-11', RowKey='debit' already exists; INSERT OR IGNORE keeps it, OR REPLACE overwrites it [409 EntityAlreadyExists, request id REQUEST-ID]; 0 of 1 EGTs applied: see aztables_commits (19)
--= EGT: 1 request, 0 entities
INSERT INTO transfers(id, debit, credit, cents, booked)
  VALUES ('rent-2026-11', 'A0001', 'A0002', 100, '2026-11-20T09:02Z');
--! Runtime error: writing to table Cash (connection 'demo') failed: the entity PartitionKey='rent-2026-11', RowKey='debit' already exists; INSERT OR IGNORE keeps it, OR REPLACE overwrites it [409 EntityAlreadyExists, request id REQUEST-ID]; 0 of 1 EGTs applied: see aztables_commits (19)
--= EGT: 1 request, 0 entities
SELECT count(*) AS sides, sum(Amount), max(Booked) FROM cash WHERE PartitionKey = 'rent-2026-11';
--| 2|0|2026-11-20T09:00:00.0000000Z
--= row range: 1 request, 2 entities

-- 5. One invalid side makes both fail. Here the service finds it: the debit is new, the credit exists.
INSERT INTO cash(PartitionKey, RowKey, Account, Amount) VALUES
  ('rent-2026-11', 'debit-2', 'A0009', 100), ('rent-2026-11', 'credit', 'A0008', -100);
--! Runtime error: writing to table Cash (connection 'demo') failed: the entity PartitionKey='rent-2026-11', RowKey='credit' already exists; INSERT OR IGNORE keeps it, OR REPLACE overwrites it [409 EntityAlreadyExists, request id REQUEST-ID]; 0 of 1 EGTs applied: see aztables_commits (19)
--= EGT: 1 request, 0 entities
SELECT RowKey FROM cash WHERE PartitionKey = 'rent-2026-11';
--| credit
--| debit
--= row range: 1 request, 2 entities

-- 6. Here the column finds it: '-3,00' is no INT64. The statement fails as a whole, and nothing is sent. Write both
-- sides with one statement. With two statements in BEGIN, COMMIT would send the first side after the second failed.
INSERT INTO cash(PartitionKey, RowKey, Account, Amount) VALUES
  ('fee-2026-11', 'debit', 'A0007', 300), ('fee-2026-11', 'credit', 'A0008', '-3,00');
--! Runtime error: table cash: column Amount: '-3,00' (TEXT) is not a valid Edm.Int64; the entity is PartitionKey='fee-2026-11', RowKey='credit' (20)
--= no request
SELECT count(*) FROM cash WHERE PartitionKey = 'fee-2026-11';
--| 0
--= row range: 1 request, 0 entities

-- 7. The trigger refuses an amount that is not a positive whole number, and a transfer within one account.
INSERT INTO transfers(id, debit, credit, cents) VALUES ('fee-2026-11', 'A0007', 'A0008', 2.5);
INSERT INTO transfers(id, debit, credit, cents) VALUES ('fee-2026-11', 'A0007', 'A0007', 300);
--! Runtime error: cents must be a positive whole number (19)
--! Runtime error: debit and credit must be two accounts (19)
--= no request

-- 8. Two transfers in one transaction need two EGTs. One could succeed alone, so atomic=strict refuses them.
BEGIN;
INSERT INTO transfers(id, debit, credit, cents) VALUES ('salary-1', 'A0001', 'A0000', 100);
INSERT INTO transfers(id, debit, credit, cents) VALUES ('salary-2', 'A0002', 'A0000', 100);
COMMIT;
--! Runtime error: the transaction needs 2 entity group transactions, and atomic=strict allows one; nothing was sent
--= no request

-- 9. The check of every transaction in one scan. The rows are in key order, so GROUP BY needs no sort. A transaction
-- is correct if it has a debit and a credit and its sum is zero.
SELECT count(*) AS transactions, sum(sides = 'debit,credit' OR sides = 'credit,debit') AS complete,
    sum(total = 0) AS with_sum_zero, sum(total) AS sum_of_all
  FROM (SELECT group_concat(RowKey) AS sides, sum(Amount) AS total FROM cash GROUP BY PartitionKey);
--| 2001|2001|2001|0
--= table scan: 5 requests, 4,002 entities

-- 10. Does the check find an error? Another program writes one side alone. The check shows it. Then it is removed.
INSERT INTO loader(PartitionKey, RowKey, Account, Amount) VALUES ('broken', 'debit', 'A0003', 700);
SELECT PartitionKey, count(*) AS sides, sum(Amount) AS total FROM cash GROUP BY PartitionKey
  HAVING count(*) <> 2 OR sum(Amount) <> 0;
DELETE FROM cash WHERE PartitionKey = 'broken';
--| broken|1|700
--= EGT: 2 requests, 2 entities
--= table scan: 5 requests, 4,003 entities
--= row range: 1 request, 1 entity

-- 11. The balance of every account: one scan. The window sums the balances, and the last value is zero again. Shown are
-- the three accounts with the highest balance and the last one.
SELECT * FROM (
  SELECT Account, count(*) AS sides, printf('%+.2f', sum(Amount) / 100.0) AS balance,
    row_number() OVER w AS position, printf('%+.2f', sum(sum(Amount)) OVER w / 100.0) AS balance_so_far
  FROM cash GROUP BY Account WINDOW w AS (ORDER BY sum(Amount) DESC, Account))
WHERE position <= 3 OR position = 50;
--| A0025|80|+3743.30|1|+3743.30
--| A0002|80|+3574.80|2|+7318.10
--| A0009|80|+3391.30|3|+10709.40
--| A0023|80|-4175.70|50|+0.00
--= table scan: 5 requests, 4,002 entities

-- 12. The statement of one account. Account is no key: the service reads the whole table and returns the matches. If
-- this query is frequent, copy the sides to a table with the account as PartitionKey, and compare the sums.
SELECT PartitionKey, RowKey, Amount FROM cash WHERE Account = 'A0007' AND Booked >= '2026-11-20';
--| rent-2026-11|debit|25000
--= table scan: 1 request, 1 entity
