// The JavaScript client on a simulated service: it gets through the boundaries of ranges, empty pages, tokens without
// NextRowKey, and partitions that move. js_client_test.py has the plan.
import assert from "node:assert/strict";
import test from "node:test";

import { all, owner, sdk } from "./client.mjs";

// A client of a new table, which retries soon, and the statuses of its attempts.
async function simulated(test, name) {
  const options = {
    allowInsecureConnection: true,
    retryOptions: { maxRetries: 20, retryDelayInMs: 40, maxRetryDelayInMs: 60 },
  };
  const client = new sdk.TableClient(process.env.AZTABLES_SIMULATED, name, owner, options);
  const statuses = [];
  client.pipeline.addPolicy({
    name: "record",
    async sendRequest(request, next) {
      const response = await next(request);
      statuses.push(response.status);
      return response;
    },
  }, { afterPhase: "Retry" });
  await client.createTable();
  test.after(() => client.deleteTable());
  statuses.length = 0;
  return { client, statuses };
}

const wanted = ["a", "b", "c"].flatMap((partition) => [1, 2].map((row) => `${partition}${row}`));
const keyOf = (entity) => `${entity.partitionKey}${entity.rowKey}`;

test("moves of partitions, boundaries of ranges, and empty pages", async (t) => {
  const { client, statuses } = await simulated(t, "Simulated");
  for (const partitionKey of ["a", "b", "c"]) {
    await client.submitTransaction(["1", "2"].map((rowKey) => ["create", { partitionKey, rowKey }]));
  }
  assert.ok(statuses.filter((status) => status === 503).length > 0, `${statuses}`);
  assert.equal(statuses.filter((status) => status === 202).length, 3);

  // The first page has no entity: its range has none. A partition moves between two later pages.
  statuses.length = 0;
  const pages = await all(client.listEntities().byPage());
  assert.deepEqual(pages.map((page) => page.length), [0, 2, 2, 2]);
  assert.deepEqual(pages.flat().map(keyOf), wanted);
  assert.ok(statuses.filter((status) => status === 503).length > 0, `${statuses}`);

  assert.deepEqual((await all(client.listEntities())).map(keyOf), wanted);
  const one = await all(client.listEntities({ queryOptions: { filter: "RowKey eq '2'" } }));
  assert.deepEqual(one.map(keyOf), ["a2", "b2", "c2"]);
  const entity = await client.getEntity("b", "1");
  assert.equal(keyOf(entity), "b1");
});
