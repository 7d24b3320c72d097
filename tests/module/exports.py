#!/usr/bin/env python3
"""Checks the symbols of the module. It exports exactly its entry point. It takes no symbol of
SQLite from the linker and does not need libsqlite3, since two copies of SQLite in one process break
each other's locks. It takes no symbol of simdjson either: a host such as Node exports its own
simdjson, and the module would call it. It starts no thread and leaves signals to its host.

usage: AZTABLES_MODULE=aztables.so exports.py

This also applies to a sanitized module: its version script hides the symbols that the sanitizers
define in it. Their runtime is one of the libraries that it needs.
"""

import os
import re
import subprocess
import sys

ENTRY = "sqlite3_aztables_init"


def output(*command):
    """The output of a command, in English."""
    return subprocess.run(command, env={**os.environ, "LC_ALL": "C"}, check=True,
                          stdout=subprocess.PIPE, text=True).stdout


def names(module, which):
    """The dynamic symbols that the module defines, or those that it needs."""
    lines = output("nm", "-D", "--format=posix", which, module).splitlines()
    return sorted(line.split()[0].split("@")[0] for line in lines)


def main():
    """Prints the problems. The exit code is 1 if there are any."""
    module = os.environ["AZTABLES_MODULE"]
    defined = names(module, "--defined-only")
    wanted = names(module, "--undefined-only")
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", module))
    problems = []
    if defined != [ENTRY]:
        problems.append(f"exports {len(defined)} symbols, not {ENTRY} alone: {defined[:20]}")
    if not wanted or not needed:
        problems.append("nm or readelf finds no needed symbols or libraries: is this file the module?")
    for library, mark in (("SQLite", "sqlite3"), ("simdjson", "simdjson")):
        symbols = [name for name in wanted if mark in name]
        if symbols:
            problems.append(f"wants {len(symbols)} symbols of {library} from the linker: {symbols[:20]}")
    threads = [name for name in wanted
               if name.startswith("_ZNSt6thread") or name in ("pthread_create", "pthread_sigmask", "sigaction", "signal")]
    if threads:
        problems.append(f"starts threads or handles signals: {threads}")
    problems += [f"needs {name}" for name in needed if "sqlite" in name or "simdjson" in name]
    print(f"exports: {', '.join(defined)}\nneeds: {', '.join(needed)}")
    for problem in problems:
        print(f"exports.py: {module} {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
