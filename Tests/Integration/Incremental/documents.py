"""Random documents. A response key always stands for the same field with the same arguments, so that any two
selections can be merged."""

import re
from random import Random

from schema import Field, Schema


class _Document:
    def __init__(self, schema: Schema, dice: Random):
        self.schema = schema
        self.dice = dice
        self.fragments: dict[str, tuple[str, str]] = {}
        self.count = 0
        self.counts: dict[str, int] = {}
        self.streams = dice.random() < 0.6
        self.connections = dice.random() < 0.5

    def next(self) -> int:
        self.count += 1
        return self.count

    def selections(self, type_name: str, depth: int, owner: str, used: set[str] | None = None) -> str:
        """Returns the selections of an object, which spread no fragment of `used`: relay-compiler does not defer a
        fragment with several labels."""
        used = set() if used is None else used
        type = self.schema.types[type_name]
        items = []
        fields = [each for each in type.fields if depth > 0 or self.is_leaf(each)]
        for each in self.dice.sample(fields, min(len(fields), self.dice.randint(1, 3))):
            items.append(self.field(each, depth, owner))
        conditions = self.schema.overlapping(type_name) if type_name != "Query" else ["Query"]
        if depth > 0 and conditions:
            for _ in range(self.dice.choice([0, 1, 1, 2]) if type.fields else 2):
                condition = type_name if self.dice.random() < 0.5 else self.dice.choice(conditions)
                if self.dice.random() < 0.7:
                    items.append(self.spread(condition, depth - 1, used))
                elif condition != "Query":
                    items.append(f"... on {condition} {{ {self.selections(condition, depth - 1, owner, used)} }}")
        if not items or self.dice.random() < 0.2:
            items.append("__typename")
        self.dice.shuffle(items)
        return " ".join(items)

    def is_leaf(self, field: Field) -> bool:
        return field.named not in self.schema.types

    def field(self, field: Field, depth: int, owner: str) -> str:
        """Returns the selection of a field."""
        if field.named.endswith("Connection"):
            return self.connection(field, depth, owner)
        key, name = self.called(field)
        if self.is_leaf(field):
            if field.depth == 1 and self.streams and self.dice.random() < 0.4:
                return f"s{self.next()}: {name}{self.stream(name)}"
            return key + name
        stream = ""
        if field.depth >= 1 and self.streams and self.dice.random() < 0.5:
            key, stream = f"s{self.next()}: ", self.stream(name)
        return f"{key}{name}{stream} {{ {self.selections(field.named, depth - 1, owner)} }}"

    def called(self, field: Field) -> tuple[str, str]:
        """Returns an alias, if there is one, and the field with its arguments. The alias follows from both."""
        arguments = []
        for argument in field.arguments:
            name, type = argument.split(": ")
            if name == "after" or self.dice.random() < 0.6:
                continue
            value = {"String": self.dice.choice(['"m"', '"ft"']), "Int": self.dice.choice(["2", "3", "$count"])}[type]
            arguments.append(f"{name}: {value}")
        if not arguments:
            return self.dice.choice(["", "", f"other_{field.name}: "]), field.name
        alias = re.sub(r"\W+", "_", f"{field.name}_{'_'.join(arguments)}").strip("_")
        return f"{alias}: ", f"{field.name}({', '.join(arguments)})"

    def stream(self, name: str) -> str:
        """Returns the directive that streams a list. The first count of one list is the same everywhere."""
        count = self.counts.setdefault(name, self.dice.choice([0, 1, 1, 2]))
        return f' @stream(label: "l{self.next()}", initialCount: {count})'

    def connection(self, field: Field, depth: int, owner: str) -> str:
        edge = self.schema.types[field.named.replace("Connection", "Edge")]
        node = self.schema.types[edge.name.removesuffix("Edge")].name
        fields = "node { " + self.selections(node, depth - 1, owner) + " }"
        if self.dice.random() < 0.3:
            fields += " note"
        if self.dice.random() < 0.3:
            fields += " " + self.spread(edge.name, depth - 1, set())
        info = self.dice.choice(["", "pageInfo { hasNextPage endCursor }", "total"])
        if self.dice.random() < 0.3:
            info += " " + self.spread(field.named, depth - 1, set())
        alias, directive, stream = f"c{self.next()}", "", ""
        if self.connections and self.dice.random() < 0.8:
            directive = f'@connection(key: "{owner}_{alias}")'
        if self.streams and self.dice.random() < 0.4:
            stream = self.stream(field.name)
        first = self.dice.choice(["2", "3", "$count"])
        return f"{alias}: {field.name}(first: {first}) {directive} {{ edges{stream} {{ {fields} }} {info} }}"

    def spread(self, condition: str, depth: int, used: set[str]) -> str:
        """Returns the spread of a new fragment or of one that exists."""
        existing = [
            name for name, (type, text) in self.fragments.items() if type == condition and text and name not in used]
        if existing and self.dice.random() < 0.4:
            name = self.dice.choice(existing)
        else:
            name = f"F{self.next()}"
            self.fragments[name] = (condition, "")
            self.fragments[name] = (condition, self.selections(condition, max(depth, 0), name))
        used.add(name)
        if self.dice.random() < 0.25:
            return f"...{name}"
        arguments = [f'label: "l{self.next()}"'] if name in existing or self.dice.random() < 0.3 else []
        if self.dice.random() < 0.15:
            arguments.append("if: $late")
        return f"...{name} @defer" + (f"({', '.join(arguments)})" if arguments else "")


def random_document(schema: Schema, dice: Random) -> tuple[str, dict]:
    """Returns a document of one query and its fragments, with values of its variables."""
    document = _Document(schema, dice)
    while True:
        document.fragments, document.count = {}, 0
        body = document.selections("Query", 4, "TestQuery")
        texts = [f"fragment {name} on {type} {{ {text} }}" for name, (type, text) in document.fragments.items()]
        text = "\n".join([body, *texts])
        if len(text) < 2000:
            break
    declared, variables = [], {}
    if "$count" in text:
        declared.append("$count: Int")
        variables["count"] = dice.randint(1, 3)
    if "$late" in text:
        declared.append("$late: Boolean")
        variables["late"] = dice.choice([True, True, False])
    head = "query TestQuery" + (f"({', '.join(declared)})" if declared else "")
    return f"{head} {{ {body} }}\n" + "\n".join(texts) + "\n", variables
