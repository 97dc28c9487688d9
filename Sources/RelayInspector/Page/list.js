/** Creates an element. Strings become text; `null` children are skipped. */
function h(name, properties, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key === "style") for (const [name, text] of Object.entries(value)) element.style.setProperty(name, text);
    else element.setAttribute(key, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

/** Invisible characters and characters that reorder others, except joiners inside an emoji. */
const HIDDEN = /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u200d\ufe0f]|(?![\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u3164\ufe00-\ufe0f\uffa0]/gu;
/** Returns a string from the store with its hidden characters escaped. */
const visible = (text) => text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0).toString(16).toUpperCase()}}`);
/** Returns an id or a name for a row: shortened, and isolated from the direction of the surrounding text. */
const isolated = (text) => `\u2068${visible(shortened(text, 300))}\u2069`;
const shortened = (text, limit) => text.length > limit ? text.slice(0, limit).replace(/[\ud800-\udbff]$/, "") + "…" : text;
/** Creates an element for a string with isolated parts. */
const rowText = (text) => { const element = h("span"); element.textContent = text; return element; };

/** The number of a value's characters that are shown initially. */
const LONG = 4000;
/** Shows a value; the rest of a long one only on demand. */
function long(text) {
  if (typeof text !== "string" || text.length <= LONG) return text;
  const element = h("span", null, shortened(text, LONG), " ", h("button", {
    onclick: () => { element.textContent = visible(text); },
  }, `show all ${text.length.toLocaleString("en")} characters`));
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : visible(String(child)));
  }
}

/** The tallest element that browsers lay out exactly. */
const MAXIMUM_HEIGHT = 8e6;

/**
 * A list of rows with equal heights. Only the visible rows exist; they are created once and reused
 * while the list is scrolled.
 */
class VirtualList {
  /** Each column has a title, a width, and its width in a narrow window, where columns without one are hidden. */
  constructor({ columns, fill, onSelect, onOpen, label }) {
    Object.assign(this, { fill, onSelect, onOpen, columns, items: [], selected: -1, rows: new Map(), spare: [] });
    this.height = 26;
    this.style = { "--columns": columns.map(([, width]) => width).join(" "), "--narrow": columns.map(([, , width]) => width).filter(Boolean).join(" ") };
    this.head = h("div", { class: "head", style: this.style }, columns.map(([text], index) => this.cell(text, index)));
    this.note = h("div", { class: "empty", role: "status", hidden: true });
    this.space = h("div", { class: "rows" });
    this.element = h("div", {
      class: "list", tabindex: "0", role: "listbox", "aria-label": label || "",
      onscroll: () => this.schedule(), onkeydown: (event) => this.key(event),
      onclick: (event) => this.click(event, false), ondblclick: (event) => this.click(event, true),
    }, this.space, this.note);
    this.observer = new ResizeObserver(() => this.schedule());
    this.observer.observe(this.element);
  }

  cell(content, index) {
    const cell = content instanceof Node ? content : h("span", null, content);
    cell.classList.toggle("wide", !this.columns[index][2]);
    return cell;
  }

  /** Shows other items. */
  set(items, selected = -1) {
    this.items = items;
    this.selected = selected;
    const height = items.length * this.height;
    // If the list is taller than browsers allow, a scroll position stands for a fraction of it.
    this.scale = height > MAXIMUM_HEIGHT ? height / MAXIMUM_HEIGHT : 1;
    this.space.style.height = `${Math.min(height, MAXIMUM_HEIGHT)}px`;
    for (const row of this.rows.values()) this.release(row);
    this.rows.clear();
    this.schedule();
  }

  schedule() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      this.render();
    });
  }

  release(row) {
    row.remove();
    this.spare.push(row);
  }

  render() {
    const top = this.element.scrollTop;
    const visible = Math.ceil(this.element.clientHeight / this.height) + 1;
    const limit = Math.max(0, this.items.length * this.height - this.element.clientHeight);
    const real = this.scale === 1 ? top
      : limit * (top / Math.max(1, Math.min(this.items.length * this.height, MAXIMUM_HEIGHT) - this.element.clientHeight));
    const first = Math.max(0, Math.floor(real / this.height) - 4);
    const last = Math.min(this.items.length, first + visible + 8);
    for (const [index, row] of this.rows) {
      if (index < first || index >= last) {
        this.rows.delete(index);
        this.release(row);
      }
    }
    for (let index = first; index < last; index++) {
      let row = this.rows.get(index);
      if (!row) {
        row = this.spare.pop() || h("div", { class: "row", role: "option", style: this.style });
        row.replaceChildren();
        append(row, this.fill(this.items[index], index).map((content, column) => this.cell(content, column)));
        row.dataset.index = index;
        this.rows.set(index, row);
        this.space.append(row);
      }
      row.style.transform = `translateY(${index * this.height - real + top}px)`;
      row.classList.toggle("selected", index === this.selected);
      row.setAttribute("aria-selected", index === this.selected);
    }
  }

  click(event, opens) {
    const row = event.target.closest(".row");
    if (!row) return;
    this.select(Number(row.dataset.index));
    if (opens && this.onOpen) this.onOpen(this.items[this.selected]);
  }

  select(index, isSilent) {
    if (!this.items.length) return;
    this.selected = Math.max(0, Math.min(this.items.length - 1, index));
    this.reveal(this.selected);
    this.schedule();
    if (!isSilent) this.onSelect(this.items[this.selected], this.selected);
  }

  reveal(index) {
    const [top, bottom] = [index * this.height, (index + 1) * this.height];
    const view = this.element.clientHeight;
    if (this.scale !== 1) {
      const limit = Math.max(1, this.items.length * this.height - view);
      const track = MAXIMUM_HEIGHT - view;
      const real = limit * (this.element.scrollTop / track);
      if (top < real || bottom > real + view) this.element.scrollTop = (Math.max(0, top - view / 2) / limit) * track;
    } else if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (bottom > this.element.scrollTop + view) this.element.scrollTop = bottom - view;
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 1);
    const moves = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in moves) {
      const move = moves[event.key];
      this.select(move === Infinity ? this.items.length - 1 : move === -Infinity ? 0 : this.selected + move);
    } else if (event.key === "Enter" && this.selected >= 0 && this.onOpen) this.onOpen(this.items[this.selected]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
