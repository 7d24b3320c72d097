#!/usr/bin/env python3
"""The packages of the ordinary build: the .deb and `cmake --install`, the npm packages and the Python
wheel. Each is made, installed offline into a clean folder, and used.

usage: AZTABLES_BUILD=FOLDER packages_test.py [unittest's arguments]
"""

import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("AZTABLES_BUILD", ROOT / "build"))
HOSTS = ROOT / "build/node_hosts"
VERSION = re.search(r'AZTABLES_VERSION "(.*)"', (ROOT / "include/aztables.h").read_text()).group(1)
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("AZTABLES_", "AZURE_"))}
PLATFORM = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}[platform.machine()]


def run(command, folder, text="", code=0, **environment):
    """The output of a program, which must end with `code`."""
    done = subprocess.run([str(word) for word in command], input=text, text=True, cwd=folder, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**CLEAN, **environment}, check=False)
    if done.returncode != code:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout.strip()


def try_server(test, command, folder):
    """Starts a program aztables-server, reads its first line, and ends it by a signal."""
    server = subprocess.Popen([str(word) for word in command] + ["--store", ":memory:", "--port", "0"],
                              cwd=folder, stdout=subprocess.PIPE, text=True, env=CLEAN)
    test.addCleanup(server.stdout.close)
    test.addCleanup(server.kill)
    test.assertRegex(server.stdout.readline(), r"^aztables-server: listening on 127\.0\.0\.1:\d+$")
    server.send_signal(signal.SIGTERM)
    test.assertEqual(0, server.wait(20))


class PackageTest(unittest.TestCase):
    prefix = "aztables packages "  # of the folder, with spaces

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix=cls.prefix)
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)


