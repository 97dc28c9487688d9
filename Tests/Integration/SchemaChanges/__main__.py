"""Random changes of schemas: what `relay-compiler check` says of random operations, against graphql-core.

    python Tests/Integration/SchemaChanges BINARY [--seed SEED] [--changes COUNT] [SCHEMA ...]

Each change alters a schema, mostly where the operations use it. The schemas are those of the files and random ones.

- An operation that graphql-core's validation refuses against the new schema must have a breaking finding.
- The kinds of findings must be those of find_breaking_changes, for the elements that the operation uses.
- A valid operation without such changes must have no breaking finding.

Prints the seed, and how often each kind was found. The exit code is 1 after a difference.
"""

import argparse
import hashlib
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

from graphql import GraphQLError, GraphQLSchema, build_schema, parse, print_schema, validate, validate_schema
from graphql.utilities import BreakingChangeType, find_breaking_changes

sys.path.insert(0, str(Path(__file__).parent.parent / "SentTexts"))

from changes import Change
from documents import Document
from schema import random_schema
from uses import Uses

BREAKING = {kind.name for kind in BreakingChangeType}
# The kinds of changes that graphql-core does not call breaking, and that can make an operation invalid.
OTHERS = {"ARG_DEFAULT_VALUE_CHANGE", "INPUT_FIELD_DEFAULT_VALUE_CHANGE", "OPERATION_INVALID"}
# Of these, the one that depends on the variables of a request.
SENT = "INPUT_FIELD_DEFAULT_VALUE_CHANGE"
ENUM = """
enum Color { RED GREEN BLUE }
extend type Query { color(of: Color! = RED, in: [Color!] = [RED], by: In): Color, colors: [Color!] }
extend input In { c: Color = RED }
"""


class Operation(Document):
    """A random query without Relay's directives."""

    def selections(self, type, depth, own):
        return super().selections(type, depth, None)


@cache
def built(text: str) -> tuple[GraphQLSchema, set[str]]:
    """Returns a schema and the mistakes in it."""
    schema = build_schema(text)
    mistakes = messages(schema)
    return accepted(schema), mistakes


def messages(schema: GraphQLSchema) -> set[str]:
    """Returns the mistakes in a schema. A server's schema may have some, which a change leaves alone."""
    return {error.message for error in validate_schema(schema)}


def accepted(schema: GraphQLSchema) -> GraphQLSchema:
    """Returns a schema that graphql-core validates operations against in spite of its mistakes."""
    schema._validation_errors = []
    return schema


class Case:
    """A schema, some operations, and the changed schema."""

    def __init__(self, seed: int, files: list[str], folder: Path):
        self.dice = random.Random(f"change {seed}")
        # Large schemas cost most of the time.
        is_file = files and seed % 5 in (0, 2)
        if is_file:
            self.old_text = Path(files[seed // 5 % len(files)]).read_text()
        else:
            random_text = random_schema(self.dice) + ENUM
            self.old_text = print_schema(build_schema(random_text))
        self.old, self.mistakes = built(self.old_text)
        self.folder = folder
        self.operations = self.random_operations(seed)
        self.uses = {name: Uses(self.old, parse(text)) for name, text in self.operations.items()}
        self.new_text, self.new = self.changed()

    def random_operations(self, seed: int) -> dict[str, str]:
        found: dict[str, str] = {}
        for index in range(6):
            number = seed * 10 + index
            text = Operation(self.old, random.Random(f"operation {number}"), number).text()
            if not validate(self.old, parse(text)):
                found[f"Q{number}Query"] = text
        return found

    def changed(self) -> tuple[str, GraphQLSchema]:
        used = set().union(*(uses.names for uses in self.uses.values())) if self.uses else set()
        for _ in range(50):
            text = self.old_text
            try:
                for _ in range(self.dice.choice([1, 1, 2, 4])):
                    text = Change(text, self.dice, used).text
                new = build_schema(text)
            except (GraphQLError, TypeError):  # A type without fields, or one that is not defined.
                continue
            if text != self.old_text and messages(new) <= self.mistakes:
                return text, accepted(new)
        raise ValueError("no valid change was found")

    def findings(self, binary: str) -> tuple[list[dict], int]:
        manifest = {hashlib.sha256(text.encode()).hexdigest(): text for text in self.operations.values()}
        for name, text in [
            ("old.graphql", self.old_text), ("new.graphql", self.new_text), ("1.json", json.dumps(manifest))]:
            (self.folder / name).write_text(text)
        command = [
            binary, "check", "--schema", "new.graphql", "--against", "old.graphql", "--operations", "1=1.json",
            "--format", "json"]
        run = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=120)
        if run.returncode == 2 or run.stderr:
            raise ValueError(run.stderr)
        return json.loads(run.stdout)["findings"], run.returncode

    def differences(self, binary: str, reached: Counter) -> list[str]:
        findings, code = self.findings(binary)
        changes = find_breaking_changes(self.old, self.new)
        problems = []
        is_any_breaking = any(finding["criticality"] == "breaking" for finding in findings)
        if code != int(is_any_breaking):
            problems.append(f"the exit code is {code}")
        for name, text in self.operations.items():
            own = [finding for finding in findings if finding["operation"] == name]
            errors = validate(self.new, parse(text))
            expected = self.uses[name].affected(changes, self.new, errors)
            found = {key(finding) for finding in own if finding["kind"] in BREAKING}
            reached.update(kind for kind, *_ in found)
            if found != expected:
                problems.append(f"{name}: expected {sorted(expected)}, found {sorted(found)}\n{text}")
            is_breaking = any(finding["criticality"] == "breaking" for finding in own)
            reached["invalid" if errors else "broken" if is_breaking else "affected" if own else "unaffected"] += 1
            if errors and not is_breaking:
                problems.append(f"{name} is invalid: {errors[0].message}\n{text}")
            # Validation does not see the default values of an object that is selected on its interface.
            others = {
                finding["kind"] for finding in own
                if finding["criticality"] == "breaking" and not self.is_on_object(name, finding)} - BREAKING
            if others - OTHERS or others - {SENT} and not errors:
                problems.append(f"{name} is valid, but has {sorted(others)}\n{text}")
        return problems

    def is_on_object(self, name: str, finding: dict) -> bool:
        return finding["kind"] == "ARG_DEFAULT_VALUE_CHANGE" and finding["coordinate"] not in self.uses[name].omitted


def key(finding: dict) -> tuple:
    """Returns the kind of a finding, and the one or two elements that its message names."""
    quoted = finding["message"].split('"')[1::2]
    count = 2 if finding["kind"] in ("TYPE_REMOVED_FROM_UNION", "IMPLEMENTED_INTERFACE_REMOVED") else 1
    return (finding["kind"], *quoted[:count])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("schemas", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--changes", type=int, default=20)
    options = parser.parse_intermixed_args()
    binary = str(Path(options.binary).resolve())
    reached, failures = Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.changes):
            case = Case(seed, options.schemas, Path(folder))
            problems = case.differences(binary, reached)
            failures += bool(problems)
            for problem in problems:
                print(f"seed {seed}: {problem}")
            if problems and len(case.old_text) < 10_000:
                print(f"{case.old_text}\n--- becomes ---\n{case.new_text}")
    counts = ", ".join(f"{name} {count}" for name, count in sorted(reached.items()))
    print(f"Schema changes: seed {options.seed}, {options.changes} changes, {failures} with differences; {counts}")
    return int(failures > 0)


sys.exit(main())
