#!/usr/bin/env python3
"""INSERT ... SELECT of PartitionKey, RowKey, _entity copies losslessly. A separate client writes
entities with every type of property to a store. They are copied to Azurite, and from there to
another store. The client reads all three places, and each value must have the same text. AZURITE
lists what Azurite itself writes differently.
"""

import json
import pathlib
import sys
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import aztables_server  # noqa: E402
import table_http  # noqa: E402

# name: {property: text of its JSON value}, with type annotations if needed. The texts are sent
# unchanged.
PROPERTIES = {
    "int32": {"Max": "2147483647", "Min": "-2147483648", "Zero": "0"},
    "int64": {f"{name}{part}": text for name, value in (
        ("Big", "9007199254740993"), ("Max", "9223372036854775807"), ("Min", "-9223372036854775808"), ("Small", "1"))
        for part, text in (("@odata.type", '"Edm.Int64"'), ("", f'"{value}"'))},
    "double": {"Tenth": "0.1", "Least": "5e-324", "Most": "1.7976931348623157e+308", "Third": "0.3333333333333333"},
    "whole": {"One@odata.type": '"Edm.Double"', "One": "1.0", "Minus@odata.type": '"Edm.Double"', "Minus": "-0.0"},
    "special": {f"{name}{part}": text for name, value in (("N", "NaN"), ("I", "Infinity"), ("J", "-Infinity"))
                for part, text in (("@odata.type", '"Edm.Double"'), ("", f'"{value}"'))},
    "boolean": {"Yes": "true", "No": "false"},
    "string": {"Empty": '""', "Blank": '" "', "Digits": '"007"', "Quotes": json.dumps("'\"\\/\b\f\n\r\t\x01\x1f\x7f"),
               "Nul": json.dumps("a\0b"), "NaN": '"NaN"', "Long": json.dumps("x" * 32768)},
    "beyond": {"Text": json.dumps("Gr\u00fc\u00dfe \u2603 \u65e5\u672c\u8a9e \ufeff\u200b e\u0301 \u00e9"),
               "Pair": json.dumps("\U0001f600\U0010ffff\U00010000 z"), "Long": json.dumps("\U0001f600" * 16384)},
    "datetime": {f"{name}{part}": text for name, value in (
        ("Ticks", "2026-11-20T10:15:30.1234567Z"), ("One", "2026-11-20T10:15:30.0000001Z"),
        ("Least", "1601-01-01T00:00:00Z"),
        ("Most", "9999-12-31T23:59:59.9999999Z"), ("Half", "2000-02-29T00:00:00.5Z"))
        for part, text in (("@odata.type", '"Edm.DateTime"'), ("", f'"{value}"'))},
    "guid": {"G@odata.type": '"Edm.Guid"', "G": '"c9da6455-213d-42c9-9a79-3e9149a57833"',
             "Z@odata.type": '"Edm.Guid"', "Z": '"00000000-0000-0000-0000-000000000000"'},
    "binary": {"Empty@odata.type": '"Edm.Binary"', "Empty": '""', "Zeros@odata.type": '"Edm.Binary"', "Zeros": '"AAAAAA=="',
               "All@odata.type": '"Edm.Binary"', "All": '"/+8AAQ=="', "Long@odata.type": '"Edm.Binary"',
               "Long": f'"{"AP8+" * 21845}"'},
    "none": {},
    "many": {f"P{i}": str(i) for i in range(252)},
    "names": {"a": "1", "A": "2", "_": "3", "x" * 255: "4", "\u00e4": "5", "Rowid": "6", "type": '"t"'},
}
KEYS = ["", "a b", "it's 100%", "\u00fc\u65e5", "\U0001f600", "x" * 400, "+&=;,()!~"]

# Texts that Azurite writes differently from the store, for the same value: DateTimes keep the zeros
# of the request, and Doubles have a lower-case e. (entity, property): the text.
AZURITE = {
    ("datetime", "Least"): "1601-01-01T00:00:00.0000000Z", ("datetime", "Half"): "2000-02-29T00:00:00.5000000Z",
    ("double", "Least"): "5e-324", ("double", "Most"): "1.7976931348623157e+308",
}
# Texts that the store and the live service write differently from the request. None: the annotation
# is absent. A number with a point needs no type. There is no negative zero.
STORE = {
    ("double", "Least"): "5E-324", ("double", "Most"): "1.7976931348623157E+308", ("whole", "One@odata.type"): None,
    ("whole", "Minus"): "0.0", ("whole", "Minus@odata.type"): None,
}


