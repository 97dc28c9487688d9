"""The schema: the query type, and fields that fail deliberately."""

import datetime
from typing import Iterable, Optional

import strawberry
from strawberry import relay
from strawberry.schema.config import StrawberryConfig

from behaviour import local_id, refuse
from mutations import Mutation
from nodes import (
    Comment, Project, SearchResult, Task, TaskFilter, TaskOrder, Team, User, filtered, ordered,
    state_of, tasks_where,
)
from subscriptions import Subscription


@strawberry.type(description="A list item whose value fails at every third index.")
class FaultItem:
    index: int

    @strawberry.field
    def value(self) -> str:
        if self.index % 3 == 1:
            refuse(f"Item {self.index} is broken.")
        return f"item {self.index}"


@strawberry.type(description="Fields that fail, for tests of error propagation.")
class Faults:
    message: str = "still here"

    @strawberry.field
    def nullable(self) -> Optional[str]:
        refuse("The nullable field is broken.")

    @strawberry.field
    def required(self) -> str:
        refuse("The required field is broken.")

    @strawberry.field(description="Null, although the type is non-null.")
    def hole(self) -> str:
        return None

    @strawberry.field
    def items(self, count: int = 3) -> list[Optional[FaultItem]]:
        return [FaultItem(index=index) for index in range(count)]

    @strawberry.field
    def strict_items(self, count: int = 3) -> Optional[list[FaultItem]]:
        return [FaultItem(index=index) for index in range(count)]

    @strawberry.field
    def child(self) -> Optional["Faults"]:
        return Faults()

    @strawberry.field
    def required_child(self) -> "Faults":
        return Faults()


@strawberry.type
class Query:
    node: Optional[relay.Node] = relay.node()
    nodes: list[Optional[relay.Node]] = relay.node()

    @strawberry.field
    def viewer(self, info: strawberry.Info) -> User:
        state = state_of(info)
        return User.load(state, state.data["viewer"])

    @strawberry.field
    def project(self, info: strawberry.Info, id: relay.GlobalID) -> Optional[Project]:
        return Project.load(state_of(info), local_id(id, "Project"))

    @strawberry.field
    def projects(self, info: strawberry.Info) -> list[Project]:
        state = state_of(info)
        return [Project.load(state, key) for key in sorted(state.data["Project"], key=int)]

    @strawberry.field
    def task(self, info: strawberry.Info, id: relay.GlobalID) -> Optional[Task]:
        return Task.load(state_of(info), local_id(id, "Task"))

    @relay.connection(relay.ListConnection[Task])
    def tasks(
        self,
        info: strawberry.Info,
        filter: Optional[TaskFilter] = None,
        order_by: TaskOrder = TaskOrder.CREATED,
    ) -> Iterable[Task]:
        return ordered(filtered(tasks_where(state_of(info), lambda row: True), filter), order_by)

    @strawberry.field
    def search(self, info: strawberry.Info, text: str) -> list[SearchResult]:
        state = state_of(info)
        everything = []
        for kind, name in ((Task, "title"), (Project, "name"), (User, "name")):
            for key in sorted(state.data[kind.__name__], key=int):
                found = kind.load(state, key)
                if text.lower() in getattr(found, name).lower():
                    everything.append(found)
        return everything

    @strawberry.field
    def due_before(self, info: strawberry.Info, time: datetime.datetime) -> list[Task]:
        everything = tasks_where(state_of(info), lambda row: row["dueAt"] is not None)
        return [task for task in everything if task.due_at < time]

    @strawberry.field
    def faults(self) -> Faults:
        return Faults()


schema = strawberry.Schema(
    query=Query,
    mutation=Mutation,
    subscription=Subscription,
    types=[User, Team, Task, Project, Comment],
    config=StrawberryConfig(
        relay_max_results=1000, enable_experimental_incremental_execution=True
    ),
)
