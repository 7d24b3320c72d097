-- Types: the value of each EDM type in declared columns and in _entity.
SELECT aztables_create_table('demo.Types');
CREATE VIRTUAL TABLE t USING aztables(table=Types, connection=demo,
  S STRING, I INT32, L INT64, D DOUBLE, B BOOLEAN, T DATETIME, G GUID, X BINARY, A ANY,
  "order" INT32 PROPERTY 'Order', renamed VARCHAR(20) PROPERTY 'S');
SELECT sql FROM sqlite_schema WHERE name = 't';
SELECT name, type FROM pragma_table_xinfo('t');
INSERT INTO t(PartitionKey, RowKey, S, I, L, D, B, T, G, X, A, "order") VALUES
  ('p', '1', 'text', -2147483648, 9223372036854775807, 0.1, 1, '2026-11-02T10:00:00.1234567Z',
   'C9DA6455-213D-42C9-9A79-3E9149A57833', x'00FF10', 'any', 7),
  ('p', '2', '', 2147483647, -9223372036854775808, -1e300, 0, '1601-01-01', '{00000000-0000-0000-0000-000000000000}', x'', 5, NULL),
  ('p', '3', 'ünïcödé ☃ 𝄞 "quoted" \ /', 0, 0, 5, 'true', '2026-11-02 10:00', NULL, NULL, 2.5, NULL),
  ('p', '4', 12, '12', '12', '12.5', '0', '9999-12-31T23:59:59.9999999Z', NULL, NULL, x'01', NULL),
  ('p', '5', 1.0, 3.0, 4.0, 9e999, NULL, '2026-11-02T12:00:00+02:00', NULL, NULL, NULL, NULL),
  ('p', '6', NULL, '', '', '', '', '', '', '', '', '');
SELECT RowKey, S, I, L, D, B, T, G, hex(X), A, "order" FROM t;
SELECT RowKey, typeof(S), typeof(I), typeof(L), typeof(D), typeof(B), typeof(T), typeof(G), typeof(X), typeof(A) FROM t;
SELECT RowKey, _entity FROM t;
SELECT RowKey, renamed, length(Timestamp), Timestamp LIKE '20__-__-__T__:__:__.________Z', _etag IS NOT NULL FROM t WHERE RowKey = '1';
.print == an inserted _entity is read unchanged
INSERT INTO t(PartitionKey, RowKey, _entity) SELECT 'copy', RowKey, _entity FROM t;
SELECT count(*), sum(a._entity = b._entity) FROM t a JOIN t b ON a.PartitionKey = 'p' AND b.PartitionKey = 'copy' AND a.RowKey = b.RowKey;
.print == a column takes precedence over _entity
INSERT INTO t(PartitionKey, RowKey, _entity, I) VALUES ('e', '1', '{"I":1,"S":"from entity","Seen@odata.type":"Edm.Int64","Seen":"9007199254740993"}', 2);
SELECT I, S, _entity FROM t WHERE PartitionKey = 'e';
.print == invalid values of a column
INSERT INTO t(PartitionKey, RowKey, I) VALUES ('x', '1', 'abc');
INSERT INTO t(PartitionKey, RowKey, I) VALUES ('x', '1', 2147483648);
INSERT INTO t(PartitionKey, RowKey, I) VALUES ('x', '1', 1.5);
INSERT INTO t(PartitionKey, RowKey, L) VALUES ('x', '1', 1e19);
INSERT INTO t(PartitionKey, RowKey, D) VALUES ('x', '1', 9007199254740993);
INSERT INTO t(PartitionKey, RowKey, B) VALUES ('x', '1', 2);
INSERT INTO t(PartitionKey, RowKey, T) VALUES ('x', '1', 'yesterday');
INSERT INTO t(PartitionKey, RowKey, T) VALUES ('x', '1', '1600-12-31');
INSERT INTO t(PartitionKey, RowKey, T) VALUES ('x', '1', '2026-11-02T10:00:00.12345678Z');
INSERT INTO t(PartitionKey, RowKey, G) VALUES ('x', '1', 'no guid');
INSERT INTO t(PartitionKey, RowKey, X) VALUES ('x', '1', 'text');
INSERT INTO t(PartitionKey, RowKey, S) VALUES ('x', '1', x'00');
INSERT INTO t(PartitionKey, RowKey, _entity) VALUES ('x', '1', '{"A":[1]}');
INSERT INTO t(PartitionKey, RowKey, _entity) VALUES ('x', '1', '{"A":1e400}');
INSERT INTO t(PartitionKey, RowKey, _entity) VALUES ('x', '1', '{"A":9007199254740993}');
INSERT INTO t(PartitionKey, RowKey, _entity) VALUES ('x', '1', '{"A@odata.type":"Edm.Guid","A":"x"}');
INSERT INTO t(PartitionKey, RowKey, _entity) VALUES ('x', '1', '{"PartitionKey":"q"}');
INSERT INTO t(PartitionKey, RowKey, _entity) VALUES ('x', '1', 'no json');
SELECT count(*) FROM t WHERE PartitionKey = 'x';
.print == a property of another type than declared
CREATE VIRTUAL TABLE strict USING aztables(table=Types, connection=demo, A INT32, I INT64, L DOUBLE, D STRING);
CREATE VIRTUAL TABLE lax USING aztables(table=Types, connection=demo, A INT32, I INT64, L DOUBLE, D STRING, mismatch=null);
SELECT RowKey, A FROM strict WHERE PartitionKey = 'p' AND RowKey = '1';
SELECT RowKey, I, typeof(I) FROM strict WHERE PartitionKey = 'p' AND RowKey = '1';
SELECT RowKey, L, typeof(L) FROM strict WHERE PartitionKey = 'p' AND RowKey IN ('3', '1');
SELECT RowKey, A, I, L, D FROM lax WHERE PartitionKey = 'p';
