"""Checks what the inspector's views show, for a timeline of its own, and how they look in windows of three widths, light
and dark. Used by inspector.py."""

import json
import os

# A client id is long; `RENAMED` is its last part, which a panel must show.
LONG_ID = "client:" + "VXNlcjo" * 30 + ":profile"
TEXT = "query FeedQuery($first:Int){feed(first:$first){id text ...Row_todo}}fragment Row_todo on Todo{done}"
WIDTHS, THEMES = (420, 800, 1280), ("light", "dark")


def record(id, *fields, type_name="Todo"):
    return {"id": id, "typeName": type_name, "state": "present", "fields": list(fields)}


def field(key, kind, value=None, links=None):
    return {"key": key, "kind": kind, "value": value, "links": links, "hasErrors": False}


def request(number, phase, operation="FeedQuery", **values):
    timings = {"queued": 0.001, "network": 0.2, "parsing": 0.01, "publishing": 0.005, "total": 0.216}
    return {"kind": "request", "number": number, "phase": phase, "operation": operation, "operationKind": "query", "timings": timings,
            "variables": '{"first":10,"after":12345678901234567890,"deep":{"a":[1,2]}}', "responses": 1, "bytes": 0, "responseErrorCount": 0,
            "responseErrors": [], **values}


def publish(operation, number, id, **values):
    cause = {"kind": "response", "operation": operation, "request": number}
    change = {"record": id, "typeName": "Todo", "kind": "changed", "fields": [{"aspect": "value", "field": "text", "before": '"a"', "after": '"b"'}]}
    return {"kind": "publish", "cause": cause, "revision": 1, "changedRecords": 1, "records": [change], "addedLayers": [], "removedLayers": [], **values}


def delivery(owner, id, event, is_delivered=True):
    cause = {"kind": "response", "operation": "FeedQuery", "request": 7}
    return {"kind": "delivery", "observer": 1, "owner": owner, "record": id, "isDelivered": is_delivered, "missing": [], "trigger": id,
            "publishes": [{"event": event, "cause": cause, "endedLayers": [3], "isWritten": True}],
            "changes": [{"aspect": "value", "record": id, "field": "text", "path": ["text"], "before": '"a"', "after": '"b"'}]}


def timeline():
    """A timeline whose first 10 events were dropped."""
    body = json.dumps({"data": {"feed": [{"id": str(number), "text": "x" * 20} for number in range(40)]}})
    error = {"message": "not yours", "path": ["feed", 3, "text"], "extensions": '{"code":"FORBIDDEN"}'}
    events = [
        publish("FeedQuery", 7, "gone"),
        delivery("Row_todo", LONG_ID, 4),
        delivery("Row_todo", LONG_ID, 11, is_delivered=False),
        request(8, "sent"),
        request(8, "ended", outcome="success", bytes=2_000_000, responseErrorCount=1, responseErrors=[error],
                response={"text": body[:1500], "recordedBytes": 1500, "bytes": 2_000_000}),
        publish("FeedQuery", 8, LONG_ID, removedLayers=[3]),
        request(9, "servedByStore", operation="OtherQuery", variables="{}"),
        {"kind": "garbageCollection", "collected": 3, "retained": 9, "slices": 1, "duration": 0.001, "span": 0.001, "collectedIDs": ["gone", "client:local:5"]},
        {"kind": "missing", "owner": "Row_todo", "record": "1", "paths": [["done"]]},
        {"kind": "retention", "operation": "FeedQuery", "variables": "{}", "isRetained": True, "count": 1},
        {"kind": "note", "text": "the outbox is damaged", "isProblem": True},
    ]
    for index, event in enumerate(events):
        event.update(id=index + 11, time=1 + index * 0.25)
    connection = "client:root:__Feed_connection"
    records = [
        record("client:root", field("feed(first:10)", "links", links=["1", LONG_ID, "gone", "never"]), type_name="__Root"),
        record(connection, field("edges", "links", links=[connection + ":edges:0"]), type_name="FeedConnection"),
        record(connection + ":edges:0", type_name="FeedEdge"), record("client:__type:Todo", type_name="__TypeSchema"),
        record("1", field("text", "string", '"a"')), record(LONG_ID, field("text", "string", '"b"')),
    ]
    reached = [{"record": "client:root"}, {"record": "1", "from": "client:root", "field": "feed", "index": 0}]
    return {
        "version": 1, "start": 1_800_000_000.5, "time": 4, "isRedacted": False, "isRecording": True, "events": events, "droppedEvents": 10,
        "documents": {"FeedQuery": TEXT}, "records": records, "optimisticRecords": [], "omittedRecords": 0, "omitsReached": False, "layers": [],
        "observers": [{"id": 1, "owner": "Row_todo", "record": LONG_ID, "seenRecords": 2, "missing": [["done"]], "explanations": [], "reached": reached}],
        "operations": [{"name": "FeedQuery", "variables": '{"first":10}', "retentions": 1, "isPinned": False, "isStale": False, "fetched": 1.5, "reached": reached}],
    }


