"""Runs a command with the test server; the server's URL replaces `{endpoint}` in its arguments.

    python Tests/Integration/with_server.py COMMAND ARGUMENT... {endpoint}
"""

import pathlib
import subprocess
import sys

SERVER = pathlib.Path(__file__).parent / "Server"


def main():
    server = subprocess.Popen(
        [sys.executable, "-B", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    port = server.stdout.readline().removeprefix("port: ").strip()
    endpoint = f"http://127.0.0.1:{port}/graphql"
    command = [argument.replace("{endpoint}", endpoint) for argument in sys.argv[1:]]
    status = subprocess.run(command).returncode
    server.stdin.close()
    server.wait()
    sys.exit(status)


main()
