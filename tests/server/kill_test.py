#!/usr/bin/env python3
"""SIGKILL of the server during writes of several clients. After the restart, every acknowledged write is present,
and no transaction is applied in part.

usage: kill_test.py PATH_OF_THE_SERVER [--kills N] [--seed N]

Each writer sends one transaction after the other over its own connection. It alternates between two kinds: "new"
creates a partition of entities that contain their count; "same" sets one number in all entities of the writer's
partition. A transaction without a response is applied completely or not at all. That result does not change later.
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
    """One client: its transactions, and which of them are known to be applied or known to be absent."""

    def __init__(self, name, seed):
        self.name = name
        self.random = random.Random(seed)
        self.number = 0  # of the last transaction
        self.rows = {}  # partition of a "new" transaction -> number of its entities; 0: absent
        self.same = 0  # the number in all entities of "same"
        self.unsure = None  # (kind, partition, count or number) of the transaction without a response
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
        """Records that a transaction is applied completely."""
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
    """Reads the result of the transaction without a response, and of the last "same"."""
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
    """Compares every entity with the known state."""
    found = {}
    for row in client.rows(TABLE, "$select=PartitionKey,Of"):
        found.setdefault(row["PartitionKey"], []).append(row["Of"])
    for writer in writers:
        found.pop(writer.name, None)
        for partition, count in writer.rows.items():
            rows = found.pop(partition, [])
            assert rows == [count] * count, f"{partition}: {rows}, not {count} entities"
    assert not found, f"no writer wrote {sorted(found)[:5]}"


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
    """The whole test; raises AssertionError at the first lost write or partial transaction."""
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
    assert acknowledged > options.kills, "the writers committed too few transactions"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    main(arguments)
