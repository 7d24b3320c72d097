#!/usr/bin/env python3
"""Runs the scripts of sql/patterns and sql/reports, and the recipes of sql/README.md, on a local store and on
aztables-server. Compares the output and the requests of each step with the comments that follow it.

usage: run.py [--update] [--on local|server] [NAME ...]      NAME: a script without .sql, or README

A step ends with a result: comment lines that begin with `--|` (output), `--!` (an error) or `--=` (its requests):

    SELECT count(*) FROM movies WHERE PartitionKey = 'Action';
    --| 7
    --= row range: 1 request, 7 entities

`--~` begins a line of output that differs between runs: only the number of these lines is compared. A step must not
fail unless its result has a `--!` line. `--update` writes the results of the local store: read the difference. A new
step gets its result from a line that contains only `--=`.

Each script runs in a fresh sqlite3 shell, in a fresh folder that holds aztables.so, with the connections `demo` and
`copy` to two accounts of the service, and `source`, which is `demo` with ReadOnly=true. The ```sql blocks of README.md
are one script.
"""

import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/support/azurite")]
import aztables_server  # noqa: E402

MODULE = os.environ.get("AZTABLES_MODULE", str(ROOT / "build/aztables.so"))
SERVICES = ["local", "server"]
COOKBOOK = ROOT / "sql/README.md"
FENCED = re.compile(r"^```sql\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RESULT = re.compile(r"^--[|!=~]")
ACCOUNTS = {"DEMO": ("demoaccount", "ZGVtbw=="), "COPY": ("copyaccount", "Y29weQ==")}
# After each step: its requests, each as id, kind, entities.
PROBE = ".print @@@\nSELECT id || ' ' || kind || ' ' || entities FROM aztables_requests;\n.print @@@\n"


class Step:
    """The code of a step, and its result as lines."""

    def __init__(self, code, result):
        self.code = code
        self.result = result

    def refresh(self, output, requests):
        """The result of a run."""
        vary = any(line.startswith("--~") for line in self.result)
        lines = []
        for line in output.splitlines():
            mark = "--!" if " error: " in line else "--~" if vary else "--|"
            lines.append(f"{mark} {line}".rstrip())
        counts = {}
        for kind, entities in requests:
            sent, read = counts.get(kind, (0, 0))
            counts[kind] = (sent + 1, read + entities)
        for kind, (sent, read) in counts.items():
            lines.append(f"--= {kind}: {number(sent, 'request')}, {number(read, 'entity', 'entities')}")
        return lines if counts else [*lines, "--= no request"]


def number(count, one, many=None):
    """3 requests"""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def steps_of(text):
    """The steps of a script. The last may have no result."""
    steps, code, result = [], [], []
    for line in text.splitlines():
        if RESULT.match(line):
            result.append(line)
            continue
        if result:
            steps.append(Step(code, result))
            code, result = [], []
        code.append(line)
    return [*steps, Step(code, result)]


def normalize(text, folder, ports):
    text = text.replace(os.path.realpath(folder) + "/", "")
    text = re.sub(r"(Runtime|Parse) error near line \d+: ", r"\1 error: ", text)
    for port in ports:
        text = text.replace(f":{port}", ":PORT")
    text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=[\],])", "REQUEST-ID", text)
    return re.sub(r" in \d+ ms", " in 4 ms", text)


def run(text, environment, ports):
    """The steps of a script, each with the result of this run."""
    steps = steps_of(text)
    script = "".join("\n".join(step.code) + "\n" + (PROBE if step.result else "") for step in steps)
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(MODULE, pathlib.Path(folder, "aztables.so"))
        done = subprocess.run(["sqlite3", "-batch", "-init", "/dev/null", ":memory:"], input=script, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, env=environment,
                              timeout=600, check=False)
        parts = re.split(r"^@@@\n", normalize(done.stdout, folder, ports), flags=re.MULTILINE)
    if done.returncode < 0 or "Sanitizer" in done.stdout:
        raise SystemExit(f"the shell ended with {done.returncode}:\n{done.stdout[-4000:]}")
    expected = 2 * sum(1 for step in steps if step.result) + 1
    if len(parts) != expected:
        raise SystemExit("the script ended early:\n" + "".join(parts)[-4000:])
    last = 0
    fresh = []
    for step, output, probe in zip(steps, parts[0::2], parts[1::2]):
        requests = [line.split(" ", 1) for line in probe.splitlines()]
        new = [(int(number), *rest.rsplit(" ", 1)) for number, rest in requests if int(number) > last]
        last = max([last, *(row[0] for row in new)])
        fresh.append(Step(step.code, step.refresh(output, [(kind, int(read)) for _, kind, read in new])))
    tail = parts[-1].strip()
    if not steps[-1].result:
        fresh.append(Step(steps[-1].code, []))
        if tail:
            raise SystemExit("the code after the last result has output:\n" + tail)
    return fresh


