// The overview of the timeline: the number of events over time, and a selected range.

/** The time of day of an event, in the time zone of the browser. */
const clock = (time, digits = 3) => {
  const date = new Date(Math.floor((model.start + time) * 1e3));
  if (Number.isNaN(date.getTime())) return `${time.toFixed(digits)} s`;
  const two = (number) => String(number).padStart(2, "0");
  const rest = ((model.start + time) % 1 + 1) % 1;
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}${digits ? `.${String(Math.min(10 ** digits - 1, Math.floor(rest * 10 ** digits + 1e-3))).padStart(digits, "0")}` : ""}`;
};
const timeOf = (event, digits) => clock(event.time, digits);
const timeFact = (event) => ["time", `${timeOf(event, 6)}, ${event.time.toFixed(6)} s after the start`];
/** The difference between an event and the one above it. */
const difference = (event, before) => !before ? "" : event.time === before.time ? "+0" : `${event.time < before.time ? "−" : "+"}${duration(Math.abs(event.time - before.time))}`;

/** Returns the first and the last time of all events. */
function extent() {
  const events = model.events;
  if (!events.length) return [0, 1e-6];
  const [begin, end] = [events[0].time, events[events.length - 1].time];
  return [begin, Math.max(end, begin + 1e-6)];
}

const inRange = (events) => state.range
  ? events.filter((event) => event.time >= state.range[0] && event.time <= state.range[1]) : events;

class Overview {
  constructor(apply) {
    this.apply = apply;
    this.events = [];
    this.canvas = h("canvas", {
      class: "overview", tabindex: "0", role: "application", "aria-label": "Events over time; drag, or press an arrow key, to select a range",
      onpointerdown: (event) => this.start(event), onpointermove: (event) => this.move(event),
      onpointerup: (event) => this.end(event), onkeydown: (event) => this.key(event),
    });
    this.axis = h("div", { class: "axis", "aria-hidden": "true" });
    this.text = h("span", { role: "status" });
    this.button = (text, title, action) => h("button", { title, onclick: action }, text);
    this.clear = this.button("Clear", "Show all events (Escape)", () => this.select(null));
    this.zoomIn = this.button("Zoom in", "Zoom to the range (+)", () => this.zoom(true));
    this.zoomOut = this.button("Zoom out", "Show a longer time (-)", () => this.zoom(false));
    this.element = h("div", { class: "range" }, this.canvas, this.axis,
      h("div", { class: "bar" }, this.text, h("span", { class: "space" }), this.zoomIn, this.zoomOut, this.clear));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** The time that the overview shows. */
  get span() { return state.zoom || extent(); }

  timeAt(event) {
    const [begin, end] = this.span;
    const part = Math.max(0, Math.min(1, event.offsetX / Math.max(1, this.canvas.clientWidth)));
    return begin + (end - begin) * part;
  }

  start(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.origin = { x: event.offsetX, time: this.timeAt(event) };
  }

  move(event) {
    if (!this.origin || Math.abs(event.offsetX - this.origin.x) < 4) return;
    const time = this.timeAt(event);
    this.select([Math.min(time, this.origin.time), Math.max(time, this.origin.time)]);
  }

  end(event) {
    if (this.origin && Math.abs(event.offsetX - this.origin.x) < 4) this.jump(this.origin.time);
    this.origin = null;
  }

  /** Selects the first event at a time. */
  jump(time) {
    const items = state.list.items;
    if (!items.length) return;
    const index = items.findIndex((event) => event.time >= time);
    state.list.select(index < 0 ? items.length - 1 : index);
    state.list.element.focus();
  }

  /** Shows only the events of a range; `null` for all. */
  select(range) {
    state.range = range;
    this.apply();
  }

  zoom(isIn) {
    const [begin, end] = this.span;
    const [first, last] = extent();
    if (isIn) {
      const [from, to] = state.range || [begin + (end - begin) / 4, end - (end - begin) / 4];
      if (to > from) state.zoom = [from, to];
    } else {
      const more = (end - begin) / 2;
      state.zoom = begin - more <= first && end + more >= last ? null : [Math.max(first, begin - more), Math.min(last, end + more)];
    }
    this.update();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) {
      const [begin, end] = this.span;
      const width = end - begin;
      const [from, to] = state.range || [begin + width / 3, begin + 2 * width / 3];
      const by = step * width / 20;
      if (event.shiftKey) this.select([from, Math.max(from, to + by)]);
      else if (state.range) this.select([from + by, to + by]);
      else this.select([from, to]);
    } else if (event.key === "+" || event.key === "Enter") this.zoom(true);
    else if (event.key === "-") this.zoom(false);
    else if (event.key === "Escape" && state.range) this.select(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Shows the events that the filter has found. */
  show(events) {
    this.events = events;
    this.update();
  }

  update() {
    const [begin, end] = this.span;
    const [from, to] = state.range || [begin, end];
    this.text.textContent = model.events.length
      ? `${state.range ? "Range: " : ""}${clock(from)} to ${clock(to)}, ${duration(to - from)}` : "";
    this.clear.disabled = !state.range;
    this.zoomOut.disabled = !state.zoom;
    this.zoomIn.disabled = !model.events.length;
    this.axis.replaceChildren(...[begin, (begin + end) / 2, end].map((time) => h("span", null, model.events.length ? clock(time) : "")));
    this.draw();
  }

  draw() { requestAnimationFrame(() => drawOverview(this.canvas, this.events, this.span, state.range)); }
}

/** Draws the number of events over time, by kind. */
function drawOverview(canvas, events, [begin, end], range) {
  const [width, height, ratio] = [canvas.clientWidth, canvas.clientHeight, window.devicePixelRatio || 1];
  if (!width || !height) return;
  [canvas.width, canvas.height] = [width * ratio, height * ratio];
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  const style = getComputedStyle(document.documentElement);
  if (range) {
    const x = (time) => (time - begin) / (end - begin) * width;
    context.fillStyle = style.getPropertyValue("--selected");
    context.fillRect(x(range[0]), 0, Math.max(2, x(range[1]) - x(range[0])), height);
  }
  const columns = Math.max(1, Math.floor(width / 3));
  const counts = KINDS.map(() => new Uint32Array(columns));
  const totals = new Uint32Array(columns);
  const indexes = new Map(KINDS.map((kind, index) => [kind, index]));
  // A sample is enough for the shape.
  const stride = state.zoom ? 1 : Math.ceil(events.length / 20000);
  for (let index = 0; index < events.length; index += stride) {
    const event = events[index];
    if (event.time < begin || event.time > end) continue;
    const column = Math.min(columns - 1, Math.floor((event.time - begin) / (end - begin) * columns));
    const kind = indexes.get(event.kind);
    if (kind !== undefined) counts[kind][column]++;
    totals[column]++;
  }
  const most = totals.reduce((a, b) => Math.max(a, b), 1);
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
