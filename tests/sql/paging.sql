-- Pages: how many requests a query sends, and when.
SELECT aztables_create_table('demo.Paging');
CREATE VIRTUAL TABLE t USING aztables(table=Paging, connection=demo, N INT32);
INSERT INTO t(PartitionKey, RowKey, N)
  WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 2499)
  SELECT 'p' || (i / 1000), printf('%04d', i), i FROM c;
SELECT count(*), sum(entities), min(entities), max(entities) FROM aztables_requests WHERE kind = 'EGT';
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
.print == a full scan is three pages
SELECT count(*), sum(N) FROM t;
.read sent.sql
.print == LIMIT is sent, and no page after it is read
SELECT N FROM t LIMIT 2;
SELECT N FROM t LIMIT 2 OFFSET 3;
SELECT count(*) FROM (SELECT N FROM t LIMIT 1001);
SELECT count(*) FROM (SELECT N FROM t LIMIT -1);
SELECT count(*) FROM (SELECT N FROM t LIMIT 0);
.read sent.sql
.print == a row condition with LIMIT: later pages are ten times larger
SELECT N FROM t WHERE N % 100 = 99 LIMIT 2;
.read sent.sql
.print == a sort reads everything: LIMIT is not sent
SELECT N FROM t ORDER BY N DESC LIMIT 2;
.read sent.sql
.print == EXISTS stops at the first row
SELECT EXISTS (SELECT 1 FROM t WHERE PartitionKey = 'p1');
.read sent.sql
.print == empty pages and missing NextRowKey are followed
CREATE VIRTUAL TABLE pages USING aztables(connection=faulty, N INT32);
SELECT RowKey, N FROM pages;
SELECT RowKey, N FROM pages LIMIT 1;
.read sent.sql
