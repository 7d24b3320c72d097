#!/usr/bin/env python3
"""Runs every snippet of the documents and compares its output with the block that follows it. Keeps the
lists of REFERENCE.md equal to aztables_help.

usage: run.py [--update]

The ```sql blocks of a document run one after another in one sqlite3 shell. `<!-- session -->` starts a new
shell. Each ```python block is a program for the interpreter that runs this test. Each ```js block is an
ES module for the newest Node in build/node_hosts, which scripts/node_hosts.sh installs. If none is
installed, or if the module is sanitized, the test skips the ```js blocks.

Each shell and each program runs in a fresh folder that holds aztables.so and the packages. The connection `demo` is a local
store of the document. A ```text block after a snippet is its output. A box has "> " before each line of
both. A snippet marked `fails` (```sql fails) must fail, and any other snippet must not.

The block below `<!-- script: sql/NAME.sql -->` repeats that script from its first empty line on. The list
of a kind is between `<!-- catalog: KIND -->` and `<!-- end -->`. `--update` writes outputs, lists and
the text of scripts: read the difference.
"""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULE = pathlib.Path(os.environ.get("AZTABLES_MODULE", ROOT / "build/aztables.so"))
DOCUMENTS = ["README.md", "REFERENCE.md", "ARCHITECTURE.md", "PUSHDOWN.md", "sql/programs.md"]
BLOCK = re.compile(r"^<!-- session -->$|^(> |)```(sql|python|js)( fails)?\n((?:\1.*\n)*?)\1```\n"
                   r"(?:\1```text\n((?:\1.*\n)*?)\1```\n)?", re.MULTILINE)
