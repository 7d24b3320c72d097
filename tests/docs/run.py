#!/usr/bin/env python3
"""Runs every SQL snippet of the documents and compares what follows it; keeps REFERENCE.md's lists equal to
aztables_help.

usage: run.py [--update]

A document's ```sql blocks run one after another in one sqlite3 shell, in a folder that holds the module;
the connection `demo` is a local store of the document.
A ```text block after a snippet is its output. Both may stand in a box, each line behind "> ". A block
marked ```sql fails must print errors, all others none. `<!-- session -->` begins a new shell; what it
reads before the next block is a file of tests/docs, if it is named: `<!-- session: setup.sql -->`. A
block below `<!-- script: sql/NAME.sql -->` is what that script holds below its comment. Between
`<!-- catalog: KIND -->` and `<!-- end -->` stands the list of that kind. `--update` writes outputs, lists
and scripts' texts: read the difference.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULE = pathlib.Path(os.environ.get("AZTABLES_MODULE", ROOT / "build/aztables.so"))
DOCUMENTS = ["README.md", "REFERENCE.md", "ARCHITECTURE.md"]
BLOCK = re.compile(r"^<!-- session(:? ?[\w.]*) -->$|^(> |)```sql( fails)?\n((?:\2.*\n)*?)\2```\n"
                   r"(?:\2```text\n((?:\2.*\n)*?)\2```\n)?", re.MULTILINE)
SCRIPT = re.compile(r"(<!-- script: (sql/\w+\.sql) -->\n```sql[ a-z]*\n).*?(```\n)", re.DOTALL)
LIST = re.compile(r"(<!-- catalog: ([a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def shell(script, environment):
    """What one sqlite3 shell prints for a script, in a fresh folder with the module."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(MODULE, pathlib.Path(folder, "aztables.so"))
        done = subprocess.run(["sqlite3", "-batch", "-init", "/dev/null", ":memory:"], input=script,
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              cwd=folder, env=environment, timeout=120, check=False)
    text = done.stdout.replace(os.path.realpath(folder), "/data")
    text = re.sub(r"(Runtime|Parse) error near line \d+: ", r"\1 error: ", text)
    return re.sub(r" in \d+ ms;", " in 4 ms;", text)


def unboxed(lines, prefix):
    """A block's lines without what stands in front of each in a box."""
    return "".join(line[len(prefix):] for line in lines.splitlines(True))


def run_sessions(text, environment):
    """The output of each block of a document, in order."""
    sessions = []
    for match in BLOCK.finditer(text):
        if match.group(1) is not None:
            setup = match.group(1).strip(": ")
            sessions.append([(ROOT / "tests/docs" / setup).read_text()] if setup else [""])
        else:
            sessions[-1].append(unboxed(match.group(4), match.group(2)))
    outputs = []
    for blocks in sessions:
        script = "".join(f"{block}\n.print @@@ {i}\n" for i, block in enumerate(blocks))
        parts = re.split(r"^@@@ \d+\n", shell(script, environment), flags=re.MULTILINE)
        if len(parts) != len(blocks) + 1:
            raise SystemExit("a session ended early:\n" + "".join(parts))
        outputs += parts[1:-1]  # without the setup's
    return outputs


def catalog_list(kind, environment):
    """The markdown table of one kind of aztables_help."""
    query = (".load ./aztables\n.mode list\n.separator \"\\t\"\nSELECT replace(usage, '|', '\\|'), summary, "
             f"replace(example, '|', '\\|') FROM aztables_help WHERE kind = '{kind}';\n")
    rows = [line.split("\t") for line in shell(query, environment).splitlines()]
    if not rows:
        raise SystemExit(f"aztables_help has nothing of kind {kind!r}")
    lines = ["| usage | what it does | example |", "|---|---|---|"]
    lines += [f"| `{usage}` | {summary} | `{example}` |" for usage, summary, example in rows]
    return "\n".join(lines) + "\n"


def refreshed(name, text, environment, problems):
    """The document as it should be; what does not hold goes into problems."""
    def script(match):
        lines = (ROOT / match.group(2)).read_text().splitlines(True)
        return match.group(1) + "".join(x for x in lines if not x.startswith("--")) + match.group(3)

    text = SCRIPT.sub(script, text)
    outputs = iter(run_sessions(text, environment))

    def block(match):
        if match.group(1) is not None:
            return match.group(0)
        output = next(outputs)
        prefix, marked, snippet, shown = match.groups()[1:]
        fails = " error: " in output
        if fails != bool(marked):
            problems.append(f"{name}: this snippet {'fails' if fails else 'does not fail'}:\n"
                            f"{snippet}---\n{output}")
        fence = f"{prefix}```sql{marked or ''}\n{snippet}{prefix}```\n"
        if shown is None:
            return fence
        lines = "".join(prefix + line for line in output.splitlines(True))
        return f"{fence}{prefix}```text\n{lines}{prefix}```\n"

    text = BLOCK.sub(block, text)
    return LIST.sub(lambda m: m.group(1) + catalog_list(m.group(2), environment) + m.group(3), text)


def main(arguments):
    problems = []
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("AZTABLES_C", "AZURE"))}
    environment["LC_ALL"] = "C.UTF-8"
    if os.environ.get("AZTABLES_PRELOAD"):
        environment["LD_PRELOAD"] = os.environ["AZTABLES_PRELOAD"]
    for name in DOCUMENTS:
        path = ROOT / name
        text = path.read_text()
        with tempfile.TemporaryDirectory() as folder:
            environment["AZTABLES_CONNECTION_DEMO"] = f"LocalStore={folder}/demo.db"
            wanted = refreshed(name, text, environment, problems)
        count = sum(1 for match in BLOCK.finditer(text) if match.group(1) is None)
        print(f"{name}: {count} snippets")
        if "--update" in arguments:
            path.write_text(wanted)
        elif wanted != text:
            problems.append(f"{name} is not what the extension does; see run.py --update")
            for expected, actual in zip(text.splitlines(), wanted.splitlines()):
                if expected != actual:
                    problems.append(f"  expected: {expected}\n  actual:   {actual}")
                    break
    print("\n".join(problems) or "all snippets are true")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
