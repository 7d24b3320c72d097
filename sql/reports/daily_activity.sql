-- Question: on which days, and at which hours, is the table written?
-- Your own table: change `table` and `connection` of the virtual table `t`, and run only step 3. Nothing
-- writes through `t`: it has access=read. The other steps make and check the example table.
-- Cost: one scan that returns Timestamps only. 1,000 entities are one request: 100,000 entities are 100 requests.
-- Conclusions: the hours show when to run a copy or a repair. A day without writes may be a failure of a program. If
-- one day has most of the entities, a load or a repair wrote them. It hides when they were created.
-- Timestamp is the time of an entity's last write, in UTC. An entity counts once. A deleted entity does not count. If
-- the entities have a DATETIME property of their own, declare it in `t`, and name it in the view `writes`.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
CREATE VIRTUAL TABLE t USING aztables(table=ExampleActivity, connection=demo, access=read, parallel=1,
  Ordered DATETIME);
CREATE TEMP VIEW writes(at) AS SELECT Timestamp FROM t;

-- The report, one view. The first row is all entities. Then follow the 31 days up to the last write, days without a
-- write included, after the sum of all days before them. Then follow the hours of the day, over all days. Percent is
-- the share of all entities. The bar compares with the largest day shown, or the largest hour.
CREATE TEMP VIEW daily_activity AS
  WITH RECURSIVE hours AS MATERIALIZED (
      SELECT substr(at, 1, 10) AS day, substr(at, 12, 2) AS hour, count(*) AS entities FROM writes
        WHERE at IS NOT NULL GROUP BY 1, 2),
    days AS MATERIALIZED (SELECT day, sum(entities) AS entities FROM hours GROUP BY day),
    shown(day, ago) AS (
      SELECT * FROM (SELECT max(day) AS day, 0 FROM days) WHERE day IS NOT NULL
      UNION ALL SELECT date(day, '-1 day'), ago + 1 FROM shown WHERE ago < 30 AND day > (SELECT min(day) FROM days)),
    clock(hour) AS (SELECT 0 UNION ALL SELECT hour + 1 FROM clock WHERE hour < 23),
    lines(section, position, what, entities) AS (
      SELECT 1, 0, 'all entities', coalesce(sum(entities), 0) FROM days
      UNION ALL SELECT * FROM (SELECT 2, 0, 'earlier days', sum(entities) AS entities FROM days
        WHERE day < (SELECT min(day) FROM shown)) WHERE entities > 0
      UNION ALL SELECT 3, 31 - ago, day || ' ' || substr('SunMonTueWedThuFriSat', 1 + 3 * strftime('%w', day), 3),
          coalesce(entities, 0) FROM shown LEFT JOIN days USING (day)
      UNION ALL SELECT 4, clock.hour, printf('%02d:00 to %02d:59', clock.hour, clock.hour), coalesce(sum(entities), 0)
        FROM clock LEFT JOIN hours ON CAST(hours.hour AS INTEGER) = clock.hour
        WHERE EXISTS (SELECT 1 FROM days) GROUP BY clock.hour)
  SELECT what, entities, round(100.0 * entities / max(entities) OVER (), 1) AS percent,
      iif(entities > 0 AND section > 2,
        printf('%.*c', max(1, 40 * entities / max(entities) OVER (PARTITION BY section)), '#'), '') AS bar
    FROM lines ORDER BY section, position;

-- 1. The example table is empty at first. Then the report has one row.
CREATE VIRTUAL TABLE example USING aztables(table=ExampleActivity, connection=demo, create=missing, parallel=1,
  Ordered DATETIME);
SELECT * FROM daily_activity;
--| all entities|0||
--= create table: 1 request, 0 entities
--= table scan: 1 request, 0 entities

-- 2. Example data: orders of 40 days in autumn. Most are of the evening, few of weekends. 2026-11-11 has no order.
INSERT INTO example(PartitionKey, RowKey, Ordered)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999),
    placed(i, at) AS (SELECT i, aztables_datetime('2026-10-12', '+' || (i * 7 % 40) || ' days',
      '+' || iif(i % 3 = 0, 8 + i % 14, 18 + i % 4) || ' hours') FROM n)
  SELECT 'Käufer ' || (i % 20), printf('%05d', i), at FROM placed
  WHERE at NOT GLOB '2026-11-11*' AND (strftime('%w', at) BETWEEN '1' AND '5' OR i % 3 = 0);
--= EGT: 31 requests, 2,425 entities

