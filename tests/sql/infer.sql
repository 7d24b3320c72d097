-- Inference: the columns that CREATE gives a table without declared columns; aztables_infer and
-- aztables_schema.
SELECT aztables_create_table('demo.Infer'), aztables_create_table('demo.InferEmpty');
CREATE VIRTUAL TABLE raw USING aztables(table=Infer, connection=demo, infer=off);
INSERT INTO raw(PartitionKey, RowKey, _entity) VALUES
  ('a', '1', '{"Title":"Alien","Year":1979,"Rating":8.5,"Seen":true,"Views@odata.type":"Edm.Int64","Views":"9007199254740993"}'),
  ('a', '2', '{"Title":"Shaft","Year":1971,"Rating":6.6,"Id@odata.type":"Edm.Guid","Id":"c9da6455-213d-42c9-9a79-3e9149a57833","Out@odata.type":"Edm.DateTime","Out":"1971-06-25T00:00:00Z"}'),
  ('b', '1', '{"Title":"Stalker","Year":"1979","Rating":8.1,"Pic@odata.type":"Edm.Binary","Pic":"AP8Q"}'),
  ('b', '2', '{"Title":"Solaris","year":1972,"rowid":7,"_etag":"mine","order":1,"größe":2}');
.print == columns by frequency; ANY for differing types; conflicting names stay in _entity
.log stdout
CREATE VIRTUAL TABLE t USING aztables(table=Infer, connection=demo);
.log off
SELECT name, type FROM pragma_table_info('t');
SELECT * FROM t_schema;
.mode box --wrap 60
SELECT * FROM aztables_infer('demo.Infer');
.mode list
SELECT aztables_schema('demo.Infer');
.print == the inferred table
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
SELECT PartitionKey, RowKey, Title, Year, typeof(Year), Rating, Seen, Views, Id, Out, hex(Pic), "order", "größe" FROM t;
SELECT sum(Rating) FROM t WHERE PartitionKey = 'a';
SELECT json_extract(_entity, '$.rowid'), json_extract(_entity, '$.year') FROM t WHERE RowKey = '2' AND PartitionKey = 'b';
INSERT INTO t(PartitionKey, RowKey, Title, Year, Views) VALUES ('c', '1', 'Nostalghia', 1983, 5);
SELECT _entity FROM t WHERE PartitionKey = 'c' AND RowKey = '1';
.read sent.sql
.print == the number of columns
CREATE VIRTUAL TABLE two USING aztables(table=Infer, connection=demo, infer=2);
SELECT group_concat(name) FROM pragma_table_info('two');
CREATE VIRTUAL TABLE more USING aztables(table=Infer, connection=demo, Name STRING PROPERTY 'Title', infer=2);
SELECT group_concat(name) FROM pragma_table_info('more');
CREATE VIRTUAL TABLE none USING aztables(table=Infer, connection=demo, infer=off);
SELECT group_concat(name) FROM pragma_table_info('none');
.print == the generated CREATE statement works
CREATE VIRTUAL TABLE pasted USING aztables(
  table=Infer,
  connection=demo,
  Title STRING, Rating DOUBLE, Year ANY, "order" INT32, lower INT32 PROPERTY 'year', id_of_row INT32 PROPERTY 'rowid'
);
SELECT Title, Year, lower, id_of_row, "order" FROM pasted WHERE PartitionKey = 'b';
.print == an empty table, and a missing one
CREATE VIRTUAL TABLE empty USING aztables(table=InferEmpty, connection=demo);
SELECT group_concat(name) FROM pragma_table_info('empty');
SELECT count(*) FROM aztables_infer('demo.InferEmpty');
SELECT aztables_schema('demo.InferEmpty');
INSERT INTO raw(PartitionKey, RowKey) VALUES ('z', '1');
CREATE VIRTUAL TABLE missing USING aztables(table=Infr, connection=demo);
CREATE VIRTUAL TABLE missing USING aztables(table=NothingLikeIt, connection=demo);
SELECT * FROM aztables_infer('demo.infer_');
SELECT * FROM aztables_infer('demo.Infers');
SELECT * FROM aztables_infer;
SELECT aztables_schema('nobody.Infer');
SELECT aztables_schema(NULL);
CREATE VIRTUAL TABLE made USING aztables(table=InferMade, connection=demo, create=missing);
SELECT group_concat(name) FROM pragma_table_info('made');
SELECT name FROM sqlite_schema WHERE name IN ('missing', 'missing_schema');
.print == invalid responses of a server
CREATE VIRTUAL TABLE faulty USING aztables(table=malformed, connection=faulty);
SELECT name, type FROM pragma_table_info('faulty') WHERE cid > 2;
CREATE VIRTUAL TABLE faulty2 USING aztables(table=unknowntype, connection=faulty);
SELECT name, type FROM pragma_table_info('faulty2') WHERE cid > 2;
SELECT property, type, types_seen, example FROM aztables_infer('faulty.unknowntype');
CREATE VIRTUAL TABLE faulty3 USING aztables(table=html, connection=faulty, retries=0);
CREATE VIRTUAL TABLE faulty4 USING aztables(table=cutjson, connection=faulty, retries=0);
CREATE VIRTUAL TABLE faulty5 USING aztables(table=unauthorized, connection=faulty);
CREATE VIRTUAL TABLE faulty6 USING aztables(table=nested, connection=faulty, retries=0);
CREATE VIRTUAL TABLE faultyorder USING aztables(table=backwards, connection=faulty);
CREATE VIRTUAL TABLE faulty7 USING aztables(table=endless, connection=faulty);
CREATE VIRTUAL TABLE faulty8 USING aztables(table=pages, connection=faulty);
SELECT name, type FROM pragma_table_info('faulty8') WHERE cid > 2;
SELECT count(*) FROM faulty8;
CREATE VIRTUAL TABLE faulty9 USING aztables(table=Closed, connection=closed, retries=0);
SELECT count(*) FROM sqlite_schema WHERE name LIKE 'faulty_%schema';
.print == properties named like other columns in another case
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
SELECT aztables_create_table('demo.InferCase');
CREATE VIRTUAL TABLE raw_case USING aztables(table=InferCase, connection=demo, infer=off);
INSERT INTO raw_case(PartitionKey, RowKey, _entity) VALUES ('p', '1',
  '{"TimeStamp@odata.type":"Edm.DateTime","TimeStamp":"2026-01-01T00:00:00Z","partitionKey":"x","rowid":5,"_ETAG":"q","Size":1,"size":2}');
SELECT property, column_name, note FROM aztables_infer('demo.InferCase');
SELECT substr(aztables_schema('demo.InferCase'), 76);
CREATE VIRTUAL TABLE t_case USING aztables(table=InferCase, connection=demo, TimeStamp DATETIME);
CREATE VIRTUAL TABLE t_case USING aztables(table=InferCase, connection=demo, set_at DATETIME PROPERTY 'TimeStamp',
  key STRING PROPERTY 'partitionKey', id INT32 PROPERTY 'rowid', tag STRING PROPERTY '_ETAG', other_size INT32 PROPERTY 'size', Size INT32);
SELECT set_at, key, id, tag, other_size, Size FROM t_case;
.read sent.sql
