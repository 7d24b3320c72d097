-- Dynamic properties: the functions over _entity, every type, every error, and the conversion into
-- rows and back into entities.
CREATE TABLE e(id TEXT PRIMARY KEY, entity TEXT);
INSERT INTO e VALUES ('all', '{"S":"text","Empty":"","Odd":"q\" \u0001 ünï \\ \u00e9 𝄞","I":-5,"Low":-2147483648,"L@odata.type":"Edm.Int64","L":"9007199254740993","Least@odata.type":"Edm.Int64","Least":"-9223372036854775808","D":4.50,"Whole":5.0,"Big":1e300,"MinusZero":-0.0,"N@odata.type":"Edm.Double","N":"NaN","Inf@odata.type":"Edm.Double","Inf":"-Infinity","B":true,"F":false,"T@odata.type":"Edm.DateTime","T":"2012-11-20T10:00:00.5Z","G@odata.type":"Edm.Guid","G":"C9DA6455-213D-42C9-9A79-3E9149A57833","X@odata.type":"Edm.Binary","X":"AP8Q","None@odata.type":"Edm.Binary","None":"","Nothing":null,"odata.etag":"tag"}');
.print == aztables_get and aztables_type
SELECT p, aztables_type(entity, p), typeof(aztables_get(entity, p)), quote(aztables_get(entity, p)) FROM e,
  (SELECT column1 AS p FROM (VALUES ('S'), ('Empty'), ('Odd'), ('I'), ('Low'), ('L'), ('Least'), ('D'), ('Whole'), ('Big'), ('MinusZero'),
  ('N'), ('Inf'), ('B'), ('F'), ('T'), ('G'), ('X'), ('None'), ('Nothing'), ('Absent'), ('s'), ('odata.etag'), ('L@odata.type')));
SELECT aztables_get(NULL, 'A'), aztables_get('{"A":1}', NULL), aztables_type(NULL, 'A'), aztables_get('{}', 'A');
SELECT aztables_get('{"Rating":4.5,"Seen@odata.type":"Edm.Int64","Seen":"9007199254740993"}', 'Seen') + 1;
.print == aztables_each, and back with aztables_group_entity
SELECT name, type, typeof(value), quote(value) FROM e, aztables_each(e.entity);
SELECT aztables_group_entity(name, value, type) FROM e, aztables_each(e.entity);
SELECT count(*), sum(aztables_get(e.entity, name) IS value), sum(aztables_type(e.entity, name) = type) FROM e, aztables_each(e.entity) WHERE name <> 'N';
WITH once AS (SELECT aztables_group_entity(name, value, type) AS g FROM e, aztables_each(e.entity))
SELECT g = (SELECT aztables_group_entity(name, value, type) FROM aztables_each(g)) FROM once;
SELECT name FROM e, aztables_each(entity);
SELECT count(*) FROM aztables_each;
SELECT count(*) FROM aztables_each(NULL);
SELECT name, value FROM aztables_each WHERE entity_argument = '{"A":1}';
SELECT name FROM aztables_each('{"\u00e9":1,"odata.type":"x","Z":null,"PartitionKey":"p"}');
SELECT id, name FROM e LEFT JOIN aztables_each(e.entity) ON type = 'GUID';
.print == aztables_group_entity alone
SELECT aztables_group_entity(name, 1) FROM aztables_each('{}');
SELECT aztables_group_entity('A', NULL), aztables_group_entity('A', 1), aztables_group_entity('A', 1.0), aztables_group_entity('A', 'x'), aztables_group_entity('A', x'00');
SELECT t, aztables_group_entity('A', v, t) FROM (SELECT column1 AS v, column2 AS t FROM (VALUES ('5', 'int'), ('5', 'Edm.Int64'), (5, 'REAL'), (1, 'Boolean'),
  ('2012-11-20', 'timestamp'), ('2012-11-20T10:00:00.1200000Z', 'EDM.DATETIME'), ('{C9DA6455-213D-42C9-9A79-3E9149A57833}', 'uuid'), (x'', 'blob'),
  (7, 'VarChar(20)'), ('Infinity', 'double'), ('NaN', 'FLOAT'), (5, 'any'), (5, NULL), ('', 'INT64'))) GROUP BY v, t ORDER BY t, v;
