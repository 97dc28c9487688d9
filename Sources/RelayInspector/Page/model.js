"use strict";
// The timeline, and the indexes that the views use. Data from the store is untrusted and only ever set as text.

const model = {
  timeline: null, start: 0, documents: {}, events: [], byEvent: new Map(), records: new Map(), overlay: new Map(),
  backReferences: new Map(), changesOf: new Map(), deliveriesOf: new Map(), readsOf: new Map(),
  requests: [], requestByNumber: new Map(), publishesOf: new Map(), collections: [], layers: new Map(),
  reachedBy: new Map(), layersOf: new Map(), collectedBy: new Map(),
};

function push(map, key, value) {
  const list = map.get(key);
  if (list) list.push(value); else map.set(key, [value]);
}

/** Clears the model before a timeline is reloaded. */
function clearModel() {
  for (const key of Object.keys(model)) {
    if (model[key] instanceof Map) model[key].clear();
    else if (Array.isArray(model[key])) model[key] = [];
  }
}

/** Adds events, in order. */
function addEvents(events) {
  for (const event of events) {
    model.events.push(event);
    model.byEvent.set(event.id, event);
    event.line = summary(event);
    event.search = (event.kind + " " + event.line).replace(/[\u2068\u2069]/g, "").toLowerCase();
    switch (event.kind) {
    case "publish": addPublish(event); break;
    case "delivery":
      push(model.readsOf, event.observer, event);
      for (const publish of event.publishes) push(model.deliveriesOf, publish.event, event);
      break;
    case "request": addRequest(event); break;
    case "garbageCollection":
      model.collections.push(event);
      for (const id of event.collectedIDs) model.collectedBy.set(id, event);
      break;
    }
  }
}

function addPublish(event) {
  for (const change of event.records) push(model.changesOf, change.record, event);
  if (event.cause.request) push(model.publishesOf, event.cause.request, event);
  for (const id of event.addedLayers) {
    if (!model.layers.has(id)) model.layers.set(id, { id, added: event, removed: null });
  }
  for (const id of event.removedLayers) {
    const layer = model.layers.get(id) || { id, added: null };
    layer.removed = event;
    model.layers.set(id, layer);
  }
}

function addRequest(event) {
  let request = model.requestByNumber.get(event.number);
  if (!request) {
    request = { number: event.number, events: [] };
    model.requestByNumber.set(event.number, request);
    model.requests.push(request);
  }
  request.events.push(event);
  request.last = event;
  request.start = event.time - event.timings.total;
}

/** Adds the store's contents: records, observers, operations. */
function addStore(timeline) {
  for (const record of timeline.records) addRecord(record, model.records);
  for (const record of timeline.optimisticRecords) addRecord(record, model.overlay);
  const roots = timeline.operations.map((root) => ({ root, kind: "operation" }))
    .concat(timeline.observers.map((root) => ({ root, kind: "observer" })));
  for (const { root, kind } of roots) {
    const steps = new Map(root.reached.map((step) => [step.record, step]));
    for (const step of root.reached) push(model.reachedBy, step.record, { root, kind, steps });
  }
  for (const layer of timeline.layers) {
    const known = model.layers.get(layer.id) || { id: layer.id, added: null, removed: null };
    known.records = layer.records;
    known.isLive = true;
    for (const id of layer.records) push(model.layersOf, id, known);
    model.layers.set(layer.id, known);
  }
}

function addRecord(record, into) {
  into.set(record.id, record);
  record.search = `${record.typeName || ""} ${record.id}`.toLowerCase();
  for (const field of record.fields) {
    for (const link of field.links || []) {
      if (link !== null) push(model.backReferences, link, { record: record.id, field: field.key });
    }
  }
}

/** Whether a record only serves the store: roots, payloads, types, connections and their edges. */
const isInternal = (id) => id === "client:root" || id.startsWith("client:local:") || (id.startsWith("client:") && id.includes(":__"));

/** Returns what has become of a record that is not in the store; empty for one that is. */
function lostText(id) {
  if (!model.timeline || model.records.has(id) || model.overlay.has(id)) return "";
  if (model.collectedBy.has(id)) return "collected";
  return model.timeline.omittedRecords ? "left out" : "gone";
}

/** Returns the number of reasons why a record is retained; its panel lists each of them. */
const reasonCount = (id) => (model.reachedBy.get(id) || []).length + (model.layersOf.get(id) || []).length
  + (id === "client:root" || id.startsWith("client:__type:") ? 1 : 0);

/** Returns the path from a root to a record: the steps in order. */
function way(steps, id) {
  const result = [];
  for (let step = steps.get(id); step && result.length < 60; step = step.from == null ? null : steps.get(step.from)) {
    result.unshift(step);
  }
  return result;
}

