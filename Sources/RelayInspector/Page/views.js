// The views: one list each, next to the panel.

const KINDS = ["publish", "delivery", "request", "missing", "retention", "garbageCollection", "note"];
const KIND_NAMES = { garbageCollection: "collection", note: "note" };
const state = { tab: "timeline", filter: {}, hidden: new Set(), selected: null, list: null, history: [], future: [] };

const tabs = [
  { id: "timeline", title: "Timeline", count: () => model.events.length },
  { id: "records", title: "Records", count: () => model.records.size },
  { id: "layers", title: "Layers", count: () => model.layers.size },
  { id: "observers", title: "Observers", count: () => model.timeline ? model.timeline.observers.length : 0 },
  { id: "operations", title: "Operations", count: () => model.timeline ? model.timeline.operations.length : 0 },
  { id: "requests", title: "Requests", count: () => model.requests.length },
  { id: "garbage", title: "Garbage", count: () => model.collections.length },
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

/** Shows a list below a bar. */
function listView({ placeholder, items, text, columns, heads, fill, target, bar, isSelected, label }) {
  const view = document.getElementById("view");
  const count = h("span", { class: "dim" });
  const apply = (isFirst) => filtered(items(), text, (found) => {
    const selected = state.selected ? found.findIndex((item) => isSelected(item, state.selected)) : -1;
    state.list.set(found, selected);
    if (isFirst === true && selected >= 0) state.list.select(selected, true);
    count.textContent = `${found.length.toLocaleString("en")} shown`;
    if (state.list.onItems) state.list.onItems();
  });
  state.list = new VirtualList({ columns, heads, fill, label, onSelect: (item) => openPanel(target(item)), onOpen: () => document.getElementById("panel").focus() });
  state.apply = apply;
  view.replaceChildren();
  append(view, [h("div", { class: "bar" }, filterField(placeholder, apply), bar ? bar(apply) : null, count), state.list.head, state.list.element]);
  apply(true);
  return view;
}

const views = {
  timeline() {
    const view = listView({
      placeholder: "Filter events: an operation, a fragment, a record, a field", label: "Events",
      items: () => state.hidden.size ? model.events.filter((event) => !state.hidden.has(event.kind)) : model.events,
      text: (event) => event.search, columns: "64px 92px 108px 1fr", heads: ["event", "seconds", "kind", "what"],
      fill: (event) => [h("span", { class: "num" }, event.id), h("span", { class: "num" }, clock(event)), kindCell(event), rowText(event.text)],
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
    const canvas = h("canvas", { class: "overview", title: "Events over time", onclick: (event) => jump(event, canvas) });
    view.insertBefore(canvas, state.list.head);
    const own = state.list;
    const draw = () => requestAnimationFrame(() => drawOverview(canvas, own.items));
    own.onItems = draw;
    new ResizeObserver(draw).observe(canvas);
  },

  records() {
    const items = [...model.records.values()].concat([...model.overlay.values()].filter((record) => !model.records.has(record.id)));
    listView({
      placeholder: "Filter records: a type, an id", label: "Records", items: () => items, text: (record) => record.search,
      columns: "minmax(120px, 1fr) minmax(180px, 2fr) 70px 80px 90px", heads: ["type", "id", "fields", "linked", "kept by"],
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
      columns: "80px 90px 1fr 110px 110px", heads: ["layer", "state", "applied by", "from", "to"],
      fill: (layer) => [h("span", { class: "num" }, layer.id), layer.isLive ? "live" : h("span", { class: "dim" }, "ended"),
        h("span", null, layer.added ? causeText(layer.added.cause) : "not recorded"),
        h("span", { class: "num" }, layer.added ? clock(layer.added) : ""), h("span", { class: "num" }, layer.removed ? clock(layer.removed) : "")],
      target: (layer) => ({ type: "layer", id: layer.id }), isSelected: (layer, selected) => selected.type === "layer" && layer.id === selected.id,
    });
  },

  observers() {
    const items = model.timeline ? model.timeline.observers : [];
    listView({
      placeholder: "Filter observers: a fragment, a record", label: "Observers", items: () => items,
      text: (observer) => `${observer.owner} ${observer.record}`.toLowerCase(),
      columns: "70px 1.2fr 1fr 80px 80px 90px", heads: ["number", "definition", "record", "records", "reads", "missing"],
      fill: (observer) => [h("span", { class: "num" }, observer.id), h("span", null, observer.owner || "–"), h("code", null, observer.record),
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
      columns: "1fr 1.2fr 100px 90px 90px 90px", heads: ["operation", "variables", "state", "records", "fetched", "fresh for"],
      fill: (operation) => [h("span", null, operation.name), h("code", { class: "dim" }, operation.variables == null ? redactable(null) : shortened(operation.variables, 300)),
        h("span", null, operation.isPinned ? "pinned" : operation.retentions ? `retained ${operation.retentions}×` : "released"),
        h("span", { class: "num" }, operation.reached.length), h("span", { class: "num" }, operation.fetched == null ? "–" : operation.fetched.toFixed(3)),
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
      columns: "60px 1.1fr 90px 90px 80px 2fr", heads: ["request", "operation", "outcome", "time", "size", `${begin === Infinity ? "" : begin.toFixed(3)} to ${end.toFixed(3)} s`],
      fill: (request) => {
        const { timings, phase, outcome, operation, bytes, responseErrorCount } = request.last;
        let left = 100 * (request.start - begin) / span;
        return [h("span", { class: "num" }, request.number), h("span", null, operation),
          h("span", { class: outcome === "failure" || responseErrorCount ? "problem" : "" }, phase === "answeredByStore" ? "cache hit" : outcomeText(request.last) || "in flight"),
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
      columns: "92px 90px 90px 90px 70px 1fr", heads: ["seconds", "removed", "kept", "work", "slices", "removed and kept"],
      fill: (event) => [h("span", { class: "num" }, clock(event)), h("span", { class: "num" }, event.collected.toLocaleString("en")),
        h("span", { class: "num" }, event.retained.toLocaleString("en")), h("span", { class: "num" }, duration(event.duration)), h("span", { class: "num" }, event.slices),
        h("span", { class: "bars" }, h("i", { style: { left: 0, width: `${100 * event.collected / most}%`, background: "var(--problem)" } }),
          h("i", { style: { left: `${100 * event.collected / most}%`, width: `${100 * event.retained / most}%`, background: "var(--delivery)" } }))],
      target: (event) => ({ type: "event", id: event.id }), isSelected: (event, selected) => selected.type === "event" && event.id === selected.id,
    });
  },
};

/** Draws the number of events over time, by kind. */
function drawOverview(canvas, events) {
  const [width, height, ratio] = [canvas.clientWidth, canvas.clientHeight, window.devicePixelRatio || 1];
  if (!width || !height) return;
  [canvas.width, canvas.height] = [width * ratio, height * ratio];
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  if (!events.length) return;
  const [begin, end] = [events[0].time, events[events.length - 1].time];
  const columns = Math.max(1, Math.floor(width / 3));
  const counts = KINDS.map(() => new Uint32Array(columns));
  const totals = new Uint32Array(columns);
  const indexes = new Map(KINDS.map((kind, index) => [kind, index]));
  // A sample is enough for the shape.
  const stride = Math.ceil(events.length / 20000);
  for (let index = 0; index < events.length; index += stride) {
    const event = events[index];
    const column = Math.min(columns - 1, Math.floor((event.time - begin) / Math.max(1e-9, end - begin) * columns));
    const kind = indexes.get(event.kind);
    if (kind !== undefined) counts[kind][column]++;
    totals[column]++;
  }
  const most = totals.reduce((a, b) => Math.max(a, b), 1);
  const style = getComputedStyle(document.documentElement);
  const base = new Float32Array(columns);
  KINDS.forEach((kind, index) => {
    context.fillStyle = style.getPropertyValue(`--${kind}`);
    for (let column = 0; column < columns; column++) {
      // The square root makes single events visible next to bursts.
      const tall = totals[column] ? Math.sqrt(totals[column] / most) * (height - 6) * counts[index][column] / totals[column] : 0;
      if (tall) context.fillRect(column * 3, height - base[column] - tall, 2, tall);
      base[column] += tall;
    }
  });
}

/** Selects the first event at a position of the overview. */
function jump(event, canvas) {
  const events = state.list.items;
  if (!events.length) return;
  const [begin, end] = [events[0].time, events[events.length - 1].time];
  const time = begin + (end - begin) * event.offsetX / canvas.clientWidth;
  const index = events.findIndex((event) => event.time >= time);
  state.list.select(index < 0 ? events.length - 1 : index);
  state.list.element.focus();
}
