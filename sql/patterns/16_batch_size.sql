-- Question: how many entities should one EGT have, if I count latency and cost?
-- Key design: a partition per size, so that aztables_commits shows which size an EGT had. The option `batch=N` limits
-- the operations of an EGT. aztables_requests has its milliseconds.
-- The original: section "Selecting the Appropriate Request Size" with figures 3 to 7. It does not show its test
-- program, which ran on two sizes of machines. Most gets took under 40 ms, most single inserts under 50 ms (figure 3).
-- Most EGTs of 100 took under 1.2 s (figure 4). The latency per entity fell until 20 entities per EGT (figures 5 and
-- 6). 30 threads with many partitions had the same best size (figure 7).
--
-- It needs a connection `demo`. sql/README.md describes how to run it. Times differ between runs. Results that begin
-- with `--~` are examples from a local store. `build/aztables-server --store :memory: --simulate latency=20` acts like a
-- service with 20 ms per request.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use an empty store, the account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo') WHERE name COLLATE NOCASE IN ('BatchSizes');
.bail off
.parameter init
-- Entities per size. Up to 7,000: the two tables remember the last 10,000 EGTs and requests.
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':entities', 500);

-- 1. The load is the same for each size: about 0.5 KB per entity. `parallel=1` sends one EGT after the other, like the
-- single thread of figures 3 to 6.
CREATE VIRTUAL TABLE loads USING aztables(table=BatchSizes, connection=demo, create=missing, parallel=1,
  Number INT32, Value DOUBLE, Text STRING);
CREATE TEMP TABLE entities AS
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :entities)
  SELECT printf('%06d', i) AS RowKey, i AS Number, i / 4.0 AS Value, printf('%.*c', 400, 'x') AS Text FROM n;
INSERT INTO loads(_command) VALUES ('batch=1');
INSERT INTO loads(PartitionKey, RowKey, Number, Value, Text) SELECT 'batch 1', * FROM entities;
INSERT INTO loads(_command) VALUES ('batch=5');
INSERT INTO loads(PartitionKey, RowKey, Number, Value, Text) SELECT 'batch 5', * FROM entities;
INSERT INTO loads(_command) VALUES ('batch=10');
INSERT INTO loads(PartitionKey, RowKey, Number, Value, Text) SELECT 'batch 10', * FROM entities;
INSERT INTO loads(_command) VALUES ('batch=20');
INSERT INTO loads(PartitionKey, RowKey, Number, Value, Text) SELECT 'batch 20', * FROM entities;
INSERT INTO loads(_command) VALUES ('batch=50');
INSERT INTO loads(PartitionKey, RowKey, Number, Value, Text) SELECT 'batch 50', * FROM entities;
INSERT INTO loads(_command) VALUES ('batch=100');
INSERT INTO loads(PartitionKey, RowKey, Number, Value, Text) SELECT 'batch 100', * FROM entities;
--= list tables: 1 request, 0 entities
--= create table: 1 request, 0 entities
--= EGT: 690 requests, 3,000 entities

-- 2. Cost. Azure bills a transaction per EGT, not per entity. So the cost falls with the size up to the limit of 100:
-- with EGTs of 50, a load costs twice as much. These figures are the same in each run.
CREATE TEMP TABLE measured AS
  SELECT substr(c.partition_key, 7) + 0 AS size, c.operations, r.ms
  FROM aztables_commits AS c JOIN aztables_requests AS r USING (request_id)
  WHERE c.table_name = 'BatchSizes' AND c.outcome = 'applied';
SELECT 'batch', 'EGTs', 'entities', 'EGTs per million entities';
SELECT printf('%5d %5d %6d %8d %s', size, count(*), sum(operations), 1e6 / size, printf('%.*c', 50 / size, '#'))
  FROM measured GROUP BY size;
--| batch|EGTs|entities|EGTs per million entities
--|     1   500    500  1000000 ##################################################
--|     5   100    500   200000 ##########
--|    10    50    500   100000 #####
--|    20    25    500    50000 ##
--|    50    10    500    20000 #
--|   100     5    500    10000 #
--= no request

-- 3. Latency per EGT, as in figure 5, and per entity, as in figure 6. The first bar grows slowly: an EGT of 100 is one
-- round trip, and a local store flushes the disk once. The second bar falls steeply until 20, then little. The original
-- concludes: if latency matters most, send several EGTs of 20 at once. If cost matters most, send 100.
SELECT 'batch', 'ms per EGT', 'ms per entity';
WITH figure AS (SELECT size, avg(ms) AS per_egt, sum(ms) / sum(operations) AS per_entity FROM measured GROUP BY size)
  SELECT printf('%5d %8.2f %-30s %8.3f %s', size, per_egt,
    printf('%.*c', 1 + 29 * per_egt / max(per_egt) OVER (), '#'), per_entity,
    printf('%.*c', 1 + 29 * per_entity / max(per_entity) OVER (), '#')) FROM figure ORDER BY size;
