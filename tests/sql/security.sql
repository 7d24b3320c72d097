-- What a stranger's database file cannot do, and the permissions of persistent views.
SELECT aztables_create_table('demo.Security');
CREATE VIRTUAL TABLE t USING aztables(connection=demo, table=Security, N INT32);
INSERT INTO t(PartitionKey, RowKey, N) VALUES ('a', '1', 1);
.print == persistent views over a table work in a trusted schema
CREATE VIEW v AS SELECT N FROM t;
SELECT * FROM v;
PRAGMA trusted_schema = OFF;
SELECT * FROM v;
PRAGMA trusted_schema = ON;
.print == tables and functions with access to the service are for direct use only
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
CREATE VIEW v10 AS SELECT * FROM aztables_infer('demo.Security');
SELECT * FROM v10;
CREATE VIEW v11 AS SELECT aztables_schema('demo.Security');
SELECT * FROM v11;
CREATE VIEW v12 AS SELECT RowKey FROM aztables_query('demo.Security');
SELECT * FROM v12;
.print == every function and table is either for direct use only, or harmless
SELECT DISTINCT f.name FROM pragma_function_list f WHERE f.name LIKE 'aztables%' AND f.flags & 0x80000 ORDER BY 1;
SELECT DISTINCT f.name FROM pragma_function_list f WHERE f.name LIKE 'aztables%' AND f.flags & 0x200000 ORDER BY 1;
SELECT name FROM aztables_help WHERE kind = 'function' AND name NOT IN (SELECT name FROM pragma_function_list WHERE flags & 0x280000);
.print == triggers change a remote table if the user has named its connection and the schema is trusted
CREATE VIEW numbers AS SELECT PartitionKey AS p, RowKey AS r, N FROM t;
CREATE TRIGGER numbers_insert INSTEAD OF INSERT ON numbers BEGIN
  INSERT INTO t(PartitionKey, RowKey, N) VALUES (NEW.p, NEW.r, NEW.N);
END;
INSERT INTO numbers VALUES ('trigger', '0', 6);
SELECT aztables_connect('demo', 'env:AZTABLES_CONNECTION_DEMO') LIKE 'demo: %';
INSERT INTO numbers VALUES ('trigger', '1', 7), ('trigger', '2', 8);
SELECT r, N FROM numbers WHERE p = 'trigger';
PRAGMA trusted_schema = OFF;
INSERT INTO numbers VALUES ('trigger', '3', 9);
SELECT r FROM numbers;
PRAGMA trusted_schema = ON;
CREATE TRIGGER numbers_command INSTEAD OF DELETE ON numbers BEGIN
  INSERT INTO t(_command) VALUES ('scan=deny');
END;
DELETE FROM numbers WHERE p = 'trigger' AND r = '1';
INSERT INTO t(_command) VALUES ('reset');
.print == TEMP views and triggers may use all of them
CREATE TEMP VIEW v13 AS SELECT count(*) AS n FROM aztables_query('demo.Security');
PRAGMA trusted_schema = OFF;
SELECT n FROM v13;
CREATE TEMP VIEW v14 AS SELECT N FROM t WHERE PartitionKey = 'a';
SELECT N FROM v14;
PRAGMA trusted_schema = ON;
.print == a view may use harmless functions and tables
CREATE VIEW v9 AS SELECT aztables_version() = (SELECT aztables_version()) AS same, (SELECT count(*) > 20 FROM aztables_help) AS help;
CREATE VIEW v15 AS SELECT name, value, type FROM aztables_each('{"A":1}');
CREATE VIEW v16 AS SELECT aztables_datetime('2026-11-20') AS d, aztables_ticks('2026-11-20') AS t,
  aztables_reverse_ticks('2026-11-20') AS r, aztables_ticks_datetime('0') AS b, aztables_prefix_end('Sh') AS e,
  aztables_get('{"A":1}', 'A') AS g, aztables_type('{"A":1}', 'A') AS y, aztables_set('{}', 'A', 1) AS s,
  aztables_rename('{"A":1}', 'A', 'B') AS n, aztables_size('', '', '{}') AS z,
  (SELECT aztables_group_entity(name, value) FROM aztables_each('{"A":1}')) AS c;
PRAGMA trusted_schema = OFF;
SELECT * FROM v9;
SELECT * FROM v15;
SELECT * FROM v16;
.print == a SAS is never shown
SELECT aztables_connect('sas', 'TableEndpoint=http://127.0.0.1:1;SharedAccessSignature=?sv=2019-02-02&sig=c2VjcmV0');
CREATE VIRTUAL TABLE s USING aztables(connection=sas, table=Hidden, retries=0, N INT32);
SELECT * FROM s WHERE PartitionKey = 'a';
SELECT count(*) FROM aztables_requests WHERE url LIKE '%sig%' OR code LIKE '%c2VjcmV0%';
SELECT name, endpoint, credential, source, last_error FROM aztables_connections WHERE name = 'sas';
SELECT line FROM sent WHERE line LIKE '%no response%';
.print == an account SAS permits reading, writing and listing, and no log shows it
SELECT aztables_connect('signed', 'env:DEMO_WITH_SAS');
CREATE VIRTUAL TABLE st USING aztables(connection=signed, table=Security, N INT32);
INSERT INTO st(PartitionKey, RowKey, N) VALUES ('sas', '1', 7), ('sas', '2', 8);
SELECT RowKey, N FROM st WHERE PartitionKey = 'sas';
SELECT N FROM st WHERE PartitionKey = 'sas' AND RowKey = '2';
SELECT count(*) FROM aztables_tables('signed', 'Security');
SELECT kind, method, status, url LIKE '%sig=%' OR url LIKE '%sv=%' FROM aztables_requests WHERE connection = 'signed';
