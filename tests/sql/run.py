#!/usr/bin/env python3
"""Golden SQL tests: runs each tests/sql/<topic>.sql in the sqlite3 shell and compares its output (rows, errors and
requests) with <topic>.expected.

usage: run.py [--update] [topic ...]

Each script runs in a fresh shell with the connections `demo` (aztables-server), `faulty` (a faulty server) and
`closed` (a port without a listening server). Words replace values that differ between runs: ports, request ids,
times, ETags. The expected files are the output of SQLite 3.40.1. newer.py lists the differences of newer versions.
`--update` writes them, but only on such a SQLite: read the difference.
"""

import base64
import difflib
import hashlib
import hmac
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "support/azurite")]
import azurite  # noqa: E402
import aztables_server  # noqa: E402
import newer  # noqa: E402
import faulty_server  # noqa: E402

MODULE = os.environ.get("AZTABLES_MODULE", str(HERE.parents[1] / "build/aztables.so"))
REPLACEMENTS = [
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?=[\],])"),
     "REQUEST-ID"),
    (re.compile(r"W/\"datetime'[^']*'\""), "ETAG"),
    (re.compile(r"20[2-9]\d-\d\d-\d\dT\d\d(:|%3A)\d\d(:|%3A)\d\d\.\d{7}Z"), "TIME"),
    (re.compile(r" (after|in) \d+ ms"), r" \1 N ms"),
    (re.compile(r"after \d+ milliseconds"), "after N milliseconds"),
]


def closed_port():
    """A free port; no server listens on it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def with_account_sas(service):
    """A connection string for the service with an account SAS instead of the key."""
    fields = {"sp": "raudl", "ss": "t", "srt": "sco", "st": "", "se": "2099-12-31T00:00:00Z", "sip": "",
              "spr": "https,http", "sv": "2019-02-02"}
    text = "".join(value + "\n" for value in (azurite.ACCOUNT, *fields.values()))
    digest = hmac.new(base64.b64decode(azurite.ACCOUNT_KEY), text.encode(), hashlib.sha256).digest()
    sas = urllib.parse.urlencode({**{k: v for k, v in fields.items() if v}, "sig": base64.b64encode(digest)})
    return f"TableEndpoint=http://127.0.0.1:{service.port}/{azurite.ACCOUNT};SharedAccessSignature=?{sas}"


def normalize(text, ports, scratch):
    text = text.replace(os.path.realpath(scratch), "SCRATCH")
    for port, name in ports.items():
        text = text.replace(f":{port}", f":{name}").replace(f" port {port}", f" port {name}")
    for pattern, word in REPLACEMENTS:
        text = pattern.sub(word, text)
    return text


def sqlite_version():
    """The shell's SQLite version, such as (3, 40, 1)."""
    shell = ["sqlite3", "-batch", "-init", "/dev/null", ":memory:", "SELECT sqlite_version()"]
    done = subprocess.run(shell, text=True, capture_output=True, timeout=60, check=True)
    return tuple(int(part) for part in done.stdout.split("."))


def run_script(path, environment, directory):
    """The shell's output for a script, with errors in order."""
    prelude = (HERE / "prelude.sql").read_text().replace("$MODULE", MODULE)
    script = prelude + path.read_text().replace(".read sent.sql", f".read {HERE}/sent.sql")
    shell = ["sqlite3", "-batch", "-init", "/dev/null", ":memory:"]
    done = subprocess.run(shell, input=script, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=environment, cwd=directory, timeout=300,
                          check=False)
    text = re.sub(r"(Runtime|Parse) error near line \d+: ", r"\1 error: ", done.stdout)
    if done.returncode < 0 or "Sanitizer" in text:
        text += f"\n*** the shell ended with {done.returncode}\n"
    return text


def main(arguments):
    update = "--update" in arguments
    topics = [a for a in arguments if not a.startswith("-")]
    scripts = sorted(p for p in HERE.glob("*.sql") if p.stem not in ("prelude", "sent"))
    if topics:
        scripts = [p for p in scripts if p.stem in topics]
    failed = 0
    version = sqlite_version()
    print("on SQLite " + ".".join(map(str, version)))
    if update and newer.differs(version):
        sys.exit("the expected files are those of the SQLite before " + ".".join(map(str, newer.FIRST)))
    with aztables_server.start() as demo, faulty_server.start() as faulty, tempfile.TemporaryDirectory() as scratch:
        closed = closed_port()
        ports = {demo.port: "DEMO", faulty.port: "FAULTY", closed: "CLOSED"}
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("AZTABLES_C", "AZTABLES_TRUST", "AZURE"))}
        environment.update(
            AZTABLES_CONNECTION_DEMO=demo.connection_string,
            AZTABLES_CONNECTION_FAULTY=faulty.connection_string,
            AZTABLES_CONNECTION_CLOSED=f"AccountName=a;AccountKey=b2Rk;TableEndpoint=http://127.0.0.1:{closed}",
            DEMO_WITH_WRONG_KEY=re.sub("AccountKey=[^;]*", "AccountKey=d3Jvbmc=",
                                       demo.connection_string),
            DEMO_WITH_SAS=with_account_sas(demo),
            LC_ALL="C.UTF-8")
        if os.environ.get("AZTABLES_PRELOAD"):
            environment["LD_PRELOAD"] = os.environ["AZTABLES_PRELOAD"]
        for path in scripts:
            actual = normalize(run_script(path, environment, scratch), ports, scratch)
            golden = path.with_suffix(".expected")
            if update:
                golden.write_text(actual)
                print(f"{path.stem}: written")
                continue
            expected = newer.expected(path.stem, golden.read_text() if golden.exists() else "", version)
            if actual == expected:
                print(f"{path.stem}: ok")
                continue
            failed += 1
            print(f"{path.stem}: differs")
            sys.stdout.writelines(difflib.unified_diff(
                expected.splitlines(True), actual.splitlines(True), "expected", "actual"))
        if failed:
            print("--- the server's log:\n" + demo.log_text())
    print(f"{len(scripts)} scripts, {failed} differ")
    return 1 if failed or not scripts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
