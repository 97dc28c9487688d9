"""Checks the extension for VS Code, which is not installed: its package, its grammar with VS Code's engine for regular
expressions, its problem matcher, and its client, by vscode.js, under node with a stub of VS Code and the real server.

    python Tests/Integration/Editors/vscode.py BINARY

Its exit code is 1 if an expectation fails. Without node or that engine it is 1 if CI is set, and else 0.
"""

import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zipfile

import library

HERE = pathlib.Path(__file__).resolve().parent
EXTENSION = HERE.parents[2] / "Editors/VSCode"
CODE_LIMIT = 300

TAGS = '''\
private let a = graphql(
  """
  query A($id: ID!) { # note
    me @include(if: true) { ...Row_user ...online_user ... on User { name(first: 10, of: "x") } }
  }
  """)
let b = graphql("fragment B on User { name(of: \\"y\\") }")
let c = graphql(#"mutation C { d(e: "z") }"#) + "query N { no }"
func graphql(_ text: String = "query N { no }") {}
let after = true
'''

# The innermost scope of each word of the tags, without the last part.
SCOPES = {
    "query": "keyword.other", "A": "entity.name.function", "$id": "variable.parameter", "ID": "entity.name.type",
    "# note": "comment.line.number-sign", "me": "variable.other", "@include": "entity.name.function.decorator",
    "if": "variable.other.property", "true": "constant.language", "...": "keyword.operator.spread",
    "Row_user": "entity.name.function", "online_user": "entity.name.function", "on": "keyword.other", "User": "entity.name.type", "name": "variable.other",
    "first": "variable.other.property", "10": "constant.numeric", "of": "variable.other.property", "x": "string.quoted.double",
    "fragment": "keyword.other", "B": "entity.name.function", "y": "string.quoted.double", "mutation": "keyword.other",
    "C": "entity.name.function", "d": "variable.other", "e": "variable.other.property", "z": "string.quoted.double",
}


def read_package(archive: zipfile.ZipFile) -> dict:
    """Checks what VS Code needs to find in the file, and returns the extension's manifest."""
    names = archive.namelist()
    types = xml.etree.ElementTree.fromstring(archive.read("[Content_Types].xml"))
    known = {entry.get("Extension") for entry in types}
    assert all(pathlib.PurePath(name).suffix in known for name in names if name != "[Content_Types].xml"), names
    manifest = xml.etree.ElementTree.fromstring(archive.read("extension.vsixmanifest"))
    space = "{http://schemas.microsoft.com/developer/vsx-schema/2011}"
    package = json.loads(archive.read("extension/package.json"))
    identity = manifest.find(f"{space}Metadata/{space}Identity")
    assert identity.attrib == {
        "Language": "en-US", "Id": package["name"], "Version": package["version"], "Publisher": package["publisher"]}
    for asset in manifest.iter(f"{space}Asset"):
        assert asset.get("Path") in names, asset.get("Path")
    contributed = package["contributes"]
    paths = [package["main"], *(item["path"] for item in contributed["grammars"])]
    paths += [item["configuration"] for item in contributed["languages"]]
    for path in paths:
        assert "extension/" + path.removeprefix("./") in names, path
    for name in names:
        if name.endswith(".json"):
            json.loads(archive.read(name))
    return package


def check_code(package: dict, folder: pathlib.Path) -> None:
    files = {file.name: file.read_text("utf-8") for file in folder.glob("*.js")}
    lines = [line for text in files.values() for line in text.splitlines()]
    code = [line for line in lines if not re.fullmatch(r"\s*(//.*|/?\*.*|)", line)]
    assert len(code) <= CODE_LIMIT, f"The client has {len(code)} lines of code."
    source = files["extension.js"]
    for command in package["contributes"]["commands"]:
        assert f"'{command['command']}'" in source, command
    for setting in package["contributes"]["configuration"]["properties"]:
        assert f"'{setting.removeprefix('relay.')}'" in source, setting


