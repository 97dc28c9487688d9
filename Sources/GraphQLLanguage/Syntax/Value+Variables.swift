extension Value {
  /// Calls `body` with each variable in the value and its location.
  package func forEachVariable(_ body: (Symbol, Span) -> Void) {
    switch kind {
    case .variable(let symbol): body(symbol, span)
    case .list(let values): for value in values { value.forEachVariable(body) }
    case .object(let fields): for field in fields { field.value.forEachVariable(body) }
    case .int, .float, .string, .boolean, .null, .enumValue: break
    }
  }
}
