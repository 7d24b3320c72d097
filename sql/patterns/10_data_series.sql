-- Question: how do I store hourly figures of many machines, so that a chart of a day is one small read?
-- Key design: PartitionKey is the day, RowKey the machine. The 24 figures are properties H00 to H23 of one entity. All
-- machines of a day are one partition: an EGT writes the hour of 100 machines. RowKey finds one of them.
-- The original: two paragraphs, no code. An entity per hour makes a chart read 24 entities. With one entity and
-- InsertOrMerge it reads one. Averages and peaks were left to the application.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use an empty store, the account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo') WHERE name COLLATE NOCASE IN ('Cpu');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':machines', 400); -- or before: .parameter set :machines 6000

-- 1. Data: what the machines measured in a week, a row per machine and hour. In real use this is the table that a
-- collector fills. Machine m00042 was off on Wednesday night, and m00007 was overloaded on Friday at 14:00.
CREATE TEMP TABLE measured AS
  WITH RECURSIVE m(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM m WHERE i + 1 < :machines),
    h(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM h WHERE n + 1 < 7 * 24)
  SELECT date('2026-11-02', (n / 24) || ' days') AS day, n % 24 AS hour, printf('m%05d', i) AS machine,
    iif(i = 7 AND n = 110, 99.5,
      (100 + i % 10 * 20 + (12 - abs(n % 24 - 13)) * 30 + (i * 31 + n * 7919) % 97) / 10.0) AS cpu
  FROM h, m WHERE NOT (i = 42 AND n BETWEEN 68 AND 71);
--= list tables: 1 request, 0 entities

-- 2. The week until Sunday 21:59, in one statement. aztables_group_entity makes the properties of a row. The names of
-- the properties are data, so the virtual table needs no columns: infer=off. upsert=merge makes OR REPLACE an
-- InsertOrMerge.
CREATE VIRTUAL TABLE cpu USING aztables(table=Cpu, connection=demo, create=missing, parallel=1, infer=off,
  upsert=merge);
INSERT INTO cpu(PartitionKey, RowKey, _entity)
  SELECT day, machine, aztables_group_entity(printf('H%02d', hour), cpu, 'DOUBLE') FROM measured
  WHERE day < '2026-11-08' OR hour < 22 GROUP BY day, machine;
--= create table: 1 request, 0 entities
--= EGT: 28 requests, 2,800 entities

-- 3. Each hour: one statement for all machines. It sends one property per entity, reads nothing and keeps the others.
-- If the entity does not exist, as at midnight, the same statement creates it.
INSERT OR REPLACE INTO cpu(PartitionKey, RowKey, _entity)
  SELECT day, machine, aztables_set(NULL, printf('H%02d', hour), cpu, 'DOUBLE') FROM measured
  WHERE day = '2026-11-08' AND hour = 22;
--= EGT: 4 requests, 400 entities

-- 4. A collector got no response and repeats its statement: the second one changes nothing.
INSERT OR REPLACE INTO cpu(PartitionKey, RowKey, _entity)
  SELECT day, machine, aztables_set(NULL, printf('H%02d', hour), cpu, 'DOUBLE') FROM measured
  WHERE day = '2026-11-08' AND hour = 23;
INSERT OR REPLACE INTO cpu(PartitionKey, RowKey, _entity)
  SELECT day, machine, aztables_set(NULL, printf('H%02d', hour), cpu, 'DOUBLE') FROM measured
  WHERE day = '2026-11-08' AND hour = 23;
SELECT count(*) FROM cpu, aztables_each(_entity) WHERE PartitionKey = '2026-11-08' AND RowKey = 'm00007';
--| 24
--= EGT: 8 requests, 800 entities
--= point: 1 request, 1 entity

-- 5. The chart of a day: one point request for 24 figures. A mark is two percent.
SELECT substr(p.name, 2) AS hour, p.value AS cpu, printf('%.*c', round(p.value / 2), '#') AS chart
  FROM cpu, aztables_each(_entity) AS p WHERE PartitionKey = '2026-11-06' AND RowKey = 'm00007' ORDER BY hour;
