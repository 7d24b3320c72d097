"""A test case with one server for all tests, whose table has one entity. Each test sends an invalid
request, and the table must stay unchanged."""

import json
import re
import unittest

import aztables_server
import table_http

TABLE = "Bad"


def signed_head(method="POST", path=f"/{TABLE}", more=""):
    """The bytes of a signed head; `more` are header lines."""
    path = f"/{table_http.ACCOUNT}{path}"
    lines = "".join(f"{k}: {v}\r\n" for k, v in table_http.signed(path).items())
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{lines}{more}\r\n".encode()


def entity(row="r", more=""):
    """The text of an entity whose properties are `more`."""
    return f'{{"PartitionKey":"p","RowKey":"{row}"{more}}}'.encode()


class RefusalCase(unittest.TestCase):
    """`client` is a connection to `server`."""

    @classmethod
    def setUpClass(cls):
        cls.server = aztables_server.start(log=False)
        client = table_http.Client(cls.server.port)
        assert client.send("POST", "/Tables", {"TableName": TABLE})[0] == 201
        assert client.send("POST", f"/{TABLE}", entity("good", ',"A":1'))[0] == 201
        client.close()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        if text := cls.server.log_text().partition("\n")[2].partition("\n")[2]:
            raise AssertionError(f"the server printed {text}")

    def setUp(self):
        self.client = table_http.Client(self.server.port)
        self.addCleanup(self.client.close)

    def tearDown(self):
        self.assertEqual([row["RowKey"] for row in self.client.rows(TABLE)], ["good"])

    def fails(self, status, code, method, path, *arguments, **options):
        """Checks the error of a request; returns the message."""
        found, headers, body = self.client.send(method, path, *arguments, **options)
        self.assertEqual(found, status, (path[:99], body[:400]))
        if headers["Content-Type"].startswith("application/xml"):
            self.assertEqual(headers["x-ms-error-code"], code, path[:99])
            return re.search("<m:message[^>]*>([^\n]*)", body.decode()).group(1)
        error = json.loads(body)["odata.error"]
        self.assertEqual(error["code"], code, (path[:99], body[:400]))
        return error["message"]["value"].partition("\n")[0]

    def raw(self, data, *starts, finish=True):
        """Checks that the response to these bytes begins with one of these; None: no response."""
        response = table_http.raw(self.server.port, data, finish, seconds=30)
        self.assertTrue(any(response.startswith(start) if start else not response for start in starts),
                        (data[:200], response[:200]))