-- 3. The report by Timestamp. All entities of the example were written just now, so only two rows are of interest.
.mode column
.headers on
SELECT * FROM daily_activity LIMIT 2;
.mode list
.headers off
--~ what            entities  percent  bar
--~ --------------  --------  -------  ----------------------------------------
--~ all entities    2425      100.0
--~ 2026-11-23 Mon  2425      100.0    ########################################
--= table scan: 3 requests, 2,425 entities

-- 4. The report by a property: only the view `writes` changes.
DROP VIEW temp.writes;
CREATE TEMP VIEW writes(at) AS SELECT Ordered FROM t;
.mode column
.headers on
SELECT * FROM daily_activity;
.mode list
.headers off
--| what            entities  percent  bar
--| --------------  --------  -------  ----------------------------------------
--| all entities    2425      100.0
--| earlier days    575       23.7
--| 2026-10-21 Wed  75        3.1      ########################################
--| 2026-10-22 Thu  75        3.1      ########################################
--| 2026-10-23 Fri  75        3.1      ########################################
--| 2026-10-24 Sat  25        1.0      #############
--| 2026-10-25 Sun  25        1.0      #############
--| 2026-10-26 Mon  75        3.1      ########################################
--| 2026-10-27 Tue  75        3.1      ########################################
--| 2026-10-28 Wed  75        3.1      ########################################
--| 2026-10-29 Thu  75        3.1      ########################################
--| 2026-10-30 Fri  75        3.1      ########################################
--| 2026-10-31 Sat  25        1.0      #############
--| 2026-11-01 Sun  25        1.0      #############
--| 2026-11-02 Mon  75        3.1      ########################################
--| 2026-11-03 Tue  75        3.1      ########################################
--| 2026-11-04 Wed  75        3.1      ########################################
--| 2026-11-05 Thu  75        3.1      ########################################
--| 2026-11-06 Fri  75        3.1      ########################################
--| 2026-11-07 Sat  25        1.0      #############
--| 2026-11-08 Sun  25        1.0      #############
--| 2026-11-09 Mon  75        3.1      ########################################
--| 2026-11-10 Tue  75        3.1      ########################################
--| 2026-11-11 Wed  0         0.0
--| 2026-11-12 Thu  75        3.1      ########################################
--| 2026-11-13 Fri  75        3.1      ########################################
--| 2026-11-14 Sat  25        1.0      #############
--| 2026-11-15 Sun  25        1.0      #############
--| 2026-11-16 Mon  75        3.1      ########################################
--| 2026-11-17 Tue  75        3.1      ########################################
--| 2026-11-18 Wed  75        3.1      ########################################
--| 2026-11-19 Thu  75        3.1      ########################################
--| 2026-11-20 Fri  75        3.1      ########################################
--| 00:00 to 00:59  0         0.0
--| 01:00 to 01:59  0         0.0
--| 02:00 to 02:59  0         0.0
--| 03:00 to 03:59  0         0.0
--| 04:00 to 04:59  0         0.0
--| 05:00 to 05:59  0         0.0
--| 06:00 to 06:59  0         0.0
--| 07:00 to 07:59  0         0.0
--| 08:00 to 08:59  68        2.8      #####
--| 09:00 to 09:59  72        3.0      ######
--| 10:00 to 10:59  67        2.8      #####
--| 11:00 to 11:59  72        3.0      ######
--| 12:00 to 12:59  68        2.8      #####
--| 13:00 to 13:59  71        2.9      ######
--| 14:00 to 14:59  68        2.8      #####
--| 15:00 to 15:59  71        2.9      ######
--| 16:00 to 16:59  67        2.8      #####
--| 17:00 to 17:59  72        3.0      ######
--| 18:00 to 18:59  468       19.3     #######################################
--| 19:00 to 19:59  471       19.4     ########################################
--| 20:00 to 20:59  369       15.2     ###############################
--| 21:00 to 21:59  421       17.4     ###################################
--| 22:00 to 22:59  0         0.0
--| 23:00 to 23:59  0         0.0
--= table scan: 3 requests, 2,425 entities

-- 5. The check: days and hours contain each entity once.
SELECT sum(entities) = 3 * (SELECT count(*) FROM t) AS complete FROM daily_activity;
SELECT entities = (SELECT count(*) FROM t WHERE Ordered >= '2026-11-20' AND Ordered < '2026-11-21') AS day_right
  FROM daily_activity WHERE what GLOB '2026-11-20*';
--| 1
--| 1
--= table scan: 10 requests, 7,350 entities
