"""graphql-core, the reference implementation, on the data of a case."""

from __future__ import annotations

import asyncio
import copy
from random import Random

import graphql
from graphql import (
    DocumentNode, FragmentDefinitionNode, OperationDefinitionNode, build_schema, execute, get_variable_values, parse,
)
from graphql.execution import ExperimentalIncrementalExecutionResults, experimental_execute_incrementally

from data import Data, Object

Result = dict


class Reference:
    """One operation on one set of data."""

    def __init__(self, schema: str, text: str, variables: dict, data: Data):
        self.schema = build_schema(schema)
        self.data = data
        self.variables = variables
        self.document = parse(text)
        self.root = Object("Query", "client:root", None)
        definitions = self.document.definitions
        self.operation = next(each for each in definitions if isinstance(each, OperationDefinitionNode))
        self.coerced = get_variable_values(self.schema, self.operation.variable_definitions or (), variables)
        self.fragments = {
            each.name.value: each for each in definitions if isinstance(each, FragmentDefinitionNode)}

    def _resolve(self, owner, info, **arguments):
        return self.data.value(self.schema, owner, info.field_name, arguments)

    def plain(self) -> Result:
        """Returns the response without parts: execute() ignores the directives."""
        result = execute(
            self.schema, _without_parts(self.document), self.root, variable_values=self.variables,
            field_resolver=self._resolve, type_resolver=lambda value, *_: value.type)
        return result.formatted

    def payloads(self, dice: Random) -> list[Result]:
        """Returns the payloads of a response in parts, in an order that follows from random delays."""
        return asyncio.run(asyncio.wait_for(self._payloads(dice), timeout=60))

    async def _payloads(self, dice: Random) -> list[Result]:
        async def resolve(owner, info, **arguments):
            for _ in range(dice.choice([0, 0, 1, 3, 9])):
                await asyncio.sleep(0)
            return self._resolve(owner, info, **arguments)

        is_synchronous = dice.random() < 0.2
        # With early execution, graphql-core 3.3.2 waits for ever after some errors of non-null fields.
        is_early = not self.data.fails and dice.random() < 0.5
        result = experimental_execute_incrementally(
            self.schema, self.document, self.root, variable_values=self.variables,
            field_resolver=self._resolve if is_synchronous else resolve,
            type_resolver=lambda value, *_: value.type, enable_early_execution=is_early)
        if asyncio.iscoroutine(result):
            result = await result
        if not isinstance(result, ExperimentalIncrementalExecutionResults):
            return [copy.deepcopy(result.formatted)]
        payloads = [copy.deepcopy(result.initial_result.formatted)]
        async for each in result.subsequent_results:
            payloads.append(copy.deepcopy(each.formatted))
        return payloads


def _without_parts(document: DocumentNode) -> DocumentNode:
    """Returns a document without the directives of parts."""
    class Visitor(graphql.Visitor):
        def enter_directive(self, node, *_):
            return graphql.REMOVE if node.name.value in ("defer", "stream") else None

    return graphql.visit(document, Visitor())