SELECT aztables_group_entity(NULL, 1);
SELECT aztables_group_entity('', 1);
SELECT aztables_group_entity('a b', 1);
SELECT aztables_group_entity('RowKey', 1);
SELECT aztables_group_entity(column1, 1) FROM (VALUES ('A'), ('B'), ('A'));
SELECT aztables_group_entity('A', 'x', 'INT32');
SELECT aztables_group_entity('A', 'x', 'NUMBER');
SELECT aztables_group_entity('A', CAST(x'FF' AS TEXT));
WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 252) SELECT length(aztables_group_entity('P' || i, i, 'INT32')) FROM n;
WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 253) SELECT aztables_group_entity('P' || i, i) FROM n;
SELECT aztables_group_entity('A', 1) OVER ();
SELECT i % 2 AS parity, aztables_group_entity('P' || i, i, 'INT32') FROM (SELECT column1 AS i FROM (VALUES (1), (2), (3), (4))) GROUP BY parity;
.print == aztables_set
SELECT aztables_set(NULL, 'A', 1), aztables_set('{}', 'A', 1.0), aztables_set('{}', 'A', 'x'), aztables_set('{}', 'A', x'00FF'), aztables_set('{}', 'A', NULL), aztables_set(NULL, 'A', NULL);
SELECT aztables_set('{"A":1,"B":1.50,"C":"\u00e9"}', 'A', 2), aztables_set('{"A":1,"B":1.50,"C":"\u00e9"}', 'B', 2), aztables_set('{"A":1,"B":1.50}', 'A', NULL), aztables_set('{"A":1}', 'A', 'x', 'STRING');
SELECT aztables_set('{"A@odata.type":"Edm.Int64","A":"1","B":2}', 'A', 3000000000), aztables_set('{"A@odata.type":"Edm.Int64","A":"1","B":2}', 'A', 1, 'int32'),
  aztables_set('{"A":null,"B":2}', 'A', 5), aztables_set('{"A":1}', 'A', 5, 'ANY'), aztables_set('{"A":1}', 'A', 5, NULL);
SELECT aztables_set('{"T@odata.type":"Edm.DateTime","T":"2012-11-20T10:00:00Z"}', 'T', '2012-11-21'), aztables_set('{"B":true}', 'B', 0), aztables_set('{"S":"x"}', 'S', 5), aztables_set('{"S":"x"}', 'S', '');
SELECT aztables_set('{"A@odata.type":"Edm.Int64","A":"x"}', 'A', 7), aztables_set('{"A@odata.type":"Edm.Decimal","A":"x"}', 'A', 7, 'DOUBLE');
SELECT entity = aztables_set(aztables_set(entity, 'New', 'x'), 'New', NULL), entity = aztables_set(entity, 'Absent', NULL) FROM e;
SELECT count(*), sum(aztables_group_entity = back) FROM (SELECT g AS aztables_group_entity, aztables_set(g, name, value, type) AS back
  FROM (SELECT aztables_group_entity(name, value, type) AS g FROM e, aztables_each(e.entity)), aztables_each(g));
