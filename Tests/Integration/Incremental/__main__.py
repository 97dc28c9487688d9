"""Random operations with deferred and streamed parts, and the payloads that servers answer them with.

    python Tests/Integration/Incremental documents SEED COUNT
    python Tests/Integration/Incremental responses ORDERS < operations

The first prints a JSON line for each document: {"seed", "schema", "document", "variables"}. The second reads
a line for each of them, with the text that is sent as "text", and prints a line with the responses:

- "plain": the response of graphql-core, without parts;
- "sequences": the same in parts, each {"format", "payloads", "expected", "parts"}. "expected" is the plain
  response, unless parts have failed: see sequences.py. "parts" lists the deferred fragments that a test can
  look for, each {"record", "label", "fragment", "announced", "arrived"}, with the indexes of payloads.
- "reached": what the sequences have, with counts.

ORDERS is the maximum number of orders of one response's parts; if there are more, they are sampled.
"""

import json
import os
import random
import sys
from collections import Counter

from data import Data
from documents import random_document
from executor import Execution
from reference import Reference
from schema import random_schema
from sequences import received, sequences


def document(seed: int) -> dict:
    """Returns a random schema with a document, the variables and the seed that its data follows from."""
    dice = random.Random(f"document {seed}")
    while True:
        schema = random_schema(dice)
        text, variables = random_document(schema, dice)
        if "@defer" in text or "@stream" in text:
            return {"seed": seed, "schema": schema.text, "document": text, "variables": variables}


def responses(case: dict, orders: int) -> dict:
    """Returns the responses to one operation."""
    dice = random.Random(f"responses {case['seed']}")
    data = Data(case["seed"], fails=dice.random() < 0.45)
    reference = Reference(case["schema"], case["text"], case["variables"], data)
    plain = reference.plain()
    reached: Counter = Counter()
    results = []
    attempts = 2 if orders < 100 else 4
    # An error that removes all data leaves nothing to compare.
    for attempt in range(attempts if plain["data"] else 0):
        execution = Execution(reference, random.Random(f"{case['seed']} {attempt}"), inlines=attempt % 2 == 1)
        results += sequences(execution, plain, dice, orders if attempt == 0 else 2, reached)
        payloads = reference.payloads(random.Random(f"{case['seed']} {attempt}"))
        if attempt == 0:
            whole = execution
        results.append(received(whole, payloads, plain, dice, reached))
    unique = {json.dumps(result): result for result in results if result}
    return {"seed": case["seed"], "plain": plain, "sequences": list(unique.values()), "reached": reached}


def main() -> None:
    if sys.argv[1] == "documents":
        first, count = int(sys.argv[2]), int(sys.argv[3])
        for seed in range(first, first + count):
            print(json.dumps(document(seed)))
    else:
        for line in sys.stdin:
            print(json.dumps(responses(json.loads(line), int(sys.argv[2]))))
    sys.stdout.flush()
    # Leaves without the complaints of coroutines that graphql-core has given up.
    os._exit(0)


if __name__ == "__main__":
    main()
