-- What every golden test begins with: the module, and a way to show the requests that were sent.
-- `.read sent.sql` prints those since it was last read: kind, what was asked, status, entities.
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
