// What the tests of the JavaScript client share: the client itself, from where scripts/js_client.sh
// installed it, credentials for the server that is tested, tables of a test's own, checks of errors.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const { AZTABLES_JS_CLIENT: installed, AZTABLES_ENDPOINT: endpoint } = process.env;
const { AZTABLES_ACCOUNT: account, AZTABLES_ACCOUNT_KEY: key } = process.env;

// The package's own entry for Node; its ES modules stand for the same.
export const sdk = createRequire(installed)("@azure/data-tables");
export { account, endpoint };

export const options = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };
export const owner = new sdk.AzureNamedKeyCredential(account, key);
export const service = new sdk.TableServiceClient(endpoint, owner, options);

let tables = 0;

export function tableClient(name, credential = owner) {
  return new sdk.TableClient(endpoint, name, credential, options);
}

export function sasClient(name, sas) {
  return tableClient(name, new sdk.AzureSASCredential(sas));
}

// A new table, which `test` removes at its end.
export async function newTable(test) {
  const client = tableClient(`Js${process.pid}x${tables++}`);
  await client.createTable();
  test.after(() => client.deleteTable());
  return client;
}

export async function all(items) {
  const found = [];
  for await (const item of items) found.push(item);
  return found;
}

// Row keys of a query.
export async function rowKeys(client, filter) {
  const found = await all(client.listEntities({ queryOptions: { filter } }));
  return found.map((entity) => entity.rowKey);
}

// Checks that the service refuses with this status, code and, where given, text; returns the error.
export async function refused(promise, status, code, text = "") {
  let error;
  await assert.rejects(promise, (thrown) => {
    error = thrown;
    return true;
  });
  // The client reads codes of JSON alone; refused signatures are answered in XML, with a header.
  const header = error.response?.headers.get("x-ms-error-code");
  const said = error.details?.odataError?.code ?? error.code ?? header;
  assert.deepEqual([error.statusCode, said], [status, code], error.message);
  assert.ok(error.message.includes(text), error.message);
  return error;
}
