"""Runs the server on a free port of 127.0.0.1, or prints its schema.

    python Tests/Integration/Server            prints `port: N`, serves until standard input closes
    python Tests/Integration/Server --schema   prints the schema

The parent process keeps the server's standard input open. When the parent ends for any reason, the
server ends, too.
"""

import logging
import os
import socket
import sys
import threading

import uvicorn


class Server(uvicorn.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets=sockets)
        print(f"port: {sockets[0].getsockname()[1]}", flush=True)


def end_with_standard_input():
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os._exit(0)


def main():
    if "--schema" in sys.argv[1:]:
        from schema import schema

        print(schema.as_str())
        return
    from app import app

    # Errors are expected here; clients receive them, so they need no log.
    for name in ("strawberry.execution", "ariadne"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", 0))
    threading.Thread(target=end_with_standard_input, daemon=True).start()
    config = uvicorn.Config(app, log_level="critical", lifespan="off", ws="wsproto")
    Server(config).run(sockets=[listener])


main()
