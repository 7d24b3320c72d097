#!/usr/bin/env python3
"""The module in official binaries of Node, which export their own simdjson and OpenSSL. node/steps.cjs runs in Node
22 and 24 with node:sqlite, and in Node 22 with better-sqlite3. It reads and writes over HTTP and over TLS, and
exits normally. scripts/node_hosts.sh installs the hosts beforehand.

usage: AZTABLES_MODULE=aztables.so AZTABLES_SERVER=aztables-server node_test.py [unittest's arguments]
"""

import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests/support"))
import aztables_server  # noqa: E402
import tls_proxy  # noqa: E402

SKIPPED = 77  # the same as in tests/CMakeLists.txt
HOSTS = ROOT / "build/node_hosts"
MODULE = os.environ.get("AZTABLES_MODULE", str(ROOT / "build/aztables.so"))
TIMEOUT_SECONDS = 120


class NodeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.server = aztables_server.start()
        cls.addClassCleanup(cls.server.stop)
        cls.authority = tls_proxy.Authority(folder.name)
        cls.proxy = tls_proxy.TlsProxy(cls.server.port, cls.authority)
        cls.addClassCleanup(cls.proxy.__exit__)

    def run_in(self, version, binding, ending, **connections):
        """Runs the steps in a host, which must exit with 0."""
        command = [HOSTS / f"node_modules/node-{version}/bin/node", "--no-warnings",
                   HERE / "node/steps.cjs", MODULE, binding, ending]
        clean = {name: value for name, value in os.environ.items()
                 if not name.startswith(("AZTABLES_C", "AZURE_")) and not name.lower().endswith("_proxy")}
        done = subprocess.run(command, env={**clean, **connections}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
        printed = done.stdout + done.stderr
        self.assertEqual(0, done.returncode, printed)
        self.assertRegex(done.stdout, rf"^done: v{version}\.")

    def both_ways(self, version, binding):
        account, key = aztables_server.ACCOUNT, aztables_server.ACCOUNT_KEY
        secure = (f"AccountName={account};AccountKey={key};"
                  f"TableEndpoint=https://127.0.0.1:{self.proxy.port}/{account}")
        for ending in ("close", "leave"):
            with self.subTest(over="HTTP", ending=ending):
                self.run_in(version, binding, ending,
                            AZTABLES_CONNECTION_DEMO=self.server.connection_string)
            with self.subTest(over="TLS", ending=ending):
                before = self.proxy.handshakes
                self.run_in(version, binding, ending, AZTABLES_CONNECTION_DISTRUST=secure,
                            AZTABLES_CONNECTION_DEMO=f"{secure};CaFile={self.authority.ca_file}")
                self.assertGreater(self.proxy.handshakes, before)

    def test_node_22(self):
        self.both_ways(22, "node:sqlite")

    def test_node_24(self):
        self.both_ways(24, "node:sqlite")

    def test_better_sqlite3(self):
        self.both_ways(22, str(HOSTS))


if __name__ == "__main__":
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        print("node_test: skipped: the pinned binaries are for Linux on x86-64")
        sys.exit(SKIPPED)
    if not (HOSTS / "better_sqlite3.node").is_file():
        print("node_test: the hosts are not installed; scripts/node_hosts.sh installs them", file=sys.stderr)
        sys.exit(1)
    unittest.main()
