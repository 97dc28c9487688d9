"""Random schemas: object types with and without ids, interfaces, a union, lists and connections."""

from dataclasses import dataclass, field
from random import Random

NODE, NAMED, ANY = "Node", "Named", "Any"


@dataclass
class Field:
    name: str
    type: str
    arguments: list[str] = field(default_factory=list)

    @property
    def named(self) -> str:
        """The type without lists and non-null marks."""
        return self.type.strip("[]!")

    @property
    def depth(self) -> int:
        """The number of nested lists."""
        return self.type.count("[")

    @property
    def text(self) -> str:
        arguments = f"({', '.join(self.arguments)})" if self.arguments else ""
        return f"{self.name}{arguments}: {self.type}"


@dataclass
class Type:
    name: str
    kind: str
    fields: list[Field] = field(default_factory=list)
    interfaces: list[str] = field(default_factory=list)
    members: list[str] = field(default_factory=list)

    @property
    def is_object(self) -> bool:
        return self.kind == "type"

    @property
    def text(self) -> str:
        if self.kind == "union":
            return f"union {self.name} = {' | '.join(self.members)}"
        implements = f" implements {' & '.join(self.interfaces)}" if self.interfaces else ""
        fields = " ".join(each.text for each in self.fields)
        return f"{self.kind} {self.name}{implements} {{ {fields} }}"


@dataclass
class Schema:
    types: dict[str, Type]

    @property
    def text(self) -> str:
        return "\n".join(each.text for each in self.types.values())

    def possible(self, name: str) -> set[str]:
        """Returns the object types of a composite type."""
        if self.types[name].is_object:
            return {name}
        return set(self.types[name].members)

    def overlapping(self, name: str) -> list[str]:
        """Returns the composite types that an object of a type may have."""
        return [each for each in self.types if each != "Query" and self.possible(each) & self.possible(name)]


def random_schema(dice: Random) -> Schema:
    objects = dice.sample(["Person", "Robot", "Place", "Thing", "Photo"], dice.randint(2, 4))
    types = {
        NODE: Type(NODE, "interface", [Field("id", "ID!")]),
        NAMED: Type(NAMED, "interface", [Field("name", "String"), Field("n", "Int"), Field("pal", NAMED)]),
    }
    for name in objects:
        types[name] = Type(name, "type")
        if name == objects[0] or dice.random() < 0.6:
            types[name].interfaces.append(NODE)
        if name == objects[1] or dice.random() < 0.5:
            types[name].interfaces.append(NAMED)
        for interface in types[name].interfaces:
            types[interface].members.append(name)
            types[name].fields += types[interface].fields
    types[ANY] = Type(ANY, "union", members=dice.sample(objects, 2))
    composite = [name for name in types if name != NODE]
    for name in [*objects, "Query"]:
        owner = types.setdefault(name, Type(name, "type"))
        owner.fields += _own_fields(name.lower(), composite, objects, dice)
    for name in objects:
        edge, connection = f"{name}Edge", f"{name}Connection"
        strict = dice.choice(["", "!"])
        types[edge] = Type(edge, "type", [Field("cursor", "String"), Field("node", name), Field("note", "String")])
        types[connection] = Type(
            connection, "type",
            [Field("edges", f"[{edge}{strict}]"), Field("pageInfo", "PageInfo!"), Field("total", "Int")],
        )
    types["PageInfo"] = Type("PageInfo", "type", [
        Field("hasNextPage", "Boolean!"), Field("hasPreviousPage", "Boolean!"), Field("endCursor", "String"),
        Field("startCursor", "String"),
    ])
    return Schema(types)


def _own_fields(prefix: str, composite: list[str], objects: list[str], dice: Random) -> list[Field]:
    """Returns the fields of one type. Their names are its own, so that selections on other types never conflict."""
    strict = dice.choice(["", "!", "!"])
    fields = [
        Field(f"{prefix}Text", "String" + strict),
        Field(f"{prefix}Size", "Int", ["unit: String", "scale: Int"]),
        Field(f"{prefix}Tags", "[String]"),
        Field(f"{prefix}Rows", "[[Int]]"),
        Field(f"{prefix}Best", dice.choice(composite)),
        Field(f"{prefix}Must", dice.choice(composite) + dice.choice(["", "!"])),
        Field(f"{prefix}List", f"[{dice.choice(composite)}{dice.choice(['', '!', '!'])}]", ["first: Int"]),
        Field(f"{prefix}Many", f"[{dice.choice(composite)}{dice.choice(['', '!'])}]"),
        Field(f"{prefix}Grid", f"[[{dice.choice(composite)}]]"),
    ]
    fields = dice.sample(fields, dice.randint(6, 9))
    fields.append(Field(f"{prefix}Links", f"{dice.choice(objects)}Connection", ["first: Int", "after: String"]))
    return fields
