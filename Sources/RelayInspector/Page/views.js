// The views: one list each, next to the panel.

const KINDS = ["publish", "delivery", "request", "missing", "retention", "garbageCollection", "note"];
const KIND_NAMES = { garbageCollection: "collection", note: "note" };
const state = {
  tab: "timeline", filter: {}, hidden: new Set(), range: null, zoom: null, showsInternal: false, showsSame: false, comparison: null,
  selected: null, list: null, history: [], future: [],
};

const tabs = [
  { id: "timeline", title: "Timeline", count: () => model.events.length },
  { id: "records", title: "Records", count: () => model.records.size },
  { id: "layers", title: "Layers", count: () => model.layers.size },
  { id: "observers", title: "Observers", count: () => model.timeline ? model.timeline.observers.length : 0 },
  { id: "operations", title: "Operations", count: () => model.timeline ? model.timeline.operations.length : 0 },
  { id: "requests", title: "Requests", count: () => model.requests.length },
  { id: "garbage", title: "Garbage", count: () => model.collections.length },
  { id: "compare", title: "Compare", count: () => state.comparison ? state.comparison.rows.length : null },
];

const kindOf = (event) => event.kind === "note" && event.isProblem ? "problem" : event.kind === "delivery" && !event.isDelivered ? "skipped" : event.kind;
const kindCell = (event) => h("span", { class: kindOf(event) === "skipped" ? "kind hollow" : "kind", style: { "--kind": `var(--${kindOf(event)}, var(--dim))` } }, KIND_NAMES[event.kind] || event.kind);

/** Creates a filter field; a match has all words of the filter. */
function filterField(placeholder, apply) {
  const id = state.tab;
  const input = h("input", {
    type: "search", placeholder, "aria-label": placeholder, spellcheck: "false", value: state.filter[id] || "",
    oninput: () => { state.filter[id] = input.value; apply(); },
    onkeydown: (event) => {
      if (event.key === "ArrowDown" || event.key === "Enter") { state.list.element.focus(); state.list.select(Math.max(0, state.list.selected)); event.preventDefault(); }
      if (event.key === "Escape") { input.value = state.filter[id] = ""; apply(); state.list.element.focus(); }
      event.stopPropagation();
    },
  });
  input.id = "filter";
  return input;
}

/** The maximum time for filtering before the page is redrawn, in milliseconds. */
const SLICE = 12;

/**
 * Calls back with the items whose text has all words of the filter. Filters many items in slices, so that
 * typing is never delayed; a newer call ends an older one.
 */
function filtered(items, text, found) {
  const words = (state.filter[state.tab] || "").toLowerCase().split(/\s+/).filter(Boolean);
  const turn = state.turn = (state.turn || 0) + 1;
  if (!words.length) return found(items);
  const result = [];
  let position = 0;
  const next = () => {
    if (turn !== state.turn) return;
    const end = performance.now() + SLICE;
    while (position < items.length) {
      const subject = text(items[position]);
      if (words.every((word) => subject.includes(word))) result.push(items[position]);
      position++;
      if (position % 512 === 0 && performance.now() > end) return setTimeout(next);
    }
    found(result);
  };
  next();
}

/** Whether the open view may hide items. */
const isFiltered = () => Boolean(state.filter[state.tab] || (state.tab === "timeline" && (state.hidden.size || state.range)));

/** Shows all items of the open view. */
function clearFilters() {
  state.filter[state.tab] = "";
  if (state.tab === "timeline") { state.hidden.clear(); state.range = null; }
  openTab(state.tab);
}

/**
 * Shows a list below a bar.
 *
 * `empty` returns the text for a list without items, and `narrowed` the items that the view shows of those that
 * the filter has found. `above` creates a view of all of these.
 */
function listView({ placeholder, items, text, columns, fill, target, bar, isSelected, label, empty, above, narrowed = (found) => found }) {
  const view = document.getElementById("view");
  const count = h("span", { class: "dim", role: "status" });
  const apply = (isFirst) => filtered(items(), text, (all) => {
    const found = narrowed(all);
    state.list.note.hidden = found.length > 0;
    if (!found.length) {
      state.list.note.replaceChildren();
      append(state.list.note, isFiltered() ? [h("p", null, "Nothing matches."), h("button", { onclick: clearFilters }, "Show everything")] : [empty()]);
    }
    const selected = state.selected ? found.findIndex((item) => isSelected(item, state.selected)) : -1;
    state.list.set(found, selected);
    if (isFirst === true && selected >= 0) state.list.select(selected, true);
    count.textContent = `${found.length.toLocaleString("en")} shown`;
    if (state.list.above) state.list.above.show(all);
  });
  state.list = new VirtualList({ columns, fill, label, onSelect: (item) => openPanel(target(item)), onOpen: () => document.getElementById("panel").focus() });
  state.list.above = above && above(apply);
  view.replaceChildren();
  append(view, [h("div", { class: "bar" }, filterField(placeholder, apply), bar ? bar(apply) : null, count), above && state.list.above.element, state.list.head, state.list.element]);
  apply(true);
  return view;
}

