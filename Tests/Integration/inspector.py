"""Opens the inspector's page in a real Chromium, and checks and measures it.

usage: inspector.py PAGE [--events 100000] [--chromium PATH] [--rounds 3] [--screenshot FILE] [--pictures FOLDER]

PAGE is a page that the inspector has written, such as that of `make demo ARGS="--inspect PAGE"`. Its events
are repeated until there are as many as asked for. The script fails if the page has an error, loads anything,
or has a task of more than 200 ms, in each of three rounds, while the list is scrolled, filtered and selected from, and
while the views are opened. Then it shows the page with data of its own: hidden characters, a long value, a refused
mutation; and the checks of inspector_views.py, with a picture of each view in the folder of `--pictures`.

Needs playwright from PyPI, and Chromium from Debian.
"""

import argparse
import json
import os
import re
import sys
import tempfile
import time

import inspector_views
from playwright.sync_api import sync_playwright

BLOCK = re.compile(r'<script type="application/json" class="events">(.*?)</script>\n', re.S)
LONGEST_TASK = 200
# Counts tasks by the time between two turns of the loop, which no throttling of the observer hides.
OBSERVER = """
window.longTasks = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.longTasks.push({ duration: entry.duration, start: entry.startTime });
}).observe({ type: "longtask", buffered: true });
window.gaps = [];
let last = performance.now();
const channel = new MessageChannel();
channel.port1.onmessage = () => {
  const now = performance.now();
  if (now - last > 50) window.gaps.push({ duration: now - last, start: last });
  last = now;
  channel.port2.postMessage(null);
};
channel.port2.postMessage(null);
"""


def repeated(page, count):
    """Returns a page with `count` events, which repeat those of a page."""
    events = [event for block in BLOCK.findall(page) for event in json.loads(block)]
    if not events or count <= len(events):
        return page, len(events)
    first, last = events[0]["time"], events[-1]["time"]
    largest = max(event["id"] for event in events)
    many = []
    while len(many) < count:
        turn = len(many) // len(events)
        event = json.loads(json.dumps(events[len(many) % len(events)]))
        event["id"] += turn * largest
        event["time"] += turn * (last - first + 0.01)
        for publish in event.get("publishes", []):
            publish["event"] += turn * largest
        for holder in (event, event.get("cause", {})):
            for key in ("number", "request"):
                if isinstance(holder.get(key), int):
                    holder[key] += turn * 1000
        many.append(event)
    blocks = []
    for start in range(0, count, 1000):
        text = json.dumps(many[start : start + 1000], separators=(",", ":")).replace("<", "\\u003c")
        blocks.append(f'<script type="application/json" class="events">{text}</script>\n')
    position = BLOCK.search(page).start()
    return page[:position] + "".join(blocks) + BLOCK.sub("", page[position:]), count


CONTENTS = re.compile(r'(<script type="application/json" id="timeline">).*?(</script>\n)', re.S)
# An id that turns the direction of the text after it, one that is not seen at all, and one with an emoji.
TURNING, UNSEEN, FAMILY = "a\u202eb", "\u2028", "\U0001f468\u200d\U0001f469"
LONG = "x" * 300_000


def exported(page, timeline):
    """Returns the page with another timeline."""
    contents = {**timeline, "events": []}
    blocks = [json.dumps(part).replace("<", "\\u003c") for part in (contents, timeline["events"])]
    block = f'<script type="application/json" class="events">{blocks[1]}</script>\n'
    return CONTENTS.sub(lambda match: match[1] + blocks[0] + match[2] + block, BLOCK.sub("", page), count=1)


