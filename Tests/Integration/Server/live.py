"""The live subscriptions of a session: their events and their number."""

import asyncio
import contextlib


class End(Exception):
    """Ends a subscription, without an error."""


class LiveSubscriptions:
    """The subscriptions of one session that have not ended, and those who wait for their number."""

    def __init__(self):
        self.queues = set()
        self.changed = asyncio.Event()

    @contextlib.contextmanager
    def open(self):
        """Counts one subscription while its events are received from the queue."""
        queue = asyncio.Queue()
        self.queues.add(queue)
        self.note_change()
        try:
            yield queue
        finally:
            self.queues.discard(queue)
            self.note_change()

    def note_change(self):
        self.changed.set()
        self.changed = asyncio.Event()

    def publish(self, event):
        """Sends the key of a task to every subscription, or the exception that ends it."""
        for queue in self.queues:
            queue.put_nowait(event)

    async def wait_for(self, count):
        while len(self.queues) != count:
            await self.changed.wait()


async def next_key(queue):
    """Returns the key of the next task; raises the error that ends the subscription."""
    event = await queue.get()
    if isinstance(event, Exception):
        raise event
    return event
