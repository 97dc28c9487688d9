// JSON as a tree, and documents with one field on each line.

/** Returns the position after the string that starts at a position; -1 if it is cut off. */
function endOfString(text, start) {
  for (let position = start + 1; position < text.length; position++) {
    if (text[position] === "\\") position++;
    else if (text[position] === '"') return position + 1;
  }
  return -1;
}

/**
 * Reads JSON that may be cut off. Unlike `JSON.parse` it keeps all digits and repeated keys. The containers
 * are a stack, because the sender chooses the depth.
 *
 * Returns a node, an object with `key`, `kind`, `text` or `items`, and whether it `isCut`; `null` if the
 * text is not JSON.
 */
function readJSON(text) {
  const root = { kind: "array", items: [] };
  const open = [root];
  let [position, key] = [0, null];
  if (!/^\s*[[{"\-\dtfn]/.test(text)) return null;
  const scalar = /[^\s,:{}[\]"]+/y;
  while (position < text.length) {
    const character = text[position];
    const top = open[open.length - 1];
    if (" \t\r\n,:".includes(character)) { position++; continue; }
    if (character === "}" || character === "]") {
      open.pop().isCut = false;
      position++;
      if (open.length <= 1) break;
      continue;
    }
    const node = { kind: character === "{" ? "object" : character === "[" ? "array" : "string" };
    if (node.kind !== "string") {
      Object.assign(node, { items: [], isCut: true });
      position++;
    } else if (character === '"') {
      const end = endOfString(text, position);
      node.isCut = end < 0;
      node.text = end < 0 ? text.slice(position + 1) : parsedString(text.slice(position, end));
      position = end < 0 ? text.length : end;
    } else {
      scalar.lastIndex = position;
      const found = scalar.exec(text);
      // Space that JSON does not have, such as a byte order mark.
      if (!found) { position++; continue; }
      node.text = found[0];
      position += node.text.length;
      node.kind = node.text === "null" ? "null" : /^[tf]/.test(node.text) ? "bool" : "number";
      node.isCut = position === text.length && open.length > 1;
    }
    if (top.kind === "object" && key === null) {
      if (node.kind !== "string" || node.isCut) break;
      key = node.text;
      continue;
    }
    node.key = top.kind === "object" ? key : top.items.length;
    key = null;
    top.items.push(node);
    if (node.items) open.push(node);
    else if (open.length === 1) break;
  }
  return root.items[0] || null;
}

function parsedString(json) {
  try { return JSON.parse(json); } catch { return json; }
}

/** The number of members that a container of a tree shows at first, and adds on demand. */
const MEMBERS = 100;

/** Creates a tree. Its containers create their members when they are opened. */
function tree(node, name = null, depth = 0) {
  const label = name === null ? null : [h("span", { class: "key" }, String(name)), ": "];
  if (!node.items) {
    return h("div", { class: "leaf" }, label, h("span", { class: `value ${node.kind}` },
      node.kind === "string" ? long(JSON.stringify(node.text)) : node.text), node.isCut ? h("span", { class: "dim" }, " (cut)") : null);
  }
  const [left, right] = node.kind === "object" ? ["{", "}"] : ["[", "]"];
  if (!node.items.length) return h("div", { class: "leaf" }, label, left, right, node.isCut ? h("span", { class: "dim" }, " (cut)") : null);
  const body = h("div", { class: "members" });
  const fill = () => {
    if (body.firstChild) return;
    const add = (first) => {
      append(body, node.items.slice(first, first + MEMBERS).map((item) => tree(item, item.key, depth + 1)));
      const rest = node.items.length - first - MEMBERS;
      if (rest > 0) body.append(h("button", { onclick: (event) => { event.target.remove(); add(first + MEMBERS); } }, `show ${plural(Math.min(rest, MEMBERS), "more item")} of ${rest.toLocaleString("en")}`));
      else if (node.isCut) body.append(h("div", { class: "leaf dim" }, "(cut)"));
    };
    add(0);
  };
  const isOpen = depth < 2 && node.items.length <= 20;
  const details = h("details", { open: isOpen, ontoggle: () => { if (details.open) fill(); } },
    h("summary", null, label, left, h("span", { class: "dim" }, plural(node.items.length, node.kind === "object" ? "member" : "item")), right), body);
  if (isOpen) fill();
  return details;
}

/** Creates a tree for a JSON string; text that is not JSON is shown as it is. */
function jsonTree(text) {
  const node = readJSON(text);
  return node ? h("div", { class: "tree mono" }, tree(node)) : h("pre", { class: "document" }, text ? long(text) : "(no bytes)");
}

/** Shows lines of text, with hidden characters escaped. */
function lines(text) {
  const element = h("pre", { class: "document" });
  element.textContent = text.split("\n").map(visible).join("\n");
  return element;
}

/** Returns a document with one field on each line; strings and arguments are copied. */
function formatted(document) {
  const tokens = document.match(/"""[^]*?"""|"(?:[^"\\]|\\.)*"|#[^\n]*|\.\.\.|\$?[_A-Za-z][_0-9A-Za-z]*|-?[0-9][0-9.eE+-]*|[^\s,]/g) || [];
  let [text, depth, parentheses, last, isCondition] = ["", 0, 0, "", false];
  const line = () => { text = `${text.trimEnd()}\n${"  ".repeat(depth)}`; };
  for (const token of tokens) {
    const isWord = /^[\w$"-]/.test(token);
    if (parentheses) {
      if (isWord && /[\w"\])}]$/.test(last)) text += ", ";
      else if (/^[$[{]/.test(token) && /[\w"\])}]$/.test(last)) text += ", ";
      text += token === ":" ? ": " : token === "=" ? " = " : token;
      if (token === "(") parentheses++;
      if (token === ")") parentheses--;
    } else if (token === "{") {
      text += text && !text.endsWith(" ") ? " {" : "{";
      depth++;
      line();
    } else if (token === "}") {
      depth = Math.max(0, depth - 1);
      line();
      text += depth ? "}" : "}\n\n";
    } else if (token === "(") {
      parentheses = 1;
      text += token;
    } else if (token === ":") {
      text += ": ";
    } else if (token === "@") {
      text += " @";
    } else if (token === "...") {
      if (last !== "{") line();
      text += token;
    } else if (last === "..." && token === "on") {
      text += " on ";
      isCondition = true;
    } else if (last === "..." || last === ":" || last === "@" || last === "{" || isCondition) {
      text += token;
      isCondition = false;
    } else if (depth) {
      line();
      text += token;
    } else {
      text += text && !text.endsWith("\n") ? ` ${token}` : token;
    }
    last = token;
  }
  return text.trim();
}
