"""A lexer for the part of Swift that is needed to find the sites of faults.

Comments, attributes, imports and code that `#if` excludes on this platform yield no tokens. A
string literal yields a token without its content.
"""

import platform
import re
from dataclasses import dataclass

# The modules and operating systems for which `#if` conditions hold on this platform.
PRESENT = {
    "Linux": {"Linux", "Glibc", "FoundationNetworking", "Foundation"},
    "Darwin": {"macOS", "Darwin", "Foundation", "SwiftUI", "Combine", "CoreData", "ObjectiveC", "os"},
}.get(platform.system(), set())
# The other conditions that hold.
TRUE = {"arch", "compiler", "swift", "DEBUG", "URLSESSION", "true"}

OPENING = {"(": ")", "[": "]", "{": "}"}
TOKEN = re.compile(
    r"""(?P<space>[ \t\r]+)|(?P<newline>\n)|(?P<comment>//[^\n]*)|(?P<block>/\*)
      |(?P<text>\#*\"(?:\"\")?)|(?P<directive>\#(?:if|elseif|else|endif)\b[^\n]*)
      |(?P<number>0[xob][0-9A-Fa-f_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)
      |(?P<word>[\#$@]?`?[A-Za-z_\u0080-\uffff$][\w$]*`?|\$\d+)|(?P<bracket>[()\[\]{}])
      |(?P<operator>[-+*/%=<>!&|^~?.]+)|(?P<other>.)""",
    re.VERBOSE)


@dataclass
class Token:
    """A word, number, bracket, operator or string literal, with its range in the text."""

    kind: str
    text: str
    start: int
    end: int
    # Whether the token is the first on its line, and whether it has white space on both sides.
    leads: bool = False
    is_spaced: bool = False
    # The position of the enclosing opening bracket, and, for a bracket, of its counterpart; -1 if
    # there is none.
    around: int = -1
    counterpart: int = -1


def tokenize(text: str) -> list[Token]:
    """Returns the tokens of a Swift file, with brackets matched."""
    tokens: list[Token] = []
    for token in _without_attributes(_scan(text)):
        before, after = text[token.start - 1 : token.start], text[token.end : token.end + 1]
        token.is_spaced = before.isspace() and after.isspace()
        tokens.append(token)
    _match(tokens)
    return tokens


def _scan(text: str):
    position, leads, conditions = 0, True, []
    while position < len(text):
        match = TOKEN.match(text, position)
        kind, position = match.lastgroup, match.end()
        if kind == "newline":
            leads = True
        elif kind == "block":
            position = end_of_comment(text, match.start())
        elif kind == "directive":
            _enter(conditions, match.group())
        elif kind == "text":
            position = end_of_text(text, match.start())
            if all(taken for taken, _ in conditions):
                yield Token("text", "\"\"", match.start(), position, leads)
            leads = False
        elif kind not in ("space", "comment"):
            if all(taken for taken, _ in conditions):
                yield Token(kind, match.group(), match.start(), position, leads)
            leads = False


def end_of_comment(text: str, start: int) -> int:
    """Returns the end of the block comment at `start`; comments nest."""
    depth, position = 0, start
    for match in re.compile(r"/\*|\*/").finditer(text, start):
        depth, position = depth + (1 if match.group() == "/*" else -1), match.end()
        if depth == 0:
            break
    return position if depth == 0 else len(text)


def end_of_text(text: str, start: int) -> int:
    """Returns the end of the string literal that begins at `start`.

    Nested interpolations are skipped.
    """
    opening = re.compile(r'(#*)("""|")').match(text, start)
    hashes, quote = opening.groups()
    position = opening.end()
    while position < len(text):
        if text.startswith(quote + hashes, position):
            return position + len(quote + hashes)
        if text.startswith("\\" + hashes + "(", position):
            position = end_of_interpolation(text, position + len(hashes) + 2)
        elif text.startswith("\\" + hashes, position):
            position += len(hashes) + 2
        else:
            position += 1
    return len(text)


def end_of_interpolation(text: str, position: int) -> int:
    """Returns the end of an interpolation, after its bracket; `position` is after the opening one."""
    depth = 1
    while position < len(text) and depth:
        if text[position] in "\"#" and re.compile(r'#*"').match(text, position):
            position = end_of_text(text, position)
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
    return position


def _enter(conditions: list, directive: str):
    """Updates the stack of `#if` directives.

    Each entry is whether the current branch is compiled, and whether any branch so far was.
    """
    word, _, condition = directive.partition(" ")
    if word == "#if":
        taken = _holds(condition)
        conditions.append((taken, taken))
    elif word == "#endif":
        conditions.pop()
    else:
        before = conditions.pop()[1]
        taken = not before and (word == "#else" or _holds(condition))
        conditions.append((taken, before or taken))


def _holds(condition: str) -> bool:
    known = re.sub(
        r"\b([A-Za-z_]\w*)(?:\(([^)]*)\))?",
        lambda m: str(m[2] in PRESENT if m[1] in ("canImport", "os") else m[1] in TRUE), condition)
    python = known.replace("&&", " and ").replace("||", " or ").replace("!", " not ")
    return eval(python, {"__builtins__": {}})  # Safe: the input is a condition from our own sources.


def _without_attributes(tokens):
    tokens = list(tokens)
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token.text == "import" and token.leads:
            while position < len(tokens) and not tokens[position].leads:
                position += 1
        elif token.text.startswith("@"):
            if position < len(tokens) and tokens[position].text == "(" \
                    and tokens[position].start == token.end:
                depth = 0
                while position < len(tokens):
                    depth += {"(": 1, ")": -1}.get(tokens[position].text, 0)
                    position += 1
                    if depth == 0:
                        break
            if token.leads and position < len(tokens):
                tokens[position].leads = True
        else:
            yield token


def _match(tokens: list[Token]):
    open_ones: list[int] = []
    for position, token in enumerate(tokens):
        if token.kind == "bracket" and token.text not in OPENING and open_ones:
            start = open_ones.pop()
            tokens[start].counterpart, token.counterpart = position, start
        token.around = open_ones[-1] if open_ones else -1
        if token.text in OPENING:
            open_ones.append(position)
