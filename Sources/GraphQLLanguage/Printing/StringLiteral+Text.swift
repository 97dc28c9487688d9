extension StringLiteral {
  /// Returns a string literal with the given value, escaping quotes, backslashes and control
  /// characters.
  static func text(of value: String) -> String {
    value.quoted { ("\u{7F}"..."\u{9F}").contains($0) }
  }
}