--~ batch|ms per EGT|ms per entity
--~     1     5.74 #######################           5.738 ##############################
--~     5     4.71 ###################               0.941 #####
--~    10     5.47 ######################            0.547 ###
--~    20     7.47 ##############################    0.373 ##
--~    50     6.79 ###########################       0.136 #
--~   100     7.45 #############################     0.075 #
--= no request

-- 4. Points, for figure 3: single gets against single inserts. And figure 4: the distribution of EGTs of 100. The
-- median tells more than the average: one slow request moves the average.
SELECT count(*), sum(l.Number) FROM entities AS e CROSS JOIN loads AS l
  WHERE e.Number < 100 AND l.PartitionKey = 'batch 1' AND l.RowKey = e.RowKey;
--| 100|4950
--= point: 100 requests, 100 entities
WITH sample(what, ms) AS (
    SELECT 'get of 1', ms FROM aztables_requests WHERE table_name = 'BatchSizes' AND kind = 'point'
    UNION ALL SELECT printf('EGT of %d', size), ms FROM measured WHERE size IN (1, 100)),
  ranked AS (SELECT what, ms, percent_rank() OVER (PARTITION BY what ORDER BY ms) AS share FROM sample)
  SELECT printf('%-10s', what), count(*) AS requests, printf('half under %.2f ms', min(ms) FILTER (WHERE share >= 0.5)),
    printf('90%% under %.2f ms', min(ms) FILTER (WHERE share >= 0.9)), printf('all under %.2f ms', max(ms))
  FROM ranked GROUP BY what ORDER BY what DESC;
--~ get of 1  |100|half under 0.01 ms|90% under 0.02 ms|all under 0.11 ms
--~ EGT of 100|5|half under 7.78 ms|90% under 14.08 ms|all under 14.08 ms
--~ EGT of 1  |500|half under 4.02 ms|90% under 11.74 ms|all under 20.09 ms
--= no request

-- 5. Figure 7: many partitions, 30 requests at once. Each partition gets 100 entities. The throughput is the entities
-- divided by the time from the first request to the last response. With 500 entities, only 5 EGTs of 100 are under way.
-- Set 7,000 for a fair comparison.
INSERT INTO loads(_command) VALUES ('parallel=30');
INSERT INTO loads(_command) VALUES ('batch=1');
INSERT INTO loads(PartitionKey, RowKey, Number, Value, Text)
  SELECT printf('spread 1 %d', Number / 100), * FROM entities;
INSERT INTO loads(_command) VALUES ('batch=20');
INSERT INTO loads(PartitionKey, RowKey, Number, Value, Text)
  SELECT printf('spread 20 %d', Number / 100), * FROM entities;
INSERT INTO loads(_command) VALUES ('batch=100');
INSERT INTO loads(PartitionKey, RowKey, Number, Value, Text)
  SELECT printf('spread 100 %d', Number / 100), * FROM entities;
INSERT INTO loads(_command) VALUES ('reset');
--= EGT: 530 requests, 1,500 entities
WITH spread AS (
    SELECT substr(c.partition_key, 8) + 0 AS size, sum(c.operations) AS entities,
      max(julianday(r.time) * 86400e3 + r.ms) - min(julianday(r.time) * 86400e3) AS ms
    FROM aztables_commits AS c JOIN aztables_requests AS r USING (request_id)
    WHERE c.table_name = 'BatchSizes' AND c.partition_key GLOB 'spread *' AND c.outcome = 'applied' GROUP BY 1)
  SELECT printf('%5d %8d entities per second %s', size, 1000 * entities / ms,
    printf('%.*c', 1 + 29 * entities / ms / max(entities / ms) OVER (), '#')) FROM spread ORDER BY size;
--~     1     3707 entities per second ####
--~    20    23988 entities per second #######################
--~   100    31189 entities per second ##############################
--= no request

-- 6. The conclusions, checked: all loads are complete, and a full EGT costs the least time per entity by far.
SELECT count(*) = 9 * :entities AS complete FROM loads;
SELECT 3 * (SELECT sum(ms) / sum(operations) FROM measured WHERE size = 100)
  < (SELECT sum(ms) / sum(operations) FROM measured WHERE size = 1) AS batching_pays;
--| 1
--| 1
--= table scan: 5 requests, 4,500 entities
