"""The plots of the benchmark, as SVG files. Needs matplotlib (scripts/deps.sh bench)."""

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

from bench_report import JS, NATIVE, OURS, RAW  # noqa: E402

BULK_US = 15  # rows with less CPU time per entity are those of pages
COLORS = {OURS: "#0b6fb8", RAW: "#8a8a8a", JS: "#e0a100", NATIVE: "#5a9e4b"}


def _save(figure, folder, name):
    figure.tight_layout()
    figure.savefig(folder / name, metadata={"Date": None})
    pyplot.close(figure)
    return name


def _stack(axes, lines):
    # Stacked bars of the parts of the CPU time.
    names = [f"{line.name}{' (TLS)' if line.config.tls else ''}" for line in lines]
    left = [0.0] * len(lines)
    parts = [("transport: libcurl, same requests", [line.cpu_us(RAW) for line in lines], COLORS[RAW]),
             ("SQLite: native table", [line.cpu_us(NATIVE) for line in lines], COLORS[NATIVE]),
             ("the rest", [max(0.0, line.cpu_us() - line.cpu_us(RAW) - line.cpu_us(NATIVE)) for line in lines],
              COLORS[OURS])]
    for label, values, color in parts:
        axes.barh(names, values, left=left, label=label, color=color)
        left = [a + b for a, b in zip(left, values)]
    axes.invert_yaxis()
    axes.tick_params(labelsize=8)
    axes.set_xlabel("client CPU per entity, µs", fontsize=8)
    axes.legend(fontsize=8)


def cpu_by_part(folder, lines):
    """CPU time per entity of each row without latency: transport, SQLite, and the rest, which is the module. Rows with many
    entities in a request have an axis of their own."""
    lines = [line for line in lines if line.config.latency == 0]
    groups = [[line for line in lines if line.cpu_us() < BULK_US], [line for line in lines if line.cpu_us() >= BULK_US]]
    groups = [group for group in groups if group]
    if not groups:
        return []
    heights = [1 + len(group) for group in groups]
    figure, grid = pyplot.subplots(len(groups), 1, figsize=(9, 1 + 0.3 * sum(heights)), squeeze=False,
                                   gridspec_kw={"height_ratios": heights})
    for axes, group in zip(grid.flat, groups):
        _stack(axes, group)
    return [_save(figure, folder, "cpu.svg")]


def rates(folder, lines):
    """Entities per second of each plain row by latency: our SQL, raw transport and JavaScript."""
    plain = [line for line in lines if not line.config.tls]
    names = list(dict.fromkeys(line.name for line in plain))
    if not names:
        return []
    columns = min(3, len(names))
    height = -(-len(names) // columns)
    figure, grid = pyplot.subplots(height, columns, figsize=(4 * columns, 2.8 * height), squeeze=False)
    cells = list(grid.flat)
    for axes, name in zip(cells, names):
        of_row = sorted((line for line in plain if line.name == name), key=lambda line: line.config.latency)
        for client in (OURS, RAW, JS):
            points = [(line.config.latency, line.rate(client)) for line in of_row if client in line.seconds]
            if points:
                axes.plot(*zip(*points), marker="o", label=client, color=COLORS[client])
        axes.set_yscale("log")
        axes.set_title(name, fontsize=9)
        axes.set_xlabel("latency, ms", fontsize=8)
        axes.set_ylabel("entities/s", fontsize=8)
    for axes in cells[len(names):]:
        axes.set_visible(False)
    cells[0].legend(fontsize=8)
    return [_save(figure, folder, "rates.svg")]


def growth(folder, growths):
    """Time, CPU time and peak memory of scans of growing tables without latency."""
    growths = [one for one in growths if one.config.latency == 0]
    if not growths:
        return []
    figure, (times, memory) = pyplot.subplots(1, 2, figsize=(9, 3.2))
    counts = [one.entities for one in growths]
    times.plot(counts, [one.seconds / one.entities * 1e6 for one in growths], marker="o", label="elapsed")
    times.plot(counts, [one.cpu / one.entities * 1e6 for one in growths], marker="o", label="CPU")
    times.set_ylabel("µs per entity")
    times.legend(fontsize=8)
    memory.plot(counts, [one.peak_kb / 1024 for one in growths], marker="o")
    memory.set_ylabel("peak MB")
    for axes in (times, memory):
        axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.set_xlabel("entities")
    return [_save(figure, folder, "growth.svg")]


def write_all(folder, lines, growths):
    """Writes the plots; returns their file names."""
    pyplot.rcParams["svg.hashsalt"] = "bench"
    return cpu_by_part(folder, lines) + rates(folder, lines) + growth(folder, growths)
