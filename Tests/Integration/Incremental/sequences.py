"""The payloads that transport the parts of an execution, in each format and in many orders."""

from __future__ import annotations

import copy
import itertools
import json
from collections import Counter
from random import Random

from executor import Execution, Part
from merging import Merged, has_bubbled

FORMATS = ("2020", "2022", "2023")


def sequences(execution: Execution, plain: dict, dice: Random, limit: int, reached: Counter) -> list[dict]:
    """Returns responses in all three formats, each with at most `limit` orders."""
    parts = execution.parts
    _count(execution, reached)
    if not parts or execution.repeats_connections:
        return []
    results = []
    # Every order is sent in one format at least; a few orders in the others.
    main_format = dice.choice(FORMATS)
    for format in FORMATS:
        if format == "2023" and _repeats_streams(parts):
            continue
        # The edges of a connection are numbered as they arrive.
        is_strict = format != "2020" or dice.random() < 0.5 or any(part.path[-2:-1] == ["edges"] for part in parts)
        for order in _orders(parts, limit if format == main_format else min(limit, 4), dice, reached, is_strict):
            results.append(_Writer(execution, order, format, dice, reached).sequence(plain))
    return [each for each in results if each]


def _repeats_streams(parts: list[Part]) -> bool:
    """Whether a deferred fragment has the whole of a list that is streamed. A server that announces its parts sends no
    field twice."""
    lists = {tuple(part.path[:-1]): part.parent for part in parts if part.is_element}
    return any(
        part is not parent and part.path == list(path[: len(part.path)])
        and Merged({}, part.data).find(list(path[len(part.path):])) is not None
        for path, parent in lists.items() for part in parts if not part.is_element)


def _count(execution: Execution, reached: Counter) -> None:
    for part in execution.parts:
        reached["element" if part.is_element else "deferred fragment"] += 1
        reached["failed element" if part.is_element else "failed fragment"] += part.failed
        reached["null element"] += part.is_element and part.data is None
        if part.parent is not execution.initial and part.parent:
            outer, inner = part.parent.is_element, part.is_element
            reached[f"{'element' if inner else 'fragment'} in {'element' if outer else 'fragment'}"] += 1
        if not part.is_element:
            reached["fragment below a list"] += any(isinstance(key, int) for key in part.path)
            reached["fragment of an object without id"] += part.record is None
            reached["fragment with a field error"] += bool(part.errors) and not part.failed
            reached["connection in a fragment"] += any(key[0] == "c" and key[1:].isdigit() for key in part.fields)
            object = Merged({}, part.parent.data).find(part.path[len(part.parent.path):])
            reached["field eager and deferred"] += isinstance(object, dict) and bool(object.keys() & set(part.fields))
        reached["streamed edge"] += part.is_element and part.path[-2] == "edges"


def _orders(parts: list[Part], limit: int, dice: Random, reached: Counter, is_strict: bool) -> list[list[Part]]:
    """Returns the orders in which a server may send parts: all of them, or a sample."""
    found = list(itertools.islice(_all_orders(parts, [], is_strict), limit + 1))
    if len(found) <= limit:
        reached["all orders"] += 1
        reached["all orders of five parts or more"] += len(parts) >= 5 and len(found) > 1
        return found
    reached["sample of orders"] += 1
    return [_random_order(parts, dice, is_strict) for _ in range(min(limit, 4))]


def _is_ready(part: Part, order: list[Part], is_strict: bool) -> bool:
    sent = {id(each) for each in order}
    return (part.parent.label is None or id(part.parent) in sent) and (
        not is_strict or part.previous is None or id(part.previous) in sent)


def _all_orders(parts: list[Part], order: list[Part], is_strict: bool):
    if len(order) == len(parts):
        yield list(order)
    for part in parts:
        if not any(part is each for each in order) and _is_ready(part, order, is_strict):
            yield from _all_orders(parts, [*order, part], is_strict)


