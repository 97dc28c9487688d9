"""Prints the tests that a log of the test runner shows as started but not as ended."""

import re
import sys
from pathlib import Path

STARTED = re.compile(r"◇ Test (.*) started\.")
ENDED = re.compile(r"[✔✘] Test (.*?)(?: with \d+ test cases?)? (?:passed|failed) after")


def unfinished(log: str) -> list[str]:
    """Returns the names of the tests that started and did not end."""
    started = [match[1] for line in log.splitlines() if (match := STARTED.match(line))]
    ended = {match[1] for line in log.splitlines() if (match := ENDED.match(line))}
    return [name for name in started if not name.startswith(("case ", "run")) and name not in ended]


if __name__ == "__main__":
    print("\n".join(unfinished(Path(sys.argv[1]).read_text(errors="replace"))))
