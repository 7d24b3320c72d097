"""Entity group transactions and reads of a table service over Python's http.client alone: the baseline for the module's
writes and reads.

    raw = RawTable(port, "Raw", connections=8)
    bodies = raw.bodies(rows, operations=100)
    seconds = raw.send(bodies)

    seconds = RawReads(port, connections=8).send(paths)
"""

import json
import queue
import threading
import time
import uuid

import table_http

# The same bytes as ext/odata/batch/batch.cc writes, except for the ids.
PART = """--changeset_{changeset}
Content-Type: application/http
Content-Transfer-Encoding: binary

POST {url} HTTP/1.1
Content-Type: application/json
Accept: application/json;odata=minimalmetadata
Prefer: return-no-content
DataServiceVersion: 3.0;

{entity}
"""
BATCH = """--batch_{batch}
Content-Type: multipart/mixed; boundary=changeset_{changeset}

{parts}--changeset_{changeset}--
--batch_{batch}--
"""
ANNOTATIONS = {"Big": "Edm.Int64", "Score": "Edm.Double", "Made": "Edm.DateTime", "Id": "Edm.Guid"}


class Connections:
    """Kept connections to a service; each has one response before the timed requests."""

    def __init__(self, port, count):
        self._clients = [table_http.Client(port) for _ in range(count)]
        for client in self._clients:
            status, _, response = client.send("GET", "/Tables?$top=1")
            check(status == 200, response)

    def exchange(self, requests):
        """Sends requests (method, path, body, headers) over all connections at once, each signed when it is sent;
        returns the seconds until the last response, and (request, status, response) of each."""
        waiting = queue.SimpleQueue()
        for request in requests:
            waiting.put(request)
        responses = []
        threads = [threading.Thread(target=send_all, args=(client, waiting, responses)) for client in self._clients]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.perf_counter() - began
        check(len(responses) == len(requests), f"{len(responses)} responses to {len(requests)} requests")
        return seconds, responses

    def close(self):
        for client in self._clients:
            client.close()


class RawReads(Connections):
    """Reads of entities and pages."""

    def send(self, paths):
        """Seconds until the last response. Paths are without the account."""
        seconds, responses = self.exchange([("GET", path, None, None) for path in paths])
        for (_, path, *_), status, response in responses:
            check(status in (200, 404), (path, response))
        return seconds


class RawTable(Connections):
    """A new remote table, and kept connections for its writes."""

    def __init__(self, port, name, connections):
        super().__init__(port, connections)
        self._url = f"http://{table_http.HOST}:{port}/{table_http.ACCOUNT}/{name}"
        status, _, response = self._clients[0].send("POST", "/Tables", {"TableName": name})
        check(status == 201, response)

    def bodies(self, rows, operations):
        """(Content-Type, bytes, operations) of the EGTs that insert these rows, which are mappings, in their order."""
        egts = []
        for row in rows:
            full = egts and len(egts[-1]) == operations
            if not egts or full or egts[-1][0]["PartitionKey"] != row["PartitionKey"]:
                egts.append([])
            egts[-1].append(entity(row))
        return [self._body(egt) for egt in egts]

    def _body(self, egt):
        batch, changeset = uuid.uuid4(), uuid.uuid4()
        parts = "".join(PART.format(changeset=changeset, url=self._url, entity=json.dumps(e, separators=(",", ":")))
                        for e in egt)
        text = BATCH.format(batch=batch, changeset=changeset, parts=parts)
        return f"multipart/mixed; boundary=batch_{batch}", text.replace("\n", "\r\n").encode(), len(egt)

    def send(self, bodies):
        """Seconds until the last response."""
        operations = {id(body): count for _, body, count in bodies}
        seconds, responses = self.exchange([("POST", "/$batch", body, {"Content-Type": kind}) for kind, body, _ in bodies])
        for (_, _, body, _), status, response in responses:
            check(status == 202 and response.count(b" 204 ") == operations[id(body)], response)
        return seconds


def send_all(client, waiting, responses):
    """Sends the waiting requests one after the other, and keeps the responses."""
    while True:
        try:
            request = waiting.get_nowait()
        except queue.Empty:
            return
        status, _, response = client.send(*request)
        responses.append((request, status, response))


def entity(row):
    """The entity of a row, with the annotations that the module writes."""
    properties = {}
    for name, value in row.items():
        if name in ANNOTATIONS:
            properties[f"{name}@odata.type"] = ANNOTATIONS[name]
        properties[name] = str(value) if name == "Big" else bool(value) if name == "Flag" else value
    return properties


def check(good, what):
    if not good:
        raise SystemExit(f"raw transport: {what!r}")