const causeText = (cause) => {
  const of = cause.operation ? ` ${cause.operation}` : "";
  switch (cause.kind) {
  case "response": return `response to${of}`;
  case "payload": return `payload of${of}`;
  case "update": return "local update";
  case "optimisticUpdate": return `optimistic update${of ? " of" + of : ""}`;
  case "revert": return `revert of an optimistic update${of ? " of" + of : ""}`;
  case "load": return "load of persisted records";
  case "reset": return "reset";
  case "liveField": return "live field";
  default: return "another cause";
  }
};

/** Returns the cause of a publish as an observer sees it. */
const referenceText = (reference) => {
  const update = `optimistic update${reference.cause.operation ? ` of ${reference.cause.operation}` : ""}`;
  if (!reference.isWritten) return `end of the ${update}`;
  return causeText(reference.cause) + (reference.endedLayers.length ? ", and end of its optimistic update" : "");
};

/** The words after the subject of a change, by aspect. */
const ASPECTS = {
  value: "changed", error: "errors changed", arrived: "arrived", missing: "now missing", deleted: "deleted",
  pending: "pending parts changed", record: "record changed",
};
const aspectText = (aspect) => ASPECTS[aspect] || "changed";
/** Returns the outcome of a request; errors in a response with data are not a failure. */
const outcomeText = (event) => event.outcome === "success" && event.responseErrorCount
  ? plural(event.responseErrorCount, "error") : event.outcome;
const redactable = (text) => text != null ? long(text) : model.timeline && model.timeline.isRedacted ? "redacted" : "–";

const plural = (count, noun, many) => `${count.toLocaleString("en")} ${count === 1 ? noun : many || noun + "s"}`;
const duration = (seconds) => {
  if (seconds >= 1) return `${seconds.toFixed(2)} s`;
  if (seconds >= 0.001) return `${(seconds * 1e3).toFixed(seconds >= 0.1 ? 0 : 2)} ms`;
  return `${(seconds * 1e6).toFixed(seconds >= 1e-5 ? 0 : 1)} µs`;
};
const size = (bytes) => bytes >= 1048576 ? `${(bytes / 1048576).toFixed(1)} MB` : bytes >= 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${bytes} B`;
const pathText = (path) => path.length
  ? path.map((part, index) => typeof part === "number" ? `[${part}]` : index ? `.${part}` : part).join("") : "(root)";

/** Returns an event on one line. */
function summary(event) {
  switch (event.kind) {
  case "publish": {
    const fields = event.records.slice(0, 3).map((change) =>
      `${change.typeName ? isolated(change.typeName) + " " : ""}${isolated(change.record)}` + (change.kind === "changed" && change.fields.length
        ? `: ${change.fields.slice(0, 3).map((field) => isolated(field.field)).join(", ")}` : ` ${change.kind}`));
    const layers = event.addedLayers.map((id) => `+layer ${id}`).concat(event.removedLayers.map((id) => `−layer ${id}`));
    return [isolated(causeText(event.cause)), plural(event.changedRecords, "record"), ...layers, ...fields].join("  ·  ");
  }
  case "delivery": {
    const what = event.changes.slice(0, 3).map((change) =>
      isolated(pathText(change.path || [])) + (change.aspect === "value" ? "" : ` ${aspectText(change.aspect)}`)).join(", ");
    return `${isolated(event.owner || "an observer")} of ${isolated(event.record)}  ·  ` +
      (event.isDelivered ? what || "changed" : "read, but equal") + (event.missing.length ? "  ·  misses data" : "");
  }
  case "request": {
    const phase = { sent: "sent", received: "received a part", ended: outcomeText(event), servedByStore: "served by the store" }[event.phase];
    return `${event.operationKind} ${isolated(event.operation)}  ·  ${phase}` +
      (event.phase === "ended" ? `  ·  ${duration(event.timings.total)}  ·  ${size(event.bytes)}` : "") +
      (event.errorCode ? `  ·  ${event.errorCode}` : "");
  }
  case "missing": return `${isolated(event.owner)} of ${isolated(event.record)} misses ${event.paths.slice(0, 4).map(pathText).map(isolated).join(", ")}`;
  case "retention": return `${isolated(event.operation)} ${event.isRetained ? "retained" : "released"}  ·  ${plural(event.count, "retention")}`;
  case "garbageCollection":
    return `collected ${event.collected.toLocaleString("en")}, kept ${event.retained.toLocaleString("en")}  ·  ` +
      `${duration(event.duration)} in ${plural(event.slices, "slice")}`;
  case "note": return isolated(event.text);
  default: return event.kind;
  }
}
