#!/usr/bin/env python3
"""Checks the documentation of public declarations.

Reads the symbol graphs of modules, a folder each that has the module's name. Every declaration
needs a documentation comment with an abstract; a member that implements a protocol's requirement
may inherit the requirement's. Every top-level declaration is in exactly one group of topics on the
page of its module, Sources/MODULE/MODULE.docc/MODULE.md. Synthesized members and names with an
underscore are not in the graphs.

usage: coverage.py FOLDER...
"""

import collections
import json
import re
import sys
from pathlib import Path

LINK = re.compile(r"^- ``([^`]+)``$", re.MULTILINE)
# A page of the graph for types of other modules, which have no comment here.
EXTENSIONS = {"swift.extension", "swift.module"}


def declarations(folder):
    """Returns the public declarations of a module, in the order of their places."""
    symbols = {}
    for path in folder.glob("*.symbols.json"):
        for symbol in json.loads(path.read_text(encoding="utf-8"))["symbols"]:
            if symbol["kind"]["identifier"] not in EXTENSIONS:
                symbols[symbol["identifier"]["precise"]] = symbol
    return sorted(symbols.values(), key=place)


def place(symbol):
    """Returns the file and the line of a declaration."""
    location = symbol.get("location", {"uri": "", "position": {"line": -1}})
    path = location["uri"].removeprefix("file://")
    return path[path.find("/Sources/") + 1 :], location["position"]["line"] + 1


def is_documented(symbol):
    """Returns whether a comment has an abstract, as opposed to only `- Throws:` and the like."""
    lines = symbol.get("docComment", {}).get("lines", [])
    first = next((line["text"] for line in lines if line["text"].strip()), None)
    return first is not None and not first.strip().startswith("- ")


def without_comment(symbols):
    """Returns a line for each declaration that has no comment."""
    return [
        f"{place(symbol)[0]}:{place(symbol)[1]}: error: "
        f'"{".".join(symbol["pathComponents"])}" has no documentation comment'
        for symbol in symbols
        if not is_documented(symbol)
    ]


def outside_of_groups(module, symbols):
    """Returns a line for each top-level declaration that is not in exactly one group."""
    page = Path("Sources") / module / f"{module}.docc" / f"{module}.md"
    links = collections.Counter(LINK.findall(page.read_text(encoding="utf-8")))
    names = {symbol["pathComponents"][0] for symbol in symbols if is_top_level(symbol)}
    return [
        f'{page}: error: "{name}" is in {links[name]} groups of topics, expected 1'
        for name in sorted(names)
        if links[name] != 1
    ]


def is_top_level(symbol):
    return len(symbol["pathComponents"]) == 1


def main():
    failures = []
    for folder in map(Path, sys.argv[1:]):
        symbols = declarations(folder)
        missing = without_comment(symbols)
        ungrouped = outside_of_groups(folder.name, symbols)
        failures += missing + ungrouped
        if not symbols:
            failures.append(f"{folder}: error: no public declaration")
        top_level = sum(map(is_top_level, symbols))
        print(
            f"{folder.name}: {len(symbols)} public declarations, {len(missing)} without a comment; "
            f"{top_level} top-level, {len(ungrouped)} not in one group"
        )
    if not sys.argv[1:] or failures:
        sys.exit("\n".join(failures) or __doc__)


if __name__ == "__main__":
    main()
