"""Random documents, and the judgement of graphql-core on the texts that relay-compiler sends for them.

    python Tests/Integration/SentTexts documents SEED COUNT [SCHEMA ...]
    python Tests/Integration/SentTexts validate < texts

The first prints a JSON line for each document: {"seed", "schema", "document"}. The schemas are those of the files,
in turn, and random ones. The second reads lines {"seed", "schema", "text"}, and prints {"seed", "errors"} for
each text that is not valid.
"""

import json
import sys
from functools import cache
from pathlib import Path
from random import Random

from graphql import GraphQLSchema, build_schema, parse, validate

from documents import Document
from schema import random_schema


@cache
def built(text: str) -> GraphQLSchema:
    """Returns the schema of a text, or of a file whose path ends with .graphql."""
    source = Path(text).read_text() if text.endswith(".graphql") else text
    return build_schema(source, assume_valid=text.endswith(".graphql"))


def documents(seed: int, count: int, files: list[str]) -> None:
    # Several documents of one schema are compiled at once.
    size = 25
    for batch in range((count + size - 1) // size):
        dice = Random(f"schema {seed + batch}")
        place = batch % (2 * len(files)) if files else 0
        schema = files[place // 2] if files and place % 2 else random_schema(dice)
        for index in range(min(size, count - batch * size)):
            number = seed + batch * size + index
            text = Document(built(schema), Random(f"document {number}"), number).text()
            print(json.dumps({"seed": number, "schema": schema, "document": text}))


def judge() -> None:
    for line in sys.stdin:
        case = json.loads(line)
        errors = [error.message for error in validate(built(case["schema"]), parse(case["text"]))]
        if errors:
            print(json.dumps({"seed": case["seed"], "errors": errors}))


if sys.argv[1] == "documents":
    documents(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
else:
    judge()