def empty():
    """A timeline without anything."""
    return {**timeline(), "events": [], "documents": {}, "records": [], "observers": [], "operations": [], "droppedEvents": 0}


def open_view(page, key):
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(key)
    page.wait_for_timeout(100)


def click(page, selector):
    page.click(selector)
    page.wait_for_timeout(100)


def panel(page, target):
    page.evaluate("(target) => show(target)", target)
    page.wait_for_timeout(50)
    return page.inner_text("#panel")


def check_views(page, expect):
    """Checks the views of `timeline()`."""
    check_requests(page, expect)
    check_lost(page, expect)
    check_internal(page, expect)
    check_range(page, expect)


def check_requests(page, expect):
    text = panel(page, {"type": "request", "number": 8})
    expect("query FeedQuery($first: Int) {\n  feed(first: $first) {" in text, "a request shows its document, one field on each line")
    expect("12345678901234567890" in text and "deep" in text, "a request shows its variables with all digits")
    expect("Only the first 1.5 KB of 1.9 MB are recorded." in text, "a cut response says how much of it is recorded")
    expect("not yours" in text and "feed[3].text" in text and "FORBIDDEN" in text, "an error has its path and its extensions")
    page.evaluate("document.querySelectorAll('#panel .tree details').forEach((details) => { details.open = true; })")
    page.wait_for_timeout(50)
    page.evaluate("document.querySelectorAll('#panel .tree details').forEach((details) => { details.open = true; })")
    page.wait_for_timeout(50)
    expect("(cut)" in page.inner_text("#panel"), "the tree of a cut response ends with its last value")
    text = panel(page, {"type": "request", "number": 9})
    expect("the store has the data" in text and "It has no variables." in text and "generated code has only its id" in text,
           "a request that the store has served says so")
    expect("cache hit" in page.inner_text(".list"), "its row, too")
    times = page.evaluate("[clock(0, 0), clock(0.25)]")
    wanted = page.evaluate("new Date(1800000000500).toTimeString().slice(0, 8)")
    expect(times[0] == wanted and times[1].endswith(".750"), f"times are the browser's time of day ({times[1]})")
    open_view(page, "1")
    expect("+250 ms" in page.inner_text(".list"), "a row has the time since the row before")


def check_lost(page, expect):
    text = panel(page, {"type": "event", "id": 12})
    expect("event 4 (dropped)" in text and "request 7 (dropped)" in text, "references to dropped events say so")
    text = panel(page, {"type": "record", "id": "client:root"})
    expect("gone (collected)" in text and "never (gone)" in text, "links to lost records say so")
    panel(page, {"type": "record", "id": "gone"})
    page.evaluate("[...document.querySelectorAll('#panel a')].every((link) => link.isConnected)")
    expect("garbage collection removed it" in page.inner_text("#panel"), "a collected record says what removed it")
    for target, wanted in (({"type": "event", "id": 4}, "Event 4 is not in this recording"), ({"type": "request", "number": 7}, "Request 7 is not"),
                           ({"type": "layer", "id": 99}, "Optimistic layer 99 is not"), ({"type": "observer", "observer": {"id": 55}}, "not in this recording any more")):
        page.evaluate("(target) => openPanel(target)", target)
        expect(wanted in page.inner_text("#panel"), f"a lost {target['type']} leads to an explanation")


