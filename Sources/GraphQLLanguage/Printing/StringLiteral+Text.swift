extension StringLiteral {
  /// Returns a string literal with the given value. Quotes, backslashes and control characters are
  /// escaped.
  static func text(of value: String) -> String {
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{8}": text += "\\b"
      case "\t": text += "\\t"
      case "\n": text += "\\n"
      case "\u{C}": text += "\\f"
      case "\r": text += "\\r"
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}":
        text += "\\u" + hexadecimal(scalar.value, digits: 4)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
