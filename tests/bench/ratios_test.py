#!/usr/bin/env python3
"""Tests the benchmark with a small table: every row has the right results, and the files are written. It asserts no times.

usage: ratios_test.py
"""

import csv
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(__file__).resolve().parent
ROOT = BENCH.parents[1]
sys.path[:0] = [str(ROOT / "tests/support"), str(BENCH / "support")]
import host  # noqa: E402

host.enter()
import bench_clients  # noqa: E402
import bench_rows  # noqa: E402
import page_server  # noqa: E402

PROGRAMS = pathlib.Path(host.MODULE).parent / "bench/programs"
ENTITIES = 3000
CLIENTS = {"SQL", "raw", "native"}


def bench(folder, *options):
    """The finished benchmark."""
    command = [host.PYTHON, BENCH / "ratios.py", "--quick", "--entities", str(ENTITIES), "--output", folder, *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


class Ratios(unittest.TestCase):
    def test_every_row_has_each_client_and_the_files_are_written(self):
        with tempfile.TemporaryDirectory() as folder:
            # The JavaScript client takes ten times as long. It measures two rows over TLS.
            done = bench(folder, "--latency", "0", "--tls", "", "--without-javascript")
            self.assertEqual(0, done.returncode, done.stderr)
            with open(f"{folder}/bench.csv", encoding="utf-8") as file:
                records = list(csv.DictReader(file))
            names = {row.name for row in bench_rows.rows(ENTITIES, 500, 1500)}
            self.assertEqual({(name, client) for name in names for client in CLIENTS},
                             {(record["row"], record["client"]) for record in records})
            text = pathlib.Path(folder, "bench.md").read_text(encoding="utf-8")
            for name in names:
                self.assertIn(f"| {name} |", text)
            for plot in pathlib.Path(folder).glob("*.svg"):
                self.assertIn(f"({plot.name})", text)

    def test_reads_and_writes_over_tls(self):
        with tempfile.TemporaryDirectory() as folder:
            done = bench(folder, "--latency", "", "--tls", "0", "--rows", "scan: 9|one partition")
            self.assertEqual(0, done.returncode, done.stderr)
            with open(f"{folder}/bench.csv", encoding="utf-8") as file:
                clients = {record["client"] for record in csv.DictReader(file)}
        self.assertEqual(CLIENTS | ({"JavaScript"} if bench_clients.JavaScript.is_installed() else set()), clients)

    def test_scans_of_all_forms_of_keys(self):
        for order in [], ["--order"]:
            command = [host.PYTHON, BENCH / "scans.py", "--pages", "20", "--latency", "0", "--parallel", "3", *order]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual(0, done.returncode, done.stderr)
            self.assertEqual(2 * len(page_server.KEYS) + 1, done.stdout.count("\n  parallel="), done.stdout)

    def test_a_wrong_result_ends_the_run(self):
        row = bench_rows.scans(ENTITIES)[0]
        samples = {name: bench_clients.Sample(1, 1, 1, result) for name, result in (("SQL", ("1",)), ("native", ("2",)))}
        with self.assertRaises(bench_clients.WrongResult):
            bench_clients.check_same(row, samples)

    def test_page_server_refuses_what_it_does_not_know(self):
        row = bench_rows.Row("refused", "SELECT count(*) FROM {t} WHERE Name = 'name 1'", 1, {})
        with page_server.start(PROGRAMS, ENTITIES) as server:
            target = bench_clients.Target(PROGRAMS, host.MODULE, server, "", ENTITIES)
            with self.assertRaisesRegex(bench_clients.WrongResult, "page_server does not know this request"):
                bench_clients.OurSql().measure(target, row)
            self.assertEqual(1, server.counters()["refused"])

    def test_page_server_evaluates_filters_of_keys(self):
        row = bench_rows.Row("range", "SELECT count(*), sum(N) FROM {t} WHERE PartitionKey >= 'p000001' AND "
                             "RowKey > 'r0000997' OR PartitionKey = 'p000000' AND RowKey < 'r0000002'", 6, {})
        with page_server.start(PROGRAMS, ENTITIES, rate=1_000_000) as server:
            target = bench_clients.Target(PROGRAMS, host.MODULE, server, "", ENTITIES)
            sample = bench_clients.OurSql().measure(target, row)
        indexes = [0, 1, 1998, 1999, 2998, 2999]
        self.assertEqual((("6", str(6 * 10_000_000 + sum(indexes))),), sample.result)


if __name__ == "__main__":
    unittest.main()
