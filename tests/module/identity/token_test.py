#!/usr/bin/env python3
"""Identities of Microsoft Entra: which token requests are sent, when a token is replaced, what a failure
says, and that no secret is shown. aztables-server --oauth checks the tokens; a sign-in server on loopback
makes them.
"""

import os
import pathlib
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402

import aztables_server  # noqa: E402
import login_server  # noqa: E402
from login_server import CLIENT, TENANT, refusal, token, token_response  # noqa: E402

SECRET = "s~ecret.of/an+application=with&odd%characters"
OWNER = f"client {CLIENT} of tenant {TENANT}"


class IdentityCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = aztables_server.start(options=["--oauth"])
        cls.addClassCleanup(cls.server.stop)

    def setUp(self):
        self.login = login_server.LoginServer()
        self.addCleanup(self.login.__exit__)
        self.login.answer(token_response(token()))
        self.db = host.connect(isolation_level=None)
        self.addCleanup(lambda: self.db.close())

    def query(self, sql, *parameters):
        return self.db.execute(sql, parameters).fetchall()

    def fails(self, sql, *words):
        """The error of a statement, which has these words."""
        with self.assertRaises(sqlite3.Error) as caught:
            self.query(sql)
        for word in words:
            self.assertIn(word, str(caught.exception))
        return caught.exception

    def text(self, identity):
        return f"TableEndpoint={self.server.endpoint};{identity}"

    def by_secret(self, more=""):
        return self.text(f"Credential=ClientSecret;TenantId={TENANT};ClientId={CLIENT};ClientSecret={SECRET};"
                         f"Authority={self.login.authority}{more}")

    def table(self, text, name="t"):
        self.query("SELECT aztables_connect('entra', ?)", text)
        self.db.execute(f"DROP TABLE IF EXISTS {name}")
        self.db.execute(f"CREATE VIRTUAL TABLE {name} USING aztables(connection=entra, table=Things{self.id()[-6:]}, "
                        "create=missing, N INT64)".replace("_", ""))
        self.query(f"INSERT OR REPLACE INTO {name}(PartitionKey, RowKey, N) VALUES ('a', '1', 1)")


