-- What a stranger's database file cannot do, and what persistent views may.
SELECT aztables_create_table('demo.Security');
CREATE VIRTUAL TABLE t USING aztables(connection=demo, table=Security, N INT32);
INSERT INTO t(PartitionKey, RowKey, N) VALUES ('a', '1', 1);
.print == persistent views over a table work, unless the schema is not trusted
CREATE VIEW v AS SELECT N FROM t;
SELECT * FROM v;
PRAGMA trusted_schema = OFF;
SELECT * FROM v;
PRAGMA trusted_schema = ON;
.print == tables and functions that send or show are for direct use only
CREATE VIEW v2 AS SELECT url FROM aztables_requests;
SELECT * FROM v2;
CREATE VIEW v3 AS SELECT name FROM aztables_tables('demo');
SELECT * FROM v3;
CREATE VIEW v4 AS SELECT endpoint FROM aztables_connections;
SELECT * FROM v4;
CREATE VIEW v5 AS SELECT aztables_create_table('demo.Stolen');
SELECT * FROM v5;
CREATE VIEW v6 AS SELECT aztables_connect('x', 'UseDevelopmentStorage=true');
SELECT * FROM v6;
CREATE VIEW v7 AS SELECT aztables_drop_table('demo.Security');
SELECT * FROM v7;
CREATE VIEW v8 AS SELECT aztables_disconnect('demo');
SELECT * FROM v8;
.print == what is harmless may stand in a view
CREATE VIEW v9 AS SELECT aztables_version() = (SELECT aztables_version()) AS same, (SELECT count(*) > 20 FROM aztables_help) AS help;
PRAGMA trusted_schema = OFF;
SELECT * FROM v9;
.print == a SAS is never shown
SELECT aztables_connect('sas', 'TableEndpoint=http://127.0.0.1:1;SharedAccessSignature=?sv=2019-02-02&sig=c2VjcmV0');
CREATE VIRTUAL TABLE s USING aztables(connection=sas, retries=0, N INT32);
SELECT * FROM s WHERE PartitionKey = 'a';
SELECT count(*) FROM aztables_requests WHERE url LIKE '%sig%' OR code LIKE '%c2VjcmV0%';
SELECT name, endpoint, credential, source, last_error FROM aztables_connections WHERE name = 'sas';
SELECT line FROM sent WHERE line LIKE '%no answer%';
.print == and it works: reading, writing, listing with an account SAS, which no log shows
SELECT aztables_connect('signed', 'env:DEMO_WITH_SAS');
CREATE VIRTUAL TABLE st USING aztables(connection=signed, table=Security, N INT32);
INSERT INTO st(PartitionKey, RowKey, N) VALUES ('sas', '1', 7), ('sas', '2', 8);
SELECT RowKey, N FROM st WHERE PartitionKey = 'sas';
SELECT N FROM st WHERE PartitionKey = 'sas' AND RowKey = '2';
SELECT count(*) FROM aztables_tables('signed', 'Security');
SELECT kind, method, status, url LIKE '%sig=%' OR url LIKE '%sv=%' FROM aztables_requests WHERE connection = 'signed';
