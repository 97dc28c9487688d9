"""A GraphQL server, and what stands before it, that fails the first delivery of each mutation.

The body of a comment names the fault of its first delivery, `NAME FAULT`:

    respond/STATUS/BODY  a response; BODY is data, errors, html, empty, json or cut
    redirect/STATUS      to another origin; follow/STATUS to a page of this one
    end/POINT            the connection ends at request, start, status, header or body
    reset/POINT          the same, with a reset

Later deliveries are executed. Under /keys each key is executed once, under /graphql each delivery.
GET /effects returns how often each comment was executed. Prints its URL, and ends with its input.
"""

import json
import socket
import struct
import sys
import threading

lock = threading.Lock()
deliveries: dict[str, int] = {}
effects: dict[str, int] = {}
results: dict[str, bytes] = {}

BODIES = {
    "errors": b'{"errors":[{"message":"no","extensions":{"code":"NO"}}],"data":null}',
    "html": b"<html><body>Welcome to the hotel</body></html>",
    "json": b'{"status":"fine"}',
    "empty": b"",
}


def execute(name: str, key: str | None) -> bytes:
    """Adds a comment, once for each key, and returns the response."""
    with lock:
        if key in results:
            return results[key]
        effects[name] = effects.get(name, 0) + 1
        comment = {"__typename": "Comment", "id": name, "body": name}
        data = {"addComment": {"__typename": "AddCommentPayload", "comment": comment}}
        result = json.dumps({"data": data}).encode()
        if key:
            results[key] = result
        return result


def response(status: int, body: bytes, kind: str = "application/json", fields: str = "") -> bytes:
    length = "" if status == 204 else f"Content-Length: {len(body)}\r\n"
    head = f"HTTP/1.1 {status} Status\r\nContent-Type: {kind}\r\n{fields}{length}\r\n"
    return head.encode() + (b"" if status == 204 else body)


def is_executed(status: int, body: str) -> bool:
    """Whether a hostile server executes a mutation to which it responds so."""
    if body == "errors" and status < 500:
        return False
    return not (300 <= status < 400 or status in (401, 407, 408, 425, 429, 503, 511))


class Connection:
    def __init__(self, sock: socket.socket, port: int):
        self.sock, self.port, self.rest = sock, port, b""

    def head(self) -> list[str] | None:
        while b"\r\n\r\n" not in self.rest:
            data = self.sock.recv(1 << 16)
            if not data:
                return None
            self.rest += data
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        return head.decode().split("\r\n")

    def body(self, length: int) -> bytes:
        while len(self.rest) < length:
            data = self.sock.recv(1 << 16)
            if not data:
                raise ConnectionError
            self.rest += data
        body, self.rest = self.rest[:length], self.rest[length:]
        return body

    def end(self, resets: bool) -> None:
        if resets:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()

    def serve(self) -> None:
        try:
            while (lines := self.head()) and self.reply(lines):
                pass
        except OSError:
            pass
        self.sock.close()

    def reply(self, lines: list[str]) -> bool:
        """Returns whether the connection stays open."""
        method, path, _ = lines[0].split(" ")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        body = self.body(int(fields.get("content-length", "0")))
        if path == "/effects":
            with lock:
                self.sock.sendall(response(200, json.dumps(effects).encode()))
            return True
        if path == "/portal":
            self.sock.sendall(response(200, BODIES["html"], "text/html"))
            return True
        text = json.loads(body)["variables"]["input"]["body"]
        name, fault = text.split(" ")
        key = fields.get("idempotency-key") if path == "/keys" else None
        with lock:
            deliveries[name] = deliveries.get(name, 0) + 1
            is_first = deliveries[name] == 1
        if not is_first:
            self.sock.sendall(response(200, execute(name, key)))
            return True
        return self.fail(fault.split("/"), name, key)

    def fail(self, fault: list[str], name: str, key: str | None) -> bool:
        match fault:
            case ["respond", status, kind]:
                code = int(status)
                done = execute(name, key) if is_executed(code, kind) else b"{}"
                if kind == "cut":
                    self.sock.sendall(response(code, done[: len(done) // 2]))
                else:
                    body = done if kind == "data" else BODIES[kind]
                    media = "text/html" if kind == "html" else "application/json"
                    self.sock.sendall(response(code, body, media))
                return True
            case ["redirect", status]:
                location = f"Location: http://localhost:{self.port}/portal\r\n"
                self.sock.sendall(response(int(status), b"", "text/html", location))
                return True
            case ["follow", status]:
                self.sock.sendall(response(int(status), b"", "text/html", "Location: /portal\r\n"))
                return True
            case ["end" | "reset" as how, point]:
                if point != "request":
                    whole = response(200, execute(name, key))
                    head = whole.index(b"\r\n\r\n")
                    length = {"start": 0, "status": 5, "header": head - 9, "body": head + 20}[point]
                    self.sock.sendall(whole[:length])
                self.end(how == "reset")
                return False
        raise ValueError(fault)


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    port = listener.getsockname()[1]

    def accept() -> None:
        while True:
            sock, _ = listener.accept()
            threading.Thread(target=Connection(sock, port).serve, daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    print(f"http://127.0.0.1:{port}", flush=True)
    sys.stdin.read()


main()
