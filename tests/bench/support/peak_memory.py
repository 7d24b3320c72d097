#!/usr/bin/env python3
"""How much memory a transaction needs: the growth of the peak resident size, in a process of its own.

usage: peak_memory.py STORE TABLE OPTIONS SQL     prints a line of JSON; measure() runs it

Before, the process writes and reads another table, until the page cache of the store is full, and gives back
what it can: what it needs once, and not for each row, is not counted.
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
    """What one transaction with the statement needs, on a local store; `t` is the remote table, `dst` the
    remote table Copy. A mapping: rows written; growth in bytes until the end of the statement and of the
    commit; sent, in bytes per row."""
    child = subprocess.run(
        [host.PYTHON, __file__, str(store), remote, options, sql],
        stdout=subprocess.PIPE, text=True, check=False, preexec_fn=azurite.die_with_parent())
    if child.returncode != 0:
        raise SystemExit(f"the process that measures memory ended with {child.returncode}: {sql}")
    return json.loads(child.stdout)


def resident(name):
    """Bytes that /proc gives: VmRSS now, VmHWM at most."""
    status = pathlib.Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(rf"^{name}:\s+(\d+) kB", status, re.MULTILINE).group(1)) * 1024


def warm_up(db, how, options):
    """Transactions of each kind on a table of its own."""
    entities.create_virtual(db, "warm", how, "Warm", options)
    for number in range(WARM_TIMES):
        db.execute(f"INSERT OR REPLACE INTO warm({entities.NAMES}) SELECT PartitionKey || {number}, "
                   f"{entities.NAMES.partition(', ')[2]} FROM ({entities.select(WARM_ROWS, WARM_ROWS, WARM_BODY)})")
    db.execute("UPDATE warm SET Score = Score + 1 WHERE PartitionKey = 'p0000'")
    db.execute("DELETE FROM warm WHERE PartitionKey = 'p0000'")
    ctypes.CDLL(None).malloc_trim(0)
    with contextlib.suppress(OSError):  # the peak so far is forgotten
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
