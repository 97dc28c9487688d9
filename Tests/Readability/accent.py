#!/usr/bin/env python3
"""Counts phrases that native writers hardly use, per 10,000 words: in the comments of Sources and of
tests, in the guides, in messages and in help texts.

usage: accent.py             print the table; fails if a figure is above its limit in accent-limits.txt
       accent.py --list PART print the places of one column
       accent.py --update    lower the limits to today's figures

The column "others" has the figures of the comments of GRDB, swift-collections, swift-protobuf, Apollo
iOS with its code generator, sqlite-data and swift-sharing together. A limit may only be lowered, until
each is twice that figure, or 1.0. A figure is a place to look: rewrite the sentence, not the word. It
also fails on a word that CONTRIBUTING's glossary does not use.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LIMITS = Path(__file__).with_name("accent-limits.txt")
GLOSSARY = "| word | means | not |"
COLUMNS = ("sources", "tests", "docs", "messages", "help")
# A phrase, the pattern of its uses in lower case, and the figure of the others.
PHRASES = [
    ("which", r"\bwhich\b", 15.1),
    ("text", r"\btexts?\b", 8.4),
    ("is no", r"\b(?:is|are|was|were) no\b", 3.0),
    ("begin", r"\bbeg[iau]n(?:s|ning)?\b", 1.9),
    ("nothing", r"\bnothing\b", 1.6),
    ("whole", r"\bwhole\b", 0.7),
    ("answer", r"\banswer(?:s|ed|ing)?\b", 0.4),
    ("kept", r"\bkept\b", 0.4),
    ("what is", r"\bwhat (?:is|was|has|it|they|an?|the)\b", 0.4),
    ("that of", r"\b(?:that|those) of\b", 0.3),
    ("lack", r"\black(?:s|ed|ing)?\b", 0.2),
    ("so far", r"\bso far\b", 0.2),
    ("stay", r"\bstay(?:s|ed)?\b", 0.1),
    ("among", r"\bamong\b", 0.1),
    ("of its own", r"\bof (?:its|their) own\b", 0.1),
    ("meanwhile", r"\bmeanwhile\b", 0.0),
    ("beside", r"\bbeside\b", 0.0),
    ("in place of", r"\bin place of\b", 0.0),
    ("is not to", r"\b(?:is|are) not to\b", 0.0),
    ("has not got", r"\b(?:has|have) not got\b", 0.0),
    ("Of x, y", r"(?:^|[.:;] )of [^,.]{1,60}, ", 0.0),
]


def comments(path):
    """Yields the number and the text of each comment line, without code in backquotes."""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if match := re.match(r"\s*//+ ?(.*)", line):
            yield number, re.sub(r"`[^`]*`", "", match[1])


def prose(path):
    """Yields the lines of a page outside of code and of the glossary."""
    inside = in_glossary = False
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if line.lstrip().startswith("```"):
            inside = not inside
        elif line == GLOSSARY or in_glossary and not line:
            in_glossary = not in_glossary
        elif not inside and not in_glossary:
            yield number, re.sub(r"`[^`]*`", "", line)


def sentences(path):
    """Yields the string literals of several words, without interpolations."""
    multiline = False
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if line.count('"""') % 2:
            multiline = not multiline
        elif multiline:
            yield number, re.sub(r"\\#*\([^)]*\)", "", line)
        elif not line.lstrip().startswith("//"):
            for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
                if literal.count(" ") >= 3:
                    yield number, re.sub(r"\\\([^)]*\)", "", literal)


def swift(*folders):
    """Returns the Swift files of folders, without those of hidden folders and links."""
    return [
        path for folder in folders for path in sorted((ROOT / folder).rglob("*.swift"))
        if not path.is_symlink() and not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
    ]


def pages():
    """Returns the guides."""
    names = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
    return [ROOT / name for name in names] + sorted((ROOT / "Docs").rglob("*.md"))


