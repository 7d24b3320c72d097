#!/usr/bin/env python3
"""No message repeats a secret: neither a SAS that the service returns, in any response, raw,
percent-encoded or in JSON, nor a connection string in the wrong place.
"""

import base64
import contextlib
import http.server
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()

MARK = "Marker4711Marker"
SIGNATURE = f"ab+c/{MARK}+d/e="  # in base64
SAS = f"sv=2019-02-02&sp=raud&sig={urllib.parse.quote(SIGNATURE, safe='')}&se=2099"
RUN = 12  # consecutive letters and digits that no message may show
KEY = f"AccountName=someone;AccountKey=QUJD{MARK}QUJD=="


def json_escaped(text):
    return "".join(f"\\u{ord(c):04X}" if c in "+/=&M" else c for c in text)


def layers(encode, count):
    return lambda text: text if count == 0 else encode(layers(encode, count - 1)(text))


def percent(text):
    return urllib.parse.quote(text, safe="")


ENCODINGS = {
    "plain": lambda s: s,
    "percent": lambda s: urllib.parse.quote(s, safe=""),
    "percent in lower case": lambda s: urllib.parse.quote(s, safe="").replace("%2B", "%2b").replace("%2F", "%2f"),
    "percent twice": lambda s: urllib.parse.quote(urllib.parse.quote(s, safe=""), safe=""),
    "json": json_escaped,
    "percent in 6 layers": layers(percent, 6),
    "percent in 20 layers": layers(percent, 20),
    "no padding": lambda s: s.rstrip("="),
    "url": lambda s: s.replace("+", "-").replace("/", "_"),
    "url without padding": lambda s: s.replace("+", "-").replace("/", "_").rstrip("="),
    "blank": lambda s: s.replace("+", " "),
    "cut": lambda s: s[1:-4],
    "lower case": str.lower,
    "mixed": lambda s: json_escaped(layers(percent, 3)(s.replace("+", " ").rstrip("="))),
    "percent of json": lambda s: urllib.parse.quote(json_escaped(s), safe=""),
}

# Uses the SAS from a file for statements that fail, and disconnects.
HOST = """
import os, sqlite3, sys
db = sqlite3.connect(":memory:", isolation_level=None)
db.enable_load_extension(True)
db.load_extension(os.environ["AZTABLES_MODULE"])
db.execute("SELECT aztables_connect('echo', ?)", ["file:" + sys.argv[1]]).fetchall()
db.execute("CREATE VIRTUAL TABLE t USING aztables(connection=echo, table=Some, N INT32, retries=0)")
for sql in sys.argv[2:]:
    try:
        db.execute(sql).fetchall()
    except sqlite3.Error as error:
        assert "..." in str(error), error
    else:
        sys.exit(sql)
db.execute("SELECT aztables_disconnect('echo')").fetchall()
print("done", flush=True)
sys.stdin.readline()
"""


def count_in_memory(process, needle):
    """The number of occurrences of `needle` in the memory of another process."""
    count = 0
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
        for line in maps:
            first, last = (int(address, 16) for address in line.split()[0].split("-"))
            if "r" not in line.split()[1] or last - first > 1 << 30:
                continue
            with contextlib.suppress(OSError, OverflowError):  # memory of the kernel cannot be read
                memory.seek(first)
                count += memory.read(last - first).count(needle)
    return count


class Echo(http.server.BaseHTTPRequestHandler):
    """Responds with the signature as in `response`: (status, content type, body with %s,
    headers).
    """

    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16  # sends each response as one packet; the second of two packets would wait
    response = ()
    encode = staticmethod(str)
    sent = []  # the signatures in the requests

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, kind, body, headers = Echo.response
        signature = self.headers.get("Authorization", ":" + SIGNATURE).split(":")[1]
        Echo.sent.append(signature)
        shown = Echo.encode(signature)
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
    # %s is in a JSON string, which may contain escapes of an encoding.
    return '{"odata.error":{"code":"%s","message":{"lang":"en","value":"%s"}}}'.replace("%s", "\0").replace(
        "\0", code, 1).replace("\0", message, 1)


