// The panel: why an event happened, and why data is present or missing.

const link = (text, target) => h("a", {
  role: "button", tabindex: "0", onclick: () => show(target),
  onkeydown: (event) => { if (event.key === "Enter") show(target); },
}, text);
/** The string for an id, in quotes if it has no visible character. */
const idText = (id) => shortened(/\S/.test(id) ? id : JSON.stringify(id), 300);
/** Creates a link to a record. A lost one says so, and is a link only if there is something to tell about it. */
const recordLink = (id) => {
  const lost = lostText(id);
  const text = h("code", null, idText(id));
  const isKnown = !lost || model.collectedBy.has(id) || model.changesOf.has(id) || model.backReferences.has(id);
  return [isKnown ? link(text, { type: "record", id }) : text, lost && h("span", { class: "dim" }, ` (${lost})`)];
};
/** Creates a list of links to records, without internal ones unless they are asked for. */
const recordList = (ids, limit, fill = recordLink, idOf = (id) => id) => {
  const own = state.showsInternal ? ids : ids.filter((item) => !isInternal(idOf(item)));
  const rest = ids.length - own.length;
  return [own.length ? list(own, limit, fill) : null, rest ? h("div", { class: "dim" }, `${plural(rest, "internal record")} not shown`)
    : own.length ? null : h("div", { class: "dim" }, "None.")];
};
const lost = (text) => h("span", { class: "dim" }, `${text} (dropped)`);
const layerLink = (id) => model.layers.has(id) ? link(`layer ${id}`, { type: "layer", id }) : lost(`layer ${id}`);
const layerLinks = (ids) => ids.map((id, index) => [index ? ", " : "", layerLink(id)]);
const stepText = (step) => `${step.field}${step.index == null ? "" : `[${step.index}]`}`;
const eventLink = (id, text) => model.byEvent.has(id)
  ? link(text || `event ${id}`, { type: "event", id }) : lost(text || `event ${id}`);
const requestLink = (number) => model.requestByNumber.has(number)
  ? link(`request ${number}`, { type: "request", number }) : lost(`request ${number}`);
const why = (...sentences) => h("div", { class: "why" }, sentences.filter(Boolean).map((sentence) => h("p", null, sentence)));
/** Creates a list of at most `limit` items; `fill` is called only for these. */
const list = (items, limit = 100, fill = (item) => item) => h("ul", { class: "plain" },
  items.slice(0, limit).map((item, index) => h("li", null, fill(item, index))),
  items.length > limit && h("li", { class: "dim" }, `and ${(items.length - limit).toLocaleString("en")} more`));
const section = (title, ...content) => [h("h3", null, title), ...content];
const facts = (pairs) => h("dl", null, pairs.filter((pair) => pair && pair[1] !== null && pair[1] !== undefined && pair[1] !== "")
  .map(([name, value]) => [h("dt", null, name), h("dd", null, value)]));

function cause(cause) {
  return [causeText(cause), cause.request ? [" (", requestLink(cause.request), ")"] : null];
}

/** The cause of a publish as an observer sees it. */
function reference(publish) {
  return [referenceText(publish), publish.cause.request ? [" (", requestLink(publish.cause.request), ")"] : null,
    publish.endedLayers.length ? [", ", layerLinks(publish.endedLayers)] : null];
}

function changesTable(changes) {
  if (!changes.length) return null;
  return h("table", null,
    h("tr", null, h("th", null, "field"), h("th", null, "before"), h("th", null, "after")),
    changes.slice(0, 200).map((change) => h("tr", null,
      h("td", null, h("code", null, change.path ? pathText(change.path) : change.field || ""),
        change.path && change.record ? [h("br"), h("span", { class: "dim" }, change.field ? `${change.field} of ` : ""), recordLink(change.record)] : null,
        change.aspect === "value" ? null : h("span", { class: "dim" }, ` ${aspectText(change.aspect)}`)),
      h("td", { class: "mono before" }, change.before == null ? "–" : long(change.before)),
      h("td", { class: "mono after" }, change.after == null ? "–" : long(change.after)))));
}