SCRIPT = re.compile(r"(<!-- script: (sql/\w+\.sql) -->\n(?:[^\n]+\n)*\n).*?(```\n)", re.DOTALL)
LIST = re.compile(r"(<!-- catalog: ([a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)

NODES = sorted((ROOT / "build/node_hosts/node_modules").glob("node-*/bin/node"))
PRELOAD = os.environ.get("AZTABLES_PRELOAD")
# The shell of README.md is the command aztables, which loads the module; the others load it themselves.
SHELL = ["sqlite3", "-batch", "-init", "/dev/null", ":memory:"]
LOADED_SHELL = ["./aztables", *SHELL[1:]]
PROGRAMS = {"python": [sys.executable, "-"]}
if NODES and not PRELOAD:
    PROGRAMS["js"] = [NODES[-1], "--no-warnings", "--input-type=module", "-"]
NO_JS = "the module is sanitized" if PRELOAD else "no Node is installed, see scripts/node_hosts.sh"


def install(folder):
    """Puts the module into a folder, and what its packages for the shell, Python and Node bring."""
    package = ROOT / "scripts/package"
    platform = folder / "node_modules" / f"sqlite-aztables-linux-{'arm64' if os.uname().machine == 'aarch64' else 'x64'}"
    shutil.copy(package / "aztables", folder)
    shutil.copytree(package / "python/sqlite_aztables", folder / "sqlite_aztables")
    shutil.copytree(package / "npm", folder / "node_modules/sqlite-aztables")
    platform.mkdir()
    for place in (folder, folder / "sqlite_aztables", platform):
        os.symlink(MODULE, place / "aztables.so")


def run(command, script, environment):
    """Runs a script in a fresh folder with the module; returns the host's output and exit code."""
    with tempfile.TemporaryDirectory() as folder:
        install(pathlib.Path(folder))
        done = subprocess.run(command, input=script, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, cwd=folder, env=environment, timeout=120,
                              check=False)
    return done.stdout.replace(os.path.realpath(folder), "/data"), done.returncode


def shell(script, environment, command=None):
    """The output of one sqlite3 shell for a script."""
    text = run(command or SHELL, script, environment)[0]
    text = re.sub(r"(Runtime|Parse) error near line \d+: ", r"\1 error: ", text)
    return re.sub(r" in \d+ ms;", " in 4 ms;", text)


def unboxed(lines, prefix):
    """A block's lines without the prefix of a box."""
    return "".join(line[len(prefix):] for line in lines.splitlines(True))


def run_sessions(text, environment, command):
    """The output of each ```sql block of a document, in order."""
    sessions = []
    for match in BLOCK.finditer(text):
        prefix, language, _, snippet, _ = match.groups()
        if language is None:
            sessions.append([])
        elif language == "sql":
            sessions[-1].append(unboxed(snippet, prefix))
    outputs = []
    for blocks in sessions:
        script = "".join(f"{block}\n.print @@@ {i}\n" for i, block in enumerate(blocks))
        parts = re.split(r"^@@@ \d+\n", shell(script, environment, command), flags=re.MULTILINE)
        if len(parts) != len(blocks) + 1:
            raise SystemExit("a session ended early:\n" + "".join(parts))
        outputs += parts[:-1]
    return outputs


def catalog_list(kind, environment):
    """The markdown table of one kind of aztables_help."""
    query = (".load ./aztables\n.mode list\n.separator \"\\t\"\nSELECT replace(usage, '|', '\\|'), summary, "
             f"replace(example, '|', '\\|') FROM aztables_help WHERE kind = '{kind}';\n")
    rows = [line.split("\t") for line in shell(query, environment).splitlines()]
    if not rows:
        raise SystemExit(f"aztables_help has no entry of kind {kind!r}")
    lines = ["| usage | what it does | example |", "|---|---|---|"]
    lines += [f"| `{usage}` | {summary} | `{example}` |" for usage, summary, example in rows]
    return "\n".join(lines) + "\n"


def refreshed(name, text, environment, problems):
    """The correct document; adds each error to problems."""
    def script(match):
        below = (ROOT / match.group(2)).read_text().partition("\n\n")[2]
        return match.group(1) + below + match.group(3)

    text = SCRIPT.sub(script, text)
    outputs = iter(run_sessions(text, environment, LOADED_SHELL if name == "README.md" else SHELL))

    def block(match):
        prefix, language, marked, snippet, shown = match.groups()
        if language != "sql" and language not in PROGRAMS:
            return match.group(0)
        if language == "sql":
            output = next(outputs)
            fails = " error: " in output
        else:  # an interpreter does not free all of its memory
            output, fails = run(PROGRAMS[language], unboxed(snippet, prefix),
                                {**environment, "ASAN_OPTIONS": "detect_leaks=0"})
        if bool(fails) != bool(marked):
            problems.append(f"{name}: this snippet {'fails' if fails else 'does not fail'}:\n"
                            f"{snippet}---\n{output}")
        fence = f"{prefix}```{language}{marked or ''}\n{snippet}{prefix}```\n"
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
    if PRELOAD:
        environment["LD_PRELOAD"] = PRELOAD
    for name in DOCUMENTS:
        path = ROOT / name
        text = path.read_text()
        with tempfile.TemporaryDirectory() as folder:
            environment["AZTABLES_CONNECTION_DEMO"] = f"LocalStore={folder}/demo.db"
            wanted = refreshed(name, text, environment, problems)
        counts = collections.Counter(match.group(2) for match in BLOCK.finditer(text) if match.group(2))
        for language, count in counts.items():
            left_out = "" if language == "sql" or language in PROGRAMS else f", skipped: {NO_JS}"
            print(f"{name}: {language} snippets: {count}{left_out}")
        if "--update" in arguments:
            path.write_text(wanted)
        elif wanted != text:
            problems.append(f"{name} differs from the extension's output; see run.py --update")
            for expected, actual in zip(text.splitlines(), wanted.splitlines()):
                if expected != actual:
                    problems.append(f"  expected: {expected}\n  actual:   {actual}")
                    break
    print("\n".join(problems) or "all snippets are correct")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
