#!/usr/bin/env python3
"""Compares our SQL with the JavaScript client, with libcurl that sends the same requests, and with a native SQLite table, in
one run. page_server answers from memory, with a latency. All clients run in turns. Results that differ end the run.

usage: ratios.py [--quick] [--rows REGEX] [--latency LIST] [--tls LIST] [--entities N] [--rounds N] [--growth]
                 [--without-javascript] [--output DIR]

Prints a table and writes bench.md, bench.csv and SVG plots. The default takes about 10 minutes, --quick about one.
"""

import argparse
import dataclasses
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/bench/support")]
import host  # noqa: E402

host.enter()
import bench_clients  # noqa: E402
import bench_data  # noqa: E402
import bench_report  # noqa: E402
import bench_rows  # noqa: E402
import page_server  # noqa: E402
import tls_proxy  # noqa: E402
from bench_clients import JavaScript, NativeTable, OurSql, RawTransport, Target, WrongResult  # noqa: E402
from bench_report import Config, Growth, Line  # noqa: E402

PROGRAMS = pathlib.Path(host.MODULE).parent / "bench/programs"
GROWTH_ENTITIES = [100_000, 300_000, 1_000_000, 3_000_000]
PAGES_LATENCY = 20
PAGES_ENTITIES = [100_000, 1_000_000]  # 100 and 1,000 pages
GROWTH_WARM_UP = "SELECT sum(N) FROM (SELECT N FROM t LIMIT 20000);"  # connections and page slots exist when the scan begins
GROWTH_ROUNDS = 3
LONG_LATENCY = 5  # from here on the latency is most of the time: fewer rounds and point reads


class Progress:
    """Shows the current measurement at a terminal."""

    def __init__(self):
        self._shown = sys.stderr.isatty()

    def show(self, text):
        if self._shown:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def measure_config(given, config, target, rows, progress):
    """The Lines of a configuration."""
    ours = OurSql()
    clients = [ours, RawTransport(ours), NativeTable()] + ([JavaScript()] if given.javascript else [])
    samples = {row.name: {client.name: [] for client in clients} for row in rows}
    rounds = 1 if config.latency >= LONG_LATENCY else given.rounds
    for number in range(rounds):
        for row in rows:
            found = {}
            turn = number % len(clients)  # in the first round, our SQL is first: the raw transport needs its requests
            for client in clients[turn:] + clients[:turn]:
                progress.show(f"{config}, round {number + 1} of {rounds}: {row.name}, {client.name}")
                found[client.name] = client.measure(target, row)
                samples[row.name][client.name].append(found[client.name])
            bench_clients.check_same(row, found)
            check_raw(row, found)
    return [Line.of(config, row, samples[row.name]) for row in rows]


def check_raw(row, found):
    """WrongResult unless the raw transport and our SQL received the same entities. A divided read may give up a request on
    each connection, before or after the service has counted its entities."""
    ours, raw = found[OurSql.name].counted, found[RawTransport.name].counted
    given_up = row.connections * bench_rows.PAGE if row.divided else 0
    if not row.writes and (raw < row.entities or abs(ours - raw) > given_up):
        raise WrongResult(f"{row.name}: the raw transport received other entities: {found}")