/** The changes that explain a delivery, as text with links: for each, a subject and the kind of change. */
function reasons(changes) {
  return changes.slice(0, 5).map((change, index) => [
    index ? ", " : "",
    change.field ? [h("code", null, change.field), change.record ? [" of ", recordLink(change.record)] : null]
      : change.record ? recordLink(change.record) : h("code", null, pathText(change.path || [])),
    ` ${aspectText(change.aspect)}`,
  ]).concat(changes.length > 5 ? ` and ${changes.length - 5} more` : []);
}

/** Shows the document of an operation. */
const documentSection = (name) => section("Document", Object.hasOwn(model.documents, name)
  ? lines(formatted(model.documents[name]))
  : h("div", { class: "dim" }, "Not recorded: no request for it is recorded, or generated code has only its id."));

const variablesTree = (variables) => variables == null ? h("div", { class: "dim" }, redactable(null))
  : variables === "{}" ? h("div", { class: "dim" }, "It has no variables.") : jsonTree(variables);

/** Shows GraphQL errors with their paths and extensions. */
const errorList = (errors) => list(errors, 100, (error) => [
  h("div", { class: "problem" }, error.message == null ? "redacted" : long(error.message)),
  h("div", { class: "mono" }, error.path.length ? pathText(error.path) : h("span", { class: "dim" }, "without a path")),
  error.extensions ? jsonTree(error.extensions) : null]);

/** Shows the responses of a request, each with the number of bytes that were not recorded. */
function responseList(request) {
  const events = request.events.filter((event) => event.response);
  if (!events.length) {
    return h("div", { class: "dim" }, model.timeline.isRedacted ? "redacted" : request.last.phase === "servedByStore" ? "The store has served the data." : "None is recorded.");
  }
  const one = (event) => {
    const { text, bytes, recordedBytes } = event.response;
    return [events.length > 1 ? h("div", null, eventLink(event.id, timeOf(event)), ` ${size(bytes)}`) : null,
      recordedBytes < bytes ? h("div", { class: "note" }, recordedBytes ? `Only the first ${size(recordedBytes)} of ${size(bytes)} are recorded.` : `No byte of ${size(bytes)} is recorded.`) : null,
      text || !bytes ? jsonTree(text) : null];
  };
  return events.length > 1 ? list(events, 20, one) : one(events[0]);
}

