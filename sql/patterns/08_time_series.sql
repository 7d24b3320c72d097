-- Question: how do I store a time series with an entity per point, and what do its queries cost?
-- Key design: PartitionKey is the source, RowKey the Unix time in seconds. These times have ten digits from 2001 to
-- 2286, so the order of the texts is the order of the times. 09_time_series_advanced.sql improves this design.
-- The original: 15 lines of C# for the class of a point and the query of two hours. The query needs 8 requests for
-- 7,200 points, because a response has at most 1,000 entities. A source is one hot partition, with 100 points per EGT.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use an empty store, the account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo') WHERE name COLLATE NOCASE IN ('Points');
.bail off
.parameter init
-- Seconds between two points after the first two hours of 2015. With 1 the month has 2,678,400 points.
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':pause', 600); -- or set it before: .parameter set :pause 1

-- 1. Data: January 2015. The first two hours have a point per second. EGTs hold 100 points. bulk=on sends them while
-- the statement runs. The value is higher in the afternoon, and one noon has a peak.
CREATE VIRTUAL TABLE points USING aztables(table=Points, connection=demo, create=missing, bulk=on, Value INT64);
INSERT INTO points(PartitionKey, RowKey, Value)
  WITH RECURSIVE t(s) AS (SELECT 1420070400
    UNION ALL SELECT s + iif(s < 1420077600, 1, :pause) FROM t WHERE s + iif(s < 1420077600, 1, :pause) < 1422748800)
  SELECT 'mysource', s, 300 - abs(15 - s / 3600 % 24) * 10 + s * 7919 % 41
    + iif(s BETWEEN 1421755200 AND 1421758799, 400, 0) FROM t;
INSERT INTO points(_command) VALUES ('parallel=1'); -- one request after the other, so that each run is the same
--= list tables: 1 request, 0 entities
--= create table: 1 request, 0 entities
--= EGT: 117 requests, 11,652 entities

-- 2. The first two hours of 2015: one statement, exactly 7,200 points. The numbers are bare. A plain statement sends
-- them as texts. The extension follows the continuation tokens.
SELECT count(*), min(Value), max(Value), round(avg(Value), 2) FROM points
  WHERE PartitionKey = 'mysource' AND RowKey >= 1420070400 AND RowKey < 1420077600;
--| 7200|150|200|175.01
--= row range: 8 requests, 7,200 entities
SELECT DISTINCT filter FROM aztables_requests WHERE table_name = 'Points' AND method = 'GET';
--| PartitionKey eq 'mysource' and RowKey ge '1420070400' and RowKey lt '1420077600'
--= no request

-- 3. The same range with dates. strftime('%s') returns the seconds as text.
SELECT count(*), min(RowKey), max(RowKey) FROM points WHERE PartitionKey = 'mysource'
  AND RowKey >= strftime('%s', '2015-01-01 00:00') AND RowKey < strftime('%s', '2015-01-01 02:00');
--| 7200|1420070400|1420077599
--= row range: 8 requests, 7,200 entities

-- 4. One point in time: a point request.
SELECT Value FROM points WHERE PartitionKey = 'mysource' AND RowKey = 1420072235;
--| 151
--= point: 1 request, 1 entity

-- 5. A chart of the two hours: the average of ten minutes. A mark is ten units. The service has no sums, so all points
-- travel. Their number decides the requests, not the number of lines.
SELECT strftime('%H:%M', RowKey / 600 * 600, 'unixepoch') AS at, count(*) AS points, round(avg(Value), 1) AS average,
    printf('%.*c', round(avg(Value) / 10), '#') AS chart
  FROM points WHERE PartitionKey = 'mysource' AND RowKey >= 1420070400 AND RowKey < 1420077600
  GROUP BY RowKey / 600;
--| 00:00|600|170.0|#################
--| 00:10|600|170.0|#################
--| 00:20|600|170.0|#################
--| 00:30|600|170.0|#################
--| 00:40|600|170.0|#################
--| 00:50|600|170.0|#################
--| 01:00|600|180.1|##################
--| 01:10|600|179.9|##################
--| 01:20|600|180.0|##################
--| 01:30|600|180.0|##################
--| 01:40|600|180.0|##################
--| 01:50|600|180.1|##################
--= row range: 8 requests, 7,200 entities

