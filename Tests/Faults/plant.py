"""Mutation testing: plants small faults in Sources, one at a time, and reports which of them the
tests catch.

    make faults                   60 faults, seed 1
    make faults SEED=7 FAULTS=90  another sample

See README.md beside this file.
"""

import argparse
import hashlib
import json
import os
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from sites import KIND_GROUPS, Fault, faults  # noqa: E402
from trial import Copy, Run, all_stages, first_looks  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
MODULES = (
    "GraphQLLanguage", "GraphQLFormatting", "RelayCompiler", "RelayTools", "RelayStore", "RelayNetwork", "RelayLive",
    "RelayPersistence", "RelayLocalQueries", "RelayRecording", "RelayStoreTesting",
)
# The least share of caught faults among those that change behaviour, and the greatest share of
# faults listed as equivalent.
CAUGHT, EQUIVALENT = 0.95, 1 / 8


def main() -> int:
    arguments = parsed()
    copy = Copy(ROOT, arguments.folder, arguments.swift)
    state = State(arguments.folder / f"seed-{arguments.seed}.json")
    equivalent = equivalents((Path(__file__).parent / "equivalent.txt").read_text())
    drawn = []
    try:
        if not arguments.list:
            check_tests(copy, state, arguments)
        for queue in sample(copy, arguments):
            for fault in queue:
                result = outcome_of(fault, copy, state, equivalent, arguments)
                if result["outcome"] != "does not compile":
                    drawn.append((fault, result))
                    show(len(drawn), arguments.faults, fault, result)
                    break
    except KeyboardInterrupt:
        print("\nInterrupted; the same command resumes from here.")
        return 130
    finally:
        if not arguments.list:
            copy.restore()
    return summary(drawn, arguments)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plants faults in Sources and runs the tests.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, default=60, help="how many that compile are drawn")
    parser.add_argument("--folder", type=Path, default=ROOT / ".build-faults", help="for the copy, its build and the state")
    parser.add_argument("--under", default="Sources/", help="draws from files whose path begins so, as Sources/RelayStore/Store/")
    parser.add_argument("--first-look", action="store_true", help="runs the tests nearest to the fault alone: to find where tests are missing")
    parser.add_argument("--swift", default="swift", help="the command that builds and tests")
    parser.add_argument("--list", action="store_true", help="show the sample and its results so far; build nothing")
    return parser.parse_args()


# The sample


def sample(copy: Copy, arguments):
    """Returns a queue of candidates for each fault of the sample. If a candidate does not compile,
    the next one replaces it.

    Each folder has a share in proportion to its faults, and at least one while there are enough;
    within a folder the kinds alternate. The order depends on the seed and each fault's own text, so
    it is stable under changes elsewhere in Sources.
    """
    seed, count = arguments.seed, arguments.faults
    folders: dict[str, list[Fault]] = {}
    for path in sources(copy, arguments):
        folders.setdefault(os.path.dirname(path), []).extend(faults(path, copy.text(path)))
    folders = {name: found for name, found in folders.items() if found}
    shares = shared(count, {name: len(found) for name, found in folders.items()})
    queues = []
    for name, share in shares.items():
        queue = iter(alternating(folders[name], seed))
        queues += [(chance(seed, f"{name} {position}"), queue) for position in range(share)]
    return [queue for _, queue in sorted(queues, key=lambda entry: entry[0])]


def sources(copy: Copy, arguments) -> list[str]:
    modules = tuple(f"Sources/{module}/" for module in MODULES)
    return [path for path in copy.files
            if path.endswith(".swift") and path.startswith(modules) and path.startswith(arguments.under)]


def shared(count: int, sizes: dict[str, int]) -> dict[str, int]:
    by_size = sorted(sizes, key=lambda name: -sizes[name])
    shares = {name: 1 for name in by_size[:count]}
    for _ in range(count - len(shares)):
        name = max(by_size, key=lambda name: sizes[name] / (shares[name] + 1))
        shares[name] += 1
    return shares


def alternating(found: list[Fault], seed: int) -> list[Fault]:
    found = sorted(found, key=lambda fault: chance(seed, fault.id))
    rounds = [(round_, chance(seed, f"{found[0].path} {number}"), fault)
              for number, kinds in enumerate(KIND_GROUPS)
              for round_, fault in enumerate(fault for fault in found if fault.kind in kinds)]
    return [fault for *_, fault in sorted(rounds, key=lambda entry: entry[:2])]


def chance(seed: int, text: str) -> str:
    return hashlib.sha256(f"{seed} {text}".encode()).hexdigest()