const panels = {
  event(event) { return (eventPanels[event.kind] || eventPanels.note)(event); },

  record(id) {
    const [record, overlaid] = [model.records.get(id), model.overlay.get(id)];
    const shown = overlaid || record;
    const roots = model.reachedBy.get(id) || [];
    const layers = model.layersOf.get(id) || [];
    const back = model.backReferences.get(id) || [];
    const changes = (model.changesOf.get(id) || []).slice().reverse();
    return [
      h("h2", null, h("code", null, idText(id))),
      h("div", { class: "dim" }, shown ? `${shown.typeName || "unknown type"} · ${shown.state}` : "not in the store",
        overlaid ? " · with optimistic changes" : ""),
      why(...keptSentences(id, shown, roots, layers)),
      shown && shown.fields.length ? section("Fields", fieldsTable(shown, overlaid && record)) : null,
      shown ? section("Graph", graph(id, shown, back)) : null,
      roots.length ? section("Kept by", list(roots, 50, (entry) => keptBy(entry, id))) : null,
      back.length ? section("Linked from", list(back, 100, (reference) => [recordLink(reference.record), ".", h("code", null, reference.field)])) : null,
      changes.length ? section("Changed by", list(changes, 50, (event) => changedBy(event, id))) : null,
    ];
  },

  observer(observer) {
    const reads = (model.readsOf.get(observer.id) || []).slice().reverse();
    const delivered = reads.find((event) => event.isDelivered);
    return [
      h("h2", null, observer.owner || "An observer"),
      h("div", { class: "dim" }, "observes ", recordLink(observer.record)),
      why(
        delivered ? ["It last updated because ", reasons(delivered.changes), " with the ",
          delivered.publishes.map((publish, index) => [index ? ", " : "", reference(publish)]), ", ", eventLink(delivered.id), "."]
          : "No delivery to it is recorded.",
        observer.missing.length ? `It lacks ${observer.missing.slice(0, 5).map(pathText).join(", ")}.` : null),
      observer.explanations.length ? section("Why data is missing", list(observer.explanations.map((line) => h("span", null, line)))) : null,
      facts([["number", observer.id], ["depends on", plural(observer.seenRecords, "record")]]),
      section("Reads after publishes", reads.length ? list(reads, 50, (event) => [
        eventLink(event.id, timeOf(event)), event.isDelivered ? " delivered: " : " read, but equal: ",
        event.isDelivered ? reasons(event.changes) : event.publishes.map(referenceText).join(", "),
      ]) : h("div", { class: "dim" }, "None is recorded.")),
      observer.reached.length ? section("Keeps", recordList(observer.reached, 50, (step) => recordLink(step.record), (step) => step.record)) : null,
    ];
  },

  operation(operation) {
    return [
      h("h2", null, operation.name),
      why(operation.isPinned ? "It is pinned: its records are kept until it is unpinned."
        : operation.retentions ? `It is retained ${plural(operation.retentions, "time")}: its records are kept until all are released.`
        : "It was released, and is in the release buffer: its records are kept until newer operations displace it.",
      operation.isStale ? "It was marked as stale." : operation.timeLeft == null ? null
        : operation.timeLeft > 0 ? `Its data is fresh for ${duration(operation.timeLeft)}.` : "Its data is stale because of its age."),
      facts([["retentions", operation.retentions], ["fetched", operation.fetched == null ? "not recorded" : clock(operation.fetched)]]),
      documentSection(operation.name),
      section("Variables", variablesTree(operation.variables)),
      section("Keeps", recordList(operation.reached, 200, (step) => [recordLink(step.record),
        step.from ? h("span", { class: "dim" }, ` by ${stepText(step)} of ${step.from}`) : null], (step) => step.record)),
    ];
  },

  request(request) {
    const event = request.last;
    const { queued, network, parsing, publishing, total } = event.timings;
    const rest = Math.max(0, total - queued - network - parsing - publishing);
    const publishes = model.publishesOf.get(request.number) || [];
    const bars = [["queued", queued], ["network", network], ["parsing", parsing], ["publishing", publishing]];
    let left = 0;
    return [
      h("h2", null, event.operation),
      h("div", { class: "dim" }, `${event.operationKind} · request ${request.number}`),
      why(event.phase === "servedByStore" ? "No request was sent: the store has the data, and it is fresh."
        : event.phase !== "ended" ? "It is in flight, or its end is not recorded."
        : event.outcome === "success" ? `It took ${duration(total)}, ${total ? Math.round(100 * network / total) : 0} % of it in the network.`
        : event.outcome === "cancelled" ? "Its callers have left, or the environment was reset."
        : ["It failed: ", long(event.errorMessage || event.errorCode)],
      event.responseErrorCount ? `The server sent ${plural(event.responseErrorCount, "error")}${event.outcome === "success" ? " with the data" : ""}.` : null),
      h("div", { class: "bars", style: { height: "16px", margin: "10px 0 4px" } }, bars.map(([name, seconds]) => {
        const width = total ? 100 * seconds / total : 0;
        left += width;
        return h("i", { title: `${name} ${duration(seconds)}`, style: { left: `${left - width}%`, width: `${width}%`, background: `var(--${name})` } });
      })),
      h("div", { class: "legend" }, bars.map(([name]) => h("span", { style: { "--c": `var(--${name})` } }, name))),
      facts([...bars.map(([name, seconds]) => [name, duration(seconds)]), rest > 1e-6 ? ["other", duration(rest)] : null,
        ["started", clock(request.start)], ["responses", event.responses], ["size", size(event.bytes)], ["error", event.errorCode],
        ["traceparent", event.traceParent && h("code", null, event.traceParent)]]),
      event.responseErrors && event.responseErrors.length ? section("Errors", errorList(event.responseErrors)) : null,
      documentSection(event.operation),
      section("Variables", variablesTree(event.variables)),
      section("Response", responseList(request)),
      section("Events", list(request.events, 100, (event, index) => [eventLink(event.id, timeOf(event)), ` ${event.phase}`,
        index ? h("span", { class: "dim" }, ` ${difference(event, request.events[index - 1])}`) : null])),
      publishes.length ? section("Publishes", list(publishes, 100, (event) => [eventLink(event.id, timeOf(event)), " ", causeText(event.cause), ", ",
        plural(event.changedRecords, "record")])) : null,
    ];
  },

  layer(layer) {
    return [
      h("h2", null, `Optimistic layer ${layer.id}`),
      why(layer.added ? ["It was applied by the ", cause(layer.added.cause), ", ", eventLink(layer.added.id), "."] : "Its beginning is not recorded.",
        layer.isLive ? "It is live." : layer.removed ? ["It ended with the ", cause(layer.removed.cause), ", ", eventLink(layer.removed.id), "."] : null),
      layer.records ? section("Records", recordList(layer.records, 100)) : null,
    ];
  },
};

