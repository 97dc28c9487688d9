"""Random documents of a schema, most of which are valid. Their type conditions are nested, in fragments too."""

from random import Random

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLSchema,
    get_named_type,
    get_nullable_type,
    is_abstract_type,
    is_composite_type,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
)
from graphql.pyutils import Undefined
from graphql.utilities import do_types_overlap


class Document:
    def __init__(self, schema: GraphQLSchema, dice: Random, number: int):
        self.schema, self.dice, self.number = schema, dice, number
        self.count = 0
        self.variables: dict[str, str] = {}
        self.fragments: dict[str, tuple[object, str, dict[str, str]]] = {}
        self.composite = [
            type for type in schema.type_map.values() if is_composite_type(type) and not type.name.startswith("__")]
        self.overlapping: dict[str, list] = {}

    def text(self) -> str:
        body = self.selections(self.schema.query_type, 4, None)
        declared = ", ".join(f"${name}: {type}" for name, type in self.variables.items())
        head = f"query Q{self.number}Query" + (f"({declared})" if declared else "")
        return "\n".join([f"{head} {{ {body} }}", *(text for _, text, _ in self.fragments.values())]) + "\n"

    def next(self) -> int:
        self.count += 1
        return self.count

    def selections(self, type, depth: int, own: dict[str, str] | None) -> str:
        """Returns the selections of an object. `own` has the variables of the fragment, and gains some."""
        items = []
        fields = list(getattr(type, "fields", {}).items())
        if depth <= 0:
            fields = [each for each in fields if is_leaf_type(get_named_type(each[1].type))]
        for name, field in self.dice.sample(fields, min(len(fields), self.dice.randint(1, 3))):
            items.append(self.field(name, field, depth, own))
        if "id" in dict(fields) and self.dice.random() < 0.3:
            items.append("id")
        conditions = self.conditions(type)
        for _ in range(self.dice.choice([0, 1, 1, 2]) if depth > 0 and conditions else 0):
            condition = self.dice.choice(conditions)
            if self.dice.random() < 0.35:
                items.append(self.spread(condition, depth - 1, own))
            else:
                inner = self.selections(condition, depth - 1, own)
                items.append(f"... on {condition.name}{self.guard()} {{ {inner} }}")
        if not items:
            items.append("__typename")
        self.dice.shuffle(items)
        return " ".join(items)

    def conditions(self, type) -> list:
        if type is self.schema.query_type:
            return []
        if type.name not in self.overlapping:
            self.overlapping[type.name] = [
                other for other in self.composite if do_types_overlap(self.schema, type, other)]
        found = self.overlapping[type.name]
        abstract = [other for other in found if is_abstract_type(other)]
        return abstract if abstract and self.dice.random() < 0.7 else found

    def guard(self) -> str:
        if self.dice.random() < 0.85:
            return ""
        self.variables["b"] = "Boolean!"
        return self.dice.choice([" @include(if: $b)", " @skip(if: $b)"])

    def field(self, name: str, field, depth: int, own: dict[str, str] | None) -> str:
        arguments = []
        for key, argument in field.args.items():
            is_required = is_non_null_type(argument.type) and argument.default_value is Undefined
            if is_required or self.dice.random() < 0.4:
                arguments.append(f"{key}: {self.value(argument.type, own, argument.default_value is not Undefined)}")
        alias = f"a{self.next()}: " if arguments or self.dice.random() < 0.3 else ""
        text = alias + name + (f"({', '.join(arguments)})" if arguments else "") + self.guard()
        inner = get_named_type(field.type)
        return text if is_leaf_type(inner) else f"{text} {{ {self.selections(inner, depth - 1, own)} }}"

    def value(self, type, own: dict[str, str] | None, has_default: bool = False) -> str:
        """Returns a value, a variable of the operation, or one of the fragment."""
        chance = self.dice.random()
        if chance < 0.3:
            name = f"v{self.next()}"
            text = str(type)
            self.variables[name] = text[:-1] if has_default and text.endswith("!") and self.dice.random() < 0.5 else text
            return f"${name}"
        if chance < 0.6 and own is not None:
            name, text = f"c{self.next()}", str(type)
            default = f", defaultValue: {self.literal(get_nullable_type(type), 2)}"
            if text.endswith("!") and self.dice.random() < 0.6:
                text = text[:-1]
                default = default if not has_default or self.dice.random() < 0.5 else ""
                default = ", defaultValue: null" if self.dice.random() < 0.1 else default
            own[name] = f'{{type: "{text}"{default}}}'
            return f"${name}"
        return self.literal(type, 2)

    def literal(self, type, depth: int) -> str:
        if not is_non_null_type(type) and self.dice.random() < 0.1:
            return "null"
        type = get_nullable_type(type)
        if is_list_type(type):
            return f"[{self.literal(type.of_type, depth)}]"
        if isinstance(type, GraphQLEnumType):
            return next(iter(type.values))
        if isinstance(type, GraphQLInputObjectType):
            fields = [
                f"{name}: {self.literal(field.type, depth - 1)}" for name, field in type.fields.items()
                if (is_non_null_type(field.type) and field.default_value is Undefined)
                or (depth > 0 and self.dice.random() < 0.3)]
            return "{" + ", ".join(fields) + "}"
        return {"Int": "3", "Float": "1.5", "Boolean": "true"}.get(type.name, '"x"')

    def spread(self, condition, depth: int, own: dict[str, str] | None) -> str:
        existing = [name for name, (type, text, _) in self.fragments.items() if type is condition and text]
        if existing and self.dice.random() < 0.4:
            name = self.dice.choice(existing)
        else:
            name = f"F{self.number}_{self.next()}"
            declared: dict[str, str] = {}
            self.fragments[name] = (condition, "", declared)
            inner = self.selections(condition, depth, declared)
            directive = ""
            if declared:
                directive = f" @argumentDefinitions({', '.join(f'{key}: {value}' for key, value in declared.items())})"
            self.fragments[name] = (condition, f"fragment {name} on {condition.name}{directive} {{ {inner} }}", declared)
        arguments = []
        for key, declaration in self.fragments[name][2].items():
            text = declaration.split('"')[1]
            if "defaultValue" in declaration and self.dice.random() < 0.5:
                continue
            arguments.append(f"{key}: {self.passed(text, own)}")
        passed = f" @arguments({', '.join(arguments)})" if arguments else ""
        return f"...{name}{passed}{self.guard()}"

    def passed(self, text: str, own: dict[str, str] | None) -> str:
        """Returns a value for a fragment's variable."""
        if self.dice.random() < 0.5:
            name = f"v{self.next()}"
            self.variables[name] = text
            return f"${name}"
        if own is not None and self.dice.random() < 0.3:
            name = f"c{self.next()}"
            own[name] = f'{{type: "{text}", defaultValue: {self.typed(text)}}}'
            return f"${name}"
        return self.typed(text)

    def typed(self, text: str) -> str:
        from graphql import parse_type, type_from_ast

        return self.literal(type_from_ast(self.schema, parse_type(text)), 2)
