-- Twenty wrong inputs of a new user. A clear intention is carried out. Otherwise the message
-- contains the correct form.
SELECT aztables_create_table('demo.Orders');
.print == 1: the name of a table is too short
CREATE VIRTUAL TABLE short USING aztables(table=ab, connection=demo, Amount DOUBLE);
.print == 2: the name of the virtual table is not a valid name of a remote table
CREATE VIRTUAL TABLE my_orders USING aztables(connection=demo, Amount DOUBLE);
.print == 3: a name that the service reserves
SELECT aztables_create_table('demo.Tables');
.print == 4: the connection is before the table
CREATE VIRTUAL TABLE four USING aztables(table=demo.Orders, Amount DOUBLE);
SELECT count(*) FROM four;
.print == 5: and there is also another connection
CREATE VIRTUAL TABLE five USING aztables(table=demo.Orders, connection=closed, Amount DOUBLE);
.print == 6: a misspelled table with declared columns
CREATE VIRTUAL TABLE six USING aztables(table=Order, connection=demo, Amount DOUBLE);
SELECT * FROM six;
INSERT INTO six(PartitionKey, RowKey, Amount) VALUES ('a', '1', 2.5);
.print == 7: no comma between two options
CREATE VIRTUAL TABLE seven USING aztables(table=Orders connection=demo);
.print == 8: no comma between two columns
CREATE VIRTUAL TABLE eight USING aztables(table=Orders, connection=demo, Amount DOUBLE Paid BOOLEAN);
.print == 9: the table without its option
CREATE VIRTUAL TABLE nine USING aztables('Orders', connection=demo);
.print == 10: an option without =
CREATE VIRTUAL TABLE ten USING aztables(table=Orders, connection demo);
.print == 11: a colon in place of =
CREATE VIRTUAL TABLE eleven USING aztables(table:Orders, connection=demo);
.print == 12: an option without its value
CREATE VIRTUAL TABLE twelve USING aztables(table=Orders, connection=demo, bulk, Amount DOUBLE);
.print == 13: another word for on
CREATE VIRTUAL TABLE thirteen USING aztables(table=Orders, connection=demo, bulk=TRUE, Amount DOUBLE);
INSERT INTO thirteen(PartitionKey, RowKey, Amount) VALUES ('a', '1', 2.5);
SELECT Amount FROM thirteen;
.print == 14: a time limit of two hours
CREATE VIRTUAL TABLE fourteen USING aztables(table=Orders, connection=demo, max_seconds=7200, Amount DOUBLE);
SELECT Amount FROM fourteen;
.print == 15: an invalid value of an option
CREATE VIRTUAL TABLE fifteen USING aztables(table=Orders, connection=demo, scan=never, Amount DOUBLE);
.print == 16: a file name in place of a connection string
SELECT aztables_connect('a', 'demo.db');
.print == 17: a new store, perhaps with a misspelled name
SELECT aztables_connect('b', 'LocalStore=dmeo.db');
.print == 18: a command for an option that only CREATE can set, and one for an unknown option
INSERT INTO four(_command) VALUES ('connection=closed');
INSERT INTO four(_command) VALUES ('skan=deny');
INSERT INTO four(_command) VALUES ('refresh=1');
.print == 19: a modifier for a key in time order
SELECT aztables_reverse_ticks('2026-11-20', '-1 day') = aztables_reverse_ticks('2026-11-19');
.print == 20: no server is running
CREATE VIRTUAL TABLE twenty USING aztables(table=Orders, connection=closed, Amount DOUBLE);
SELECT * FROM twenty;
INSERT INTO twenty(PartitionKey, RowKey) VALUES ('a', '1');
SELECT kind, attempts FROM aztables_requests ORDER BY id DESC LIMIT 2;
