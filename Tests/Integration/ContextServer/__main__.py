"""A session with `relay-compiler mcp`, driven by the reference client of the Model Context Protocol.

    python Tests/Integration/ContextServer BINARY

The client checks every message against the protocol, once with a handshake and once in the newest version,
which has none. Its exit code is 1 if a check fails.
"""

import asyncio
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from mcp import Client, ClientSession, MCPError, StdioServerParameters, stdio_client

SCHEMA = '''
"""
What can be asked.
"""
type Query { viewer: User user(id: ID!): User }
"Somebody who uses the app."
type User { id: ID! name: String! login: String @deprecated(reason: "Use name.") friends(first: Int): [User!]! }
type Mutation {
''' + "".join(f'  "Changes the number {number}, for everybody."\n  change{number}(id: ID!): User\n' for number in range(500)) + "}\n"
FEED = '''let query = graphql("""
  query Feed {
    viewer { ...Row_user }
  }
  """)
let row = graphql("fragment Row_user on User { nam }")
'''
TOOLS = {"search_schema", "validate", "explain", "usages", "apply_fix"}


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def text(result):
    return result.content[0].text


async def call(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    check(not result.is_error, text(result))
    check(len(result.content) == 1 and result.structured_content is None, result)
    check(len(text(result)) <= 20_000, f"{tool}: {len(text(result))} characters")
    return text(result)


async def use_tools(client, folder):
    """Finds an error, fixes it, and asks about what is there then."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    check(tools.keys() == TOOLS, f"tools {tools.keys()}")
    for name, tool in tools.items():
        check(tool.annotations.read_only_hint == (name != "apply_fix"), f"annotations of {name}")

    found = await call(client, "search_schema", query="User", paths=True)
    check(found.startswith("type User\n") and "  path: Query.viewer\n" in found, found)
    check("  User.login: String\n    deprecated: Use name." in found, found)
    many = await call(client, "search_schema", query="Mutation")
    check("Call search_schema with offset " in many, many[-200:])

    broken = await client.call_tool("explain", {"name": "Feed"})
    check(broken.is_error and "Call validate" in text(broken), text(broken))
    problems = await call(client, "validate")
    check("src/Feed.swift:6:48: error: " in problems, problems)
    fix = re.search('(fix[0-9]+): Change to "name"', problems).group(1)
    fixed = await call(client, "apply_fix", fix=fix)
    check(fixed.startswith("src/Feed.swift:6: ") and "No errors" in fixed, fixed)
    check((folder / "src/Feed.swift").read_text() == FEED.replace("nam }", "name }"), "the file")
    again = await client.call_tool("apply_fix", {"fix": fix})
    check(again.is_error and "has changed" in text(again), text(again))

    explained = await call(client, "explain", name="FeedQuery")
    check("struct FeedQuery" in explained and "fragment Row_user on User" in explained, explained)
    places = await call(client, "usages", of="User.name")
    check(re.findall("(?m)^(\\S+?):([0-9]+):", places) == [("src/Feed.swift", "6")], places)

    draft = await call(client, "validate", document="query Draft { viewer { frends { id } } }")
    check('Change to "friends"' in draft, draft)
    write(folder, {"src/Other.graphql": "query Other { user(id: 1) { ...Row_user } }"})
    places = await call(client, "usages", of="Row_user")
    check(re.findall("(?m)^(\\S+?):[0-9]+:", places) == ["src/Feed.swift", "src/Other.graphql"], places)

    for name, arguments in [("validate", {"pth": "x"}), ("explain", {})]:
        wrong = await client.call_tool(name, arguments)
        check(wrong.is_error and "argument" in text(wrong), text(wrong))
    try:
        await client.call_tool("no_tool", {})
        check(False, "no_tool was called")
    except MCPError as error:
        check(error.error.code == -32602, error)
    outside = await client.call_tool("validate", {"path": "../../etc/passwd"})
    check(outside.is_error and "not a file of the project" in text(outside), text(outside))


def check_output(binary, folder):
    """Checks that standard output has one message a line, and that the end of the input ends the server."""
    lines = [b"garbage", b"\xff\xfe", b'{"jsonrpc": "2.0", "id": 5, "method": "ping"}', b"", b'{"jsonrpc": "2.0", "id": 6, "method": "x"}']
    run = subprocess.run([binary, "mcp"], input=b"\n".join(lines), capture_output=True, cwd=folder, check=True, timeout=60)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    found = [(answer["id"], answer.get("error", {}).get("code")) for answer in answers]
    check(found == [(None, -32700), (None, -32700), (5, None), (6, -32601)], found)
    check(run.stderr == b"", run.stderr)


async def main(binary):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        configuration = {"schema": "schema.graphql", "src": "src", "artifactDirectory": "out"}
        files = {"schema.graphql": SCHEMA, "src/Feed.swift": FEED, "relay.config.json": json.dumps(configuration)}
        for arguments, working in [([], folder), (["--config", str(folder / "relay.config.json")], "/")]:
            write(folder, files)
            (folder / "src/Other.graphql").unlink(missing_ok=True)
            server = StdioServerParameters(command=binary, args=["mcp", *arguments], cwd=working)
            if arguments:
                # The newest version has no handshake.
                async with Client(server) as client:
                    check(client.protocol_version == "2026-07-28", client.protocol_version)
                    check(client.server_info.name == "relay-compiler", client.server_info)
                    await use_tools(client, folder)
            else:
                async with stdio_client(server) as streams, ClientSession(*streams) as session:
                    started = await session.initialize()
                    check(started.server_info.name == "relay-compiler", started)
                    check(started.protocol_version == "2025-11-25", started)
                    await session.send_ping()
                    await use_tools(session, folder)
        check_output(binary, folder)
    print("The reference client has used all tools.")


if __name__ == "__main__":
    asyncio.run(main(str(pathlib.Path(sys.argv[1]).resolve())))
