"""The data of a session: dictionaries that are copied from the seed and changed by mutations.

Every session has its own copy, so scenarios can run concurrently. Times come from a clock that
advances by one minute with every change, so the same calls get the same responses.
"""

import asyncio
import copy
import datetime
import json
import pathlib

from live import LiveSubscriptions

ROOT = pathlib.Path(__file__).resolve().parents[3]
SEED_PATH = ROOT / "Examples/TaskTracker/Sources/TaskTrackerServer/seed.json"
SEED = json.loads(SEED_PATH.read_text(encoding="utf-8"))


def parse_time(text):
    return None if text is None else datetime.datetime.fromisoformat(text)


class State:
    """The data, the gates, the subscriptions and the token of one session."""

    def __init__(self):
        self.data = copy.deepcopy(SEED)
        self.clock = parse_time(SEED["clock"])
        self.gates = {}
        self.live = LiveSubscriptions()
        self.token = None

    def tick(self):
        self.clock += datetime.timedelta(minutes=1)
        return self.clock

    def new_id(self, kind):
        return str(max((int(key) for key in self.data[kind]), default=0) + 1)

    def gate(self, name):
        return self.gates.setdefault(name, asyncio.Event())


class Sessions:
    """The states by session name, created on first use."""

    def __init__(self):
        self.states = {}

    def __getitem__(self, name):
        return self.states.setdefault(name, State())

    def reset(self, name):
        old = self.states.pop(name, None)
        for gate in old.gates.values() if old else ():
            gate.set()
