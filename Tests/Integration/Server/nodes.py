"""The types of the task tracker: strawberry objects, created from a session's dictionaries."""

import datetime
import enum
from typing import Annotated, AsyncGenerator, Iterable, Optional, Union

import strawberry
from strawberry import relay

from state import parse_time


@strawberry.enum(description="The progress of a task.")
class TaskStatus(enum.Enum):
    TODO = "TODO"
    IN_PROGRESS = "IN_PROGRESS"
    DONE = "DONE"


@strawberry.enum
class Priority(enum.Enum):
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"


@strawberry.enum
class Role(enum.Enum):
    ADMIN = "ADMIN"
    MEMBER = "MEMBER"
    GUEST = "GUEST"


@strawberry.enum
class TaskOrder(enum.Enum):
    CREATED = "CREATED"
    TITLE = "TITLE"
    PRIORITY = "PRIORITY"


@strawberry.input(description="A filter of tasks; an omitted or null field does not filter.")
class TaskFilter:
    status: Optional[list[TaskStatus]] = None
    priority: Optional[Priority] = None
    text: Optional[str] = None
    only_unassigned: bool = False


def state_of(info):
    return info.context["state"]


async def pass_gate(context, index):
    """Waits for the gate of a part, such as `name-0`, if the request has `X-Gate: name`."""
    if name := context.get("gate"):
        await context["state"].gate(f"{name}-{index}").wait()


class Stored:
    """A base class that loads the nodes of a type from the session's dictionary of that type."""

    @classmethod
    def load(cls, state, key):
        row = state.data[cls.__name__].get(key)
        return None if row is None else cls(key=key, **cls.values(row))

    @classmethod
    def resolve_nodes(cls, *, info, node_ids: Iterable[str], required: bool = False):
        found = [cls.load(state_of(info), node_id) for node_id in node_ids]
        if required and None in found:
            raise ValueError(f"There is no such {cls.__name__}.")
        return found


@strawberry.interface(description="A user or team that a task can be assigned to.")
class Assignee(relay.Node):
    name: str


@strawberry.type(description="A label; it has no id.")
class Label:
    name: str
    color: str


@strawberry.type
class User(Stored, Assignee, relay.Node):
    key: relay.NodeID[str]
    name: str
    email: Optional[str]
    role: Role

    @classmethod
    def values(cls, row):
        return {"name": row["name"], "email": row["email"], "role": Role(row["role"])}

    @relay.connection(relay.ListConnection[Annotated["Task", strawberry.lazy("nodes")]])
    def assigned(self, info: strawberry.Info) -> Iterable["Task"]:
        return tasks_where(state_of(info), lambda row: row["assignee"] == f"User:{self.key}")


@strawberry.type
class Team(Stored, Assignee, relay.Node):
    key: relay.NodeID[str]
    name: str
    member_keys: strawberry.Private[list[str]]

    @classmethod
    def values(cls, row):
        return {"name": row["name"], "member_keys": row["members"]}

    @strawberry.field
    def members(self, info: strawberry.Info) -> list[User]:
        return [User.load(state_of(info), key) for key in self.member_keys]


@strawberry.type
class Comment(Stored, relay.Node):
    key: relay.NodeID[str]
    body: str
    at: datetime.datetime
    author_key: strawberry.Private[str]

    @classmethod
    def values(cls, row):
        return {"body": row["body"], "at": parse_time(row["at"]), "author_key": row["author"]}

    @strawberry.field
    def author(self, info: strawberry.Info) -> User:
        return User.load(state_of(info), self.author_key)


@strawberry.type(description="A change of a task's status; it has no id.")
class StatusChange:
    from_: TaskStatus = strawberry.field(name="from")
    to: TaskStatus
    at: datetime.datetime
    by_key: strawberry.Private[str]

    @strawberry.field
    def by(self, info: strawberry.Info) -> User:
        return User.load(state_of(info), self.by_key)


Activity = Annotated[
    Union[Comment, StatusChange],
    strawberry.union("Activity", description="An entry of a task's activity."),
]