SELECT aztables_set('{"A":1}', 'A', 'x');
SELECT aztables_set('{"A":1}', 'A', 3000000000);
SELECT aztables_set('{"A":1}', 'A', 1.5);
SELECT aztables_set('{"A":1}', 'A', '');
SELECT aztables_set('{"A":"x"}', 'A', x'00');
SELECT aztables_set('{"A@odata.type":"Edm.DateTime","A":"2012-11-20T10:00:00Z"}', 'A', 'soon');
SELECT aztables_set('{"A":1}', 'A', 'x', 'INT64');
SELECT aztables_set('{"A":1}', 'A', 'x', 'INT128');
SELECT aztables_set('{"A@odata.type":"Edm.Decimal","A":"x"}', 'A', 7);
SELECT aztables_set('{}', NULL, 1);
SELECT aztables_set('{}', '1A', 1);
SELECT aztables_set('{}', 'odata.etag', 1);
SELECT aztables_set('{}', 'Timestamp', 1);
SELECT aztables_set('{}', 'A', printf('%.*c', 32769, 'x'));
SELECT aztables_set('{}', 'A', zeroblob(65537));
SELECT aztables_set('[]', 'A', 1);
SELECT aztables_set('{"B":tru}', 'A', 1);
SELECT aztables_set('{}', 'A');
.print == aztables_rename
SELECT aztables_rename('{"A":1,"C":2}', 'A', 'B'), aztables_rename('{"A":1,"C":2}', 'A', 'D'), aztables_rename('{"A":1,"C":2}', 'C', 'A2'), aztables_rename('{"A":1}', 'B', 'C');
SELECT aztables_rename('{"A@odata.type":"Edm.Double","A":"NaN"}', 'A', 'B'), aztables_rename('{"A":"half \ud83d"}', 'A', 'B'), aztables_rename('{"L@odata.type":"Edm.Int64","L":"9007199254740993"}', 'L', 'Long'), aztables_rename('{"A":4.50}', 'A', 'é');
SELECT aztables_rename(NULL, 'A', 'B'), aztables_rename('{"a":1}', 'A', 'B'), aztables_rename('{"A":null,"B":1}', 'A', 'B'), aztables_rename('{"B":1}', 'A', 'B');
SELECT count(*), sum(aztables_rename(aztables_rename(g, name, 'New'), 'New', name) = g), sum(aztables_type(aztables_rename(g, name, 'New'), 'New') = type) FROM
  (SELECT aztables_group_entity(name, value, type) AS g FROM (SELECT name, value, type FROM e, aztables_each(e.entity) ORDER BY name)), aztables_each(g);
