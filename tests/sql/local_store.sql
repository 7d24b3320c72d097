-- The embedded store: a table service in this process, on a file or in memory.
.print == a store that does not exist has no tables, and no read creates it
SELECT aztables_connect('local', 'LocalStore=store.db');
SELECT name, endpoint, kind, credential, identity, source, read_only FROM aztables_connections;
SELECT count(*) FROM aztables_tables('local');
CREATE VIRTUAL TABLE early USING aztables(connection=local, table=Early, A INT32);
SELECT * FROM early;
INSERT INTO early(PartitionKey, RowKey) VALUES ('a', '1');
.shell test -e store.db && echo 'there is a file' || echo 'no file'
.print == aztables_create_table creates it
SELECT aztables_create_table('local.Early'), aztables_create_table('local.Early');
INSERT INTO early(PartitionKey, RowKey, A) VALUES ('a', '1', 1), ('a', '2', 2), ('b', '1', 3);
SELECT PartitionKey, RowKey, A FROM early WHERE PartitionKey = 'a' AND RowKey > '1';
INSERT INTO early(PartitionKey, RowKey) VALUES ('c', '1'), ('b', '1');
SELECT count(*), sum(A) FROM early;
.read sent.sql
.print == create=missing creates it too; one file with two names is one store
CREATE VIRTUAL TABLE late USING aztables(connection='LocalStore=./store.db', table=Late, create=missing, N INT64);
INSERT INTO late(PartitionKey, RowKey, N) VALUES ('x', 'y', 9223372036854775807);
SELECT name FROM aztables_tables('local');
SELECT count(*) FROM aztables_query('local.Late');
.print == other processes see writes at once
.shell unset LD_PRELOAD; sqlite3 -readonly store.db 'SELECT name FROM tables; PRAGMA journal_mode; PRAGMA integrity_check'
.print == a rollback and a failed statement change nothing
BEGIN;
INSERT INTO late(PartitionKey, RowKey, N) VALUES ('x', 'z', 1);
ROLLBACK;
INSERT INTO late(PartitionKey, RowKey, N) VALUES ('x', 'ok', 1), ('x', 'y', 2);
SELECT RowKey FROM late;
.print == in memory: one store for each connection, as long as the database is open
SELECT aztables_connect('m', 'LocalStore=:memory:'), aztables_connect('n', 'LocalStore=:memory:');
CREATE VIRTUAL TABLE mine USING aztables(connection=m, table=Mine, create=missing, A INT32);
INSERT INTO mine(PartitionKey, RowKey, A) VALUES ('a', '1', 1);
SELECT (SELECT count(*) FROM aztables_tables('m')), (SELECT count(*) FROM aztables_tables('n'));
SELECT aztables_disconnect('m'), aztables_connect('m', 'LocalStore=:memory:');
SELECT A FROM mine;
.print == ReadOnly=true
SELECT aztables_connect('ro', 'LocalStore=store.db;ReadOnly=true');
CREATE VIRTUAL TABLE ro USING aztables(connection=ro, table=Late, N INT64);
SELECT N FROM ro WHERE PartitionKey = 'x' AND RowKey = 'y';
INSERT INTO ro(PartitionKey, RowKey) VALUES ('x', 'w');
SELECT aztables_create_table('ro.Other');
.print == a database file of the connection is not a store
ATTACH 'store.db' AS me;
SELECT * FROM late;
DETACH me;
SELECT count(*) FROM late;
ATTACH 'other.db' AS other;
CREATE TABLE other.t(a);
SELECT aztables_connect('own', 'LocalStore=other.db');
SELECT aztables_create_table('own.Own');
DETACH other;
.print == other files are not a store
SELECT aztables_create_table('own.Own');
.shell unset LD_PRELOAD; head -c 5000 /dev/zero | tr '\0' 'x' > text.db
SELECT aztables_connect('text', 'LocalStore=text.db');
SELECT count(*) FROM aztables_tables('text');
SELECT aztables_create_table('text.Text');
SELECT aztables_connect('lost', 'LocalStore=no/such/folder/store.db');
SELECT count(*) FROM aztables_tables('lost');
SELECT aztables_create_table('lost.Lost');
.print == a dropped table can be created again at once
SELECT aztables_drop_table('local.Late'), aztables_create_table('local.Late');
SELECT count(*) FROM late;
SELECT name, last_error IS NOT NULL FROM aztables_connections WHERE name IN ('local', 'text');