def text_of(steps):
    """The script."""
    return "\n".join(line for step in steps for line in [*step.code, *step.result]) + "\n"


def comparable(steps):
    """The script without what differs between runs."""
    return re.sub(r"^--~.*$", "--~", text_of(steps), flags=re.MULTILINE)


def unexpected_failures(old, new):
    """The errors of steps whose result had none before."""
    return [line for before, after in zip(old, new) for line in after.result
            if line.startswith("--!") and not any(b.startswith("--!") for b in before.result)]


def check(name, text, environment, ports, problems):
    """Runs a script; returns its text with the results of this run."""
    old = steps_of(text)
    if not any(step.result for step in old):
        problems.append(f"{name} has no result")
        return text
    new = run(text, environment, ports)
    failures = unexpected_failures(old, new)
    if failures:
        problems.append(f"{name} fails:\n" + "\n".join(failures))
        return text
    if comparable(old) == comparable(new):
        return text
    difference = difflib.unified_diff(comparable(old).splitlines(True), comparable(new).splitlines(True), "expected",
                                      "actual", n=2)
    problems.append(f"{name} differs:\n" + "".join(difference))
    return text_of(new)


def check_file(path, environment, ports, problems):
    """The text of the file with the results of this run."""
    text = path.read_text()
    if path != COOKBOOK:
        return check(path.stem, text, environment, ports, problems)
    # A line that no statement contains separates the blocks.
    border = "-- ```\n"
    blocks = [match.group(1) for match in FENCED.finditer(text)]
    fresh = iter(check("README", border.join(blocks), environment, ports, problems).split(border))
    return FENCED.sub(lambda _: f"```sql\n{next(fresh)}```", text)


def environment_of(server):
    """The environment of the shell, with connections to a server's accounts, or to local stores."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("AZTABLES_C", "AZTABLES_TRUST", "AZURE"))}
    environment["LC_ALL"] = "C.UTF-8"
    if os.environ.get("AZTABLES_PRELOAD"):
        environment["LD_PRELOAD"] = os.environ["AZTABLES_PRELOAD"]
    for name, (account, key) in ACCOUNTS.items():
        environment[f"AZTABLES_CONNECTION_{name}"] = (
            f"AccountName={account};AccountKey={key};"
            f"TableEndpoint=http://{aztables_server.HOST}:{server.port}/{account}"
            if server else f"LocalStore={name.lower()}.db")
    environment["AZTABLES_CONNECTION_SOURCE"] = environment["AZTABLES_CONNECTION_DEMO"] + ";ReadOnly=true"
    return environment


def main(arguments):
    update = "--update" in arguments
    services = SERVICES
    if "--on" in arguments:
        services = [arguments[arguments.index("--on") + 1]]
    if update:
        services = ["local"]
    names = [a for a in arguments if not a.startswith("-") and a not in SERVICES]
    paths = sorted([*ROOT.glob("sql/patterns/*.sql"), *ROOT.glob("sql/reports/*.sql")])
    paths += [COOKBOOK] if FENCED.search(COOKBOOK.read_text()) else []
    if names:
        paths = [path for path in paths if path.stem in names]
    problems = []
    for service in services:
        for path in paths:
            before = len(problems)
            if service == "local":
                text = check_file(path, environment_of(None), [], problems)
                if update and text != path.read_text():
                    path.write_text(text)
                    del problems[before:]
                    print(f"{path.stem}: written")
                    continue
            else:
                options = [f"--account={account}:{key}" for account, key in ACCOUNTS.values()]
                with aztables_server.start(options=options, log=False) as server:
                    check_file(path, environment_of(server), [server.port], problems)
            print(f"{path.stem} on {service}: {'ok' if len(problems) == before else 'differs'}")
    print("\n".join(problems) or f"{len(paths)} scripts are correct")
    return 1 if problems or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
