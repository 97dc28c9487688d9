#!/usr/bin/env python3
"""Prints the strings of Sources and Plugins that may reach a user, to be read in one go.

A line is "file:line: string". Literals joined by "+" and the lines of a multi-line literal are one
string; an interpolation is {…}, and a string of several words inside one has its own line. Strings
without a space or with fewer than two words are left out.

usage: messages.py [MODULE]...     without modules, those of all modules
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "Faults"))
from swift_tokens import end_of_comment, end_of_interpolation, end_of_text

COMMENT_OR_LITERAL = re.compile(r'//[^\n]*|(?P<block>/\*)|(?P<literal>#*(?:"""|"))')
WORD = re.compile(r"[A-Za-z']{2,}")


def literals(source, start, end):
    """Yields the range of each string literal outside of comments and of other literals."""
    position = start
    while match := COMMENT_OR_LITERAL.search(source, position, end):
        position = match.end()
        if match["block"]:
            position = end_of_comment(source, match.start())
        elif match["literal"]:
            position = end_of_text(source, match.start())
            yield match.start(), position


def content(source, start, end):
    """Returns a literal's string without interpolations, and the ranges of these."""
    hashes, quote = re.compile(r'(#*)("""|")').match(source, start).groups()
    escape = "\\" + hashes
    position, last = start + len(hashes + quote), end - len(hashes + quote)
    string, interpolations = "", []
    while position < last:
        if source.startswith(escape + "(", position):
            inside = position + len(escape) + 1
            position = end_of_interpolation(source, inside)
            interpolations.append((inside, position - 1))
            string += "{…}"
        else:
            string += source[position]
            position += 1
    if quote == '"""':
        string = re.sub(re.escape(escape) + r"\n\s*", "", string)
        string = re.sub(r"\n\s*", r"\\n", string.strip())
    return string.replace(escape + '"', '"'), interpolations


def strings(source, start=0, end=None):
    """Yields the offset of each string and the string, those in interpolations after their own."""
    joined, joined_start, last = "", start, None
    nested = []
    for first, after in literals(source, start, len(source) if end is None else end):
        if last is None or not re.fullmatch(r"\s*\+\s*", source[last:first]):
            yield joined_start, joined
            joined, joined_start = "", first
        string, interpolations = content(source, first, after)
        joined, last = joined + string, after
        nested += interpolations
    yield joined_start, joined
    for inside, after in nested:
        yield from strings(source, inside, after)


def main():
    modules = sys.argv[1:] or [path.name for top in ("Sources", "Plugins") for path in sorted((ROOT / top).iterdir())]
    for module in modules:
        top = "Sources" if (ROOT / "Sources" / module).is_dir() else "Plugins"
        for path in sorted((ROOT / top / module).rglob("*.swift")):
            source = path.read_text(encoding="utf-8")
            for offset, string in sorted(strings(source)):
                if " " in string.strip() and len(WORD.findall(string.replace("{…}", " "))) >= 2:
                    line = source.count("\n", 0, offset) + 1
                    print(f"{path.relative_to(ROOT)}:{line}: {string}")


if __name__ == "__main__":
    main()