def check_internal(page, expect):
    page.evaluate("state.showsInternal = false; state.selected = null")
    open_view(page, "2")
    rows = page.inner_text(".list")
    expect("__Root" not in rows and "connection" not in rows and "__TypeSchema" not in rows and "VXNlcjo" in rows, "internal records are hidden")
    click(page, ".chip")
    expect("__Root" in page.inner_text(".list"), "and shown when asked for")
    click(page, ".chip")
    text = panel(page, {"type": "event", "id": 18})
    expect("1 internal record not shown" in text and "client:local" not in text, "a list in the panel leaves them out, too")
    panel(page, {"type": "record", "id": "client:root"})
    expect("__Root" in page.inner_text(".list"), "a link to an internal record shows them")


def check_range(page, expect):
    open_view(page, "1")
    page.evaluate("state.filter.timeline = ''; openTab('timeline')")
    box = page.locator("canvas.overview").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.29, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.61, box["y"] + 20, steps=4)
    page.mouse.up()
    page.wait_for_timeout(100)
    ids = page.evaluate("state.list.items.map((event) => event.id)")
    expect(ids == [14, 15, 16, 17], f"a dragged range shows its events only ({ids})")
    text = page.inner_text(".range")
    expect("Range: " in text and "800 ms" in text, f"a range has its times and its length ({' '.join(text.split())})")
    page.click("text=Zoom in")
    span = page.evaluate("state.list.above.span")
    expect(1.7 < span[0] < 1.75 and 2.5 < span[1] < 2.55, "the overview zooms to the range")
    page.click("text=Zoom out")
    page.click("text=Zoom out")
    expect(page.evaluate("state.zoom") is None, "and out again")
    page.click(".range >> text=Clear")
    expect(page.evaluate("state.list.items.length") == 11, "a cleared range shows all events")
    page.focus("canvas.overview")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowLeft")
    expect(0 < page.evaluate("state.list.items.length") < 11, "a range is selected with keys")
    page.keyboard.press("+")
    page.keyboard.press("Escape")
    expect(page.evaluate("state.range") is None, "the key Escape clears it")
    page.keyboard.press("-")
    page.keyboard.press("-")
    page.evaluate("state.range = [1.8, 1.9]; openTab('timeline')")
    expect("Nothing matches." in page.inner_text(".list"), "an empty range says so")
    panel(page, {"type": "event", "id": 11})
    expect(page.evaluate("state.range") is None and page.evaluate("state.list.selected") == 0, "a link to an event outside the range clears it")


def check_empty(page, expect):
    """Checks the views of `empty()`."""
    texts = ["No events are recorded.", "The store has no records.", "No optimistic update", "Nothing is observed.", "No operation is retained.",
             "No requests are recorded.", "No garbage collection is recorded.", "Choose a recording"]
    for index, text in enumerate(texts):
        open_view(page, str(index + 1))
        expect(text in page.inner_text(".list"), f"an empty list says so: {text}")
    for key in "12345678":
        open_view(page, key)
        page.keyboard.press("/")
        page.keyboard.type("zebra")
        page.wait_for_timeout(50)
        expect("Nothing matches." in page.inner_text(".list"), f"a search without a result in view {key} says so")
        page.click("text=Show everything")
        expect(page.input_value("#filter") == "", "and can be cleared")


