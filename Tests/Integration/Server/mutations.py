"""The mutations. Those that change the data take a `behaviour` in addition to their input."""

import base64
import datetime
from typing import Optional

import strawberry
from strawberry import UNSET, relay
from strawberry.file_uploads import Upload

from behaviour import Behaviour, Outcome, apply_behaviour, local_id, refuse
from nodes import Comment, Priority, Project, Task, TaskStatus, state_of


@strawberry.input
class AddTaskInput:
    project_id: relay.GlobalID
    title: str
    notes: Optional[str] = None
    priority: Priority = Priority.MEDIUM
    due_at: Optional[datetime.datetime] = None
    labels: list[str] = strawberry.field(default_factory=list)


@strawberry.input(description="The changes of a task; an omitted field keeps its value.")
class UpdateTaskInput:
    id: relay.GlobalID
    title: Optional[str] = UNSET
    notes: Optional[str] = strawberry.field(default=UNSET, description="Null clears it.")
    status: Optional[TaskStatus] = UNSET
    priority: Optional[Priority] = UNSET
    estimate: Optional[float] = strawberry.field(default=UNSET, description="Null clears it.")
    due_at: Optional[datetime.datetime] = strawberry.field(
        default=UNSET, description="Null clears it."
    )
    assignee_id: Optional[relay.GlobalID] = strawberry.field(
        default=UNSET, description="Null removes the assignee."
    )


@strawberry.input
class AddCommentInput:
    task_id: relay.GlobalID
    body: str


@strawberry.interface(description="The fields of every mutation's payload.")
class Payload:
    failure: strawberry.Private[bool] = False

    @strawberry.field(description="Null, with an error if the outcome is PARTIAL.")
    def warning(self) -> Optional[str]:
        return refuse("The server was told to fail in part.") if self.failure else None


@strawberry.type
class AddTaskPayload(Payload):
    edge: relay.Edge[Task]
    project: Project

    @strawberry.field
    def task(self) -> Task:
        return self.edge.node


@strawberry.type
class UpdateTaskPayload(Payload):
    task: Task


@strawberry.type
class DeleteTaskPayload(Payload):
    deleted_id: relay.GlobalID
    project: Project


@strawberry.type
class AddCommentPayload(Payload):
    comment: Comment
    task: Task


@strawberry.type(description="An uploaded file, as the server received it.")
class Attachment:
    name: str
    content_type: str
    size: int
    sum: int = strawberry.field(description="The sum of the file's bytes.")


