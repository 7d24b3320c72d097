"""The clients of the benchmark: our SQL, the JavaScript client, the raw transport and a native table. Each measures a row
in a new process and returns a Sample.
"""

import dataclasses
import json
import os
import pathlib
import subprocess

import bench_data

BENCH = pathlib.Path(__file__).resolve().parents[1]
ROOT = BENCH.parents[1]
WRITE_CONNECTIONS = 8  # of the raw transport
WARM_UP = "GET /Bench(PartitionKey='p000000',RowKey='r0000000')"
JS_CLIENT = ROOT / "build/js_client/package.json"
# All requests of a statement, without the warm-up.
REQUESTS = "SELECT method, url, bytes_out, entities FROM aztables_requests WHERE id > (SELECT min(id) FROM aztables_requests) ORDER BY id"


class WrongResult(Exception):
    """A client returned wrong rows, or the service counted another number of entities."""


@dataclasses.dataclass
class Sample:
    """Time and memory of one measurement."""

    seconds: float
    cpu: float  # of the client
    peak_kb: int = 0
    result: tuple = ()
    server_cpu: float = 0
    counted: int = 0  # entities that the service sent or received


@dataclasses.dataclass
class Target:
    """A service and the files of a configuration."""

    programs: str
    module: str
    server: object  # PageServer
    native: str  # a file
    entities: int


def run(command, text=None, **more):
    """The output of a program. Its environment has no proxy."""
    environment = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
    done = subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True, check=False,
                          env={**environment, **more})
    if done.returncode != 0:
        raise WrongResult(f"{os.path.basename(command[0])} ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def counted(target, row, work):
    """The Sample of `work`, with what the service counted meanwhile."""
    before = target.server.counters()
    sample = work()
    after = target.server.counters()
    sample.server_cpu = after["cpu"] - before["cpu"]
    if after["refused"] != before["refused"]:
        raise WrongResult(f"{row.name}: page_server refused a request")
    sample.counted = after[row.writes or "entities"] - before[row.writes or "entities"]
    if row.writes and sample.counted != row.entities:
        raise WrongResult(f"{row.name}: the service counted {sample.counted} {row.writes}, not {row.entities}")
    return sample


def sql_host(target, module, setup, row, sql, requests=""):
    """The Sample of a statement, and its requests."""
    output = run([f"{target.programs}/sql_host", module, setup, row.keys, sql, row.check, requests])
    lines = [line.split("\t") for line in output.splitlines()]
    seconds, cpu, peak, _ = lines[0][1:]
    result = tuple(tuple(line[1:]) for line in lines if line[0] in ("measured", "check"))
    return Sample(float(seconds), float(cpu), int(peak), result), [line[1:] for line in lines if line[0] == "request"]


class OurSql:
    """The module in sql_host. Keeps the requests of each row for RawTransport."""

    name = "SQL"

    def __init__(self):
        self.requests = {}

    def measure(self, target, row):
        setup = f"""SELECT aztables_connect('b', '{target.server.connection_string}');
            CREATE VIRTUAL TABLE t USING aztables(table={row.table}, connection=b, infer=off, {bench_data.COLUMNS}{row.options});
            {row.setup} SELECT N FROM t WHERE PartitionKey = 'p000000' AND RowKey = 'r0000000'"""
        found = {}

        def work():
            sample, found["requests"] = sql_host(target, target.module, setup, row, row.sql.format(t="t"), REQUESTS)
            return sample

        sample = counted(target, row, work)
        self.requests[row.name] = found["requests"]
        return sample


class NativeTable:
    """A native table in sql_host: in a file, or in memory for a row that writes."""

    name = "native"

    def measure(self, target, row):
        setup = f"{row.native_setup or f'ATTACH {chr(39)}file:{target.native}?mode=ro{chr(39)} AS n;'} {row.setup}"
        sample, _ = sql_host(target, "", setup, row, row.sql.format(t="main.t" if row.native_setup else "n.t"))
        return sample


class RawTransport:
    """libcurl with the requests of our SQL: pages one after another, other reads and writes on several connections."""

    name = "raw"

    def __init__(self, ours):
        self._ours = ours

    def measure(self, target, row):
        requests = self._ours.requests[row.name]
        reads = [request for request in requests if request[0] == "GET"]
        writes = [request for request in requests if request[0] != "GET"]
        operation = {"inserts": "POST", "deletes": "DELETE"}.get(row.writes, "")
        phases = [([self._line(target, *request, operation) for request in reads], row.connections),
                  ([self._line(target, *request, operation) for request in writes], WRITE_CONNECTIONS)]
        return counted(target, row, lambda: self._send(target, phases))

    def _send(self, target, phases):
        total = Sample(0, 0)
        for lines, connections in phases:
            if lines:
                command = [f"{target.programs}/raw_requests", target.server.endpoint, connections]
                command += [target.server.ca_file] if target.server.ca_file else []
                seconds, cpu, _ = run(command, "\n".join([WARM_UP, *lines]) + "\n").split()
                total.seconds += float(seconds)
                total.cpu += float(cpu)
        return total

    @staticmethod
    def _line(target, method, url, size, operations, operation):
        path = url.removeprefix(target.server.endpoint)
        return f"GET {path}" if method == "GET" else f"POST {path} {size} {operations} {operation}"


def raw_point_seconds(target, count=50):
    """The seconds of a small response: libcurl reads an entity `count` times, one after another."""
    command = [f"{target.programs}/raw_requests", target.server.endpoint, 1]
    seconds, *_ = run(command, f"{WARM_UP}\n" * (count + 1)).split()
    return float(seconds) / count


class JavaScript:
    """@azure/data-tables in Node."""

    name = "JavaScript"

    def measure(self, target, row):
        task = {"endpoint": target.server.endpoint, "table": row.table, "entities": target.entities,
                "each": bench_data.EACH, **row.js}
        environment = {"AZTABLES_JS_CLIENT": str(JS_CLIENT), "NODE_EXTRA_CA_CERTS": target.server.ca_file or ""}

        def work():
            found = json.loads(run(["node", BENCH / "js_requests.mjs", json.dumps(task)], **environment))
            result = (tuple(found["result"]),) if found["result"] else ()
            return Sample(found["seconds"], found["cpu"], found["peak_kb"], result)

        return counted(target, row, work)

    @staticmethod
    def is_installed():
        """Whether scripts/js_client.sh has run."""
        return (JS_CLIENT.parent / "node_modules/@azure/data-tables").is_dir()


def check_same(row, samples):
    """WrongResult unless all clients with a result have the same one."""
    results = {name: sample.result for name, sample in samples.items() if name != RawTransport.name}
    if len(set(results.values())) != 1:
        raise WrongResult(f"{row.name}: the results differ: {results}")


