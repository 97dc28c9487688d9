"""The routes: servers of the same schema and data, and deliberately broken ones.

    /graphql            Strawberry
    /idempotent         Strawberry, which executes a request once for each `Idempotency-Key`
    /effects            how often each comment was added
    /heartbeats         Strawberry, with many heartbeats a second
    /ariadne            Ariadne
    /event-stream       one event stream for all operations
    /scripted/{name}    responses in parts, as other servers send them
    /misbehave/{kind}   broken responses
    /live/…, /reset     control of a session by a test
"""

import asyncio
import collections
import hashlib
import json

from cross_web import HTTPException
from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from strawberry.asgi import GraphQL
from strawberry.exceptions import ConnectionRejectionError
from strawberry.http.streaming import MultipartSubscriptionTransport, SSETransport
from strawberry.subscriptions import (
    GRAPHQL_SSE_PROTOCOL, GRAPHQL_TRANSPORT_WS_PROTOCOL, MULTIPART_SUBSCRIPTION_PROTOCOL,
)

from access import SESSIONS, context_of, is_authorized, session_name, state_for
from ariadne_app import ariadne
from event_stream import SingleConnection
from idempotent import Idempotent
from live_routes import LIVE
from schema import schema
from scripted import SCRIPTED


class TaskTracker(GraphQL):
    """The GraphQL endpoint, with automatic persisted queries. `X-Method` echoes the HTTP method."""

    documents = {}

    async def get_context(self, request, response):
        if request.scope["type"] == "http":
            if not is_authorized(request):
                raise HTTPException(401, "Sign in first.")
            response.headers["X-Method"] = request.method
        return context_of(request)

    async def on_ws_connect(self, context):
        token = context["state"].token
        if token not in (None, context["connection_params"].get("token")):
            raise ConnectionRejectionError
        return await super().on_ws_connect(context)

    async def parse_http_body(self, request):
        data = await super().parse_http_body(request)
        wanted = (data.extensions or {}).get("persistedQuery")
        if wanted is None:
            return data
        known = wanted["sha256Hash"]
        if data.query is None:
            if known not in self.documents:
                miss = {"errors": [{"message": "PersistedQueryNotFound"}]}
                raise HTTPException(200, json.dumps(miss))
            data.query = self.documents[known]
        elif hashlib.sha256(data.query.encode()).hexdigest() != known:
            raise HTTPException(400, "The hash is not the document's.")
        self.documents[known] = data.query
        return data


class FrequentHeartbeats(TaskTracker):
    """The GraphQL endpoint, whose streams have many heartbeats a second."""

    class EventStream(SSETransport):
        def __init__(self):
            super().__init__(heartbeat_interval=0.02)

    class Multipart(MultipartSubscriptionTransport):
        heartbeat_interval = 0.02

    stream_transport_classes_by_protocol = {
        GRAPHQL_SSE_PROTOCOL: EventStream, MULTIPART_SUBSCRIPTION_PROTOCOL: Multipart,
    }


def graphql(kind):
    return kind(
        schema, graphql_ide=None, multipart_uploads_enabled=True,
        subscription_protocols=[
            GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_SSE_PROTOCOL, MULTIPART_SUBSCRIPTION_PROTOCOL,
        ],
    )


async def reset(request):
    SESSIONS.reset(session_name(request))
    return JSONResponse({"reset": True})


async def effects(request):
    comments = state_for(request).data["Comment"].values()
    return JSONResponse(collections.Counter(comment["body"] for comment in comments))


def json_bytes(body):
    return Response(body, media_type="application/json")


RESPONSES = {
    "status-500": lambda: PlainTextResponse("Internal Server Error", status_code=500),
    "status-404": lambda: PlainTextResponse("Not Found", status_code=404),
    "status-401-json": lambda: JSONResponse(
        {"errors": [{"message": "Sign in first."}]}, status_code=401
    ),
    "not-json": lambda: Response("<html>Welcome!</html>", media_type="text/html"),
    "truncated-json": lambda: json_bytes(b'{"data": {"viewer": {"id": "VX'),
    "not-utf8": lambda: json_bytes(b'{"data": {"viewer": "\xff\xfe"}}'),
    "json-array": lambda: JSONResponse([1, 2, 3]),
    "no-data": lambda: JSONResponse({"message": "no data here"}),
    "data-is-a-list": lambda: JSONResponse({"data": [1, 2, 3]}),
    "object-is-a-string": lambda: JSONResponse({"data": {"viewer": "Ada", "task": "Task"}}),
    "scalar-is-an-object": lambda: JSONResponse(
        {"data": {"viewer": {"__typename": "User", "id": "VXNlcjox", "name": {"first": "Ada"}}}}
    ),
    "null-data-with-errors": lambda: JSONResponse(
        {"data": None, "errors": [{"message": "The database is asleep.", "path": ["viewer"]}]}
    ),
    "html-as-json": lambda: json_bytes(b"<html>Welcome!</html>"),
    "json-as-html": lambda: Response(
        b'{"data": {"viewer": {"__typename": "User", "id": "VXNlcjox", "name": "Ada", "email": null, "role": "ADMIN"}}}',
        media_type="text/html",
    ),
    "empty-body": lambda: json_bytes(b""),
}


async def misbehave(request):
    await request.body()
    kind = request.path_params["kind"]
    if kind == "never-answers":
        await asyncio.Event().wait()
    make_response = RESPONSES.get(kind)
    if make_response is None:
        return JSONResponse({"known": sorted(RESPONSES)}, status_code=404)
    return make_response()


class DroppedConnection:
    """An endpoint that reads the request, then closes the connection without a response."""

    async def __call__(self, scope, receive, send):
        while (await receive()).get("more_body", False):
            pass
        send.__self__.transport.abort()


routes = Starlette(
    routes=[
        Route("/reset", reset, methods=["POST"]),
        Route("/effects", effects),
        LIVE,
        SCRIPTED,
        Route("/misbehave/{kind}", misbehave, methods=["GET", "POST"]),
    ]
)
APPS = {
    "/graphql": graphql(TaskTracker),
    "/idempotent": Idempotent(graphql(TaskTracker)),
    "/heartbeats": graphql(FrequentHeartbeats),
    "/ariadne": ariadne,
    "/event-stream": SingleConnection(),
    "/misbehave/dropped-connection": DroppedConnection(),
}


async def app(scope, receive, send):
    await APPS.get(scope["path"], routes)(scope, receive, send)
