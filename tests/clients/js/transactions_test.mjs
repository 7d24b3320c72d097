// Transactions (entity group transactions) with the JavaScript client.
import assert from "node:assert/strict";
import test from "node:test";

import { all, newTable, refused, sdk } from "./client.mjs";

const row = (i, more = {}) => ({ partitionKey: "p", rowKey: String(i).padStart(3, "0"), ...more });
const creates = (count) => Array.from({ length: count }, (_, i) => ["create", row(i)]);

test("every action in one transaction", async (t) => {
  const client = await newTable(t);
  for (const i of [1, 2, 3, 4, 5]) await client.createEntity(row(i, { a: i, b: i }));
  const { etag } = await client.getEntity("p", "005");
  const done = await client.submitTransaction([
    ["create", row(0, { a: 0n, c: new Date(0) })],
    ["update", row(1, { a: 10 }), "Merge"],
    ["update", row(2, { a: 20 }), "Replace"],
    ["delete", row(3)],
    ["upsert", row(4, { a: 40 }), "Replace"],
    ["update", row(5, { a: 50 }), "Merge", { etag }],
    ["upsert", row(6, { a: 60 }), "Merge"],
  ]);
  assert.equal(done.status, 202);
  assert.deepEqual(done.subResponses.map((one) => one.status), Array(7).fill(204));
  assert.equal(done.getResponseForEntity("000").etag, (await client.getEntity("p", "000")).etag);
  const found = await all(client.listEntities());
  assert.deepEqual(found.map(({ rowKey, a, b }) => [rowKey, a, b]), [
    ["000", 0n, undefined], ["001", 10, 1], ["002", 20, undefined], ["004", 40, undefined],
    ["005", 50, 5], ["006", 60, undefined],
  ]);
});

test("a transaction that fails names the operation and changes nothing", async (t) => {
  const client = await newTable(t);
  const { etag } = await client.createEntity(row(2));
  await client.updateEntity(row(2, { a: 1 }));
  const fails = (actions, status, code, text) =>
    refused(client.submitTransaction(actions), status, code, text);
  await fails([["create", row(0)], ["upsert", row(1)], ["create", row(2)], ["create", row(3)]], 409,
    "EntityAlreadyExists", "2:The specified entity already exists.");
  await fails([["create", row(0)], ["update", row(9)]], 404, "ResourceNotFound", "1:");
  await fails([["create", row(0)], ["delete", row(9)]], 404, "ResourceNotFound", "1:");
  await fails([["create", row(0)], ["update", row(2), "Replace", { etag }]], 412,
    "UpdateConditionNotSatisfied", "1:");
  await fails([["create", row(0)], ["upsert", row(0)]], 400, "InvalidDuplicateRow", "1:");
  await fails([["create", row(2)]], 409, "EntityAlreadyExists", "The specified entity already");
  assert.deepEqual((await all(client.listEntities())).map((found) => found.rowKey), ["002"]);
});

test("a hundred operations and one more", async (t) => {
  const client = await newTable(t);
  const done = await client.submitTransaction(creates(100));
  assert.equal(done.subResponses.length, 100);
  assert.equal((await all(client.listEntities())).length, 100);
  const deletes = creates(100).map(([, entity]) => ["delete", entity]);
  await client.submitTransaction(deletes);
  await refused(client.submitTransaction(creates(101)), 400, "InvalidInput",
    "99:The batch request operation exceeds the maximum 100 changes per change set.");
  assert.deepEqual(await all(client.listEntities()), []);
});

test("one partition only", async (t) => {
  const client = await newTable(t);
  // The client rejects this itself, and so does the helper class.
  await assert.rejects(client.submitTransaction([["create", row(0)],
    ["create", { partitionKey: "q", rowKey: "0" }]]), /same partitionKey/);
  const transaction = new sdk.TableTransaction();
  transaction.createEntity(row(1));
  transaction.upsertEntity(row(2, { a: 1 }), "Merge");
  transaction.deleteEntity("p", "001");
  await refused(client.submitTransaction(transaction.actions), 400, "InvalidDuplicateRow", "2:");
  transaction.actions.pop();
  await client.submitTransaction(transaction.actions);
  assert.equal((await all(client.listEntities())).length, 2);
});

test("a transaction larger than 4 MiB", async (t) => {
  const client = await newTable(t);
  const large = creates(70).map(([, entity]) => ["create", { ...entity, a: "x".repeat(30_000),
    b: "y".repeat(31_000) }]);
  await client.submitTransaction(large.slice(0, 60));
  await client.deleteEntity("p", "000");
  await refused(client.submitTransaction(large), 413, "RequestBodyTooLarge");
  assert.equal((await all(client.listEntities())).length, 59);
});

test("odd keys in a transaction", async (t) => {
  const client = await newTable(t);
  const texts = ["", "'", "it's", "%27", "a+b c", "100%", "ключ", "🦊"];
  const actions = (verb) => texts.map((rowKey) => [verb, { partitionKey: "it's %+ ü", rowKey, a: 1 }]);
  await client.submitTransaction(actions("create"));
  await client.submitTransaction(actions("update"));
  assert.deepEqual((await all(client.listEntities())).map((found) => found.rowKey), [...texts].sort());
  await client.submitTransaction(actions("delete"));
  assert.deepEqual(await all(client.listEntities()), []);
});
