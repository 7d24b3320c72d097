-- Question: each order is stored twice, by customer and by date. How do I write both, and find and mend broken pairs?
-- Key design: OrdersByCustomer has PartitionKey customer, RowKey day;number. OrdersByDate has PartitionKey day, RowKey
-- customer;number. No customer contains ';', so each side's keys follow from the other's. OrdersByCustomer is the
-- truth, OrdersByDate its copy.
-- The original: one sentence of advice (store the entity twice), 0 lines of code. The two sides cannot share an EGT, so
-- they can break apart. A loop that looks each order up in the other table needs 10,000 point requests for 5,000
-- orders.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use an empty store, the account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo')
  WHERE name COLLATE NOCASE IN ('OrdersByCustomer', 'OrdersByDate');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':orders', 5000); -- or before: .parameter set :orders 1000000
-- A pair whose last change is younger may still be on its way. The demo takes all pairs. In real use: '-10 minutes'.
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':settled', '+1 day');

CREATE VIRTUAL TABLE by_customer USING aztables(table=OrdersByCustomer, connection=demo, create=missing, parallel=1,
  Total INT64, Status STRING); -- Total is in cents
CREATE VIRTUAL TABLE by_date USING aztables(table=OrdersByDate, connection=demo, create=missing, parallel=1,
  Total INT64, Status STRING);

-- 1. Data: 100 orders per customer, at least 250 per day. With bulk=on, memory stays bounded at a million orders. The
-- second INSERT sorts by day: rows of one partition that arrive together fill an EGT of 100.
CREATE TEMP TABLE arrived AS
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :orders)
  SELECT printf('c%06d', i / 100) AS customer, printf('%08d', i) AS number, 500 + i % 9973 * 10 AS total,
    date('2026-01-01', (i % min(365, max(20, :orders / 250))) || ' days') AS day FROM n;
INSERT INTO by_customer(_command) VALUES ('bulk=on');
INSERT INTO by_date(_command) VALUES ('bulk=on');
INSERT INTO by_customer(PartitionKey, RowKey, Total, Status)
  SELECT customer, day || ';' || number, total, 'open' FROM arrived ORDER BY customer;
INSERT INTO by_date(PartitionKey, RowKey, Total, Status)
  SELECT day, customer || ';' || number, total, 'open' FROM arrived ORDER BY day;
INSERT INTO by_customer(_command) VALUES ('reset');
INSERT INTO by_date(_command) VALUES ('reset');
DROP TABLE arrived;
--= list tables: 1 request, 0 entities
--= create table: 2 requests, 0 entities
--= EGT: 110 requests, 10,000 entities

-- 2. Each question reads one range of one partition: the orders of a customer in a week, and the orders of a day.
SELECT count(*), sum(Total) FROM by_customer
  WHERE PartitionKey = 'c000007' AND RowKey >= '2026-01-05' AND RowKey < '2026-01-12';
SELECT count(*), sum(Total) FROM by_date WHERE PartitionKey = '2026-01-05';
--| 35|278950
--| 250|6360000
--= row range: 2 requests, 285 entities

-- 3. One statement writes both sides. Its triggers write the truth first, and COMMIT sends remote tables in the order
-- of their first writes. So a COMMIT that fails between the sides leaves a missing, old or superfluous copy, no other
-- damage. A trigger may write to a remote table only if this database connection names the account: hence
-- aztables_connect. Leave it out if you have connected `demo` in this way before. The UPDATE knows only customer and
-- number, so it reads the customer's partition. A condition on a key reads less.
SELECT aztables_connect('demo', 'env:AZTABLES_CONNECTION_DEMO') LIKE 'demo: %' AS named;
CREATE TEMP VIEW orders AS
  SELECT PartitionKey AS customer, substr(RowKey, 1, 10) AS day, substr(RowKey, 12) AS number, Total AS total,
    Status AS status FROM by_customer;