def strange(page):
    """Returns the page with a timeline that is hard to show."""
    def field(key, kind, value=None, links=None):
        return {"key": key, "kind": kind, "value": value, "links": links, "hasErrors": False}

    def record(id, *fields):
        return {"id": id, "typeName": "Todo", "state": "present", "fields": list(fields)}

    def change(**values):
        return {"aspect": "value", **values}

    mutation = {"kind": "response", "operation": "SetMutation", "request": 1}
    update = {"kind": "optimisticUpdate", "operation": "SetMutation", "request": 1}
    timings = {"queued": 0, "network": 0, "parsing": 0, "publishing": 0, "total": 0}
    layers = {"addedLayers": [], "removedLayers": []}
    written = {"record": TURNING, "typeName": "Todo", "kind": "changed", "fields": [change(field="text", before="1", after=LONG)]}
    events = [
        {"kind": "publish", "cause": update, "revision": 1, "changedRecords": 1, "records": [written], **layers, "addedLayers": [1]},
        {"kind": "publish", "cause": mutation, "revision": 2, "changedRecords": 1, "records": [written], **layers, "removedLayers": [1]},
        {"kind": "delivery", "observer": 1, "owner": "Row", "record": TURNING, "isDelivered": True, "missing": [], "trigger": TURNING,
         "publishes": [{"event": 2, "cause": mutation, "endedLayers": [1], "isWritten": False}],
         "changes": [change(record=TURNING, typeName="Todo", field="text", path=["text"]),
                     change(path=["messages"], aspect="arrived"), change(record="gone", path=["last"], aspect="deleted")]},
        {"kind": "request", "number": 1, "phase": "ended", "operation": "SetMutation", "operationKind": "mutation", "timings": timings,
         "responses": 1, "bytes": 1, "outcome": "success", "responseErrorCount": 2,
         "responseErrors": [{"message": "not yours", "path": []}, {"message": "too late", "path": []}]},
        {"kind": "garbageCollection", "collected": 1, "retained": 1, "slices": 1, "duration": 0, "span": 0, "collectedIDs": ["swept"]},
    ]
    for number, event in enumerate(events):
        event.update(id=number + 1, time=number / 10)
    root = record("client:root", field("feed", "links", links=[TURNING, UNSEEN, FAMILY, "swept"]))
    reached = [{"record": "client:root"}, {"record": TURNING, "from": "client:root", "field": "feed", "index": 0}]
    timeline = {
        "version": 1, "start": 0, "time": 1, "isRedacted": False, "isRecording": True, "events": events, "droppedEvents": 0, "documents": {},
        "records": [root, record(TURNING, field("text", "string", LONG)), record(UNSEEN), record(FAMILY)],
        "optimisticRecords": [record(TURNING, field("text", "string", LONG))], "omittedRecords": 0, "omitsReached": False,
        "layers": [{"id": 2, "records": [TURNING]}], "observers": [],
        "operations": [{"name": "Feed", "variables": "{}", "retentions": 1, "isPinned": False, "isStale": False, "reached": reached}],
    }
    return exported(page, timeline)


def check_strange(page):
    """Checks how the page shows a timeline that is hard to show."""
    def select(key, row):
        page.keyboard.press(key)
        page.wait_for_timeout(200)
        page.evaluate("(row) => state.list.select(row)", row)
        page.wait_for_timeout(50)
        return page.inner_text("#panel")

    select("1", 0)
    rows = page.inner_text(".list")
    expect("\u202e" not in rows and "\\u{202E}" in rows, "a character that turns the text is escaped in a row")
    isolated = page.evaluate("getComputedStyle(document.querySelector('#panel code')).unicodeBidi")
    expect(isolated == "isolate", f"ids are isolated ({isolated})")
    panel = select("1", 2)
    expect("end of the optimistic update of SetMutation" in panel, "a delivery names the optimistic update that has ended")
    expect("messages arrived" in panel and "gone (gone) deleted" in panel and "missing" not in panel, "arrival and deletion are told apart")
    panel = select("6", 0)
    expect("2 errors" in page.inner_text(".list") and "too late" in panel, "a request with errors is no plain success")
    panel = select("2", 0)
    expect(len(panel) < 20_000 and "show all 300,000 characters" in panel, "a long value is cut")
    page.evaluate("[...document.querySelectorAll('#panel button')].find((button) => button.textContent.startsWith('show all')).click()")
    expect(len(page.inner_text("#panel")) > 300_000, "and shown as a whole on demand")
    expect("feed[0]" in panel, "the way to a record has the index in a list")
    rows = page.inner_text(".list")
    expect("optimistic" not in rows and re.search(r"\b2\b", rows), "the number of reasons includes optimistic updates")
    expect("\\u{2028}" in rows and FAMILY in rows, "an id that is not seen is escaped, an emoji is not")
    page.evaluate("show({ type: 'record', id: 'swept' })")
    expect("garbage collection removed it" in page.inner_text("#panel"), "a collected record says so")


class Failure(Exception):
    pass


def expect(condition, text):
    if not condition:
        raise Failure(text)
    print(f"ok      {text}", flush=True)


def measure(page, name, body):
    """Runs a step, and returns its longest task in milliseconds."""
    page.evaluate("() => { window.longTasks.length = 0; window.gaps.length = 0; }")
    begin = time.monotonic()
    body()
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))")
    tasks, gaps = page.evaluate("() => [window.longTasks.map((task) => task.duration), window.gaps.map((gap) => gap.duration)]")
    longest = max(tasks + gaps, default=0)
    print(f"RESULT  step={name!r} seconds={time.monotonic() - begin:.2f} longest_task_ms={longest:.0f} long_tasks={len(tasks)}", flush=True)
    return longest


def scroll(page):
    page.evaluate("""async () => {
      const list = document.querySelector(".list");
      for (let turn = 0; turn <= 120; turn++) {
        list.scrollTop = (list.scrollHeight - list.clientHeight) * ((turn * 37) % 121) / 120;
        await new Promise(requestAnimationFrame);
      }
      for (let turn = 0; turn < 120; turn++) {
        list.scrollTop += 90;
        await new Promise(requestAnimationFrame);
      }
    }""")


def type_filter(page):
    page.keyboard.press("/")
    page.keyboard.type("task ren", delay=20)
    for _ in range(8):
        page.keyboard.press("Backspace")
    page.keyboard.press("Escape")


