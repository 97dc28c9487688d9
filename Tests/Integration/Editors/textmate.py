"""Tokens of a TextMate grammar: what VS Code does with `match`, `begin`, `end`, captures and `include`, with its engine for
regular expressions. There are no injections: the tests start with the injected grammar."""

import dataclasses
import re

import onigurumacffi


@dataclasses.dataclass
class Rule:
    """A rule whose end was not found yet."""

    grammar: dict
    rule: dict
    end: str
    scopes: tuple


class Tokenizer:
    def __init__(self, *grammars: dict):
        self.grammars = {grammar["scopeName"]: grammar for grammar in grammars}
        self.first = grammars[0]

    def tokens(self, text: str) -> list[tuple[str, tuple[str, ...]]]:
        """Returns the pieces of a text, each with its scopes, the outermost first."""
        stack = [Rule(self.first, self.first, "", ())]
        found = []
        for line in text.splitlines(keepends=True):
            start = 0
            while start < len(line):
                start = self.step(line, start, stack, found)
        return found

    def step(self, line: str, start: int, stack: list, found: list) -> int:
        """Adds the text up to the next match, and the match. Returns where it ends."""
        top = stack[-1]
        match, rule, grammar = self.best(line, start, top)
        inner = top.scopes + ((top.rule["contentName"],) if "contentName" in top.rule else ())
        if match is None:
            found.append((line[start:], inner))
            return len(line)
        if match.start() > start:
            found.append((line[start:match.start()], inner))
        if rule is None:
            self.capture(match, top.rule.get("endCaptures", {}), top.scopes, found)
            stack.pop()
        elif "begin" in rule:
            scopes = inner + ((rule["name"],) if "name" in rule else ())
            self.capture(match, rule.get("beginCaptures", {}), scopes, found)
            end = re.sub(r"\\(\d)", lambda number: re.escape(match[int(number[1])] or ""), rule["end"])
            stack.append(Rule(grammar, rule, end, scopes))
        else:
            scopes = inner + ((rule["name"],) if "name" in rule else ())
            self.capture(match, rule.get("captures", {}), scopes, found)
        assert match.end() > start or rule is None, f"{rule} matches nothing at {line[start:]!r}"
        return match.end()

    def best(self, line: str, start: int, top: Rule):
        """Returns the first match in the line, its rule and that rule's grammar; no rule for the end of the open one."""
        best = (onigurumacffi.compile(top.end).search(line, start), None, top.grammar) if top.end else (None, None, None)
        for rule, grammar in self.rules(top.rule.get("patterns", []), top.grammar):
            match = onigurumacffi.compile(rule.get("match") or rule["begin"]).search(line, start)
            if match and (best[0] is None or match.start() < best[0].start()):
                best = (match, rule, grammar)
        return best

    def rules(self, patterns: list, grammar: dict):
        for pattern in patterns:
            if "include" not in pattern:
                if "match" in pattern or "begin" in pattern:
                    yield pattern, grammar
                else:
                    yield from self.rules(pattern["patterns"], grammar)
                continue
            scope, _, name = pattern["include"].partition("#")
            other = self.grammars[scope] if scope else grammar
            yield from self.rules([other["repository"][name]] if name else other["patterns"], other)

    @staticmethod
    def capture(match, captures: dict, scopes: tuple, found: list) -> None:
        """Adds the matched text, divided by its captures, which do not overlap except for the entire match."""
        outer = scopes + ((captures["0"]["name"],) if "0" in captures else ())
        position = match.start()
        for number in sorted(int(key) for key in captures if key != "0"):
            if match[number]:
                if match.start(number) > position:
                    found.append((match.string[position:match.start(number)], outer))
                found.append((match[number], outer + (captures[str(number)]["name"],)))
                position = match.end(number)
        if match.end() > position:
            found.append((match.string[position:match.end()], outer))
