"""Servers that request a client certificate, and send a TLS alert when they reject it.

The TLS of asyncio closes the connection without the alert of a failed handshake, so these servers
use the blocking servers of the standard library.
"""

import http.server
import socket
import ssl

RESPONSE = b'{"data": {"protocol": "1.1"}}'


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(RESPONSE)))
        self.end_headers()
        self.wfile.write(RESPONSE)

    def log_message(self, *arguments):
        pass


class ClientCertificateServer(http.server.ThreadingHTTPServer):
    """A server with one TLS version that requires a valid client certificate of `authority`."""

    def __init__(self, host, version, certificate, authority, revocations):
        super().__init__((host, 0), Handler)
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=authority)
        self.context.load_cert_chain(certificate)
        self.context.load_verify_locations(revocations)
        self.context.verify_flags |= ssl.VERIFY_CRL_CHECK_LEAF
        self.context.verify_mode = ssl.CERT_REQUIRED
        self.context.minimum_version = self.context.maximum_version = version

    @property
    def port(self):
        return self.server_address[1]

    def finish_request(self, request, client_address):
        tls = self.context.wrap_socket(request, server_side=True, do_handshake_on_connect=False)
        try:
            tls.do_handshake()
        except (ssl.SSLError, OSError):
            drain(tls)
        else:
            super().finish_request(tls, client_address)
        finally:
            tls.close()

    def shutdown_request(self, request):
        pass  # `finish_request` closes the connection: `wrap_socket` has detached this socket.

    def handle_error(self, request, client_address):
        pass


def drain(tls):
    """Reads until the client closes. Closing with unread bytes would reset the connection, and the
    client would not receive the alert."""
    plain = socket.socket(fileno=tls.detach())
    plain.settimeout(10)
    try:
        plain.shutdown(socket.SHUT_WR)
        while plain.recv(4096):
            pass
    except OSError:
        pass
    finally:
        plain.close()
