"""The routes of `/live`, by which a test publishes events, and waits for subscriptions.

Each responds as GraphQL does, so that a GraphQL client can call it.
"""

from starlette.responses import JSONResponse
from starlette.routing import Mount, Route

from access import state_for
from live import End


async def wait_for_count(request):
    """Responds when the session has a number of live subscriptions."""
    await state_for(request).live.wait_for(int(request.query_params["is"]))
    return JSONResponse({"data": {}})


async def publish(request):
    """Sends an event: a task's key, the end, or an error."""
    parameters = request.query_params
    if "task" in parameters:
        event = parameters["task"]
    elif "error" in parameters:
        event = RuntimeError(parameters["error"])
    else:
        event = End()
    state_for(request).live.publish(event)
    return JSONResponse({"data": {}})


async def require_token(request):
    """Requires a token from now on; none without the parameter."""
    state_for(request).token = request.query_params.get("token")
    return JSONResponse({"data": {}})


LIVE = Mount("/live", routes=[
    Route("/count", wait_for_count, methods=["POST"]),
    Route("/publish", publish, methods=["POST"]),
    Route("/token", require_token, methods=["POST"]),
])
