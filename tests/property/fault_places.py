"""The services of fault_at_each_request.py. Each gives a case its own tables with the rows of FIXTURE, and a connection
string whose requests meet the faults of a plan.

local: a local store with Simulate. server: aztables-server --simulate. forgetful: the same behind a proxy, so that the
server does not recognize an EGT that arrives again, and entities are read to find out its outcome. azurite: Azurite
behind a proxy with fewer kinds of faults.
"""

import contextlib
import itertools
import os
import pathlib
import shutil
import sqlite3
import tempfile
import threading
import time

import aztables_server
import azurite
import host
import on_service
from cut_proxy import CutProxy
from fault_scripts import FIXTURE
from forgetful_proxy import ForgetfulProxy

SETTLED_SECONDS = 2.5  # entities that are older than 2 s were not written by an EGT in doubt
TABLES = ("Main", "Side")


def fill(connection_string, suffix=""):
    """Creates the tables and their first rows."""
    db = host.connect()
    db.execute("SELECT aztables_connect('sim', ?)", (connection_string,))
    for name, virtual in zip(TABLES, "tu"):
        db.execute(f"SELECT aztables_create_table('sim.{name}{suffix}')").fetchall()
        db.execute(f"CREATE VIRTUAL TABLE {virtual} USING aztables(connection=sim, table={name}{suffix}, N INT32, S STRING)")
    for statement in ("BEGIN", *FIXTURE.split(";"), "COMMIT"):
        db.execute(statement)
    db.close()


_FOLDER = tempfile.TemporaryDirectory(prefix="aztables-faults-", dir=on_service.fast_folder())


def prepare():
    """Fills the store that each case copies."""
    fill(f"LocalStore={_FOLDER.name}/filled.db")
    source = sqlite3.connect(f"{_FOLDER.name}/filled.db")
    source.execute("VACUUM INTO ?", (f"{_FOLDER.name}/template.db",))
    source.close()
    time.sleep(SETTLED_SECONDS)


class StorePlace:
    """A copy of one store per case."""
    numbers = itertools.count(1)

    def __init__(self, name, cases):
        del cases
        self.name = name

    @contextlib.contextmanager
    def open(self, plan):
        """Yields the connection string with faults, the one without, and the suffix of the tables."""
        store = f"{_FOLDER.name}/case{next(self.numbers)}.db"
        shutil.copy(f"{_FOLDER.name}/template.db", store)
        try:
            if self.name == "local":
                yield f"LocalStore={store};Simulate={plan}", f"LocalStore={store}", ""
            else:
                with aztables_server.start(store=store, options=("--simulate", plan), log=False) as server:
                    before = ForgetfulProxy(server.port) if self.name == "forgetful" else contextlib.nullcontext(server)
                    with before as proxy:
                        yield host.key_of(proxy), f"LocalStore={store}", ""
        finally:
            for more in ("", "-wal", "-shm"):
                pathlib.Path(store + more).unlink(missing_ok=True)

    def close(self):
        """Other places use the folder, too."""


class AllRequests(CutProxy):
    """A CutProxy that counts all requests together."""

    def _way(self, line):
        with self.lock:
            self.batches += 1
            return self.plan.get(self.batches)


class AzuritePlace:
    """Tables of their own names per case. All are filled before the first case."""
    WAYS = {"reset-before": "refuse", "reset-after": "drop response", "truncate": "half response", "503": "busy"}

    def __init__(self, name, cases):
        self.name = name
        self.service = azurite.start()
        self.lock = threading.Lock()
        self.ready = [f"X{number}" for number in range(cases)]
        for suffix in self.ready:
            fill(self.service.connection_string, suffix)
        time.sleep(SETTLED_SECONDS)

    @contextlib.contextmanager
    def open(self, plan):
        with self.lock:
            suffix = self.ready.pop()
        with AllRequests(self.service.port) as proxy:
            for fault in plan.split(", "):
                kind, _, number = fault.partition("@")
                if kind in self.WAYS:
                    proxy.plan[int(number)] = self.WAYS[kind]
            yield host.key_of(proxy), self.service.connection_string, suffix

    def close(self):
        self.service.stop()


def make(name, cases):
    return (AzuritePlace if name == "azurite" else StorePlace)(name, cases)


def plain_environment():
    """No connection of the environment takes part."""
    for name in [name for name in os.environ if name.startswith("AZTABLES_CONNECTION")]:
        del os.environ[name]
