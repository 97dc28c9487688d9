"""What a client makes of payloads: one response."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

Path = list[str | int]


@dataclass
class Merged:
    """A response that is put together from parts.

    If a non-null field of a deferred fragment fails, the part has no data, whereas the error removes the whole object
    from a plain response. A store then has to have what the other parts brought, and null with an error in each field
    of the fragment that no other part brought. A stream that fails ends with the elements before."""

    # The field with its arguments of each response key.
    storage: dict[str, str]
    data: dict | None
    errors: list[dict] = field(default_factory=list)
    # The failed fragments: the path, the response keys of their fields, and the errors.
    failures: list[tuple[Path, list[str], list[dict]]] = field(default_factory=list)
    is_stream_failed: bool = False
    # Whether parts contradict each other: one has null where another has an object. Then the order matters.
    is_contradictory: bool = False

    @property
    def is_failed(self) -> bool:
        return bool(self.failures) or self.is_stream_failed

    def find(self, path: Path):
        """Returns the value at a path, or None."""
        value = self.data
        for key in path:
            if isinstance(value, dict):
                value = value.get(key)
            elif isinstance(value, list) and isinstance(key, int) and key < len(value):
                value = value[key]
            else:
                return None
        return value

    def lacks(self, path: Path, keys: list[str]) -> bool:
        """Whether an object has none of some fields."""
        target = self.find(path)
        if not isinstance(target, dict) or not keys:
            return False
        return not {self.storage[key] for key in target} & {self.storage[key] for key in keys}

    def add(self, path: Path, data: dict) -> None:
        """Merges the fields of an object."""
        target = self.find(path)
        if isinstance(target, dict):
            self._merge(target, data)
        else:
            self.is_contradictory = True

    def _merge(self, old, new):
        if isinstance(old, dict) and isinstance(new, dict):
            for key, value in new.items():
                old[key] = self._merge(old[key], value) if key in old else copy.deepcopy(value)
            return old
        if isinstance(old, list) and isinstance(new, list):
            for index, value in enumerate(new):
                if index < len(old):
                    old[index] = self._merge(old[index], value)
                else:
                    old.append(copy.deepcopy(value))
            return old
        if old != new:
            self.is_contradictory = True
        return new

    def append(self, path: Path, index: int | None, items: list) -> None:
        """Writes elements of a list from an index on, or appends them."""
        target = self.find(path)
        if not isinstance(target, list):
            self.is_contradictory = True
            return
        for offset, item in enumerate(copy.deepcopy(items)):
            position = len(target) if index is None else index + offset
            while len(target) <= position:
                target.append(None)
            target[position] = item if target[position] is None else self._merge(target[position], item)

    def response(self) -> dict:
        """Returns the response, with nulls for the fields of failed fragments."""
        data, errors = self.data, list(self.errors)
        missing = []
        for path, keys, found in self.failures:
            target = self.find(path)
            if not isinstance(target, dict):
                self.is_contradictory = True
                continue
            received = {self.storage[key] for key in target}
            missing += [(path, target, key, found) for key in keys if self.storage[key] not in received]
        for path, target, key, found in missing:
            target[key] = None
            own = [each for each in found if (each.get("path") or [])[: len(path) + 1] == [*path, key]]
            errors += own or [{"message": each["message"], "path": [*path, key]} for each in found]
        self._check(data, "", {})
        return {"data": data, "errors": errors} if errors else {"data": data}

    def _check(self, value, key: str, known: dict[str, object]) -> None:
        """Finds records that have a value under one response key and null under another."""
        kind = f"{len(value)} elements" if isinstance(value, list) else value is None
        if known.setdefault(key, kind) != kind:
            self.is_contradictory = True
        if isinstance(value, list):
            for index, each in enumerate(value):
                self._check(each, f"{key}:{index}", known)
        if isinstance(value, dict):
            record = value.get("id") or key
            for name, each in value.items():
                if not name.startswith("__"):
                    self._check(each, f"{record}:{self.storage[name]}", known)


def has_bubbled(response: dict) -> bool:
    """Whether an error has removed more than its own field. Which other errors are reported then, is up to the
    server."""
    merged = Merged({}, response["data"])
    for error in response.get("errors", []):
        path = error.get("path", [])
        if response["data"] is None or any(merged.find(path[:count]) is None for count in range(1, len(path))):
            return True
    return False
