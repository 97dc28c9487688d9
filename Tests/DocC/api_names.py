#!/usr/bin/env python3
"""Checks that CHANGELOG's table of names covers every difference between the public API and that of a
revision.

usage: api_names.py BASE

Each declaration of BASE, with the words of the column "before" replaced by those of "now", has to be
one of today's, in whichever module; a word of "now" beside "—" is new, and one of "before" is gone. Emits the
symbol graphs of both, which takes two minutes. On Linux, without RelaySwiftUI and RelayInspector.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MODULES = """GraphQLLanguage RelayCompiler RelayTools RelayStore RelayStoreSQLite RelayNetwork RelayLive RelayURLSession
RelayPersistence RelayLocalQueries RelayRecording RelayStoreTesting""".split()


def declarations(root, folder):
    """Returns the public declarations of the modules of a checkout."""
    for module in MODULES:
        sources = [str(path) for path in (root / "Sources" / module).rglob("*.swift")]
        if not sources:
            continue
        defines = ["-D", "URLSESSION"] if module == "RelayURLSession" else []
        result = subprocess.run(
            ["swiftc", "-emit-module", "-emit-module-path", folder / f"{module}.swiftmodule", "-module-name", module,
             "-emit-symbol-graph", "-emit-symbol-graph-dir", folder, "-symbol-graph-minimum-access-level", "public",
             "-package-name", "main", "-swift-version", "6", "-wmo", "-Onone", "-parse-as-library",
             "-I", root / "Sources/CLibCurl/include", "-I", folder, *defines, *sources],
            capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"{module} does not compile:\n{result.stderr[-2000:]}")
    found = set()
    for path in folder.glob("*.symbols.json"):
        for symbol in json.loads(path.read_text())["symbols"]:
            if "::SYNTHESIZED::" not in symbol["identifier"]["precise"]:
                text = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
                # A stored property with an observer is printed with its accessors.
                found.add((".".join(symbol["pathComponents"]), text.removesuffix(" { get set }")))
    return found


def names():
    """Returns the renamed words, the new ones, those that are gone, and the renamed labels of functions."""
    table = (ROOT / "CHANGELOG.md").read_text().partition("| before | now |\n")[2].partition("\n\n")[0]
    renamed, new, gone, labels = {}, set(), set(), {}
    for row in table.splitlines()[1:]:
        if calls := re.findall(r"`(\w+\([\w:]*:\))`", row):
            labels[calls[0]] = calls[1]
            continue
        before, now = (re.findall(r"`(\w+)", cell) for cell in row.split("|")[1:3])
        if before and now and len(before) != len(now):
            sys.exit(f"A row of the table has not as many names before as now: {row}")
        renamed.update(zip(before, now))
        new |= set() if before else set(now)
        gone |= set() if now else set(before)
    return renamed, new, gone, labels


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    renamed, new, gone, labels = names()
    translate = lambda text: re.sub(r"\w+", lambda match: renamed.get(match[0], match[0]), text)

    def relabel(declaration):
        """Returns a declaration with the labels that it has now."""
        path, text = declaration
        for old, label in labels.items():
            if path.split(".")[-1] == old:
                path = path.replace(old, label)
                for before, now in zip(re.findall(r"\w+(?=:)", old), re.findall(r"\w+(?=:)", label)):
                    text = text if before == "_" else re.sub(rf"\b{before}:", f"{now}:", text)
        return path, text

    mentions = lambda declaration, words: bool(words & set(re.findall(r"\w+", declaration[0] + " " + declaration[1])))
    with tempfile.TemporaryDirectory() as scratch:
        base, old, today = (Path(scratch) / name for name in ("base", "old", "today"))
        old.mkdir()
        today.mkdir()
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--quiet", "--detach", base, sys.argv[1]], check=True)
        try:
            before, after = declarations(base, old), declarations(ROOT, today)
        finally:
            subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", base], check=True)
    expected = {tuple(map(translate, relabel(declaration))) for declaration in before if not mentions(declaration, gone)}
    missing = sorted(expected - after)
    added = sorted(declaration for declaration in after - expected if not mentions(declaration, new))
    for sign, found in (("-", missing), ("+", added)):
        for path, text in found:
            print(f"{sign} {path}: {text}")
    print(f"{len(before)} declarations before, {len(after)} now, {len(missing) + len(added)} not in the table")
    sys.exit(bool(missing or added))


if __name__ == "__main__":
    main()
