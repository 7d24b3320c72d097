#!/usr/bin/env python3
"""Runs a command on a fresh local store, which is gone afterwards.

    python3 local_store.py -- COMMAND [ARGUMENT...]

COMMAND gets AZTABLES_CONNECTION_DEMO="LocalStore=PATH", PATH being a file that does not exist yet
in a folder of its own. Exits with the command's code.
"""

import os
import subprocess
import sys
import tempfile


def main(arguments):
    """The command line; returns the exit code."""
    if len(arguments) < 2 or arguments[0] != "--":
        print("usage: local_store.py -- COMMAND [ARGUMENT...]", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="aztables-store-") as folder:
        connection = "LocalStore=" + os.path.join(folder, "store.db")
        code = subprocess.run(
            arguments[1:], env={**os.environ, "AZTABLES_CONNECTION_DEMO": connection}, check=False
        ).returncode
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
