#!/usr/bin/env python3
"""aztables-server as a program: its output, its exit codes, and its response to signals.

usage: program_test.py PATH_OF_THE_SERVER
"""

import http.client
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support/azurite"))
from azurite import ACCOUNT_KEY  # noqa: E402  pylint: disable=wrong-import-position

SERVER = ""
KEY = "c2VjcmV0IGtleSBvZiB0aGUgdGVzdA=="
SECONDS = 30


def environment(accounts=None):
    """This environment; the server's variable contains these accounts, or is not set."""
    variables = {k: v for k, v in os.environ.items() if k != "AZTABLES_SERVER_ACCOUNTS"}
    if accounts:
        variables["AZTABLES_SERVER_ACCOUNTS"] = accounts
    return variables


def run(*arguments, accounts=None):
    """Runs a server that exits without a signal; returns (exit code, stdout, stderr)."""
    done = subprocess.run([SERVER, *arguments], capture_output=True, text=True, timeout=SECONDS,
                          env=environment(accounts), check=False)
    return done.returncode, done.stdout, done.stderr


class Running:
    """A server on a free port; `lines` is its output at the start."""

    def __init__(self, *arguments, accounts=None, line_count=2):
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen(
            [SERVER, "--store", ":memory:", "--port", "0", *arguments], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(accounts))
        self.lines = [self.process.stdout.readline().rstrip("\n") for _ in range(line_count)]
        match = re.search(r":(\d+)$", self.lines[0])
        self.port = int(match.group(1)) if match else 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

    def get(self, path, headers=None):
        """The response to one GET, after reading its body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            connection.request("GET", path, headers=headers or {})
            response = connection.getresponse()
            response.read()
            return response
        finally:
            connection.close()

    def end(self, number=signal.SIGTERM):
        """Sends this signal; returns (exit code, rest of stdout and stderr)."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, out, err


