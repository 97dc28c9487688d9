"""A WebSocket server of the protocol graphql-transport-ws for benchmarks: it answers subscriptions
with events of a record of ten fields, as fast as it can.
"""

import base64
import hashlib
import json
import socket
import struct
import threading

# Source: RFC 6455, section 1.3.
ACCEPT_SUFFIX = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
# The number of events that are sent in turns, each with other values.
EVENTS = 1_000


def frame(text):
    """Returns a text frame."""
    payload = text.encode()
    length = len(payload)
    head = struct.pack("!BB", 0x81, length) if length < 126 else struct.pack("!BBH", 0x81, 126, length)
    return head + payload


def event(operation, record, number):
    """Returns the frame of an event, about 330 bytes."""
    data = {
        "id": record, "a": number, "b": number * 7 % 1000, "c": 333, "d": number % 3 == 0, "e": "some text",
        "f": f"another text, number {number}", "g": "x", "h": number + 0.5, "i": number * 31, "j": "2026-01-01T00:00:00Z",
    }
    message = {"id": operation, "type": "next", "payload": {"data": {"changed": data}}}
    return frame(json.dumps(message, separators=(",", ":")))


class Server:
    """Serves one connection with a number of subscriptions, then the next one."""

    def __init__(self, subscriptions):
        self.subscriptions = subscriptions
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"ws://127.0.0.1:{self.listener.getsockname()[1]}/"
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def accept(self):
        while True:
            try:
                connection = self.listener.accept()[0]
            except OSError:
                return
            with connection:
                try:
                    self.serve(connection)
                except OSError:
                    pass

    def serve(self, connection):
        """Answers the handshake and the subscriptions, and sends events until the client has gone."""
        stream = connection.makefile("rb")
        key = b""
        while (line := stream.readline().strip()) != b"":
            name, _, value = line.partition(b":")
            if name.lower() == b"sec-websocket-key":
                key = value.strip()
        accept = base64.b64encode(hashlib.sha1(key + ACCEPT_SUFFIX).digest())
        connection.sendall(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Protocol: graphql-transport-ws\r\nSec-WebSocket-Accept: " + accept + b"\r\n\r\n")
        operations = {}
        while len(operations) < self.subscriptions:
            message = self.message(stream)
            if message["type"] == "connection_init":
                connection.sendall(frame('{"type":"connection_ack"}'))
            elif message["type"] == "subscribe":
                operations[message["id"]] = message["payload"]["variables"]["id"]
        ids = list(operations.items())
        events = b"".join(event(*ids[n % len(ids)], n) for n in range(EVENTS))
        while True:
            connection.sendall(events)

    @staticmethod
    def message(stream):
        """Reads a masked text message of one frame."""
        length = stream.read(2)[1] & 0x7F
        if length == 126:
            length = struct.unpack("!H", stream.read(2))[0]
        mask = stream.read(4)
        return json.loads(bytes(byte ^ mask[n % 4] for n, byte in enumerate(stream.read(length))))
