#!/usr/bin/env python3
"""Managed identities: the requests that each kind of Azure host gets, the identity that is asked for, and
refusals. A server on loopback is the host's endpoint.
"""

import os
import pathlib
import sys
import time
import unittest
import unittest.mock
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import sqlite3  # noqa: E402

import aztables_server  # noqa: E402
import login_server  # noqa: E402
from login_server import CLIENT, TENANT, token  # noqa: E402

NAMES = ("IDENTITY_ENDPOINT", "IDENTITY_HEADER", "IDENTITY_SERVER_THUMBPRINT", "MSI_ENDPOINT", "MSI_SECRET",
         "IMDS_ENDPOINT", "AZURE_POD_IDENTITY_AUTHORITY_HOST", "http_proxy", "all_proxy")
RESOURCE = "/subscriptions/1/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i"


class ManagedIdentityTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = aztables_server.start(options=["--oauth"])
        cls.addClassCleanup(cls.server.stop)

    def setUp(self):
        self.host = login_server.LoginServer()
        self.addCleanup(self.host.__exit__)
        self.host.answer((200, self.answer()))
        self.db = host.connect(isolation_level=None)
        self.addCleanup(lambda: self.db.close())

    @staticmethod
    def answer(**more):
        return {"access_token": token(), "expires_in": "3599", "resource": "https://storage.azure.com",
                "token_type": "Bearer", **more}

    def environment(self, **variables):
        patch = unittest.mock.patch.dict(os.environ, {**dict.fromkeys(NAMES, ""), **variables})
        patch.start()
        self.addCleanup(patch.stop)

    def use(self, more=""):
        """Lists the tables, and returns the requests that the host got."""
        self.db.execute("SELECT aztables_connect('entra', ?)",
                        (f"TableEndpoint={self.server.endpoint};Credential=ManagedIdentity{more}",)).fetchall()
        self.db.execute("SELECT name FROM aztables_tables('entra')").fetchall()
        return self.host.requests

    def fails(self, *words, more=""):
        with self.assertRaises(sqlite3.Error) as caught:
            self.use(more)
        for word in words:
            self.assertIn(word, str(caught.exception))
        return caught.exception

    def asked(self, request):
        """The path, the parameters and the headers that matter of a request."""
        path, _, query = request.path.partition("?")
        headers = {name.lower(): value for name, value in request.headers.items()}
        shown = {name: headers[name] for name in ("metadata", "x-identity-header", "secret") if name in headers}
        return request.method, path, dict(urllib.parse.parse_qsl(query, strict_parsing=bool(query))), shown

    def test_a_virtual_machine(self):
        # A host's endpoint is never asked through a proxy.
        self.environment(AZURE_POD_IDENTITY_AUTHORITY_HOST=self.host.authority, http_proxy="http://127.0.0.1:1",
                         all_proxy="http://127.0.0.1:1")
        [request] = self.use()
        self.assertEqual(("GET", "/metadata/identity/oauth2/token",
                          {"api-version": "2018-02-01", "resource": "https://storage.azure.com"}, {"metadata": "true"}),
                         self.asked(request))
        self.assertEqual([("ManagedIdentity", f"client {CLIENT} of tenant {TENANT}")],
                         self.db.execute("SELECT credential, identity FROM aztables_connections").fetchall())

    def test_app_service(self):
        self.environment(IDENTITY_ENDPOINT=self.host.authority + "/msi/token", IDENTITY_HEADER="abc")
        [request] = self.use()
        self.assertEqual(("GET", "/msi/token", {"api-version": "2019-08-01", "resource": "https://storage.azure.com"},
                          {"x-identity-header": "abc"}), self.asked(request))

    def test_machine_learning(self):
        self.environment(MSI_ENDPOINT=self.host.authority + "/token", MSI_SECRET="abc")
        [request] = self.use()
        self.assertEqual(("GET", "/token", {"api-version": "2017-09-01", "resource": "https://storage.azure.com"},
                          {"secret": "abc"}), self.asked(request))

    def test_cloud_shell(self):
        self.environment(MSI_ENDPOINT=self.host.authority + "/oauth2/token")
        [request] = self.use()
        self.assertEqual(("POST", "/oauth2/token", {}, {"metadata": "true"}), self.asked(request))
        self.assertEqual({"resource": "https://storage.azure.com"}, request.body)

    def test_arc_may_not_ask_for_any_file(self):
        self.environment(IDENTITY_ENDPOINT=self.host.authority + "/token", IMDS_ENDPOINT=self.host.authority)
        for path in ("/etc/passwd", "/var/opt/azcmagent/tokens/../x.key", "/var/opt/azcmagent/tokens/a/b.key", ""):
            self.host.answer((401, {}, {"WWW-Authenticate": f"Basic realm={path}"}))
            self.fails("Azure Arc asked for a file that is not one of its keys")
        for request in self.host.requests:
            self.assertEqual(("GET", "/token", {"api-version": "2020-06-01", "resource": "https://storage.azure.com"},
                              {"metadata": "true"}), self.asked(request))

    def test_the_identity_that_is_asked_for(self):
        hosts = (({"AZURE_POD_IDENTITY_AUTHORITY_HOST": self.host.authority}, "client_id", "object_id", "msi_res_id"),
                 ({"IDENTITY_ENDPOINT": self.host.authority, "IDENTITY_HEADER": "a"}, "client_id", "object_id", "mi_res_id"),
                 ({"MSI_ENDPOINT": self.host.authority, "MSI_SECRET": "a"}, "clientid", None, None),
                 ({"MSI_ENDPOINT": self.host.authority}, None, None, None))
        for variables, *parameters in hosts:
            self.environment(**variables)
            for key, value, parameter in zip(("ClientId", "ObjectId", "ResourceId"), (CLIENT, CLIENT, RESOURCE), parameters):
                with self.subTest(variables=variables, key=key):
                    self.host.requests.clear()
                    if parameter is None:
                        self.fails(f"cannot act as the managed identity {value}", more=f";{key}={value}")
                        self.assertEqual([], self.host.requests)
                    else:
                        [request] = self.use(f";{key}={value}")
                        self.assertEqual(value, self.asked(request)[2][parameter])

    def test_an_answer_for_another_identity(self):
        self.environment(AZURE_POD_IDENTITY_AUTHORITY_HOST=self.host.authority)
        self.host.answer((200, self.answer(client_id=TENANT)))
        self.fails("answered for another identity than the managed identity " + CLIENT, more=f";ClientId={CLIENT}")

    def test_the_end_of_a_token(self):
        self.environment(AZURE_POD_IDENTITY_AUTHORITY_HOST=self.host.authority)
        end = int(time.time()) + 5000
        forms = (str(end), time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(end)),
                 time.strftime("%m/%d/%Y %H:%M:%S +00:00", time.gmtime(end)),
                 time.strftime("%m/%d/%Y %I:%M:%S %p +00:00", time.gmtime(end)))
        for form in forms:
            answer = self.answer(expires_on=form)
            del answer["expires_in"]
            self.host.answer((200, answer))
            self.use()
            [(expires,)] = self.db.execute("SELECT strftime('%s', substr(token_expires, 1, 19)) FROM aztables_connections")
            self.assertAlmostEqual(end, int(expires), delta=3, msg=form)

    def test_refusals(self):
        self.environment(AZURE_POD_IDENTITY_AUTHORITY_HOST=self.host.authority)
        self.host.answer((400, {"error": "invalid_request", "error_description": "Identity not found"}))
        self.fails("the machine has no managed identity, or several; give ClientId", "[400 invalid_request")
        self.fails("the machine has no such managed identity", more=f";ClientId={CLIENT}")
        self.host.answer((403, {"error": "x", "error_description": "Not today."}))
        self.fails("was refused by the machine's metadata service: Not today.")
        self.host.answer((200, b"<html>"))
        self.fails("the response of the machine's metadata service has no token")

    def test_an_endpoint_that_is_busy_or_updated(self):
        self.environment(AZURE_POD_IDENTITY_AUTHORITY_HOST=self.host.authority)
        self.host.answer((429, {}, {"Retry-After": "0"}), (410, {}, {"Retry-After": "0"}), (404, {}, {"Retry-After": "0"}),
                         (410, {}, {"Retry-After": "0"}), (200, self.answer()))
        self.assertEqual(5, len(self.use()))

    def test_ids_that_are_none(self):
        for more in (";ClientId=nobody", ";ObjectId=x", ";ResourceId=x", f";ClientId={CLIENT};ObjectId={CLIENT}"):
            self.fails("Id", more=more)


if __name__ == "__main__":
    unittest.main()
