"""Random changes of a schema's text. Each replaces the text of one definition; the result may be invalid."""

import re
from functools import lru_cache
from random import Random

from graphql import DocumentNode, parse, print_ast

MEMBERS = ("object_type_definition", "interface_type_definition", "input_object_type_definition")
SCALARS = ["Int", "String", "Float", "Boolean", "ID"]


class Change:
    def __init__(self, text: str, dice: Random, used: set[str]):
        self.dice, self.used = dice, used
        self.text = text
        definitions = [node for node in parsed(text).definitions if node.kind.endswith("type_definition")]
        names = {name.split(".")[0] for name in used}
        wanted = [node for node in definitions if node.name.value in names]
        node = dice.choice(wanted if wanted and dice.random() < 0.9 else definitions)
        chance = dice.random()
        if chance < 0.05:
            self.remove_type(node.name.value, definitions)
        elif chance < 0.1:
            self.replace(node, self.with_kind(node))
        else:
            self.replace(node, self.changed(node))

    def replace(self, node, text: str) -> None:
        self.text = self.text[:node.loc.start] + text + self.text[node.loc.end:]

    # Definitions

    def changed(self, node) -> str:
        """Returns the text of a definition with a change of one member."""
        pieces = {
            "union_type_definition": self.union, "enum_type_definition": self.enum,
        }
        if node.kind in pieces:
            return pieces[node.kind](node)
        if node.kind not in MEMBERS:
            return print_ast(node)
        name, head, fields = node.name.value, self.head(node), [print_ast(field) for field in node.fields or ()]
        if "interfaces" in node.keys and node.interfaces and self.dice.random() < 0.15:
            return self.without_interface(node)
        preferred = [
            index for index, field in enumerate(node.fields)
            if any(used.startswith(f"{name}.{field.name.value}") for used in self.used)]
        index = self.dice.choice(preferred or range(len(fields)))
        is_input = node.kind == "input_object_type_definition"
        fields[index:index + 1] = self.member(node.fields[index], is_input)
        return head + " {\n" + "\n".join(fields) + "\n}"

    def with_kind(self, node) -> str:
        """Returns a definition of the same name and another kind."""
        name, text = node.name.value, without_description(print_ast(node))
        if node.kind.startswith("scalar"):
            return f"enum {name} {{ A }}"
        swapped = {"type ": "interface ", "interface ": "type "}
        others = [other + text[len(word):] for word, other in swapped.items() if text.startswith(word)]
        return self.dice.choice([*others, f"scalar {name}"])

    @staticmethod
    def head(node) -> str:
        keyword = {"object": "type", "interface": "interface", "input": "input"}[node.kind.split("_")[0]]
        interfaces = [each.name.value for each in getattr(node, "interfaces", None) or ()]
        directives = " ".join(print_ast(each) for each in node.directives or ())
        return f"{keyword} {node.name.value}" + (
            f" implements {' & '.join(interfaces)}" if interfaces else "") + " " + directives

    def without_interface(self, node) -> str:
        removed = self.dice.choice(node.interfaces).name.value
        rest = [each.name.value for each in node.interfaces or () if each.name.value != removed]
        keyword = "interface" if node.kind.startswith("interface") else "type"
        implements = f" implements {' & '.join(rest)}" if rest else ""
        fields = "\n".join(print_ast(field) for field in node.fields)
        return f"{keyword} {node.name.value}{implements} {{\n{fields}\n}}"

    def union(self, node) -> str:
        members = [each.name.value for each in node.types or ()]
        self.dice.shuffle(members)
        return f"union {node.name.value} = " + " | ".join(members[1:] or members)

    def enum(self, node) -> str:
        values = [each.name.value for each in node.values or ()]
        if self.dice.random() < 0.5:
            values.append(f"NEW{self.dice.randrange(1000)}")
        else:
            used = [value for value in values if f"{node.name.value}.{value}" in self.used]
            values.remove(self.dice.choice(used or values))
        return f"enum {node.name.value} {{ {' '.join(values)} }}"

    # Fields

    def member(self, field, is_input: bool) -> list[str]:
        """Returns the fields that replace a field."""
        chance, text, name = self.dice.random(), print_ast(field), f"added{self.dice.randrange(1000)}"
        if chance < 0.2:
            return []
        if chance < 0.45:
            return [self.with_type(field)]
        if is_input:
            other = self.dice.choice([f"{name}: Int!", f"{name}: Int", f"{name}: Int! = 1"])
            return [text, other] if chance < 0.8 else [self.with_default(field)]
        if chance < 0.5:
            return [text, f"{name}: Int"]
        if chance < 0.55:
            return [text + ' @deprecated(reason: "old")'] if "@deprecated" not in text else [text]
        return [self.with_arguments(field, name)]

    def with_type(self, node) -> str:
        """Returns a field or argument with another type."""
        old = print_ast(node.type)
        nullable = old.rstrip("!") if old.endswith("!") else old + "!"
        new = self.dice.choice([nullable, nullable, nullable, f"[{old}]", self.dice.choice(SCALARS)])
        if old.startswith("[") and self.dice.random() < 0.3:
            new = old.replace("!]", "]") if "!]" in old else old.replace("]", "!]")
        arguments = [print_ast(argument) for argument in getattr(node, "arguments", None) or ()]
        list_text = "(" + ", ".join(without_description(each) for each in arguments) + ")" if arguments else ""
        default = getattr(node, "default_value", None)
        suffix = f" = {print_ast(default)}" if default and new in (old, nullable) else ""
        return f"{node.name.value}{list_text}: {new}{suffix}"

    def with_default(self, node) -> str:
        text = f"{node.name.value}: {print_ast(node.type)}"
        type = print_ast(node.type).rstrip("!")
        values = {"Int": ["1", "2"], "String": ['"a"', '"b"'], "Boolean": ["true", "false"], "Float": ["1.5"]}
        value = self.dice.choice(values.get(type, ["null"]) if not node.default_value else [None])
        return text + (f" = {value}" if value and (value != "null" or not text.endswith("!")) else "")

    def with_arguments(self, field, name: str) -> str:
        """Returns a field with other arguments."""
        arguments = [without_description(print_ast(argument)) for argument in field.arguments or ()]
        chance = self.dice.random()
        if not arguments or chance < 0.25:
            arguments.append(self.dice.choice([f"{name}: Int!", f"{name}: Int", f"{name}: Int! = 3"]))
        else:
            index = self.dice.randrange(len(arguments))
            argument = field.arguments[index]
            other = [] if chance < 0.5 else [self.with_type(argument) if chance < 0.8 else self.with_default(argument)]
            arguments[index:index + 1] = other
        list_text = f"({', '.join(arguments)})" if arguments else ""
        directives = " ".join(print_ast(each) for each in field.directives or ())
        return f"{field.name.value}{list_text}: {print_ast(field.type)} {directives}"

    def remove_type(self, name: str, definitions) -> None:
        """Removes a type with the fields, arguments and members that refer to it."""
        word = re.compile(rf"\b{name}\b")
        for node in reversed(definitions):
            before = self.text[node.loc.start:node.loc.end]
            if node.name.value == name:
                self.replace(node, "")
            elif word.search(before):
                self.replace(node, self.without(node, name))

    def without(self, node, name: str) -> str:
        if node.kind == "union_type_definition":
            members = [each.name.value for each in node.types or () if each.name.value != name]
            return f"union {node.name.value} = " + " | ".join(members) if members else ""
        if node.kind not in MEMBERS:
            return print_ast(node)
        fields = []
        for field in node.fields or ():
            text = without_description(print_ast(field))
            if not re.search(rf"\b{name}\b", text):
                fields.append(text)
        head = re.sub(rf"(?<=implements )({name}\b( & )?)|( & {name}\b)", "", self.head(node))
        return head.replace("implements  ", "") + " {\n" + "\n".join(fields) + "\n}"


def without_description(text: str) -> str:
    return re.sub(r'^\s*("""(?:[^"\\]|\\.|"(?!""))*"""|"(?:[^"\\\n]|\\.)*")\s*', "", text)


@lru_cache(maxsize=4)
def parsed(text: str) -> DocumentNode:
    return parse(text)
