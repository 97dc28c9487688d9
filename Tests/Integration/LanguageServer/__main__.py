"""Random sessions with `relay-compiler lsp`, driven by pygls' client. After each step the published diagnostics must be
those of `relay-compiler validate` for the same texts.

    python Tests/Integration/LanguageServer BINARY [--seed SEED] [--sessions COUNT] [--steps COUNT]

A session has a folder or none. It opens, edits, saves and closes files, also files that are not on the
disk, creates and deletes them, changes the schema and the configuration, sends requests at random
positions, makes the edits that the server offers, and sends bytes that are no messages. A renaming must
make no new errors, and formatting must do what `relay-compiler format` does. It prints what the sessions have reached. Its exit code is 1 after a difference.
"""

import argparse
import asyncio
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter

from documents import CONFIGURATION, CONFIGURATIONS, PATHS, PIECES, SCHEMA, SCHEMAS, random_text
from editor import Editor, offset_of, position_of, split_lines, unit_count
from lsprotocol import types

MALFORMED = [
    b"garbage\r\n\r\n",
    b"Content-Length: x\r\n\r\n{}",
    b"Content-Length: 5\r\n\r\n{\"a\":",
    b"Content-Length: 2\r\n\r\n[]",
    b"Content-Length: 400\r\n\r\n{\"jsonrpc\": \"2.0\", \"id\": 1",
    b"Content-Length: 4\r\n\r\n\"\xff\xfe\"",
    b"Content-Length: 16\r\n\r\n{\"jsonrpc\":\"2.0\"",
    b"\x00\x01\x02",
]


