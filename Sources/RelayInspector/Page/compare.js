// The comparison of this recording with another one: what did a release change?

/** The version of recordings that this page reads. */
const VERSION = 1;

/** The figures of a row: the name, and the text of a value. */
const FIGURES = [
  ["requests", String], ["from the store", String], ["failures", String], ["bytes", (bytes) => size(bytes)],
  ["seconds", (seconds) => duration(seconds)], ["publishes", String], ["changed records", String],
  ["deliveries", String], ["equal reads", String], ["reads with missing data", String],
];

/** Adds up the figures of events by operation, or by the fragment that was read. */
function figuresOf(events) {
  const rows = new Map([["All", {}]]);
  const requests = new Map();
  const add = (name, figure, amount = 1) => {
    if (!rows.has(name)) rows.set(name, {});
    for (const row of [rows.get(name), rows.get("All")]) row[figure] = (row[figure] || 0) + amount;
  };
  for (const event of events) {
    switch (event.kind) {
    case "publish": {
      const name = event.cause.operation || causeText(event.cause);
      add(name, "publishes");
      add(name, "changed records", event.changedRecords);
      break;
    }
    case "delivery": add(event.owner || "an observer", event.isDelivered ? "deliveries" : "equal reads"); break;
    case "missing": add(event.owner, "reads with missing data"); break;
    case "request": requests.set(event.number, event); break;
    }
  }
  // Each event of a request has the totals so far.
  for (const event of requests.values()) {
    add(event.operation, event.phase === "servedByStore" ? "from the store" : "requests");
    add(event.operation, "bytes", event.bytes);
    add(event.operation, "seconds", event.timings.total);
    if (event.outcome === "failure") add(event.operation, "failures");
  }
  return rows;
}

/** Returns the rows of a comparison, those that changed most first. */
function comparedRows(before, after) {
  const rows = [...new Set([...before.keys(), ...after.keys()])].map((name) => {
    const [old, now] = [before.get(name) || {}, after.get(name) || {}];
    let change = 0;
    for (const [figure] of FIGURES) {
      const [a, b] = [old[figure] || 0, now[figure] || 0];
      // Times always differ.
      if (figure !== "seconds" && a !== b) change = Math.max(change, Math.abs(b - a) / Math.max(a, b));
    }
    const state = !before.has(name) ? "new" : !after.has(name) ? "gone" : change ? "changed" : "same";
    return { name, before: old, after: now, change: name === "All" ? Infinity : change, state, search: `${name} ${state}`.toLowerCase() };
  });
  return rows.sort((a, b) => b.change - a.change || (a.name < b.name ? -1 : 1));
}

// MARK: Reading

/** The names of a path in JSON: `events[3].bytes`. */
const placeText = (keys) => keys.map((key, index) => typeof key === "number" ? `[${key}]` : index ? `.${key}` : key).join("") || "the top level";

/** Parses JSON, and says where it is cut off or wrong. */
function parsedJSON(text, what) {
  try { return JSON.parse(text); } catch (error) {
    const keys = [];
    let node = readJSON(text);
    const isCut = node && node.isCut;
    while (node && node.items && node.items.length) {
      node = node.items[node.items.length - 1];
      if (!node.isCut) break;
      keys.push(node.key);
    }
    if (isCut) {
      throw new Error(`${what} is cut off after ${text.length.toLocaleString("en")} characters, in ${placeText(keys)}.`);
    }
    throw new Error(`${what} is not JSON: ${error.message}.`);
  }
}