CREATE TEMP TRIGGER order_added INSTEAD OF INSERT ON orders BEGIN
  SELECT RAISE(ABORT, 'day must be YYYY-MM-DD, and a customer must not contain ;')
    WHERE new.day IS NOT date(new.day) OR new.customer GLOB '*;*';
  INSERT INTO by_customer(PartitionKey, RowKey, Total, Status)
    VALUES (new.customer, new.day || ';' || new.number, new.total, new.status);
  INSERT INTO by_date(PartitionKey, RowKey, Total, Status)
    VALUES (new.day, new.customer || ';' || new.number, new.total, new.status);
END;
CREATE TEMP TRIGGER order_changed INSTEAD OF UPDATE OF total, status ON orders BEGIN
  UPDATE by_customer SET Total = new.total, Status = new.status
    WHERE PartitionKey = old.customer AND RowKey = old.day || ';' || old.number;
  UPDATE by_date SET Total = new.total, Status = new.status
    WHERE PartitionKey = old.day AND RowKey = old.customer || ';' || old.number;
END;
CREATE TEMP TRIGGER order_deleted INSTEAD OF DELETE ON orders BEGIN
  DELETE FROM by_customer WHERE PartitionKey = old.customer AND RowKey = old.day || ';' || old.number;
  DELETE FROM by_date WHERE PartitionKey = old.day AND RowKey = old.customer || ';' || old.number;
END;
INSERT INTO orders VALUES ('c000007', '2026-02-01', 'N1', 1250, 'open');
UPDATE orders SET status = 'sent' WHERE customer = 'c000007' AND number = 'N1';
SELECT PartitionKey, RowKey, Total, Status FROM by_customer WHERE PartitionKey = 'c000007' AND RowKey = '2026-02-01;N1'
  UNION ALL
  SELECT PartitionKey, RowKey, Total, Status FROM by_date WHERE PartitionKey = '2026-02-01' AND RowKey = 'c000007;N1';
--| 1
--| c000007|2026-02-01;N1|1250|sent
--| 2026-02-01|c000007;N1|1250|sent
--= EGT: 4 requests, 4 entities
--= row range: 1 request, 101 entities
--= point: 4 requests, 4 entities

-- A ';' in a customer is refused. The check of step 6 would divide its key at that place and report a healthy copy.
INSERT INTO orders VALUES ('semi;colon', '2026-02-01', 'N1', 1250, 'open');
--! Runtime error: day must be YYYY-MM-DD, and a customer must not contain ; (19)
--= no request

-- 4. A COMMIT fails between the sides. Another program left a copy of order N2 in OrdersByDate. The first EGT is
-- applied, the second is refused. aztables_commits names both. Now the sides of N2 differ. The truth has N2, so step 7
-- completes it.
INSERT INTO by_date(PartitionKey, RowKey, Total, Status) VALUES ('2026-02-01', 'c000007;N2', 1, 'test');
INSERT INTO orders VALUES ('c000007', '2026-02-01', 'N2', 4000, 'open');
--! Runtime error: writing to table OrdersByDate (connection 'demo') failed: the entity PartitionKey='2026-02-01', RowKey='c000007;N2' already exists; INSERT OR IGNORE keeps it, OR REPLACE overwrites it [409 EntityAlreadyExists, request id REQUEST-ID]; 1 of 2 EGTs applied: see aztables_commits (19)
--= EGT: 3 requests, 2 entities
SELECT table_name, partition_key, outcome, code FROM aztables_commits
  WHERE commit_id = (SELECT max(commit_id) FROM aztables_commits);
--| OrdersByCustomer|c000007|applied|
--| OrdersByDate|2026-02-01|failed|EntityAlreadyExists
--= no request

-- 5. More broken pairs. These statements leave what a COMMIT leaves that ends after its first EGT. Two orders have no
-- copy. A copy has no order, as after a DELETE. An UPDATE reached one side.
DELETE FROM by_date WHERE PartitionKey = '2026-01-03' AND RowKey = 'c000000;00000002';
DELETE FROM by_date WHERE PartitionKey = '2026-01-04' AND RowKey = 'c000000;00000003';
DELETE FROM by_customer WHERE PartitionKey = 'c000000' AND RowKey = '2026-01-05;00000004';
UPDATE by_customer SET Status = 'sent' WHERE PartitionKey = 'c000000' AND RowKey = '2026-01-01;00000000';
--= point: 4 requests, 4 entities
--= EGT: 4 requests, 4 entities

