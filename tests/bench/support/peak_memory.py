#!/usr/bin/env python3
"""The memory of a transaction: the growth of the peak resident size, in a separate process.

usage: peak_memory.py STORE TABLE OPTIONS SQL     prints a line of JSON; measure() runs it

First, the process writes and reads another table until the store's page cache is full, and frees what it can. So
memory that does not depend on the number of rows is not counted.
"""

import contextlib
import ctypes
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/bench/support")]
import host  # noqa: E402

host.enter()
import azurite  # noqa: E402
import entities  # noqa: E402

WARM_ROWS, WARM_BODY, WARM_TIMES = 1000, 1000, 20  # more than the page cache of a local store, in small transactions


def measure(store, remote, options, sql):
    """The memory of one transaction with the statement on a local store; `t` is the remote table, `dst` the
    remote table Copy. A mapping: rows written; growth in bytes until the end of the statement and of the
    commit; sent, in bytes per row."""
    child = subprocess.run(
        [host.PYTHON, __file__, str(store), remote, options, sql],
        stdout=subprocess.PIPE, text=True, check=False, preexec_fn=azurite.die_with_parent())
    if child.returncode != 0:
        raise SystemExit(f"the measuring process ended with {child.returncode}: {sql}")
    return json.loads(child.stdout)


def resident(name):
    """Bytes from /proc: VmRSS is the current size, VmHWM the peak."""
    status = pathlib.Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(rf"^{name}:\s+(\d+) kB", status, re.MULTILINE).group(1)) * 1024


def warm_up(db, how, options):
    """Transactions of each kind on a separate table."""
    entities.create_virtual(db, "warm", how, "Warm", options)
    for number in range(WARM_TIMES):
        db.execute(f"INSERT OR REPLACE INTO warm({entities.NAMES}) SELECT PartitionKey || {number}, "
                   f"{entities.NAMES.partition(', ')[2]} FROM ({entities.select(WARM_ROWS, WARM_ROWS, WARM_BODY)})")
    db.execute("UPDATE warm SET Score = Score + 1 WHERE PartitionKey = 'p0000'")
    db.execute("DELETE FROM warm WHERE PartitionKey = 'p0000'")
    ctypes.CDLL(None).malloc_trim(0)
    with contextlib.suppress(OSError):  # resets the peak
        pathlib.Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def main(store, remote, options, sql):
    how = f"LocalStore={store}"
    db = entities.connect(":memory:")
    entities.create_virtual(db, "t", how, remote, options)
    entities.create_virtual(db, "dst", how, "Copy", options)
    warm_up(db, how, options)
    request, commit_id = db.execute(entities.ENDS_OF_LOGS).fetchone()
    before = resident("VmRSS")
    db.execute("BEGIN")
    rows = db.execute(sql).rowcount
    statement = resident("VmHWM") - before
    db.execute("COMMIT")
    commit = resident("VmHWM") - before
    sent = db.execute(entities.SENT.format(request=request, commit=commit_id)).fetchone()[0]
    print(json.dumps({"rows": rows, "statement": statement, "commit": commit, "sent": sent}))


if __name__ == "__main__":
    main(*sys.argv[1:])
