/// A media type with its parameters, as declared in a `Content-Type` header field.
///
/// Beyond the grammar, the parser accepts empty parameters and values that should have been quoted,
/// because servers send them.
///
/// Source: RFC 9110, section 8.3.1.
package struct MediaType: Sendable, Hashable {
  /// The lowercase type and subtype, like `multipart/mixed`.
  package let essence: String
  /// The parameters' values by lowercase name. The first value of a repeated parameter counts.
  package let parameters: [String: String]

  /// Parses a header field's value. Fails unless it starts with a type and a subtype, each of at
  /// most 60 letters, digits and `.+-`.
  package init?(_ text: some StringProtocol) {
    var scanner = MediaTypeScanner(text)
    guard let essence = scanner.essence() else { return nil }
    var parameters: [String: String] = [:]
    while let (name, value) = scanner.parameter() {
      if parameters[name] == nil { parameters[name] = value }
    }
    self.essence = essence
    self.parameters = parameters
  }

  /// Whether documents of this type are JSON.
  package var isJSON: Bool {
    essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
  }
}

/// A cursor in a header field's value.
private struct MediaTypeScanner {
  private var rest: Substring.UTF8View

  init(_ text: some StringProtocol) { rest = Substring(text).utf8 }

  /// Reads the type and the subtype, and the spaces around them.
  mutating func essence() -> String? {
    let parts = trimmed(next(until: ";")).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isValid =
      parts.count == 2
      && parts.allSatisfy { (1...60).contains($0.count) && $0.allSatisfy(Self.isName) }
    return isValid ? parts.map(Self.lowercased).joined(separator: "/") : nil
  }

  /// Reads the next parameter that has a name; `nil` after the last one.
  mutating func parameter() -> (name: String, value: String)? {
    while rest.popFirst() != nil {
      let start = rest
      let name = trimmed(next(until: "=", or: ";"))
      guard rest.first == UInt8(ascii: "="), !name.isEmpty else {
        rest = start
        _ = next(until: ";")
        continue
      }
      rest.removeFirst()
      rest = rest.drop(while: Self.isSpace)
      return (Self.lowercased(name), value())
    }
    return nil
  }

  /// Reads the value of a parameter, up to the next semicolon.
  private mutating func value() -> String {
    guard rest.first == UInt8(ascii: "\"") else {
      return String(Substring(trimmed(next(until: ";"))))
    }
    rest.removeFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      bytes.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
    }
    _ = next(until: ";")
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads the bytes before the next of two delimiters, or all remaining bytes.
  private mutating func next(
    until end: Unicode.Scalar, or other: Unicode.Scalar = ";"
  ) -> Substring.UTF8View {
    let bytes = rest.prefix { $0 != UInt8(ascii: end) && $0 != UInt8(ascii: other) }
    rest = rest[bytes.endIndex...]
    return bytes
  }

  private func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
    var bytes = bytes.drop(while: Self.isSpace)
    while let last = bytes.last, Self.isSpace(last) { bytes.removeLast() }
    return bytes
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func isName(_ byte: UInt8) -> Bool {
    // Setting bit 5 maps an uppercase ASCII letter to lowercase.
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || ".+-".utf8.contains(byte)
  }

  private static func lowercased(_ bytes: Substring.UTF8View) -> String {
    let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z")
    return String(decoding: bytes.map { isUpper ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