class Program(unittest.TestCase):
    """Each test starts its own servers."""

    def test_help_and_version(self):
        code, out, err = run("--help")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("aztables-server --store tables.db", out)
        self.assertLessEqual(max(len(line) for line in out.splitlines()), 100)
        self.assertEqual(run("-h"), (code, out, err))
        self.assertEqual(run("--version"), (0, "aztables-server 0.1.0\n", ""))

    def test_wrong_options(self):
        for arguments, accounts, sentence in [
                ([], None, "--store is missing; see --help"),
                (["--store", "a", "--port", "x"], None,
                 "--port: needs a number from 0 to 65535"),
                (["--store", "a"], "abc" + KEY,
                 "AZTABLES_SERVER_ACCOUNTS: account 1: an account is written NAME:KEY or "
                 "NAME:KEY1:KEY2"),
                (["--store", "a", "--accounts-file", "no/such"], None,
                 "--accounts-file no/such: cannot be read: a file with one account a line is "
                 "required")]:
            self.assertEqual(run(*arguments, accounts=accounts),
                             (2, "", f"aztables-server: {sentence}\n"))

    def test_store_that_does_not_open(self):
        code, out, err = run("--store", "no/such/folder/a.db", "--port", "0",
                             accounts="abc:" + KEY)
        self.assertEqual((code, out), (1, ""))
        self.assertTrue(err.startswith("aztables-server: "), err)
        self.assertNotIn(KEY, err)

    def test_port_in_use(self):
        with Running() as server:
            code, out, err = run("--store", ":memory:", "--port", str(server.port))
            self.assertEqual((code, out), (1, ""))
            self.assertEqual(err, f"aztables-server: 127.0.0.1:{server.port} is in use by "
                                  "another program\n")

    def test_start_and_end(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Running() as server:
                self.assertEqual(server.lines[0],
                                 f"aztables-server: listening on 127.0.0.1:{server.port}")
                self.assertRegex(server.lines[1],
                                 r"^connection string: DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey="
                                 r"[A-Za-z0-9+/]{86}==;TableEndpoint=http://127\.0\.0\.1:"
                                 f"{server.port}/devstoreaccount1$")
                response = server.get("/devstoreaccount1/Tables")
                self.assertEqual(response.getheader("Server"), "aztables-server/0.1.0")
                self.assertIn(response.status, range(400, 500))
                self.assertEqual(server.end(number), (0, "", ""))

    def test_accounts_are_shown_without_keys(self):
        with tempfile.TemporaryDirectory(prefix="aztables-server-") as folder:
            path = pathlib.Path(folder) / "accounts"
            path.write_text(f"# mine\nmine:{KEY}\n", encoding="utf-8")
            with Running("--accounts-file", str(path), accounts=f"other:{KEY}",
                         line_count=3) as server:
                endpoint = f"AccountKey=<key>;TableEndpoint=http://127.0.0.1:{server.port}"
                self.assertEqual(server.lines[1:], [
                    f"connection string: DefaultEndpointsProtocol=http;AccountName=mine;{endpoint}/mine",
                    f"connection string: DefaultEndpointsProtocol=http;AccountName=other;{endpoint}/other"])
                self.assertEqual(server.end(), (0, "", ""))

    def test_other_hosts_get_a_warning(self):
        with Running("--host", "0.0.0.0", "--insecure-default-key") as server:
            self.assertIn(f"http://127.0.0.1:{server.port}/", server.lines[1])
            code, _, err = server.end()
            self.assertEqual(code, 0)
            self.assertRegex(err, "^aztables-server: warning: .*no TLS.*\n$")

    def test_the_published_key_is_not_served_to_others(self):
        with tempfile.TemporaryDirectory(prefix="aztables-server-") as folder:
            path = pathlib.Path(folder) / "accounts"
            path.write_text(f"mine:{KEY}:{ACCOUNT_KEY}\n", encoding="utf-8")
            for more in ((), ("--accounts-file", str(path))):
                code, out, err = run("--store", ":memory:", "--port", "0", "--host", "0.0.0.0", *more)
                self.assertEqual((code, out), (2, ""))
                self.assertRegex(err, r"^aztables-server: --host: 0\.0\.0\.0:\d+ is not a loopback address, .*"
                                      r"--insecure-default-key\n$")
        with Running("--host", "0.0.0.0", accounts=f"mine:{KEY}") as server:
            self.assertIn("AccountName=mine;", server.lines[1])
            self.assertEqual(server.end()[0], 0)

    def test_unsigned_tokens_are_for_this_machine_only(self):
        code, out, err = run("--store", ":memory:", "--port", "0", "--host", "0.0.0.0", "--oauth",
                             "--insecure-default-key")
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, r"is not a loopback address, and --oauth does not check the signatures of tokens")

    def test_names_of_the_server(self):
        with Running("--allow-host", "Tables", "--allow-host=db.example", "--log") as server:
            statuses = [server.get("/devstoreaccount1/T", {"Host": host}).getheader("x-ms-error-code")
                        for host in ("tables:1", "DB.EXAMPLE", "localhost", "evil.example", "x.tables")]
            self.assertEqual(statuses, ["AuthenticationFailed"] * 3 + [None] * 2)
            _, _, err = server.end()
            self.assertEqual(len(re.findall(r"^GET /devstoreaccount1/T 403 ", err, re.M)), 5)

    def test_the_store_is_its_owners(self):
        with tempfile.TemporaryDirectory(prefix="aztables-server-") as folder:
            store = pathlib.Path(folder) / "a.db"
            link = pathlib.Path(folder) / "link.db"
            link.symlink_to("target.db")
            shared = pathlib.Path(folder) / "shared.db"
            before = os.umask(0o022)
            try:
                shared.touch(mode=0o640)
                for path in (store, link, shared):
                    with Running("--store", str(path)) as server:
                        self.assertEqual(server.get("/devstoreaccount1/Tables").status, 403)
                        modes = {p.name: oct(p.lstat().st_mode & 0o777) for p in path.parent.iterdir()}
                        expected = "0o640" if path == shared else "0o600"
                        name = "target.db" if path == link else path.name
                        for part in ("", "-wal", "-shm"):
                            self.assertEqual(modes[name + part], expected, modes)
                        self.assertEqual(server.end()[0], 0)
            finally:
                os.umask(before)

    def test_log_without_query(self):
        with Running("--log") as server:
            server.get("/devstoreaccount1/t(PartitionKey='a%20b',RowKey='')?sv=1&sig=hidden")
            _, _, err = server.end()
            self.assertRegex(err, r"^GET /devstoreaccount1/t\(PartitionKey='a%20b',RowKey=''\) "
                                  r"\d{3} \d+ ms \d+ bytes\n$")

    def test_a_store_is_a_path_and_not_a_uri(self):
        with tempfile.TemporaryDirectory(prefix="aztables-server-") as folder:
            before = os.getcwd()
            os.chdir(folder)
            try:
                with Running("--store", "file:a.db?mode=memory") as server:
                    self.assertEqual(server.end(), (0, "", ""))
            finally:
                os.chdir(before)
            self.assertEqual(os.listdir(folder), ["file:a.db?mode=memory"])

    def test_second_signal_ends_at_once(self):
        with Running() as server:
            # The server waits a short time for an incomplete request.
            with socket.create_connection(("127.0.0.1", server.port)) as client:
                client.sendall(b"POST /x HTTP/1.1\r\nX-Unfinished: ")
                time.sleep(0.2)
                server.process.send_signal(signal.SIGTERM)
                time.sleep(0.1)
                self.assertEqual(server.end()[0], -signal.SIGTERM)

    def test_a_running_request_gets_its_response(self):
        with Running("--simulate", "latency=20000") as server:
            statuses = []
            client = threading.Thread(
                target=lambda: statuses.append(server.get("/devstoreaccount1/Tables").status))
            client.start()
            time.sleep(0.5)
            self.assertEqual(server.end()[0], 0)
            client.join()
            self.assertEqual(len(statuses), 1)


if __name__ == "__main__":
    SERVER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