class Session:
    def __init__(self, binary, seed, folder, reached):
        self.binary, self.dice, self.reached = binary, random.Random(f"session {seed}"), reached
        # A third of the sessions have few mistakes, so that all stages of the compiler are reached.
        self.dice.correctness = 0.95 if seed % 3 == 0 else 0.2
        self.root, self.mirror = folder / "app ü", folder / "copy"
        self.encoding = self.dice.choice(["utf-8", "utf-16"])
        self.files = {"schema.graphql": SCHEMA, "relay.config.json": CONFIGURATION}
        for path in self.dice.sample(PATHS, 5):
            self.files[path] = random_text(self.dice, path)
        for path, text in self.files.items():
            self.write(self.root, path, text)
        self.mirrored = {}
        self.editor = Editor(self.root, self.encoding)

    @staticmethod
    def write(folder, path, text):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())

    # The expected diagnostics

    def texts(self):
        """Returns the texts of the project's files as the editor shows them."""
        opened = {path: document.text for path, document in self.editor.documents.items() if path in self.files or path in PATHS}
        return self.files | opened

    def expected(self):
        """Returns the diagnostics of a fresh compiler as (path, line, character, severity, rule, message)."""
        texts = self.texts()
        for path in self.mirrored.keys() - texts.keys():
            (self.mirror / path).unlink()
        for path, text in texts.items():
            if self.mirrored.get(path) != text:
                self.write(self.mirror, path, text)
        self.mirrored = texts
        command = [self.binary, "validate", "--format", "json", "--config", str(self.mirror / "relay.config.json")]
        run = subprocess.run(command, capture_output=True, text=True, cwd="/", check=False, timeout=60)
        if run.returncode == 2:
            return Counter([self.configuration_error(self.renamed(run.stderr.strip()), texts)])
        return Counter(self.entry(item, texts) for item in json.loads(run.stdout)["diagnostics"])

    def configuration_error(self, text, texts):
        """Returns the entry of the message with which the compiler ends if it cannot read the project."""
        located = re.fullmatch(r"(.*/relay.config.json)(?::(\d+):(\d+))?: error: (.*)", text, re.DOTALL)
        line, character, message = 0, 0, text.removeprefix("error: ")
        if located and located[1] == f"{self.root}/relay.config.json":
            message = located[4]
            if located[2]:
                # Messages have columns in bytes.
                line = int(located[2]) - 1
                prefix = split_lines(texts["relay.config.json"])[line].encode()[: int(located[3]) - 1]
                character = unit_count(prefix.decode(errors="ignore"), self.encoding)
        return ("relay.config.json", line, character, 1, "configuration", message)

    def renamed(self, text):
        return text.replace(str(self.mirror), str(self.root))

    def entry(self, item, texts):
        message = "\n".join(self.renamed(item[key]) for key in ("message", "help") if key in item)
        head = (1 if item["severity"] == "error" else 2, item["rule"], message)
        if not item["locations"]:
            return ("relay.config.json", 0, 0, *head)
        place = item["locations"][0]
        path = str(pathlib.Path(place["file"]).relative_to(self.mirror))
        line, column = place["line"] - 1, place["column"] - 1
        text = split_lines(texts[path])[line].rstrip("\r\n")
        column = min(column, unit_count(text, "utf-16"))
        prefix = text.encode("utf-16-le")[: 2 * column].decode("utf-16-le", errors="ignore")
        return (path, line, unit_count(prefix, self.encoding), *head)

    def found(self):
        return Counter(
            (self.editor.path(uri), item.range.start.line, item.range.start.character, int(item.severity), item.code, item.message)
            for uri, items in self.editor.diagnostics.items()
            for item in items
            if item.severity != types.DiagnosticSeverity.Hint
        )

    async def check(self, step):
        expected = self.expected()
        self.reached["diagnostics"] += sum(expected.values())
        self.reached["steps without errors"] += all(entry[3] != 1 for entry in expected)
        self.reached.update(f"rule {entry[4]}" for entry in expected)
        versions = {document.uri: document.version for path, document in self.editor.documents.items() if path.startswith("src/")}
        self.reached["steps with unsaved files"] += any(path not in self.files for path in self.editor.documents)
        self.reached["hints"] += sum(item.severity == types.DiagnosticSeverity.Hint for items in self.editor.diagnostics.values() for item in items)

        def is_current():
            return self.found() == expected and ("src/" not in str(versions) or self.are_current(versions, expected))

        if await self.editor.wait(is_current):
            return True
        found = self.found()
        print(f"after {step}:\nmissing: {list((expected - found).elements())}\nextra: {list((found - expected).elements())}")
        print(f"versions: {versions} {self.editor.versions}\nfailures: {self.editor.failures}")
        return False

    def are_current(self, versions, expected):
        if any(entry[4] == "configuration" for entry in expected):
            return True
        return all(self.editor.versions.get(uri) == version for uri, version in versions.items())

    # Steps

    async def run(self, steps):
        has_folder = self.dice.random() < 0.75
        await self.editor.start(self.binary, self.dice.random() < 0.5, has_folder)
        if not has_folder:
            # There is no project before a file is opened.
            self.reached["sessions without a folder"] += 1
            await self.open()
        if not await self.check("start"):
            return False
        for number in range(steps):
            name, weight = zip(*self.STEPS)
            step = self.dice.choices(name, weight)[0]
            await getattr(self, step)()
            self.reached[step] += 1
            if not await self.check(f"step {number}, {step}"):
                return False
        await self.editor.barrier()
        return await self.check("the end") and await self.editor.end() == 0

    STEPS = [
        ("open", 3), ("open_unsaved", 2), ("edit", 14), ("replace", 5), ("close", 2), ("save", 2), ("create", 2), ("delete", 1), ("change_on_disk", 2),
        ("change_schema", 1), ("change_configuration", 1), ("correct", 2), ("ask", 12), ("rename", 4), ("format", 2), ("act", 3), ("misbehave", 1), ("cancel", 1),
    ]

    def sources(self):
        return [path for path in self.files if path.startswith("src/")]

    async def any_open(self):
        if not self.editor.documents:
            await self.open()
        return self.dice.choice(sorted(self.editor.documents)) if self.editor.documents else None

    async def open(self):
        """Opens a file, with its text on the disk or another one."""
        paths = [path for path in self.files if path not in self.editor.documents and path != "relay.config.json"]
        if paths:
            path = self.dice.choice(paths)
            self.editor.open(path, self.files[path] if self.dice.random() < 0.7 else random_text(self.dice, path))

    async def open_unsaved(self):
        """Opens a file that is not on the disk."""
        paths = [path for path in PATHS if path not in self.files and path not in self.editor.documents]
        if paths:
            path = self.dice.choice(paths)
            self.editor.open(path, random_text(self.dice, path))

    async def edit(self):
        if path := await self.any_open():
            edits, text = [], self.editor.documents[path].text
            if self.dice.random() < self.dice.correctness:
                # White space at the end, which is correct in all files that are.
                self.editor.change(path, [(len(text), len(text), self.dice.choice(["\n", " ", "\r\n"]))])
                return
            for _ in range(self.dice.choice([1, 1, 1, 2, 4])):
                start = self.dice.randrange(len(text) + 1)
                end = min(len(text), start + self.dice.choice([0, 0, 1, 1, 3, 20]))
                new = self.dice.choice(PIECES) if self.dice.random() < 0.7 or start == end else ""
                # Offsets as they are without the characters of a divided line terminator.
                start, end = (offset_of(text, position_of(text, offset, self.encoding), self.encoding) for offset in (start, end))
                edits.append((start, end, new))
                text = text[:start] + new + text[end:]
            self.editor.change(path, edits)

    async def replace(self):
        if path := await self.any_open():
            text = random_text(self.dice, path) if path != "schema.graphql" else self.dice.choice(SCHEMAS)
            self.editor.change(path, [(None, None, text)])

    async def close(self):
        if self.editor.documents:
            self.editor.close(self.dice.choice(sorted(self.editor.documents)))

    async def save(self):
        if path := await self.any_open():
            text = self.files[path] = self.editor.documents[path].text
            self.write(self.root, path, text)
            self.editor.text_document_did_save(types.DidSaveTextDocumentParams(self.editor.identifier(path)))

    def store(self, path, text):
        kind = types.FileChangeType.Changed if path in self.files else types.FileChangeType.Created
        self.files[path] = text
        self.write(self.root, path, text)
        self.editor.touched(path, kind)

    async def create(self):
        paths = [path for path in PATHS if path not in self.files]
        if paths:
            path = self.dice.choice(paths)
            self.store(path, random_text(self.dice, path))

    async def delete(self):
        paths = self.sources()
        if len(paths) > 2:
            path = self.dice.choice(paths)
            del self.files[path]
            (self.root / path).unlink()
            self.editor.touched(path, types.FileChangeType.Deleted)

    async def change_on_disk(self):
        path = self.dice.choice(self.sources())
        self.store(path, random_text(self.dice, path))

    async def change_schema(self):
        self.store("schema.graphql", self.dice.choice(SCHEMAS))

    async def change_configuration(self):
        self.store("relay.config.json", self.dice.choice(CONFIGURATIONS))
        self.reached["broken configuration"] += self.files["relay.config.json"] != CONFIGURATION

    async def correct(self):
        self.store("relay.config.json", CONFIGURATION)
        if "schema.graphql" in self.editor.documents:
            self.editor.close("schema.graphql")
        self.store("schema.graphql", SCHEMA)

    # Requests

    async def place(self):
        path = await self.any_open()
        if path is None:
            return None
        text = self.editor.documents[path].text
        return path, position_of(text, self.dice.randrange(len(text) + 1), self.encoding)

    def within(self, path, position):
        text = self.editor.documents[path].text
        end = min(len(text), offset_of(text, position, self.encoding) + self.dice.randrange(40))
        return types.Range(position, position_of(text, end, self.encoding))

    async def ask(self):
        if not (place := await self.place()):
            return
        path, position = place
        identifier = self.editor.identifier(path)
        range_ = self.within(path, position)
        editor = self.editor
        everything = types.Range(types.Position(0, 0), types.Position(10_000, 0))
        requests = {
            "hover": (editor.text_document_hover_async, types.HoverParams(identifier, position)),
            "definition": (editor.text_document_definition_async, types.DefinitionParams(identifier, position)),
            "references": (editor.text_document_references_async, types.ReferenceParams(types.ReferenceContext(True), identifier, position)),
            "completion": (editor.text_document_completion_async, types.CompletionParams(identifier, position)),
            "signature": (editor.text_document_signature_help_async, types.SignatureHelpParams(identifier, position)),
            "highlights": (editor.text_document_document_highlight_async, types.DocumentHighlightParams(identifier, position)),
            "selections": (editor.text_document_selection_range_async, types.SelectionRangeParams(identifier, [position])),
            "tokens": (editor.text_document_semantic_tokens_full_async, types.SemanticTokensParams(identifier)),
            "tokens in range": (editor.text_document_semantic_tokens_range_async, types.SemanticTokensRangeParams(identifier, range_)),
            "folding": (editor.text_document_folding_range_async, types.FoldingRangeParams(identifier)),
            "hints": (editor.text_document_inlay_hint_async, types.InlayHintParams(identifier, self.dice.choice([everything, range_]))),
            "symbols": (editor.text_document_document_symbol_async, types.DocumentSymbolParams(identifier)),
            "workspace symbols": (editor.workspace_symbol_async, types.WorkspaceSymbolParams(self.dice.choice(["", "f", "Q1"]))),
            "print": (editor.workspace_execute_command_async, types.ExecuteCommandParams("relay.printOperation", [identifier.uri, {"line": position.line, "character": position.character}])),
        }
        name = self.dice.choice(sorted(requests))
        answer = await editor.ask(*requests[name])
        if answer and not (name == "completion" and not answer.items):
            self.reached[f"{name} answered"] += 1

    def errors(self):
        return Counter({(entry[0], entry[4]): count for entry, count in self.expected().items() if entry[3] == 1})

    async def rename(self):
        if not (path := await self.any_open()):
            return
        text = self.editor.documents[path].text
        names = [match.start(1) for match in re.finditer(r"(?:\.\.\.|fragment |query |\$)(\w+)|(\w+):", text) if match.start(1) >= 0]
        offset = self.dice.choice(names) if names and self.dice.random() < 0.8 else self.dice.randrange(len(text) + 1)
        position = position_of(text, offset, self.encoding)
        identifier = self.editor.identifier(path)
        name = self.dice.choice(["F1", "F9", "Q9", "Q9Query", "Schema", "name", "a b", "", "n"])
        await self.editor.ask(self.editor.text_document_prepare_rename_async, types.PrepareRenameParams(identifier, position))
        edit = await self.editor.ask(self.editor.text_document_rename_async, types.RenameParams(identifier, position, name))
        before = self.errors()
        self.reached["renamed files"] += self.editor.apply(edit, lambda path: self.files[path])
        if more := self.errors() - before:
            self.editor.failures.append(f"the renaming to {name} made errors: {more}")

    async def format(self):
        if not (path := await self.any_open()):
            return
        parameters = types.DocumentFormattingParams(self.editor.identifier(path), types.FormattingOptions(4, True))
        edits = await self.editor.ask(self.editor.text_document_formatting_async, parameters)
        if not edits:
            return
        file = self.mirror.parent / ("formatted" + pathlib.Path(path).suffix)
        file.write_bytes(self.editor.documents[path].text.encode())
        subprocess.run([self.binary, "format", str(file)], capture_output=True, check=False, timeout=60)
        self.editor.make(path, edits)
        self.reached["formatted"] += 1
        if self.editor.documents[path].text != file.read_bytes().decode():
            self.editor.failures.append(f"{path} is not formatted as by the command")

    async def act(self):
        if place := await self.place():
            path, position = place
            params = types.CodeActionParams(self.editor.identifier(path), self.within(path, position), types.CodeActionContext([]))
            actions = await self.editor.ask(self.editor.text_document_code_action_async, params)
            if actions:
                self.reached["actions"] += 1
                self.editor.apply(self.dice.choice(actions).edit, lambda path: self.files[path])

    async def misbehave(self):
        self.editor.send_bytes(self.dice.choice(MALFORMED))
        await self.editor.barrier()

    async def cancel(self):
        if place := await self.place():
            path, position = place
            hover = types.HoverParams(self.editor.identifier(path), position)
            identifier = self.dice.choice(["a", "b"])
            answer = self.editor.protocol.send_request_async(types.TEXT_DOCUMENT_HOVER, hover, identifier)
            task = asyncio.ensure_future(self.editor.ask(lambda _: answer, None))
            await asyncio.sleep(0)
            self.editor.protocol.notify(types.CANCEL_REQUEST, types.CancelParams(identifier))
            await task


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sessions", type=int, default=3)
    parser.add_argument("--steps", type=int, default=60)
    options = parser.parse_args()
    reached = Counter()
    for seed in range(options.seed, options.seed + options.sessions):
        with tempfile.TemporaryDirectory() as folder:
            session = Session(str(pathlib.Path(options.binary).resolve()), seed, pathlib.Path(folder).resolve(), reached)
            if not asyncio.run(session.run(options.steps)):
                sys.exit(f"Session {seed} ({session.encoding}) differs.")
    for name, count in sorted(reached.items()):
        print(f"{count:8} {name}")
    print(f"{options.sessions} sessions from seed {options.seed}, {options.steps} steps each: no difference")


if __name__ == "__main__":
    main()