-- 6. A day by hour. The end is the first second of the next day.
SELECT strftime('%H', RowKey, 'unixepoch') AS hour, count(*) AS points, round(avg(Value), 1) AS average,
    printf('%.*c', round(avg(Value) / 10), '#') AS chart
  FROM points WHERE PartitionKey = 'mysource' AND RowKey >= 1420070400 AND RowKey < 1420156800
  GROUP BY RowKey / 3600;
--| 00|3600|170.0|#################
--| 01|3600|180.0|##################
--| 02|6|190.2|###################
--| 03|6|200.0|####################
--| 04|6|209.8|#####################
--| 05|6|219.7|######################
--| 06|6|229.5|#######################
--| 07|6|239.3|########################
--| 08|6|249.2|#########################
--| 09|6|265.8|###########################
--| 10|6|268.8|###########################
--| 11|6|278.7|############################
--| 12|6|288.5|#############################
--| 13|6|298.3|##############################
--| 14|6|308.2|###############################
--| 15|6|324.8|################################
--| 16|6|314.7|###############################
--| 17|6|297.7|##############################
--| 18|6|287.5|#############################
--| 19|6|277.3|############################
--| 20|6|267.2|###########################
--| 21|6|263.8|##########################
--| 22|6|253.7|#########################
--| 23|6|243.5|########################
--= row range: 8 requests, 7,332 entities

-- 7. A month by hour: the five hours with the highest average of 744. Only the result is sorted.
SELECT strftime('%Y-%m-%d %H:00', RowKey / 3600 * 3600, 'unixepoch') AS hour, round(avg(Value), 1) AS average,
    max(Value) AS peak, count(*) OVER () AS hours
  FROM points WHERE PartitionKey = 'mysource' AND RowKey >= 1420070400 AND RowKey < 1422748800
  GROUP BY RowKey / 3600 ORDER BY avg(Value) DESC, hour LIMIT 5;
--| 2015-01-20 12:00|687.7|703|744
--| 2015-01-11 15:00|325.8|340|744
--| 2015-01-01 15:00|324.8|339|744
--| 2015-01-13 15:00|324.7|340|744
--| 2015-01-03 15:00|323.7|339|744
--= row range: 12 requests, 11,652 entities

-- 8. The newest points. The order of the table is ascending, so DESC alone would read the whole source. A lower bound
-- limits it to the last hours. In real use: RowKey >= strftime('%s', 'now', '-2 hours').
SELECT datetime(RowKey, 'unixepoch'), Value FROM points
  WHERE PartitionKey = 'mysource' AND RowKey >= strftime('%s', '2015-02-01', '-2 hours')
  ORDER BY RowKey DESC LIMIT 3;
--| 2015-01-31 23:50:00|247
--| 2015-01-31 23:40:00|255
--| 2015-01-31 23:30:00|222
--= row range: 1 request, 12 entities

-- 9. One new point is one request. If the point is sent again, OR IGNORE keeps the first.
INSERT OR IGNORE INTO points(PartitionKey, RowKey, Value) VALUES ('mysource', 1422748800, 150);
INSERT OR IGNORE INTO points(PartitionKey, RowKey, Value) VALUES ('mysource', 1422748800, 999);
SELECT Value FROM points WHERE PartitionKey = 'mysource' AND RowKey = 1422748800;
--| 150
--= EGT: 2 requests, 1 entity
--= point: 1 request, 1 entity

-- 10. Requests of a point per second: writes of 100 points per EGT, reads of 1,000 entities per response. All writes go
-- to one partition, and one server serves it.
SELECT span, seconds AS points, (seconds + 99) / 100 AS writes, (seconds + 999) / 1000 AS reads
  FROM (SELECT '2 hours' AS span, 7200 AS seconds UNION ALL SELECT 'day', 86400 UNION ALL SELECT 'month', 2678400);
--| 2 hours|7200|72|8
--| day|86400|864|87
--| month|2678400|26784|2679
--= no request

-- 11. Proof: the two hours have each second exactly once, and the number of requests is that of step 10.
SELECT count(*) = 7200 AND max(RowKey) - min(RowKey) = 7199 AS each_second_once FROM points
  WHERE PartitionKey = 'mysource' AND RowKey >= 1420070400 AND RowKey < 1420077600;
SELECT count(*) = 8 AND sum(entities) = 7200 AS as_computed FROM aztables_requests
  WHERE statement_id = (SELECT max(statement_id) FROM aztables_requests);
--| 1
--| 1
--= row range: 8 requests, 7,200 entities
