#!/usr/bin/env python3
"""A SAS on aztables-server: URLs in place of a connection string, and what an error shows of the SAS
itself. No error shows a signature.

usage: sas_test.py [unittest argument ...]
"""

import base64
import hashlib
import hmac
import pathlib
import sqlite3
import sys
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

host.enter()
import aztables_server  # noqa: E402

READ = "SELECT N FROM t WHERE PartitionKey = 'a'"


def table_sas(table, **terms):
    """The query of a SAS for a table. Source: Microsoft, "Create a service SAS"."""
    terms = {"sp": "raud", "se": "2099-01-01T00:00:00Z", "sv": "2019-02-02", **terms}
    order = [terms.get("sp", ""), terms.get("st", ""), terms.get("se", ""), f"/table/{aztables_server.ACCOUNT}/{table.lower()}",
             "", terms.get("sip", ""), terms.get("spr", ""), terms["sv"],
             terms.get("spk", ""), terms.get("srk", ""), terms.get("epk", ""), terms.get("erk", "")]
    key = base64.b64decode(aztables_server.ACCOUNT_KEY)
    signature = base64.b64encode(hmac.new(key, "\n".join(order).encode(), hashlib.sha256).digest()).decode()
    return urllib.parse.urlencode({**terms, "tn": table, "sig": signature})


class SasTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = aztables_server.start()
        cls.endpoint = f"http://127.0.0.1:{cls.server.port}/{aztables_server.ACCOUNT}"
        db = host.connect()
        db.execute("SELECT aztables_connect('key', ?)", (f"AccountName={aztables_server.ACCOUNT};AccountKey={aztables_server.ACCOUNT_KEY};"
                                                       f"TableEndpoint={cls.endpoint}",)).fetchall()
        db.execute("CREATE VIRTUAL TABLE t USING aztables(table=Orders, connection=key, create=missing, N INT32)")
        db.execute("INSERT INTO t(PartitionKey, RowKey, N) VALUES ('a', '1', 1), ('b', '1', 2)")
        db.close()

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def setUp(self):
        self.db = host.connect()
        self.addCleanup(self.db.close)

    def connect(self, how, table="Orders", more=""):
        self.db.execute("SELECT aztables_connect('s', ?)", (how,)).fetchall()
        self.db.execute("DROP TABLE IF EXISTS t")
        self.db.execute(f"CREATE VIRTUAL TABLE t USING aztables(table={table}, connection=s, N INT32{more})")

    def refused(self, sas, text, sql=READ, table="Orders"):
        self.connect(f"{self.endpoint}?{sas}", table)
        with self.assertRaises(sqlite3.DatabaseError) as caught:
            self.db.execute(sql).fetchall()
        message = str(caught.exception)
        self.assertIn(f"the SAS of connection 's' {text}", message)
        self.assertNotIn("the clock of this machine", message)
        self.assertNotIn(urllib.parse.parse_qs(sas)["sig"][0][:12], message)

    def test_urls(self):
        sas = table_sas("Orders")
        for how in (f"{self.endpoint}?{sas}", f"{self.endpoint}/Orders?{sas}", f"'{self.endpoint}/?{sas}'",
                    f"TableEndpoint={self.endpoint}/Orders;SharedAccessSignature={self.endpoint}/Orders?{sas}",
                    f"TableEndpoint={self.endpoint};SharedAccessSignature={urllib.parse.unquote(sas)}"):
            with self.subTest(how):
                self.connect(how)
                self.assertEqual([(1,)], self.db.execute(READ).fetchall())

    def test_what_the_sas_shows(self):
        self.refused(table_sas("Orders", se="2020-01-01T00:00:00Z"), "expired at 2020-01-01T00:00:00Z (se=)")
        self.refused(table_sas("Orders", st="2098-01-01"), "is valid from 2098-01-01 (st=) on")
        self.refused(table_sas("Customers"), "is for the table Customers alone (tn=)")
        self.refused(table_sas("Orders", sp="a"), "permits sp=a, which is not enough")
        self.refused(table_sas("Orders", sp="r"), "permits sp=r, which is not enough", "DELETE FROM t WHERE PartitionKey = 'a'")

    def test_range_of_keys(self):
        sas = table_sas("Orders", spk="b", epk="b")
        self.connect(f"{self.endpoint}?{sas}")
        self.assertEqual([(2,)], self.db.execute("SELECT N FROM t WHERE PartitionKey = 'b'").fetchall())
        self.refused(sas, "is limited to a range of keys (spk=b, epk=b)", "INSERT INTO t(PartitionKey, RowKey) VALUES ('a', '2')")

    def test_create_missing_of_an_existing_table(self):
        self.connect(f"{self.endpoint}?{table_sas('Orders', sp='r')}", more=", create=missing")
        self.assertEqual([(1,)], self.db.execute(READ).fetchall())
        with self.assertRaises(sqlite3.DatabaseError) as caught:
            self.connect(f"{self.endpoint}?{table_sas('Absent', sp='r')}", "Absent", ", create=missing")
        self.assertIn("creating table Absent", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