class ClientSecretTest(IdentityCase):
    def test_the_request(self):
        self.table(self.by_secret())
        self.assertEqual([(1,)], self.query("SELECT N FROM t"))
        [asked] = self.login.requests
        self.assertEqual(("POST", f"/{TENANT}/oauth2/v2.0/token"), (asked.method, asked.path))
        self.assertEqual({"grant_type": "client_credentials", "client_id": CLIENT, "client_secret": SECRET,
                          "scope": "https://storage.azure.com/.default"}, asked.body)
        self.assertEqual("application/x-www-form-urlencoded", asked.headers["Content-Type"])

    def test_scope(self):
        self.table(self.by_secret(";Scope=https://storage.example/.default"))
        self.assertEqual("https://storage.example/.default", self.login.requests[0].body["scope"])

    def test_one_token_for_many_requests(self):
        self.table(self.by_secret())
        for _ in range(20):
            self.query("SELECT * FROM t")
        self.assertEqual(1, len(self.login.requests))
        self.query("UPDATE t SET N = N + 1")
        self.assertEqual([("token", 1, 200)], self.query(
            "SELECT kind, count(*), max(status) FROM aztables_requests WHERE kind = 'token'"))

    def test_shown(self):
        self.table(self.by_secret())
        [(credential, identity, expires)] = self.query("SELECT credential, identity, token_expires FROM aztables_connections")
        self.assertEqual(("ClientSecret", OWNER), (credential, identity))
        self.assertRegex(expires, r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$")

    def test_refusals(self):
        for number, words in ((7000215, "the secret is wrong; often its id was copied instead of its value"),
                              (7000222, "the secret has expired"), (700016, "check TenantId and ClientId"),
                              (90002, "there is no such tenant"), (424242, "AADSTS424242: Refused.")):
            self.login.answer(refusal(number))
            self.query("SELECT aztables_connect('entra', ?)", self.by_secret())
            self.db.execute("CREATE VIRTUAL TABLE r USING aztables(connection=entra, table=Refused, N INT64)")
            error = self.fails("SELECT * FROM r", f"the sign-in as {OWNER} was refused", words,
                               f"[401 AADSTS{number}, request id c0ffee]")
            self.assertEqual("SQLITE_AUTH", error.sqlite_errorname)
            self.db.execute("DROP TABLE r")
        self.assertEqual(5, len(self.login.requests))  # no retries

    def test_a_sign_in_server_that_is_busy(self):
        self.login.answer((503, {}, {"Retry-After": "0"}), (429, {}, {"Retry-After": "0"}), token_response(token()))
        self.table(self.by_secret())
        self.assertEqual([(3,)], self.query("SELECT attempts FROM aztables_requests WHERE kind = 'token'"))

    def test_what_is_no_sign_in_server(self):
        for answer in ((200, b"<html>portal</html>"), (200, {"access_token": "x"}), (404, b"nothing here")):
            self.login.answer(answer)
            self.query("SELECT aztables_connect('entra', ?)", self.by_secret())
            self.db.execute("CREATE VIRTUAL TABLE r USING aztables(connection=entra, table=Refused, N INT64)")
            self.assertNotIn("portal", str(self.fails("SELECT * FROM r", "check Authority")))
            self.db.execute("DROP TABLE r")

    def test_no_sign_in_server(self):
        self.login.__exit__()
        self.query("SELECT aztables_connect('entra', ?)", self.by_secret())
        self.db.execute("CREATE VIRTUAL TABLE r USING aztables(connection=entra, table=Refused, N INT64)")
        error = self.fails("SELECT * FROM r", f"the sign-in as {OWNER} got no response", "cannot reach http://127.0.0.1")
        self.assertEqual("SQLITE_BUSY", error.sqlite_errorname)

    def test_the_limits_of_a_statement(self):
        """A token request counts toward max_seconds, not max_requests."""
        self.table(self.by_secret())
        self.table(self.by_secret())
        self.query("INSERT INTO t(_command) VALUES('max_requests=1')")
        self.login.answer(token_response(token()))
        self.query("SELECT aztables_connect('entra', ?)", self.by_secret())
        self.assertEqual([(1,)], self.query("SELECT N FROM t"))

    def test_no_secret_is_shown(self):
        kept = token()
        self.login.answer(token_response(kept))
        self.table(self.by_secret())
        shown = ""
        for number in (7000215, 424242):
            self.login.answer(refusal(number, text=f"Secret {SECRET} is wrong.", error=SECRET))
            self.query("SELECT aztables_connect('other', ?)", self.by_secret())
            self.db.execute("DROP TABLE IF EXISTS r")
            self.db.execute("CREATE VIRTUAL TABLE r USING aztables(connection=other, table=Refused, N INT64)")
            shown += str(self.fails("SELECT * FROM r"))
        for table in ("aztables_requests", "aztables_connections", "aztables_commits"):
            shown += str(self.query(f"SELECT * FROM {table}"))
        self.assertIn("AADSTS424242", shown)
        for secret in (SECRET, SECRET[:14], kept, kept.split(".")[1]):
            self.assertNotIn(secret, shown)


class VariablesTest(IdentityCase):
    """Applications of the environment."""

    NAMES = ("AZURE_TENANT_ID", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET", "AZURE_FEDERATED_TOKEN_FILE",
             "AZURE_AUTHORITY_HOST")

    def setUp(self):
        super().setUp()
        self.set_variables(AZURE_TENANT_ID=TENANT, AZURE_CLIENT_ID=CLIENT, AZURE_AUTHORITY_HOST=self.login.authority)

    def set_variables(self, **variables):
        patch = unittest.mock.patch.dict(os.environ, {**dict.fromkeys(self.NAMES, ""), **variables})
        patch.start()
        self.addCleanup(patch.stop)

    def test_secret(self):
        os.environ["AZURE_CLIENT_SECRET"] = SECRET
        self.table(self.text("Credential=Environment"))
        [asked] = self.login.requests
        self.assertEqual(f"/{TENANT}/oauth2/v2.0/token", asked.path)
        self.assertEqual((CLIENT, SECRET), (asked.body["client_id"], asked.body["client_secret"]))
        self.assertEqual([("Environment", OWNER)], self.query("SELECT credential, identity FROM aztables_connections"))

    def test_a_token_of_a_cluster(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "token")
            os.environ["AZURE_FEDERATED_TOKEN_FILE"] = str(path)
            for assertion in ("first.assertion.x", "second.assertion.x"):  # it is read again
                path.write_text(assertion + "\n")
                self.table(self.text("Credential=WorkloadIdentity"))
                self.assertEqual({"grant_type": "client_credentials", "client_id": CLIENT,
                                  "scope": "https://storage.azure.com/.default", "client_assertion": assertion,
                                  "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"},
                                 self.login.requests[-1].body)
            path.unlink()
            self.query("SELECT aztables_connect('entra', ?)", self.text("Credential=WorkloadIdentity"))
            self.fails("SELECT * FROM t", f"the file {path} of AZURE_FEDERATED_TOKEN_FILE cannot be read: No such file")
            path.write_text("two words")
            self.fails("SELECT * FROM t", f"the file {path} of AZURE_FEDERATED_TOKEN_FILE holds no token")

    def test_ids_of_the_connection_string(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("an.assertion.x")
            file.flush()
            self.set_variables(AZURE_FEDERATED_TOKEN_FILE=file.name, AZURE_AUTHORITY_HOST=self.login.authority)
            self.table(self.text(f"Credential=WorkloadIdentity;TenantId=contoso.example;ClientId={CLIENT}"))
        self.assertEqual("/contoso.example/oauth2/v2.0/token", self.login.requests[-1].path)

    def test_what_is_missing(self):
        for identity, variable in (("Environment", "AZURE_CLIENT_SECRET"), ("WorkloadIdentity", "AZURE_FEDERATED_TOKEN_FILE")):
            self.query("SELECT aztables_connect('entra', ?)", self.text(f"Credential={identity}"))
            error = self.fails("CREATE VIRTUAL TABLE r USING aztables(connection=entra, table=Missing, create=missing, "
                               "N INT64)", f"the environment variable {variable} is not set")
            self.assertEqual("SQLITE_AUTH", error.sqlite_errorname)
        os.environ["AZURE_TENANT_ID"] = ""
        self.query("SELECT aztables_connect('entra', ?)", self.text("Credential=Environment"))
        self.db.execute("CREATE VIRTUAL TABLE r USING aztables(connection=entra, table=Missing, N INT64)")
        self.fails("SELECT * FROM r", "the environment variable AZURE_TENANT_ID is not set")

    def test_an_authority_without_tls(self):
        self.set_variables(AZURE_TENANT_ID=TENANT, AZURE_CLIENT_ID=CLIENT, AZURE_CLIENT_SECRET=SECRET,
                           AZURE_AUTHORITY_HOST="http://login.example")
        self.query("SELECT aztables_connect('entra', ?)", self.text("Credential=Environment"))
        self.db.execute("CREATE VIRTUAL TABLE r USING aztables(connection=entra, table=Missing, N INT64)")
        self.fails("SELECT * FROM r", "AZURE_AUTHORITY_HOST is not an address of https")


class SlowSignInTest(IdentityCase):
    def test_an_interrupt_ends_it(self):
        self.login.delay = 5
        self.query("SELECT aztables_connect('entra', ?)", self.by_secret())
        self.db.execute("CREATE VIRTUAL TABLE r USING aztables(connection=entra, table=Refused, N INT64)")
        threading.Timer(0.3, self.db.interrupt).start()
        began = time.monotonic()
        self.fails("SELECT * FROM r", "interrupted")
        self.assertLess(time.monotonic() - began, 2)


class TokenLifeTest(IdentityCase):
    def test_it_is_replaced_before_it_ends(self):
        self.login.answer(token_response(token(), expires_in=2), token_response(token()))
        self.table(self.by_secret())
        time.sleep(1.2)  # half of its life
        self.query("SELECT * FROM t")
        self.assertEqual(2, len(self.login.requests))

    def test_one_that_the_service_refuses_is_replaced_once(self):
        self.login.answer(token_response(token(aud="https://other")), token_response(token()))
        self.table(self.by_secret())
        self.assertEqual(2, len(self.login.requests))
        self.login.answer(token_response(token(aud="https://other")))
        self.query("SELECT aztables_connect('entra', ?)", self.by_secret())
        error = self.fails("SELECT * FROM t", f"the service refused the token of {OWNER}",
                           "Audience validation failed", "[401 InvalidAuthenticationInfo")
        self.assertEqual("SQLITE_AUTH", error.sqlite_errorname)
        self.assertEqual(4, len(self.login.requests))

    def test_one_failed_sign_in_ends_all_requests_that_wait(self):
        self.table(self.by_secret())
        self.login.answer(refusal(50173))
        self.query("SELECT aztables_connect('entra', ?)", self.by_secret())
        self.login.requests.clear()
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey, N) SELECT value, '1', 1 FROM json_each('[1,2,3,4,5,6,7,8,9]')")
        self.fails("COMMIT", "0 of 9 EGTs applied")
        self.assertEqual(1, len(self.login.requests))
        self.query("ROLLBACK")

    def test_a_sign_in_server_that_stays_busy(self):
        self.login.answer((503, {}, {"Retry-After": "0"}))
        self.query("SELECT aztables_connect('entra', ?)", self.by_secret())
        self.db.execute("CREATE VIRTUAL TABLE r USING aztables(connection=entra, table=Refused, N INT64)")
        error = self.fails("SELECT * FROM r", "the sign-in server is busy; try again later", "[503")
        self.assertEqual("SQLITE_BUSY", error.sqlite_errorname)
        self.assertEqual(4, len(self.login.requests))

    def test_commit_is_busy_if_the_sign_in_fails(self):
        """An expired sign-in must not lose a transaction."""
        self.table(self.by_secret())
        self.login.answer(refusal(50173, error="invalid_grant", status=400))
        self.query("SELECT aztables_connect('entra', ?)", self.by_secret())
        self.query("BEGIN")
        self.query("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('b', '1', 1), ('c', '1', 1)")
        error = self.fails("COMMIT", "the sign-in has expired: sign in again", "sign in again; repeat COMMIT after that",
                           "0 of 2 EGTs applied")
        self.assertEqual("SQLITE_BUSY", error.sqlite_errorname)
        self.assertTrue(self.db.in_transaction)
        self.login.answer(token_response(token()))
        self.query("COMMIT")
        self.assertEqual([(3,)], self.query("SELECT count(*) FROM t"))


class GivenTokenTest(IdentityCase):
    def test_of_a_variable(self):
        with unittest.mock.patch.dict(os.environ, {"GIVEN": token() + "\n"}):
            self.table(self.text("AccessToken=env:GIVEN"))
        self.assertEqual([("AccessToken", OWNER)], self.query("SELECT credential, identity FROM aztables_connections"))
        self.assertEqual([], self.login.requests)

    def test_of_a_file_that_is_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "token")
            path.write_text(token(5))
            self.table(self.text(f"AccessToken=file:{path}"))
            time.sleep(5.1)
            self.fails("SELECT * FROM t", f"the token of file:{path} has expired", "replace it and run the statement again")
            path.write_text(token())
            self.assertEqual([(1,)], self.query("SELECT N FROM t"))
            path.unlink()
            self.query("SELECT aztables_connect('entra', ?)", self.text(f"AccessToken=file:{path}"))
            self.fails("SELECT * FROM t", f"the token of file:{path} cannot be read: No such file or directory")

    def test_what_is_none(self):
        for value, words in ((None, "is missing: the variable is not set"), ("two words", "is not a token")):
            with unittest.mock.patch.dict(os.environ, {"GIVEN": value or ""}):
                self.query("SELECT aztables_connect('entra', ?)", self.text("AccessToken=env:GIVEN"))
                self.db.execute("CREATE VIRTUAL TABLE r USING aztables(connection=entra, table=Refused, N INT64)")
                self.fails("SELECT * FROM r", "the token of env:GIVEN " + words)
                self.db.execute("DROP TABLE r")

    def test_a_token_in_the_connection_string_is_refused(self):
        given = token()
        with self.assertRaises(sqlite3.Error) as caught:
            self.query("SELECT aztables_connect('entra', ?)", self.text(f"AccessToken={given}"))
        self.assertIn("write AccessToken=env:VARIABLE or AccessToken=file:PATH", str(caught.exception))
        self.assertNotIn(given[:20], str(caught.exception))


if __name__ == "__main__":
    unittest.main()
