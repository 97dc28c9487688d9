"""A package of three targets with a configuration each, which `relay-compiler init --editor` sets up and a real editor opens."""

import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

# For an editor that hangs; each script ends at the first of its deadlines that passes, each a minute.
TIMEOUT = 300
# The mistakes that the server has fixes for, and their schema. Swift's tests read them too.
FIXES = pathlib.Path(__file__).resolve().parents[1] / "LanguageServer/fixes.json"

FILES = {
    "Package.swift": """\
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Library",
  targets: [
    .target(name: "Books", exclude: ["relay.config.json"]),
    .target(name: "Fixes", exclude: ["relay.config.json"]),
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
    "fixes.graphql": "\n".join(json.loads(FIXES.read_text(encoding="utf-8"))["schema"]),
    "Sources/Fixes/relay.config.json": '{ "schema": "../../fixes.graphql" }\n',
    "Sources/Fixes/Card.swift": "",
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


def write(files: dict[str, str], folder: pathlib.Path) -> None:
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def set_up(editor: str, binary: pathlib.Path, package: pathlib.Path) -> None:
    """Writes the package, and the editor's files with `init`, twice: the second time nothing changes."""
    write(FILES, package)
    # Some editors look for a repository.
    subprocess.run(["git", "init", "--quiet", package], check=True)
    for expected in ("wrote ", "All files are up to date.\n"):
        done = subprocess.run([binary, "init", "--editor", editor], cwd=package, capture_output=True, text=True, check=False)
        if done.returncode != 0 or not done.stdout.startswith(expected):
            sys.exit(f"init --editor {editor} ended with {done.returncode}:\n{done.stdout}{done.stderr}")


def run(command: list, binary: pathlib.Path, package: pathlib.Path, variables: dict[str, str] | None = None) -> int:
    """Runs an editor in a package; the folder around it is the home. Prints the editor's messages if it fails."""
    home = package.parent
    paths = {"HOME": str(home), "PATH": f"{binary.parent}:{os.environ['PATH']}"}
    with (home / "messages").open("w+", encoding="utf-8", errors="replace") as messages:
        process = subprocess.Popen(
            command, cwd=package, env=os.environ | paths | (variables or {}), stdin=subprocess.DEVNULL, stderr=messages,
            start_new_session=True)
        try:
            code = process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            stop_group(process.pid)
        if code != 0:
            messages.seek(0)
            print(f"The editor {'did not end' if code is None else f'ended with {code}'}. Its messages:\n{messages.read()}")
    return 0 if code == 0 else 1


def stop_group(number: int) -> None:
    """Ends the processes that an editor has started: a server and inotifywait, if they still run."""
    try:
        os.killpg(number, signal.SIGKILL)
    except ProcessLookupError:
        pass


def main(editor: str, program: str | None, check) -> int:
    """Calls a function with the editor's program, the compiler and a package that is set up. The exit code without the
    editor is 1 if CI is set, and else 0."""
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=pathlib.Path)
    binary = parser.parse_args().binary.resolve()
    if program is None:
        print(f"{editor} was not tried: its program, which setup.sh --editor installs, is missing.")
        return 1 if os.environ.get("CI") else 0
    with tempfile.TemporaryDirectory() as folder:
        package = pathlib.Path(folder).resolve() / "Library"
        set_up(editor, binary, package)
        return check(program, binary, package)
