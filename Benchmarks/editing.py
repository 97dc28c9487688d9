"""Measures `relay-compiler lsp` and `relay-compiler watch` on a corpus of 1,600 documents.

usage: editing.py RELEASE_BINARY SCHEMA [KEYSTROKES [DOCUMENTS]]

A program in the place of an editor opens documents of the corpus and types into them, one character
at a time: it waits for the diagnostics of each version before the next. Prints the time from the
start of the process to the first diagnostics, the time from a keystroke to its diagnostics, and
the memory of the process, as lines such as `RESULT name=lsp/keystroke p95_ms=…`. Then files of the
corpus are saved with a change, one after the other, while `watch` runs; each time ends when `watch`
says that it has written the generated file. Writes the table of Docs/Reference/Performance.md between its
marks if the corpus is whole.
"""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

from corpus import Corpus

SEED = 20


class Server:
    """A language server as a child process."""

    def __init__(self, binary):
        self.process = subprocess.Popen([binary, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count = 0

    def send(self, method, params, is_request=False):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if is_request:
            self.count += 1
            message["id"] = self.count
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()
        return self.count

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            sys.exit("The server has ended.")
        return json.loads(self.process.stdout.read(length))

    def request(self, method, params):
        identifier = self.send(method, params, is_request=True)
        while True:
            message = self.receive()
            if message.get("id") == identifier and "method" not in message:
                return message["result"]

    def diagnostics(self, uri, version):
        """Waits for the diagnostics of a version of a document."""
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                if params["uri"] == uri and params.get("version") == version:
                    return params["diagnostics"]

    def memory(self):
        """Returns the resident and the peak resident memory in MB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return [int(re.search(rf"{name}:\s+(\d+)", status)[1]) / 1024 for name in ("VmRSS", "VmHWM")]

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def position(text, offset):
    line = text.count("\n", 0, offset)
    return {"line": line, "character": offset - (text.rfind("\n", 0, offset) + 1)}


def type_text(server, uri, text, choose, keystrokes):
    """Types fields into a document, then removes them again, and returns the times in ms."""
    server.send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "graphql", "version": 1, "text": text}})
    server.diagnostics(uri, 1)
    at = choose.choice([match.end() for match in re.finditer(r"\{\n", text)])
    word = choose.choice(["id", "__typename", "createdAt", "nme", "other: id", "... on Node { id }"]) + " "
    edits = [(at + index, at + index, character) for index, character in enumerate(word)]
    edits += [(at + index, at + index + 1, "") for index in reversed(range(len(word)))]
    times = []
    for version, (start, end, new) in enumerate(edits[:keystrokes], 2):
        range_ = {"start": position(text, start), "end": position(text, end)}
        text = text[:start] + new + text[end:]
        begin = time.perf_counter()
        server.send("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": range_, "text": new}]})
        server.diagnostics(uri, version)
        times.append((time.perf_counter() - begin) * 1e3)
    server.send("textDocument/didClose", {"textDocument": {"uri": uri}})
    return times


def write_project(root, documents, schema, **configuration):
    (root / "src").mkdir()
    for number, text in enumerate(documents):
        (root / f"src/Document{number}.graphql").write_text(text, encoding="utf-8")
    configuration = {"schema": os.path.abspath(schema), "src": "src"} | configuration
    (root / "relay.config.json").write_text(json.dumps(configuration), encoding="utf-8")


def measure_editor(binary, schema, documents, keystrokes):
    """Returns the time of the start, those of the keystrokes, and the peak memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        write_project(root, documents, schema)
        choose = random.Random(SEED)
        numbers = choose.sample(range(len(documents)), len(documents))
        begin = time.perf_counter()
        server = Server(binary)
        server.request("initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": {}})
        server.send("initialized", {})
        first = (root / f"src/Document{numbers[0]}.graphql").as_uri()
        server.send("textDocument/didOpen", {"textDocument": {"uri": first, "languageId": "graphql", "version": 0, "text": documents[numbers[0]]}})
        server.diagnostics(first, 0)
        start = (time.perf_counter() - begin) * 1e3
        start_cpu = server.cpu_seconds() * 1e3
        server.send("textDocument/didClose", {"textDocument": {"uri": first}})
        times = []
        while len(times) < keystrokes:
            number = numbers[len(times) % len(numbers)]
            uri = (root / f"src/Document{number}.graphql").as_uri()
            times += type_text(server, uri, documents[number], choose, keystrokes - len(times))
        peak = server.memory()[1]
        server.request("shutdown", None)
        server.send("exit", None)
        if server.process.wait() != 0:
            sys.exit("The server ended with an error.")
    print(f"RESULT name=lsp/start ms={start:.0f} cpu_ms={start_cpu:.0f}")
    print_times("lsp/keystroke", times)
    print(f"RESULT name=lsp/memory peak_mb={peak:.0f}")
    return start, times, peak


def measure_watch(binary, schema, documents, saves):
    """Returns the time of the first compilation, and those of the saved files."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        write_project(root, documents, schema, artifactDirectory="generated")
        begin = time.perf_counter()
        process = subprocess.Popen([binary, "watch"], cwd=root, stdout=subprocess.PIPE, text=True)
        process.stdout.readline()
        start = (time.perf_counter() - begin) * 1e3
        choose = random.Random(SEED)
        times = []
        try:
            while len(times) < saves:
                path = root / f"src/Document{choose.randrange(len(documents))}.graphql"
                text = path.read_text(encoding="utf-8")
                new = text.replace("{\n", f"{{\n  saved{len(times)}: __typename\n", 1)
                # The watcher waits until files are quiet; the next save is a change of its own.
                time.sleep(0.02)
                begin = time.perf_counter()
                path.write_text(new, encoding="utf-8")
                while not re.search(r", [1-9]\d* changed \(", process.stdout.readline()):
                    if process.poll() is not None:
                        sys.exit("watch has ended.")
                times.append((time.perf_counter() - begin) * 1e3)
        finally:
            process.kill()
            process.wait()
    print(f"RESULT name=watch/start ms={start:.0f}")
    print_times("watch/save", times)
    return start, times


def print_times(name, times):
    p50, p95 = percentile(times, 0.5), percentile(times, 0.95)
    print(f"RESULT name={name} count={len(times)} p50_ms={p50:.1f} p95_ms={p95:.1f} max_ms={max(times):.1f}")


def table(editor, watch):
    start, keystrokes, peak = editor
    rows = [
        ("language server: start to the first diagnostics", f"{start:.0f} ms", "700 ms"),
        ("language server: keystroke to diagnostics, median", f"{percentile(keystrokes, 0.5):.1f} ms", ""),
        (f"the same, 95 % of {len(keystrokes)} below", f"{percentile(keystrokes, 0.95):.1f} ms", "50 ms"),
        ("language server: peak memory", f"{peak:.0f} MB", "100 MB"),
        ("watch: first compilation, all files written", f"{watch[0]:.0f} ms", ""),
        ("watch: a saved file compiled, after 50 ms of quiet, median", f"{percentile(watch[1], 0.5):.1f} ms", "100 ms"),
        (f"the same, 95 % of {len(watch[1])} below", f"{percentile(watch[1], 0.95):.1f} ms", ""),
    ]
    lines = ["| 1,600 documents of GitHub's schema | measured | bound |", "|---|---|---|"]
    return "\n".join(lines + [f"| {name} | {value} | {bound} |" for name, value, bound in rows])


def write_table(text):
    page = pathlib.Path(__file__).parent.parent / "Docs/Reference/Performance.md"
    old = page.read_text(encoding="utf-8")
    new = re.sub(r"(<!-- editing -->\n)[^<]*(<!-- /editing -->)", lambda match: match[1] + text + "\n" + match[2], old)
    page.write_text(new, encoding="utf-8")


def main():
    arguments = sys.argv[1:]
    if not 2 <= len(arguments) <= 4:
        sys.exit(__doc__)
    binary, schema = arguments[:2]
    keystrokes, count = int((arguments[2:] or ["500"])[0]), int((arguments[3:] or ["1600"])[0])
    documents = Corpus(pathlib.Path(schema).read_text(encoding="utf-8"), count).documents
    print(f"{count:,} documents, seed {SEED}")
    editor = measure_editor(binary, schema, documents, keystrokes)
    watch = measure_watch(os.path.abspath(binary), schema, documents, max(10, keystrokes // 5))
    if count == 1600:
        write_table(table(editor, watch))


if __name__ == "__main__":
    main()
