#!/usr/bin/env python3
"""Runs a command whose hosts, and their child processes, use a current SQLite instead of the system's.

    python3 on_current_sqlite.py COMMAND [ARGUMENT...]

AZTABLES_CURRENT_SQLITE names the folder that scripts/current_sqlite.sh prints; its name begins with the
version. First, Python's sqlite3 and the sqlite3 shell must report that version, and it must differ from
the system's. Then the process becomes the command; it exits with 1 if it cannot.
"""

import os
import pathlib
import sqlite3
import subprocess
import sys

QUERY = "SELECT sqlite_version()"
PYTHON = "/usr/bin/python3"
HOSTS = {
    "Python's sqlite3": [PYTHON, "-c", f"import sqlite3; print(*sqlite3.connect('').execute('{QUERY}').fetchone())"],
    "the sqlite3 shell": ["sqlite3", "-batch", "-init", "/dev/null", ":memory:", QUERY],
}


class NotCurrent(Exception):
    """The reason why the hosts do not run on the current SQLite."""


def environment():
    """This process's environment with the current SQLite first, after a check that the hosts load
    it."""
    named = os.environ.get("AZTABLES_CURRENT_SQLITE")
    if not named:
        raise NotCurrent("AZTABLES_CURRENT_SQLITE is not set; it names the folder that scripts/current_sqlite.sh "
                         "prints, as scripts/test.sh does")
    folder = pathlib.Path(named).resolve()
    if not (folder / "libsqlite3.so.0").is_file():
        raise NotCurrent(f"there is no libsqlite3.so.0 in {folder}; see scripts/current_sqlite.sh")
    version = folder.name.split("-")[0]
    if version == sqlite3.sqlite_version:
        raise NotCurrent(f"the system's own SQLite is {version} already: the versions must differ")
    before = os.environ.get("LD_LIBRARY_PATH")
    found = {**os.environ, "LD_LIBRARY_PATH": f"{folder}:{before}" if before else str(folder)}
    for host, command in HOSTS.items():
        done = subprocess.run(command, env=found, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=60, check=False)
        if done.stdout.strip() != version:
            raise NotCurrent(f"{host} does not run on SQLite {version}; it printed: {done.stdout.strip()}")
    print(f"on SQLite {version}", flush=True)
    return found


def main(arguments):
    """The command line; returns the exit code."""
    if not arguments:
        print("usage: on_current_sqlite.py COMMAND [ARGUMENT...]", file=sys.stderr)
        return 2
    try:
        os.execvpe(arguments[0], arguments, environment())
    except NotCurrent as error:
        print(f"on_current_sqlite: {error}", file=sys.stderr)
    except FileNotFoundError as error:
        print(f"on_current_sqlite: cannot run {error.filename or arguments[0]}: no such command", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
