-- What the README's first look looks at: 2,400 readings of three boilers, one every ten hours.
.load ./aztables
SELECT aztables_create_table('demo.Readings');
CREATE VIRTUAL TABLE filled USING aztables(table=Readings, connection=demo, infer=off,
  Celsius DOUBLE, Status STRING, Load INT32, Burner INT64);
BEGIN;
INSERT INTO filled(PartitionKey, RowKey, Celsius, Status, Load, Burner)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 799)
  SELECT 'boiler-' || b.column1,
         strftime('%Y-%m-%dT%H:%MZ', '2026-01-01', (i * 10) || ' hours'),
         60 + 5 * b.column1 + (i * 37 % 113) / 8.0,
         CASE WHEN i % 50 = 7 THEN 'alarm' WHEN i % 9 = 0 THEN 'idle' ELSE 'ok' END,
         CASE WHEN i % 9 <> 0 THEN i * 29 % 100 END,
         CASE WHEN b.column1 = 3 AND i >= 600 THEN 4294967296 + i END
  FROM n, (VALUES (1), (2), (3)) b;
COMMIT;
.print
