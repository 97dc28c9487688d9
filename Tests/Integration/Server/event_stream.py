"""Server-sent events in the single connection mode of the GraphQL over SSE protocol.

    PUT                    reserves a stream; the body of the response is its token
    GET                    the stream, by the token
    POST                   begins the operation `extensions.operationId`; its events are on the stream
    DELETE ?operationId=   ends an operation

The token is in the header field `X-GraphQL-Event-Stream-Token`, or in the URL parameter `token`.
When a stream ends, so do its operations. Source: PROTOCOL.md of the library graphql-sse.
"""

import asyncio
import contextlib
import json
import uuid

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from strawberry.types.execution import PreExecutionError
from strawberry.utils.aio import aclosing

from access import context_of, is_authorized
from schema import schema


class EventStream:
    """A reserved stream, and its operations."""

    def __init__(self):
        self.messages = asyncio.Queue()
        self.operations = {}
        self.is_open = False

    def send(self, event, **data):
        self.messages.put_nowait(f"event: {event}\ndata: {json.dumps(data)}\n\n")

    def begin(self, operation, context, body):
        task = asyncio.create_task(self.run(operation, context, body))
        self.operations[operation] = task
        task.add_done_callback(lambda _: self.operations.pop(operation, None))

    async def run(self, operation, context, body):
        results = await schema.stream(
            body["query"], variable_values=body.get("variables"), context_value=context,
            operation_name=body.get("operationName"),
        )
        with contextlib.suppress(RuntimeError):
            async with aclosing(results):
                async for result in results:
                    self.send("next", id=operation, payload=payload(result))
                    if isinstance(result, PreExecutionError):
                        break
        self.send("complete", id=operation)

    def end(self, operation=None):
        """Ends an operation, or all."""
        for name, task in list(self.operations.items()):
            if operation in (None, name):
                task.cancel()


def payload(result):
    # A request that is not executed has no data, not even null.
    found = {} if isinstance(result, PreExecutionError) else {"data": result.data}
    if result.errors:
        found["errors"] = [error.formatted for error in result.errors]
    return found


class SingleConnection:
    """The endpoint."""

    def __init__(self):
        self.streams = {}

    async def __call__(self, scope, receive, send):
        request = Request(scope, receive)
        response = await self.respond(request)
        await response(scope, receive, send)

    async def respond(self, request):
        if not is_authorized(request):
            return JSONResponse({"errors": [{"message": "Sign in first."}]}, status_code=401)
        if request.method == "PUT":
            token = str(uuid.uuid4())
            self.streams[token] = EventStream()
            return PlainTextResponse(token, status_code=201)
        token = request.headers.get(
            "x-graphql-event-stream-token", request.query_params.get("token")
        )
        stream = self.streams.get(token)
        if stream is None:
            return PlainTextResponse("Stream not found", status_code=404)
        if request.method == "GET":
            return self.open(stream, token)
        if request.method == "DELETE":
            return self.delete(stream, request.query_params.get("operationId"))
        return self.post(stream, request, await request.json())

    def open(self, stream, token):
        if stream.is_open:
            return PlainTextResponse("Stream already open", status_code=409)
        stream.is_open = True

        async def messages():
            try:
                yield ":\n\n"
                while True:
                    yield await stream.messages.get()
            finally:
                self.streams.pop(token, None)
                stream.end()

        return StreamingResponse(messages(), media_type="text/event-stream")

    def delete(self, stream, operation):
        if not operation:
            return PlainTextResponse("Operation ID is missing", status_code=400)
        stream.end(operation)
        return Response(status_code=200)

    def post(self, stream, request, body):
        operation = (body.get("extensions") or {}).get("operationId")
        if not operation:
            return PlainTextResponse("Operation ID is missing", status_code=400)
        if operation in stream.operations:
            return PlainTextResponse("Operation with ID already exists", status_code=409)
        stream.begin(operation, context_of(request), body)
        return Response(status_code=202)