LONG = "x" * 60 + "%s"
ENTITY = json.dumps({"value": [{"odata.etag": "1", "PartitionKey": "p", "RowKey": "r", "N@odata.type": "Edm.Int64",
                                "N": LONG}]})
RESPONSES = [
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
    def hides(self, text, signatures=()):
        plain = self.plain(text)
        self.assertNotIn(MARK.lower(), plain)
        self.assertNotIn(MARK[:8].lower(), plain)
        parts = {letters[i:i + RUN] for letters in map(self.plain, signatures) for i in range(len(letters) - RUN + 1)}
        for i in range(len(plain) - RUN + 1):
            self.assertNotIn(plain[i:i + RUN], parts)

    def plain(self, text):
        """Its letters and digits, in lower case, without escapes."""
        text, before = str(text), None
        while text != before:
            before = text
            text = urllib.parse.unquote(text)
            text = re.sub(r"\\u([0-9A-Fa-f]{4})", lambda match: chr(int(match[1], 16)), text)
        return re.sub("[^a-z0-9]", "", text.lower())

    def test_service_that_repeats_the_sas(self):
        self.repeats(f"SharedAccessSignature={SAS}")

    def test_service_that_repeats_a_signature(self):
        self.repeats(f"AccountName=someone;AccountKey={base64.b64encode(bytes(range(64))).decode()}")
        self.assertGreater(len(set(Echo.sent)), 1)

    def serve(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"TableEndpoint=http://127.0.0.1:{server.server_port}"

    def test_refused_requests_leave_no_sas_in_memory(self):
        Echo.response, Echo.encode = (403, "application/json", json_error(message="no %s"), ["Location"]), staticmethod(str)
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(f"{self.serve()};SharedAccessSignature={SAS}")
            file.flush()
            process = subprocess.Popen([host.PYTHON, "-c", HOST, file.name, *STATEMENTS[:6]], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True,
                                       env=host.environment(AZTABLES_MODULE=host.MODULE))
            with process:
                self.assertEqual("done\n", process.stdout.readline())
                self.assertGreater(count_in_memory(process.pid, b"aztables_disconnect"), 0)
                self.assertEqual(0, count_in_memory(process.pid, MARK.encode()))

    def repeats(self, credential):
        self.query("SELECT aztables_connect('echo', ?)", f"{self.serve()};{credential}")
        Echo.sent.clear()
        self.virtual("t", "N INT64", connection="echo", table="Some", retries=0)
        for response in RESPONSES:
            for name, encode in ENCODINGS.items():
                Echo.response, Echo.encode = response, staticmethod(encode)
                for sql in STATEMENTS:
                    retries = "aztables_" in sql  # an unreadable response; aztables_requests has the error
                    if retries and name not in ("plain", "percent", "json", "mixed"):
                        continue
                    with self.subTest(f"{response[0]} {response[1]} {name}: {sql}"):
                        begun = len(Echo.sent)
                        timer = threading.Timer(0.03, self.db.interrupt)
                        timer.start() if retries else None
                        with contextlib.suppress(sqlite3.Error):
                            try:
                                self.query(sql)
                            except sqlite3.Error as error:
                                self.hides(error, Echo.sent[begun:])
                                raise
                            finally:
                                timer.cancel()
        for sql in SHOWN:
            self.hides(self.query(sql), set(Echo.sent))

    def test_secrets_in_the_wrong_place(self):
        self.query("SELECT aztables_create_table('demo.Typed')")
        self.virtual("some", "N INT32", connection="demo", table="Typed")
        self.query("INSERT INTO some(PartitionKey, RowKey) VALUES ('old', 'r')")
        other = f"https://x.table.core.windows.net/?{SAS}"
        for secret in (KEY, KEY.replace(";", "; "), f"AccountKey=QUJD{MARK}==", f"QUJD{MARK}QUJD==", SAS, other,
                       f"SharedAccessSignature={SAS}", f"sig={MARK}"):
            quoted = secret.replace("'", "''")
            endpoint = "TableEndpoint=https://h/%s;SharedAccessSignature=sig=x"
            account = "AccountName=a;AccountKey=QUJD"
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
                        f"CREATE VIRTUAL TABLE s USING aztables(connection='{quoted}', A)",
                        f"CREATE VIRTUAL TABLE s USING aztables(connection='LocalStore={quoted}', A)",
                        f"CREATE VIRTUAL TABLE s USING aztables(connection=demo, \"{quoted}\" INT32 PROPERTY 'A')",
                        f"CREATE VIRTUAL TABLE s USING aztables(connection=demo, A '{quoted}')",
                        f"CREATE VIRTUAL TABLE s USING aztables(connection=demo, access='{quoted}')",
                        f"CREATE VIRTUAL TABLE s USING aztables({secret}, {secret})",
                        f"INSERT INTO some(_command) VALUES ('{quoted}')",
                        f"INSERT INTO some(_command) VALUES ('scan={quoted}')",
                        f"INSERT INTO some(_command) VALUES ('table={quoted}')",
                        f"INSERT INTO some(PartitionKey, RowKey, N) VALUES ('p', 'r', '{quoted}')",
                        f"SELECT * FROM aztables_query('demo.Typed', '{quoted}')",
                        f"SELECT * FROM aztables_query('demo.Typed', char(39) || '{quoted}' || char(39))",
                        f"SELECT * FROM aztables_query('demo.Typed', '', '{quoted}')",
                        f"SELECT aztables_connect('x', 'LocalStore={quoted}')",
                        f"SELECT aztables_connect('x', 'UseDevelopmentStorage=true;CaFile={quoted}')",
                        f"SELECT aztables_connect('x', '{account};CaFile={quoted}')",
                        f"SELECT aztables_connect('x', '{account};EndpointSuffix=h/{quoted}')",
                        f"SELECT aztables_connect('x', '{endpoint % quoted}')",
                        f"SELECT aztables_connect('x', '{endpoint % percent(secret)}')",
                        f"SELECT aztables_datetime('{quoted}')",
                        f"SELECT aztables_datetime('now', '{quoted}')",
                        f"SELECT aztables_ticks('{quoted}')",
                        f"SELECT aztables_reverse_ticks('{quoted}')",
                        f"SELECT aztables_ticks_datetime('{quoted}')",
                        f"SELECT aztables_get('{quoted}', 'A')",
                        f"SELECT aztables_type('{quoted}', 'A')",
                        f"SELECT aztables_rename('{quoted}', 'A', 'B')",
                        f"SELECT aztables_rename('{{}}', 'A', '{quoted}')",
                        f"SELECT aztables_size('p', 'r', '{quoted}')",
                        f"SELECT * FROM aztables_each('{quoted}')",
                        f"SELECT aztables_group_entity('{quoted}', 1)",
                        f"INSERT INTO some(PartitionKey, RowKey) VALUES ('/{quoted}', 'r')",
                        f"INSERT INTO some(PartitionKey, RowKey) VALUES ('p', '{quoted}?')",
                        f"INSERT INTO some(PartitionKey, RowKey, _entity) VALUES ('p', 'r', '{quoted}')",
                        f"UPDATE some SET _entity = '{quoted}'",
                        f'CREATE VIRTUAL TABLE "{secret}" USING aztables(connection=demo, A)',
                        f"SELECT aztables_set('{{}}', '{quoted}', 1)",
                        f"SELECT aztables_set('{{}}', 'A', 1, '{quoted}')",
                        f"SELECT aztables_set('{{}}', 'A', '{quoted}', 'INT32')",
                        f"SELECT aztables_get('{{\"A@odata.type\":\"{quoted}\",\"A\":\"1\"}}', 'A')",
                        f"SELECT aztables_schema('{quoted}')"):
                with self.subTest(sql):
                    with self.assertRaises(sqlite3.Error) as caught:
                        self.query(sql)
                    self.hides(caught.exception)
        with self.assertRaises(sqlite3.Error) as caught:  # a key without its padding
            self.query(f"SELECT aztables_connect('x', 'AccountName=a;AccountKey=QUJD;CaFile=QUJD{MARK}')")
        self.hides(caught.exception)
        for sql in SHOWN + ["SELECT * FROM sqlite_schema"]:
            self.hides(self.query(sql))

    def test_comment_in_create(self):
        create = "CREATE VIRTUAL TABLE s USING aztables(connection=demo, table=Typed, N INT32 /* %s */)"
        for comment in (KEY, f"accountkey = {MARK}", f"SharedAccessSignature={MARK}", f"https://h/?sig={MARK}",
                        f"sv=1&SIG={MARK}"):
            for sql in (create % comment, f"/* {comment} */ {create % ''}", f"{create % ''} -- {comment}"):
                with self.assertRaises(sqlite3.Error) as caught:
                    self.query(sql)
                self.assertIn("CREATE VIRTUAL TABLE must not contain a key or a signature", str(caught.exception))
                self.hides(caught.exception)
        self.query(create % "the AccountKey and the SharedAccessSignature are in the vault")
        self.query("DROP TABLE s")

    def test_property_name_inside_an_entity(self):
        self.query("SELECT aztables_create_table('demo.Named')")
        self.virtual("named", "N INT32", connection="demo", table="Named")
        self.query("INSERT INTO named(PartitionKey, RowKey) VALUES ('p', 'r')")
        insert = "INSERT INTO named(PartitionKey, RowKey, _entity) VALUES ('p', 's', ?)"
        readers = [insert, "UPDATE named SET _entity = ?", "SELECT * FROM aztables_each(?)",
                   "SELECT aztables_size('p', 'r', ?)"]
        functions = ["SELECT aztables_get(?, 'a')", "SELECT aztables_type(?, 'a')", "SELECT aztables_set(?, 'a', 1)",
                     "SELECT aztables_rename(?, 'a', 'b')"]
        writers = [insert, "UPDATE named SET _entity = ?"]
        for secret in (KEY, SAS, f"AccountKey=QUJD{MARK}==", f"QUJD{MARK}QUJD=="):
            for statements, entity in (
                    (writers, {secret: 1}), (writers, {secret: "x" * 40_000}),
                    (readers + functions, {secret: {}}), (readers + functions, {secret + "@odata.type": []}),
                    (readers, {secret: 9_007_199_254_740_993}), (readers, {secret + "@odata.type": "Edm.Odd", secret: "x"}),
                    (readers, {secret + "@odata.type": "Edm.Int64", secret: "x"}), (readers, {secret: 1, "%": 2})):
                text = json.dumps(entity).replace('"%"', json.dumps(secret))
                for sql in statements:
                    with self.subTest(sql, text=text[:100]), self.assertRaises(sqlite3.Error) as caught:
                        self.query(sql, text)
                    self.hides(caught.exception)
            for sql in ("SELECT aztables_get(?, ?)", "SELECT aztables_type(?, ?)", "SELECT aztables_set(?, ?, 1, 'INT32')"):
                for value in ("{}", '"x","%@odata.type":"Edm.Odd"', '1,"%":2'):
                    with self.subTest(sql, value=value), self.assertRaises(sqlite3.Error) as caught:
                        self.query(sql, '{"%%":%s}'.replace("%s", value).replace("%%", "%").replace("%", secret), secret)
                    self.hides(caught.exception)
            for value in ('1,"B":2', '1,"%":2'):
                with self.subTest(value=value), self.assertRaises(sqlite3.Error) as caught:
                    self.query("SELECT aztables_rename(?, ?, 'B')", '{"%":#}'.replace("#", value).replace("%", secret), secret)
                self.hides(caught.exception)

    def test_filter_may_contain_a_text_like_a_secret(self):
        self.query("SELECT aztables_create_table('demo.Some')")
        self.virtual("some", "Url", connection="demo", table="Some")
        url = f"https://x.table.core.windows.net/?{SAS}"
        self.query("INSERT INTO some(PartitionKey, RowKey, Url) VALUES ('p', 'r', ?)", url)
        self.assertEqual([("r",)], self.query("SELECT RowKey FROM aztables_query('demo.Some', ?, 'Url')", f"Url eq '{url}'"))


if __name__ == "__main__":
    unittest.main()
