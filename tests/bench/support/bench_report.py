"""The results of the benchmark as a table, as Markdown and as CSV."""

import csv
import dataclasses
import statistics

from figures import print_lines

OURS, RAW, JS, NATIVE = "SQL", "raw", "JavaScript", "native"
BUSY = 0.9  # from this share of a processor on, the server may be the limit
HEADS = ["entities", "ms", "entities/s", "us CPU/entity", "peak MB", "server CPU", "x JavaScript", "x raw", "x native"]
EXPLAINED = """\
ms, entities/s: our SQL, medians of the rounds. us CPU/entity: CPU time of its process, all threads. Peak MB: its resident memory.
server CPU: the CPU time of page_server per elapsed time. With "!" the server may be the limit.
x JavaScript, x raw, x native: how many times faster our SQL is than the JavaScript client, than libcurl with the same requests,
and than the same statement on a native table. CREATE TABLE AS writes to memory, which is part of its peak.
Growth: one chain of pages, after a scan of 20,000 entities; medians of three rounds, each of which measures all sizes. Without a
latency, small tables are scanned so often that each measurement reads 3,000,000 entities. x raw: how many times faster than libcurl
with the same requests. A small response: libcurl reads one entity from the same server."""


@dataclasses.dataclass
class Config:
    """A service: its latency in ms, and whether it speaks TLS."""

    latency: float
    tls: bool

    def __str__(self):
        return f"{self.latency:g} ms, {'TLS' if self.tls else 'plain'}"


@dataclasses.dataclass
class Line:
    """The results of a row with one configuration: medians of each client."""

    config: Config
    name: str
    entities: int
    seconds: dict  # by client
    cpu: dict
    peak_kb: dict
    server_share: float

    @classmethod
    def of(cls, config, row, samples):
        """`samples`: lists of Sample by client."""
        def medians(field):
            return {name: statistics.median(getattr(s, field) for s in found) for name, found in samples.items()}

        share = statistics.median(s.server_cpu / s.seconds for s in samples[OURS])
        return cls(config, row.name, row.entities, medians("seconds"), medians("cpu"), medians("peak_kb"), share)

    def faster_than(self, client):
        """How many times faster our SQL is; None if the client did not run."""
        return self.seconds[client] / self.seconds[OURS] if client in self.seconds else None

    def rate(self, client=OURS):
        """Entities per second."""
        return self.entities / self.seconds[client]

    def cpu_us(self, client=OURS):
        """Microseconds of CPU time per entity."""
        return self.cpu[client] / self.entities * 1e6

    def cells(self):
        """The texts of HEADS."""
        share = f"{self.server_share:.0%}{' !' if self.server_share >= BUSY else ''}"
        ratios = [self.faster_than(client) for client in (JS, RAW, NATIVE)]
        return [f"{self.entities:,}", f"{self.seconds[OURS] * 1000:,.1f}", f"{self.rate():,.0f}", f"{self.cpu_us():,.2f}",
                f"{self.peak_kb[OURS] / 1024:,.0f}", share, *("" if r is None else f"{r:.3g}" for r in ratios)]


@dataclasses.dataclass
class Growth:
    """A scan with our SQL of one size of the table, after a shorter scan."""

    config: Config
    entities: int
    pages: int
    seconds: float
    cpu: float
    peak_kb: int
    wait: float  # seconds of a small response, by libcurl; 0: not measured
    raw: float | None  # seconds of libcurl with the same requests; None: not measured

    HEADS = ["pages", "ms", "us/entity", "us CPU/entity", "peak MB", "x raw", "x pages x latency", "x pages x small response"]

    @classmethod
    def median(cls, growths):
        """The medians of several of one size."""
        first = growths[0]
        medians = [statistics.median(getattr(one, name) for one in growths) for name in ("seconds", "cpu", "peak_kb", "wait")]
        raw = None
        if first.raw is not None:  # the ratio is that of a round: the machine may change its pace between two rounds
            raw = medians[0] * statistics.median(one.raw / one.seconds for one in growths)
        return cls(first.config, first.entities, first.pages, *medians, raw)

    def cells(self):
        """The texts of HEADS."""
        waits = self.pages * self.config.latency / 1000
        return [f"{self.pages:,}", f"{self.seconds * 1000:,.0f}", f"{self.seconds / self.entities * 1e6:.2f}",
                f"{self.cpu / self.entities * 1e6:.2f}", f"{self.peak_kb / 1024:,.0f}",
                f"{self.raw / self.seconds:.3f}" if self.raw else "",
                f"{self.seconds / waits:.3f}" if waits else "",
                f"{self.seconds / (self.pages * self.wait):.3f}" if self.wait else ""]


def _tables(lines, growths):
    # (title, heads, [(name, cells)])
    for config in dict.fromkeys(str(line.config) for line in lines):
        yield config, HEADS, [(line.name, line.cells()) for line in lines if str(line.config) == config]
    if growths:
        yield ("growth: scan of 4 of 9 sent properties", Growth.HEADS,
               [(f"{growth.entities:,} entities, {growth.config}", growth.cells()) for growth in growths])


def print_tables(lines, growths):
    """Prints the tables."""
    for table in _tables(lines, growths):
        print_lines(*table)


def write_markdown(path, about, lines, growths, plots):
    """Writes bench.md: the tables, and the plots by their file names."""
    with open(path, "w", encoding="utf-8") as out:
        print("# Benchmark\n", about, "", EXPLAINED, sep="\n", file=out)
        for title, heads, rows in _tables(lines, growths):
            print(f"\n## {title}\n", file=out)
            print("| |", " | ".join(heads), "|", file=out)
            print("|---|" + "---:|" * len(heads), file=out)
            for name, cells in rows:
                print(f"| {name} |", " | ".join(cells), "|", file=out)
        for plot in plots:
            print(f"\n![{plot}]({plot})", file=out)


def write_csv(path, lines, growths):
    """Writes bench.csv: a record per row, configuration and client."""
    with open(path, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["row", "latency_ms", "tls", "client", "entities", "seconds", "cpu_seconds", "peak_kb",
                         "server_cpu_share"])
        for line in lines:
            for client in line.seconds:
                share = f"{line.server_share:.4f}" if client == OURS else ""
                writer.writerow([line.name, line.config.latency, int(line.config.tls), client, line.entities,
                                 f"{line.seconds[client]:.6f}", f"{line.cpu[client]:.6f}", line.peak_kb[client], share])
        for growth in growths:
            writer.writerow(["growth", growth.config.latency, int(growth.config.tls), OURS, growth.entities,
                             f"{growth.seconds:.6f}", f"{growth.cpu:.6f}", growth.peak_kb, ""])
