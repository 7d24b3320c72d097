// One operation of the benchmark with the official JavaScript client. Its only argument is JSON:
// operation, endpoint, table, entities, each, and those of the operation. Prints JSON: seconds, cpu
// (seconds), peak_kb, result (texts, as the SQL of the same row returns them).
import { createRequire } from "node:module";

const sdk = createRequire(process.env.AZTABLES_JS_CLIENT)("@azure/data-tables");
const task = JSON.parse(process.argv[2]);
const owner = new sdk.AzureNamedKeyCredential("acc", "a2V5a2V5");
const client = new sdk.TableClient(task.endpoint, task.table, owner, { allowInsecureConnection: true });
const WRITES_UNDER_WAY = 8;
const EGT = 100;

const partition = (i, prefix = "p", each = task.each) => prefix + String(Math.floor(i / each)).padStart(6, "0");
const row = (i, each = task.each) => "r" + String(i % each).padStart(7, "0");

// Calls `work` for each item, with `parallel` calls under way.
async function forEach(items, parallel, work) {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++]);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}

// Calls `take` for each entity of a query.
async function query(queryOptions, take) {
  for await (const page of client.listEntities({ queryOptions }).byPage({ maxPageSize: 1000 })) page.forEach(take);
}

// The sum of N of the entities with these indexes, by point reads.
async function sumOf(indexes) {
  let sum = 0;
  await forEach(indexes, task.parallel, async (i) => {
    const { N } = await client.getEntity(partition(i), row(i), { queryOptions: { select: ["N"] } });
    sum += N;
  });
  return sum;
}

// Submits EGTs of one action. No EGT has two partitions.
async function submit(action, entities) {
  const egts = [];
  for (const entity of entities) {
    const last = egts.at(-1);
    if (!last || last.length === EGT || last[0][1].partitionKey !== entity.partitionKey) egts.push([]);
    egts.at(-1).push([action, entity]);
  }
  await forEach(egts, WRITES_UNDER_WAY, (egt) => client.submitTransaction(egt));
}

const operations = {
  async scan() {
    let count = 0, sum = 0, big = 0n, name;
    await query(task.select ? { select: task.select } : undefined, (entity) => {
      ++count;
      sum += entity.N;
      if (task.select) return;
      if (entity.Big > big) big = entity.Big;
      if (name === undefined || entity.Name < name) name = entity.Name;
    });
    return task.select ? [count, sum] : [count, sum, big, name];
  },
  async collect() {
    const all = [];
    await query(undefined, (entity) => all.push(entity));
    return () => {
      const max = (of) => all.reduce((most, e) => (of(e) > most ? of(e) : most), of(all[0]));
      return [all.length, all.reduce((sum, e) => sum + e.N, 0), max((e) => e.Big),
        all.reduce((least, e) => (e.Name < least ? e.Name : least), all[0].Name),
        all.reduce((sum, e) => sum + e.Body.length, 0), max((e) => e.Id.value),
        max((e) => e.Made).toISOString().replace("Z", "0000Z")];
    };
  },
  async points() {
    const step = Math.floor(task.entities / task.count);
    const sum = await sumOf(Array.from({ length: task.count }, (_, i) => i * step));
    return task.parallel === 1 ? [sum] : [task.count, sum];
  },
  async in() {
    return [task.count, await sumOf(Array.from({ length: task.count }, (_, i) => task.each + i))];
  },
  async distinct() {
    const found = new Set();
    await query({ select: ["PartitionKey"] }, (entity) => found.add(entity.partitionKey));
    return [found.size];
  },
  async insert() {
    const entities = Array.from({ length: task.count }, (_, i) => {
      const v = i % 1000;
      return {
        partitionKey: partition(i, "q", task.insertEach), rowKey: row(i, task.insertEach), Name: `name ${v}`,
        Note: String.fromCharCode(97 + v % 26).repeat(150), Body: String.fromCharCode(98 + v % 20).repeat(420 + v % 40),
        N: 10000000 + i, Big: { type: "Int64", value: String(9010000000 + i) }, Score: v + 0.125, Flag: v % 2 === 1,
        Made: new Date(Date.UTC(2026, v % 12, 1 + v % 28, 10)),
        Id: { type: "Guid", value: `${10000000 + i}-0000-4000-8000-${(v * 7).toString(16).padStart(12, "0")}` },
      };
    });
    measureFromHere();
    await submit("create", entities);
    return [];
  },
  async delete() {
    const found = [];
    const filter = `N ge ${task.first} and N lt ${task.first + task.count}`;
    await query({ filter, select: ["PartitionKey", "RowKey"] }, (entity) => found.push(entity));
    await submit("delete", found);
    return [];
  },
};

let cpu, began;
function measureFromHere() {
  cpu = process.cpuUsage();
  began = process.hrtime.bigint();
}

await client.getEntity(partition(0), row(0)); // the connection
measureFromHere();
const result = await operations[task.operation]();
const seconds = Number(process.hrtime.bigint() - began) / 1e9;
const used = process.cpuUsage(cpu);
const peak = process.resourceUsage().maxRSS;
const values = typeof result === "function" ? result() : result;
console.log(JSON.stringify({ seconds, cpu: (used.user + used.system) / 1e6, peak_kb: peak, result: values.map(String) }));
