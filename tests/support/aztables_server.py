#!/usr/bin/env python3
"""Starts aztables-server with a fresh store on a free loopback port, and stops it again.

As a module, for test drivers; the server is to end with 0 when it is stopped:

    with aztables_server.start() as service:          # or start(path of the program)
        run(..., env={**os.environ, "AZTABLES_CONNECTION_DEMO": service.connection_string})

As a command: runs COMMAND with AZTABLES_CONNECTION_DEMO set, stops the server afterwards, shows
what it printed when the command or the server failed, and exits with the command's code:

    python3 aztables_server.py -- COMMAND [ARGUMENT...]

The program is the one that AZTABLES_SERVER names, else build/aztables-server. It dies with the
process that started it, however that ends.
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
    """The server is not built, did not start, or did not end as it should."""


def default_program():
    """The path of the program: from AZTABLES_SERVER, else under build."""
    root = pathlib.Path(__file__).resolve().parents[2]
    return os.environ.get("AZTABLES_SERVER") or str(root / "build/aztables-server")


class Server:
    """A running server: port, connection_string, store (a path), pid; stop() ends it."""

    def __init__(self, process, port, folder):
        self.port = port
        self.pid = process.pid
        self.store = os.path.join(folder, "store.db")
        self.endpoint = f"http://{HOST}:{port}/{ACCOUNT}"
        self.connection_string = (
            f"DefaultEndpointsProtocol=http;AccountName={ACCOUNT};AccountKey={ACCOUNT_KEY};"
            f"TableEndpoint={self.endpoint};"
        )
        self._log = os.path.join(folder, "server.log")
        self._process = process
        atexit.register(_kill, process)

    def log_text(self):
        """What the server has printed so far, one line per request among it."""
        return _read(self._log)

    def stop(self):
        """Ends the server by SIGTERM; may be called again. ServerError unless it ended with 0."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            code = self._process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            _kill(self._process)
            code = "SIGKILL: it did not heed SIGTERM"
        if code != 0:
            raise ServerError(f"the server ended with {code}; it printed:\n{_tail(self._log)}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def start(program=None, options=()):
    """Starts the server and returns a Server once it listens; `options` are more of its own."""
    program = program or default_program()
    if not os.path.isfile(program):
        raise ServerError(f"no server at {program}; the build makes it")
    folder = tempfile.mkdtemp(prefix="aztables-server-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    log = os.path.join(folder, "server.log")
    environment = {k: v for k, v in os.environ.items() if k != "AZTABLES_SERVER_ACCOUNTS"}
    with open(log, "wb") as output:
        process = subprocess.Popen(
            [program, "--store", os.path.join(folder, "store.db"), "--port", "0", "--log",
             *options],
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=environment,
            preexec_fn=die_with_parent())
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        listening = re.search(rf"listening on {re.escape(HOST)}:(\d+)\n", _read(log))
        if listening:
            return Server(process, int(listening.group(1)), folder)
        time.sleep(0.01)
    _kill(process)
    raise ServerError(f"the server did not start; it printed:\n{_read(log)}")


def _read(path):
    return pathlib.Path(path).read_text(encoding="utf-8", errors="replace")


def _tail(path):
    return "\n".join(_read(path).splitlines()[-60:])


def _kill(process):
    if process.poll() is None:
        process.kill()
    process.wait()


def _run(command):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    # As short as Azurite's: clients then meet connections that the server has closed.
    with start(options=("--idle-timeout", "4")) as service:
        environment = {**os.environ, "AZTABLES_CONNECTION_DEMO": service.connection_string}
        with subprocess.Popen(command, env=environment, preexec_fn=die_with_parent()) as child:
            try:
                code = child.wait()
            finally:
                _kill(child)
        if code != 0:
            print(f"--- the command ended with {code}; the server printed:", file=sys.stderr)
            print("\n".join(service.log_text().splitlines()[-60:]), file=sys.stderr)
    return code if code >= 0 else 128 - code


def main(arguments):
    """The command line; returns the exit code."""
    if len(arguments) < 2 or arguments[0] != "--":
        print("usage: aztables_server.py -- COMMAND [ARGUMENT...]", file=sys.stderr)
        return 2
    try:
        return _run(arguments[1:])
    except ServerError as error:
        print(f"aztables_server: {error}", file=sys.stderr)
        return 1
    except FileNotFoundError as error:
        print(f"aztables_server: cannot run {error.filename}: no such command", file=sys.stderr)
        return 127
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
