#!/usr/bin/env python3
"""The release files of scripts/release.sh, which runs this test if it gets --test. As root.

Host:  drivers of tests/ with the release module, among them TLS in Python and in Node 22 and 24, which have
       their own OpenSSL.
Arm64: README's block and TLS under qemu-user.
Bare roots of Debian 12 and 13: the .deb, the archive, the npm packages and the wheel install offline, run
       README's block, and are removed; TLS with the CA files of Debian and of RHEL.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import aztables_server  # noqa: E402
import tls_proxy  # noqa: E402

RELEASE = ROOT / "build/release"
VERSION = re.search(r'AZTABLES_VERSION "(.*)"', (ROOT / "include/aztables.h").read_text()).group(1)
BLOCK, SHOWN = re.search(r"```sql\n(.*?)```\n```text\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL).groups()
PYTHON = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL).group(1)
NODE = re.search(r"```js\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL).group(1)
ROWS = "Shaft 1971\nStar Wars 1977\n"
HOSTS = ROOT / "build/node_hosts"
CLEAN = {name: value for name, value in os.environ.items()
         if not name.startswith(("AZTABLES_", "AZURE_")) and name not in ("SSL_CERT_FILE", "CURL_CA_BUNDLE")}


def run(command, text="", **environment):
    """The output of a program and its exit code."""
    done = subprocess.run([str(word) for word in command], input=text, text=True, cwd=ROOT, timeout=1200,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**CLEAN, **environment}, check=False)
    return done.stdout, done.returncode


def stage(target):
    return RELEASE / "work" / target / f"sqlite-aztables-{VERSION}-{target}"


class Service:
    """A service over TLS, with a CA of its own."""

    def __init__(self, test):
        self.folder = tempfile.TemporaryDirectory()
        test.addClassCleanup(self.folder.cleanup)
        self.authority = tls_proxy.Authority(self.folder.name)
        server = aztables_server.start()
        test.addClassCleanup(server.stop)
        self.proxy = tls_proxy.TlsProxy(server.port, self.authority)
        test.addClassCleanup(self.proxy.__exit__)
        name, key = aztables_server.ACCOUNT, aztables_server.ACCOUNT_KEY
        self.text = f"AccountName={name};AccountKey={key};TableEndpoint=https://127.0.0.1:{self.proxy.port}/{name}"


class ReleaseTest(unittest.TestCase):
    def shows(self, wanted, command, text="", **environment):
        shown, code = run(command, text, **environment)
        self.assertEqual((wanted, 0), (shown, code))


TABLES = "SELECT count(*) >= 0 FROM aztables_tables('demo');\n"


class HostTest(ReleaseTest):
    """The files for this machine."""

    def setUp(self):
        if not (ROOT / "build/tests/c_exit_test").exists() or not (HOSTS / "compiled.lock").exists():
            self.fail("the programs of the tests are not built: run scripts/test.sh --quick once")

    def test_drivers(self):
        files = stage("linux-x64")
        environment = {"AZTABLES_MODULE": str(files / "aztables.so"), "AZTABLES_SERVER": str(files / "aztables-server")}
        python, tests, programs = "/usr/bin/python3", ROOT / "tests", ROOT / "build/tests"
        drivers = [[python, tests / name] for name in (
            "languages/node_test.py", "languages/python_process_test.py", "languages/odbc_test.py",
            "module/trust/ca_file_test.py", "module/local/local_store_test.py", "module/writes/transactions_test.py",
            "module/reads/pushdown_test.py")]
        drivers += [[python, tests / "server/program_test.py", environment["AZTABLES_SERVER"]],
                    [programs / "c_host_test", environment["AZTABLES_MODULE"]],
                    [python, tests / "support/on_service.py", "server", programs / "c_exit_test",
                     environment["AZTABLES_MODULE"], "50"]]
        for driver in drivers:
            with self.subTest(driver):
                shown, code = run(driver, **environment)
                self.assertEqual(0, code, shown)

    def test_checksums(self):
        shown, code = run(["sh", "-c", f"cd '{RELEASE}' && sha256sum --check --quiet checksums.txt"])
        self.assertEqual(("", 0), (shown, code))

    def test_sqlpkg(self):
        """Its files are archives without folders, because sqlpkg makes none."""
        assets = json.loads((RELEASE / "sqlpkg.json").read_text())["assets"]
        for name in assets["files"].values():
            listed, _ = run(["tar", "-tzf", RELEASE / name.replace("{version}", VERSION)])
            self.assertEqual(["LICENSE", "LICENSES.txt", "VERSIONS.txt", "aztables.so"], sorted(listed.split()))


class Arm64Test(ReleaseTest):
    """The files for arm64, in Debian's sqlite3 for arm64, under qemu-user."""

    @classmethod
    def setUpClass(cls):
        if not stage("linux-arm64").exists():
            raise unittest.SkipTest("linux-arm64 is not built")
        cls.service = Service(cls)
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        packages = "sqlite3:arm64 libsqlite3-0:arm64 libreadline8:arm64 libtinfo6:arm64 zlib1g:arm64"
        shown, code = run(["sh", "-ec", f"cd '{cls.folder.name}'; apt-get -q download {packages}; "
                           "for p in *.deb; do dpkg-deb -x $p root; done"])
        if code != 0:
            raise AssertionError(shown)
        root = cls.folder.name + "/root"
        cls.shell = ["qemu-aarch64-static", "-L", root, root + "/usr/bin/sqlite3", "-batch", "-init", "/dev/null",
                     "-cmd", f".load {stage('linux-arm64')}/aztables"]

    def test_readme(self):
        self.shows(SHOWN, self.shell, BLOCK)

    def test_tls(self):
        right = f"{self.service.text};CaFile={self.service.authority.ca_file}"
        self.shows("1\n", self.shell, TABLES, AZTABLES_CONNECTION_DEMO=right)
        shown, _ = run(self.shell, TABLES, AZTABLES_CONNECTION_DEMO=self.service.text)
        self.assertIn("the trusted CA certificates are those of /etc/ssl/certs/ca-certificates.crt", shown)

    def test_server(self):
        shown, code = run(["qemu-aarch64-static", stage("linux-arm64") / "aztables-server", "--version"])
        self.assertEqual((f"aztables-server {VERSION}\n", 0), (shown, code))


