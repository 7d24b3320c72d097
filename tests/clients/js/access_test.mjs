// Shared access signatures and stored policies, made with the JavaScript client.
import assert from "node:assert/strict";
import test from "node:test";

import { all, newTable, options, owner, refused, sasClient, sdk, service } from "./client.mjs";
import { endpoint } from "./client.mjs";

// The client signs whole seconds.
const soon = (minutes) => new Date(Math.floor(Date.now() / 1000) * 1000 + minutes * 60_000);
const sasOf = (client, values) => sdk.generateTableSas(client.tableName, owner, values);
const seven = Array.from({ length: 7 }, (_, i) => ({ partitionKey: `p${i}`, rowKey: `r${i}`, n: i }));

async function filled(t) {
  const client = await newTable(t);
  for (const entity of seven) await client.createEntity(entity);
  return client;
}

test("a SAS of a table permits only its permissions", async (t) => {
  const client = await filled(t);
  const reader = sasClient(client.tableName, sasOf(client, { permissions: { query: true } }));
  assert.equal((await all(reader.listEntities())).length, 7);
  assert.equal((await reader.getEntity("p1", "r1")).n, 1);
  const one = { partitionKey: "p", rowKey: "r" };
  const mismatch = [403, "AuthorizationPermissionMismatch"];
  await refused(reader.createEntity(one), ...mismatch);
  await refused(reader.upsertEntity(one), ...mismatch);
  await refused(reader.updateEntity(seven[0]), ...mismatch);
  await refused(reader.deleteEntity("p1", "r1"), ...mismatch);
  const adder = sasClient(client.tableName, sasOf(client, { permissions: { add: true } }));
  await adder.createEntity(one);
  await refused(adder.upsertEntity(one), ...mismatch);
  await refused(all(adder.listEntities()), ...mismatch);
  const writer = sasClient(client.tableName,
    sasOf(client, { permissions: { add: true, update: true, delete: true } }));
  await writer.upsertEntity({ ...one, a: 1 });
  await writer.submitTransaction([["create", { ...one, rowKey: "2" }], ["delete", one]]);
  assert.equal((await client.getEntity("p", "2")).rowKey, "2");
  await refused(writer.getEntity("p", "2"), ...mismatch);
  const elsewhere = await newTable(t);
  await refused(all(sasClient(elsewhere.tableName, sasOf(client)).listEntities()), 403,
    "AuthenticationFailed");
});

test("a SAS of a range of keys", async (t) => {
  const client = await filled(t);
  const permissions = { query: true, add: true, update: true, delete: true };
  const limited = sasClient(client.tableName, sasOf(client, {
    permissions, startPartitionKey: "p2", startRowKey: "r2", endPartitionKey: "p4", endRowKey: "r4",
  }));
  assert.deepEqual((await all(limited.listEntities())).map(({ n }) => n), [2, 3, 4]);
  await refused(limited.getEntity("p5", "r5"), 404, "ResourceNotFound");
  await limited.upsertEntity({ partitionKey: "p3", rowKey: "anything" });
  await refused(limited.upsertEntity({ partitionKey: "p2", rowKey: "r1" }), 403,
    "AuthorizationFailure");
  await refused(limited.deleteEntity("p6", "r6"), 403, "AuthorizationFailure");
});

test("a SAS that is not yet valid or has expired", async (t) => {
  const client = await filled(t);
  for (const values of [{ expiresOn: soon(-1) }, { startsOn: soon(30), expiresOn: soon(60) }]) {
    const late = sasClient(client.tableName, sasOf(client, { permissions: { query: true }, ...values }));
    await refused(all(late.listEntities()), 403, "AuthenticationFailed");
  }
  const now = sasClient(client.tableName,
    sasOf(client, { permissions: { query: true }, startsOn: soon(-5), expiresOn: soon(5) }));
  assert.equal((await all(now.listEntities())).length, 7);
  const tampered = sasOf(client, { permissions: { query: true } }).replace("sp=r", "sp=raud");
  await refused(all(sasClient(client.tableName, tampered).listEntities()), 403, "AuthenticationFailed");
});