def _random_order(parts: list[Part], dice: Random, is_strict: bool) -> list[Part]:
    order: list[Part] = []
    rest = list(parts)
    while rest:
        part = dice.choice([each for each in rest if _is_ready(each, order, is_strict)])
        rest = [each for each in rest if each is not part]
        order.append(part)
    return order


class _Writer:
    """The payloads of one order."""

    def __init__(self, execution: Execution, order: list[Part], format: str, dice: Random, reached: Counter):
        self.execution = execution
        self.format = format
        self.dice = dice
        self.reached = reached
        self.omits_ids = dice.random() < 0.5
        self.order = list(order)
        if format != "2023" and dice.random() < 0.3:
            self._duplicate()
        self.groups = self._grouped()
        # The ids of announced parts, by the part or by the first element of a stream.
        self.ids: dict[int, str] = {}
        # The fragments that are new to their objects when these arrive.
        self.expected: set[int] = set()

    def _duplicate(self) -> None:
        """Sends a part twice. One with parts below is not, because it would cut off their lists; nor is one with a
        connection, whose edges without nodes are numbered again."""
        parents = {id(part.parent) for part in self.order}
        candidates = [
            index for index, part in enumerate(self.order)
            if not part.failed and id(part) not in parents and '"edges"' not in json.dumps(part.data)]
        if candidates:
            position = self.dice.choice(candidates)
            self.order.insert(self.dice.randint(position + 1, len(self.order)), self.order[position])
            self.reached["duplicate of a part"] += 1

    def _grouped(self) -> list[list[Part]]:
        if self.format == "2020" or self.dice.random() < 0.5:
            return [[part] for part in self.order]
        groups: list[list[Part]] = []
        for part in self.order:
            if groups and self.dice.random() < 0.5:
                groups[-1].append(part)
                self.reached["parts in one payload"] += 1
            else:
                groups.append([part])
        return groups

    def sequence(self, plain: dict) -> dict | None:
        """Returns the payloads with what they make; None if it depends on the order."""
        initial = self.execution.initial
        self.merged = Merged(self.execution.storage, copy.deepcopy(initial.data), list(initial.errors))
        payloads = [_payload(initial, data=initial.data)]
        self._announce(initial, payloads[0])
        self._expect([initial])
        for group in self.groups:
            payloads.append(self._payload_of(group))
            self._expect(group)
        for payload in payloads:
            payload["hasNext"] = payload is not payloads[-1]
        if self.dice.random() < 0.3:
            payloads[-1]["hasNext"] = True
            payloads.append({"hasNext": False})
            self.reached["hasNext in a payload of its own"] += 1
        response = self.merged.response()
        # A client cannot know which fields of nested fragments would have come with a failed one.
        is_vague = self.merged.is_failed and self.execution.inlines
        if self.merged.is_contradictory or is_vague:
            self.reached["contradiction"] += 1
            return None
        if self.merged.is_failed:
            self.reached["failed sequence"] += 1
        elif response["data"] != plain["data"]:
            raise AssertionError(f"The executors disagree: {response['data']} and {plain['data']}")
        self.reached[self.format] += 1
        return {
            "format": self.format, "payloads": payloads, "parts": self._expectations(),
            "expected": response if self.merged.is_failed else plain, "failed": self.merged.is_failed,
            "listFailed": self.merged.is_stream_failed,
            "hasBubbled": has_bubbled(response) or has_bubbled(plain),
        }

    # Payloads

    def _payload_of(self, group: list[Part]) -> dict:
        runs: list[list[Part]] = []
        for part in group:
            if runs and self.format != "2020" and part.previous is runs[-1][-1] and not part.failed:
                runs[-1].append(part)
                self.reached["run of elements"] += 1
            else:
                runs.append([part])
        if self.format == "2020":
            [run] = runs
            return {"label": run[0].label, "path": run[0].path, **self._part(run)}
        payload: dict = {}
        for run in runs:
            if self.format == "2022":
                payload.setdefault("incremental", []).append(
                    {"label": run[0].label, "path": run[0].path, **self._part(run)})
            else:
                self._announced(run, payload)
        return payload

    def _part(self, run: list[Part]) -> dict:
        """Returns the members of a part: its data or items, and its errors. Adds them to the merged response."""
        first = run[0]
        errors = [error for part in run for error in part.errors]
        self.merged.errors += [] if first.failed and not first.is_element else errors
        result = {"errors": errors} if errors else {}
        if not first.is_element:
            if first.failed:
                self.merged.failures.append((first.path, first.fields, errors))
                return {"data": None, **result}
            data = self._without_ids(first)
            self.merged.add(first.path, first.data)
            return {"data": data, **result}
        self.merged.is_stream_failed |= first.failed
        if first.failed:
            return {"data" if self.format == "2020" else "items": None, **result}
        self.merged.append(first.path[:-1], first.path[-1], [part.data for part in run])
        if self.format == "2020":
            return {"data": first.data, **result}
        return {"items": [part.data for part in run], **result}

    def _without_ids(self, part: Part) -> dict:
        """Returns the data of a fragment, in some sequences without what identifies the object: its id and type have
        arrived."""
        known = self.merged.find(part.path)
        if not self.omits_ids or not isinstance(known, dict):
            return part.data
        omitted = {key for key in part.data if (key == "id" or key.startswith("__")) and key in known}
        self.reached["part without id"] += "id" in omitted
        return {key: value for key, value in part.data.items() if key not in omitted}

    # The format of 2023

    def _announce(self, parent: Part, payload: dict) -> None:
        """Announces the parts below a part."""
        if self.format != "2023":
            return
        for part in self.execution.parts:
            if part.parent is not parent:
                continue
            if part.previous is not None:
                self.ids[id(part)] = self.ids[id(part.previous)]
                continue
            self.ids[id(part)] = str(len(self.ids))
            path = part.path[:-1] if part.is_element else part.path
            payload.setdefault("pending", []).append({"id": self.ids[id(part)], "path": path, "label": part.label})

    def _announced(self, run: list[Part], payload: dict) -> None:
        number = self.ids[id(run[0])]
        members = self._part(run)
        is_last = not any(each.previous is run[-1] for each in self.execution.parts)
        if run[0].failed:
            payload.setdefault("completed", []).append({"id": number, "errors": members["errors"]})
            return
        payload.setdefault("incremental", []).append({"id": number, **members})
        if is_last:
            payload.setdefault("completed", []).append({"id": number})
        for part in run:
            self._announce(part, payload)

    # Expectations

    def _expect(self, parents: list[Part]) -> None:
        if self.execution.inlines:
            # The fields of a nested fragment that is sent inline do not count as those of the outer one.
            return
        for part in self.execution.parts:
            if any(part.parent is parent for parent in parents) and part.record:
                if _is_alone(part, self.execution) and self.merged.lacks(part.path, part.fields):
                    self.expected.add(id(part))

    def _expectations(self) -> list[dict]:
        """Returns what a test can expect to be pending, and when."""
        arrivals: dict[int, int] = {id(self.execution.initial): 0}
        for index, group in enumerate(self.groups):
            for part in group:
                arrivals.setdefault(id(part), index + 1)
        return [
            {
                "record": part.record, "label": part.label, "fragment": part.fragment,
                "announced": arrivals[id(part.parent)], "arrived": arrivals[id(part)],
                "isExpected": id(part) in self.expected,
            }
            for part in self.execution.parts
            if not part.is_element and part.fragment and part.record
            # Where one object has a fragment at several paths, an unannounced part may be that of any of them.
            and (self.format == "2023" or len(self.execution.paths.get(part.record, [()])) == 1)
        ]


