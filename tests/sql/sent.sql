-- Prints the requests since the last use of this file.
SELECT line FROM sent;
UPDATE shown SET id = coalesce((SELECT max(id) FROM aztables_requests), 0);
