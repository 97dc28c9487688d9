extension String {
  /// The string on one line: control characters are visible escapes, such as `\n` and `\u{1B}`.
  ///
  /// Text from a schema, server or file is shown like this in reports. Otherwise it could clear the
  /// terminal, or start a line that a continuous integration runs as a command.
  package var onOneLine: String { escapingControlCharacters() }

  /// Returns the string with its control characters as visible escapes.
  ///
  /// - Parameter allowed: The control characters that do not change.
  package func escapingControlCharacters(except allowed: [Unicode.Scalar] = []) -> String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case _ where !scalar.isControl || allowed.contains(scalar): text.unicodeScalars.append(scalar)
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default: text += "\\u{\(hexadecimal(scalar.value, digits: 1))}"
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether the character controls a terminal, ends a line or changes the direction of text.
  var isControl: Bool {
    switch self {
    case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{200E}", "\u{200F}", "\u{2028}"..."\u{202E}",
      "\u{2066}"..."\u{2069}":
      true
    default: false
    }
  }
}
