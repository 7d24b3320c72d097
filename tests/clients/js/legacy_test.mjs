// The legacy client, azure-storage: tables, entities, batches, queries, ETags and signatures.
//
// Its batches accept Atom and have line feeds without carriage returns between their lines.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import test from "node:test";

import { account, endpoint } from "./client.mjs";

const { AZTABLES_JS_CLIENT: installed, AZTABLES_PRINTED: printed } = process.env;
const azure = createRequire(installed)("azure-storage");
const { TableBatch, TableQuery, TableUtilities } = azure;
const { entityGenerator: make } = TableUtilities;

// A promise interface of the service: each call returns its result.
function promised(service) {
  return new Proxy(service, {
    get: (target, name) => (...args) => new Promise((resolve, reject) => {
      target[name](...args, (error, result) => (error ? reject(error) : resolve(result)));
    }),
  });
}

const raw = azure.createTableService(printed);
const service = promised(raw);
let tables = 0;

async function newTable(t) {
  const name = `Legacy${process.pid}x${tables++}`;
  await service.createTable(name);
  t.after(() => service.deleteTableIfExists(name));
  return name;
}

const row = (rowKey, more = {}) => ({ PartitionKey: make.String("p"), RowKey: make.String(rowKey), ...more });
const plain = (entity) => Object.fromEntries(
  Object.entries(entity).filter(([name]) => name !== ".metadata").map(([name, { _ }]) => [name, _]));
const fails = (promise, status, code) => assert.rejects(promise, (error) => {
  assert.deepEqual([error.statusCode, error.code], [status, code], error.message);
  return true;
});

async function query(table, build = new TableQuery()) {
  const found = [];
  let token = null;
  do {
    const page = await service.queryEntities(table, build, token);
    found.push(...page.entries);
    token = page.continuationToken;
  } while (token);
  return found;
}
const rows = async (table, build) => (await query(table, build)).map((entity) => entity.RowKey._);

test("legacy: tables", async (t) => {
  const name = await newTable(t);
  assert.equal((await service.createTableIfNotExists(name)).created, false);
  assert.equal((await service.doesTableExist(name)).exists, true);
  assert.equal((await service.doesTableExist(`${name}no`)).exists, false);
  await fails(service.createTable(name), 409, "TableAlreadyExists");
  const { entries } = await service.listTablesSegmentedWithPrefix(name, null);
  assert.deepEqual(entries, [name]);
  await service.deleteTable(name);
  await fails(service.queryEntities(name, new TableQuery(), null), 404, "TableNotFound");
});

test("legacy: entities of every type", async (t) => {
  const table = await newTable(t);
  const entity = row("it's %+ ü", {
    text: make.String("x ☃"), int: make.Int32(-5), long: make.Int64("9007199254740993"),
    real: make.Double(2.5), yes: make.Boolean(true), when: make.DateTime(new Date(Date.UTC(2020, 1, 29))),
    id: make.Guid("a455c695-df98-5678-aaaa-81d3367e5a34"), bytes: make.Binary(Buffer.from([1, 255])),
  });
  await service.insertEntity(table, entity);
  const found = await service.retrieveEntity(table, "p", "it's %+ ü");
  const { Timestamp, ...values } = plain(found);
  assert.ok(Timestamp instanceof Date);
  assert.deepEqual(values, { ...plain(entity), id: "a455c695-df98-5678-aaaa-81d3367e5a34" });
  await fails(service.insertEntity(table, entity), 409, "EntityAlreadyExists");
  await fails(service.retrieveEntity(table, "p", "none"), 404, "ResourceNotFound");
});

