extension String {
  /// Returns the string as a string literal, valid in both JSON and GraphQL.
  ///
  /// - Parameters:
  ///   - hasShortEscapes: Whether backspace and form feed are escaped with a letter.
  ///   - isEscaped: Whether another character of the Basic Multilingual Plane is escaped too.
  ///   - isUppercase: Whether hexadecimal digits are uppercase.
  package func quoted(
    hasShortEscapes: Bool = true, isUppercase: Bool = true,
    escaping isEscaped: (Unicode.Scalar) -> Bool = { _ in false }
  ) -> String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{8}" where hasShortEscapes: text += "\\b"
      case "\u{C}" where hasShortEscapes: text += "\\f"
      case "\0"..."\u{1F}",
        _ where isEscaped(scalar):
        let digits = hexadecimal(scalar.value, digits: 4)
        text += "\\u" + (isUppercase ? digits : digits.lowercased())
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
