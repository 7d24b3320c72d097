#!/usr/bin/env python3
"""SIGKILL of the server while several clients write: what was acknowledged is there after the restart,
and no transaction is there in part.

usage: kill_test.py PATH_OF_THE_SERVER [--kills N] [--seed N]

Each writer sends transactions one after the other over a connection of its own, in turns of two kinds:
"new" makes a partition of some entities, each of which says how many they are; "same" gives all entities
of the writer's own partition one number. What was under way at a kill is whole or absent, and stays so.
"""

import argparse
import http.client
import pathlib
import random
import sqlite3
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import aztables_server  # noqa: E402
import table_http  # noqa: E402

WRITERS = 5
SAME_ROWS = 7
CHECK_ALL_EVERY = 25
TABLE = "Kill"


class Writer:
    """One client: what it sent, what of it is known to be there or known to be absent."""

    def __init__(self, name, seed):
        self.name = name
        self.random = random.Random(seed)
        self.number = 0  # of the last transaction that was sent
        self.rows = {}  # partition of a "new" transaction: how many entities it has; 0: it is absent
        self.same = 0  # the number that all entities of "same" have
        self.unsure = None  # (kind, partition, count or number) of what got no response
        self.acknowledged = 0

    def next_transaction(self):
        self.number += 1
        if self.number % 3 == 0:
            rows = [("PUT", self.name, row, {"V": self.number}) for row in range(SAME_ROWS)]
            return ("same", self.name, self.number), rows
        partition = f"{self.name}-{self.number:07}"
        count = self.random.choice([2, 3, 5, 10, 40])
        rows = [("POST", partition, row, {"Of": count, "Filler": "x" * self.random.randrange(500)})
                for row in range(count)]
        return ("new", partition, count), rows

    def know(self, what):
        """Notes that a transaction is there whole."""
        kind, partition, value = what
        if kind == "same":
            self.same = value
        else:
            self.rows[partition] = value

    def write(self, port):
        """Sends transactions until the connection breaks."""
        client = table_http.Client(port, seconds=30)
        while True:
            self.unsure, rows = self.next_transaction()
            requests = [request(*row) for row in rows]
            try:
                status, _, body = client.batch(requests)
            except (OSError, http.client.HTTPException):
                return
            if status != 202 or body.count(b"HTTP/1.1 204 ") != len(rows):
                raise AssertionError(f"{self.unsure}: {status} {body!r}")
            self.know(self.unsure)
            self.unsure = None
            self.acknowledged += 1


def request(method, partition, row, properties):
    """One operation of a changeset."""
    keys = {"PartitionKey": partition, "RowKey": f"{row:03}"}
    path = f"/{TABLE}"
    if method == "PUT":
        path += f"(PartitionKey='{partition}',RowKey='{keys['RowKey']}')"
    return method, path, {**keys, **properties}


def settle(client, writer):
    """Finds out what became of the transaction without a response, and of the last "same"."""
    if writer.unsure:
        kind, partition, value = writer.unsure
        found = client.rows(TABLE, f"$filter=PartitionKey%20eq%20'{partition}'")
        if kind == "new":
            assert len(found) in (0, value), f"{writer.unsure}: {len(found)} entities"
            writer.rows[partition] = len(found)
        elif found and found[0]["V"] == value:
            writer.same = value
        writer.unsure = None
    found = client.rows(TABLE, f"$filter=PartitionKey%20eq%20'{writer.name}'")
    numbers = [row["V"] for row in found]
    wanted = [writer.same] * SAME_ROWS if writer.same else []
    assert numbers == wanted, f"{writer.name}: {numbers}, not {writer.same}"


def check_all(client, writers):
    """Compares every entity with what is known."""
    found = {}
    for row in client.rows(TABLE, "$select=PartitionKey,Of"):
        found.setdefault(row["PartitionKey"], []).append(row["Of"])
    for writer in writers:
        found.pop(writer.name, None)
        for partition, count in writer.rows.items():
            rows = found.pop(partition, [])
            assert rows == [count] * count, f"{partition}: {rows}, not {count} entities"
    assert not found, f"nobody wrote {sorted(found)[:5]}"


def run_until_killed(server, writers, after):
    """Lets the writers write, and kills the server."""
    failures = []

    def run(writer):
        try:
            writer.write(server.port)
        except BaseException as failure:  # pylint: disable=broad-except
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(writer,)) for writer in writers]
    for thread in threads:
        thread.start()
    time.sleep(after)
    server.kill()
    for thread in threads:
        thread.join()
    for failure in failures:
        raise failure


def main(options):
    """The whole test; raises AssertionError at the first thing that is lost or torn."""
    chance = random.Random(options.seed)
    writers = [Writer(f"w{i}", chance.random()) for i in range(WRITERS)]
    undecided = 0
    with tempfile.TemporaryDirectory(prefix="aztables-kill-") as folder:
        store = f"{folder}/store.db"
        for kill in range(1, options.kills + 2):
            server = aztables_server.start(options.program, store=store, log=False)
            client = table_http.Client(server.port)
            if kill == 1:
                status, _, body = client.send("POST", "/Tables", {"TableName": TABLE})
                assert status == 201, body
            undecided += sum(1 for writer in writers if writer.unsure)
            for writer in writers:
                settle(client, writer)
            if kill % CHECK_ALL_EVERY == 0 or kill > options.kills:
                check_all(client, writers)
            client.close()
            if kill > options.kills:
                server.stop()
                break
            run_until_killed(server, writers, chance.uniform(0.005, 0.1))
        database = sqlite3.connect(store)
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        database.close()
    acknowledged = sum(writer.acknowledged for writer in writers)
    print(f"{options.kills} kills: {acknowledged} transactions acknowledged, {undecided} under way at a kill")
    assert acknowledged > options.kills, "the writers got too little done"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    main(arguments)