test("a SAS limits addresses and protocols", async (t) => {
  const client = await filled(t);
  const use = (values) => all(sasClient(client.tableName,
    sasOf(client, { permissions: { query: true }, ...values })).listEntities());
  assert.equal((await use({ ipRange: { start: "127.0.0.1" } })).length, 7);
  assert.equal((await use({ ipRange: { start: "127.0.0.0", end: "127.0.0.9" } })).length, 7);
  await refused(use({ ipRange: { start: "10.0.0.1" } }), 403, "AuthorizationSourceIPMismatch");
  await refused(use({ protocol: "https" }), 403, "AuthorizationProtocolMismatch");
});

test("a SAS of the account", async (t) => {
  const client = await filled(t);
  const sas = (values) => sdk.generateAccountSas(owner, values);
  const servant = (values) => new sdk.TableServiceClient(endpoint, new sdk.AzureSASCredential(sas(values)),
    options);
  const may = (letters) => sdk.accountSasPermissionsFromString?.(letters) ?? Object.fromEntries(
    [...letters].map((c) => [{ r: "query", w: "write", d: "delete", l: "list", a: "add", u: "update" }[c],
      true]));
  assert.ok((await all(servant({}).listTables())).length > 0);
  assert.equal((await all(sasClient(client.tableName, sas({})).listEntities())).length, 7);
  await refused(servant({ permissions: may("r") }).createTable("Refused"), 403,
    "AuthorizationPermissionMismatch");
  await refused(servant({ permissions: may("rwdlau"), resourceTypes: "o" }).createTable("Refused"), 403,
    "AuthorizationResourceTypeMismatch");
  const name = `Sas${process.pid}`;
  await servant({ permissions: may("w") }).createTable(name);
  await sasClient(name, sas({ permissions: may("a") })).createEntity({ partitionKey: "p", rowKey: "r" });
  await refused(sasClient(name, sas({ permissions: may("a") })).upsertEntity({ partitionKey: "p",
    rowKey: "r" }), 403, "AuthorizationPermissionMismatch");
  await sasClient(name, sas({ permissions: may("au") })).upsertEntity({ partitionKey: "p", rowKey: "r" });
  await servant({ permissions: may("d") }).deleteTable(name);
  await refused(all(servant({ expiresOn: soon(-1) }).listTables()), 403, "AuthenticationFailed");
  assert.ok((await servant({ permissions: may("r"), resourceTypes: "s" }).getProperties()).hourMetrics);
  assert.ok((await all(service.listTables())).every((table) => table.name !== name));
});

test("stored policies and a SAS that names one", async (t) => {
  const client = await filled(t);
  assert.deepEqual(await client.getAccessPolicy().then((found) => [...found.signedIdentifiers ?? found]), []);
  const start = new Date("2020-01-02T03:04:05.000Z");
  const expiry = soon(60);
  const policy = (id, permission) => ({ id, accessPolicy: { start, expiry, permission } });
  await client.setAccessPolicy([policy("read", "r"), policy("write", "raud")]);
  const stored = await client.getAccessPolicy().then((found) => [...found.signedIdentifiers ?? found]);
  assert.deepEqual(stored, [policy("read", "r"), policy("write", "raud")]);

  const named = (identifier) => sasClient(client.tableName, sasOf(client, { identifier }));
  assert.equal((await all(named("read").listEntities())).length, 7);
  await refused(named("read").deleteEntity("p1", "r1"), 403, "AuthorizationPermissionMismatch");
  await named("write").deleteEntity("p1", "r1");
  await refused(all(named("unknown").listEntities()), 403, "AuthenticationFailed");
  await client.setAccessPolicy([policy("write", "r")]);
  await refused(all(named("read").listEntities()), 403, "AuthenticationFailed");
  await refused(named("write").deleteEntity("p2", "r2"), 403, "AuthorizationPermissionMismatch");
  const six = [1, 2, 3, 4, 5, 6].map((i) => policy(String(i), "r"));
  await refused(client.setAccessPolicy(six), 400, "InvalidXmlDocument");
  await refused(sasClient(client.tableName, sdk.generateAccountSas(owner)).getAccessPolicy(), 403,
    "AuthorizationFailure");
});
