"""Golden tests whose results differ between SQLite 3.40.1 and newer versions. `expected` converts an expected file,
which has the results of 3.40.1, to those of another version.

Each entry has a part of a file, its count in that file, its replacement, the first version with it, and a reason.
If the count is wrong, the test fails, so obsolete entries do not stay.
"""

_TOP_3 = "PartitionKey%2CRowKey{}&$top=3 => 200, {} entities"
_ALL = "PartitionKey%2CRowKey{} => 200, {} entities"
_ONE = "and scan=deny allows it one request, which is not enough; add PartitionKey = '...' or a range of it, or a " \
       "LIMIT"
_TEN = _ONE.replace("it one request, which is not enough", "a statement 10 such reads, of one request each")
_SMALL = "Runtime error: table small: no condition on PartitionKey limits this read, {}; to allow it on this database " \
         "connection: INSERT INTO small(_command) VALUES('scan=allow'); (23)\n"

# (since, topic, part, times, instead)
DIFFERENCES = [
    # quote() writes an infinity as a number that SQL can read.
    ((3, 54), "dynamic", "Inf|DOUBLE|real|-Inf\n", 2, "Inf|DOUBLE|real|-9.0e+999\n"),
    # A REAL is shown with 17 digits if 15 digits are not exact.
    ((3, 54), "types", "|-9.22337203685478e+18|", 1, "|-9.2233720368547758e+18|"),
    # SQLite does not offer the LIMIT of a compound if there is an OFFSET.
    ((3, 46), "joins", _TOP_3.format("", 2), 1, _ALL.format("", 2)),
    ((3, 46), "joins", _TOP_3.format("", 1), 1, _ALL.format("", 1)),
    # The cursor of a correlated subquery stays open and is filtered again for each outer row, like the
    # inner side of a join. So scan=deny allows it one request instead of ten. Each row is printed before
    # the error of the next one.
    ((3, 51), "guards", "1|3\n2|2\n3|1\n" + _SMALL.format(_TEN), 1,
     _SMALL.format(_ONE) + "1|3\n" + _SMALL.format(_ONE)),
]
FIRST = min(since for since, *_ in DIFFERENCES)


def differs(version):
    """Whether anything is listed for this version."""
    return version >= FIRST


def expected(topic, golden, version):
    """The expected file `golden` of a topic for this version, such as (3, 54, 1)."""
    for since, of, part, times, instead in DIFFERENCES:
        if of != topic or version < since:
            continue
        if golden.count(part) != times:
            raise SystemExit(f"newer.py: {topic}.expected has {golden.count(part)} times, not {times}:\n{part}")
        golden = golden.replace(part, instead)
    return golden
