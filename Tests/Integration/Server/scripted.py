"""Responses in parts, in the formats and with the bytes of servers that are not written in Python.

    /scripted/2020      the format of 2020, as express-graphql and graphql-helix send it
    /scripted/2022      the format of 2022, as Apollo Server sends it
    /scripted/router    the format of 2022, as Apollo Router sends it
    /scripted/lines     the format of 2022 in JSON lines, as Hot Chocolate sends it

A request has a deferred fragment or a streamed list on the field `task`. Its response is that of
the schema, divided here. A payload waits for the gate of its index; see `pass_gate`.
"""

import json
import re

from starlette.responses import StreamingResponse
from starlette.routing import Route

from access import context_of
from nodes import pass_gate
from schema import schema


class Multipart:
    """The framing of `multipart/mixed`."""

    def __init__(self, content_type, boundary, headers, has_length=False):
        self.content_type = content_type
        self.boundary = boundary
        self.headers = headers
        self.has_length = has_length

    def frames(self, payloads):
        """Returns a chunk for each payload; the delimiter that ends it belongs to it."""
        last = len(payloads) - 1
        for index, payload in enumerate(payloads):
            body = encoded(payload)
            length = f"Content-Length: {len(body.encode())}\r\n" if self.has_length else ""
            start = f"\r\n--{self.boundary}\r\n" if index == 0 else ""
            end = "--\r\n" if index == last else "\r\n"
            yield f"{start}{self.headers}\r\n{length}\r\n{body}\r\n--{self.boundary}{end}"


class Lines:
    content_type = "application/jsonl; charset=utf-8"

    def frames(self, payloads):
        return [encoded(payload) + "\n" for payload in payloads]


def encoded(payload):
    return json.dumps(payload, separators=(",", ":"), ensure_ascii=False)


def parts_of(text, data):
    """Removes the part that comes later from the data, and returns its label and its content."""
    task = data["task"]
    label = re.search(r'label:"([^"]+)"', text).group(1)
    if "@stream" in text:
        later = {"items": task["activity"][1:]}
        task["activity"] = task["activity"][:1]
    else:
        later = {"data": {name: task.pop(name) for name in ("notes", "activity")}}
    return label, later


def payloads_2020(text, data):
    label, later = parts_of(text, data)
    payloads = [{"data": data, "hasNext": True}]
    for index, item in enumerate(later.get("items", []), start=1):
        path = ["task", "activity", index]
        payloads.append({"data": item, "path": path, "label": label, "hasNext": True})
    if "data" in later:
        payloads.append({**later, "path": ["task"], "label": label, "hasNext": True})
    return [*payloads, {"hasNext": False}]


def payloads_2022(text, data):
    label, later = parts_of(text, data)
    path = ["task", "activity", 1] if "items" in later else ["task"]
    part = {**later, "path": path, "label": label}
    return [{"data": data, "hasNext": True}, {"incremental": [part], "hasNext": False}]


DASH = 'multipart/mixed; boundary="-"'
JSON = "application/json; charset=utf-8"
SCRIPTS = {
    "2020": (payloads_2020, Multipart(DASH, "-", f"Content-Type: {JSON}", has_length=True)),
    "2022": (
        payloads_2022, Multipart(f"{DASH}; deferSpec=20220824", "-", f"content-type: {JSON}")
    ),
    "router": (
        payloads_2022,
        Multipart(
            "multipart/mixed;boundary=graphql;deferSpec=20220824", "graphql",
            "content-type: application/json",
        ),
    ),
    "lines": (payloads_2022, Lines()),
}


async def respond(request):
    body = await request.json()
    context = context_of(request)
    plain = re.sub(r"@(defer|stream)\([^)]*\)", "", body["query"]).replace(
        ",$inParts:Boolean!=true", "")
    variables = {"id": body["variables"]["id"]}
    result = await schema.execute(plain, context_value={**context, "gate": None},
                                  variable_values=variables)
    make_payloads, framing = SCRIPTS[request.path_params["name"]]
    payloads = make_payloads(body["query"], result.data)

    async def frames():
        for index, frame in enumerate(framing.frames(payloads)):
            await pass_gate(context, index)
            yield frame.encode()

    return StreamingResponse(frames(), headers={"Content-Type": framing.content_type})


SCRIPTED = Route("/scripted/{name}", respond, methods=["POST"])