--| 00|26.8|#############
--| 01|26.3|#############
--| 02|35.5|##################
--| 03|35.0|##################
--| 04|34.5|#################
--| 05|43.7|######################
--| 06|43.2|######################
--| 07|42.7|#####################
--| 08|51.9|##########################
--| 09|51.4|##########################
--| 10|60.6|##############################
--| 11|60.1|##############################
--| 12|59.6|##############################
--| 13|68.8|##################################
--| 14|99.5|##################################################
--| 15|55.8|############################
--| 16|59.0|##############################
--| 17|52.5|##########################
--| 18|46.0|#######################
--| 19|49.2|#########################
--| 20|42.7|#####################
--| 21|36.2|##################
--| 22|39.4|####################
--| 23|32.9|################
--= point: 1 request, 1 entity

-- 6. A view shows a row per figure. The report over a week reads one range of partitions: seven entities per machine
-- instead of 168. First the three machines with the highest average, then the three with the highest peak.
CREATE TEMP VIEW figures AS SELECT c.PartitionKey AS day, c.RowKey AS machine,
    CAST(substr(p.name, 2) AS INTEGER) AS hour, p.value AS cpu FROM cpu AS c, aztables_each(c._entity) AS p;
CREATE TEMP TABLE week AS SELECT machine, count(*) AS hours, avg(cpu) AS average, max(cpu) AS peak,
    day || printf(' %02d:00', hour) AS at FROM figures WHERE day BETWEEN '2026-11-02' AND '2026-11-08' GROUP BY machine;
--= partition range: 3 requests, 2,800 entities
SELECT machine, round(average, 2), peak FROM week ORDER BY average DESC, machine LIMIT 3;
SELECT machine, round(average, 2), peak, at FROM week ORDER BY peak DESC, machine LIMIT 3;
--| m00309|50.59|71.4
--| m00099|50.58|73.6
--| m00209|50.58|71.8
--| m00007|46.77|99.5|2026-11-06 14:00
--| m00049|50.55|73.6|2026-11-05 13:00
--| m00099|50.58|73.6|2026-11-08 13:00
--= no request

-- 7. A machine that did not measure: fewer than 168 figures.
SELECT machine, hours FROM week WHERE hours < 7 * 24;
SELECT count(*) AS hours, max(hour) FROM figures WHERE day = '2026-11-04' AND machine = 'm00042';
--| m00042|164
--| 20|19
--= point: 1 request, 1 entity

-- 8. The week of one machine: both keys are known, so seven points.
SELECT day, round(avg(cpu), 2) AS average, max(cpu) AS peak FROM figures
  WHERE day IN ('2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05', '2026-11-06', '2026-11-07', '2026-11-08')
    AND machine = 'm00007' GROUP BY day;
--| 2026-11-02|46.64|65.8
--| 2026-11-03|46.3|68.6
--| 2026-11-04|46.78|65.4
--| 2026-11-05|46.44|66.0
--| 2026-11-06|48.05|99.5
--| 2026-11-07|46.57|65.6
--| 2026-11-08|46.64|66.2
--= point: 7 requests, 7 entities

-- 9. What if upsert=merge is missing? OR REPLACE replaces the entity: one figure stays, 23 are lost. SELECT sees this
-- before COMMIT, and ROLLBACK drops it.
CREATE VIRTUAL TABLE wrong USING aztables(table=Cpu, connection=demo, parallel=1, infer=off);
BEGIN;
INSERT OR REPLACE INTO wrong(PartitionKey, RowKey, _entity) VALUES ('2026-11-08', 'm00007', '{"H23":50.5}');
SELECT _entity FROM wrong WHERE PartitionKey = '2026-11-08' AND RowKey = 'm00007';
ROLLBACK;
--| {"H23":50.5}
--= point: 1 request, 1 entity

-- 10. Entities of this design, and of one entity per machine and hour. EGTs and pages have a limit of entities, and the
-- service bills the size: keys and a Timestamp for each figure, or for 24 of them.
SELECT count(DISTINCT day || machine) AS here, count(*) AS entity_per_hour FROM measured;
--| 2800|67196
--= no request

-- 11. Proof: the figures of the service are those that the machines measured, each exactly once.
CREATE TEMP TABLE stored AS SELECT day, hour, machine, cpu FROM figures WHERE day BETWEEN '2026-11-02' AND '2026-11-08';
SELECT (SELECT count(*) FROM stored) = (SELECT count(*) FROM measured)
  AND NOT EXISTS (SELECT * FROM stored EXCEPT SELECT * FROM measured)
  AND NOT EXISTS (SELECT * FROM measured EXCEPT SELECT * FROM stored) AS all_figures;
--| 1
--= partition range: 3 requests, 2,800 entities