def kinds(page):
    for chip in page.query_selector_all(".chip"):
        chip.click()
        chip.click()


def select(page):
    page.evaluate("document.querySelector('.list').focus()")
    page.keyboard.press("Home")
    for _ in range(60):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    for _ in range(20):
        page.keyboard.press("PageUp")


def views(page):
    for key in "2345678":
        page.keyboard.press(key)
        page.wait_for_timeout(30)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("End")
    page.keyboard.press("1")


def check(page, count):
    """Checks what the page shows."""
    text = page.inner_text("#stats")
    expect(f"{count:,} events" in text, f"the page has {count:,} events")
    rows = page.query_selector_all(".list .row")
    expect(0 < len(rows) < 120, f"only the visible rows exist ({len(rows)})")
    select(page)
    expect(len(page.inner_text("#panel")) > 20, "the panel explains the selected event")
    page.keyboard.press("/")
    page.keyboard.type("delivery")
    page.wait_for_timeout(300)
    page.keyboard.press("Enter")
    why = page.inner_text("#panel .why")
    expect("updated because" in why or "was read again because" in why, f"a delivery is explained: {why.splitlines()[0][:100]}")
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    page.keyboard.press("/")
    page.keyboard.type("client:root")
    page.wait_for_timeout(200)
    page.keyboard.press("Enter")
    links = page.query_selector_all("#panel td a")
    expect(len(links) > 0, "a record has links to follow")
    links[-1].click()
    page.wait_for_timeout(50)
    expect("Linked from" in page.inner_text("#panel").title() or "linked from" in page.inner_text("#panel").lower(), "the linked record names what links to it")
    page.keyboard.press("[")
    page.wait_for_timeout(50)
    expect("client:root" in page.inner_text("#panel h2"), "the key [ goes back")
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    page.keyboard.press("1")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--screenshot")
    parser.add_argument("--theme", default="light")
    parser.add_argument("--pictures")
    arguments = parser.parse_args()
    original = open(arguments.page, encoding="utf-8").read()
    text, count = repeated(original, arguments.events)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = os.path.join(folder, "page.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        print(f"RESULT  events={count} bytes={len(text.encode())}")
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        errors, loaded = [], []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: loaded.append(request.url))
        page.add_init_script(OBSERVER)
        begin = time.monotonic()
        page.goto("file://" + path, wait_until="commit", timeout=120_000)
        page.wait_for_selector("body[data-ready=true]", timeout=120_000)
        longest = page.evaluate("() => Math.max(0, ...window.longTasks.map((task) => task.duration))")
        print(f"RESULT  step='load' seconds={time.monotonic() - begin:.2f} longest_task_ms={longest:.0f}", flush=True)
        check(page, count)
        steps = {"scroll": scroll, "filter": type_filter, "kinds": kinds, "select": select, "views": views}
        # A task that the page makes long is long in each round; one that the machine interrupts is not.
        rounds = [{name: measure(page, name, lambda step=step: step(page)) for name, step in steps.items()} for _ in range(arguments.rounds)]
        worst = {name: min(times[name] for times in rounds) for name in steps}
        for name, duration in worst.items():
            expect(duration <= LONGEST_TASK, f"no task of {name} takes more than {LONGEST_TASK} ms ({duration:.0f})")
        expect(not errors, f"the page has no errors {errors[:3]}")
        expect(loaded == ["file://" + path], f"the page loads nothing else {loaded[1:4]}")
        open_page(page, path, strange(original))
        check_strange(page)
        open_page(page, path, exported(original, inspector_views.timeline()))
        inspector_views.check_views(page, expect)
        inspector_views.check_comparison(page, expect, folder, lambda timeline: exported(original, timeline))
        inspector_views.check_layout(page, expect, arguments.pictures)
        open_page(page, path, exported(original, inspector_views.empty()))
        inspector_views.check_empty(page, expect)
        expect(not errors, f"the page has no errors {errors[:3]}")
        if arguments.screenshot:
            screenshot(browser, arguments.page, arguments.screenshot, arguments.theme)
        browser.close()


def open_page(page, path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    page.goto("file://" + path)
    page.wait_for_selector("body[data-ready=true]")


def screenshot(browser, source, target, theme):
    """Takes a picture of the page with its own events, with a delivery explained."""
    page = browser.new_page(viewport={"width": 1360, "height": 820})
    page.goto("file://" + os.path.abspath(source) + "#theme=" + theme)
    page.wait_for_selector("body[data-ready=true]")
    page.evaluate("""() => {
      const wanted = state.list.items.findLastIndex((event) => event.kind === "delivery" && event.isDelivered && event.changes.length > 0
        && event.changes[0].before != null && event.publishes[0].cause.request && event.changes[0].record === event.record);
      state.list.select(wanted < 0 ? state.list.items.length - 1 : wanted);
    }""")
    page.wait_for_timeout(300)
    page.screenshot(path=target)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(f"FAILED  {failure}")
        sys.exit(1)