test("legacy: replace, merge and delete with ETags", async (t) => {
  const table = await newTable(t);
  await service.insertOrReplaceEntity(table, row("r", { a: make.Int32(1), b: make.Int32(1) }));
  const first = await service.retrieveEntity(table, "p", "r");
  const old = first[".metadata"].etag;
  assert.match(old, /^W\/"datetime'/);
  await service.mergeEntity(table, { ...row("r", { a: make.Int32(2) }), ".metadata": { etag: old } });
  const stale = { ...row("r", { a: make.Int32(3) }), ".metadata": { etag: old } };
  for (const call of ["replaceEntity", "mergeEntity", "deleteEntity"]) {
    await fails(service[call](table, stale), 412, "UpdateConditionNotSatisfied");
    const wrong = { ...stale, ".metadata": { etag: 'W/"wrong"' } };
    await fails(service[call](table, wrong), 412, "UpdateConditionNotSatisfied");
    const malformed = { ...stale, ".metadata": { etag: "wrong" } };
    await fails(service[call](table, malformed), 400, "InvalidInput");
  }
  const merged = await service.retrieveEntity(table, "p", "r");
  assert.deepEqual([merged.a._, merged.b._], [2, 1]);
  await service.replaceEntity(table, { ...row("r", { a: make.Int32(4) }), ".metadata": merged[".metadata"] });
  await service.insertOrMergeEntity(table, row("r", { c: make.Int32(5) }));
  const last = await service.retrieveEntity(table, "p", "r");
  assert.deepEqual([last.a._, last.b, last.c._], [4, undefined, 5]);
  await service.deleteEntity(table, last);
  await fails(service.deleteEntity(table, row("r")), 404, "ResourceNotFound");
});

test("legacy: batches", async (t) => {
  const table = await newTable(t);
  await service.insertEntity(table, row("old", { a: make.Int32(1), b: make.Int32(1) }));
  await service.insertEntity(table, row("gone"));
  const batch = new TableBatch();
  batch.insertEntity(row("new", { a: make.Int64("5") }), { echoContent: true });
  batch.insertEntity(row("quiet"), { echoContent: false });
  batch.mergeEntity(row("old", { a: make.Int32(2) }));
  batch.deleteEntity(row("gone"));
  batch.insertOrReplaceEntity(row("replaced"));
  batch.insertOrMergeEntity(row("merged"));
  const done = await service.executeBatch(table, batch);
  assert.deepEqual(done.map(({ response }) => response.statusCode), [201, 204, 204, 204, 204, 204]);
  assert.equal(done[0].entity.a._, "5");
  assert.deepEqual(await rows(table), ["merged", "new", "old", "quiet", "replaced"]);
  assert.deepEqual(plain(await service.retrieveEntity(table, "p", "old")).b, 1);

  const bad = new TableBatch();
  bad.insertEntity(row("1"));
  bad.insertEntity(row("old"));
  await fails(service.executeBatch(table, bad), 409, "EntityAlreadyExists");
  const stale = new TableBatch();
  stale.insertEntity(row("1"));
  stale.replaceEntity({ ...row("old"), ".metadata": { etag: 'W/"wrong"' } });
  await fails(service.executeBatch(table, stale), 412, "UpdateConditionNotSatisfied");
  assert.deepEqual(await rows(table), ["merged", "new", "old", "quiet", "replaced"]);

  const read = new TableBatch();
  read.retrieveEntity("p", "old");
  const [one] = await service.executeBatch(table, read);
  assert.equal(one.entity.a._, 2);

  const hundred = new TableBatch();
  for (let i = 0; i < 100; i++) hundred.insertEntity(row(`h${i}`));
  assert.equal((await service.executeBatch(table, hundred)).length, 100);
});

test("legacy: queries, pages and select", async (t) => {
  const table = await newTable(t);
  for (const begin of [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]) {
    const batch = new TableBatch();
    for (let i = begin; i < begin + 100; i++) {
      batch.insertEntity(row(String(i).padStart(4, "0"), { n: make.Int32(i), big: make.Int64(String(i)) }));
    }
    await service.executeBatch(table, batch);
  }
  assert.equal((await query(table)).length, 1100);
  const some = new TableQuery().top(10).where("PartitionKey eq ?", "p").and("n ge ?", 1080);
  const page = await service.queryEntities(table, some, null);
  assert.equal(page.entries.length, 10);
  assert.deepEqual(await rows(table, some), Array.from({ length: 20 }, (_, i) => String(1080 + i)));
  const long = new TableQuery().where(TableQuery.int64Filter("big", "eq", "7"));
  assert.deepEqual(await rows(table, long), ["0007"]);
  const when = new TableQuery().where("Timestamp lt ?", new Date(0));
  assert.deepEqual(await rows(table, when), []);
  const [selected] = await query(table, new TableQuery().select("n").where("RowKey eq ?", "0042"));
  assert.deepEqual(plain(selected), { n: 42 });
  const constant = new TableQuery();
  constant.where("RowKey eq ? or false", "0042");
  assert.deepEqual(await rows(table, constant), ["0042"]);
});

test("legacy: shared access signatures and policies", async (t) => {
  const table = await newTable(t);
  await service.insertEntity(table, row("r"));
  const expiry = new Date(Date.now() + 3_600_000);
  const host = { primaryHost: endpoint };
  const signed = (policy) => promised(azure.createTableServiceWithSas(host,
    raw.generateSharedAccessSignature(table, policy)));
  const { SharedAccessPermissions: may } = TableUtilities;
  const reader = signed({ AccessPolicy: { Permissions: may.QUERY, Expiry: expiry } });
  assert.equal((await reader.retrieveEntity(table, "p", "r")).RowKey._, "r");
  await fails(reader.insertEntity(table, row("s")), 403, "AuthorizationPermissionMismatch");
  const adder = signed({ AccessPolicy: { Permissions: may.ADD, Expiry: expiry } });
  const batch = new TableBatch();
  batch.insertEntity(row("s"));
  batch.insertEntity(row("t"));
  await adder.executeBatch(table, batch);
  assert.deepEqual(await rows(table), ["r", "s", "t"]);
  const late = signed({ AccessPolicy: { Permissions: may.QUERY, Expiry: new Date(Date.now() - 60_000) } });
  await fails(late.retrieveEntity(table, "p", "r"), 403, "AuthenticationFailed");
  await service.setTableAcl(table, { named: { Permissions: may.QUERY, Start: new Date(0), Expiry: expiry } });
  assert.deepEqual(Object.keys((await service.getTableAcl(table)).signedIdentifiers), ["named"]);
  assert.equal((await signed({ Id: "named" }).retrieveEntity(table, "p", "s")).RowKey._, "s");
});

test("legacy: a wrong key", async (t) => {
  const table = await newTable(t);
  const stranger = promised(azure.createTableService(account, Buffer.from("wrong").toString("base64"), endpoint));
  await fails(stranger.queryEntities(table, new TableQuery(), null), 403, "AuthenticationFailed");
  await fails(stranger.insertEntity(table, row("r", { a: make.String("x".repeat(30_000)) })), 403,
    "AuthenticationFailed");
});
