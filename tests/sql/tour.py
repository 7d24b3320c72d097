#!/usr/bin/env python3
"""The guided tour of scripts/demo.sh completes without an error and shows each kind of query, on a local store and
on the emulator."""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support/azurite"))
import azurite  # noqa: E402

MODULE = pathlib.Path(os.environ.get("AZTABLES_MODULE", ROOT / "build/aztables.so"))
WANTED = ["0:point: PartitionKey eq ?1", "0:row range: PartitionKey eq ?1 and RowKey ge ?2",
          "0:partition range: PartitionKey ge ?1", "0:table scan; select", "Shanghai Noon", "Kagemusha",
          "EGT", "$batch", "aztables_help", "2026-11-20T00:00:00.0000000Z"]


def tour(connection_string):
    """The tour's output on a connection, or None if it does not complete."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(MODULE, pathlib.Path(folder, "aztables.so"))
        environment = {**os.environ, "AZTABLES_CONNECTION_DEMO": connection_string}
        if os.environ.get("AZTABLES_PRELOAD"):
            environment["LD_PRELOAD"] = os.environ["AZTABLES_PRELOAD"]
        done = subprocess.run(["sqlite3", "-batch", "-bail", "-init", "/dev/null", ":memory:"],
                              input=(ROOT / "sql/tour.sql").read_text(), text=True, cwd=folder,
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=120, check=False)
    missing = [text for text in WANTED if text not in done.stdout]
    if done.returncode != 0 or missing or "error" in done.stdout.lower():
        print(f"{done.stdout}\nexit code {done.returncode}; missing: {missing}")
        return None
    return done.stdout


def main():
    local = tour("LocalStore=tour.db")
    with azurite.start() as service:
        emulator = tour(service.connection_string)
    if local is None or emulator is None:
        return 1
    print("the tour completes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
