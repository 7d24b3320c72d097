"""Starts aztables-server with a fresh store on a free loopback port, and stops it again.

A module for test drivers. The server must exit with 0 when it is stopped:

    with aztables_server.start() as service:          # or start(path of the program)
        run(..., env={**os.environ, "AZTABLES_CONNECTION_DEMO": service.connection_string})

AZTABLES_SERVER names the program; default: build/aztables-server. It always ends with the process
that started it.
"""

import atexit
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "azurite"))
from azurite import ACCOUNT, ACCOUNT_KEY, HOST, die_with_parent  # pylint: disable=wrong-import-position

START_SECONDS = 30
STOP_SECONDS = 30


class ServerError(Exception):
    """The server is not built, did not start, or did not end correctly."""


def default_program():
    """The path of the program: from AZTABLES_SERVER, else under build."""
    root = pathlib.Path(__file__).resolve().parents[2]
    return os.environ.get("AZTABLES_SERVER") or str(root / "build/aztables-server")


class Server:
    """A running server: port, connection_string (as printed), store (a path), pid; stop() ends it."""

    def __init__(self, process, port, connection_string, log, store):
        self.port = port
        self.pid = process.pid
        self.store = store
        self.endpoint = f"http://{HOST}:{port}/{ACCOUNT}"
        self.connection_string = connection_string
        self._log = log
        self._process = process
        self._killed = False
        atexit.register(_kill, process)

    def log_text(self):
        """The server's output so far, including one line per request."""
        return _read(self._log)

    def is_running(self):
        """Whether the process still runs."""
        return self._process.poll() is None

    def kill(self):
        """Ends the server by SIGKILL."""
        _kill(self._process)
        self._killed = True

    def stop(self):
        """Ends the server by SIGTERM; may be repeated. ServerError unless the exit code is 0."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            code = self._process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            _kill(self._process)
            code = "SIGKILL: it did not end after SIGTERM"
        if code != 0 and not self._killed:
            raise ServerError(f"the server ended with {code}; it printed:\n{_tail(self._log)}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def start(program=None, options=(), store=None, before=None, log=True):
    """Starts the server and returns a Server once it listens; `options` are additional arguments.

    store: a path or ":memory:"; default: a file that ends with this process. before: called in the
    child before the program runs. log: whether log_text() has a line for each request.
    """
    program = program or default_program()
    if not os.path.isfile(program):
        raise ServerError(f"no server at {program}; the build makes it")
    folder = tempfile.mkdtemp(prefix="aztables-server-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    store = str(store or os.path.join(folder, "store.db"))
    output_path = os.path.join(folder, "server.log")
    environment = {k: v for k, v in os.environ.items() if k != "AZTABLES_SERVER_ACCOUNTS"}
    with open(output_path, "wb") as output:
        process = subprocess.Popen(
            [program, "--store", store, "--port", "0", *(["--log"] if log else []), *options],
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=environment,
            preexec_fn=_in_child(before))
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        listening = re.search(rf"listening on {re.escape(HOST)}:(\d+)\nconnection string: (.*)\n",
                              _read(output_path))
        if listening:
            return Server(process, int(listening.group(1)), listening.group(2), output_path, store)
        time.sleep(0.01)
    _kill(process)
    raise ServerError(f"the server did not start; it printed:\n{_read(output_path)}")


def _in_child(before):
    last = die_with_parent()  # last, since changing the user would undo it

    def prepare():
        if before:
            before()
        last()

    return prepare


def _read(path):
    return pathlib.Path(path).read_text(encoding="utf-8", errors="replace")


def _tail(path):
    return "\n".join(_read(path).splitlines()[-60:])


def _kill(process):
    if process.poll() is None:
        process.kill()
    process.wait()