class BareRoot:
    """A minimal Debian (scripts/bare_root.sh) of one suite."""

    suite = ""

    @classmethod
    def setUpClass(cls):
        cls.service = Service(cls)
        cls.root = ROOT / f"build/release-{cls.suite}"
        cls.bash("make_root " + cls.suite + " '" + str(cls.root) + "'")
        cls.addClassCleanup(cls.bash, f"remove_root '{cls.root}'")
        files = cls.root / "files"
        files.mkdir()
        for file in RELEASE.glob("*.*"):
            shutil.copy(file, files)
        cls.sh("apt-get update -qq")

    @classmethod
    def bash(cls, script, text="", **environment):
        shown, code = run(["bash", "-euo", "pipefail", "-c", "source scripts/bare_root.sh; " + script], text, **environment)
        if code != 0:
            raise AssertionError(f"{script}: {shown}")
        return shown

    @classmethod
    def sh(cls, script, text="", connection=""):
        """The output of a script of sh in the root."""
        return cls.bash('inside "$ROOT" env AZTABLES_CONNECTION_DEMO="$CONNECTION" sh -ec "$SCRIPT" 2>&1', text,
                        ROOT=str(cls.root), SCRIPT=script, CONNECTION=connection)

    def block(self, command):
        self.assertEqual(SHOWN, self.sh(f"cd /var/tmp; {command} -batch -init /dev/null :memory:", BLOCK))

    def test_1_deb(self):
        self.sh("apt-get install -y -qq /files/*.deb >/dev/null 2>&1")
        self.block("aztables")
        self.block("sqlite3 -cmd '.load aztables'")
        self.assertIn("aztables-server " + VERSION, self.sh("aztables-server --version"))
        self.sh("python3 --version >/dev/null 2>&1 || apt-get install -y -qq python3 >/dev/null 2>&1")
        self.assertEqual(VERSION + "\n", self.sh(
            "cd /; python3 -c \"import sqlite3; d = sqlite3.connect(':memory:'); d.enable_load_extension(True); "
            "d.load_extension('aztables'); print(d.execute('SELECT aztables_version()').fetchone()[0])\""))

    def test_1_odbc(self):
        """In a library folder, its name is enough for ODBC, too."""
        self.sh("apt-get install -y -qq unixodbc libsqliteodbc >/dev/null 2>&1")
        source = "[shop]\nDriver = SQLite3\nDatabase = :memory:\nLoadExt = aztables\n"
        (self.root / "etc/odbc.ini").write_text(source)
        self.assertEqual(VERSION + "\n", self.sh("isql shop -b -x0x20", "SELECT aztables_version()\n"))

    def test_2_tls(self):
        """The release module finds the CA files of Debian and of RHEL, and refuses others by name."""
        self.sh(f"cd /opt; tar -xzf /files/sqlite-aztables-{VERSION}-linux-x64.tar.gz; mv sqlite-aztables-* aztables")
        self.block("/opt/aztables/aztables")
        certificate = pathlib.Path(self.service.authority.ca_file).read_text()
        debian, rhel = "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"
        for path in (debian, rhel):
            with self.subTest(path):
                shell = "/opt/aztables/aztables -batch -init /dev/null :memory: || true"
                shown = self.sh(shell, TABLES, self.service.text)
                self.assertIn(f"the trusted CA certificates are those of {path}:", shown)
                before = (self.root / path[1:]).read_text()
                (self.root / path[1:]).write_text(before + certificate)
                self.assertEqual("1\n", self.sh(shell, TABLES, self.service.text))
                (self.root / path[1:]).write_text(before)
            if path == debian:
                self.sh("mkdir -p /etc/pki/tls/certs; mv /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt; "
                        "mv /etc/ssl /etc/away")
        self.sh("mv /etc/away /etc/ssl; mv /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/certs/ca-certificates.crt")

    def test_3_removed(self):
        self.sh("apt-get remove -y -qq sqlite3-aztables >/dev/null 2>&1")
        self.assertEqual("", self.sh("find /usr -name '*aztables*'"))

    def test_4_wheel(self):
        self.sh("apt-get install -y -qq python3-venv >/dev/null 2>&1; python3 -m venv /opt/venv; "
                "/opt/venv/bin/pip install -q --no-index --find-links /files sqlite-aztables")
        self.assertEqual(ROWS, self.sh("cd /; /opt/venv/bin/python3 -", PYTHON))
        self.assertIn(VERSION, self.sh("/opt/venv/bin/aztables-server --version"))
        self.sh("/opt/venv/bin/pip uninstall -q -y sqlite-aztables")

    def test_5_npm(self):
        """npm itself runs on this machine, offline."""
        folder = self.root / "opt/node"
        folder.mkdir()
        (folder / "package.json").write_text("{}")
        files = [RELEASE / f"sqlite-aztables{platform}-{VERSION}.tgz" for platform in ("", "-linux-x64")]
        shown, code = run(["npm", "install", "--offline", "--no-audit", "--no-fund", "--prefix", folder, *files])
        self.assertEqual(0, code, shown)
        self.sh("apt-get install -y -qq libatomic1 libstdc++6 >/dev/null 2>&1")
        for version in (22, 24):
            shutil.copy(HOSTS / f"node_modules/node-{version}/bin/node", folder / "node")
            self.assertEqual(ROWS, self.sh("cd /opt/node; ./node --no-warnings --input-type=module -", NODE))


class Debian12Test(BareRoot, ReleaseTest):
    suite = "bookworm"


class Debian13Test(BareRoot, ReleaseTest):
    suite = "trixie"


if __name__ == "__main__":
    unittest.main(verbosity=2)
