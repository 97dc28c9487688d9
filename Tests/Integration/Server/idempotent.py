"""Idempotency keys: an endpoint that executes a request once for each key."""

import asyncio


class Idempotent:
    """Answers a request whose `Idempotency-Key` is known as it has answered the first one."""

    def __init__(self, app):
        self.app = app
        self.answers = {}

    async def __call__(self, scope, receive, send):
        key = dict(scope.get("headers", ())).get(b"idempotency-key")
        if key is None:
            return await self.app(scope, receive, send)
        if key not in self.answers:
            self.answers[key] = asyncio.ensure_future(self.execute(scope, receive))
        # Others may wait for the answer when this connection is lost.
        for message in await asyncio.shield(self.answers[key]):
            await send(message)

    async def execute(self, scope, receive):
        messages = []

        async def keep(message):
            messages.append(message)

        await self.app(scope, receive, keep)
        return messages
