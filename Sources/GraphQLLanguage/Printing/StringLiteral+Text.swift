extension StringLiteral {
  /// Returns a string literal with the given value, escaping quotes, backslashes and control
  /// characters.
  static func text(of value: String) -> String { value.quoted(escapesC1: true) }
}
