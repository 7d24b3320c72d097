"""Formats the figures of the benches."""


def rate(per_second):
    """A rate per second."""
    return f"{per_second:,.0f}" if per_second >= 100 else f"{per_second:,.1f}"


def ratio(value, base):
    """The ratio of two figures of a run; empty if there is no second figure."""
    return f"{value / base:.2f}x" if value is not None and base else ""


def print_lines(title, heads, lines):
    """A title with the heads of its columns, then lines of (name, cells), aligned."""
    width = max(len(name) for name, _ in lines) + 2
    widths = [max(len(cell) for cell in column) for column in zip(heads, *(cells for _, cells in lines))]

    def text(name, cells):
        return f"{name:<{width}}" + "".join(f"  {cell:>{w}}" for cell, w in zip(cells, widths))

    print(title)
    print(text("", heads))
    for name, cells in lines:
        print(text(f"  {name}", cells).rstrip())
    print(flush=True)
