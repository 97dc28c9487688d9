"""Runs Emacs without a terminal in a package that `relay-compiler init --editor emacs` has set up. What it does and expects is in
emacs.el.

    python Tests/Integration/Editors/emacs.py BINARY

Its exit code is 1 if an expectation fails. Without the Emacs that `setup.sh --editor` installs it is 1 if CI is set, and else 0.
"""

import pathlib
import shutil
import sys

import library

HERE = pathlib.Path(__file__).resolve().parent


def check(emacs: str, binary: pathlib.Path, package: pathlib.Path) -> int:
    return library.run([emacs, "--batch", "-q", "-l", HERE / "emacs.el"], binary, package)


if __name__ == "__main__":
    sys.exit(library.main("emacs", shutil.which("emacs"), check))
