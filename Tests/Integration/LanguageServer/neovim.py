"""Runs Neovim without a terminal, with the settings of Docs/Editors.md as they are printed there, in a package of two targets
with a configuration each. What it does and expects is in neovim.lua.

    python Tests/Integration/LanguageServer/neovim.py BINARY

Its exit code is 1 if an expectation fails. Without the `nvim` that `setup.sh --editor` installs it is 1 if CI is set, and else 0.
"""

import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parents[2] / "Docs/Editors.md"
SECTION = re.compile(r"^## Neovim\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```lua\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
# For a Neovim that hangs; neovim.lua ends at the first of its deadlines that passes, each a minute.
TIMEOUT = 300

FILES = {
    "Package.swift": """\
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Library",
  targets: [
    .target(name: "Books", exclude: ["relay.config.json"]),
    .target(name: "Shelf", dependencies: ["Books"], exclude: ["relay.config.json"]),
  ])
""",
    "schema.graphql": """\
type Query { books: [Book!]! book(id: ID!): Book }
type Book { id: ID! author: Author! pages: Int! title: String! }
type Author { id: ID! name: String! }
""",
    "Sources/Books/relay.config.json": '{ "schema": "../../schema.graphql" }\n',
    "Sources/Books/Card.swift": '''\
private let card = graphql(
  """
  fragment Card_book on Book {
    pages
    title
  }
  """)
''',
    "Sources/Books/Byline.swift": '''\
private let byline = graphql("fragment Byline_author on Author { name }")
''',
    "Sources/Shelf/relay.config.json": '{ "schema": "../../schema.graphql" }\n',
    "Sources/Shelf/Shelf.swift": '''\
private let shelf = graphql(
  """
  query ShelfQuery {
    books { ...Card_book author { ...Byline_author } }
    book(id: "größte") { pages }
  }
  """)
''',
}


def settings() -> str:
    """Returns the Lua of the page's section."""
    section = SECTION.search(PAGE.read_text(encoding="utf-8"))
    blocks = BLOCK.findall(section[1]) if section else []
    if not any("vim.lsp.enable" in block for block in blocks):
        sys.exit(f"{PAGE.name} has no section Neovim with a block that enables the server.")
    return "\n".join(blocks)


def write(files: dict[str, str], folder: pathlib.Path) -> None:
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def run(neovim: pathlib.Path, binary: pathlib.Path, folder: pathlib.Path) -> int:
    """Runs Neovim in a package below a folder, which is its home too. Prints its messages if it fails."""
    write(FILES, folder / "Library")
    write({"init.lua": settings()}, folder)
    variables = os.environ | {"HOME": str(folder), "PATH": f"{binary.parent}:{os.environ['PATH']}"}
    for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
        variables[f"XDG_{kind}_HOME"] = str(folder / kind.lower())
    command = [neovim, "--headless", "--clean", "-u", folder / "init.lua", "-c", f"luafile {HERE / 'neovim.lua'}"]
    with (folder / "messages").open("w+", encoding="utf-8", errors="replace") as messages:
        process = subprocess.Popen(
            command, cwd=folder / "Library", env=variables, stdin=subprocess.DEVNULL, stderr=messages, start_new_session=True)
        try:
            code = process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            stop_group(process.pid)
        if code != 0:
            messages.seek(0)
            print(f"Neovim {'did not end' if code is None else f'ended with {code}'}. Its messages:\n{messages.read()}")
    return 0 if code == 0 else 1


def stop_group(number: int) -> None:
    """Ends the processes that Neovim has started: a server and inotifywait, if they still run."""
    try:
        os.killpg(number, signal.SIGKILL)
    except ProcessLookupError:
        pass


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=pathlib.Path)
    binary = parser.parse_args().binary.resolve()
    neovim = pathlib.Path(sys.executable).parent / "nvim"
    if not neovim.exists():
        print(f"Neovim was not tried. There is no {neovim}, which setup.sh --editor installs.")
        return 1 if os.environ.get("CI") else 0
    with tempfile.TemporaryDirectory() as folder:
        return run(neovim, binary, pathlib.Path(folder).resolve())


if __name__ == "__main__":
    sys.exit(main())
