-- Errors: each message is one sentence that describes the solution.
.print == connections
SELECT name FROM aztables_tables('nobody');
SELECT count(*) FROM aztables_query('Orders');
SELECT aztables_connect('bad name', 'UseDevelopmentStorage=true');
SELECT aztables_connect('x', '');
SELECT aztables_connect('x', 'nonsense');
SELECT aztables_connect('x', 'AccountName=acct');
SELECT aztables_connect('x', 'AccountName=acct;AccountKey=not base64!');
SELECT aztables_connect('x', 'AccountKey=b2Rk');
SELECT aztables_connect('x', 'TableEndpoint=ftp://host;SharedAccessSignature=sig=x');
SELECT aztables_connect('x', 'TableEndpoint=https://host?sig=secret;SharedAccessSignature=sig=x');
SELECT aztables_connect('x', 'AccountName=acct;SharedAccessSignature=sv=2019');
SELECT aztables_connect('x', 'AccountName=acct;Credential=Default');
SELECT aztables_connect('x', 'LocalStore=demo.db;AccountKey=b2Rk');
SELECT aztables_connect('x', 'env:NO_SUCH_VARIABLE');
SELECT aztables_connect('x', 'file:no/such/file');
SELECT aztables_connect('ok', 'AccountName=acct;AccountKey=b2Rk;ReadOnly=true');
SELECT name, endpoint, kind, credential, identity, source, read_only FROM aztables_connections;
SELECT aztables_disconnect('ok'), aztables_disconnect('ok');
.print == a connection that does not work
CREATE VIRTUAL TABLE closed USING aztables(connection=closed, retries=0, infer=off);
SELECT * FROM closed;
INSERT INTO closed(PartitionKey, RowKey) VALUES ('a', '1'), ('b', '2');
SELECT aztables_connect('nowhere', 'AccountName=a;AccountKey=b2Rk;TableEndpoint=http://no-such-host.invalid');
CREATE VIRTUAL TABLE nowhere USING aztables(connection=nowhere, retries=0, infer=off);
SELECT * FROM nowhere;
SELECT aztables_connect('wrongkey', 'env:DEMO_WITH_WRONG_KEY');
CREATE VIRTUAL TABLE wrongkey USING aztables(connection=wrongkey, table=Errors, infer=off);
SELECT * FROM wrongkey;
SELECT name, last_error IS NOT NULL FROM aztables_connections;
.print == tables
CREATE VIRTUAL TABLE missing USING aztables(connection=demo, table=NoSuchTable, infer=off);
SELECT * FROM missing;
SELECT * FROM missing WHERE PartitionKey = 'a' AND RowKey = 'b';
INSERT INTO missing(PartitionKey, RowKey) VALUES ('a', 'b');
SELECT aztables_create_table('demo.1bad');
SELECT aztables_create_table('demo.has/slash');
SELECT aztables_drop_table('NoConnection');
SELECT aztables_drop_table('demo.NoSuchTable');
.print == the declaration
CREATE VIRTUAL TABLE bad USING aztables(conection=demo);
CREATE VIRTUAL TABLE bad USING aztables(access=none);
CREATE VIRTUAL TABLE bad USING aztables(retries=many);
CREATE VIRTUAL TABLE bad USING aztables(timeout=0);
CREATE VIRTUAL TABLE bad USING aztables(table=A, table=B);
CREATE VIRTUAL TABLE bad USING aztables(A NUMERIC);
CREATE VIRTUAL TABLE bad USING aztables(A INT32 NOT NULL);
CREATE VIRTUAL TABLE bad USING aztables(A INT32, a STRING);
CREATE VIRTUAL TABLE bad USING aztables(RowKey STRING);
CREATE VIRTUAL TABLE bad USING aztables(rowid INT64);
CREATE VIRTUAL TABLE bad USING aztables("has space" STRING);
CREATE VIRTUAL TABLE bad USING aztables(A STRING PROPERTY);
CREATE VIRTUAL TABLE bad USING aztables(A STRING PROPERTY 'Timestamp');
CREATE VIRTUAL TABLE bad USING aztables(create=missing, access=read, connection=demo);
.print == no secret and no endpoint in a database file
CREATE VIRTUAL TABLE bad USING aztables(connection='AccountName=a;AccountKey=c2VjcmV0');
CREATE VIRTUAL TABLE bad USING aztables(connection='https://acct.table.core.windows.net');
CREATE VIRTUAL TABLE bad USING aztables(AccountKey=c2VjcmV0);
CREATE VIRTUAL TABLE bad USING aztables(SharedAccessSignature='sv=2019&sig=c2VjcmV0');
CREATE VIRTUAL TABLE bad USING aztables('AccountName=a;AccountKey=c2VjcmV0');
.print == read-only
CREATE VIRTUAL TABLE looking USING aztables(connection=demo, table=Errors, access=read, infer=off);
INSERT INTO looking(PartitionKey, RowKey) VALUES ('a', 'b');
SELECT aztables_connect('ro', 'UseDevelopmentStorage=true;ReadOnly=true');
CREATE VIRTUAL TABLE ro USING aztables(connection=ro, table=Errors, infer=off);
INSERT INTO ro(PartitionKey, RowKey) VALUES ('a', 'b');
SELECT aztables_create_table('ro.Errors');
PRAGMA query_only = 1;
SELECT aztables_create_table('demo.Errors');
PRAGMA query_only = 0;
.print == DROP TABLE works despite any fault
DROP TABLE closed;
DROP TABLE nowhere;
DROP TABLE missing;
PRAGMA writable_schema = 1;
UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE looking USING aztables(nonsense=1, connection=gone, A INT32)' WHERE name = 'looking';
PRAGMA writable_schema = RESET;
SELECT * FROM looking;
INSERT INTO looking(PartitionKey, RowKey) VALUES ('a', 'b');
DROP TABLE looking;
SELECT name FROM sqlite_schema WHERE type = 'table';
.print == renaming
CREATE VIRTUAL TABLE named USING aztables(connection=demo, table=Errors, infer=off);
ALTER TABLE named RENAME TO renamed;
SELECT sql FROM sqlite_schema WHERE name = 'renamed';
CREATE VIRTUAL TABLE Same USING aztables(connection=demo, table=Same, infer=off);
ALTER TABLE Same RENAME TO other_name;
CREATE VIRTUAL TABLE Implied USING aztables(connection=demo, infer=off);
ALTER TABLE Implied RENAME TO other;
.print == of many connections, the similar ones
SELECT count(aztables_connect(value, 'LocalStore=:memory:'))
  FROM json_each('["prod-eu", "prod-us", "staging", "shop", "a", "b", "c", "d", "e"]');
SELECT name FROM aztables_tables('prodeu');
SELECT name FROM aztables_tables('zzz');
.print == what was meant
CREATE VIRTUAL TABLE meant USING aztables(table=Orders, connection=demo, readonly=true);
CREATE VIRTUAL TABLE meant USING aztables(table=Orders, connection=demo, paralel=3);
CREATE VIRTUAL TABLE meant USING aztables(table=Orders, connection=demo, push_down=keys);
CREATE VIRTUAL TABLE meant USING aztables(table=Orders, connection=demo, p STRING PROPERTY 'my-prop');
SELECT aztables_connect('default', 'LocalStore=:memory:');
CREATE VIRTUAL TABLE meant USING aztables(Orders);
SELECT count(*) FROM meant;
