"""Ariadne's GraphQL server, with the same schema and data."""

from ariadne.asgi import GraphQL
from ariadne.asgi.handlers import GraphQLHTTPHandler, GraphQLTransportWSHandler
from ariadne.contrib.sse import SSESubscriptionHandler
from graphql import GraphQLSchema, is_specified_directive
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse

from access import context_of, is_authorized
from schema import schema


def without_incremental_delivery(schema):
    """Returns a schema without `@defer` and `@stream`, which Ariadne does not execute."""
    parts = schema.to_kwargs()
    parts["directives"] = [each for each in parts["directives"] if is_specified_directive(each)]
    return GraphQLSchema(**parts)


GRAPHQL = GraphQL(
    without_incremental_delivery(schema._schema),
    context_value=lambda request, data: context_of(request),
    introspection=False,
    http_handler=GraphQLHTTPHandler(subscription_handlers=[SSESubscriptionHandler()]),
    websocket_handler=GraphQLTransportWSHandler(),
)


async def ariadne(scope, receive, send):
    """Refuses a request or a handshake without the session's token."""
    connection = HTTPConnection(scope)
    if is_authorized(connection):
        await GRAPHQL(scope, receive, send)
    elif scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close"})
    else:
        response = JSONResponse({"errors": [{"message": "Sign in first."}]}, status_code=401)
        await response(scope, receive, send)
