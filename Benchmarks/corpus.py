"""Generates a deterministic corpus of GraphQL documents for a schema.

usage: corpus.py SCHEMA FOLDER [COUNT]

Each file has one document, as in an app. Three of four are fragments, of which later ones spread
earlier ones. The others are queries that select a path to objects and spread fragments there. The
documents use aliases, arguments, variables, type conditions and @include.
"""

import os
import random
import sys

from graphql import (
    build_schema,
    get_named_type,
    is_composite_type,
    is_object_type,
    is_required_argument,
)

MAXIMAL_LEVEL = 3


class Corpus:
    def __init__(self, text, count):
        self.schema = build_schema(text)
        self.random = random.Random(20)
        self.fragments = {}
        self.objects = [
            type_
            for name, type_ in sorted(self.schema.type_map.items())
            if is_object_type(type_) and not name.startswith("__") and name not in ("Query", "Mutation") and len(type_.fields) > 5
        ]
        self.documents = []
        for number in range(count):
            make = self.query if number % 4 == 3 else self.fragment
            self.documents.append(make(number))

    def free_fields(self, type_, composite):
        """Returns the fields without required arguments, either composite or leaf fields."""
        return [
            (name, field)
            for name, field in type_.fields.items()
            if is_composite_type(get_named_type(field.type)) == composite
            and not any(is_required_argument(argument) for argument in field.args.values())
        ]

    def leafs(self, type_, count):
        fields = self.free_fields(type_, False)
        chosen = sorted(self.random.sample(range(len(fields)), min(count, len(fields))))
        return [fields[index][0] for index in chosen] or ["__typename"]

    def spreads(self, type_, level):
        known = [name for name, known_level in self.fragments.get(type_.name, []) if known_level < level]
        return [f"...{name}" for name in self.random.sample(known, min(2, len(known)))]

    def arguments(self, name, field):
        """Returns the arguments of a field: the same in every selection, so that fragments can
        merge.
        """
        return f"(first: {len(name)})" if "first" in field.args else ""

    def selections(self, type_, depth, level):
        """Returns the lines of a selection set on an object type."""
        lines = self.leafs(type_, 3 + self.random.randrange(6))
        composite = self.free_fields(type_, True)
        for name, field in self.random.sample(composite, min(2 if depth else 0, len(composite))):
            inner = get_named_type(field.type)
            alias = f"other_{name}: " if self.random.random() < 0.1 else ""
            lines.append(f"{alias}{name}{self.arguments(name, field)} {{")
            lines += ["  " + line for line in self.inside(inner, depth - 1, level)]
            lines.append("}")
        return lines + self.spreads(type_, level)

    def inside(self, type_, depth, level):
        if is_object_type(type_):
            return self.selections(type_, depth, level)
        lines = ["__typename"]
        possible = sorted(self.schema.get_possible_types(type_), key=lambda possible_type: possible_type.name)
        for member in self.random.sample(possible, min(2, len(possible))):
            lines.append(f"... on {member.name} {{")
            condition = self.leafs(member, 2)
            lines += [f"  cond_{member.name}_{name}: {name}" if name != "__typename" else "  __typename" for name in condition]
            lines.append("}")
        return lines

    def fragment(self, number):
        type_ = self.random.choice(self.objects)
        level = self.random.randrange(1, MAXIMAL_LEVEL + 1)
        lines = self.selections(type_, 2, level)
        name = f"Component{number}_{type_.name[0].lower()}{type_.name[1:]}"
        self.fragments.setdefault(type_.name, []).append((name, level))
        return f"fragment {name} on {type_.name} {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n"

    def query(self, number):
        type_ = self.random.choice([type_ for type_ in self.objects if type_.name in self.fragments])
        lines = self.selections(type_, 2, MAXIMAL_LEVEL + 1)
        is_node = any(interface.name == "Node" for interface in type_.interfaces)
        if is_node:
            head = f"query Screen{number}Query($id: ID!, $full: Boolean!) {{\n  node(id: $id) {{\n    ... on {type_.name} {{\n"
            tail = "    }\n  }\n"
        else:
            type_ = self.schema.type_map["Repository"]
            lines = self.selections(type_, 2, MAXIMAL_LEVEL + 1)
            head = f"query Screen{number}Query($owner: String!, $name: String!, $full: Boolean!) {{\n  repository(owner: $owner, name: $name) {{\n    ... {{\n"
            tail = "    }\n  }\n"
        body = "".join(f"      {line}\n" for line in lines)
        return head + body + tail + "  viewer @include(if: $full) {\n    login\n    name\n  }\n}\n"


def main():
    schema, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1600
    os.makedirs(folder, exist_ok=True)
    for number, text in enumerate(Corpus(open(schema, encoding="utf-8").read(), count).documents):
        with open(os.path.join(folder, f"Document{number}.graphql"), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