def lines(column):
    """Yields the place and the text of each line of a column."""
    help_folders = ("RelayTools/Commands", "RelayCompiler/Commands")
    is_help = lambda path: any(name in str(path) for name in help_folders)
    files, read = {
        "sources": (swift("Sources", "Plugins"), comments),
        "tests": (swift("Tests", "Benchmarks", "Examples", "Fuzz"), comments),
        "docs": (pages(), prose),
        "messages": ([path for path in swift("Sources") if not is_help(path)], sentences),
        "help": ([path for path in swift("Sources") if is_help(path)], sentences),
    }[column]
    for path in files:
        for number, text in read(path):
            yield f"{path.relative_to(ROOT)}:{number}", text


def count(column, shows_places):
    """Returns the uses of each phrase per 10,000 words."""
    words, uses = 0, dict.fromkeys((name for name, _, _ in PHRASES), 0)
    for place, text in lines(column):
        lowered = text.lower()
        words += len(re.findall(r"[a-z']+", lowered))
        for name, pattern, _ in PHRASES:
            found = len(re.findall(pattern, lowered))
            uses[name] += found
            if found and shows_places:
                print(f"{place}: [{name}] {text.strip()}")
    return {name: round(10_000 * n / max(words, 1), 1) for name, n in uses.items()}


def limits():
    """Returns the limit of each phrase in each column."""
    rows = [line.rsplit(maxsplit=len(COLUMNS)) for line in LIMITS.read_text().splitlines()[1:]]
    return {row[0]: dict(zip(COLUMNS, map(float, row[1:]))) for row in rows}


def glossary():
    """Returns the words of the last column of CONTRIBUTING's glossary."""
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition(GLOSSARY + "\n")[2]
    cells = (row.split("|")[3] for row in table.partition("\n\n")[0].splitlines()[1:])
    return [word.strip() for cell in cells for word in cell.split(",") if word.strip()]


def identifiers(text):
    """Yields the number of each line and the identifiers in it, without comments and string literals."""
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.count('"""') % 2:
            inside = not inside
        elif not inside:
            code = re.sub(r'"(?:\\.|[^"\\])*"', "", line).partition("//")[0]
            yield number, re.findall(r"\b[A-Za-z_]\w*", code)


def foreign():
    """Yields the uses of the glossary's words in comments and in identifiers."""
    words = glossary()
    assert words, "CONTRIBUTING.md has no glossary."
    spoken = re.compile(r"\b(?:" + "|".join(map(re.escape, words)) + r")(?:(?<!beside)s|ed|ing)?\b", re.IGNORECASE)
    titles = [word.title().replace(" ", "") for word in words]
    names = re.compile("|".join([*titles, *(f"^_*{title[0].lower()}{title[1:]}" for title in titles)]))
    for place, text in lines("sources"):
        if match := spoken.search(text):
            yield f"{place}: {match[0]}"
    for path in swift("Sources", "Plugins"):
        for number, found in identifiers(path.read_text(encoding="utf-8")):
            for name in filter(names.search, found):
                yield f"{path.relative_to(ROOT)}:{number}: {name}"


def write(table):
    """Writes the limits."""
    rows = [f"{'':14}" + "".join(f"{column:>10}" for column in COLUMNS)]
    for name, _, _ in PHRASES:
        rows.append(f"{name:14}" + "".join(f"{table[name][column]:>10}" for column in COLUMNS))
    LIMITS.write_text("\n".join(rows) + "\n")


def main():
    if sys.argv[1:2] == ["--list"]:
        return count(sys.argv[2], True)
    figures = {column: count(column, False) for column in COLUMNS}
    allowed = limits()
    above = []
    print(f"{'per 10,000 words':18}{'others':>8}" + "".join(f"{column:>16}" for column in COLUMNS))
    for name, _, others in PHRASES:
        cells = ""
        for column in COLUMNS:
            figure, limit = figures[column][name], allowed[name][column]
            cells += f"{figure:>8} (≤{limit:>5})"
            if figure > limit:
                above.append(f"{name} in {column}: {figure}, at most {limit}")
            allowed[name][column] = min(limit, max(figure, 2 * others, 1.0))
        print(f"{name:18}{others:>8}{cells}")
    if sys.argv[1:2] == ["--update"]:
        return write(allowed)
    if above:
        sys.exit("More than the limit; see accent.py --list COLUMN:\n" + "\n".join(above))
    if uses := list(foreign()):
        sys.exit("Words that the glossary in CONTRIBUTING.md does not use:\n" + "\n".join(uses))


if __name__ == "__main__":
    main()
