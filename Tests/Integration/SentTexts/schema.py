"""Random schemas in which interfaces are narrowed: by non-null types, by types of their own, and by interfaces that
implement others. `id` has several types."""

from random import Random


def random_schema(dice: Random) -> str:
    objects = [f"O{index}" for index in range(dice.randint(3, 6))]
    interfaces = [f"I{index}" for index in range(dice.randint(2, 4))]
    unions = [f"U{index}" for index in range(dice.randint(1, 2))]
    parents: dict[str, list[str]] = {}
    for index, name in enumerate(interfaces):
        own = [other for other in interfaces[:index] if dice.random() < 0.3]
        parents[name] = closed(own, parents)
    implemented = {
        name: closed([other for other in interfaces if dice.random() < 0.45], parents) for name in objects}
    members = {name: dice.sample(objects, dice.randint(2, len(objects))) for name in unions}
    composite = objects + interfaces + unions

    def subtypes(name: str) -> list[str]:
        if name in unions:
            return members[name] + [name]
        below = [other for other, above in (parents | implemented).items() if name in above]
        return below + [name]

    def narrowed(field: tuple[str, str, str, str]) -> tuple[str, str, str, str]:
        name, arguments, type, marks = field
        type = dice.choice(subtypes(type)) if type in composite else type
        if not marks.endswith("!") and dice.random() < 0.3:
            marks += "!"
        return name, arguments, type, marks

    fields: dict[str, dict[str, tuple[str, str, str, str]]] = {}
    for name in interfaces + objects:
        own: dict[str, tuple[str, str, str, str]] = {}
        for parent in reversed((parents | implemented)[name]):
            for field in fields[parent].values():
                own.setdefault(field[0], narrowed(field))
        # Every parent's type has to be the widest one.
        for parent in (parents | implemented)[name]:
            for field in fields[parent].values():
                if not fits(own[field[0]], field, subtypes):
                    own[field[0]] = field
        for index in range(dice.randint(1, 3)):
            type = dice.choice(composite) if dice.random() < 0.6 else dice.choice(["Int", "String", "Float"])
            arguments = dice.choice(["", "", "", "(n: Int! = 10)", "(n: Int, s: String)", "(n: Int!)", "(i: In)"])
            field = (f"{name.lower()}{index}", arguments, type, dice.choice(["", "", "!", "[]", "[]!"]))
            own[field[0]] = field
        if "id" not in own and dice.random() < (0.25 if name in interfaces else 0.7):
            type = "ID" if name in interfaces else dice.choice(["ID", "ID", "ID", "Int", "String", "UUID"])
            own["id"] = ("id", "", type, dice.choice(["", "!", "!"]))
        fields[name] = own

    def text(field: tuple[str, str, str, str]) -> str:
        name, arguments, type, marks = field
        shape = f"[{type}]" + marks[2:] if marks.startswith("[]") else type + marks
        return f"{name}{arguments}: {shape}"

    lines = ["scalar UUID", "input In { n: Int! = 3 m: Int, o: In }"]
    for name in interfaces + objects:
        above = (parents | implemented)[name]
        head = ("interface " if name in interfaces else "type ") + name
        head += " implements " + " & ".join(above) if above else ""
        lines.append(head + " { " + " ".join(text(field) for field in fields[name].values()) + " }")
    lines += [f"union {name} = " + " | ".join(members[name]) for name in unions]
    roots = " ".join(f"q{name}: {name} l{name}: [{name}]" for name in composite)
    lines.append("type Query { " + roots + " }")
    result = "\n".join(lines)
    return result if is_valid(result) else random_schema(dice)


def closed(names: list[str], parents: dict[str, list[str]]) -> list[str]:
    """Returns interfaces with those that they implement."""
    result: list[str] = []
    for name in names:
        result += [other for other in parents[name] + [name] if other not in result]
    return result


def fits(own: tuple[str, str, str, str], other: tuple[str, str, str, str], subtypes) -> bool:
    own_shape, shape = own[3].startswith("[]"), other[3].startswith("[]")
    return own_shape == shape and (own[2] == other[2] or own[2] in subtypes(other[2]))


def is_valid(text: str) -> bool:
    from graphql import build_schema, validate_schema

    return not validate_schema(build_schema(text))
