"""Servers that send bytes after a response, while their connection is idle.

The operation "Settle" is answered when all such bytes have arrived at their clients.
"""

import fcntl
import http.server
import itertools
import json
import socketserver
import ssl
import struct
import threading
import time

import h2.config
import h2.connection
import h2.events

TIOCOUTQ = 0x5411
UNASKED = b"HTTP/1.1 200 OK\r\ncontent-length: 47\r\n\r\n" + (
    b'{"data": {"protocol": "1.1", "connection": -1}}'
)


def is_delivered(connection):
    return struct.unpack("i", fcntl.ioctl(connection.fileno(), TIOCOUTQ, bytes(4)))[0] == 0


class Deliveries:
    """The responses that bytes follow once a client asks to settle: it has received them then."""

    def __init__(self):
        self.condition = threading.Condition()
        self.pending = 0
        self.settling = 0

    def begin(self):
        with self.condition:
            self.pending += 1

    def wait(self):
        with self.condition:
            self.condition.wait_for(lambda: self.settling > 0, timeout=10)

    def end(self, connection):
        while not is_delivered(connection):
            time.sleep(0.001)
        with self.condition:
            self.pending -= 1
            self.condition.notify_all()

    def settle(self):
        with self.condition:
            self.settling += 1
            self.condition.notify_all()
            self.condition.wait_for(lambda: self.pending == 0, timeout=10)
            self.settling -= 1


class KeptConnectionServer(socketserver.ThreadingTCPServer):
    """A TLS server whose handler sends bytes after each response."""

    daemon_threads = True

    def __init__(self, host, certificate, handler, protocol, extra=b""):
        super().__init__((host, 0), handler)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate)
        self.context.set_alpn_protocols([protocol])
        self.context.minimum_version = ssl.TLSVersion.TLSv1_3
        self.context.num_tickets = 8
        self.extra = extra
        self.deliveries = Deliveries()
        self.numbers = itertools.count()

    @property
    def port(self):
        return self.server_address[1]

    def finish_request(self, request, client_address):
        with self.context.wrap_socket(request, server_side=True) as tls:
            super().finish_request(tls, client_address)

    def shutdown_request(self, request):
        pass  # `finish_request` closes the connection: `wrap_socket` has detached this socket.

    def handle_error(self, request, client_address):
        pass


def answer(server, body, protocol, number):
    """Returns the response to a request, and whether bytes follow it."""
    settles = json.loads(body)["operationName"] == "Settle"
    if settles:
        server.deliveries.settle()
    else:
        server.deliveries.begin()
    data = {"protocol": protocol, "connection": number}
    return json.dumps({"data": data}).encode(), not settles


class HTTP1Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        self.number = next(self.server.numbers)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        response, has_extra = answer(self.server, body, "1.1", self.number)
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(response)))
        self.end_headers()
        self.wfile.write(response)
        if has_extra:
            if self.server.extra:
                self.server.deliveries.wait()
                self.wfile.write(self.server.extra)
            self.server.deliveries.end(self.connection)

    def log_message(self, *arguments):
        pass


class HTTP2Handler(socketserver.BaseRequestHandler):
    def handle(self):
        number = next(self.server.numbers)
        http2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        http2.initiate_connection()
        self.request.sendall(http2.data_to_send())
        bodies = {}
        while data := self.request.recv(65536):
            for event in http2.receive_data(data):
                if isinstance(event, h2.events.DataReceived):
                    bodies[event.stream_id] = bodies.get(event.stream_id, b"") + event.data
                    http2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded):
                    self.respond(http2, event.stream_id, bodies.pop(event.stream_id), number)
            self.request.sendall(http2.data_to_send())

    def respond(self, http2, stream, body, number):
        response, has_extra = answer(self.server, body, "2", number)
        http2.send_headers(stream, [(":status", "200"), ("content-type", "application/json")])
        http2.send_data(stream, response, end_stream=True)
        self.request.sendall(http2.data_to_send())
        if has_extra:
            self.server.deliveries.wait()
            http2.ping(b"8 bytes.")
            self.request.sendall(http2.data_to_send())
            self.server.deliveries.end(self.request)


def make_servers(host, certificate):
    """Returns servers with pings of HTTP/2, with session tickets, and with unasked responses."""
    return {
        "pings": KeptConnectionServer(host, certificate, HTTP2Handler, "h2"),
        "tickets": KeptConnectionServer(host, certificate, HTTP1Handler, "http/1.1"),
        "unasked": KeptConnectionServer(host, certificate, HTTP1Handler, "http/1.1", UNASKED),
    }
