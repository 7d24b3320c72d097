"""Deliberately wrong sides for the self-check of the oracle of reads (oracle.py): each must be
found.

A wrong side is a proxy in front of aztables-server. During a query it damages requests and
responses like a wrong pushdown or wrong paging, and counts the damages in `used`. Sides with
`later` need a feature that the module does not have yet. They may stay unfound as long as they
damage nothing, which is reported.
"""

import json
import re

import http_proxy
import read_values
import read_wrong

LITERAL = r"'(?:[^']|'')*'"
KEYS = ("PartitionKey", "RowKey")
SOME = 300  # queries for right sides, and for those with nothing to damage


class Broken(http_proxy.Proxy):
    """Forwards unchanged, in pages of at most `page` entities."""
    active, later, used, page = False, False, 0, None
    sorts = True  # whether SQLite sorts rows in key order; a Round sets it

    def ask(self, query):
        if self.page and int(query.options.get("$top", "1000")) > self.page:
            query.options["$top"] = str(self.page)
        text = query.options.get("$filter")
        damaged = self.damage(text) if text else text
        if damaged != text:
            self.used += 1
            query.options["$filter"] = damaged

    def damage(self, text):
        """Returns another filter."""
        return text

    def entities(self, found, query, message):  # pylint: disable=unused-argument
        """Returns other entities of a page."""
        return found

    def answered(self, query, message):
        body = json.loads(message.body)
        found = body["value"]
        body["value"] = self.entities(list(found), query, message)
        if body["value"] != found:
            self.used += 1
            message.body = json.dumps(body).encode()

    def no_token(self, message):
        """Removes the continuation token."""
        self.used += any(message.header(f"x-ms-continuation-{name}") for name in http_proxy.TOKENS)
        message.without(*(f"x-ms-continuation-{name}" for name in http_proxy.TOKENS))


def outside(pattern, put, text, count=0):
    """Substitutes outside of literals."""
    parts = re.split(f"({LITERAL})", text)
    for at in range(0, len(parts), 2):
        parts[at] = re.sub(pattern, put, parts[at], count=count)
    return "".join(parts)


class GeIsGt(Broken):
    """Sends `gt` for `ge` of a key."""

    def damage(self, text):
        return outside(r"(PartitionKey|RowKey) ge ", r"\1 gt ", text)


class LeIsLt(Broken):
    """Sends `lt` for `le` of a key."""

    def damage(self, text):
        return outside(r"(PartitionKey|RowKey) le ", r"\1 lt ", text)


class PropertyWithoutEnds(Broken):
    """Sends `ge` and `le` of a property without the bound itself."""
    later = True

    def damage(self, text):
        return outside(r"\b(?!PartitionKey|RowKey)(\w+) (g|l)e ", r"\1 \2t ", text)


class PropertyNegated(Broken):
    """Sends `ne` for `eq` of a property."""
    later = True

    def damage(self, text):
        return outside(r"\b(?!PartitionKey|RowKey)(\w+) eq ", r"\1 ne ", text)


class OneConditionMore(Broken):
    """Sends an additional condition."""

    def damage(self, text):
        return f"({text}) and RowKey gt 'M'"


class SecondArmLost(Broken):
    """Drops the part after an `or`."""
    later = True

    def damage(self, text):
        parts = re.split(f"({LITERAL})", text)
        for at in range(0, len(parts), 2):
            if " or " in parts[at]:
                before = "".join(parts[:at]) + parts[at].split(" or ")[0]
                bare = re.sub(LITERAL, "", before)
                return before + ")" * (bare.count("(") - bare.count(")"))
        return text


class LowerCase(Broken):
    """Sends literals in lower case."""

    def damage(self, text):
        return re.sub(LITERAL, lambda found: found[0].lower(), text)


class TrimmedLiteral(Broken):
    """Drops blanks at the end of literals."""

    def damage(self, text):
        return re.sub(LITERAL, lambda found: found[0][:-1].rstrip(" ") + "'", text)


class LimitTrusted(Broken):
    """Cuts a page to one entity without a continuation token."""
    page = 1

    def answered(self, query, message):
        self.no_token(message)


class TokenLost(Broken):
    """Ends the read after the first page."""
    page = 20

    def answered(self, query, message):
        self.no_token(message)


class FirstBehindTokenLost(Broken):
    """Starts a page one entity too late after a token."""
    page = 20

    def entities(self, found, query, message):
        return found[1:] if "NextPartitionKey" in query.options else found


class LastLost(Broken):
    """Loses the last entity of a page."""

    def entities(self, found, query, message):
        return found[:-1]


class LastTwice(Broken):
    """Repeats the last entity of a page on the next one."""
    page = 20

    def entities(self, found, query, message):
        return found + found[-1:] if message.header("x-ms-continuation-NextPartitionKey") else found


class EmptyPageIsEnd(Broken):
    """Ends the read at an empty page."""
    page = 20

    def entities(self, found, query, message):
        if len(found) < self.page or "NextPartitionKey" in query.options:
            return found
        self.no_token(message)
        return []