# Faults listed as equivalent


def equivalents(text: str) -> dict[tuple[str, str], str]:
    """Parses equivalent.txt: the reason of each equivalent fault, by path and compact difference.
    """
    result = {}
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line.strip() and not line.startswith("#")]
        if lines:
            path, _, why = lines[0].partition(": ")
            result[path, compact("\n".join(lines[1:]))] = why
    return result


def compact(diff: str) -> str:
    """Reduces a difference to its removed and added lines, without context lines and indentation.
    """
    return "\n".join(line[0] + line[1:].strip() for line in diff.splitlines() if line[:1] in "+-" and line[1:].strip())


# Running


class State:
    """The results so far, by fault id.

    The file is written after every fault, so a run can be resumed.
    """

    def __init__(self, path: Path):
        self.path = path
        self.known = json.loads(path.read_text()) if path.exists() else {}

    def __setitem__(self, key: str, value):
        self.known[key] = value
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps(self.known, indent=1, sort_keys=True))
        new.replace(self.path)


def outcome_of(fault: Fault, copy: Copy, state: State, equivalent: dict, arguments) -> dict:
    """Returns the outcome of a fault.

    A survivor is tried again if sources or tests have changed since.
    """
    if why := equivalent.get((fault.path, compact(fault.diff))):
        return {"outcome": "equivalent", "by": why}
    known = state.known.get(fault.id)
    stages = copy.first_look(fault.path) if arguments.first_look else copy.stages(fault.path)
    if known and (known["outcome"] != "survived" or known["tree"] == copy.fingerprint
                  and known.get("stage") in (stages[-1].name, "slow")):
        return known
    if arguments.list:
        return known or {"outcome": "not tried", "by": ""}
    copy.restore({fault.path: fault.planted(copy.text(fault.path))})
    result = copy.outcome(fault.path, stages)
    result |= {"tree": copy.fingerprint, "path": fault.path, "kind": fault.kind, "diff": fault.diff}
    state[fault.id] = result
    if result["outcome"] == "does not compile":
        print(f"(does not compile: {fault.path}:{fault.line}, {fault.kind})", flush=True)
    return result


def check_tests(copy: Copy, state: State, arguments):
    """Checks that the tests pass without any fault; once for each state of the sources.

    Exits if they fail.
    """
    copy.restore()
    stages, key = all_stages(), "passed"
    if arguments.first_look:
        stages, key = first_looks(sources(copy, arguments)), f"passed first look at {arguments.under}"
    if copy.fingerprint in (state.known.get("passed"), state.known.get(key)):
        return
    print("Building, and running the tests without a fault …", flush=True)
    runs = [copy.build(stages[0])]
    if runs[0].passed:
        runs += [copy.test(stage) for stage in stages]
    if wrong := next((run for run in runs if not run.passed), None):
        print("\n".join(wrong.lines[-40:]))
        sys.exit(f"Without any fault the tests fail: {failure(wrong)}")
    state[key] = copy.fingerprint


def failure(run: Run) -> str:
    return run.failure or ("a hang" if run.hangs else f"exit code {run.code}")


# Reporting


def show(number: int, count: int, fault: Fault, result: dict):
    print(f"\n{number}/{count} {fault.path}:{fault.line}, {fault.kind}\n{fault.diff}")
    print(f"  {result['outcome']}" + (f": {result['by']}" if result["by"] else ""), flush=True)


def summary(drawn: list[tuple[Fault, dict]], arguments) -> int:
    outcomes = Counter(result["outcome"] for _, result in drawn)
    kinds = Counter(fault.kind for fault, _ in drawn)
    print(f"\nSeed {arguments.seed}: " + ", ".join(f"{count} {name}" for name, count in outcomes.most_common()) + ".")
    print("Kinds: " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()) + ".")
    for fault, result in drawn:
        if result["outcome"] == "survived":
            print(f"\nsurvived: {fault.path}:{fault.line}, {fault.kind}\n{fault.diff}")
    changing = outcomes["caught"] + outcomes["survived"]
    share = outcomes["caught"] / changing if changing else 0
    print(f"\nCaught {outcomes['caught']} of {changing} that change behaviour: {share:.1%} (at least {CAUGHT:.0%}).")
    if outcomes["equivalent"] > EQUIVALENT * len(drawn):
        print(f"{outcomes['equivalent']} of {len(drawn)} are listed as equivalent: more than one in eight.")
        return 1
    return 0 if share >= CAUGHT and not outcomes["not tried"] else 1


if __name__ == "__main__":
    sys.exit(main())