def entities():
    """(PartitionKey, RowKey, {property: JSON text}) of all copied entities."""
    for name, properties in PROPERTIES.items():
        yield "types", name, properties
    for number, key in enumerate(KEYS):
        yield key, KEYS[-1 - number], {"N": str(number)}


class Raw(str):
    """A number with its JSON text."""


class Copy(host.Case):
    """Stores `first` and `second`, each a file with its own server, and Azurite."""

    def setUp(self):
        super().setUp()
        self.servers = [aztables_server.start() for _ in range(2)]
        for server, name in zip(self.servers, ("first", "second")):
            self.addCleanup(server.stop)
            self.query("SELECT aztables_connect(?, ?)", name, f"LocalStore={server.store}")
            self.query("SELECT aztables_create_table(?)", f"{name}.{self.table}")
            self.virtual(name, "N INT32", connection=name)
        self.virtual("emulator", "Text STRING, Ticks DATETIME")
        self.clients = [table_http.Client(service.port) for service in (*self.servers, self.service)]
        for client in self.clients:
            self.addCleanup(client.close)

    def post(self, client, partition, row, properties):
        keys = {"PartitionKey": json.dumps(partition), "RowKey": json.dumps(row)}
        body = "{" + ",".join(f"{json.dumps(name)}:{text}" for name, text in {**keys, **properties}.items()) + "}"
        status, _, response = client.send("POST", f"/{self.table}", body.encode())
        self.assertIn(status, (201, 204), (row, response))

    def stored(self, client):
        """{(PartitionKey, RowKey): {property or annotation: Raw number, text, boolean}} of a
        service.
        """
        found = {}
        token = ""
        while True:
            status, headers, body = client.send("GET", f"/{self.table}()?{token}", headers={
                "Accept": "application/json;odata=minimalmetadata"})
            self.assertEqual(200, status, body)
            for entity in json.loads(body, parse_int=Raw, parse_float=Raw)["value"]:
                key = entity.pop("PartitionKey"), entity.pop("RowKey")
                for name in ("Timestamp", "Timestamp@odata.type", "odata.etag"):
                    entity.pop(name, None)
                found[key] = entity
            names = [n for n in ("NextPartitionKey", "NextRowKey") if f"x-ms-continuation-{n}" in headers]
            if not names:
                return found
            token = "&".join(f"{n}={urllib.parse.quote(headers[f'x-ms-continuation-{n}'])}" for n in names)

    def copy(self, source, target):
        self.query(f"INSERT INTO {target}(PartitionKey, RowKey, _entity) "
                   f"SELECT PartitionKey, RowKey, _entity FROM {source}")

    def test_to_the_emulator_and_back(self):
        first, second, emulator = self.clients
        for entity in entities():
            self.post(first, *entity)
        original = self.stored(first)
        for partition, row, properties in entities():
            sent = {name: json.loads(text, parse_int=Raw, parse_float=Raw) for name, text in properties.items()}
            sent.update({name: text for (entity, name), text in STORE.items() if entity == row})
            with self.subTest(row=row, place="first store"):
                self.assertEqual({name: text for name, text in sent.items() if text is not None}, original[partition, row])
        self.copy("first", "emulator")
        self.copy("emulator", "second")
        there, back = self.stored(emulator), self.stored(second)
        self.assertEqual(set(original), set(there))
        self.assertEqual(set(original), set(back))
        for key, properties in original.items():
            expected = {**properties, **{name: text for (row, name), text in AZURITE.items() if row == key[1]}}
            with self.subTest(key=key, place="emulator"):
                self.assertEqual(expected, there[key])
            with self.subTest(key=key, place="second store"):
                self.assertEqual(properties, back[key])


if __name__ == "__main__":
    unittest.main()
