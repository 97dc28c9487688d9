"""Checks the settings for Helix and Zed, which are not run: their syntax, and that the commands they name start servers.

    python Tests/Integration/Editors/settings.py BINARY

Its exit code is 1 if an expectation fails.
"""

import json
import pathlib
import subprocess
import sys
import tomllib

import library


def initialized(command: list[str], message: str, binary: pathlib.Path, package: pathlib.Path) -> str:
    """Returns what a server prints in response to a message, until it has read its input."""
    assert command[0] == binary.name, command
    done = subprocess.run(
        [binary, *command[1:]], cwd=package, input=message, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout


def check_helix(binary: pathlib.Path, package: pathlib.Path) -> None:
    settings = tomllib.loads((package / ".helix/languages.toml").read_text("utf-8"))
    server = settings["language-server"]["relay"]
    servers = {language["name"]: language["language-servers"] for language in settings["language"]}
    assert servers == {"swift": ["sourcekit-lsp", "relay"], "graphql": ["relay"]}, servers
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})
    message = f"Content-Length: {len(body)}\r\n\r\n{body}"
    response = initialized([server["command"], *server["args"]], message, binary, package)
    assert '"hoverProvider"' in response, response


def check_zed(binary: pathlib.Path, package: pathlib.Path) -> None:
    server = json.loads((package / ".zed/settings.json").read_text("utf-8"))["context_servers"]["relay"]
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "zed", "version": "1"}}
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}) + "\n"
    response = initialized([server["command"], *server["args"]], message, binary, package)
    assert '"serverInfo"' in response, response
    for task in json.loads((package / ".zed/tasks.json").read_text("utf-8")):
        assert task["command"] == binary.name, task
        help_text = subprocess.run([binary, *task["args"], "--help"], capture_output=True, text=True, check=True).stdout
        assert help_text.startswith(f"usage: relay-compiler {task['args'][0]}"), help_text


def check(_: str, binary: pathlib.Path, package: pathlib.Path) -> int:
    library.write({"relay.config.json": '{ "schema": "schema.graphql" }\n'}, package)
    library.set_up("zed", binary, package)
    check_helix(binary, package)
    check_zed(binary, package)
    print("The settings for Helix and Zed name servers that start.")
    return 0


if __name__ == "__main__":
    sys.exit(library.main("helix", sys.executable, check))