@strawberry.type
class Mutation:
    @strawberry.mutation
    async def add_task(
        self, info: strawberry.Info, input: AddTaskInput, behaviour: Optional[Behaviour] = None
    ) -> Optional[AddTaskPayload]:
        outcome = await apply_behaviour(info, behaviour)
        state = state_of(info)
        project = Project.load(state, local_id(input.project_id, "Project"))
        if project is None:
            refuse("There is no such project.")
        unknown = [key for key in input.labels if key not in state.data["Label"]]
        if unknown:
            refuse(f'There is no label "{unknown[0]}".')
        if outcome == Outcome.NULL_PAYLOAD:
            return None
        key = state.new_id("Task")
        state.data["Task"][key] = {
            "title": checked_title(input.title),
            "notes": input.notes,
            "status": "TODO",
            "priority": input.priority.value,
            "estimate": None,
            "createdAt": state.tick().isoformat(),
            "dueAt": time_text(input.due_at),
            "labels": list(input.labels),
            "assignee": None,
            "project": project.key,
        }
        mine = [row for row in state.data["Task"].values() if row["project"] == project.key]
        cursor = base64.b64encode(f"arrayconnection:{len(mine) - 1}".encode()).decode()
        edge = relay.Edge(cursor=cursor, node=Task.load(state, key))
        return AddTaskPayload(failure=outcome == Outcome.PARTIAL, edge=edge, project=project)

    @strawberry.mutation
    async def update_task(
        self, info: strawberry.Info, input: UpdateTaskInput, behaviour: Optional[Behaviour] = None
    ) -> Optional[UpdateTaskPayload]:
        outcome = await apply_behaviour(info, behaviour)
        state = state_of(info)
        key = existing_task(state, input.id)
        changes = task_changes(state, input)
        if outcome == Outcome.NULL_PAYLOAD:
            return None
        row = state.data["Task"][key]
        if changes.get("status", row["status"]) != row["status"]:
            state.data["Activity"].append({
                "task": key, "from": row["status"], "to": changes["status"],
                "by": state.data["viewer"], "at": state.tick().isoformat(),
            })
        row.update(changes)
        state.live.publish(key)
        return UpdateTaskPayload(failure=outcome == Outcome.PARTIAL, task=Task.load(state, key))

    @strawberry.mutation
    async def delete_task(
        self, info: strawberry.Info, id: relay.GlobalID, behaviour: Optional[Behaviour] = None
    ) -> Optional[DeleteTaskPayload]:
        outcome = await apply_behaviour(info, behaviour)
        state = state_of(info)
        key = existing_task(state, id)
        if outcome == Outcome.NULL_PAYLOAD:
            return None
        row = state.data["Task"].pop(key)
        return DeleteTaskPayload(
            failure=outcome == Outcome.PARTIAL, deleted_id=id,
            project=Project.load(state, row["project"]),
        )

    @strawberry.mutation
    async def add_comment(
        self, info: strawberry.Info, input: AddCommentInput, behaviour: Optional[Behaviour] = None
    ) -> Optional[AddCommentPayload]:
        outcome = await apply_behaviour(info, behaviour)
        state = state_of(info)
        key = existing_task(state, input.task_id)
        if outcome == Outcome.NULL_PAYLOAD:
            return None
        comment = state.new_id("Comment")
        state.data["Comment"][comment] = {
            "task": key, "author": state.data["viewer"], "body": input.body,
            "at": state.tick().isoformat(),
        }
        state.data["Activity"].append({"task": key, "comment": comment})
        return AddCommentPayload(
            failure=outcome == Outcome.PARTIAL, comment=Comment.load(state, comment),
            task=Task.load(state, key),
        )

    @strawberry.mutation(description="Uploads files, and returns their properties.")
    async def attach(self, files: list[Upload]) -> list[Attachment]:
        found = []
        for file in files:
            content = await file.read()
            found.append(Attachment(
                name=file.filename, content_type=file.content_type, size=len(content),
                sum=sum(content),
            ))
        return found

    @strawberry.mutation(description="Opens a gate, which resumes the mutations that wait for it.")
    async def open_gate(self, info: strawberry.Info, name: str) -> bool:
        if not name:
            refuse("A gate needs a name.")
        gate = state_of(info).gate(name)
        was_closed = not gate.is_set()
        gate.set()
        return was_closed


def existing_task(state, id):
    key = local_id(id, "Task")
    if key not in state.data["Task"]:
        refuse("There is no such task.")
    return key


def checked_title(title):
    return title if title.strip() else refuse("A task needs a title.")


def time_text(time):
    return None if time is None else time.isoformat()


def task_changes(state, input):
    """Returns the changed fields of a task in the representation of the session's dictionaries."""
    changes = {}
    if input.title not in (UNSET, None):
        changes["title"] = checked_title(input.title)
    if input.notes is not UNSET:
        changes["notes"] = input.notes
    if input.status not in (UNSET, None):
        changes["status"] = input.status.value
    if input.priority not in (UNSET, None):
        changes["priority"] = input.priority.value
    if input.estimate is not UNSET:
        changes["estimate"] = input.estimate
    if input.due_at is not UNSET:
        changes["dueAt"] = time_text(input.due_at)
    if input.assignee_id is not UNSET:
        changes["assignee"] = assignee_key(state, input.assignee_id)
    return changes


def assignee_key(state, id):
    if id is None:
        return None
    if id.type_name not in ("User", "Team") or id.node_id not in state.data[id.type_name]:
        refuse("There is no such assignee.")
    return f"{id.type_name}:{id.node_id}"
