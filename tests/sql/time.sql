-- Dates, ticks and key ranges: every form of a time, every error, and keys made of ticks.
.print == every form of one instant
SELECT aztables_datetime(column1) AS shown, group_concat(column1, ' | ') FROM (VALUES
  ('2012-11-20'), ('20121120'), ('2012-325'), ('2012-W47-2'), ('2012W472'), (20121120), (' 2012-11-20 '),
  (2456251.5), ('2456251.5'), ('2012-11-19T24:00'), ('2012-11-20T01+01'),
  ('2012-11-20T10:15'), ('2012-11-20 10:15'), ('20121120T1015'), ('2012-325T10.25'), ('2012325T10,25'),
  ('2012-11-20T10:15:00Z'), ('2012-11-20t10:15:00z'), ('2012-11-20T12:45+0230'), ('2012-11-20 12:45 +02:30'),
  ('2012-11-20T10:15:30.1234567'), ('20121120T101530,1234567Z'), ('2012-W47-2T10:15:30.12345679999+00'),
  ('10:15'), ('10:15:30.1234567'), ('0001-01-01'), ('9999-12-31T23:59:59.99999999')) GROUP BY shown ORDER BY shown;
.print == modifiers are SQLite's; digits after the millisecond stay, and the modifier start-of removes them
SELECT m, aztables_datetime('2012-11-20T10:15:30.1234567', m), strftime('%Y-%m-%d %H:%M:%f', '2012-11-20T10:15:30.123', m)
FROM (SELECT column1 AS m FROM (VALUES ('-90 days'), ('+1 month'), ('-1.5 seconds'), ('start of day'), ('Start of Month'),
  ('start of year'), ('weekday 0'), ('+10:30'), ('auto')));
SELECT aztables_datetime('2012-11-20T10:15:30.9999999', '+0 days'), aztables_datetime('2012-11-20T23:59:59.9999999', '+1 day', '-1 day');
SELECT aztables_datetime(1353406530.5, 'unixepoch'), aztables_datetime('1353406530', 'unixepoch', '+1 day'),
  aztables_datetime(1353406530, 'auto'), aztables_datetime(2456251.5, 'julianday'), aztables_datetime('20121120', 'unixepoch');
.print == the same as SQLite over 20,000 numbers and modifiers
WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
SELECT count(*), sum(replace(substr(aztables_datetime(-50000000000 + i * 12345678.901, 'unixepoch', i || ' minutes'), 1, 23), 'T', ' ')
  = strftime('%Y-%m-%d %H:%M:%f', -50000000000 + i * 12345678.901, 'unixepoch', i || ' minutes')) FROM n;
WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 20000), t(d, i) AS
  (SELECT strftime('%Y-%m-%d %H:%M:%f', 1721425.5 + i * 182.6184, 'auto'), i FROM n)
SELECT count(*), sum(replace(substr(aztables_datetime(d, '-' || (i % 300) || ' days', 'weekday 3'), 1, 23), 'T', ' ')
  = strftime('%Y-%m-%d %H:%M:%f', d, '-' || (i % 300) || ' days', 'weekday 3')) FROM t WHERE d >= '0003';
SELECT aztables_datetime('2012-11-20', '-2012 years', '+1 year');
.print == now
SELECT aztables_datetime('now') BETWEEN strftime('%Y-%m-%dT%H:%M:%f', 'now', '-1 minute') AND strftime('%Y-%m-%dT%H:%M:%f', 'now', '+1 minute'),
  aztables_datetime('NOW', 'start of day') = date('now') || 'T00:00:00.0000000Z', length(aztables_datetime('now'));
SELECT count(DISTINCT d) FROM (SELECT aztables_datetime('now') AS d FROM (VALUES (1), (2), (3)), aztables_help);
.print == NULL
SELECT aztables_datetime(NULL), aztables_datetime('now', NULL), aztables_datetime(NULL, 'nonsense'), aztables_ticks(NULL),
  aztables_reverse_ticks(NULL), aztables_ticks_datetime(NULL), aztables_prefix_end(NULL);
.print == invalid times
SELECT aztables_datetime('yesterday');
SELECT aztables_datetime('');
SELECT aztables_datetime('2012-02-30');
SELECT aztables_datetime('2012-11');
SELECT aztables_datetime('2012-11-20T25:00');
SELECT aztables_datetime('20/11/2012');
SELECT aztables_datetime(x'32303132');
SELECT aztables_datetime(2012);
SELECT aztables_datetime(1353406530);
SELECT aztables_datetime('20121320');
SELECT aztables_datetime('-0100-01-01');
SELECT aztables_datetime('9999-12-31T23:00-02:00');
SELECT aztables_datetime('2012-11-20', '90 day ago');
SELECT aztables_datetime('2012-11-20', '+1 day', 'start off month');
SELECT aztables_datetime('2012-11-20', '');
SELECT aztables_datetime('2012-11-20', 'it''s');
SELECT aztables_datetime('2012-11-20', '+9000 years');
SELECT aztables_datetime('2012-11-20', '-2012 years');
SELECT aztables_datetime('2012-11-20', '+1 day', '-2012 years', '+1 day');
SELECT aztables_datetime(0, 'auto');
SELECT aztables_datetime('2012-11-20', 'unixepoch');
SELECT aztables_datetime(1e20, 'unixepoch');
SELECT aztables_datetime('yesterday', '-1 day');
SELECT aztables_datetime();
SELECT aztables_ticks('2012-11-20', '+1 day'), aztables_ticks('2012-11-21');
SELECT aztables_ticks();
.print == a DELETE with a mistyped modifier fails
CREATE TABLE log(d TEXT);
INSERT INTO log VALUES ('2001-01-01T00:00:00.0000000Z');
DELETE FROM log WHERE d < aztables_datetime('2012-11-20', '-90 dayz');
DELETE FROM log WHERE d < aztables_datetime('2012-11-20', '-90 days');
SELECT count(*) FROM log;
.print == ticks
SELECT d, aztables_ticks(d), aztables_reverse_ticks(d), aztables_ticks_datetime(aztables_ticks(d)),
  aztables_ticks_datetime(aztables_reverse_ticks(aztables_reverse_ticks(d)))
