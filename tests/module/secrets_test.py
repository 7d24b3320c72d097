#!/usr/bin/env python3
"""No message repeats a secret: neither a SAS that the service sends back, in whatever encoding and answer, nor a
connection string that was typed in the wrong place."""

import contextlib
import http.server
import json
import pathlib
import sqlite3
import sys
import threading
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import host  # noqa: E402

host.enter()

MARK = "Marker4711Marker"
SIGNATURE = f"ab+c/{MARK}+d/e="  # as base64 has it
SAS = f"sv=2019-02-02&sp=raud&sig={urllib.parse.quote(SIGNATURE, safe='')}&se=2099"
KEY = f"AccountName=someone;AccountKey=QUJD{MARK}QUJD=="


def json_escaped(text):
    return "".join(f"\\u{ord(c):04X}" if c in "+/=&M" else c for c in text)


ENCODINGS = {
    "plain": lambda s: s,
    "percent": lambda s: urllib.parse.quote(s, safe=""),
    "percent in lower case": lambda s: urllib.parse.quote(s, safe="").replace("%2B", "%2b").replace("%2F", "%2f"),
    "percent twice": lambda s: urllib.parse.quote(urllib.parse.quote(s, safe=""), safe=""),
    "json": json_escaped,
    "xml": lambda s: s.replace("+", "&#43;").replace("/", "&#x2F;").replace("=", "&#x3d;"),
    "percent of json": lambda s: urllib.parse.quote(json_escaped(s), safe=""),
}


class Echo(http.server.BaseHTTPRequestHandler):
    """Answers with the signature, as `answer` says: (status, content type, body with %s, headers)."""

    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16  # else each answer is two packets, the second of which waits
    answer = ()
    encode = staticmethod(str)

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, kind, body, headers = Echo.answer
        shown = Echo.encode(SIGNATURE)
        body = body.replace("%s", shown).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name in headers:
            self.send_header(name, "1 sig=" + shown)
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_DELETE = do_PUT = do_GET


def json_error(code="%s", message="no sig=%s here"):
    # %s stands in a string of JSON, where an encoding may bring escapes of its own.
    return '{"odata.error":{"code":"%s","message":{"lang":"en","value":"%s"}}}'.replace("%s", "\0").replace(
        "\0", code, 1).replace("\0", message, 1)


LONG = "x" * 60 + "%s"
ENTITY = json.dumps({"value": [{"odata.etag": "1", "PartitionKey": "p", "RowKey": "r", "N@odata.type": "Edm.Int64",
                                "N": LONG}]})
ANSWERS = [
    (403, "application/json", json_error(), ["x-ms-request-id", "x-ms-error-code"]),
    (200, "application/json", json_error(), ["x-ms-request-id"]),
    (200, "application/json", json_error("E", "x" * 180 + "%s"), []),
    (400, "application/xml", "<error><code>E%s</code><message>no %s</message></error>", []),
    (200, "application/xml", "<error><code>E%s</code><message>no %s</message></error>", []),
    (404, "text/html", "<p>" + "y" * 190 + "%s</p>", ["x-ms-error-code"]),
    (200, "text/html", "<p>%s</p>", []),
    (200, "application/json", ENTITY, []),
    (200, "application/json", ENTITY.replace('"p"', '"p%s"').replace('"r"', '"r%s"'), []),
    (200, "application/json", '{"value":[{"odata.etag":"1","PartitionKey":"p","RowKey":"r","%s":}]}', []),
    (202, "multipart/mixed; boundary=b", "--b\r\n%s", []),
]
STATEMENTS = [
    "SELECT * FROM t",
    "SELECT * FROM t WHERE PartitionKey = 'p' AND RowKey = 'r'",
    "INSERT INTO t(PartitionKey, RowKey) VALUES ('p', 'r')",
    "SELECT aztables_create_table('echo.Other')",
    "SELECT aztables_drop_table('echo.Other')",
    "SELECT * FROM aztables_tables('echo')",
    "SELECT * FROM aztables_infer('echo.Some')",
]
SHOWN = ["SELECT * FROM aztables_requests", "SELECT * FROM aztables_commits", "SELECT * FROM aztables_connections"]


class SecretsTest(host.LocalCase):
    def hides(self, text):
        decoded = urllib.parse.unquote(urllib.parse.unquote(str(text))).replace("\\u004D", "M")
        self.assertNotIn(MARK, decoded)
        self.assertNotIn(MARK[:8], decoded)

    def test_a_service_that_repeats_the_sas(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.query("SELECT aztables_connect('echo', ?)", f"TableEndpoint=http://127.0.0.1:{server.server_port};"
                                                         f"SharedAccessSignature={SAS}")
        self.virtual("t", "N INT64", connection="echo", table="Some", retries=0)
        for answer in ANSWERS:
            for name, encode in ENCODINGS.items():
                Echo.answer, Echo.encode = answer, staticmethod(encode)
                for sql in STATEMENTS:
                    with self.subTest(f"{answer[0]} {answer[1]} {name}: {sql}"):
                        with contextlib.suppress(sqlite3.Error):
                            try:
                                self.query(sql)
                            except sqlite3.Error as error:
                                self.hides(error)
                                raise
        for sql in SHOWN:
            for row in self.query(sql):
                self.hides(row)

    def test_what_is_typed_in_the_wrong_place(self):
        other = f"https://x.table.core.windows.net/?{SAS}"
        for secret in (KEY, KEY.replace(";", "; "), f"AccountKey=QUJD{MARK}==", f"QUJD{MARK}QUJD==", SAS, other,
                       f"SharedAccessSignature={SAS}", f"sig={MARK}"):
            quoted = secret.replace("'", "''")
            for sql in (f"SELECT aztables_connect('x', 'env:{quoted}')",
                        f"SELECT aztables_connect('x', 'file:{quoted}')",
                        f"SELECT aztables_connect('{quoted}', 'env:X')",
                        f"SELECT aztables_create_table('{quoted}')",
                        f"SELECT aztables_create_table('demo.{quoted}')",
                        f"SELECT aztables_create_table('{quoted}.Some')",
                        f"SELECT * FROM aztables_query('{quoted}')",
                        f"SELECT * FROM aztables_infer('{quoted}')",
                        f"SELECT * FROM aztables_tables('{quoted}')",
                        f"CREATE VIRTUAL TABLE s USING aztables(table='{quoted}', connection=demo, A)",
                        f"CREATE VIRTUAL TABLE s USING aztables(connection='env:{quoted}', A)",
                        f"CREATE VIRTUAL TABLE s USING aztables(connection='file:{quoted}', A)",
                        f"CREATE VIRTUAL TABLE s USING aztables(connection='{quoted}', A)"):
                with self.subTest(sql):
                    with self.assertRaises(sqlite3.Error) as caught:
                        self.query(sql)
                    self.hides(caught.exception)
        self.assertEqual([], self.query("SELECT * FROM sqlite_schema"))
        for row in self.query("SELECT * FROM aztables_connections"):
            self.hides(row)


if __name__ == "__main__":
    unittest.main()