def _is_alone(part: Part, execution: Execution) -> bool:
    """Whether no other path leads to the object of a part, and no other part has fields of it."""
    others = {
        execution.storage[key] for other in execution.parts
        if other.path == part.path and other.label != part.label for key in other.fields}
    own = {execution.storage[key] for key in part.fields}
    return len(execution.paths.get(part.record or "", [()])) == 1 and not own & others


def _payload(part: Part, **members) -> dict:
    return {**members, "errors": part.errors} if part.errors else members


def received(execution: Execution, payloads: list[dict], plain: dict, dice: Random, reached: Counter) -> dict | None:
    """Returns the payloads of graphql-core with what they make."""
    if len(payloads) == 1 or execution.repeats_connections:
        return None
    if dice.random() < 0.5:
        payloads = _split(payloads)
        reached["graphql-core, one part a payload"] += 1
    merged = Merged(execution.storage, copy.deepcopy(payloads[0]["data"]), list(payloads[0].get("errors", [])))
    known = {(part.label, *part.path): part for part in execution.parts}
    announced: dict[str, dict] = {}
    expectations: dict[str, dict] = {}
    for index, payload in enumerate(payloads):
        for pending in payload.get("pending", []):
            announced[pending["id"]] = pending
            part = known.get((pending["label"], *pending["path"]))
            if part and part.fragment and part.record:
                expectations[pending["id"]] = {
                    "record": part.record, "label": part.label, "fragment": part.fragment, "announced": index,
                    "arrived": len(payloads), "isExpected": False,
                }
        for part in payload.get("incremental", []):
            path = announced[part["id"]]["path"] + part.get("subPath", [])
            merged.errors += part.get("errors", [])
            if "items" in part:
                merged.append(path, None, part["items"])
            else:
                merged.add(path, part["data"])
            reached["subPath"] += "subPath" in part
        for pending in payload.get("pending", []):
            part = known.get((pending["label"], *pending["path"]))
            if part and pending["id"] in expectations and _is_alone(part, execution):
                expectations[pending["id"]]["isExpected"] = merged.lacks(part.path, part.fields)
        for completed in payload.get("completed", []):
            pending = announced[completed["id"]]
            if completed["id"] in expectations:
                expectations[completed["id"]]["arrived"] = index
            if "errors" not in completed:
                continue
            part = known.get((pending["label"], *pending["path"]))
            if isinstance(merged.find(pending["path"]), list):
                merged.is_stream_failed = True
                merged.errors += completed["errors"]
            elif part:
                merged.failures.append((part.path, part.fields, completed["errors"]))
            else:
                return None
    response = merged.response()
    if merged.is_contradictory:
        reached["contradiction"] += 1
        return None
    if merged.is_failed:
        reached["failed sequence of graphql-core"] += 1
    elif response["data"] != plain["data"]:
        raise AssertionError(f"The payloads of graphql-core make {response['data']} of {plain['data']}")
    reached["graphql-core"] += 1
    return {
        "format": "graphql-core", "payloads": payloads, "parts": list(expectations.values()),
        "expected": response if merged.is_failed else plain, "failed": merged.is_failed,
        "listFailed": merged.is_stream_failed, "hasBubbled": has_bubbled(response) or has_bubbled(plain),
    }


def _split(payloads: list[dict]) -> list[dict]:
    """Sends the parts of each payload in payloads of their own, and last what was completed."""
    result = [payloads[0]]
    for payload in payloads[1:]:
        parts = payload.get("incremental", [])
        # What is announced may belong to an object in the same payload.
        whole = {key: payload[key] for key in ("pending", "incremental") if key in payload}
        pieces = [whole] if "pending" in payload else [{"incremental": [part]} for part in parts]
        pieces += [{"completed": [part]} for part in payload.get("completed", [])]
        result += pieces or [payload]
    return [{**payload, "hasNext": index < len(result) - 1} for index, payload in enumerate(result)]
