#!/usr/bin/env python3
"""Invalid bodies, entities, options, filters and batches in well-formed requests. Each gets an error, and the
server stores nothing. A good request still works.

usage: bad_input_test.py [unittest argument ...]; AZTABLES_SERVER names the server
"""

import pathlib
import sys
import time
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import table_http  # noqa: E402
from refusal_case import TABLE, RefusalCase, entity, signed_head  # noqa: E402

MIB = 1 << 20


class BadInput(RefusalCase):
    """Bodies and queries."""

    def test_large_bodies(self):
        for size in (4 * MIB + 1, 10 * MIB):
            for path in (f"/{TABLE}", "/$batch"):
                self.fails(413, "RequestBodyTooLarge", "POST", path, b"x" * size)
        self.fails(400, "InvalidInput", "POST", f"/{TABLE}", b"x" * (4 * MIB))
        try:  # the server does not read the rest of a body that is far too large
            self.assertEqual(self.client.send("POST", f"/{TABLE}", b"x" * (70 * MIB))[0], 413)
        except OSError:
            pass

    def test_invalid_json(self):
        deep = 100_000
        for body in (b"", b"{", b"[]", b"null", b"1", b'"a"', b"{}{}", b"\xff\xfe{\0}\0", b"\0" * 1000,
                     entity() + b"x", entity(more=',"A":tru'), entity(more=',"A":1,'),
                     entity(more=',"A":{"b":1}'), entity(more=',"A":[1]'),
                     entity(more=f',"A":{"[" * deep}{"]" * deep}'), b"[" * deep, b'{"a":' * deep,
                     entity(more=f',"Timestamp":{"[" * deep}{"]" * deep}')):
            message = self.fails(400, "InvalidInput", "POST", f"/{TABLE}", body)
            self.assertNotIn("_entity", message)
        self.fails(400, "PropertiesNeedValue", "POST", f"/{TABLE}", b"{}")
        self.assertNotIn("_entity", self.fails(400, "InvalidInput", "POST", "/Tables", b"{"))

    def test_numbers(self):
        for number in ("1e999", "-1e999", "9007199254740993", "109000002162400001", "9" * 5000, "01", "+1", "0x1", "NaN",
                       "Infinity", "1.", ".5", "1e", "--1"):
            self.fails(400, "InvalidInput", "POST", f"/{TABLE}", entity(more=f',"A":{number}'))
        for kind, text in (("Int64", "9223372036854775808"), ("Int64", "1.5"), ("Int64", ""), ("Int32", "x"),
                           ("Double", "abc"), ("Double", "1e999"), ("Guid", "1"), ("DateTime", "yesterday"),
                           ("DateTime", "2020-13-01T00:00:00Z"), ("Binary", "?"), ("Boolean", "perhaps")):
            self.fails(400, "InvalidInput", "POST", f"/{TABLE}",
                       entity(more=f',"A@odata.type":"Edm.{kind}","A":"{text}"'))
        self.fails(400, "OutOfRangeInput", "POST", f"/{TABLE}", entity(
            more=',"A@odata.type":"Edm.DateTime","A":"0001-01-01T00:00:00Z"'))

    def test_types_and_members(self):
        for more in (',"A@odata.type":"Edm.Decimal","A":"1"', ',"A@odata.type":"","A":"1"',
                     ',"A@odata.type":7,"A":"1"', ',"A":1,"A":2', ',"RowKey":"again"'):
            self.fails(400, "InvalidInput", "POST", f"/{TABLE}", entity(more=more))
        self.fails(400, "InvalidInput", "POST", f"/{TABLE}", b'{"PartitionKey":1,"RowKey":"r"}')
        for name in ("", "a b", "1a", "a-b", "\\u0000", "a.b"):
            self.fails(400, "PropertyNameInvalid", "POST", f"/{TABLE}", entity(more=f',"{name}":1'))
        self.fails(400, "PropertyNameTooLong", "POST", f"/{TABLE}", entity(more=f',"{"a" * 256}":1'))
        many = "".join(f',"P{i}":1' for i in range(20_000))
        self.fails(400, "TooManyProperties", "POST", f"/{TABLE}", entity(more=many))

    def test_invalid_text(self):
        for text in (b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\0", b"\x1f", b"\\ud80x",
                     b"\\ud800\\ud80", b"\\ud800\\q", b"\\u12", b"\\x41"):
            self.fails(400, "InvalidInput", "POST", f"/{TABLE}", b'{"PartitionKey":"p","RowKey":"r","A":"%s"}' % text)
            self.fails(400, "InvalidInput", "POST", f"/{TABLE}", b'{"PartitionKey":"p","RowKey":"%s"}' % text)
        for key in ("\\u0000", "a\\u001fb", "a/b", "a\\\\b", "a#b", "a?b", "\\u0085"):
            self.fails(400, "OutOfRangeInput", "POST", f"/{TABLE}", entity(key))
        self.fails(400, "KeyValueTooLarge", "POST", f"/{TABLE}", entity("k" * 40_000))

    def test_options(self):
        for option in ("$top=-1", "$top=x", "$top=1001", "$top=1e3", "$top=99999999999999999999",
                       "NextPartitionKey=x", "NextPartitionKey=1!99999999999!AAAA", "NextPartitionKey=1!-4!AAAA",
                       "NextPartitionKey=1!4!gICA", "NextRowKey=1!4!AAAA", "NextPartitionKey=1!4!AAAA&NextRowKey=%00"):
            self.fails(400, "InvalidInput", "GET", f"/{TABLE}()?{option}")
        self.fails(501, "NotImplemented", "GET", f"/{TABLE}()?$orderby=A")
        for option in (f"$select={'a,' * 20_000}b", "$select=%FF", "$select=%27", "a=%", "&&==&", "$foo=1"):
            self.assertIn(self.client.send("GET", f"/{TABLE}()?{option}")[0], (200, 400), option[:50])

    def test_filters(self):
        quoted = urllib.parse.quote
        for text in ("(", ")", "A", "A eq", "eq 1", "A eq '", "A eq null", "A eq 1 and", "A eq 1 B eq 2", "A == 1",
                     "A eq 99999999999", "A eq guid'x'", "A eq datetime'x'", "A eq X'0'", "\xff", "A eq 'a\0",
                     "(" * 50_000, "(" * 50_000 + "A eq 1" + ")" * 50_000, "not (" * 20_000 + "A eq 1" + ")" * 20_000,
                     "A eq 1" + ")" * 100):
            self.fails(400, "InvalidInput", "GET", f"/{TABLE}()?$filter={quoted(text, safe='()')}")
        self.fails(400, "InvalidInput", "GET", f"/{TABLE}()?$filter=A%20eq%20'%FF'")
        for joint in ("+or+", "+and+"):
            began = time.monotonic()
            status, _, body = self.client.send("GET", f"/{TABLE}()?$filter={joint.join(['A+eq+1'] * 10_000)}")
            self.assertIn(status, (200, 400), body)
            self.assertLess(time.monotonic() - began, 10)
        rows = self.client.rows(TABLE, f"$filter=A+eq+'{'x' * 100_000}'")
        self.assertEqual(rows, [])
        response = table_http.raw(self.server.port, signed_head("GET", f"/{TABLE}()?$filter={'x' * MIB}"))
        self.assertTrue(response.startswith(b"HTTP/1.1 414") or not response, response[:100])

    def test_invalid_batches(self):
        content_type, body = table_http.changeset([("POST", f"/{TABLE}", {"PartitionKey": "p", "RowKey": "r"})])
        good = body.encode()
        for kind, data in (
                ("text/plain", good), ("multipart/mixed", good), ("multipart/mixed; boundary=", good),
                ("multipart/mixed; boundary=other", good), (content_type, b""), (content_type, b"\0" * 1000),
                (content_type, b"--batch_b\r\n" * 100_000), (content_type, good.replace(b"--changeset_c", b"--x")),
                (content_type, good.replace(b"POST http", b"POST")), (content_type, good.replace(b" HTTP/1.1", b"")),
                (content_type, good.replace(b"; boundary=changeset_c", b"")), (content_type, good + good),
                (content_type, good.replace(b"POST http", b"GET http")), (content_type, good[:-40]),
                (content_type, good.replace(b'{"P', b'{"P' + b"[" * 100_000))):
            status, _, response = self.client.send("POST", "/$batch", data, {"Content-Type": kind})
            self.assertTrue(status == 400 or status == 202 and b"HTTP/1.1 400 " in response,
                            (kind, data[:300], status, response))

    def test_large_and_nested_batches(self):
        operations = [("POST", f"/{TABLE}", {"PartitionKey": "p", "RowKey": str(i)}) for i in range(1000)]
        status, _, body = self.client.batch(operations)
        self.assertEqual(status, 202)
        self.assertIn(b"99:The batch request operation exceeds the maximum 100 changes", body)
        nested = "".join(f"--b{i}\r\nContent-Type: multipart/mixed; boundary=b{i + 1}\r\n\r\n" for i in range(50_000))
        status, _, _ = self.client.send("POST", "/$batch", nested, {"Content-Type": "multipart/mixed; boundary=b0"})
        self.assertEqual(status, 400)
        inner = [("POST", "/$batch", {}), ("POST", "/Tables", {"TableName": "Inner"}), ("FOO", f"/{TABLE}", {}),
                 ("PUT", "/%FF(PartitionKey='p',RowKey='r')", {}), ("DELETE", f"/{TABLE}", None)]
        for operation in inner:
            status, _, body = self.client.batch([operation])
            self.assertTrue(status >= 400 or b"HTTP/1.1 4" in body, (operation, status, body))
        mixed = [("POST", f"/{TABLE}", {"PartitionKey": "p", "RowKey": "1"}),
                 ("POST", f"/{TABLE}", {"PartitionKey": "p", "RowKey": "good"})]
        self.assertIn(b"1:The specified entity already exists.", self.client.batch(mixed)[2])


if __name__ == "__main__":
    unittest.main()
