// Navigation, keys and loading.

const tabOf = { event: "timeline", record: "records", observer: "observers", operation: "operations", request: "requests", layer: "layers", comparison: "compare" };

function drawTabs() {
  const bar = document.getElementById("tabs");
  bar.replaceChildren();
  tabs.forEach((tab, index) => bar.append(h("button", {
    role: "tab", id: `tab-${tab.id}`, "aria-selected": String(tab.id === state.tab), "aria-controls": "view", title: `Key ${index + 1}`,
    onclick: () => openTab(tab.id),
  }, tab.title, tab.count() === null ? null : h("span", { class: "count" }, tab.count().toLocaleString("en")))));
}

function openTab(id) {
  state.tab = id;
  drawTabs();
  document.getElementById(`tab-${id}`).scrollIntoView({ block: "nearest", inline: "nearest" });
  document.getElementById("view").setAttribute("aria-labelledby", `tab-${id}`);
  views[id]();
  state.list.element.focus();
}

/** Shows a target in the panel. */
function openPanel(target, isHistory) {
  if (!isHistory && state.selected) {
    state.history.push(state.selected);
    if (state.history.length > 200) state.history.shift();
    state.future = [];
  }
  state.selected = target;
  const panel = document.getElementById("panel");
  panel.replaceChildren();
  panel.scrollTop = 0;
  append(panel, [panelOf(target) || h("div", { class: "empty" }, lostTarget(target))]);
}

/** Returns why there is nothing to show of a target. */
function lostTarget(target) {
  if (!target) return "Select something to see why.";
  const name = { event: `Event ${target.id}`, request: `Request ${target.number}`, layer: `Optimistic layer ${target.id}` }[target.type];
  return name ? `${name} is not in this recording: older events were dropped.` : "It is not in this recording any more.";
}

function panelOf(target) {
  switch (target && target.type) {
  case "event": return model.byEvent.has(target.id) ? panels.event(model.byEvent.get(target.id)) : null;
  case "record": return panels.record(target.id);
  case "observer": return model.timeline.observers.includes(target.observer) ? panels.observer(target.observer) : null;
  case "operation": return model.timeline.operations.includes(target.operation) ? panels.operation(target.operation) : null;
  case "request": return model.requestByNumber.has(target.number) ? panels.request(model.requestByNumber.get(target.number)) : null;
  case "layer": return model.layers.has(target.id) ? panels.layer(model.layers.get(target.id)) : null;
  case "comparison": {
    const row = state.comparison && state.comparison.rows.find((row) => row.name === target.name);
    return row ? panels.comparison(row) : null;
  }
  default: return null;
  }
}

/** Shows a target in its view and in the panel. */
function show(target, isHistory) {
  openPanel(target, isHistory);
  const tab = tabOf[target.type];
  if (state.tab !== tab) state.filter[tab] = "";
  openTab(tab);
  const hidesInternal = target.type === "record" && isInternal(target.id) && !state.showsInternal;
  if (state.list.selected < 0 && (isFiltered() || hidesInternal)) {
    // The filter hides it.
    if (hidesInternal) state.showsInternal = true;
    clearFilters();
  }
}

function step(from, to) {
  const target = from.pop();
  if (!target) return;
  if (state.selected) to.push(state.selected);
  show(refreshed(target), true);
}

function keys() {
  const dialog = document.getElementById("keys");
  const rows = [["1 – 8", "open a view"], ["/", "filter"], ["↑ ↓, k j, Page, Home, End", "move in the list"], ["Enter", "go to the panel"],
    ["← →, with Shift", "in the overview: move the range, or its end"], ["+ and -", "in the overview: zoom"],
    ["[ and ]", "back and forward"], ["Escape", "clear the filter, or go back to the list"], ["r", "reload, if it is served"], ["t", "light or dark"]];
  dialog.replaceChildren(h("h2", null, "Keys"), h("dl", null, rows.map(([key, text]) => [h("dt", null, h("kbd", null, key)), h("dd", null, text)])),
    h("button", { onclick: () => dialog.close() }, "Close"));
  dialog.showModal();
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  if (state.list && state.list.above) state.list.above.draw();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "INPUT" || document.getElementById("keys").open) return;
  const number = Number(event.key);
  if (number >= 1 && number <= tabs.length) openTab(tabs[number - 1].id);
  else if (event.key === "/") document.getElementById("filter").focus();
  else if (event.key === "[") step(state.history, state.future);
  else if (event.key === "]") step(state.future, state.history);
  else if (event.key === "?") keys();
  else if (event.key === "t") document.getElementById("theme").click();
  else if (event.key === "r" && document.body.dataset.served === "true") reload();
  else if (event.key === "Escape") state.list.element.focus();
  else return;
  event.preventDefault();
});