def check_comparison(page, expect, folder, exported):
    """Compares the page of `timeline()` with files.

    `exported` returns the page of a timeline."""
    before = timeline()
    # The release before sent fewer bytes, read more often, and had an operation that is gone.
    before["events"] = [event for event in before["events"] if event["kind"] != "delivery"] + [delivery("Row_todo", "1", 11, is_delivered=False) for _ in range(3)]
    before["events"] += [request(10, "ended", operation="OldQuery", outcome="failure", bytes=5)]
    for number, event in enumerate(before["events"]):
        if event["kind"] == "request" and event["operation"] == "FeedQuery":
            event["bytes"] //= 4
        event.update(id=number + 1, time=number / 10)
    whole = json.dumps(before)

    def compare(name, text):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        open_view(page, "8")
        page.set_input_files("#before", path)
        page.wait_for_function("(name) => state.comparison && state.comparison.name === name", arg=name)
        page.wait_for_timeout(100)
        return page.inner_text("#view")

    for name, text in (("before.html", exported(before)), ("before.json", whole)):
        shown = compare(name, text)
        rows = page.evaluate("state.comparison.rows.map((row) => [row.name, row.state])")
        expect(rows[0][0] == "All" and ["OldQuery", "gone"] in rows and ["OtherQuery", "same"] in rows, f"{name}: operations are new, gone or the same ({rows})")
        expect("488.3 KB → 1.9 MB" in shown and "OtherQuery" not in shown, f"{name}: bytes before and after, without what is the same")
        expect("Dropped events are not counted" in shown, f"{name}: dropped events are named")
    figures = page.evaluate("(() => { const row = state.comparison.rows.find((row) => row.name === 'Row_todo'); return [row.before, row.after]; })()")
    expect(figures[0]["equal reads"] == 3 and figures[1]["equal reads"] == 1 and figures[1]["deliveries"] == 1, f"reads and deliveries are counted ({figures})")
    requests = page.evaluate("state.comparison.rows.filter((row) => row.after.requests).map((row) => [row.name, row.before.requests, row.after.requests])")
    expect(requests == [["All", 2, 1], ["FeedQuery", 1, 1]], f"a request with several events counts once ({requests})")
    text = panel(page, {"type": "comparison", "name": "FeedQuery"})
    expect("+300 %" in text and "bytes per request" in text, "the panel has every figure with its change")
    shown = compare("same.json", json.dumps(timeline()))
    expect("same figures in both recordings" in shown, "recordings that are equal say so")
    click(page, ".chip")
    expect("OtherQuery" in page.inner_text(".list"), "unchanged rows are shown when asked for")
    click(page, ".chip")
    check_bad_recordings(expect, compare, before, exported)
    for name, text in (("json", whole), ("html", exported(before))):
        wrong = page.evaluate("""(text) => {
          const wrong = [];
          for (let end = text.search(/"version"/); end < text.trimEnd().length; end += 101) {
            try { parsedRecording(text.slice(0, end)); wrong.push(end); } catch (error) {
              if (!/is cut off|without a timeline/.test(error.message)) wrong.push(`${end}: ${error.message}`);
            }
          }
          return wrong;
        }""", text)
        expect(not wrong, f"{name} that is cut anywhere says so {wrong[:3]}")
    compare("before.json", whole)


def check_bad_recordings(expect, compare, before, exported):
    whole, page = json.dumps(before), exported(before)
    cut = whole.index('"garbageCollection"') + 5
    middle = page.index('"garbageCollection"')
    wrong = json.loads(whole)
    place = next(index for index, event in enumerate(wrong["events"]) if event["kind"] == "request")
    wrong["events"][place]["bytes"] = "many"
    cases = {
        "cut.json": (whole[:cut], f"is cut off after {cut:,} characters, in events[5].kind"),
        "later.json": (json.dumps({**before, "version": 2}), "has version 2; this page reads version 1"),
        "none.json": ('{"a":1}', "version is absent"),
        "list.json": ("[1]", "the top level is a list"),
        "wrong.json": (json.dumps(wrong), f"events[{place}].bytes is a string, expected a number"),
        "text.json": ("hello", "is not JSON"),
        "empty.json": ("", "is not JSON"),
        "cut.html": (page[:middle], "block after event 0 is cut off"),
        "end.html": (page[:page.rindex("<script>")], "The page is cut off after"),
        "other.html": ("<html></html>", "without a timeline"),
    }
    for name, (text, wanted) in cases.items():
        shown = compare(name, text)
        expect(f"{name}: " in shown and wanted in shown and "nothing to compare" in shown, f"{name}: the error says what and where: {wanted}")