SELECT aztables_rename('{"A":1,"B":2}', 'A', 'B');
SELECT aztables_rename('{"A":1}', 'A', 'A');
SELECT aztables_rename('{"A":1}', 'A', NULL);
SELECT aztables_rename('{"A":1}', NULL, 'B');
SELECT aztables_rename('{"A":1}', 'A', '1B');
SELECT aztables_rename('{"A":1}', 'A', '');
SELECT aztables_rename('{"A":1}', 'A', 'odata.etag');
SELECT aztables_rename('{"A":1}', 'A', 'RowKey');
SELECT aztables_rename('{"A":1}', 'A', printf('%.*c', 256, 'x'));
SELECT aztables_rename(NULL, 'A', 'Timestamp');
SELECT aztables_rename('{"A":1,"A":2}', 'A', 'B');
SELECT aztables_rename(x'7B7D', 'A', 'B');
SELECT aztables_rename('[]', 'A', 'B');
SELECT aztables_rename('{}', 'A');
.print == aztables_size
SELECT aztables_size('', '', '{}'), aztables_size('p', 'né😀', '{}'), aztables_size(12, 1.5, '{}'), aztables_size('p', 'r', '{"A":null,"odata.etag":"x"}');
SELECT name, type, aztables_size('', '', aztables_group_entity(name, value, type)) - 4 - 8 - 2 * length(name) AS value FROM e, aztables_each(e.entity) GROUP BY name;
SELECT aztables_size('', '', '{"A":"half \ud83d"}') - aztables_size('', '', '{"A":"half"}'), aztables_size('', '', '{"😀":1}') - aztables_size('', '', '{"A":1}');
SELECT aztables_size(NULL, 'r', '{}'), aztables_size('p', NULL, '{}'), aztables_size('p', 'r', NULL);
SELECT aztables_size('p', 'r', '[]');
SELECT aztables_size('p', 'r', '{"A@odata.type":"Edm.Guid","A":"x"}');
SELECT aztables_size('p', 'r', x'7B7D');
SELECT aztables_size('{}');
.print == texts that are not an entity
SELECT aztables_get('', 'A');
SELECT aztables_get('no json', 'A');
SELECT aztables_get('[1]', 'A');
SELECT aztables_get(5, 'A');
SELECT aztables_get(x'7B7D', 'A');
SELECT aztables_get('{"A":1', 'A');
SELECT aztables_get('{"A":{"B":1}}', 'A');
SELECT aztables_get('{"A":1,"A":2}', 'A');
SELECT aztables_get('{"A":9007199254740993}', 'A');
SELECT aztables_get('{"A":3000000000}', 'A'), aztables_type('{"A":1795169730123}', 'A');
SELECT aztables_get('{"A@odata.type":"Edm.Guid","A":"x"}', 'A');
SELECT aztables_type('{"A@odata.type":"Edm.Decimal","A":"x"}', 'A');
SELECT * FROM aztables_each('{"A":1}x');
SELECT * FROM aztables_each('{"A":1,"B@odata.type":"Edm.Int64","B":"x"}');
.print == in an untrusted schema, an index, a CHECK and a generated column
CREATE TABLE kept(entity TEXT CHECK (aztables_type(entity, 'Rating') IN ('DOUBLE', 'INT32')), rating REAL GENERATED ALWAYS AS (aztables_get(entity, 'Rating')) STORED);
CREATE INDEX kept_year ON kept(aztables_get(entity, 'Year'));
CREATE VIEW unpivoted AS SELECT k.rowid AS id, p.name, p.value FROM kept k, aztables_each(k.entity) p;
CREATE VIEW changed AS SELECT aztables_set(entity, 'Year', NULL) AS without FROM kept;
CREATE VIEW grouped AS SELECT aztables_group_entity(name, value) AS pairs FROM unpivoted GROUP BY id;
PRAGMA trusted_schema = OFF;
INSERT INTO kept VALUES ('{"Rating":4.5,"Year":1979}'), ('{"Rating":5,"Year":1971}');
INSERT INTO kept VALUES ('{"Rating":"good"}');
SELECT entity, rating FROM kept WHERE aztables_get(entity, 'Year') < 1975;
EXPLAIN QUERY PLAN SELECT entity FROM kept WHERE aztables_get(entity, 'Year') < 1975;
SELECT * FROM unpivoted;
SELECT * FROM changed;
SELECT * FROM grouped;
PRAGMA trusted_schema = ON;
.print == a table split into properties and rebuilt
SELECT aztables_create_table('demo.Dynamic');
CREATE VIRTUAL TABLE d USING aztables(table=Dynamic, connection=demo);
INSERT INTO d(PartitionKey, RowKey, _entity) SELECT 'all', 'each', entity FROM e;
INSERT INTO d(PartitionKey, RowKey, _entity) SELECT 'all', name, aztables_set(NULL, name, value, type) FROM e, aztables_each(e.entity);
INSERT INTO d(PartitionKey, RowKey, _entity) VALUES ('all', 'empty', '{}'), ('all', 'whole', '{"Whole":5.0,"Exact":0.1}');
CREATE TEMP TABLE apart AS SELECT RowKey, name, value, type FROM d LEFT JOIN aztables_each(d._entity) WHERE PartitionKey = 'all';
INSERT INTO d(PartitionKey, RowKey, _entity)
  SELECT 'again', RowKey, coalesce(aztables_group_entity(name, value, type) FILTER (WHERE name IS NOT NULL), '{}') FROM apart GROUP BY RowKey;
SELECT count(*), sum(a._entity = b._entity) FROM d a JOIN d b ON a.PartitionKey = 'all' AND b.PartitionKey = 'again' AND a.RowKey = b.RowKey;
SELECT a.RowKey, a._entity, b._entity FROM d a JOIN d b ON a.PartitionKey = 'all' AND b.PartitionKey = 'again' AND a.RowKey = b.RowKey AND a._entity <> b._entity;
SELECT RowKey, aztables_get(_entity, 'L'), aztables_get(_entity, 'T') FROM d WHERE PartitionKey = 'again' AND RowKey IN ('each', 'L');
