extension BlockString {
  /// Returns a block string literal with the given value.
  ///
  /// - Parameter isMinimal: Whether to omit the line breaks that only improve readability.
  static func text(of value: String, isMinimal: Bool = false) -> String {
    let escaped = escape(Array(value.utf8))
    let lines = split(escaped)
    let isSingleLine = lines.count == 1
    // Without a leading line break, the first line does not count toward the common indentation,
    // and the other lines would lose indentation that belongs to the value.
    let needsFirstBreak =
      !isSingleLine && lines.dropFirst().allSatisfy { $0.first.map(isBlank) ?? true }
    let endsInTripleQuote = escaped.suffix(4).elementsEqual("\\\"\"\"".utf8)
    let last = escaped.last
    let needsLastBreak =
      last == UInt8(ascii: "\\") || (last == UInt8(ascii: "\"") && !endsInTripleQuote)
    let isMultiline =
      !isMinimal
      && (!isSingleLine || value.utf16.count > 70 || needsLastBreak || needsFirstBreak
        || endsInTripleQuote)
    let startsBlank = isSingleLine && (escaped.first.map(isBlank) ?? false)
    var text = "\"\"\""
    if isMultiline && !startsBlank || needsFirstBreak { text += "\n" }
    text += String(decoding: escaped, as: UTF8.self)
    if isMultiline || needsLastBreak { text += "\n" }
    return text + "\"\"\""
  }

  /// Returns the lines of a block string literal with the given value. The quotes are on their own
  /// lines where the value permits it. There are at least two lines, and all but the first may be
  /// indented by any common amount.
  package static func lines(of value: String) -> [ArraySlice<UInt8>] {
    let quotes: ArraySlice<UInt8> = [0x22, 0x22, 0x22]
    let bytes = Array(value.utf8)
    guard let first = bytes.first else { return [quotes, quotes] }
    let lines = split(escape(bytes))
    // After a line break, the indentation of a single-line value would be stripped.
    if lines.count == 1, isBlank(first) { return [quotes + lines[0], quotes] }
    return [quotes] + lines + [quotes]
  }

  /// Returns the bytes with a backslash before each triple quote.
  private static func escape(_ bytes: [UInt8]) -> [UInt8] {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(bytes.count)
    var offset = 0
    while offset < bytes.count {
      if bytes[offset] == 0x22, bytes[offset...].prefix(3).elementsEqual([0x22, 0x22, 0x22]) {
        escaped += [UInt8(ascii: "\\"), 0x22, 0x22, 0x22]
        offset += 3
      } else {
        escaped.append(bytes[offset])
        offset += 1
      }
    }
    return escaped
  }

  /// Splits the bytes into lines at each line feed and each carriage return, so a CRLF pair adds an
  /// empty line.
  private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }
  }
}
