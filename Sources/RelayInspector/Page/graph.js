/** Draws a record between the records that link to it and the records that it links to. */
function graph(id, record, back) {
  const [wide, tall, gap] = [118, 30, 10];
  const make = (name, attributes, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const unique = (entries) => [...new Map(entries.map((entry) => [entry.id, entry])).values()].slice(0, 8);
  const sources = unique(back.map((reference) => ({ id: reference.record, label: reference.field })));
  const targets = unique(record.fields.flatMap((field) => (field.links || []).filter((link) => link !== null).map((link) => ({ id: link, label: field.key }))));
  const rows = Math.max(sources.length, targets.length, 1);
  const height = rows * (tall + gap) + gap;
  const svg = make("svg", { class: "graph", viewBox: `0 0 400 ${height}`, role: "img", "aria-label": "Links" });
  const short = (text, length) => text.length > length ? text.slice(0, length - 1) + "…" : text;
  const place = (index, count) => (height - count * (tall + gap) + gap) / 2 + index * (tall + gap);
  const node = (entry, x, y, isOwn) => {
    const known = model.overlay.get(entry.id) || model.records.get(entry.id);
    const lost = lostText(entry.id);
    const group = make("g", { class: isOwn ? "node own" : "node", transform: `translate(${x} ${y})`, tabindex: "0", role: "button" },
      make("title", {}, visible(entry.id) + (lost && ` (${lost})`)), make("rect", { width: wide, height: tall, rx: 5 }),
      make("text", { x: 7, y: 12 }, visible(short(entry.id, 18))),
      make("text", { x: 7, y: 24, class: "label" }, visible(short(isOwn ? (known && known.typeName) || "" : lost ? `(${lost})` : entry.label, 18))));
    const open = () => show({ type: "record", id: entry.id });
    group.addEventListener("click", open);
    group.addEventListener("keydown", (event) => { if (event.key === "Enter") open(); });
    return group;
  };
  const middle = (height - tall) / 2;
  const edge = (x1, y1, x2, y2) => make("path", { class: "edge", d: `M${x1} ${y1} C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}` });
  sources.forEach((entry, index) => svg.append(edge(wide + 2, place(index, sources.length) + tall / 2, 141, middle + tall / 2)));
  targets.forEach((entry, index) => svg.append(edge(259, middle + tall / 2, 398 - wide, place(index, targets.length) + tall / 2)));
  sources.forEach((entry, index) => svg.append(node(entry, 2, place(index, sources.length))));
  targets.forEach((entry, index) => svg.append(node(entry, 398 - wide, place(index, targets.length))));
  svg.append(node({ id, label: "" }, 141, middle, true));
  return svg;
}
