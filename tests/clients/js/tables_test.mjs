// Tables and the service with the JavaScript client: create, list, delete, properties, statistics.
import assert from "node:assert/strict";
import test from "node:test";

import { account, all, endpoint, newTable, options, owner, refused, sdk, service, tableClient } from "./client.mjs";

test("tables are created, listed over pages and deleted", async (t) => {
  const names = [1, 2, 3, 4, 5].map((i) => `Listed${process.pid}x${i}`);
  for (const name of names) await service.createTable(name);
  t.after(() => Promise.all(names.map((name) => service.deleteTable(name))));
  const queryOptions = { filter: sdk.odata`TableName ge ${names[0]} and TableName le ${names[4]}` };
  const listed = await all(service.listTables({ queryOptions }));
  assert.deepEqual(listed.map((table) => table.name), names);

  const pages = await all(service.listTables({ queryOptions }).byPage({ maxPageSize: 2 }));
  assert.deepEqual(pages.map((page) => page.map((table) => table.name)),
    [names.slice(0, 2), names.slice(2, 4), names.slice(4)]);
  assert.equal(pages[2].continuationToken, undefined);

  const { continuationToken } = pages[0];
  const rest = await all(service.listTables({ queryOptions }).byPage({ continuationToken }));
  assert.deepEqual(rest.flat().map((table) => table.name), names.slice(2));

  await service.deleteTable(names[0]);
  const left = await all(service.listTables({ queryOptions }));
  assert.deepEqual(left.map((table) => table.name), names.slice(1));
});

test("the client ignores a table that exists or is deleted already", async (t) => {
  const client = await newTable(t);
  await client.createTable();
  await service.createTable(client.tableName);
  await service.deleteTable(`Never${process.pid}`);
  const statuses = new Set();
  const onResponse = (response) => statuses.add(response.status);
  await service.createTable(client.tableName, { onResponse });
  await service.deleteTable(`Never${process.pid}`, { onResponse });
  assert.deepEqual([...statuses], [409, 404]);
});

test("names of tables are checked", async () => {
  await refused(service.createTable("not_a_name"), 400, "InvalidResourceName");
  await refused(service.createTable("ab"), 400, "OutOfRangeInput");
  await refused(tableClient("Missing").createEntity({ partitionKey: "p", rowKey: "r" }), 404,
    "TableNotFound");
});

test("names of tables are case-insensitive", async (t) => {
  const client = await newTable(t);
  await tableClient(client.tableName.toUpperCase()).createEntity({ partitionKey: "p", rowKey: "r" });
  assert.equal((await client.getEntity("p", "r")).rowKey, "r");
});

test("the service's properties are kept", async (t) => {
  const before = await service.getProperties();
  t.after(() => service.setProperties({
    cors: before.cors ?? [], logging: before.logging, hourMetrics: before.hourMetrics,
    minuteMetrics: before.minuteMetrics,
  }));
  const retentionPolicy = { enabled: true, days: 5 };
  const metrics = { version: "1.0", enabled: true, includeAPIs: true, retentionPolicy };
  const wanted = {
    logging: { version: "1.0", read: true, write: true, delete: false, retentionPolicy },
    hourMetrics: metrics,
    minuteMetrics: { version: "1.0", enabled: false, retentionPolicy: { enabled: false } },
    cors: [{
      allowedOrigins: "https://www.contoso.com", allowedMethods: "GET", allowedHeaders: "x-ms-meta-*",
      exposedHeaders: "x-ms-meta-*", maxAgeInSeconds: 500,
    }],
  };
  await service.setProperties(wanted);
  const kept = await service.getProperties();
  assert.deepEqual(kept.logging, wanted.logging);
  assert.deepEqual(kept.hourMetrics, metrics);
  assert.equal(kept.minuteMetrics.enabled, false);
  assert.deepEqual(kept.cors, wanted.cors);
  const days = { ...metrics, retentionPolicy: { enabled: true, days: 366 } };
  await refused(service.setProperties({ hourMetrics: days }), 400, "InvalidXmlDocument");
});

test("statistics come from the secondary", async () => {
  const secondary = new sdk.TableServiceClient(`${endpoint}-secondary`, owner, options);
  const { geoReplication } = await secondary.getStatistics();
  assert.equal(geoReplication.status, "live");
  assert.ok(geoReplication.lastSyncTime instanceof Date);
  await refused(secondary.createTable("Refused"), 403, "InsufficientAccountPermissions");
});

test("a wrong key or another account is refused", async () => {
  const wrong = new sdk.AzureNamedKeyCredential(account, Buffer.from("wrong").toString("base64"));
  await refused(all(new sdk.TableServiceClient(endpoint, wrong, options).listTables()), 403,
    "AuthenticationFailed");
  const other = new sdk.AzureNamedKeyCredential("other", Buffer.from("wrong").toString("base64"));
  await refused(all(new sdk.TableServiceClient(endpoint, other, options).listTables()), 403,
    "AuthenticationFailed");
});
