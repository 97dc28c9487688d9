"""The data behind a schema. Every value follows from a seed, the object and the field with its arguments, so that
each way to execute an operation finds the same."""

import json
from dataclasses import dataclass
from random import Random

from graphql import (
    GraphQLError, GraphQLObjectType, GraphQLSchema, is_abstract_type, is_list_type, is_non_null_type, is_object_type,
)


@dataclass(frozen=True)
class Object:
    """An object. Two with one key have the same values."""

    type: str
    key: str
    id: str | None


class Failure(GraphQLError):
    """The error of a field."""


class Data:
    """The values of fields.

    Where values of non-null fields may fail (`fails`), no object is found by two paths: an error removes the object
    that has the field, and a store could not tell what is right if another path leads to that object."""

    def __init__(self, seed: int, fails: bool):
        self.seed = seed
        self.fails = fails

    def value(self, schema: GraphQLSchema, owner: Object, field_name: str, arguments: dict):
        """Returns the value of a field; raises the error of one that fails."""
        type = schema.type_map[owner.type]
        assert isinstance(type, GraphQLObjectType)
        if field_name == "id":
            return owner.id
        name = field_name + (json.dumps(arguments, sort_keys=True) if arguments else "")
        value = self._value(schema, type.fields[field_name].type, f"{owner.key}:{name}", f"{owner.type}.{field_name}")
        if isinstance(value, Exception):
            raise value
        return value

    def _value(self, schema: GraphQLSchema, type, key: str, name: str):
        dice = Random(f"{self.seed} {key}")
        if is_non_null_type(type):
            if self.fails and name.split(".")[0] != "Query" and dice.random() < 0.1:
                return Failure(f"{name} is required")
            type = type.of_type
        elif dice.random() < 0.06:
            return Failure(f"{name} failed")
        elif dice.random() < 0.1:
            return None
        if is_list_type(type):
            return [self._value(schema, type.of_type, f"{key}:{index}", name) for index in range(dice.randint(0, 4))]
        if is_abstract_type(type):
            type = dice.choice(sorted(schema.get_possible_types(type), key=lambda each: each.name))
        if is_object_type(type):
            return self._object(type, key, dice)
        match type.name:
            case "Int":
                return dice.randint(0, 99)
            case "Boolean":
                return dice.random() < 0.5
        return f"text {dice.randint(0, 99)}"

    def _object(self, type: GraphQLObjectType, key: str, dice: Random) -> Object:
        if "id" not in type.fields:
            return Object(type.name, key, None)
        number = Random(key).randrange(10**12) if self.fails else dice.randint(0, 5)
        id = f"{type.name}-{number}"
        return Object(type.name, id, id)