def check_grammar(folder: pathlib.Path) -> None:
    from textmate import Tokenizer  # Its requirement is installed with Neovim.

    files = [folder / f"syntaxes/{name}.tmLanguage.json" for name in ("tags", "graphql")]
    grammars = [json.loads(file.read_text("utf-8")) for file in files]
    tokens = Tokenizer(*grammars).tokens(TAGS)
    assert "".join(text for text, _ in tokens) == TAGS
    seen = {}
    for text, scopes in tokens:
        if "meta.embedded.block.graphql" in scopes and (word := text.strip("\" \\\n")):
            if scopes[-1] != "meta.embedded.block.graphql":
                seen.setdefault(word, scopes[-1].removesuffix(".graphql"))
    assert {word: seen.get(word) for word in SCOPES} == SCOPES, seen
    swift = "".join(text for text, scopes in tokens if "meta.embedded.block.graphql" not in scopes)
    for outside in ("private let a = ", "query N { no }", "func graphql(_ text: String = \"query N { no }\")", "let after = true"):
        assert outside in swift, f"{outside!r} is not Swift in {swift!r}"
    document = Tokenizer(grammars[1]).tokens('"""A book."""\ntype Book implements Node @key { id: ID! query: Int }\n')
    kinds = {text.strip(): scopes[-1] for text, scopes in document if scopes}
    expected = {
        "A book.": "string.quoted.triple.graphql", "type": "keyword.other.graphql", "Book": "entity.name.type.graphql",
        "implements": "keyword.other.graphql", "query": "variable.other.property.graphql"}
    assert {text: kinds.get(text) for text in expected} == expected, kinds


def check_matcher(binary: pathlib.Path, package: pathlib.Path) -> None:
    """The task's patterns find the errors that the compiler prints."""
    card = package / "Sources/Books/Card.swift"
    text = card.read_text("utf-8")
    card.write_text(text.replace("title", "titel"), "utf-8")
    command = [binary, "validate", "--config", "Sources/Books/relay.config.json"]
    done = subprocess.run(command, cwd=package, capture_output=True, text=True, check=False)
    card.write_text(text, "utf-8")
    matcher = json.loads((package / ".vscode/tasks.json").read_text("utf-8"))["tasks"][0]["problemMatcher"]
    pattern, background = matcher["pattern"], matcher["background"]
    found = [match for line in done.stderr.splitlines() if (match := re.search(pattern["regexp"], line))]
    assert len(found) == 1, done.stderr
    groups = [found[0][pattern[key]] for key in ("line", "column", "severity")]
    assert groups == ["5", "5", "error"] and found[0][pattern["file"]].endswith("Sources/Books/Card.swift"), groups
    assert found[0][pattern["message"]].startswith("Cannot query field"), done.stderr
    for line in ("2 errors", "1 error", "No more errors.", "12 files, 3 changed"):
        assert re.search(background["endsPattern"], line), line


def check(node: str, binary: pathlib.Path, package: pathlib.Path) -> int:
    with tempfile.TemporaryDirectory() as folder:
        packed = [pathlib.Path(folder) / name for name in ("a.vsix", "b.vsix")]
        for target in packed:
            subprocess.run([sys.executable, "-B", EXTENSION / "pack.py", target], check=True)
        assert packed[0].read_bytes() == packed[1].read_bytes()
        with zipfile.ZipFile(packed[0]) as archive:
            manifest = read_package(archive)
            archive.extractall(folder)
        extension = pathlib.Path(folder) / "extension"
        (extension / "LICENSE.txt").unlink()
        written = package / ".vscode/extensions/relaystore"
        files = {path: {file.relative_to(path): file.read_bytes() for file in path.rglob("*") if file.is_file()}
            for path in (extension, written)}
        assert files[extension] == files[written], "init writes other files than are in the package."
        check_code(manifest, extension)
        check_grammar(extension)
        check_matcher(binary, package)
        return library.run([node, HERE / "vscode.js", extension, package], binary, package)


if __name__ == "__main__":
    has_engine = importlib.util.find_spec("onigurumacffi") is not None
    sys.exit(library.main("vscode", shutil.which("node") if has_engine else None, check))
