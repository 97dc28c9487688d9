extension StringLiteral {
  /// Returns a string literal with the given value. Quotes, backslashes and control characters are
  /// escaped.
  static func text(of value: String) -> String { value.quoted(escapesC1: true) }
}
