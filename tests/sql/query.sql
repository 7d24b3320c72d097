-- aztables_query: OData filters as a user writes them.
SELECT aztables_create_table('demo.Query');
CREATE VIRTUAL TABLE t USING aztables(table=Query, connection=demo, N INT32, S STRING, D DOUBLE);
INSERT INTO t(PartitionKey, RowKey, N, S, D) VALUES
  ('a', '1', 1, 'one', 0.5), ('a', '2', 2, 'two', NULL), ('b', '1', 3, 'it''s', 2.5), ('b', '2', NULL, 'ünï', 1e300);
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
.print == everything, a filter, some properties
SELECT PartitionKey, RowKey, Timestamp, _etag, _entity FROM aztables_query('demo.Query');
SELECT PartitionKey, RowKey, _entity FROM aztables_query('demo.Query', 'N ge 2');
SELECT RowKey, _entity FROM aztables_query('demo.Query', 'PartitionKey eq ''a''', 'N, D');
SELECT RowKey, _entity FROM aztables_query('demo.Query', '', 'S');
SELECT RowKey, _entity FROM aztables_query('demo.Query', '', '*') WHERE RowKey = '2';
SELECT RowKey, _entity FROM aztables_query('demo.Query', 'S eq ''it''''s'' or S eq ''ünï''');
.print == the request selects only the used properties
SELECT count(*) FROM aztables_query('demo.Query');
SELECT RowKey FROM aztables_query('demo.Query') LIMIT 1;
SELECT length(Timestamp) FROM aztables_query('demo.Query') WHERE RowKey = '1';
.read sent.sql
.print == joined, in a WITH, with arguments from a table
CREATE TABLE filters(f TEXT);
INSERT INTO filters VALUES ('N eq 1'), ('N eq 3');
SELECT f, PartitionKey, RowKey FROM filters, aztables_query('demo.Query', f);
WITH q AS MATERIALIZED (SELECT * FROM aztables_query('demo.Query', 'N lt 3')) SELECT count(*), min(json_extract(_entity, '$.S')) FROM q;
EXPLAIN QUERY PLAN SELECT RowKey FROM aztables_query('demo.Query', 'N eq 1');
.print == an absent property of columns is not in _entity
SELECT _entity FROM aztables_query('demo.Query', 'N eq 1', 'Nothing');
.print == errors
SELECT count(*) FROM aztables_query('demo.Query', 'PartitionKey eq ''' || NULL || '''');
SELECT count(*) FROM aztables_query('demo.Query', x'00');
SELECT count(*) FROM aztables_query(NULL);
SELECT * FROM aztables_query;
SELECT aztables_connect('none', 'LocalStore=:memory:');
SELECT * FROM aztables_query('none.NoSuchTable');
SELECT * FROM aztables_query('nobody.Query');
SELECT * FROM aztables_query('demo.bad/name');
SELECT * FROM aztables_query('demo.Query', 'N is 1');
SELECT RowKey FROM aztables_query('faulty.good', 'x eq ''1&$top=1#?''');
.read sent.sql
.print == a filter that is too long
SELECT * FROM aztables_query('demo.Query', printf('RowKey eq ''%.*c''', 200000, 'x'));
SELECT * FROM aztables_query('demo.Query', printf('RowKey eq ''%.*c''', 2000000, 'x'));
.print == pages are streamed
SELECT RowKey FROM aztables_query('faulty.pages');
SELECT RowKey, _entity FROM aztables_query('faulty.malformed');
.print == not in a stranger's views
CREATE VIEW v AS SELECT * FROM aztables_query('demo.Query');
SELECT * FROM v;
CREATE TEMP VIEW v2 AS SELECT count(*) AS n FROM aztables_query('demo.Query');
SELECT n FROM v2;