@strawberry.type
class Task(Stored, relay.Node):
    key: relay.NodeID[str]
    title: str
    notes: Optional[str]
    status: TaskStatus
    priority: Priority
    estimate: Optional[float] = strawberry.field(description="The estimate in hours.")
    created_at: datetime.datetime
    due_at: Optional[datetime.datetime]
    label_keys: strawberry.Private[list[str]]
    assignee_key: strawberry.Private[Optional[str]]
    project_key: strawberry.Private[str]

    @classmethod
    def values(cls, row):
        return {
            "title": row["title"],
            "notes": row["notes"],
            "status": TaskStatus(row["status"]),
            "priority": Priority(row["priority"]),
            "estimate": row["estimate"],
            "created_at": parse_time(row["createdAt"]),
            "due_at": parse_time(row["dueAt"]),
            "label_keys": row["labels"],
            "assignee_key": row["assignee"],
            "project_key": row["project"],
        }

    @strawberry.field
    def is_complete(self) -> bool:
        return self.status == TaskStatus.DONE

    @strawberry.field
    def labels(self, info: strawberry.Info) -> list[Label]:
        return [Label(**state_of(info).data["Label"][key]) for key in self.label_keys]

    @strawberry.field
    def assignee(self, info: strawberry.Info) -> Optional[Assignee]:
        return load_assignee(state_of(info), self.assignee_key)

    @strawberry.field
    def project(self, info: strawberry.Info) -> Annotated["Project", strawberry.lazy("nodes")]:
        return Project.load(state_of(info), self.project_key)

    # `Streamable` would lose the name of the union.
    @strawberry.field(description="The activity, oldest first.", graphql_type=list[Activity])
    async def activity(self, info: strawberry.Info) -> AsyncGenerator[Activity, None]:
        state = state_of(info)
        entries = [entry for entry in state.data["Activity"] if entry["task"] == self.key]
        for index, entry in enumerate(entries):
            await pass_gate(info.context, index)
            yield load_activity(state, entry)


@strawberry.type
class Project(Stored, relay.Node):
    key: relay.NodeID[str]
    name: str
    owner_key: strawberry.Private[Optional[str]]

    @classmethod
    def values(cls, row):
        return {"name": row["name"], "owner_key": row["owner"]}

    @strawberry.field
    def owner(self, info: strawberry.Info) -> Optional[Assignee]:
        return load_assignee(state_of(info), self.owner_key)

    @relay.connection(relay.ListConnection[Task])
    def tasks(
        self,
        info: strawberry.Info,
        filter: Optional[TaskFilter] = None,
        order_by: TaskOrder = TaskOrder.CREATED,
    ) -> Iterable[Task]:
        found = tasks_where(state_of(info), lambda row: row["project"] == self.key)
        return ordered(filtered(found, filter), order_by)

    @strawberry.field
    def task_count(self, info: strawberry.Info, status: Optional[TaskStatus] = None) -> int:
        found = tasks_where(state_of(info), lambda row: row["project"] == self.key)
        return sum(1 for task in found if status is None or task.status == status)


SearchResult = Annotated[Union[Task, Project, User], strawberry.union("SearchResult")]


def tasks_where(state, predicate):
    rows = state.data["Task"]
    return [Task.load(state, key) for key in sorted(rows, key=int) if predicate(rows[key])]


def filtered(tasks, wanted):
    if wanted is None:
        return tasks
    if wanted.status is not None:
        tasks = [task for task in tasks if task.status in wanted.status]
    if wanted.priority is not None:
        tasks = [task for task in tasks if task.priority == wanted.priority]
    if wanted.text is not None:
        tasks = [task for task in tasks if wanted.text.lower() in task.title.lower()]
    if wanted.only_unassigned:
        tasks = [task for task in tasks if task.assignee_key is None]
    return tasks


def ordered(tasks, order):
    ranks = {Priority.HIGH: 0, Priority.MEDIUM: 1, Priority.LOW: 2}
    if order == TaskOrder.TITLE:
        return sorted(tasks, key=lambda task: task.title)
    if order == TaskOrder.PRIORITY:
        return sorted(tasks, key=lambda task: ranks[task.priority])
    return tasks


def load_assignee(state, key):
    if key is None:
        return None
    kind, _, local = key.partition(":")
    return {"User": User, "Team": Team}[kind].load(state, local)


def load_activity(state, entry):
    if "comment" in entry:
        return Comment.load(state, entry["comment"])
    return StatusChange(
        from_=TaskStatus(entry["from"]),
        to=TaskStatus(entry["to"]),
        at=parse_time(entry["at"]),
        by_key=entry["by"],
    )
