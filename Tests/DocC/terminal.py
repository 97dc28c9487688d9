"""Draws what a command prints in a terminal as an SVG file.

usage: terminal.py FILE TITLE COLUMNS LINES COMMAND…

Draws the first LINES lines and the last one. The command runs in a pseudo-terminal, so that it prints colours. Needs rich.
"""

import io
import os
import pty
import re
import sys

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

# The fonts of the viewer's system; nothing is loaded.
FORMAT = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.S)
# Without a size of its own the picture is as wide as a browser likes.
FORMAT = FORMAT.replace("<svg ", '<svg width="{width}" height="{height}" ', 1)


def run(command, columns):
    """Returns what a command prints; exits with its status if it fails."""
    printed = bytearray()

    def read(terminal):
        data = os.read(terminal, 65536)
        printed.extend(data)
        return data

    os.environ["COLUMNS"] = str(columns)
    status = os.waitstatus_to_exitcode(pty.spawn(command, read))
    if status != 0:
        sys.exit(status)
    return printed.decode().replace("\r\n", "\n")


if __name__ == "__main__":
    file, title, columns, lines, *command = sys.argv[1:]
    printed = run(command, int(columns)).rstrip().split("\n")
    drawn = [*printed[: int(lines)], "…", "", printed[-1]] if len(printed) > int(lines) else printed
    console = Console(record=True, width=int(columns), file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi("\n".join(drawn)))
    console.save_svg(file, title=title, code_format=FORMAT, unique_id="terminal")
