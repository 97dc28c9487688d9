"""Prints why a run of the tests failed, from its log: issues, and a crash or the tests without an end."""

import re
import sys
from itertools import takewhile
from pathlib import Path

STARTED = re.compile(r"◇ Test (.*) started\.")
ENDED = re.compile(r"[✔✘] Test (.*?)(?: with \d+ test cases?)? (?:passed|failed) after")
ISSUE = re.compile(r"✘ .* recorded an issue|^\S+:\d+: error: |^error: ")
CRASH = re.compile(r"Fatal error|^\*\*\* Program crashed|exited with unexpected signal")
CRASHED_THREAD = re.compile(r"^Thread \d+.* crashed:")
FRAME = re.compile(r"^ *\d+ .*0x[0-9a-f]+ (.*)$")
LINES = 12


def unfinished(lines: list[str]) -> list[str]:
    """Returns the names of the tests that started and did not end. Most of them wait for others."""
    started = [match[1] for line in lines if (match := STARTED.match(line))]
    ended = {match[1] for line in lines if (match := ENDED.match(line))}
    return [name for name in started if not name.startswith(("case ", "run")) and name not in ended]


def crash(lines: list[str]) -> list[str]:
    """Returns the reason of a crash, and the functions of its thread."""
    reasons = [line for line in lines if CRASH.search(line)]
    start = next((i for i, line in enumerate(lines) if CRASHED_THREAD.match(line)), len(lines))
    frames = takewhile(lambda line: not line or FRAME.match(line), lines[start + 1 :])
    functions = [f"  {FRAME.match(line)[1]}" for line in frames if line]
    return reasons + lines[start : start + 1] + functions


def report(title: str, lines: list[str]) -> None:
    if lines:
        print("\n".join([title, *(line[:300] for line in lines[:LINES])]))


def main() -> None:
    lines = Path(sys.argv[1]).read_text(errors="replace").splitlines()
    report("Issues:", [line for line in lines if ISSUE.search(line)])
    if found := crash(lines):
        report("The crash:", found)
        return
    if any("Test run with" in line for line in lines):
        return
    names = unfinished(lines)
    report(f"{len(names)} tests started and did not end:", names)


if __name__ == "__main__":
    main()
