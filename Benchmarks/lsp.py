"""Measures `relay-compiler lsp` on a corpus of 1,600 documents.

usage: lsp.py RELEASE_BINARY SCHEMA [KEYSTROKES [DOCUMENTS]]

A program in the place of an editor opens documents of the corpus and types into them, one character
at a time: it waits for the diagnostics of each version before the next. Prints the time from the
start of the process to the first diagnostics, the time from a keystroke to its diagnostics, and
the memory of the process, as lines such as `RESULT name=lsp/keystroke p95_ms=…`.
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


def measure(binary, schema, keystrokes, count):
    documents = Corpus(pathlib.Path(schema).read_text(encoding="utf-8"), count).documents
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "src").mkdir()
        for number, text in enumerate(documents):
            (root / f"src/Document{number}.graphql").write_text(text, encoding="utf-8")
        (root / "relay.config.json").write_text(json.dumps({"schema": os.path.abspath(schema), "src": "src"}), encoding="utf-8")
        choose = random.Random(SEED)
        numbers = choose.sample(range(count), count)
        begin = time.perf_counter()
        server = Server(binary)
        server.request("initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": {}})
        server.send("initialized", {})
        first = (root / f"src/Document{numbers[0]}.graphql").as_uri()
        server.send("textDocument/didOpen", {"textDocument": {"uri": first, "languageId": "graphql", "version": 0, "text": documents[numbers[0]]}})
        server.diagnostics(first, 0)
        start = (time.perf_counter() - begin) * 1e3
        start_cpu, start_memory = server.cpu_seconds() * 1e3, server.memory()
        server.send("textDocument/didClose", {"textDocument": {"uri": first}})
        times = []
        cpu = server.cpu_seconds()
        while len(times) < keystrokes:
            number = numbers[len(times) % count]
            uri = (root / f"src/Document{number}.graphql").as_uri()
            times += type_text(server, uri, documents[number], choose, keystrokes - len(times))
        cpu = (server.cpu_seconds() - cpu) * 1e3 / len(times)
        memory = server.memory()
        server.request("shutdown", None)
        server.send("exit", None)
        if server.process.wait() != 0:
            sys.exit("The server ended with an error.")
    print(f"{count:,} documents, seed {SEED}")
    print(f"RESULT name=lsp/start ms={start:.0f} cpu_ms={start_cpu:.0f} memory_mb={start_memory[0]:.0f}")
    print(
        f"RESULT name=lsp/keystroke count={len(times)} p50_ms={percentile(times, 0.5):.1f} p95_ms={percentile(times, 0.95):.1f} "
        f"max_ms={max(times):.1f} cpu_ms={cpu:.1f}"
    )
    print(f"RESULT name=lsp/memory resident_mb={memory[0]:.0f} peak_mb={memory[1]:.0f}")


def main():
    arguments = sys.argv[1:]
    if not 2 <= len(arguments) <= 4:
        sys.exit(__doc__)
    measure(arguments[0], arguments[1], int((arguments[2:] or ["500"])[0]), int((arguments[3:] or ["1600"])[0]))


if __name__ == "__main__":
    main()
