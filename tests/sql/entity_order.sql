-- _entity lists the properties in the order of their names, whatever the order in which they were written.
SELECT aztables_create_table('demo.Order1'), aztables_create_table('demo.Order2');
CREATE VIRTUAL TABLE a USING aztables(table=Order1, connection=demo, Z INT32, B STRING);
CREATE VIRTUAL TABLE b USING aztables(table=Order2, connection=demo, infer=off);
.print == inserted, merged, replaced
INSERT INTO a(PartitionKey, RowKey, Z, B, _entity) VALUES ('p', '1', 26, 'b', '{"c":3,"Aa@odata.type":"Edm.Int64","Aa":"1"}'),
  ('p', '2', 26, 'b', NULL), ('p', '3', 26, NULL, NULL);
INSERT INTO b(PartitionKey, RowKey, _entity) VALUES ('p', '1', '{"Aa@odata.type":"Edm.Int64","Aa":"1","B":"b","Z":26,"c":3}'),
  ('p', '2', '{"B":"b","Z":0}'), ('p', '3', '{}');
UPDATE b SET _entity = '{"Z":26,"B":"b"}' WHERE PartitionKey = 'p' AND RowKey = '2';
UPDATE a SET B = 'late' WHERE PartitionKey = 'p' AND RowKey = '3';
UPDATE b SET _entity = aztables_set('{"Z":26}', 'B', 'late') WHERE PartitionKey = 'p' AND RowKey = '3';
SELECT RowKey, _entity FROM a;
SELECT RowKey, _entity FROM aztables_query('demo.Order1');
SELECT _entity FROM aztables_query('demo.Order1', 'RowKey eq ''1''', 'c,Z,B');
SELECT count(*) FROM (SELECT PartitionKey, RowKey, _entity FROM a EXCEPT SELECT PartitionKey, RowKey, _entity FROM b);
SELECT count(*) FROM (SELECT PartitionKey, RowKey, _entity FROM b EXCEPT SELECT PartitionKey, RowKey, _entity FROM a);
.print == by UTF-16 code unit, as keys: capitals, _, small letters, then others
INSERT INTO b(PartitionKey, RowKey, _entity) VALUES ('q', '1', '{"ｚ":1,"𐐷":2,"é":3,"a":4,"_":5,"A":6,"A1":7,"AB":8,"A_":9}');
SELECT _entity FROM b WHERE PartitionKey = 'q';
SELECT group_concat(name) FROM b, aztables_each(b._entity) WHERE PartitionKey = 'q';
.print == pending rows have the texts that the service will return
BEGIN;
INSERT INTO a(PartitionKey, RowKey, Z, _entity) VALUES ('r', '1', 26, '{"M@odata.type":"Edm.Guid","M":"C9DA6455-213D-42C9-9A79-3E9149A57833","A":1}');
UPDATE a SET Z = 27 WHERE PartitionKey = 'r';
UPDATE a SET B = 'new', Z = 1 WHERE PartitionKey = 'p' AND RowKey = '1';
UPDATE a SET B = NULL WHERE PartitionKey = 'p' AND RowKey = '2';
UPDATE a SET RowKey = '9' WHERE PartitionKey = 'p' AND RowKey = '3';
CREATE TEMP TABLE pending AS SELECT PartitionKey, RowKey, _entity FROM a;
SELECT * FROM pending;
COMMIT;
SELECT count(*) FROM (SELECT PartitionKey, RowKey, _entity FROM a EXCEPT SELECT * FROM pending);
.print == inferred columns keep the order of the entities
SELECT group_concat(property) FROM aztables_infer('demo.Order1');
SELECT aztables_create_table('demo.Order3');
CREATE VIRTUAL TABLE c USING aztables(table=Order3, connection=demo, infer=off);
INSERT INTO c(PartitionKey, RowKey, _entity) VALUES ('p', '1', '{"Name":"x","Amount":1,"Day":"y"}');
CREATE VIRTUAL TABLE d USING aztables(table=Order3, connection=demo);
SELECT name FROM pragma_table_info('d');