/** Returns the timeline of an exported file: JSON, or a page of the inspector. */
function parsedRecording(text) {
  if (!/^\s*</.test(text)) return checkedRecording(parsedJSON(text, "The file"));
  const blocks = [...text.matchAll(/<script type="application\/json" (id="timeline"|class="events")>([^<]*)(<\/script>)?/g)];
  if (!blocks.length) throw new Error(`The file is HTML of ${text.length.toLocaleString("en")} characters, without a timeline.`);
  let timeline = null;
  for (const [, kind, json, end] of blocks) {
    const what = kind.startsWith("id") ? "The page's description of the store" : `The page's block after event ${timeline ? timeline.events.length : 0}`;
    if (!end) throw new Error(`${what} is cut off; the file ends after ${text.length.toLocaleString("en")} characters.`);
    const value = parsedJSON(json, what);
    if (!timeline) {
      timeline = value;
      if (timeline === null || typeof timeline !== "object" || !Array.isArray(timeline.events)) break;
    } else if (Array.isArray(value)) for (const event of value) timeline.events.push(event);
    else throw new Error(`${what} is no list of events.`);
  }
  if (!/<\/html>\s*$/.test(text)) throw new Error(`The page is cut off after ${timeline.events.length.toLocaleString("en")} events.`);
  return checkedRecording(timeline);
}

/** The members of events that the figures need, with their types. */
const MEMBER_TYPES = {
  publish: { cause: "object", changedRecords: "number" },
  delivery: { owner: "string", isDelivered: "boolean" },
  missing: { owner: "string" },
  request: { number: "number", phase: "string", operation: "string", bytes: "number", timings: "object" },
};

/** Checks the version and each event that is counted. */
function checkedRecording(timeline) {
  const kind = (value) => value === null ? "null" : Array.isArray(value) ? "a list" : value === undefined ? "absent" : typeof value === "object" ? "an object" : `a ${typeof value}`;
  const fail = (path, expected, value) => { throw new Error(`The file is no recording of this version: ${path} is ${kind(value)}, expected ${expected}.`); };
  if (timeline === null || typeof timeline !== "object" || Array.isArray(timeline)) fail("the top level", "an object", timeline);
  if (typeof timeline.version !== "number") fail("version", "a number", timeline.version);
  if (timeline.version !== VERSION) throw new Error(`The file has version ${timeline.version}; this page reads version ${VERSION}. Open it with the inspector of the release that wrote it.`);
  if (!Array.isArray(timeline.events)) fail("events", "a list", timeline.events);
  timeline.events.forEach((event, index) => {
    const path = `events[${index}]`;
    if (event === null || typeof event !== "object") fail(path, "an object", event);
    if (typeof event.time !== "number") fail(`${path}.time`, "a number", event.time);
    for (const [name, type] of Object.entries(MEMBER_TYPES[event.kind] || {})) {
      if (typeof event[name] !== type || event[name] === null) fail(`${path}.${name}`, type === "object" ? "an object" : `a ${type}`, event[name]);
    }
    if (event.kind === "request" && typeof event.timings.total !== "number") fail(`${path}.timings.total`, "a number", event.timings.total);
  });
  return timeline;
}

// MARK: Views

/** Reads a file and compares this recording with it. */
async function compareWith(file) {
  const comparison = { name: file.name, error: null, rows: [] };
  try {
    const timeline = parsedRecording(await file.text());
    comparison.before = figuresOf(timeline.events);
    comparison.about = recordingText(timeline.events, timeline.droppedEvents);
    comparison.dropped = timeline.droppedEvents;
  } catch (error) { comparison.error = error.message; }
  state.comparison = comparison;
  updateComparison();
  if (state.tab === "compare") openTab("compare");
}

/** Compares again, after this recording was read. */
function updateComparison() {
  const comparison = state.comparison;
  if (comparison && comparison.before) comparison.rows = comparedRows(comparison.before, figuresOf(model.events));
}

const recordingText = (events, dropped) => events.length
  ? `${plural(events.length, "event")} in ${duration(events[events.length - 1].time - events[0].time)}${dropped ? `, ${dropped.toLocaleString("en")} older ones dropped` : ""}`
  : "no events";

/** A figure before and after. */
function compared(row, name) {
  const text = FIGURES.find(([figure]) => figure === name)[1];
  const [before, after] = [row.before[name] || 0, row.after[name] || 0];
  if (before === after) return h("span", { class: "num" }, before ? text(before) : "");
  return h("span", { class: `num ${after > before ? "before" : "after"}` }, `${text(before)} → ${text(after)}`);
}

