"""The faults that can be planted in a Swift file: their sites, kinds and replacements."""

import difflib
import hashlib
import re
from dataclasses import dataclass

from swift_tokens import OPENING, Token, tokenize

SWAPPED = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===",
    "&&": "||", "||": "&&", "+=": "-=", "-=": "+=",
}
RENAMED = {"true": "false", "false": "true", "min": "max", "max": "min", "first": "last", "last": "first"}
# A statement that begins with one of these words is never dropped.
KEYWORDS = set(
    """actor as associatedtype case catch class default defer deinit do else enum extension fallthrough fileprivate
    final for func guard if import in indirect infix init internal lazy let mutating nonisolated nonmutating open
    operator override package postfix prefix private protocol public repeat required return some static struct
    subscript switch throw throws typealias unowned var weak where while""".split())
# Calls whose removal affects only speed, diagnostics or output.
WITHOUT_EFFECT = {
    "assert", "assertionFailure", "precondition", "preconditionFailure", "fatalError", "reserveCapacity", "print",
    "withExtendedLifetime", "checkInvariants",
}
BINDINGS = {"let", "var", "case", "#available", "#unavailable"}
LEAVING = {"return", "throw", "continue", "break"}


# The kinds of faults in groups that alternate when a sample is drawn.
KIND_GROUPS = [
    {"condition flipped", "condition dropped", "operand dropped", "logic"},
    {"statement dropped"},
    {"guard dropped", "early exit dropped", "returns at once"},
    {"comparison", "range", "off by one", "sign", "true and false", "first and last"},
]


@dataclass(frozen=True)
class Fault:
    """One small change of one file."""

    path: str
    kind: str
    start: int
    end: int
    replacement: str
    line: int
    # The unified difference, with one line of context.
    diff: str
    # A hash of the path and the difference, so it does not change when the fault moves within the
    # file.
    id: str

    def planted(self, text: str) -> str:
        return text[: self.start] + self.replacement + text[self.end :]


def diff(path: str, text: str, planted: str) -> str:
    lines = difflib.unified_diff(text.splitlines(), planted.splitlines(), n=1, lineterm="")
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


def faults(path: str, text: str) -> list[Fault]:
    """Returns all faults that can be planted in a file, in source order."""
    result: list[Fault] = []
    counts: dict[str, int] = {}
    for kind, start, end, replacement in sorted(set(Sites(text).all()), key=lambda site: site[1]):
        planted = text[:start] + replacement + text[end:]
        lines = diff(path, text, planted)
        key = f"{path}\n{lines}"
        counts[key] = counts.get(key, 0) + 1
        name = hashlib.sha256(f"{key}\n{counts[key]}".encode()).hexdigest()[:16]
        line = text.count("\n", 0, start) + 1
        result.append(Fault(path, kind, start, end, replacement, line, lines, name))
    return result


