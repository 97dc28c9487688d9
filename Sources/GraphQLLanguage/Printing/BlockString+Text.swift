extension BlockString {
  /// Returns a block string literal with the given value.
  ///
  /// - Parameter isMinimal: Whether to omit the line breaks that only improve readability.
  static func text(of value: String, isMinimal: Bool = false) -> String {
    let escaped = escape(Array(value.utf8))
    let lines = split(escaped)
    let isSingleLine = lines.count == 1
    // Without a line break at the start, the first line does not count toward the common
    // indentation, and the other lines would lose indentation that is part of the value.
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

  /// Returns the lines of a block string literal with the given value, with its quotes on lines of
  /// their own where the value permits that. The lines may be indented by any common amount.
  static func lines(of value: String) -> [ArraySlice<UInt8>] {
    let bytes = Array(value.utf8)
    if bytes.isEmpty { return [[0x22, 0x22, 0x22, 0x22, 0x22, 0x22]] }
    let lines = split(escape(bytes))
    // The indentation of the only line of a value would be removed after a line break.
    if lines.count == 1, isBlank(bytes[0]) { return split(Array(text(of: value).utf8)) }
    return [[0x22, 0x22, 0x22]] + lines + [[0x22, 0x22, 0x22]]
  }

  /// Returns whether a block string with this value, at any indentation, evaluates to the same
  /// value.
  static func canRepresent(_ value: String) -> Bool {
    guard !value.isEmpty else { return true }
    var isEmptyLine = true
    var isIndented = false
    var isCommonlyIndented = true
    var hasSeveralLines = false
    for byte in value.utf8 {
      switch byte {
      case 0x0A:
        if isEmptyLine, !hasSeveralLines { return false }
        hasSeveralLines = true
        isEmptyLine = true
        isIndented = false
      case 0x09, 0x20: isIndented = isIndented || isEmptyLine
      case 0..<0x10: return false
      default:
        isCommonlyIndented = isCommonlyIndented && isIndented
        isEmptyLine = false
      }
    }
    return !isEmptyLine && !(isCommonlyIndented && hasSeveralLines)
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

  /// Splits the bytes into lines, at each line feed and each carriage return. A CRLF pair thus adds
  /// an empty line.
  private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    var offset = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      guard byte == 0x0A || byte == 0x0D else { continue }
      lines.append(bytes[start..<offset - 1])
      start = offset
    }
    return lines + [bytes[start...]]
  }
}
