// The connection string that aztables-server prints, unchanged. The client requires the option
// allowInsecureConnection for every http endpoint.
import assert from "node:assert/strict";
import test from "node:test";

import { all, options, sdk } from "./client.mjs";

const { AZTABLES_PRINTED: printed } = process.env;

test("the printed connection string connects", async (t) => {
  const name = `Printed${process.pid}`;
  const service = sdk.TableServiceClient.fromConnectionString(printed, options);
  await service.createTable(name);
  t.after(() => service.deleteTable(name));
  const client = sdk.TableClient.fromConnectionString(printed, name, options);
  await client.createEntity({ partitionKey: "p", rowKey: "r", n: 1 });
  await client.submitTransaction([["upsert", { partitionKey: "p", rowKey: "s", n: 2 }]]);
  assert.deepEqual((await all(client.listEntities())).map(({ n }) => n), [1, 2]);
  assert.ok((await all(service.listTables())).some((table) => table.name === name));
});
