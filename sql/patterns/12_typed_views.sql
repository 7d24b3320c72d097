-- Question: one table holds employees and departments. How do I read each type by its columns and keep a count right?
-- Key design: PartitionKey is the department. RowKey is the employee's number, '00001', or 'Department'. Digits sort
-- before 'D': the employees are a range of the partition, the department is a point of it. One EGT can change both.
-- The original: a table of 4 entities, 0 lines of code, an EmployeeCount of 153 with 2 employees shown. It keeps types
-- in one table because an EGT spans one partition. It has no way to check the count.
--
-- It needs a connection `demo`. sql/README.md describes how to run it and how to read its results.
.load ./aztables
-- The script stops if the account already has its tables, because it changes and drops them.
.bail on
CREATE TEMP TABLE clash(name CONSTRAINT "use an empty store, the account has such a table" CHECK (name IS NULL));
INSERT INTO clash SELECT name FROM aztables_tables('demo') WHERE name COLLATE NOCASE IN ('Company');
.bail off
.parameter init
INSERT OR IGNORE INTO temp.sqlite_parameters VALUES (':employees', 10000); -- before: .parameter set :employees 1000000

-- Three virtual tables show one remote table. Two declare the properties of a type, the third those that a check needs.
-- With atomic=strict, a transaction that needs a second EGT is refused before its first request.
CREATE VIRTUAL TABLE employee USING aztables(table=Company, connection=demo, create=missing, parallel=1,
  atomic=strict, FirstName STRING, LastName STRING, Age INT32, Email STRING);
CREATE VIRTUAL TABLE department USING aztables(table=Company, connection=demo, create=missing, parallel=1,
  atomic=strict, DepartmentName STRING, EmployeeCount INT32);
CREATE VIRTUAL TABLE company USING aztables(table=Company, connection=demo, parallel=1, access=read,
  LastName STRING, EmployeeCount INT32);

-- The views select a type by its keys and name the keys. They are TEMP views: others need PRAGMA trusted_schema=ON.
CREATE TEMP VIEW employees AS
  SELECT PartitionKey AS department, RowKey AS number, FirstName, LastName, Age, Email FROM employee
  WHERE RowKey < 'Department';
CREATE TEMP VIEW departments AS
  SELECT PartitionKey AS department, DepartmentName, EmployeeCount, _etag AS etag FROM department
  WHERE RowKey = 'Department';

-- 1. Data: the employees of the original, 153 in Marketing, and divisions of 500 for the others. The load needs many
-- EGTs, so it lifts atomic=strict. bulk=on keeps its memory bounded. Departments get counts from employees.
INSERT INTO employee(_command) VALUES ('atomic=egt'), ('bulk=on');
INSERT INTO department(_command) VALUES ('atomic=egt'), ('bulk=on');
INSERT INTO employee(PartitionKey, RowKey, FirstName, LastName, Age, Email) VALUES
  ('Marketing', '00001', 'Don', 'Hall', 34, 'donh@contoso.com'),
  ('Marketing', '00002', 'Jun', 'Cao', 47, 'junc@contoso.com'),
  ('Sales', '00010', 'Ken', 'Kwok', 23, 'kenk@contoso.com');
INSERT INTO employee(PartitionKey, RowKey, FirstName, LastName, Age, Email)
  WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :employees)
  SELECT CASE WHEN i <= 153 THEN 'Marketing' ELSE printf('Division %04d', (i - 154) / 500) END,
    printf('%05d', CASE WHEN i <= 153 THEN i ELSE (i - 154) % 500 + 1 END),
    'First' || (i % 97), 'Last' || (i % 1009), 18 + i % 47, 'e' || i || '@contoso.com' FROM n;
INSERT INTO department(PartitionKey, RowKey, DepartmentName, EmployeeCount)
  SELECT department, 'Department', department, count(*) FROM employees GROUP BY department;
INSERT INTO employee(_command) VALUES ('reset');
INSERT INTO department(_command) VALUES ('reset');
--= list tables: 1 request, 0 entities
--= create table: 2 requests, 0 entities
--= EGT: 125 requests, 10,022 entities
--= table scan: 10 requests, 10,000 entities

-- 2. A typed read. The view's names become conditions on keys: a point, and a range of one partition.
SELECT FirstName, LastName, Age, Email FROM employees WHERE department = 'Marketing' AND number = '00001';
SELECT count(*), min(number), max(number) FROM employees WHERE department = 'Marketing' AND Age >= 60;
--| Don|Hall|34|donh@contoso.com
--| 15|00042|00140
--= point: 1 request, 1 entity
--= row range: 1 request, 15 entities

-- 3. A join of two types: two points.
SELECT LastName, DepartmentName, EmployeeCount FROM employees JOIN departments USING (department)
  WHERE department = 'Marketing' AND number = '00002';
--| Cao|Marketing|153
--= point: 2 requests, 2 entities

-- 4. Both types in one request. They share a partition, so one range returns them. A property that an entity does not
-- have is NULL. _entity shows what it has.
SELECT RowKey, LastName, EmployeeCount, _entity FROM company WHERE PartitionKey = 'Marketing' AND RowKey >= '00152';
--| 00152|Last152||{"Age":29,"Email":"e152@contoso.com","FirstName":"First55","LastName":"Last152"}
--| 00153|Last153||{"Age":30,"Email":"e153@contoso.com","FirstName":"First56","LastName":"Last153"}
--| Department||153|{"DepartmentName":"Marketing","EmployeeCount":153}
--= row range: 1 request, 3 entities

