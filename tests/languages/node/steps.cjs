// The steps of a script in Node: loads the module, creates a table, writes 5,000 rows, reads them,
// rolls a change back, causes a conflict, and binds numbers. node_test.py runs it in each host.
//
// usage: node steps.cjs MODULE node:sqlite|PATH_OF_better_sqlite3 close|leave
//   close   closes the database connection
//   leave   leaves it to the end of the process
//
// AZTABLES_CONNECTION_DEMO is the connection to the service. AZTABLES_CONNECTION_DISTRUST, if set,
// is a connection to the same service without its certificate.
"use strict";
const assert = require("node:assert/strict");
const path = require("node:path");

const ROWS = 5000;
const CONFLICT = 1555; // SQLITE_CONSTRAINT_PRIMARYKEY

// A common interface of both hosts: exec(sql), all(sql), run(sql, ...values), codeOf(error),
// close(). allBig(sql) is all(sql) with every integer as a BigInt.
function openNodeSqlite(file) {
  const { DatabaseSync } = require("node:sqlite");
  const db = new DatabaseSync(":memory:", { allowExtension: true });
  db.enableLoadExtension(true);
  db.loadExtension(file);
  return {
    exec: (sql) => db.exec(sql),
    all: (sql) => db.prepare(sql).all(),
    allBig: (sql) => {
      const statement = db.prepare(sql);
      statement.setReadBigInts(true);
      return statement.all();
    },
    run: (sql, ...values) => db.prepare(sql).run(...values),
    codeOf: (error) => error.errcode,
    close: () => db.close(),
  };
}

function openBetterSqlite(file, folder) {
  const Database = require(path.join(folder, "node_modules/better-sqlite3"));
  const db = new Database(":memory:", { nativeBinding: path.join(folder, "better_sqlite3.node") });
  db.loadExtension(file);
  return {
    exec: (sql) => db.exec(sql),
    all: (sql) => db.prepare(sql).all(),
    allBig: (sql) => db.prepare(sql).safeIntegers().all(),
    run: (sql, ...values) => db.prepare(sql).run(...values),
    codeOf: (error) => (error.code === "SQLITE_CONSTRAINT_PRIMARYKEY" ? CONFLICT : error.code),
    close: () => db.close(),
  };
}

const [module_, binding, ending] = process.argv.slice(2);
const db = binding === "node:sqlite" ? openNodeSqlite(module_) : openBetterSqlite(module_, binding);
const counted = () => db.all("SELECT count(*) AS rows, sum(N) AS sum FROM t")[0];
const table = `Rows${process.pid}`;

function failure(sql) {
  try {
    db.exec(sql);
  } catch (error) {
    return error;
  }
  throw new Error(`this succeeded: ${sql}`);
}

if (process.env.AZTABLES_CONNECTION_DISTRUST) {
  const error = failure("SELECT aztables_create_table('distrust.Never')");
  assert.match(error.message, /no secure connection to https:.*certificate/);
}

db.exec(`SELECT aztables_create_table('demo.${table}')`);
db.exec(`CREATE VIRTUAL TABLE t USING aztables(table=${table}, connection=demo, N INT32, S STRING)`);
db.exec("BEGIN");
db.exec(
  `INSERT INTO t(PartitionKey, RowKey, N, S) WITH RECURSIVE c(i) AS
   (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < ${ROWS - 1})
   SELECT i / 100, printf('%05d', i), i, 'row "' || i || '" é' FROM c`,
);
db.exec("COMMIT");

const rows = db.all("SELECT RowKey, N, S, Timestamp, _entity FROM t ORDER BY N");
assert.equal(rows.length, ROWS);
rows.forEach((row, i) => {
  assert.equal(row.N, i);
  assert.equal(row.RowKey, String(i).padStart(5, "0"));
  assert.equal(row.S, `row "${i}" é`);
  assert.equal(JSON.parse(row._entity).N, i);
});

const whole = { rows: ROWS, sum: (ROWS * (ROWS - 1)) / 2 };
db.exec("BEGIN");
db.exec("UPDATE t SET N = -1 WHERE PartitionKey = '7'");
db.exec("DELETE FROM t WHERE PartitionKey = '8'");
assert.equal(counted().rows, ROWS - 100);
db.exec("ROLLBACK");
assert.deepEqual({ ...counted() }, whole);

db.exec("BEGIN");
db.exec("INSERT INTO t(PartitionKey, RowKey, N) VALUES('7', '00700', -1)");
const conflict = failure("COMMIT");
assert.equal(db.codeOf(conflict), CONFLICT, conflict.message); // the transaction has ended
assert.deepEqual({ ...counted() }, whole);

// Node binds a number as REAL and a BigInt as INTEGER. REFERENCE.md describes the effects.
const LARGE = 9007199254740993n; // 2^53 + 1
db.exec(`CREATE VIRTUAL TABLE bound USING aztables(table=${table}, connection=demo, A ANY, N INT32, L INT64, S STRING)`);
const insert = "INSERT INTO bound(PartitionKey, RowKey, A, N, L, S) VALUES('bound', ?, ?, ?, ?, ?)";
db.run(insert, "number", 5, 5, 5, 5);
db.run(insert, "bigint", LARGE, 5n, LARGE, 5n);
const types = (row) =>
  db.all(`SELECT group_concat(p.name || ' ' || p.type || ' ' || p.value, ', ') AS types
          FROM (SELECT _entity FROM bound WHERE PartitionKey = 'bound' AND RowKey = '${row}') b, aztables_each(b._entity) p`)[0].types;
assert.equal(types("number"), "A DOUBLE 5.0, L INT64 5, N INT32 5, S STRING 5.0");
assert.equal(types("bigint"), `A INT64 ${LARGE}, L INT64 ${LARGE}, N INT32 5, S STRING 5`);
const large = "SELECT L FROM bound WHERE PartitionKey = 'bound' AND RowKey = 'bigint'";
if (binding === "node:sqlite") {
  assert.throws(() => db.all(large), /too large/);
} else {
  assert.equal(db.all(large)[0].L, 9007199254740992); // rounded without an error
}
assert.equal(db.allBig(large)[0].L, LARGE);

if (ending === "close") db.close();
console.log(`done: ${process.version} ${binding === "node:sqlite" ? binding : "better-sqlite3"}`);
