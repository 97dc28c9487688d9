"""A small executor that makes a part of each deferred fragment, with all of its fields, and of each streamed element:
what the formats of 2020 and 2022 transport. It shares only the parser and the data with graphql-core's."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from random import Random

from graphql import (
    FieldNode, FragmentSpreadNode, InlineFragmentNode, SelectionSetNode, get_argument_values, get_directive_values,
    is_abstract_type, is_leaf_type, is_list_type, is_non_null_type,
)
from graphql.type import GraphQLDeferDirective, GraphQLStreamDirective

from data import Failure
from reference import Reference

Path = list[str | int]
Groups = dict[str, list[FieldNode]]


@dataclass
class Part:
    """A deferred fragment, or one element of a streamed list; the initial response has no label."""

    path: Path
    label: str | None = None
    fragment: str | None = None
    # The id of the object, if it has one.
    record: str | None = None
    # The keys of its fields, without those of nested deferred fragments.
    fields: list[str] = field(default_factory=list)
    is_element: bool = False
    data: object = None
    # Whether a non-null error has removed the data.
    failed: bool = False
    errors: list[dict] = field(default_factory=list)
    # The part that this one is below, and the element before it.
    parent: Part | None = None
    previous: Part | None = None


class Null(Exception):
    """The error of a non-null field, on its way to the next nullable one."""


class Execution:
    """An execution, with its parts. Parents precede their children."""

    def __init__(self, reference: Reference, dice: Random, inlines: bool):
        self.reference = reference
        self.dice = dice
        # Whether some fragments are sent with their objects: @defer is a hint.
        self.inlines = inlines
        root = reference.root
        self.initial = Part([])
        self.parts: list[Part] = []
        # The paths of each object, by its key.
        self.paths: dict[str, set[tuple]] = {}
        self.connections: set[str] = set()
        # Whether several parts or fields have the edges of one connection. Which of them a client numbers first,
        # depends on the order then.
        self.repeats_connections = False
        # The field with its arguments of each response key, which is the same everywhere in a document.
        self.storage: dict[str, str] = {}
        groups, deferred = self._collect(root.type, [reference.operation.selection_set])
        self._execute(self.initial, lambda: self._object(root, groups, deferred, [], self.initial))

    # Fields

    def _collect(self, type_name: str, sets: list[SelectionSetNode]) -> tuple[Groups, list[tuple]]:
        """Returns the fields of an object, and its deferred fragments with theirs."""
        groups: Groups = {}
        deferred: list[tuple] = []
        visited: set[str] = set()
        for selections in sets:
            self._collect_into(groups, deferred, visited, type_name, selections)
        return groups, deferred

    def _collect_into(
        self, groups: Groups, deferred: list, visited: set, type_name: str, selections: SelectionSetNode
    ) -> None:
        for node in selections.selections:
            if isinstance(node, FieldNode):
                key = node.alias.value if node.alias else node.name.value
                self.storage[key] = self._storage_key(type_name, node)
                groups.setdefault(key, []).append(node)
                continue
            condition, inner, name = self._fragment(node)
            if not self._applies(condition, type_name):
                continue
            label = self._label(node)
            if label is not None:
                own: Groups = {}
                self._collect_into(own, deferred, set(), type_name, inner)
                deferred.append((label, name, own))
            elif name is None or name not in visited:
                visited.add(name)
                self._collect_into(groups, deferred, visited, type_name, inner)

    def _storage_key(self, type_name: str, node: FieldNode) -> str:
        """Returns a field with the values of its arguments."""
        if not node.arguments:
            return node.name.value
        definition = self.reference.schema.type_map[type_name].fields[node.name.value]
        arguments = get_argument_values(definition, node, self.reference.coerced)
        return node.name.value + json.dumps(arguments, sort_keys=True)

    def _fragment(self, node) -> tuple[str | None, SelectionSetNode, str | None]:
        if isinstance(node, FragmentSpreadNode):
            fragment = self.reference.fragments[node.name.value]
            return fragment.type_condition.name.value, fragment.selection_set, node.name.value
        assert isinstance(node, InlineFragmentNode)
        return node.type_condition and node.type_condition.name.value, node.selection_set, None

    def _applies(self, condition: str | None, type_name: str) -> bool:
        if condition in (None, type_name):
            return True
        types = self.reference.schema.type_map
        return is_abstract_type(types[condition]) and self.reference.schema.is_sub_type(
            types[condition], types[type_name])

    def _label(self, node) -> str | None:
        """Returns the label of a deferred fragment."""
        values = get_directive_values(GraphQLDeferDirective, node, self.reference.coerced)
        if values is None or values["if"] is False or (self.inlines and self.dice.random() < 0.4):
            return None
        return values["label"]

    # Values

    def _execute(self, part: Part, body) -> None:
        first = len(self.parts)
        try:
            part.data = body()
        except Null:
            part.data, part.failed = None, True
            del self.parts[first:]

    def _object(self, owner, groups: Groups, deferred: list, path: Path, part: Part) -> dict:
        self.paths.setdefault(owner.key, set()).add(tuple(path))
        result = {}
        for key, nodes in groups.items():
            result[key] = self._field(owner, nodes, [*path, key], part)
        for label, fragment, own in deferred:
            names = [key for key in own if key != "id" and not key.startswith("__")]
            record = owner.id if owner.type != "Query" else "client:root"
            child = Part(path, label, fragment, record, names, parent=part)
            self.parts.append(child)
            self._execute(child, lambda: self._object(owner, own, [], path, child))
        return result

    def _field(self, owner, nodes: list[FieldNode], path: Path, part: Part):
        name = nodes[0].name.value
        if name == "__typename":
            return owner.type
        definition = self.reference.schema.type_map[owner.type].fields[name]
        try:
            arguments = get_argument_values(definition, nodes[0], self.reference.coerced)
            value = self.reference.data.value(self.reference.schema, owner, name, arguments)
        except Failure as error:
            value = error
        return self._complete(definition.type, nodes, value, path, part, is_stream=True)

    def _complete(self, type, nodes, value, path: Path, part: Part, is_stream: bool = False):
        """Returns a value of the response; raises Null where a non-null one is missing."""
        if is_non_null_type(type):
            result = self._complete(type.of_type, nodes, value, path, part, is_stream)
            if result is None:
                raise Null
            return result
        if isinstance(value, Exception):
            part.errors.append({"message": str(value.args[0]), "path": path})
            return None
        if value is None:
            return None
        count = len(self.parts)
        try:
            if is_list_type(type):
                return self._list(type.of_type, nodes, value, path, part, is_stream)
            if is_leaf_type(type):
                return value
            groups, deferred = self._collect(value.type, [node.selection_set for node in nodes])
            if value.type.endswith("Connection"):
                self.repeats_connections |= value.key in self.connections
                self.connections.add(value.key)
            return self._object(value, groups, deferred, path, part)
        except Null:
            del self.parts[count:]
            return None

    def _list(self, type, nodes, values: list, path: Path, part: Part, is_stream: bool) -> list:
        stream = get_directive_values(GraphQLStreamDirective, nodes[0], self.reference.coerced)
        if not is_stream or stream is None or stream["if"] is False:
            return [self._complete(type, nodes, each, [*path, index], part) for index, each in enumerate(values)]
        count = stream["initialCount"]
        result = [self._complete(type, nodes, each, [*path, i], part) for i, each in enumerate(values[:count])]
        previous = None
        self.repeats_connections |= nodes[0].name.value == "edges" and path[-1] != "edges"
        for index in range(count, len(values)):
            element = Part([*path, index], stream["label"], is_element=True, parent=part, previous=previous)
            self.parts.append(element)
            self._execute(
                element, lambda: self._complete(type, nodes, values[index], [*path, index], element))
            previous = element
            if element.failed:
                break
        return result