-- 5. All departments. Keys alone cannot select them: the service reads the whole table and returns one entity per
-- department. If you know the departments, name them: a list of departments becomes points.
SELECT count(*), max(EmployeeCount) FROM departments;
SELECT department, EmployeeCount FROM departments WHERE department IN ('Marketing', 'Sales') ORDER BY department;
--| 22|500
--| Marketing|153
--| Sales|1
--= table scan: 1 request, 22 entities
--= point: 2 requests, 2 entities

-- 6. Somebody is hired. The employee and the count are one EGT: both change, or neither.
BEGIN;
INSERT INTO employee(PartitionKey, RowKey, FirstName, LastName, Age) VALUES ('Sales', '00011', 'Ada', 'Byron', 36);
UPDATE department SET EmployeeCount = EmployeeCount + 1 WHERE PartitionKey = 'Sales' AND RowKey = 'Department';
SELECT partition_key, inserts, updates, egt_number FROM aztables_pending;
COMMIT;
--| Sales|1|1|1
--= point: 1 request, 1 entity
--= EGT: 1 request, 2 entities

-- 7. The same request arrives again. The service refuses the number, so the EGT fails and the count stays at 2.
BEGIN;
INSERT INTO employee(PartitionKey, RowKey, FirstName, LastName, Age) VALUES ('Sales', '00011', 'Ada', 'Byron', 36);
UPDATE department SET EmployeeCount = EmployeeCount + 1 WHERE PartitionKey = 'Sales' AND RowKey = 'Department';
COMMIT;
--! Runtime error: writing to table Company (connection 'demo') failed: the entity PartitionKey='Sales', RowKey='00011' already exists; INSERT OR IGNORE keeps it, OR REPLACE overwrites it [409 EntityAlreadyExists, request id REQUEST-ID]; 0 of 1 EGTs applied: see aztables_commits (19)
--= point: 1 request, 1 entity
--= EGT: 1 request, 0 entities
SELECT EmployeeCount FROM departments WHERE department = 'Sales';
--| 2
--= point: 1 request, 1 entity

-- 8. A transfer to another department changes two partitions, so no EGT can hold it. atomic=strict refuses it. To do
-- it, set atomic=egt for it, and run steps 10 and 11 if its COMMIT fails.
UPDATE employee SET PartitionKey = 'Sales' WHERE PartitionKey = 'Marketing' AND RowKey = '00002';
--! Runtime error: the transaction needs 2 entity group transactions, and atomic=strict allows one; nothing was sent
--= point: 1 request, 1 entity

-- 9. The counts become wrong: an older program adds and deletes employees without their departments.
INSERT INTO employee(PartitionKey, RowKey, FirstName, LastName) VALUES ('Marketing', '00200', 'Eve', 'Late');
DELETE FROM employee WHERE PartitionKey = 'Division 0003' AND RowKey = '00007';
--= EGT: 2 requests, 2 entities
--= point: 1 request, 1 entity

-- 10. Check all counts in one pass. Rows arrive in the order of the keys, so GROUP BY needs neither a sort nor memory.
-- A join of departments with employees would send a query per department.
CREATE TEMP VIEW counts AS
  SELECT PartitionKey AS department, count(*) FILTER (WHERE RowKey < 'Department') AS counted,
    max(EmployeeCount) AS stored
  FROM company GROUP BY PartitionKey;
SELECT * FROM counts WHERE counted IS NOT stored;
--| Division 0003|499|500
--| Marketing|154|153
--= table scan: 11 requests, 10,023 entities

-- 11. Mend the counts while others work. The ETags are read first, then the employees. Each hiring as in step 6 changes
-- the ETag of its department. The UPDATE compares the ETag, so it writes no count that a hiring made old. Here somebody
-- is hired in between: the UPDATE leaves this department for the next run. Each department is an EGT of its own.
CREATE TEMP TABLE seen AS SELECT department, etag FROM departments;
CREATE TEMP TABLE wrong AS
  SELECT department, etag, counted FROM seen JOIN counts USING (department) WHERE counted IS NOT stored;
BEGIN;
INSERT INTO employee(PartitionKey, RowKey, FirstName, LastName) VALUES ('Marketing', '00201', 'Max', 'Between');
UPDATE department SET EmployeeCount = EmployeeCount + 1 WHERE PartitionKey = 'Marketing' AND RowKey = 'Department';
COMMIT;
INSERT INTO department(_command) VALUES ('atomic=egt');
UPDATE department SET EmployeeCount = wrong.counted FROM wrong
  WHERE PartitionKey = wrong.department AND RowKey = 'Department' AND _etag = wrong.etag;
SELECT changes() || ' of ' || count(*) FROM wrong;
--| 1 of 2
--= table scan: 12 requests, 10,045 entities
--= point: 3 requests, 3 entities
--= EGT: 2 requests, 3 entities

-- 12. The next run mends it. Its statements are the same.
DELETE FROM seen;
DELETE FROM wrong;
INSERT INTO seen SELECT department, etag FROM departments;
INSERT INTO wrong SELECT department, etag, counted FROM seen JOIN counts USING (department) WHERE counted IS NOT stored;
UPDATE department SET EmployeeCount = wrong.counted FROM wrong
  WHERE PartitionKey = wrong.department AND RowKey = 'Department' AND _etag = wrong.etag;
SELECT department, counted FROM wrong;
--| Marketing|155
--= table scan: 12 requests, 10,046 entities
--= point: 1 request, 1 entity
--= EGT: 1 request, 1 entity

-- 13. The proof: no count is wrong. Marketing had 153 employees, and two were added.
SELECT count(*) = 0 AS correct FROM counts WHERE counted IS NOT stored;
SELECT EmployeeCount FROM departments WHERE department = 'Marketing';
--| 1
--| 155
--= table scan: 11 requests, 10,024 entities
--= point: 1 request, 1 entity
