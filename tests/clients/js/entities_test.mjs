// Entities with the JavaScript client: types, every write method, keys of any text.
import assert from "node:assert/strict";
import test from "node:test";

import { all, newTable, refused } from "./client.mjs";

const keys = { partitionKey: "p", rowKey: "r" };

test("every type is returned unchanged", async (t) => {
  const client = await newTable(t);
  const guid = { value: "a455c695-df98-5678-aaaa-81d3367e5a34", type: "Guid" };
  const entity = {
    ...keys,
    text: "It's \"quoted\" \\ ☃ 𝄞\n",
    empty: "",
    int32: -2147483648,
    int64: -9223372036854775808n,
    bigint: 5n,
    double: 1.25,
    huge: 1.7976931348623157e308,
    yes: true,
    no: false,
    when: new Date("2012-11-10T03:04:05.678Z"),
    guid,
    bytes: new Uint8Array([0, 1, 127, 128, 255]),
  };
  await client.createEntity(entity);
  const { etag, timestamp, ...found } = await client.getEntity("p", "r");
  delete found["odata.metadata"];
  found.bytes = new Uint8Array(found.bytes);
  assert.deepEqual(found, entity);
  assert.match(etag, /^W\/"datetime'.*'"$/);
  assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000);
  const [listed] = await all(client.listEntities());
  assert.deepEqual([listed.int64, listed.guid, listed.when], [entity.int64, guid, entity.when]);
});

test("doubles stay doubles", async (t) => {
  const client = await newTable(t);
  const double = (value) => ({ value, type: "Double" });
  await client.createEntity({
    ...keys, five: double("5.0"), nan: double("NaN"), up: double("Infinity"), down: double("-Infinity"),
    numeric: double(7), inferred: 1.5,
  });
  let text;
  const onResponse = (response) => { text = response.bodyAsText; };
  const found = await client.getEntity("p", "r", { onResponse });
  assert.deepEqual([found.five, found.nan, found.up, found.down, found.numeric, found.inferred],
    [5, "NaN", "Infinity", "-Infinity", 7, 1.5]);
  assert.match(text, /"five":5\.0[,}]/);
  assert.match(text, /"nan@odata\.type":"Edm\.Double","nan":"NaN"/);
  assert.match(text, /"numeric":7\.0[,}]/);
  const raw = await client.getEntity("p", "r", { disableTypeConversion: true });
  assert.deepEqual([raw.nan, raw.down], [double("NaN"), double("-Infinity")]);
});

test("null is not stored", async (t) => {
  const client = await newTable(t);
  await client.createEntity({ ...keys, a: null, b: undefined, c: 1 });
  const found = await client.getEntity("p", "r");
  assert.deepEqual(["a" in found, "b" in found, found.c], [false, false, 1]);
});

test("createEntity", async (t) => {
  const client = await newTable(t);
  const { etag } = await client.createEntity({ ...keys, a: 1 });
  assert.equal((await client.getEntity("p", "r")).etag, etag);
  await refused(client.createEntity(keys), 409, "EntityAlreadyExists",
    "The specified entity already exists.");
  await refused(client.createEntity({ rowKey: "r" }), 400, "PropertiesNeedValue");
  await refused(client.createEntity({ partitionKey: "p", rowKey: "2", "not-a-name": 1 }), 400,
    "PropertyNameInvalid");
  await refused(client.createEntity({ partitionKey: "p", rowKey: "2", large: "x".repeat(32_769) }), 400,
    "PropertyValueTooLarge");
  await refused(client.getEntity("p", "2"), 404, "ResourceNotFound");
});

test("updateEntity with and without an etag", async (t) => {
  const client = await newTable(t);
  await refused(client.updateEntity({ ...keys, a: 1 }), 404, "ResourceNotFound");
  const first = await client.createEntity({ ...keys, a: 1, b: 1 });
  const second = await client.updateEntity({ ...keys, a: 2 }, "Merge", { etag: first.etag });
  assert.notEqual(second.etag, first.etag);
  let found = await client.getEntity("p", "r");
  assert.deepEqual([found.a, found.b, found.etag], [2, 1, second.etag]);
  for (const mode of ["Merge", "Replace"]) {
    await refused(client.updateEntity({ ...keys, a: 3 }, mode, { etag: first.etag }), 412,
      "UpdateConditionNotSatisfied");
  }
  await client.updateEntity({ ...keys, c: 4 }, "Replace", { etag: second.etag });
  await client.updateEntity({ ...keys, d: 5 });
  found = await client.getEntity("p", "r");
  assert.deepEqual([found.a, found.b, found.c, found.d], [undefined, undefined, 4, 5]);
  await client.updateEntity({ ...keys, e: 6 }, "Replace", { etag: "*" });
  found = await client.getEntity("p", "r");
  assert.deepEqual([found.c, found.d, found.e], [undefined, undefined, 6]);
});

test("upsertEntity", async (t) => {
  const client = await newTable(t);
  await client.upsertEntity({ ...keys, a: 1 }, "Replace");
  await client.upsertEntity({ ...keys, b: "2" }, "Merge");
  let found = await client.getEntity("p", "r");
  assert.deepEqual([found.a, found.b], [1, "2"]);
  await client.upsertEntity({ ...keys, b: 2.5 }, "Replace");
  found = await client.getEntity("p", "r");
  assert.deepEqual([found.a, found.b], [undefined, 2.5]);
  await client.upsertEntity({ partitionKey: "p", rowKey: "new", a: 1 }, "Merge");
  assert.equal((await client.getEntity("p", "new")).a, 1);
});

test("deleteEntity", async (t) => {
  const client = await newTable(t);
  await refused(client.deleteEntity("p", "r"), 404, "ResourceNotFound");
  const { etag } = await client.createEntity(keys);
  await client.updateEntity({ ...keys, a: 1 });
  await refused(client.deleteEntity("p", "r", { etag }), 412, "UpdateConditionNotSatisfied");
  await client.deleteEntity("p", "r", { etag: (await client.getEntity("p", "r")).etag });
  await client.createEntity(keys);
  await client.deleteEntity("p", "r");
  await refused(client.getEntity("p", "r"), 404, "ResourceNotFound");
});

test("keys of any text", async (t) => {
  const client = await newTable(t);
  const texts = ["", " ", "'", "''", "it's", "%", "%27", "%2F", "100%25", "+", "a+b c", "&=;,:@$!*",
    "(PartitionKey='x',RowKey='y')", "\"{}[]<>|^`~", "ключ", "日本", "🦊𝄞", "e\u0301", "\uFFFD", "."];
  for (const text of texts) {
    const entity = { partitionKey: text, rowKey: `${text}` };
    await client.createEntity({ ...entity, n: 1 });
    await client.updateEntity({ ...entity, n: 2 });
    await client.upsertEntity({ ...entity, m: 3 }, "Merge");
    const found = await client.getEntity(text, text);
    assert.deepEqual([found.partitionKey, found.rowKey, found.n, found.m], [text, text, 2, 3]);
  }
  assert.deepEqual((await all(client.listEntities())).map((entity) => entity.rowKey),
    [...texts].sort());
  for (const text of texts) await client.deleteEntity(text, text);
  assert.deepEqual(await all(client.listEntities()), []);
  for (const text of ["a/b", "a\\b", "a#b", "a?b", "a\tb", "a\u0085b"]) {
    await refused(client.createEntity({ partitionKey: "p", rowKey: text }), 400, "OutOfRangeInput");
  }
});