views.compare = () => {
  const { comparison } = state;
  const items = () => !comparison ? [] : state.showsSame ? comparison.rows : comparison.rows.filter((row) => row.state !== "same");
  const columns = [["operation or fragment", "minmax(120px, 1.4fr)", "minmax(90px, 1fr)"], ["state", "70px"], ["requests", "100px"],
    ["bytes", "150px", "140px"], ["deliveries", "110px", "84px"], ["equal reads", "110px"], ["publishes", "100px"]];
  const view = listView({
    placeholder: "Filter: an operation, a fragment", label: "Comparison", items, text: (row) => row.search, columns,
    fill: (row) => [row.name === "All" ? h("b", null, "All") : row.name, h("span", { class: "dim" }, row.state), compared(row, "requests"), compared(row, "bytes"),
      compared(row, "deliveries"), compared(row, "equal reads"), compared(row, "publishes")],
    target: (row) => ({ type: "comparison", name: row.name }), isSelected: (row, selected) => selected.type === "comparison" && row.name === selected.name,
    empty: () => !comparison ? "Choose a recording of the release before: the JSON of a timeline, or a page of the inspector."
      : comparison.error ? "There is nothing to compare." : "Every operation and fragment has the same figures in both recordings.",
    bar: (apply) => [fileButton(), h("button", { class: "chip", "aria-pressed": String(Boolean(state.showsSame)), onclick: (event) => {
      state.showsSame = !state.showsSame;
      event.currentTarget.setAttribute("aria-pressed", String(state.showsSame));
      apply();
    } }, "unchanged")],
  });
  if (!comparison) return;
  const note = comparison.error ? h("p", { class: "problem", role: "alert" }, `${comparison.name}: ${comparison.error}`)
    : h("p", null, h("b", null, comparison.name), ` (before): ${comparison.about}. `, h("b", null, "This recording"), ` (after): ${recordingText(model.events, model.timeline.droppedEvents)}.`,
      comparison.dropped || model.timeline.droppedEvents ? " Dropped events are not counted." : "");
  view.insertBefore(h("div", { class: "bar note" }, note), state.list.head);
};

function fileButton() {
  const input = h("input", { type: "file", id: "before", class: "unseen", accept: ".json,.html", "aria-label": "Recording before", onchange: () => { if (input.files.length) compareWith(input.files[0]); } });
  return h("label", { class: "button" }, input, "Recording before …");
}

/** Shows all figures of a row. */
panels.comparison = (row) => {
  const rest = (a, b) => a === b ? "" : a ? `${b > a ? "+" : "−"}${Math.round(100 * Math.abs(b - a) / a)} %` : "new";
  const each = (name, by, text) => {
    const [a, b] = [row.before, row.after].map((figures) => figures[by] ? (figures[name] || 0) / figures[by] : 0);
    return a || b ? [`${name} per request`, a, b, text] : null;
  };
  const figures = FIGURES.map(([name, text]) => [name, row.before[name] || 0, row.after[name] || 0, text])
    .concat([each("bytes", "requests", (bytes) => size(Math.round(bytes))), each("seconds", "requests", duration)].filter(Boolean))
    .filter(([, before, after]) => before || after);
  return [
    h("h2", null, row.name),
    why({ new: "Only this recording has it.", gone: "Only the recording before has it.", same: "Its figures are the same in both recordings.",
      changed: "Its figures differ." }[row.state]),
    h("table", { class: "figures" }, h("tr", null, ["figure", "before", "after", "change"].map((text) => h("th", null, text))),
      figures.map(([name, before, after, text]) => h("tr", null, h("td", null, name), h("td", { class: "mono" }, text(before)), h("td", { class: "mono" }, text(after)),
        h("td", { class: `mono ${after > before ? "before" : "after"}` }, rest(before, after))))),
  ];
};