-- 6. Find them. The statement reads each table once, in pages of 1,000, and groups equal sides. A side without an equal
-- twin is a problem. It compares `_entity`: all properties with their types, also those that no column shows. It reads
-- the copies first. So an order that arrives during the check never looks like a superfluous copy.
CREATE TEMP VIEW sides AS
  SELECT 'date' AS side, substr(RowKey, 1, instr(RowKey, ';') - 1) AS customer, PartitionKey AS day,
    substr(RowKey, instr(RowKey, ';') + 1) AS number, Timestamp AS changed, _entity AS entity FROM by_date
  UNION ALL
  SELECT 'customer', PartitionKey, substr(RowKey, 1, 10), substr(RowKey, 12), Timestamp, _entity FROM by_customer;
CREATE TEMP VIEW problems AS
  WITH alone AS (SELECT max(side) AS side, customer, day, number, max(changed) AS changed, entity FROM sides
      GROUP BY customer, day, number, entity HAVING count(*) = 1)
  SELECT customer, day, number, max(changed) AS changed, max(entity) FILTER (WHERE side = 'customer') AS truth,
    CASE WHEN count(*) = 2 THEN 'differs' WHEN max(side) = 'customer' THEN 'no copy' ELSE 'no order' END AS problem
  FROM alone GROUP BY customer, day, number;
CREATE TEMP TABLE broken AS
  SELECT * FROM problems WHERE changed < aztables_datetime('now', :settled);
SELECT problem, customer, day, number, truth FROM broken ORDER BY problem, customer, day, number;
--| differs|c000000|2026-01-01|00000000|{"Status":"sent","Total@odata.type":"Edm.Int64","Total":"500"}
--| differs|c000007|2026-02-01|N2|{"Status":"open","Total@odata.type":"Edm.Int64","Total":"4000"}
--| no copy|c000000|2026-01-03|00000002|{"Status":"open","Total@odata.type":"Edm.Int64","Total":"520"}
--| no copy|c000000|2026-01-04|00000003|{"Status":"open","Total@odata.type":"Edm.Int64","Total":"530"}
--| no order|c000000|2026-01-05|00000004|
--= table scan: 11 requests, 10,001 entities

-- 7. Mend them. The truth is written over its copy, and a copy without truth is deleted. The first statement reads
-- nothing. The second reads one point per superfluous copy. If this COMMIT fails, run steps 6 and 7 again.
BEGIN;
INSERT OR REPLACE INTO by_date(PartitionKey, RowKey, _entity)
  SELECT day, customer || ';' || number, truth FROM broken WHERE truth IS NOT NULL ORDER BY day;
DELETE FROM by_date WHERE (PartitionKey, RowKey) IN
  (SELECT * FROM (SELECT day, customer || ';' || number FROM broken WHERE truth IS NULL));
SELECT table_name, partition_key, inserts, deletes FROM aztables_pending;
COMMIT;
--| OrdersByDate|2026-01-01|1|0
--| OrdersByDate|2026-01-03|1|0
--| OrdersByDate|2026-01-04|1|0
--| OrdersByDate|2026-02-01|1|0
--| OrdersByDate|2026-01-05|0|1
--= point: 1 request, 1 entity
--= EGT: 5 requests, 5 entities

-- 8. The proof: no problem is left, and both tables show the same orders and totals.
SELECT count(*) = 0 AS mended FROM problems;
SELECT (SELECT count(*) || ', ' || sum(Total) FROM by_customer) =
  (SELECT count(*) || ', ' || sum(Total) FROM by_date) AS same;
--| 1
--| 1
--= table scan: 24 requests, 20,004 entities
