#!/usr/bin/env python3
"""Runs a command on its own table service.

    python3 on_service.py local|server|azurite COMMAND [ARGUMENT...]

COMMAND gets a connection string in AZTABLES_CONNECTION_DEMO: of a local store whose file does not exist
yet, of aztables-server, or of Azurite. The service ends with it. If it fails, the service's last output
is shown. Exits with the command's code.
"""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent / "azurite")]
import aztables_server  # noqa: E402
import azurite  # noqa: E402

SHOWN_LINES = 60


def fast_folder():
    """A folder in memory if there is one; None: the default for temporary files."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


@contextlib.contextmanager
def service(name, folder=None, simulate=None):
    """Yields a connection string, and a function that returns the service's output.

    folder: the folder of a local store; default: that of temporary files. simulate: the plan of a simulation.
    """
    if name == "local":
        with tempfile.TemporaryDirectory(prefix="aztables-store-", dir=folder) as store:
            yield f"LocalStore={store}/store.db" + (f";Simulate={simulate}" if simulate else ""), lambda: ""
    elif name == "server":
        # As short as Azurite's, so clients meet connections that the server has closed.
        options = ("--idle-timeout", "4", *(("--simulate", simulate) if simulate else ()))
        with aztables_server.start(options=options) as server:
            yield server.connection_string, server.log_text
    else:
        with azurite.start(access_log=True) as emulator:
            yield emulator.connection_string, emulator.log_text


def run(name, command):
    """Runs the command on the service; returns its exit code as a shell would."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with service(name) as (connection_string, log_text):
        environment = {**os.environ, "AZTABLES_CONNECTION_DEMO": connection_string}
        with subprocess.Popen(command, env=environment, preexec_fn=azurite.die_with_parent()) as child:
            try:
                code = child.wait()
            finally:
                child.kill()
        if code != 0:
            print(f"--- the command ended with {code}; the service printed:", file=sys.stderr)
            print("\n".join(log_text().splitlines()[-SHOWN_LINES:]), file=sys.stderr)
    return code if code >= 0 else 128 - code


def main(arguments):
    """The command line; returns the exit code."""
    if len(arguments) < 2 or arguments[0] not in ("local", "server", "azurite"):
        print("usage: on_service.py local|server|azurite COMMAND [ARGUMENT...]", file=sys.stderr)
        return 2
    try:
        return run(arguments[0], arguments[1:])
    except (azurite.AzuriteError, aztables_server.ServerError) as error:
        print(f"on_service: {error}", file=sys.stderr)
        return 1
    except FileNotFoundError as error:
        print(f"on_service: cannot run {error.filename}: no such command", file=sys.stderr)
        return 127
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
