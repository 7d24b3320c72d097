#!/usr/bin/env python3
"""The official JavaScript clients against aztables-server: @azure/data-tables and the legacy azure-storage. It runs
tests/clients/js with Node's own test runner. scripts/js_client.sh installs the clients beforehand.

usage: js_client_test.py PATH_OF_THE_SERVER [test file ...]
"""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import aztables_server  # noqa: E402

# Each partition is a range. The second EGT and the third page meet a partition that begins to move.
SIMULATION = "ranges=1, tokens=partition, move:200@2/egts, move:200@3/reads"
INSTALLED = HERE.parents[1] / "build/js_client/package.json"


def main(program, files):
    if shutil.which("node") is None:
        print("js_client: no command node; scripts/deps.sh demo installs it", file=sys.stderr)
        return 1
    for package in ("@azure/data-tables", "azure-storage"):
        if not (INSTALLED.parent / "node_modules" / package).is_dir():
            print(f"js_client: {package} is not installed; scripts/js_client.sh installs it", file=sys.stderr)
            return 1
    files = files or sorted(str(path) for path in (HERE / "js").glob("*_test.mjs"))
    with (aztables_server.start(program) as server,
          aztables_server.start(program, ("--simulate", SIMULATION)) as simulated):
        environment = {
            **os.environ,
            "AZTABLES_JS_CLIENT": str(INSTALLED),
            "AZTABLES_ENDPOINT": server.endpoint,
            "AZTABLES_SIMULATED": simulated.endpoint,
            "AZTABLES_PRINTED": server.connection_string,
            "AZTABLES_ACCOUNT": aztables_server.ACCOUNT,
            "AZTABLES_ACCOUNT_KEY": aztables_server.ACCOUNT_KEY,
            "NO_PROXY": "127.0.0.1",
        }
        code = subprocess.run(["node", "--test", *files], env=environment, check=False).returncode
        if code != 0:
            for one in (server, simulated):
                print("--- the server's log:", *one.log_text().splitlines()[-40:], sep="\n")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