class DebTest(PackageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run(["cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder / "made"], cls.folder)
        [cls.package] = (cls.folder / "made").glob("*.deb")
        cls.root = cls.folder / "root"
        run(["dpkg-deb", "-x", cls.package, cls.root], cls.folder)
        cls.command = cls.root / "usr/bin/aztables"

    def test_what_it_needs(self):
        field = lambda name: run(["dpkg-deb", "-f", self.package, name], self.folder)  # noqa: E731
        self.assertEqual(f"{VERSION}-1", field("Version"))
        for library in ("libsqlite3-0 (>= 3.38)", "libcurl4", "libssl3", "libexpat1", "libmicrohttpd12"):
            self.assertIn(library, field("Depends"))
        self.assertNotIn("libsimdjson", field("Depends"))

    def test_readme_names_the_files_of_this_version(self):
        named = re.findall(r"sqlite3?[-_]aztables[-_](?:linux-\w+-)?(\d+\.\d+\.\d+)", (ROOT / "README.md").read_text())
        self.assertEqual([VERSION] * 5, named)

    def test_the_module_is_in_the_library_folder(self):
        """There, `.load aztables` finds it from any folder."""
        triplet = run(["cc", "-dumpmachine"], self.folder)
        self.assertTrue((self.root / "usr/lib" / triplet / "aztables.so").is_file())

    def test_the_shell(self):
        self.assertRegex(run([self.command, "--version"], self.folder), rf"^aztables {VERSION}, SQLite 3\.")
        self.assertTrue(run([self.command, "--help"], self.folder).startswith("aztables: the sqlite3 shell"))
        self.assertEqual(VERSION, run([self.command, "-safe"], self.folder, "SELECT aztables_version();\n"))
        self.assertEqual(VERSION, run([self.command, "x y.db", "SELECT aztables_version()"], self.folder))

    def test_the_shell_without_sqlite3(self):
        bare = self.folder / "bin"
        bare.mkdir()
        for program in ("sh", "dirname", "readlink", "sed"):
            (bare / program).symlink_to(shutil.which(program))
        self.assertIn("the command sqlite3 is missing", run([self.command], self.folder, code=127, PATH=str(bare)))

    def test_the_server(self):
        try_server(self, [self.root / "usr/bin/aztables-server"], self.folder)

    def test_man_pages(self):
        pages = self.root / "usr/share/man/man1"
        shown = run(["zcat", pages / "aztables-server.1.gz"], self.folder).replace("\\-", "-")
        options = run([self.root / "usr/bin/aztables-server", "--help"], self.folder)
        for option in re.findall(r"^ +(--[a-z-]+)", options, re.MULTILINE):
            self.assertIn(option, shown)
        self.assertIn(f"sqlite-aztables {VERSION}", run(["zcat", pages / "aztables.1.gz"], self.folder))

    def test_cmake_install(self):
        prefix = self.folder / "other prefix"
        run(["cmake", "--install", BUILD, "--prefix", prefix], self.folder)
        self.assertRegex(run([prefix / "bin/aztables", "--version"], self.folder), rf"^aztables {VERSION}, SQLite 3\.")


class NpmTest(PackageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        made = cls.folder / "made"
        made.mkdir()
        run([ROOT / "scripts/package/npm.sh", made, f"{PLATFORM}={BUILD}"], cls.folder)
        cls.main = made / f"sqlite-aztables-{VERSION}.tgz"
        cls.files = made / f"sqlite-aztables-{PLATFORM}-{VERSION}.tgz"

    def install(self, name, *files):
        """A folder in which the files are installed as README says."""
        folder = self.folder / name
        folder.mkdir()
        (folder / "package.json").write_text("{}")
        run(["npm", "install", "--offline", "--no-audit", "--no-fund", *files], folder)
        return folder

    def test_load(self):
        folder = self.install("whole", self.main, self.files)
        readme = (folder / "node_modules/sqlite-aztables/README.md").read_text()
        sample = re.search(r"```js\n(.*?)```", readme, re.DOTALL).group(1)
        better = sample.replace("import { DatabaseSync } from 'node:sqlite';",
                                f"import Database from '{HOSTS}/node_modules/better-sqlite3/lib/index.js';")
        better = better.replace("new DatabaseSync(':memory:', { allowExtension: true })",
                                f"new Database(':memory:', {{ nativeBinding: '{HOSTS}/better_sqlite3.node' }})")
        common = "const { load } = require('sqlite-aztables');\n" + sample.split("\n", 2)[2].replace(
            "new DatabaseSync", "new (require('node:sqlite').DatabaseSync)")
        for host, kind, program in ((22, "module", sample), (24, "module", sample), (22, "commonjs", common),
                                    (22, "module", better)):
            with self.subTest(host=host, kind=kind):
                node = HOSTS / f"node_modules/node-{host}/bin/node"
                if not node.exists():
                    self.skipTest("this machine has no pinned Node, see scripts/node_hosts.sh")
                self.assertIn("RowKey: 'Star Wars'", run([node, "--no-warnings", f"--input-type={kind}", "-"], folder, program))
        try_server(self, [folder / "node_modules/.bin/aztables-server"], folder)

    def test_without_the_files_of_the_platform(self):
        folder = self.install("part", self.main)
        shown = run(["node", "-e", "require('sqlite-aztables').getLoadablePath()"], folder, code=1)
        self.assertIn(f"the package sqlite-aztables-{PLATFORM} is not installed", shown)
        self.assertIn(f"run npm install sqlite-aztables-{PLATFORM}@{VERSION}", shown)
        shown = run(["node", "-e", "Object.defineProperty(process, 'platform', {value: 'win32'});"
                     "require('sqlite-aztables').getLoadablePath()"], folder, code=1)
        self.assertIn("sqlite-aztables has no package for win32-", shown)


class WheelTest(PackageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        made = cls.folder / "made"
        made.mkdir()
        run([ROOT / "scripts/package/wheel.sh", made, f"linux_{platform.machine()}", BUILD], cls.folder)
        run(["/usr/bin/python3", "-m", "venv", "venv"], cls.folder)
        cls.python = cls.folder / "venv/bin/python3"
        run([cls.python, "-m", "pip", "install", "--no-index", "--find-links", made, "sqlite-aztables"], cls.folder)

    def test_load(self):
        sample = re.search(r"```python\n(.*?)```", (ROOT / "scripts/package/python/README.md").read_text(), re.DOTALL)
        self.assertEqual("[('Star Wars', 1977)]", run([self.python, "-"], self.folder, sample.group(1)))
        self.assertEqual(VERSION, run([self.python, "-c", "import sqlite_aztables as s; print(s.__version__)"], self.folder))

    def test_the_server(self):
        try_server(self, [self.folder / "venv/bin/aztables-server"], self.folder)

    def test_a_python_without_extensions(self):
        program = "import sqlite3, sqlite_aztables; sqlite3.Connection = object; sqlite_aztables.load(object())"
        self.assertIn("cannot load extensions: install apsw", run([self.python, "-c", program], self.folder, code=1))

    def test_what_is_no_connection(self):
        program = "import sqlite3, sqlite_aztables; sqlite_aztables.load(sqlite3)"
        self.assertIn("needs a connection of sqlite3 or apsw", run([self.python, "-c", program], self.folder, code=1))

    def test_extensions_are_disabled_again(self):
        program = ("import sqlite3, sqlite_aztables as s; db = sqlite3.connect(':memory:'); s.load(db); "
                   "db.execute('SELECT load_extension(?)', [s.loadable_path()])")
        self.assertIn("not authorized", run([self.python, "-c", program], self.folder, code=1))


if __name__ == "__main__":
    unittest.main()
