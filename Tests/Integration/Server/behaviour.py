"""The behaviour that a client requests of a mutation: an outcome, a wait, or both."""

import asyncio
import enum
from typing import Optional

import strawberry

from nodes import state_of


@strawberry.enum(description="The outcome of a mutation.")
class Outcome(enum.Enum):
    SUCCEED = strawberry.enum_value("SUCCEED", description="Succeeds.")
    FAIL = strawberry.enum_value("FAIL", description="Fails with a GraphQL error; changes nothing.")
    PARTIAL = strawberry.enum_value("PARTIAL", description="Succeeds, with an error at `warning`.")
    NULL_PAYLOAD = strawberry.enum_value("NULL_PAYLOAD", description="Succeeds with a null payload.")


@strawberry.input(description="The behaviour of a mutation, for demonstrations and tests.")
class Behaviour:
    outcome: Outcome = Outcome.SUCCEED
    gate: Optional[str] = strawberry.field(
        default=None, description="Waits until `openGate` is called with this name."
    )
    delay_milliseconds: int = 0


class Refusal(Exception):
    """An error whose message is meant for the client."""


def refuse(message):
    raise Refusal(message)


def local_id(id, kind):
    if id.type_name != kind:
        refuse(f"The id is not one of a {kind}.")
    return id.node_id


async def apply_behaviour(info, behaviour):
    """Waits for the gate and the delay, then raises or returns the requested outcome."""
    if behaviour is None:
        return Outcome.SUCCEED
    if behaviour.gate is not None:
        await state_of(info).gate(behaviour.gate).wait()
    if behaviour.delay_milliseconds > 0:
        await asyncio.sleep(behaviour.delay_milliseconds / 1000)
    if behaviour.outcome == Outcome.FAIL:
        refuse("The server was told to refuse this.")
    return behaviour.outcome
