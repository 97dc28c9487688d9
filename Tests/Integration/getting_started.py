"""Writes the files of Docs/GettingStarted.md into an empty folder, as a reader pastes them, builds and runs the
program, and compares its output with the page's.

    getting_started.py [--scratch-path FOLDER]

Only the package's location is replaced: "../RelayStore" by this clone. SWIFT_FLAGS has options for `swift run`.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOCATION = '.package(name: "RelayStore", path: "../RelayStore")'
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^\s*(?:```|~~~)", re.MULTILINE)
NAME = re.compile(r"\n`([^`\n]+)`\n\n\Z")


def read_page(text: str) -> tuple[dict[str, str], str]:
    """Returns the files of the page by their paths, in order, and the output that it shows."""
    files, output = {}, None
    blocks = list(BLOCK.finditer(text))
    if 2 * len(blocks) != len(FENCE.findall(text)):
        sys.exit("A code block of the page is not closed, or its fence is not at the beginning of a line.")
    for block in blocks:
        before = text[: block.start()]
        if before.endswith("`swift run` prints\n\n"):
            if output is not None:
                sys.exit("The page shows two outputs.")
            output = block[2]
        elif name := NAME.search(before):
            if name[1] in files or ".." in name[1] or name[1].startswith("/"):
                sys.exit(f"The page has the file {name[1]} twice, or outside of its folder.")
            files[name[1]] = block[2]
        else:
            line = before.count("\n") + 1
            sys.exit(f"GettingStarted.md:{line}: the code block has no path on the line before it.")
    if output is None:
        sys.exit("The page shows no output.")
    return files, output


def write(files: dict[str, str], folder: pathlib.Path) -> None:
    """Writes the files into a folder. The manifest names this clone in place of the page's location."""
    if LOCATION not in files.get("Package.swift", ""):
        sys.exit(f"The page's Package.swift does not have {LOCATION}.")
    for path, text in files.items():
        if path == "Package.swift":
            text = text.replace(LOCATION, f'.package(name: "RelayStore", path: "{ROOT}")')
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scratch-path", help="the build folder; one in the temporary folder without it")
    scratch_path = parser.parse_args().scratch_path
    files, expected = read_page((ROOT / "Docs/GettingStarted.md").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        app = pathlib.Path(folder) / "App"
        write(files, app)
        command = ["swift", "run", "--quiet", "--package-path", str(app)]
        if scratch_path:
            command += ["--scratch-path", scratch_path]
        command += [*os.environ.get("SWIFT_FLAGS", "").split(), "App"]
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, timeout=1200)
    print(run.stdout, end="")
    if run.returncode != 0:
        sys.exit(f"The program of the page failed with status {run.returncode}.")
    if run.stdout != expected:
        sys.exit(f"The page shows another output:\n{expected}")
    print(f"{len(files)} files, pasted and run.")


if __name__ == "__main__":
    main()