CONTRAST = """() => {
  const parts = (text) => {
    const numbers = text.match(/[\\d.e-]+/g).map(Number);
    const scale = text.startsWith("color(") ? 255 : 1;
    return [...numbers.slice(0, 3).map((number) => number * scale), numbers.length > 3 ? numbers[3] : 1];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((value, index) => value * a + below[index] * (1 - a));
  const background = (element) => {
    const layers = [];
    for (let node = element; node; node = node.parentElement) layers.push(parts(getComputedStyle(node).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const luminance = (color) => color.map((value) => value / 255).map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const bad = [];
  let count = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest("script, style, [disabled], .unseen")) continue;
    const style = getComputedStyle(element);
    const below = background(element);
    let opacity = 1;
    for (let node = element; node; node = node.parentElement) opacity *= Number(getComputedStyle(node).opacity);
    const color = parts(element instanceof SVGElement ? style.fill : style.color);
    color[3] *= opacity;
    const [a, b] = [luminance(over(color, below)), luminance(below)].sort((a, b) => b - a);
    count++;
    if ((a + 0.05) / (b + 0.05) < 4.5) bad.push(`${((a + 0.05) / (b + 0.05)).toFixed(2)} ${element.tagName}.${element.className} ${walker.currentNode.data.trim().slice(0, 30)}`);
  }
  return [count, [...new Set(bad)]];
}"""
OVERFLOW = """() => [["page", document.documentElement], ["body", document.body], ...["header", "main", "#view", ".list", ".bar", ".range", "#panel"]
  .map((name) => [name, document.querySelector(name)])].filter(([, element]) => element && element.scrollWidth > element.clientWidth + 1
    && element.checkVisibility()).map(([name, element]) => `${name} ${element.scrollWidth} > ${element.clientWidth}`)"""


def check_layout(page, expect, folder=None):
    """Checks each view, with a row selected, in each width and theme; saves pictures in `folder`."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for theme in THEMES:
            page.evaluate("(theme) => setTheme(theme)", theme)
            counts, faint, wide = 0, [], []
            for key in "12345678":
                open_view(page, key)
                rows = page.evaluate("state.list.items.length")
                for row in range(min(rows, 11)):
                    page.evaluate("(row) => state.list.select(row)", row)
                    page.wait_for_timeout(20)
                    count, bad = page.evaluate(CONTRAST)
                    counts += count
                    faint += bad
                    wide += [f"view {key}, row {row}: {text}" for text in page.evaluate(OVERFLOW)]
                if folder:
                    page.wait_for_timeout(100)
                    page.screenshot(path=os.path.join(folder, f"{width}-{theme}-{key}.png"))
            expect(counts > 500 and not faint, f"{width} px, {theme}: text has a contrast of 4.5 ({counts} texts) {sorted(set(faint))[:8]}")
            expect(not wide, f"{width} px, {theme}: nothing is wider than the window {wide[:5]}")
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})
    panel(page, {"type": "record", "id": LONG_ID})
    inside = page.evaluate("""() => {
      const title = document.querySelector("#panel h2");
      return title.textContent.endsWith(":profile") && title.getBoundingClientRect().height > 40 && title.scrollWidth <= title.clientWidth;
    }""")
    expect(inside, "a long id wraps and is shown to its end")
