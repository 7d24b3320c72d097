-- The beginning of every golden test: the module, and a view of the requests.
-- `.read sent.sql` prints the new requests: kind, request, status, entities.
.load $MODULE
.mode list
.headers off
.nullvalue NULL
CREATE TEMP TABLE shown(id INTEGER);
INSERT INTO shown VALUES (0);
CREATE TEMP VIEW sent AS
SELECT '   -> ' || kind || ': ' || method || ' '
       || substr(url, instr(substr(url, 9), '/') + 9)
       || ' => ' || coalesce(status, 'no response')
       || coalesce(' ' || code, '')
       || ', ' || entities || ' entities'
       || CASE WHEN attempts > 1 THEN ', ' || attempts || ' attempts' ELSE '' END AS line
FROM aztables_requests WHERE id > (SELECT id FROM shown) ORDER BY id;