class PageBackwards(Broken):
    """Reorders a page, which is right if SQLite sorts the rows itself."""
    later = True

    def entities(self, found, query, message):
        return found if self.sorts else found[::-1]


class SupplementaryLost(Broken):
    """Loses the keys that UTF-8 and UTF-16 order differently from ranges."""

    def entities(self, found, query, message):
        if not re.search(r" [gl][et] ", query.options.get("$filter", "")):
            return found
        return [one for one in found if not any(character > "\uffff" for key in KEYS for character in one.get(key, ""))]


class ColumnLost(Broken):
    """Omits one selected column."""

    def ask(self, query):
        names = query.options.get("$select", "").split(",")
        if len(names) > 2:
            self.used += 1
            query.options["$select"] = ",".join(names[:-1])


class IntegerRounded(Broken):
    """Converts a large Int64 to a Double and back."""

    def entities(self, found, query, message):
        for one in found:
            for name in [name for name in one if one.get(f"{name}@odata.type") == "Edm.Int64"]:
                if int(float(one[name])) != int(one[name]) and abs(int(one[name])) < 2**62:
                    self.used += 1
                    one[name] = str(int(float(one[name])))
        return found

    def answered(self, query, message):
        body = json.loads(message.body)
        body["value"] = self.entities(body["value"], query, message)
        message.body = json.dumps(body).encode()


class EmptyTextIsAbsent(Broken):
    """Treats an empty text property as absent."""

    def entities(self, found, query, message):
        return [{name: value for name, value in one.items() if value != "" or name in KEYS} for one in found]


class LoneSurrogateMissed(Broken):
    """Excludes entities with a lone surrogate from comparisons of texts."""

    def entities(self, found, query, message):
        if not re.search(r"(?<!\w)(?!PartitionKey|RowKey)\w+ (eq|[gl][et]) '", query.options.get("$filter", "")):
            return found
        return [one for one in found
                if not any(isinstance(value, str) and read_values.LONE_SURROGATE.search(value) for value in one.values())]


class PointMissed(Broken):
    """Does not find an existing entity by its key."""

    def pointed(self, address, message):
        if message.first.split(" ")[1] == "200":
            self.used += 1
            message.first = "HTTP/1.1 404 Not Found"
            message.body = b'{"odata.error":{"code":"ResourceNotFound","message":{"lang":"en-US","value":"gone"}}}'
            message.headers.append(("x-ms-error-code", "ResourceNotFound"))


class TypeArmLost(Broken):
    """Asks for no entity whose property is a String or a Double instead of the column's type."""

    def damage(self, text):
        return re.sub(r" or (\w+) ge ''(?!')", "", re.sub(r" or (\w+) lt 0\.0 or \1 ge 0\.0(?![0-9])", "", text))


BROKEN = [TypeArmLost, GeIsGt, LeIsLt, PropertyWithoutEnds, PropertyNegated, OneConditionMore, SecondArmLost, LowerCase,
          TrimmedLiteral, LimitTrusted, TokenLost, FirstBehindTokenLost, LastLost, LastTwice, EmptyPageIsEnd,
          PageBackwards, SupplementaryLost, ColumnLost, IntegerRounded, EmptyTextIsAbsent, LoneSurrogateMissed,
          PointMissed]


def self_check(seed, numbers, check):
    """Whether right services show no difference and each wrong one shows one. check() is
    oracle.py's.
    """
    failed = False
    for name, side, paging in (("paging", None, True), ("Broken", Broken, False)):
        print(f"{name}: ", end="", flush=True)
        failed |= check(seed, numbers[:SOME], "server", side, 1, paging=paging) != 0
    for side in BROKEN:
        counts = {}
        check(seed, numbers[:SOME], "server", side, 1, shown=False, counts=counts)
        if "found" not in counts and (counts["harmful"] or not side.later):
            check(seed, numbers, "server", side, 1, shown=False, counts=counts)
        if "found" in counts:
            text = f"found in query {counts['found'][0]}: {counts['found'][1][:100]}"
        elif side.later and not counts["harmful"]:
            text = f"nothing to damage in {counts['queries']} queries: the module sends no such request"
        else:
            text, failed = f"NOT FOUND in {counts['queries']} queries, {counts['harmful']} times damaged", True
        print(f"{side.__name__}: {text}", flush=True)
    print(f"{read_wrong.RIGHT.name}: ", end="", flush=True)
    failed |= check(seed, numbers[:SOME], "local", None, 1, wrong=read_wrong.RIGHT) != 0
    for wrong in read_wrong.WRONG:
        counts = {}
        check(seed, numbers, "local", None, 1, shown=False, counts=counts, wrong=wrong)
        failed |= "found" not in counts
        print(f"{wrong.name}: " + (f"found in query {counts['found'][0]}: {counts['found'][1][:100]}"
                                   if "found" in counts
                                   else f"NOT FOUND in {counts['queries']} queries"), flush=True)
    return 1 if failed else 0