/** Waits for the next frame, so that the page remains responsive. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

async function load(timeline, parts) {
  clearModel();
  Object.assign(model, { timeline, start: timeline.start, documents: timeline.documents || {} });
  for (const part of parts) {
    addEvents(part());
    document.getElementById("stats").textContent = `reading ${model.events.length.toLocaleString("en")} events`;
    await pause();
  }
  addStore(timeline);
  updateComparison();
  await pause();
  const dropped = timeline.droppedEvents ? `, ${timeline.droppedEvents.toLocaleString("en")} older ones dropped` : "";
  const omitted = timeline.omittedRecords ? `, ${timeline.omittedRecords.toLocaleString("en")} left out` : "";
  document.getElementById("stats").textContent = timeline.isRecording
    ? `${plural(model.events.length, "event")}${dropped} · ${plural(timeline.records.length, "record")}${omitted}`
    : `The store records no events · ${plural(timeline.records.length, "record")}${omitted}`;
  document.getElementById("redacted").hidden = !timeline.isRedacted;
  const isFirst = !state.selected;
  openTab(state.tab);
  openPanel(isFirst ? null : refreshed(state.selected), true);
  document.body.dataset.ready = "true";
}

/** Returns the same target in a reloaded timeline. */
function refreshed(target) {
  const again = (list, isSame) => list.find(isSame);
  if (target.type === "observer") {
    const observer = again(model.timeline.observers, (other) => other.id === target.observer.id);
    return observer ? { type: "observer", observer } : target;
  }
  if (target.type === "operation") {
    const operation = again(model.timeline.operations, (other) => other.name === target.operation.name && other.variables === target.operation.variables);
    return operation ? { type: "operation", operation } : target;
  }
  return target;
}

let isReloading = false;
async function reload() {
  if (isReloading) return;
  isReloading = true;
  try {
    const response = await fetch("timeline.json", { cache: "no-store" });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const timeline = await response.json();
    const parts = [];
    for (let first = 0; first < timeline.events.length; first += 2000) parts.push(() => timeline.events.slice(first, first + 2000));
    await load(timeline, parts);
  } catch (error) {
    document.getElementById("stats").textContent = `The program does not respond: ${error.message}`;
  } finally {
    isReloading = false;
  }
}

function start() {
  const media = matchMedia("(prefers-color-scheme: dark)");
  const wanted = new URLSearchParams(location.hash.slice(1)).get("theme");
  setTheme(wanted || (media.matches ? "dark" : "light"));
  media.addEventListener("change", () => setTheme(media.matches ? "dark" : "light"));
  document.getElementById("theme").onclick = () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  document.getElementById("help").onclick = keys;
  const split = document.getElementById("split");
  const panel = document.getElementById("panel");
  const resize = (width) => { panel.style.width = `${Math.max(240, Math.min(innerWidth - 320, width))}px`; };
  split.onpointerdown = (event) => { split.setPointerCapture(event.pointerId); split.onpointermove = (event) => resize(innerWidth - event.clientX); };
  split.onpointerup = () => { split.onpointermove = null; };
  split.onkeydown = (event) => {
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") resize(panel.offsetWidth + (event.key === "ArrowLeft" ? 24 : -24));
  };
  if (document.body.dataset.served === "true") {
    const live = document.getElementById("live");
    const again = document.getElementById("reload");
    live.hidden = again.hidden = false;
    again.onclick = reload;
    let timer = null;
    live.onclick = () => {
      clearInterval(timer);
      timer = timer ? null : setInterval(reload, 2000);
      live.setAttribute("aria-pressed", String(Boolean(timer)));
    };
  }
  const text = (element) => JSON.parse(element.textContent);
  const blocks = [...document.querySelectorAll("script.events")];
  load(text(document.getElementById("timeline")), blocks.map((block) => () => {
    const events = text(block);
    // The text is no longer needed.
    block.remove();
    return events;
  }));
}

start();
