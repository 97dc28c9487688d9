#!/usr/bin/env python3
"""Counts what makes Swift sources hard to read, for each folder named on the command line.

The counts are: doc comments that open with a relative pronoun or a pronoun instead of a noun
phrase or a verb; functions with three or more unlabelled parameters; comment lines over 100
columns; uses of standard terms; executable checks; lines of code; functions with more than 40 of them;
files that import a module @testable. Compare the report before and after a change: it fails only if a
function of Sources or Plugins has more than 40 lines of code.

usage: report.py [--list] FOLDER...     --list also prints each place
"""

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "Faults"))
from swift_tokens import tokenize

COLUMNS = 100
LONG = 40
ENDS_OF_SIGNATURE = {"{", "}", "func", "var", "let", "case", "init", "static", "public", "package", "private"}
HEADLESS = re.compile(r"(?:What|Where|Whose|Who|Which|Those|That|It|They)\b")
TERM = re.compile(
    r"\b(?:memoi[sz]e|tombstone|invariant|idempotent|deadlock|reentrant|fast path|slow path"
    r"|lock order|critical section|free list|write barrier|no-op)",
    re.IGNORECASE,
)
CHECK = re.compile(r"\b(?:assert|precondition|checkInvariants)\(")
FUNCTION = re.compile(r"\bfunc\s+[\w`]+\s*(?:<[^>{(]*>)?\(")
INITIALIZER = re.compile(
    r"^[ \t]*(?:@\w+\s+)?(?:(?:public|package|internal|private|fileprivate|convenience|required)\s)*"
    r"\s*init[?!]?\s*(?:<[^>{(]*>)?\(",
    re.MULTILINE,
)


@dataclass
class Report:
    """The counts of one folder and the places behind them."""

    files: int = 0
    doc_comments: int = 0
    functions: int = 0
    terms: int = 0
    checks: int = 0
    code: int = 0
    testable: int = 0
    headless: list = field(default_factory=list)
    unlabelled: list = field(default_factory=list)
    wide: list = field(default_factory=list)
    long: list = field(default_factory=list)

    def add(self, path):
        """Counts one file."""
        text = path.read_text(encoding="utf-8")
        self.files += 1
        self.code += sum(map(is_code, text.split("\n")))
        self.testable += bool(re.search(r"^\s*(?:@\w+(?:\(\w+\))? )*@testable\b", text, re.MULTILINE))
        self.terms += len(TERM.findall(text))
        self.checks += len(CHECK.findall(text))
        self.long += [f"{path}:{line}: {count} lines" for line, count in long_functions(text)]
        self.add_comments(path, text.split("\n"))
        self.add_functions(path, re.sub(r"//[^\n]*", "", text))

    def add_comments(self, path, lines):
        is_inside = False
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if text.startswith("//") and len(line) > COLUMNS:
                self.wide.append(f"{path}:{number}: {len(line)} columns")
            is_doc = text.startswith("///")
            if is_doc and not is_inside:
                self.doc_comments += 1
                if HEADLESS.match(text[3:].strip()):
                    self.headless.append(f"{path}:{number}: {text}")
            is_inside = is_doc

    def add_functions(self, path, code):
        starts = {m.end() for pattern in (FUNCTION, INITIALIZER) for m in pattern.finditer(code)}
        for start in sorted(starts):
            self.functions += 1
            count = sum(part.strip().startswith("_ ") for part in parameters(code, start))
            if count > 2:
                line = code.count("\n", 0, start) + 1
                self.unlabelled.append(f"{path}:{line}: {count} unlabelled parameters")

    def line(self, folder):
        """Returns the counts as one row of the table."""
        return (
            f"{folder:30}{self.files:6}"
            f"{share(len(self.headless), self.doc_comments):>20}"
            f"{share(len(self.unlabelled), self.functions):>20}"
            f"{len(self.wide):12}{self.terms:8}{self.checks:8}"
            f"{self.code:8}{len(self.long):6}{self.testable:10}"
        )


def share(count, total):
    """Returns "count of total (percent)"."""
    return f"{count}/{total} {100 * count / max(total, 1):5.1f} %"


def parameters(code, start):
    """Splits the parameter list that begins at `start` at its outer commas."""
    parts, begin, depth = [], start, 0
    for index in range(start, len(code)):
        character = code[index]
        if character in "([{<":
            depth += 1
        elif character in ")]}" or character == ">" and code[index - 1] != "-":
            if depth == 0:
                return parts + [code[begin:index]]
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(code[begin:index])
            begin = index + 1
    return parts


def is_code(line):
    """Whether a line is neither empty nor a comment."""
    return bool(line.strip()) and not line.strip().startswith("//")


def long_functions(text):
    """The lines and the lengths of the functions and initializers with more than LONG lines of code."""
    tokens = tokenize(text)
    for index, token in enumerate(tokens):
        if token.kind != "word" or token.text not in ("func", "init", "subscript"):
            continue
        if index and tokens[index - 1].text == ".":
            continue
        position = index + 1
        while position < len(tokens) and tokens[position].text not in ("(", "{", "}"):
            position += 1
        if position >= len(tokens) or tokens[position].text != "(":
            continue
        position = tokens[position].counterpart + 1
        while position < len(tokens) and tokens[position].text not in ENDS_OF_SIGNATURE:
            is_group = tokens[position].text in ("(", "[") and tokens[position].counterpart > position
            position = tokens[position].counterpart + 1 if is_group else position + 1
        if position >= len(tokens) or tokens[position].text != "{":
            continue
        body = text[tokens[position].end : tokens[tokens[position].counterpart].start]
        count = sum(map(is_code, body.split("\n")))
        if count > LONG:
            yield text.count("\n", 0, token.start) + 1, count


def swift_files(folder):
    """Returns the Swift files under a folder, without those of hidden folders."""
    for path in sorted(Path(folder).rglob("*.swift")):
        if not any(part.startswith(".") for part in path.parts[len(Path(folder).parts) :]):
            yield path


def main():
    folders = [argument for argument in sys.argv[1:] if argument != "--list"]
    if not folders:
        sys.exit(__doc__)
    print(
        f"{'folder':30}{'files':>6}{'headless docs':>20}{'3+ unlabelled':>20}"
        f"{'wide lines':>12}{'terms':>8}{'checks':>8}{'code':>8}{'long':>6}{'@testable':>10}"
    )
    long = []
    for folder in folders:
        report = Report()
        for path in swift_files(folder):
            report.add(path)
        print(report.line(folder))
        if folder.startswith(("Sources/", "Plugins")):
            long += report.long
        if "--list" in sys.argv:
            print("\n".join(report.headless + report.unlabelled + report.wide + report.long))
    if long:
        sys.exit(f"Functions of more than {LONG} lines:\n" + "\n".join(long))


if __name__ == "__main__":
    main()