class Sites:
    """The sites in a text where a fault can be planted.

    Each method yields a kind of fault, a range and a replacement.
    """

    def __init__(self, text: str):
        self.text = text
        self.tokens = tokenize(text)

    def all(self):
        for position, token in enumerate(self.tokens):
            yield from self.of_operator(position, token)
            yield from self.of_word(position, token)
            yield from self.of_number(position, token)
            yield from self.of_conditions(position, token)
            yield from self.of_statement(position, token)
            yield from self.of_function(position, token)

    def at(self, position: int) -> Token:
        inside = 0 <= position < len(self.tokens)
        return self.tokens[position] if inside else Token("end", "", len(self.text), len(self.text), True)

    # Single tokens

    def of_operator(self, position: int, token: Token):
        if token.kind != "operator":
            return
        if token.text in ("..<", "..."):
            follows = self.at(position - 1).end == token.start
            if follows and self.at(position + 1).start == token.end and self.at(position + 1).text not in ("]", ")"):
                yield "range", token.start, token.end, "..." if token.text == "..<" else "..<"
        elif token.text in SWAPPED and token.is_spaced and self.at(position - 1).text != "func":
            kind = "logic" if token.text in ("&&", "||") else "comparison"
            if token.text in ("+=", "-="):
                if self.at(position + 1).kind != "number":
                    return
                kind = "sign"
            yield kind, token.start, token.end, SWAPPED[token.text]
            if kind == "logic":
                yield from self.dropped_operand(position, token)

    def dropped_operand(self, position: int, token: Token):
        end = position + 1
        while not self.ends_operand(end):
            end = self.after(end)
        start = self.at(position - 1).end
        yield "operand dropped", start, self.at(end - 1).end, ""

    def ends_operand(self, position: int) -> bool:
        token = self.at(position)
        if token.text in ("&&", "||", ",", "{", "}", ")", "]", ":", ";", "else", "??", "in"):
            return True
        if token.text == "?" and token.is_spaced:
            return True
        return token.kind == "end" or (token.leads and not self.continues(position))

    def of_word(self, position: int, token: Token):
        if token.kind != "word" or token.text not in RENAMED:
            return
        before, after = self.at(position - 1).text, self.at(position + 1).text
        is_use = {
            "true": True, "false": True, "min": after == "(", "max": after == "(",
            "first": before in (".", "?.") and after != "(", "last": before in (".", "?.") and after != "(",
        }[token.text]
        if is_use and before not in ("func", "var", "let", "case") and after != ":":
            kind = "true and false" if token.text in ("true", "false") else "first and last"
            yield kind, token.start, token.end, RENAMED[token.text]

    def of_number(self, position: int, token: Token):
        if token.kind != "number" or not re.fullmatch(r"\d[\d_]*", token.text):
            return
        # Exclude the index of a tuple element and the raw value of a case.
        if self.at(position - 1).text.endswith(".") and self.at(position - 1).text != "...":
            return
        if self.at(position - 3).text == "case" or self.at(position - 1).text == "-":
            return
        # Exclude `? -1 : 1`, where the number is a sign, and the initial values of id counters.
        if self.at(position - 1).text == ":" and self.at(position - 3).text == "-":
            return
        if self.at(position - 1).text == "=" and re.fullmatch(r"next\w*(ID|Number)", self.at(position - 2).text):
            return
        yield "off by one", token.start, token.end, str(int(token.text.replace("_", "")) + 1)

    # Conditions

    def of_conditions(self, position: int, token: Token):
        if token.text not in ("if", "guard", "while") or token.kind != "word":
            return
        clauses, end = self.clauses(position + 1, "else" if token.text == "guard" else "{")
        if end is None:
            return
        plain = [clause for clause in clauses if self.at(clause[0]).text not in BINDINGS]
        for first, last in plain:
            start, stop = self.at(first).start, self.at(last).end
            yield "condition flipped", start, stop, f"!({self.text[start:stop]})"
            if len(clauses) > 1:
                yield self.dropped_clause(clauses, (first, last))
        if len(plain) == len(clauses):
            yield from self.dropped_exit(position, token, end)

    def clauses(self, position: int, closing: str):
        """Returns the comma-separated conditions, as positions of their first and last tokens, and
        the position of the closing token; no conditions and None if the syntax is not understood.
        """
        clauses, first = [], position
        while (token := self.at(position)).kind != "end":
            if token.text == closing or token.text in (")", "]", "}"):
                if token.text != closing or position == first:
                    return [], None
                return clauses + [(first, position - 1)], position
            if token.text == ",":
                clauses.append((first, position - 1))
                first = position + 1
            position = self.after(position)
        return [], None

    def dropped_clause(self, clauses, clause):
        first, last = clause
        if clause == clauses[0]:
            return "condition dropped", self.at(first).start, self.at(last + 2).start, ""
        return "condition dropped", self.at(first - 2).end, self.at(last).end, ""

    def dropped_exit(self, position: int, token: Token, end: int):
        """Yields the removal of a guard without bindings, or of an `if` whose block begins by
        leaving the scope.
        """
        if not token.leads or token.text == "while":
            return
        block = end + 1 if token.text == "guard" else end
        close = self.at(block).counterpart
        if self.at(block).text != "{" or close < 0 or self.at(close + 1).text == "else":
            return
        if token.text == "if" and self.at(block + 1).text not in LEAVING:
            return
        kind = "guard dropped" if token.text == "guard" else "early exit dropped"
        yield kind, token.start, self.at(close).end, ""

    # Statements

    def of_statement(self, position: int, token: Token):
        if not token.leads or token.around < 0 or self.at(token.around).text != "{":
            return
        if not self.begins_statement(position, token):
            return
        end = self.after(position)
        words, assigns = {token.text}, False
        while not self.ends_statement(end):
            words.add(self.at(end).text)
            assigns = assigns or (self.at(end).is_spaced and self.at(end).text in ("=", "+=", "-=", "&+=", "^=", "|="))
            end = self.after(end)
        last = self.at(end - 1)
        is_alone = self.at(position - 1).text == "{" and self.at(end).text == "}"
        if words & WITHOUT_EFFECT or not (assigns or (last.text in (")", "}") and not is_alone)):
            return
        yield "statement dropped", token.start, last.end, ""

    def begins_statement(self, position: int, token: Token) -> bool:
        before = self.at(position - 1)
        if token.text in ("continue",):
            return True
        if token.kind != "word" or token.text in KEYWORDS or token.text.startswith("#"):
            return False
        if self.at(position + 1).text in (":", ",") or before.text in (",", ":"):
            return False
        return not self.continues(position)

    def ends_statement(self, position: int) -> bool:
        token = self.at(position)
        if token.kind == "end" or token.text in ("}", ")", "]", ";"):
            return True
        return token.leads and not self.continues(position)

    def continues(self, position: int) -> bool:
        """Whether a token that is the first on its line continues the expression of the line
        before.
        """
        token, before = self.at(position), self.at(position - 1)
        if token.kind == "operator" and (token.text.startswith((".", "?.")) or token.is_spaced):
            return True
        if token.text in (":", "else", "{", ","):
            return True
        return (before.kind == "operator" and before.is_spaced) or before.text in (",", "=", "return", "try", "await")

    def after(self, position: int) -> int:
        """The position of the token after this one, or after the counterpart of the bracket that it
        opens.
        """
        token = self.at(position)
        return token.counterpart + 1 if token.text in OPENING and token.counterpart > position else position + 1

    def of_function(self, position: int, token: Token):
        """Yields an early return at the start of a function without a result."""
        if token.text != "func" or token.kind != "word":
            return
        while self.at(position).text not in ("(", "end"):
            position += 1
        position = self.after(position)
        while self.at(position).text in ("async", "throws", "rethrows") or self.at(position).text == "(":
            position = self.after(position)
        body = self.at(position)
        if body.text == "{" and body.counterpart > position + 1:
            yield "returns at once", body.end, body.end, " if true { return };"