def measure_growth(config, entities, progress):
    """The Growth of a scan of so many entities by one chain of pages. Without a latency, a small table is scanned so often that
    all sizes take the same time: the pace of the machine changes within a second."""
    progress.show(f"growth: {entities:,} entities, {config}")
    scans = 1 if config.latency else GROWTH_ENTITIES[-1] // entities
    keys = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {scans}) SELECT i FROM n"
    row = dataclasses.replace(bench_rows.scans(entities)[0], options=", parallel=1", setup=GROWTH_WARM_UP,
                              keys="" if config.latency else keys)
    with page_server.start(PROGRAMS, entities, config.latency) as server:
        target = Target(PROGRAMS, host.MODULE, server, "", entities)
        wait = bench_clients.raw_point_seconds(target) if config.latency else 0
        ours = OurSql()
        sample = ours.measure(target, row)
        raw = None if config.latency else RawTransport(ours).measure(target, row).seconds / scans
    last = entities - 1
    expected = (str(entities), str(entities * bench_data.FIRST_N + entities * last // 2), str(9_010_000_000 + last), "name 0")
    if row.keys:
        expected = (str(entities * scans),)
    if sample.result != (expected,):
        raise WrongResult(f"growth: the result is {sample.result}, not {expected}")
    return Growth(config, entities, -(-entities // 1000), sample.seconds / scans, sample.cpu / scans, sample.peak_kb, wait, raw)


def measure_growths(progress):
    """The Growth of each size: medians of rounds, since the machine may change its pace between two sizes."""
    found = []
    for latency, all_entities in (0, GROWTH_ENTITIES), (PAGES_LATENCY, PAGES_ENTITIES):
        rounds = [[measure_growth(Config(latency, False), entities, progress) for entities in all_entities]
                  for _ in range(GROWTH_ROUNDS)]
        found += [Growth.median(growths) for growths in zip(*rounds)]
    return found


def measure_all(given, folder, progress):
    """The Lines of all configurations."""
    lines = []
    authority = tls_proxy.Authority(folder) if given.tls else None
    native = f"{folder}/native.db"
    bench_data.write_native(native, given.entities)
    configs = [Config(latency, False) for latency in given.latency] + [Config(latency, True) for latency in given.tls]
    for config in sorted(configs, key=lambda config: (config.latency, config.tls)):
        points = given.points // 10 if config.latency >= LONG_LATENCY else given.points
        rows = [row for row in bench_rows.rows(given.entities, points, given.writes) if re.search(given.rows, row.name)]
        with page_server.start(PROGRAMS, given.entities, config.latency, authority if config.tls else None) as server:
            target = Target(PROGRAMS, host.MODULE, server, native, given.entities)
            lines += measure_config(given, config, target, rows, progress)
    return lines


def numbers(text):
    """The numbers of a list with commas."""
    return [float(word) for word in text.split(",") if word]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer entities, latencies and rounds")
    parser.add_argument("--rows", default="", metavar="REGEX", help="only the rows whose name matches")
    parser.add_argument("--latency", type=numbers, metavar="LIST", help="ms of the plain services; default: 0,5,20,40")
    parser.add_argument("--tls", type=numbers, metavar="LIST", help="ms of the services with TLS; default: 0,20")
    parser.add_argument("--entities", type=int, metavar="N", help="in the table; default: 100000")
    parser.add_argument("--rounds", type=int, metavar="N", help=f"below {LONG_LATENCY} ms; default: 3")
    parser.add_argument("--growth", action="store_true", help="only scans of up to 3,000,000 entities")
    parser.add_argument("--without-javascript", action="store_true")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/bench", metavar="DIR")
    given = parser.parse_args()
    defaults = {"latency": [0, 20], "tls": [0], "entities": 20_000, "rounds": 1} if given.quick else {
        "latency": [0, 5, 20, 40], "tls": [0, 20], "entities": 100_000, "rounds": 3}
    for name, value in defaults.items():
        if getattr(given, name) is None:
            setattr(given, name, value)
    if given.entities < 2 * bench_data.EACH or given.rounds < 1:
        parser.error(f"at least {2 * bench_data.EACH} entities and 1 round")
    given.points = min(given.entities, 500 if given.quick else 2000)
    given.writes = min(given.entities // 2, 2000 if given.quick else 10_000)
    given.javascript = JavaScript.is_installed() and not given.without_javascript
    return given


def main():
    given = arguments()
    progress = Progress()
    lines, growths = [], []
    with tempfile.TemporaryDirectory() as folder:
        if not given.growth:
            lines = measure_all(given, folder, progress)
    if given.growth or not (given.quick or given.rows):
        growths = measure_growths(progress)
    progress.show("")
    rounds = "1 round" if given.rounds == 1 else f"{given.rounds} rounds"
    about = f"{given.entities:,} entities of about 1 KB; medians of {rounds}, from {LONG_LATENCY} ms on of 1."
    if not given.javascript:
        about += " Without the JavaScript client."
    print(about, bench_report.EXPLAINED, "", sep="\n")
    bench_report.print_tables(lines, growths)
    given.output.mkdir(parents=True, exist_ok=True)
    plots = write_plots(given.output, lines, growths)
    bench_report.write_markdown(given.output / "bench.md", about, lines, growths, plots)
    bench_report.write_csv(given.output / "bench.csv", lines, growths)
    print("written:", ", ".join(str(given.output / name) for name in ["bench.md", "bench.csv", *plots]))


def write_plots(folder, lines, growths):
    """The file names of the plots; none without matplotlib."""
    try:
        import bench_plots
    except ImportError:
        print("no plots: scripts/deps.sh bench installs matplotlib", file=sys.stderr)
        return []
    return bench_plots.write_all(folder, lines, growths)


if __name__ == "__main__":
    main()
