"""The subscriptions. Their events are published by mutations, and by the routes of `/live`."""

from typing import AsyncGenerator, Optional

import strawberry
from strawberry import relay

from behaviour import local_id
from live import End, next_key
from nodes import Task, state_of


@strawberry.type
class Subscription:
    @strawberry.subscription(description="A task that `updateTask` has changed.")
    async def task_changed(
        self, info: strawberry.Info, id: Optional[relay.GlobalID] = None
    ) -> AsyncGenerator[Task, None]:
        state = state_of(info)
        wanted = None if id is None else local_id(id, "Task")
        with state.live.open() as queue:
            try:
                while True:
                    key = await next_key(queue)
                    if wanted in (None, key):
                        yield Task.load(state, key)
            except End:
                return
