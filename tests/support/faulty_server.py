"""A table service with faulty responses; the table's name selects the fault.

A simulation (aztables-server --simulate) sends the service's responses, late, cut or replaced by an error. This server
sends exact responses that the service never sends.

For SQL tests of the extension's errors. `start()` returns an object with `connection_string`; every
response is fixed, nothing is stored.
"""

import bisect
import http.server
import json
import re
import threading
import time
import urllib.parse

PARTITIONS = [f"{number:06}" for number in range(100_000)]
ACCOUNT_KEY = "b2Rk"  # base64 of "odd"


def entity(number, **properties):
    return {"odata.etag": f'W/"{number}"', "PartitionKey": "p", "RowKey": f"r{number:04}",
            "Timestamp": "2026-11-02T10:00:00Z", "N": number, **properties}


def page(*entities):
    return json.dumps({"odata.metadata": "x", "value": list(entities)}).encode()


def error(code, message):
    text = f"{message}\nRequestId:1\nTime:2026-11-02T10:00:00.0000000Z"
    return json.dumps({"odata.error": {"code": code, "message": {"lang": "en-US", "value": text}}}
                      ).encode()


XML_ERROR = (b'\xef\xbb\xbf<?xml version="1.0" encoding="utf-8"?><m:error xmlns:m="urn:x"><m:code>'
             b"AuthenticationFailed</m:code><m:message>Server failed to authenticate.\nTime:1"
             b"</m:message></m:error>")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def version_string(self):  # the header Server
        return "Azurite-Table/3.35.0" if "azurite" in self.path.lower() else "Odd/1.0"

    def reply(self, status, body, headers=(), kind="application/json", promised=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) if promised is None else promised))
        self.send_header("x-ms-request-id", "faulty-request")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client did not wait
        if promised is not None:
            self.close_connection = True

    def do_GET(self):
        path, _, query = self.path.partition("?")
        table = path.strip("/").split("(")[0].lower()
        options = urllib.parse.parse_qs(query, keep_blank_values=True)
        method = getattr(self, "table_" + table, None)
        if method is None:
            self.reply(404, error("TableNotFound", "The table specified does not exist."))
        else:
            method(options)

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        self.rfile.read(length)
        if self.path.startswith("/Tables"):
            self.reply(409, error("TableAlreadyExists", "The table specified already exists."))
            return
        self.reply(202, b"<html>not a batch</html>", kind="text/html")

    # One method per table.
    def table_good(self, _):
        self.reply(200, page(entity(1), entity(2)))

    def table_html(self, _):
        self.reply(200, b"<html><body>Welcome to nginx</body></html>", kind="text/html")

    def table_htmlmissing(self, _):
        self.reply(404, b"<html><body>404 not found</body></html>", kind="text/html")

    def table_cutjson(self, _):
        self.reply(200, page(entity(1), entity(2))[:-20])

    def table_cutbody(self, _):
        body = page(entity(1), entity(2))
        self.reply(200, body[:-20], promised=len(body))

    def table_array(self, _):
        self.reply(200, b"[1, 2, 3]")

    def table_novalue(self, _):
        self.reply(200, b'{"odata.metadata":"x"}')

    def table_nokeys(self, _):
        self.reply(200, b'{"value":[{"N":1}]}')

    def table_nested(self, _):
        self.reply(200, page(entity(1, Bad={"a": 1})))

    def table_trailing(self, _):
        self.reply(200, page(entity(1)) + b'{"value":[]}')

    def table_badutf8(self, _):
        self.reply(200, page(entity(1)).replace(b'"p"', b'"\xff\xfe"'))

    def table_malformed(self, _):
        self.reply(200, page(entity(1, **{"Big@odata.type": "Edm.Int64", "Big": "12x"})))

    def table_unknowntype(self, _):
        self.reply(200, page(entity(1, **{"Big@odata.type": "Edm.Decimal", "Big": "12"})))

    def table_evilname(self, _):
        self.reply(200, page(entity(1, **{"a\n); DROP TABLE x; --": 1})))

    def table_lonename(self, _):  # half of a surrogate pair
        self.reply(200, page(entity(1, **{"x\ud83d": "y\ude00"})))

    def table_unauthorized(self, _):
        self.reply(403, XML_ERROR, [("x-ms-error-code", "AuthenticationFailed")],
                   kind="application/xml")

    def table_forbidden(self, _):
        self.reply(403, error("AuthorizationPermissionMismatch",
                              "This request is not authorized to perform this operation using this "
                              "permission."))

    def table_throttled(self, _):
        self.reply(503, error("ServerBusy", "The server is busy."))

    def table_empty500(self, _):
        self.reply(500, b"")

    def table_moved(self, _):
        self.reply(302, b"", [("Location", "http://elsewhere.invalid/")])

    def table_full(self, _):
        self.reply(507, error("InsufficientStorage", "No space is left."))

    def table_echo(self, _):
        self.reply(400, error("InvalidInput", f"The requested URL {self.path} was not found"))

    def table_strangers(self, _):  # for any request
        point = "PartitionKey=" in self.path
        self.reply(200, json.dumps(entity(1)).encode() if point else page(entity(1), entity(2)))

    def table_behind(self, _):  # an error after the entities
        self.reply(200, page(entity(1))[:-1] + b"," + error("InternalError", "broke off")[1:])

    # One page; then the table is missing.
    def table_vanishes(self, options):
        if "NextPartitionKey" in options:
            self.reply(404, error("TableNotFound", "The table specified does not exist."))
        else:
            self.reply(200, page(entity(1)), [("x-ms-continuation-NextPartitionKey", "1")])

    def table_closes(self, _):
        self.close_connection = True
        self.connection.close()

    def table_slow(self, _):
        time.sleep(3)
        self.reply(200, page(entity(1)))

    def table_busyonce(self, _):
        server = self.server
        server.count += 1
        if server.count % 2 == 1:
            self.reply(503, error("ServerBusy", "The server is busy."))
        else:
            self.reply(200, page(entity(1)))

    # Pages: 0 (empty), 1, 2 (empty, NextRowKey missing), 3 (the last).
    def table_pages(self, options):
        at = int(options.get("NextPartitionKey", ["0"])[0])
        if "NextRowKey" in options and options["NextRowKey"][0] == "":
            self.reply(400, error("InvalidInput", "NextRowKey is empty."))
            return
        rows = [[], [entity(1), entity(2)], [], [entity(3)]][at]
        headers = [] if at == 3 else [("X-MS-Continuation-NextPartitionKey", str(at + 1))]
        if at in (0, 1):
            headers.append(("x-ms-continuation-nextrowkey", "r!"))
        self.reply(200, page(*rows), headers)

    # A million entities, ten per partition; those from the 5,000th on have `Late`. Supports
    # conjunctions of key comparisons.
    def table_million(self, options):
        first, last = 0, 1_000_000
        for key, op, text in re.findall(r"(PartitionKey|RowKey) (eq|[gl][te]) '([^']*)'",
                                        options.get("$filter", [""])[0]):
            if key == "RowKey":
                self.reply(500, b"not part of this table")
                return
            after = bisect.bisect_right(PARTITIONS, text) * 10
            before = bisect.bisect_left(PARTITIONS, text) * 10
            first = max(first, {"eq": before, "ge": before, "gt": after}.get(op, 0))
            last = min(last, {"eq": after, "le": after, "lt": before}.get(op, last))
        if "NextPartitionKey" in options:
            first = int(options["NextPartitionKey"][0])
        self.server.million.append(self.path)
        if len(self.server.million) == self.server.dies_after:
            self.close_connection = True
            self.connection.close()
            return
        end = min(first + 1000, last)
        headers = [("x-ms-continuation-NextPartitionKey", str(end)),
                   ("x-ms-continuation-NextRowKey", "x")] if end < last else []
        self.reply(200, page(*(
            {"PartitionKey": PARTITIONS[i // 10], "RowKey": str(i % 10), "N": i % 2**31,
             **({"Late": "found"} if i >= 5000 else {})} for i in range(first, end))), headers)

    # Always the same page with a token.
    def table_heedless(self, _):
        self.reply(200, page(entity(1), entity(2)), [("x-ms-continuation-NextPartitionKey", "more")])

    # Supports filters on keys only.
    def table_keysonly(self, options):
        (filter,) = options.get("$filter", [""])
        self.server.filters.append(filter)
        if "N " in filter:
            self.reply(501, error("NotImplemented", "The requested operation is not implemented."))
        else:
            self.reply(200, page(entity(1), entity(2)))

    table_azurite = table_keysonly  # identified by its header Server

    # Out of order within and across pages.
    def table_backwards(self, _):
        self.reply(200, page(entity(1), entity(3), entity(2)))

    def table_stepsback(self, options):
        at = int(options.get("NextPartitionKey", ["0"])[0])
        rows = [[entity(1), entity(2)], [], [entity(2), entity(3)], [entity(4)]][at]
        self.reply(200, page(*rows), [("x-ms-continuation-NextPartitionKey", str(at + 1))] if at < 3 else [])

    # A cycle of three pages, after a page with entities.
    def table_cycle(self, options):
        at = {"": "a", "a": "b", "b": "c", "c": "a"}[options.get("NextPartitionKey", [""])[0]]
        self.reply(200, page(*([] if "NextPartitionKey" in options else [entity(1)])),
                   [("x-ms-continuation-NextPartitionKey", at), ("x-ms-continuation-NextRowKey", "r")])

    def table_endless(self, _):
        self.reply(200, page(), [("x-ms-continuation-NextPartitionKey", "same")])


class OddServer:
    def __init__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.count = 0
        self.server.filters = []  # of requests for Keysonly and Azurite
        self.server.million = []  # its requests
        self.server.dies_after = 0  # number of requests; 0: never
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.connection_string = (f"AccountName=faulty;AccountKey={ACCOUNT_KEY};"
                                  f"TableEndpoint=http://127.0.0.1:{self.port}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def start():
    return OddServer()