const views = {
  timeline() {
    listView({
      placeholder: "Filter events: an operation, a fragment, a record, a field", label: "Events",
      items: () => state.hidden.size ? model.events.filter((event) => !state.hidden.has(event.kind)) : model.events,
      text: (event) => event.search, narrowed: inRange, above: (apply) => new Overview(apply),
      columns: [["event", "64px"], ["time", "98px", "88px"], ["after", "80px"], ["kind", "108px", "96px"], ["what", "minmax(0, 1fr)", "minmax(0, 1fr)"]],
      empty: () => model.timeline && !model.timeline.isRecording ? "The store records no events: its configuration has no timeline." : "No events are recorded.",
      fill: (event, index) => [h("span", { class: "num" }, event.id), h("span", { class: "num", title: timeOf(event, 6) }, timeOf(event)),
        h("span", { class: "num" }, difference(event, state.list.items[index - 1])), kindCell(event), rowText(event.line)],
      target: (event) => ({ type: "event", id: event.id }), isSelected: (event, selected) => selected.type === "event" && event.id === selected.id,
      bar: (apply) => KINDS.map((kind) => {
        const chip = h("button", { class: "chip", "aria-pressed": String(!state.hidden.has(kind)), style: { "--kind": `var(--${kind})` }, onclick: () => {
          if (state.hidden.has(kind)) state.hidden.delete(kind); else state.hidden.add(kind);
          chip.setAttribute("aria-pressed", String(!state.hidden.has(kind)));
          apply();
        } }, KIND_NAMES[kind] || kind);
        return chip;
      }),
    });
  },

  records() {
    const all = [...model.records.values()].concat([...model.overlay.values()].filter((record) => !model.records.has(record.id)));
    const own = all.filter((record) => !isInternal(record.id));
    listView({
      placeholder: "Filter records: a type, an id", label: "Records", items: () => state.showsInternal ? all : own, text: (record) => record.search,
      columns: [["type", "minmax(120px, 1fr)", "minmax(80px, 1fr)"], ["id", "minmax(180px, 2fr)", "minmax(120px, 2fr)"], ["fields", "70px"], ["linked", "80px"], ["kept by", "90px"]],
      empty: () => all.length ? "All records are internal." : "The store has no records.",
      bar: (apply) => all.length > own.length && h("button", { class: "chip", "aria-pressed": String(state.showsInternal), title: "Roots, payloads, types, connections and their edges",
        onclick: (event) => {
          state.showsInternal = !state.showsInternal;
          event.currentTarget.setAttribute("aria-pressed", String(state.showsInternal));
          apply();
        } }, `internal ${(all.length - own.length).toLocaleString("en")}`),
      fill: (record) => [h("span", { class: record.typeName ? "" : "dim" }, record.typeName || "unknown"),
        h("code", { class: record.state === "deleted" ? "problem" : "" }, idText(record.id)),
        h("span", { class: "num" }, record.fields.length), h("span", { class: "num" }, (model.backReferences.get(record.id) || []).length),
        h("span", { class: "num" }, reasonCount(record.id) || "nothing")],
      target: (record) => ({ type: "record", id: record.id }), isSelected: (record, selected) => selected.type === "record" && record.id === selected.id,
    });
  },

  layers() {
    const items = [...model.layers.values()].sort((a, b) => b.id - a.id);
    listView({
      placeholder: "Filter layers: an operation", label: "Layers", items: () => items,
      text: (layer) => `${layer.id} ${layer.added ? causeText(layer.added.cause) : ""}`.toLowerCase(),
      columns: [["layer", "80px", "50px"], ["state", "90px", "60px"], ["applied by", "minmax(0, 1fr)", "minmax(0, 1fr)"], ["from", "110px"], ["to", "110px"]],
      empty: () => "No optimistic update is live or recorded.",
      fill: (layer) => [h("span", { class: "num" }, layer.id), layer.isLive ? "live" : h("span", { class: "dim" }, "ended"),
        h("span", null, layer.added ? causeText(layer.added.cause) : "not recorded"),
        h("span", { class: "num" }, layer.added ? timeOf(layer.added) : ""), h("span", { class: "num" }, layer.removed ? timeOf(layer.removed) : "")],
      target: (layer) => ({ type: "layer", id: layer.id }), isSelected: (layer, selected) => selected.type === "layer" && layer.id === selected.id,
    });
  },

  observers() {
    const items = model.timeline ? model.timeline.observers : [];
    listView({
      placeholder: "Filter observers: a fragment, a record", label: "Observers", items: () => items,
      text: (observer) => `${observer.owner} ${observer.record}`.toLowerCase(),
      columns: [["number", "70px"], ["definition", "minmax(0, 1.2fr)", "minmax(0, 1.2fr)"], ["record", "minmax(0, 1fr)", "minmax(0, 1fr)"],
        ["records", "80px"], ["reads", "80px"], ["missing", "90px", "66px"]],
      empty: () => "Nothing is observed.",
      fill: (observer) => [h("span", { class: "num" }, observer.id), h("span", null, observer.owner || "–"), h("code", null, idText(observer.record)),
        h("span", { class: "num" }, observer.seenRecords), h("span", { class: "num" }, (model.readsOf.get(observer.id) || []).length),
        observer.missing.length ? h("span", { class: "problem" }, plural(observer.missing.length, "field")) : h("span", { class: "dim" }, "nothing")],
      target: (observer) => ({ type: "observer", observer }), isSelected: (observer, selected) => selected.type === "observer" && observer === selected.observer,
    });
  },

  operations() {
    const items = model.timeline ? model.timeline.operations : [];
    listView({
      placeholder: "Filter operations: a name, variables", label: "Operations", items: () => items,
      text: (operation) => `${operation.name} ${operation.variables || ""}`.toLowerCase(),
      columns: [["operation", "minmax(0, 1fr)", "minmax(0, 1fr)"], ["variables", "minmax(0, 1.2fr)"], ["state", "100px", "86px"], ["records", "90px", "56px"],
        ["fetched", "98px"], ["fresh for", "90px"]],
      empty: () => "No operation is retained.",
      fill: (operation) => [h("span", null, operation.name), h("code", { class: "dim" }, operation.variables == null ? redactable(null) : shortened(operation.variables, 300)),
        h("span", null, operation.isPinned ? "pinned" : operation.retentions ? `retained ${operation.retentions}×` : "released"),
        h("span", { class: "num" }, operation.reached.length), h("span", { class: "num" }, operation.fetched == null ? "–" : clock(operation.fetched)),
        h("span", { class: "num" }, operation.isStale || operation.timeLeft < 0 ? "stale" : operation.timeLeft == null ? "any time" : duration(operation.timeLeft))],
      target: (operation) => ({ type: "operation", operation }), isSelected: (operation, selected) => selected.type === "operation" && operation === selected.operation,
    });
  },

  requests() {
    const begin = model.requests.reduce((least, request) => Math.min(least, request.start), Infinity);
    const end = model.requests.reduce((most, request) => Math.max(most, request.last.time), 0);
    const span = Math.max(1e-9, end - begin);
    listView({
      placeholder: "Filter requests: an operation, an outcome", label: "Requests", items: () => model.requests, text: (request) => request.last.search,
      columns: [["request", "60px"], ["operation", "minmax(0, 1.1fr)", "minmax(0, 1fr)"], ["outcome", "90px", "76px"], ["time", "90px", "64px"], ["size", "80px", "64px"],
        [begin === Infinity ? "" : `${clock(begin)} to ${clock(end)}`, "minmax(0, 2fr)"]],
      empty: () => "No requests are recorded.",
      fill: (request) => {
        const { timings, phase, outcome, operation, bytes, responseErrorCount } = request.last;
        let left = 100 * (request.start - begin) / span;
        return [h("span", { class: "num" }, request.number), h("span", null, operation),
          h("span", { class: outcome === "failure" || responseErrorCount ? "problem" : "" }, phase === "servedByStore" ? "cache hit" : outcomeText(request.last) || "in flight"),
          h("span", { class: "num" }, duration(timings.total)), h("span", { class: "num" }, size(bytes)),
          h("span", { class: "bars" }, ["queued", "network", "parsing", "publishing"].map((name) => {
            const width = 100 * timings[name] / span;
            left += width;
            return h("i", { style: { left: `${left - width}%`, width: `max(1px, ${width}%)`, background: `var(--${name})` } });
          }))];
      },
      target: (request) => ({ type: "request", number: request.number }), isSelected: (request, selected) => selected.type === "request" && request.number === selected.number,
      bar: () => h("span", { class: "legend" }, ["queued", "network", "parsing", "publishing"].map((name) => h("span", { style: { "--c": `var(--${name})` } }, name))),
    });
  },

  garbage() {
    const most = model.collections.reduce((most, event) => Math.max(most, event.collected + event.retained), 1);
    listView({
      placeholder: "Filter collections", label: "Garbage collections", items: () => model.collections, text: (event) => event.search,
      columns: [["time", "98px", "88px"], ["removed", "90px", "minmax(0, 1fr)"], ["kept", "90px", "minmax(0, 1fr)"], ["work", "90px", "minmax(0, 1fr)"], ["slices", "70px"],
        ["removed and kept", "minmax(0, 1fr)"]],
      empty: () => "No garbage collection is recorded.",
      fill: (event) => [h("span", { class: "num" }, timeOf(event)), h("span", { class: "num" }, event.collected.toLocaleString("en")),
        h("span", { class: "num" }, event.retained.toLocaleString("en")), h("span", { class: "num" }, duration(event.duration)), h("span", { class: "num" }, event.slices),
        h("span", { class: "bars" }, h("i", { style: { left: 0, width: `${100 * event.collected / most}%`, background: "var(--problem)" } }),
          h("i", { style: { left: `${100 * event.collected / most}%`, width: `${100 * event.retained / most}%`, background: "var(--delivery)" } }))],
      target: (event) => ({ type: "event", id: event.id }), isSelected: (event, selected) => selected.type === "event" && event.id === selected.id,
    });
  },
};
