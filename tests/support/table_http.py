"""Requests of the table service by hand, for tests: signing, bodies of batches, raw bytes.

    client = table_http.Client(server.port)
    status, headers, body = client.send("POST", "/Tables", {"TableName": "t"})
"""

import base64
import email.utils
import hashlib
import hmac
import http.client
import json
import pathlib
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "azurite"))
import azurite  # noqa: E402

ACCOUNT = azurite.ACCOUNT
HOST = "127.0.0.1"
SECONDS = 60


def signed(path, key=azurite.ACCOUNT_KEY, date=None):
    """The headers that sign a request to `path`, which includes the account."""
    date = date or email.utils.formatdate(usegmt=True)
    bare, _, query = path.partition("?")
    comp = [part for part in query.split("&") if part.startswith("comp=")]
    text = f"{date}\n/{ACCOUNT}{bare}" + (f"?{comp[0]}" if comp else "")
    digest = hmac.new(base64.b64decode(key), text.encode("utf-8", "surrogateescape"),
                      hashlib.sha256).digest()
    return {"x-ms-date": date, "x-ms-version": "2019-02-02",
            "Authorization": f"SharedKeyLite {ACCOUNT}:{base64.b64encode(digest).decode()}"}


class Client:
    """A kept connection to a server; after a failed request the next one opens a new connection."""

    def __init__(self, port, seconds=SECONDS):
        self._connection = http.client.HTTPConnection(HOST, port, timeout=seconds)

    def send(self, method, path, body=None, headers=None, key=azurite.ACCOUNT_KEY, date=None):
        """(status, headers, bytes of the body); `path` is without account. A dict is sent as JSON."""
        path = f"/{ACCOUNT}{path}"
        if isinstance(body, dict):
            body = json.dumps(body)
        all_headers = {"Accept": "application/json;odata=nometadata",
                       "Content-Type": "application/json", **signed(path, key, date), **(headers or {})}
        try:
            self._connection.request(method, path, body, all_headers)
            response = self._connection.getresponse()
            return response.status, response.headers, response.read()
        except BaseException:
            self._connection.close()
            raise

    def batch(self, requests, headers=None):
        """Sends a changeset of (method, path without account, body or None)."""
        content_type, body = changeset(requests)
        return self.send("POST", "/$batch", body, {"Content-Type": content_type, **(headers or {})})

    def rows(self, table, options=""):
        """All entities of a table, filtered by the options, over all pages."""
        token = ""
        found = []
        while True:
            path = f"/{table}()?{options}{token}"
            status, headers, body = self.send("GET", path)
            if status != 200:
                raise AssertionError(f"GET {path}: {status} {body!r}")
            found += json.loads(body)["value"]
            names = [n for n in ("NextPartitionKey", "NextRowKey") if f"x-ms-continuation-{n}" in headers]
            if not names:
                return found
            token = "".join(f"&{n}={headers[f'x-ms-continuation-{n}']}" for n in names)

    def close(self):
        self._connection.close()


def changeset(requests):
    """(Content-Type, body) of a batch with one changeset."""
    lines = ["--batch_b", "Content-Type: multipart/mixed; boundary=changeset_c", ""]
    for method, path, body in requests:
        lines += ["--changeset_c", "Content-Type: application/http",
                  "Content-Transfer-Encoding: binary", "",
                  f"{method} http://{HOST}/{ACCOUNT}{path} HTTP/1.1",
                  "Content-Type: application/json", "Accept: application/json;odata=nometadata",
                  "Prefer: return-no-content"]
        lines += ["If-Match: *"] if method == "DELETE" else []
        lines += ["", json.dumps(body) if isinstance(body, dict) else body or ""]
    lines += ["--changeset_c--", "--batch_b--", ""]
    return "multipart/mixed; boundary=batch_b", "\r\n".join(lines)


def raw_once(port, data, seconds=SECONDS):
    """The first bytes of a server's response to these; TimeoutError if there is none."""
    with socket.create_connection((HOST, port), timeout=seconds) as connection:
        connection.sendall(data)
        return connection.recv(65536)


def raw(port, data, finish=False, seconds=SECONDS):
    """The server's response to these bytes until it closes or is quiet; b"" if there is none.

    finish: closes the sending side after the bytes.
    """
    received = b""
    with socket.create_connection((HOST, port), timeout=seconds) as connection:
        try:
            connection.sendall(data)
            if finish:
                connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(65536):
                received += part
        except OSError:  # closed in the middle, or quiet
            pass
    return received