function keptSentences(id, shown, roots, layers) {
  if (!shown && model.collectedBy.has(id)) return [["The store does not have it: a garbage collection removed it, ", eventLink(model.collectedBy.get(id).id), "."]];
  if (!shown) return [model.backReferences.has(id) ? "Records link to it, and the store has no data of it: it was never fetched, or it was collected." : "The store does not have it."];
  if (id === "client:root") return ["It is the root, at which every query starts."];
  if (id.startsWith("client:__type:")) return ["It lists the abstract types of a type. It is kept as long as there are records of that type."];
  const sentences = roots.slice(0, 3).map((entry) => ["It is kept because ", keptBy(entry, id)]);
  if (roots.length > 3) sentences.push(`${roots.length - 3} more operations and observers keep it.`);
  if (layers.length) sentences.push(["It is kept because ", layerLink(layers[0].id), " has written it."]);
  if (!sentences.length) {
    sentences.push(model.timeline.omitsReached ? "No recorded way leads to it; ways were left out." : "Nothing keeps it: the next garbage collection removes it, unless an optimistic layer links to it.");
  }
  return sentences;
}

function keptBy({ root, kind, steps }, id) {
  const name = kind === "operation"
    ? [link(root.name, { type: "operation", operation: root }), root.retentions ? " is retained" : root.isPinned ? " is pinned" : " is in the release buffer"]
    : [link(root.owner || "an observer", { type: "observer", observer: root }), " observes it"];
  const path = way(steps, id).filter((step) => step.from != null);
  return [name, path.length ? h("span", { class: "way" }, ": ", path.map((step, index) =>
    [index ? h("span", { class: "arrow" }, "→") : null, h("code", null, idText(step.from)), ".", stepText(step)])) : null];
}

function changedBy(event, id) {
  const change = event.records.find((change) => change.record === id);
  return [eventLink(event.id, timeOf(event)), " ", causeText(event.cause), ": ",
    change.kind === "changed" ? change.fields.map((field) => field.field).join(", ") : change.kind];
}

function fieldsTable(record, base) {
  const before = base && new Map(base.fields.map((field) => [field.key, field]));
  const value = (field) => field.links ? field.links.slice(0, 50).map((id, index) => [index ? ", " : "", id === null ? "null" : recordLink(id)])
    .concat(field.links.length > 50 ? ` and ${field.links.length - 50} more` : []) : field.value == null ? h("span", { class: "dim" }, field.kind) : long(field.value);
  return h("table", null, record.fields.map((field) => {
    const old = before && before.get(field.key);
    const isChanged = before && JSON.stringify(old) !== JSON.stringify(field);
    return h("tr", null, h("td", null, h("code", null, field.key), field.hasErrors ? h("span", { class: "problem" }, " error") : null),
      h("td", { class: "mono" }, value(field), isChanged ? h("div", { class: "before" }, "base: ", old ? value(old) : "–") : null));
  }));
}