FROM (SELECT column1 AS d FROM (VALUES ('0001-01-01'), ('1601-01-01'), ('2012-11-20T10:15:30.1234567'), ('9999-12-31T23:59:59.9999999')));
SELECT typeof(aztables_ticks('10:15')), aztables_ticks_datetime(0), aztables_ticks_datetime(634890033301234567),
  aztables_ticks_datetime('634890033301234567'), aztables_reverse_ticks(3155378975999999999), aztables_ticks(2456251.5);
SELECT aztables_ticks_datetime('');
SELECT aztables_ticks_datetime('3155378976000000000');
SELECT aztables_ticks_datetime('9999999999999999999');
SELECT aztables_ticks_datetime('00634890033301234567');
SELECT aztables_ticks_datetime(-1);
SELECT aztables_ticks_datetime(1.5);
SELECT aztables_ticks_datetime(x'30');
SELECT aztables_ticks_datetime('2012-11-20');
SELECT aztables_reverse_ticks('9999999999999999999');
SELECT aztables_reverse_ticks('soon');
SELECT aztables_ticks('soon');
SELECT aztables_reverse_ticks(1353369600, 'unixepoch', '+1 month', 'start of day') = aztables_reverse_ticks('2012-12-20');
SELECT aztables_reverse_ticks('2516071679999999999', '+1 day');
SELECT aztables_reverse_ticks('2012-11-20', '+1 dayz');
SELECT aztables_reverse_ticks('2012-11-20', NULL);
SELECT aztables_reverse_ticks();
.print == prefixes
SELECT hex(p), typeof(e), hex(e), p < e FROM (SELECT column1 AS p, aztables_prefix_end(column1) AS e FROM (VALUES ('Sh'), ('a~'), (''),
  ('a' || char(0xD7FF)), (char(0xFFFF)), ('a' || char(0x10FFFF)), (char(0x10FFFF, 0x10FFFF)), (19), (1.5), ('é')));
SELECT aztables_prefix_end(x'00');
SELECT aztables_prefix_end(CAST(x'61FF' AS TEXT));
CREATE TABLE words(w TEXT);
INSERT INTO words VALUES ('Sg'), ('Sh'), ('Sha'), ('Sh' || char(0x10FFFF)), ('Si'), (''), (char(0x10FFFF));
SELECT 'Sh', group_concat(hex(w)) FROM words WHERE w >= 'Sh' AND w < aztables_prefix_end('Sh');
SELECT 'all', count(*) FROM words WHERE w >= '' AND w < aztables_prefix_end('');
.print == on the service: newest first, and a range of a prefix
SELECT aztables_create_table('demo.Log');
CREATE VIRTUAL TABLE remote USING aztables(table=Log, connection=demo, Text STRING);
INSERT INTO remote(PartitionKey, RowKey, Text) SELECT 'p', aztables_reverse_ticks(column1), column2 FROM (VALUES
  ('2012-11-20T10:00Z', 'first'), ('2012-11-20T11:00Z', 'second'), ('2012-11-21', 'third'));
.read sent.sql
SELECT aztables_ticks_datetime(aztables_reverse_ticks(RowKey)), Text FROM remote WHERE PartitionKey = 'p' LIMIT 2;
SELECT Text FROM remote WHERE PartitionKey = 'p' AND RowKey >= aztables_reverse_ticks('2012-11-20T23:59:59.9999999Z');
SELECT count(*) FROM remote WHERE PartitionKey >= 'p' AND PartitionKey < aztables_prefix_end('p');
SELECT count(*) FROM remote WHERE PartitionKey >= '' AND PartitionKey < aztables_prefix_end('');
SELECT count(*) FROM remote WHERE Timestamp < aztables_datetime('now', '+1 day') AND Timestamp > aztables_datetime('now', '-1 day');
.read sent.sql
.print == in an untrusted schema, an index and a CHECK
CREATE TABLE event(at TEXT CHECK (at = aztables_datetime(at)), day TEXT GENERATED ALWAYS AS (aztables_datetime(at, 'start of day')));
CREATE INDEX event_ticks ON event(aztables_ticks(at));
CREATE VIEW recent AS SELECT at, day, aztables_prefix_end(substr(at, 1, 10)) AS day_end, aztables_reverse_ticks(at) AS key FROM event;
PRAGMA trusted_schema = OFF;
INSERT INTO event(at) VALUES (aztables_datetime('2012-11-20T10:15'));
INSERT INTO event(at) VALUES ('2012-11-20 10:15');
SELECT * FROM recent;
EXPLAIN QUERY PLAN SELECT at FROM event WHERE aztables_ticks(at) > aztables_ticks('2012-11-20');
SELECT at FROM event WHERE aztables_ticks(at) > aztables_ticks('2012-11-20');
