extension Value {
  /// The value as GraphQL writes it, on one line and cut where it is long, for messages.
  func shortText(in symbols: SymbolTable) -> String {
    var text = ""
    appendText(to: &text, symbols)
    return text
  }

  private func appendText(to text: inout String, _ symbols: SymbolTable) {
    guard text.utf8.count < 80 else {
      if !text.hasSuffix("…") { text += "…" }
      return
    }
    switch kind {
    case .variable(let symbol): text += "$" + symbols[symbol]
    case .int(let symbol), .float(let symbol), .enumValue(let symbol): text += symbols[symbol]
    case .string(let string, _): text += "\"\(string.prefix(80))\""
    case .boolean(let flag): text += flag ? "true" : "false"
    case .null: text += "null"
    case .list(let items):
      text += "["
      for (position, item) in items.prefix(20).enumerated() {
        if position > 0 { text += ", " }
        item.appendText(to: &text, symbols)
      }
      text += "]"
    case .object(let fields):
      text += "{"
      for (position, field) in fields.prefix(20).enumerated() {
        if position > 0 { text += ", " }
        text += symbols[field.name.symbol] + ": "
        field.value.appendText(to: &text, symbols)
      }
      text += "}"
    }
  }
}