const eventPanels = {
  publish(event) {
    const deliveries = model.deliveriesOf.get(event.id) || [];
    const delivered = deliveries.filter((delivery) => delivery.isDelivered);
    return [
      h("h2", null, "Publish ", h("span", { class: "dim" }, `event ${event.id}`)),
      why(["The ", cause(event.cause), ` changed ${plural(event.changedRecords, "record")}.`],
        `${plural(deliveries.length, "observer")} read again, ${delivered.length} of them updated.`,
        event.addedLayers.length ? ["It applied ", layerLinks(event.addedLayers), "."] : null,
        event.removedLayers.length ? ["It ended ", layerLinks(event.removedLayers), "."] : null),
      facts([timeFact(event), ["revision", event.revision]]),
      deliveries.length ? section("Observers", list(deliveries, 100, (delivery) => [
        link(delivery.owner || "observer", { type: "event", id: delivery.id }), " of ", recordLink(delivery.record),
        delivery.isDelivered ? [": ", reasons(delivery.changes)] : h("span", { class: "dim" }, ": read, but equal"),
        delivery.publishes.some((publish) => publish.event === event.id && !publish.isWritten) ? h("span", { class: "dim" }, " (end of the optimistic update)") : null])) : null,
      section("Records", event.records.length ? null : h("div", { class: "dim" }, "None has changed."), event.records.slice(0, 100).map((change) => [
        h("div", { style: { "margin-top": "8px" } }, recordLink(change.record), h("span", { class: "dim" }, ` ${change.typeName || ""} ${change.kind}`)),
        changesTable(change.fields)]),
      event.changedRecords > 100 ? h("p", { class: "dim" }, `${(event.changedRecords - 100).toLocaleString("en")} more records changed.`) : null),
    ];
  },

  delivery(event) {
    const observer = model.timeline && model.timeline.observers.find((observer) => observer.id === event.observer);
    const publishes = event.publishes.map((publish, index) => [index ? ", " : "", reference(publish), ", ", eventLink(publish.event)]);
    const seen = event.publishes.flatMap((publish) => (model.byEvent.get(publish.event) || { records: [] }).records)
      .filter((change) => change.record === event.trigger);
    return [
      h("h2", null, event.owner || "An observer", " ", h("span", { class: "dim" }, `event ${event.id}`)),
      event.isDelivered
        ? why(["It updated because ", event.changes.length ? reasons(event.changes) : "its data changed", "."], ["Cause: ", publishes, "."])
        : why(["It was read again because ", event.trigger ? recordLink(event.trigger) : "a record", " changed, and its value is equal: nothing was delivered."],
          seen.length && seen[0].fields.length ? ["What changed of it: ", seen[0].fields.map((field) => field.field).join(", "),
            ". The fragment does not select that, or reads the same value."] : null, ["Cause: ", publishes, "."]),
      event.missing.length ? section("It lacks", list(event.missing.map(pathText))) : null,
      facts([timeFact(event), ["record", recordLink(event.record)],
        ["observer", observer ? link(`number ${observer.id}`, { type: "observer", observer }) : `number ${event.observer}, which has ended`]]),
      event.changes.length ? section("Changes", changesTable(event.changes)) : null,
    ];
  },

  request(event) { return panels.request(model.requestByNumber.get(event.number)); },

  missing(event) {
    const observer = model.timeline && model.timeline.observers.find((observer) => observer.record === event.record && observer.owner === event.owner);
    return [
      h("h2", null, event.owner, " ", h("span", { class: "dim" }, `event ${event.id}`)),
      why(["It was read from ", recordLink(event.record), ", which is missing ", event.paths.slice(0, 5).map(pathText).join(", "), "."],
        observer && observer.explanations.length ? "Its observer is still missing data:" : observer ? "Its observer is no longer missing data." : null),
      observer ? list(observer.explanations) : null,
      section("Paths", list(event.paths.map((path) => h("code", null, pathText(path))))),
    ];
  },

  retention(event) {
    const operation = model.timeline && model.timeline.operations.find((operation) => operation.name === event.operation && operation.variables === event.variables);
    return [
      h("h2", null, event.operation), why(`It was ${event.isRetained ? "retained" : "released"}; ${plural(event.count, "retention")} remained.`,
        operation ? [link("The operation", { type: "operation", operation }), " is still kept."] : "It is not kept any more."),
      facts([timeFact(event), ["variables", h("code", null, redactable(event.variables))]]),
    ];
  },

  garbageCollection(event) {
    return [
      h("h2", null, "Garbage collection"),
      why(`It removed ${plural(event.collected, "record")} that no operation, observer or optimistic update reaches, and kept ${event.retained.toLocaleString("en")}.`),
      facts([timeFact(event), ["work", duration(event.duration)], ["slices", event.slices], ["from first to last slice", duration(event.span)]]),
      event.collectedIDs.length ? section(event.collectedIDs.length < event.collected ? "Removed, among others" : "Removed", recordList(event.collectedIDs, 200)) : null,
    ];
  },

  note(event) {
    return [h("h2", null, event.isProblem ? "Problem" : "Note"), h("div", { class: event.isProblem ? "why problem" : "why" }, long(event.text) || event.kind), facts([timeFact(event)])];
  },
};
