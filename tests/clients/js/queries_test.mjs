// Queries with the JavaScript client: filters of every type, projection, pages.
import assert from "node:assert/strict";
import test from "node:test";

import { all, newTable, refused, rowKeys, sdk } from "./client.mjs";

const { odata } = sdk;

async function fill(client, count) {
  const pending = [];
  for (let begin = 0; begin < count; begin += 100) {
    const actions = Array.from({ length: 100 }, (_, i) => ["create", {
      partitionKey: `p${String(begin / 1000 | 0)}`, rowKey: String(begin + i).padStart(5, "0"), n: begin + i,
    }]);
    pending.push(client.submitTransaction(actions));
  }
  await Promise.all(pending);
}

test("pages of 5,000 entities", async (t) => {
  const client = await newTable(t);
  await fill(client, 5000);
  const wanted = Array.from({ length: 5000 }, (_, i) => i);
  assert.deepEqual((await all(client.listEntities())).map((found) => found.n), wanted);

  const pages = await all(client.listEntities().byPage({ maxPageSize: 700 }));
  assert.deepEqual(pages.map((page) => page.length), [700, 700, 700, 700, 700, 700, 700, 100]);
  assert.deepEqual(pages.flat().map((found) => found.n), wanted);
  assert.equal(pages.at(-1).continuationToken, undefined);

  const { value: first } = await client.listEntities().byPage({ maxPageSize: 10 }).next();
  assert.equal(first.length, 10);
  const { continuationToken } = first;
  const next = client.listEntities().byPage({ maxPageSize: 5, continuationToken });
  assert.deepEqual((await next.next()).value.map((found) => found.n), [10, 11, 12, 13, 14]);
  const rest = await all(client.listEntities().byPage({ continuationToken }));
  assert.equal(rest.flat().length, 4990);
  assert.ok(rest.every((page) => page.length <= 1000));

  const queryOptions = { filter: odata`PartitionKey eq ${"p3"} and n ge ${3500}`, select: ["n"] };
  const some = await all(client.listEntities({ queryOptions }).byPage({ maxPageSize: 200 }));
  assert.deepEqual(some.flat().map((found) => found.n), wanted.slice(3500, 4000));
  await refused(client.listEntities().byPage({ maxPageSize: 1001 }).next(), 400, "InvalidInput");
});

test("filters of every type", async (t) => {
  const client = await newTable(t);
  const guid = (last) => ({ value: `a455c695-df98-5678-aaaa-81d3367e5a3${last}`, type: "Guid" });
  for (const i of [1, 2, 3]) {
    await client.createEntity({
      partitionKey: "p", rowKey: String(i), text: `it's ${i} ☃ 𝄞`, int32: i, int64: BigInt(i) << 40n,
      double: i + 0.5, flag: i === 2, when: new Date(Date.UTC(2020, 0, i)), guid: guid(i),
      bytes: new Uint8Array([i, 255]),
    });
  }
  await client.createEntity({ partitionKey: "p", rowKey: "without" });
  const finds = async (filter, ...wanted) => assert.deepEqual(await rowKeys(client, filter), wanted, filter);
  await finds(odata`text eq ${"it's 2 ☃ 𝄞"}`, "2");
  await finds(odata`text ne ${"it's 2 ☃ 𝄞"}`, "1", "3");
  await finds(odata`text eq '${"it's 3 ☃ 𝄞"}'`, "3");
  await finds(odata`int32 gt ${1}`, "2", "3");
  await finds(odata`int32 gt ${-1} and int32 lt ${2}`, "1");
  await finds(`int64 eq ${2n << 40n}L`, "2");
  await finds(`int64 le ${2n << 40n}L`, "1", "2");
  await finds(odata`double ge ${2.5}`, "2", "3");
  await finds(odata`flag eq ${true}`, "2");
  await finds(odata`flag ne ${true}`, "1", "3");
  await finds(odata`when gt ${new Date(Date.UTC(2020, 0, 1))}`, "2", "3");
  await finds(odata`when eq ${new Date(Date.UTC(2020, 0, 2))}`, "2");
  await finds(`guid eq guid'${guid(3).value}'`, "3");
  await finds("bytes eq X'01ff'", "1");
  await finds("bytes gt binary'01ff'", "2", "3");
  await finds(odata`int32 eq ${1} or int32 eq ${3} and flag eq ${false}`, "1", "3");
  await finds(odata`(int32 eq ${1} or int32 eq ${3}) and double gt ${2.25}`, "3");
  await finds(odata`double gt ${2}`); // a number without a point is an Int32, not a double
  await finds(odata`PartitionKey eq ${"p"} and not (RowKey eq ${"2"})`, "1", "3", "without");
  await finds(odata`RowKey ge ${"3"}`, "3", "without");
  await finds(odata`Timestamp gt ${new Date(Date.now() - 600_000)}`, "1", "2", "3", "without");
  await finds(odata`absent eq ${"x"}`);
  await finds(odata`PartitionKey eq ${"p' or RowKey ne '"}`);
  await refused(rowKeys(client, "aaa bbb ccc"), 400, "InvalidInput");
  await refused(rowKeys(client, "startswith(text,'it')"), 501, "NotImplemented");
});

test("select", async (t) => {
  const client = await newTable(t);
  await client.createEntity({ partitionKey: "p", rowKey: "1", a: 1, b: 2n });
  await client.createEntity({ partitionKey: "p", rowKey: "2", a: 3 });
  const select = async (...names) =>
    (await all(client.listEntities({ queryOptions: { select: names } }))).map(({ etag, ...rest }) => rest);
  assert.deepEqual(await select("a"), [{ a: 1 }, { a: 3 }]);
  assert.deepEqual(await select("RowKey", "b"), [{ rowKey: "1", b: 2n }, { rowKey: "2", b: null }]);
  assert.deepEqual(await select("absent"), [{ absent: null }, { absent: null }]);
  const point = await client.getEntity("p", "2", { queryOptions: { select: ["b", "a"] } });
  assert.deepEqual([point.b, point.a, point.rowKey], [null, 3, undefined]);
});
