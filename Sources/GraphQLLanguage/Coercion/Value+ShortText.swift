extension Value {
  /// Returns the value as GraphQL on one line, truncated if it is long. Used in messages.
  func shortText(in symbols: SymbolTable) -> String {
    var text = ""
    appendText(to: &text, symbols)
    return text
  }

  private func appendText(to text: inout String, _ symbols: SymbolTable) {
    switch kind {
    case .variable(let symbol): text += "$" + symbols[symbol]
    case .int(let symbol), .float(let symbol), .enumValue(let symbol): text += symbols[symbol]
    case .string(let string, _): text += "\"\(string.prefix(80))\""
    case .boolean(let flag): text += flag ? "true" : "false"
    case .null: text += "null"
    case .list(let items):
      text += "["
      append(items, to: &text) { $0.appendText(to: &$1, symbols) }
      text += "]"
    case .object(let fields):
      text += "{"
      append(fields, to: &text) {
        $1 += symbols[$0.name.symbol] + ": "
        $0.value.appendText(to: &$1, symbols)
      }
      text += "}"
    }
  }

  /// Appends the items of a list or object until the string reaches 80 bytes.
  private func append<Item>(
    _ items: [Item], to text: inout String, _ write: (Item, inout String) -> Void
  ) {
    for (position, item) in items.enumerated() {
      if position > 0 { text += ", " }
      guard text.utf8.count < 80 else {
        text += "…"
        return
      }
      write(item, &text)
    }
  }
}
