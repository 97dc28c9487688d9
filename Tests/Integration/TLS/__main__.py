"""Servers with valid and invalid certificates, and a forward proxy, on free ports of 127.0.0.1.

    python Tests/Integration/TLS     prints one line of JSON, serves until standard input closes

The line has three members: `ports`, by server name; `proxy`, the port of the proxy, which requires
the credentials `user:password`; and `folder`, the folder of the certificates. Every server responds
with the HTTP version of the request: `{"data": {"protocol": "2"}}`. Over a WebSocket it echoes
each text message, and closes with the code 4000 after the message "close".
"""

import asyncio
import json
import os
import socket
import ssl
import sys
import tempfile
import threading

import proxy
import trustme
from hypercorn.asyncio import serve
from hypercorn.config import Config

from client_certificates import ClientCertificateServer
from certificates import DAY, HOST, Certificates, now
from kept_connections import make_servers as make_kept_connection_servers


async def echo(scope, receive, send):
    while (event := await receive())["type"] != "websocket.disconnect":
        if event["type"] == "websocket.connect":
            chosen = next(iter(scope["subprotocols"]), None)
            await send({"type": "websocket.accept", "subprotocol": chosen})
        elif event["text"] == "close":
            return await send({"type": "websocket.close", "code": 4000, "reason": "Bye"})
        else:
            await send({"type": "websocket.send", "text": event["text"]})


async def app(scope, receive, send):
    if scope["type"] == "websocket":
        return await echo(scope, receive, send)
    while (await receive()).get("more_body"):
        pass
    body = json.dumps({"data": {"protocol": scope["http_version"]}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Server(Config):
    """The configuration of a server with a certificate, or without TLS."""

    def __init__(self, certificate=None, protocols=("h2", "http/1.1")):
        super().__init__()
        self.alpn_protocols = list(protocols)
        self.errorlog = None
        if certificate:
            self.certfile = self.keyfile = str(certificate)
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.bind((HOST, 0))
        listener.listen(100)
        self.port = listener.getsockname()[1]
        self.bind = [f"fd://{listener.detach()}"]


def make_servers(certificates):
    valid, _ = certificates.issue("valid", HOST)
    expired, _ = certificates.issue("expired", HOST, not_after=now() - DAY)
    elsewhere, _ = certificates.issue("wrong-host", "elsewhere.example")
    stranger, _ = certificates.issue("unknown-issuer", HOST, by=trustme.CA())
    certificates.issue("client", "client.example")
    certificates.issue("client-of-another", "client.example", by=trustme.CA())
    return {
        "valid": Server(valid),
        "http1": Server(valid, protocols=["http/1.1"]),
        "expired": Server(expired),
        "wrong-host": Server(elsewhere),
        "unknown-issuer": Server(stranger),
        "self-signed": Server(certificates.issue_self_signed("self-signed")),
        "plain": Server(),
    }


def make_client_certificate_servers(certificates):
    valid = certificates.path("valid")
    _, revoked = certificates.issue("client-revoked", "client.example")
    trusted = [certificates.path("authority"), certificates.revoke(revoked)]
    return {
        f"client-certificate-{name}": ClientCertificateServer(HOST, version, valid, *trusted)
        for name, version in (("1.2", ssl.TLSVersion.TLSv1_2), ("1.3", ssl.TLSVersion.TLSv1_3))
    }


def end_with_standard_input(ending):
    while os.read(sys.stdin.fileno(), 4096):
        pass
    ending()


async def main(folder, proxy_port):
    certificates = Certificates(folder)
    servers = make_servers(certificates)
    threaded_servers = make_client_certificate_servers(certificates)
    threaded_servers |= make_kept_connection_servers(HOST, certificates.path("valid"))
    for server in threaded_servers.values():
        threading.Thread(target=server.serve_forever, daemon=True).start()
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    threading.Thread(
        target=end_with_standard_input,
        args=[lambda: loop.call_soon_threadsafe(ended.set)],
        daemon=True,
    ).start()
    ports = {name: server.port for name, server in (servers | threaded_servers).items()}
    # Every socket is listening already: a connection waits in its backlog until the server accepts.
    print(json.dumps({"ports": ports, "proxy": proxy_port, "folder": folder}), flush=True)
    await asyncio.gather(
        *(serve(app, server, shutdown_trigger=ended.wait) for server in servers.values())
    )


if __name__ == "__main__":
    arguments = ["--hostname", HOST, "--port", "0", "--num-workers", "1", "--num-acceptors", "1"]
    arguments += ["--basic-auth", "user:password", "--log-level", "CRITICAL"]
    with tempfile.TemporaryDirectory() as folder, proxy.Proxy(arguments) as forward:
        asyncio.run(main(folder, forward.flags.port))
