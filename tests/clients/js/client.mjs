// Common parts of the JavaScript client tests: the client that scripts/js_client.sh installed,
// credentials for the tested server, tables of a test, and checks of errors.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const { AZTABLES_JS_CLIENT: installed, AZTABLES_ENDPOINT: endpoint } = process.env;
const { AZTABLES_ACCOUNT: account, AZTABLES_ACCOUNT_KEY: key } = process.env;

// The package's CommonJS entry for Node. Its ES modules have the same content.
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

// Checks that the service responds with this status, code and, if given, text. Returns the error.
export async function refused(promise, status, code, text = "") {
  let error;
  await assert.rejects(promise, (thrown) => {
    error = thrown;
    return true;
  });
  // The client reads codes only from JSON. A rejected signature has a response in XML with a
  // header.
  const header = error.response?.headers.get("x-ms-error-code");
  const said = error.details?.odataError?.code ?? error.code ?? header;
  assert.deepEqual([error.statusCode, said], [status, code], error.message);
  assert.ok(error.message.includes(text), error.message);
  return error;
}
