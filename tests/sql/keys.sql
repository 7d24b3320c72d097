-- Key comparisons that differ between SQLite and the service. The request asks for a superset, and SQLite
-- selects the rows. Each query runs on the remote table and on a native one with the same rows.
SELECT aztables_create_table('demo.Keys');
CREATE VIRTUAL TABLE remote USING aztables(table=Keys, connection=demo, N INT32);
CREATE TEMP TABLE native(PartitionKey TEXT NOT NULL, RowKey TEXT NOT NULL, N INTEGER);
INSERT INTO native VALUES
  ('p', '', 1), ('p', ' ', 2), ('p', '05', 3), ('p', '5', 4), ('p', '5.0', 5), ('p', 'A', 6), ('p', 'a', 7),
  ('p', 'é', 8), ('p', char(0xD7FF), 9), ('p', char(0xE000), 10), ('p', char(0xFFFD), 11), ('p', char(0x10000), 12),
  ('p', char(0x10FFFF), 13), ('p', 'x' || char(0x1F600) || 'y', 14), ('p', 'x' || char(0xFF5E), 15), ('p', 'it''s', 16),
  ('', 'empty partition', 17), (char(0x1F600), 'r', 18), (char(0xFF5E), 'r', 19);
INSERT INTO remote(PartitionKey, RowKey, N) SELECT * FROM native;
UPDATE shown SET id = (SELECT max(id) FROM aztables_requests);
.print == above U+FFFF, and U+E000 to U+FFFF
SELECT group_concat(N) FROM (SELECT N FROM remote WHERE PartitionKey = 'p' AND RowKey >= char(0xE000) ORDER BY N);
SELECT group_concat(N) FROM (SELECT N FROM native WHERE PartitionKey = 'p' AND RowKey >= char(0xE000) ORDER BY N);
SELECT group_concat(N) FROM (SELECT N FROM remote WHERE PartitionKey = 'p' AND RowKey < char(0x10000) ORDER BY N);
SELECT group_concat(N) FROM (SELECT N FROM native WHERE PartitionKey = 'p' AND RowKey < char(0x10000) ORDER BY N);
SELECT group_concat(N) FROM (SELECT N FROM remote WHERE PartitionKey = 'p' AND RowKey BETWEEN 'x' || char(0xFF00) AND 'x' || char(0x1F600) || 'z' ORDER BY N);
SELECT group_concat(N) FROM (SELECT N FROM native WHERE PartitionKey = 'p' AND RowKey BETWEEN 'x' || char(0xFF00) AND 'x' || char(0x1F600) || 'z' ORDER BY N);
SELECT group_concat(N) FROM (SELECT N FROM remote WHERE PartitionKey > char(0xFF00) ORDER BY N);
SELECT group_concat(N) FROM (SELECT N FROM native WHERE PartitionKey > char(0xFF00) ORDER BY N);
.read sent.sql
.print == NULL, BLOB, numbers
SELECT count(*) FROM remote WHERE RowKey < NULL;
SELECT count(*) FROM remote WHERE RowKey < x'00';
SELECT count(*) FROM remote WHERE RowKey >= x'00';
SELECT group_concat(N) FROM (SELECT N FROM remote WHERE PartitionKey = 'p' AND RowKey = 5 ORDER BY N);
SELECT group_concat(N) FROM (SELECT N FROM native WHERE PartitionKey = 'p' AND RowKey = 5 ORDER BY N);
INSERT INTO remote(_command) VALUES ('compare=text');
SELECT group_concat(N) FROM (SELECT N FROM remote WHERE PartitionKey = 'p' AND RowKey = 5.0 ORDER BY N);
INSERT INTO remote(_command) VALUES ('reset');
SELECT group_concat(N) FROM (SELECT N FROM native WHERE PartitionKey = 'p' AND RowKey = 5.0 ORDER BY N);
SELECT group_concat(N) FROM (SELECT N FROM remote WHERE PartitionKey = 'p' AND RowKey = CAST(5 AS INTEGER) ORDER BY N);
SELECT group_concat(N) FROM (SELECT N FROM native WHERE PartitionKey = 'p' AND RowKey = CAST(5 AS INTEGER) ORDER BY N);
SELECT group_concat(N) FROM (SELECT N FROM remote WHERE PartitionKey = 'p' AND RowKey < 6 ORDER BY N);
SELECT group_concat(N) FROM (SELECT N FROM native WHERE PartitionKey = 'p' AND RowKey < 6 ORDER BY N);
.read sent.sql
.print == the empty key
SELECT group_concat(N) FROM (SELECT N FROM remote WHERE PartitionKey = '' ORDER BY N);
SELECT group_concat(N) FROM (SELECT N FROM remote WHERE PartitionKey = 'p' AND RowKey = '' ORDER BY N);
SELECT group_concat(N) FROM (SELECT N FROM remote WHERE PartitionKey = 'p' AND RowKey > '' AND RowKey <= ' ' ORDER BY N);
.read sent.sql
.print == keys that no entity can have
SELECT count(*) FROM remote WHERE PartitionKey = 'a#b';
SELECT count(*) FROM remote WHERE PartitionKey = 'p' AND RowKey > 'a/b' AND RowKey < 'a?';
SELECT count(*) FROM remote WHERE PartitionKey = 'p' AND RowKey >= char(1) AND RowKey < char(31);
SELECT count(*) FROM remote WHERE PartitionKey = printf('%.*c', 20000, 'k');
SELECT substr(line, 1, 150) || ' ... ' || (length(line) < 9000) FROM sent;
.print == other collations are SQLite's
SELECT group_concat(N) FROM (SELECT N FROM remote WHERE PartitionKey = 'P' COLLATE NOCASE AND RowKey = 'a' COLLATE NOCASE ORDER BY N);
SELECT group_concat(N) FROM (SELECT N FROM native WHERE PartitionKey = 'P' COLLATE NOCASE AND RowKey = 'a' COLLATE NOCASE ORDER BY N);
