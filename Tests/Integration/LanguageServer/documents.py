"""Random texts of a project: GraphQL files and Swift files with tags, with mistakes or without."""

SCHEMA = """
type Query { me: User users(first: Int): [User] node(id: ID!): Node }
type Mutation { rename(name: String!, status: Status): User }
interface Node { id: ID! }
enum Status { ACTIVE AWAY }
type User implements Node { id: ID! name(length: Int): String! status: Status old: Int @deprecated friends(first: Int): [User] best: User }
type Post implements Node { id: ID! title: String author: User }
"""
SCHEMAS = [
    SCHEMA,
    SCHEMA.replace("title: String", "title: String! body: String"),
    SCHEMA.replace("best: User", "friend: User"),
    SCHEMA.replace("best: User", "best: "),
    SCHEMA.replace("type Query", "type Queries"),
]
CONFIGURATION = '{"schema": "schema.graphql", "src": "src", "artifactDirectory": "src/generated"}'
CONFIGURATIONS = [
    CONFIGURATION,
    CONFIGURATION.replace("src/generated", "out"),
    CONFIGURATION.replace('"src": "src"', '"src": "missing"'),
    CONFIGURATION.replace("schema.graphql", "missing.graphql"),
    CONFIGURATION[:-1],
    CONFIGURATION.replace('"src": "src"', '"maxAge": {"Nothing": 3}, "src": "src"'),
]
PATHS = ["src/A.swift", "src/B.swift", "src/C.graphql", "src/D é.swift", "src/E.graphql", "src/deep/F.swift", "src/deep/G.gql"]
PIECES = [
    "{", "}", "(", ")", '"', '"""', "#", "\\", "\n", "\r\n", "\r", " ", "...", "...F1", "@", "$", "😀", "é", "\u0301", "👩‍👩‍👧",
    "id", "name", "nam", "query Q1 { me { id } }", "fragment F1 on User { id }", 'graphql("', 'graphql("""\n', 'graphql(#"', '\n""")',
    "// ", "/*", "*/", "let x = ", "if true {", "\\(x)", "\\u{41}", "\\n", "\t", "# comment\n", "\u2028", "\0", "\ufeff",
]


CORRECT = """fragment F%d on User { id name status }
query Q%d { me { id best { short: name(length: 3) ...F%d } } }"""


def selections(dice, depth):
    return " ".join(selection(dice, depth) for _ in range(1 + dice.randrange(3)))


def selection(dice, depth):
    kind = dice.randrange(14)
    if kind < 5 or depth == 0:
        return dice.choice(["id", "name", "status", "old", "__typename", "nickname: name"])
    if kind < 8:
        return f"best {{ {selections(dice, depth - 1)} }}"
    if kind < 11:
        return f"...F{dice.randrange(6)}"
    return dice.choice(["nam", "friends(first: $n) { id }", "name(size: 1)", "... on Post { title }", "best", "id { x }", 'name @include(if: "x")', "friends(first: 2) { id }"])


def definition(dice):
    if dice.random() < 0.5:
        return f"fragment F{dice.randrange(6)} on {dice.choice(['User'] * 8 + ['Post', 'Nobody'])} {{ {selections(dice, 2)} }}"
    variables = dice.choice(["", "", "($n: Int)", "($n: Strin)"])
    return f"query Q{dice.randrange(6)}{variables} {{ me {{ {selections(dice, 2)} }} }}"


def correct_text(path):
    """Returns a text without mistakes, whose names belong to the path."""
    number = PATHS.index(path)
    text = CORRECT % (number, number, number)
    return f'import RelayStore\nlet correct{number} = graphql("""\n# 😀\n{text}\n""")\n' if path.endswith(".swift") else text


def tag(dice):
    """Returns a Swift declaration with a tag, in one of the forms of a literal."""
    text = definition(dice).replace(" { ", dice.choice([" { ", " {\n    "]))
    name = f"tag{dice.randrange(100)}"
    comment = dice.choice(["", "# 😀 é\n    ", "# \\u{1F600}\n    "])
    if "\n" in text or comment or dice.random() < 0.3:
        hashes = dice.choice(["", "", "#"])
        comment = comment if not hashes else comment.replace("\\u", "")
        return f'let {name} = graphql({hashes}"""\n    {comment}{text}\n    """{hashes})\n'
    hashes = dice.choice(["", "", "#", "##"])
    if not hashes:
        text = text.replace('"', '\\"')
    return f'let {name} = graphql({hashes}"{text}"{hashes})\n'


def random_text(dice, path):
    """Returns the text of a file, with line breaks of one kind."""
    if path in PATHS and dice.random() < dice.correctness:
        return correct_text(path)
    if path.endswith(".swift"):
        parts = ["import RelayStore\n", "// 😀 é\n", 'let s = "a \\(1 + 2)"\n', "struct S { var a: Int }\n"]
        text = "".join(dice.choice(parts) if dice.random() < 0.4 else tag(dice) for _ in range(1 + dice.randrange(4)))
    else:
        text = "\n".join(dice.choice(["# 😀\n", ""]) + definition(dice) for _ in range(1 + dice.randrange(3))) + "\n"
    return text.replace("\n", dice.choice(["\n", "\n", "\r\n"]))
