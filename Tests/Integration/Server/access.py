"""The sessions by their names, and the credentials that a session can require."""

from state import Sessions

SESSIONS = Sessions()


def session_name(request):
    return request.headers.get("x-session", "default")


def state_for(request):
    return SESSIONS[session_name(request)]


def context_of(request):
    return {"state": state_for(request), "gate": request.headers.get("x-gate")}


def is_authorized(request):
    """Whether a request has the session's token, if there is one, in `Authorization`."""
    token = state_for(request).token
    return token is None or request.headers.get("authorization") == f"Bearer {token}"
