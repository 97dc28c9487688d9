/// Escaping of untrusted strings for generated Swift code. All untrusted strings pass through here.
package enum SwiftEscaping {
  /// Returns a string literal with exactly this content.
  ///
  /// A string whose only special characters are quotes and backslashes becomes a raw literal. A
  /// long string becomes a multi-line literal.
  ///
  /// - Parameter allowsRaw: Whether raw and multi-line literals are allowed. Swift rejects them in
  ///   attributes.
  package static func literal(_ text: String, allowsRaw: Bool = true) -> String {
    let literal = lineLiteral(text, allowsRaw: allowsRaw)
    return allowsRaw ? LongLiteral.split(literal) : literal
  }

  private static func lineLiteral(_ text: String, allowsRaw: Bool) -> String {
    if isPlain(text) { return "\"" + text + "\"" }
    let scalars = text.unicodeScalars
    if allowsRaw, scalars.contains(where: { $0 == "\"" || $0 == "\\" }),
      !scalars.contains(where: isUnsafe)
    {
      let hashes = String(repeating: "#", count: longestHashRun(after: scalars) + 1)
      return "\(hashes)\"\(text)\"\(hashes)"
    }
    var result = "\""
    for scalar in scalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where isUnsafe(scalar):
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns the first paragraph of a string as lines for a comment. Scalars that could end the
  /// comment or reorder its display are replaced by spaces.
  ///
  /// A paragraph longer than `limit` lines is cut.
  package static func commentLines(_ text: String, limit: Int = 3) -> [String] {
    if isPlain(text, allowsQuotes: true) {
      let line = trimmed(text)
      return line.isEmpty ? [] : [shortened(line)]
    }
    var lines: [String] = []
    var current = String.UnicodeScalarView()
    var isCut = false
    func flush() {
      let line = trimmed(current)
      current = String.UnicodeScalarView()
      if !line.isEmpty {
        if lines.count < limit { lines.append(line) } else { isCut = true }
      }
    }
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      if isNewline(scalar) {
        if scalar == "\n", previous == "\r" {
          previous = scalar
          continue
        }
        let wasBlank = trimmed(current).isEmpty
        flush()
        if wasBlank, !lines.isEmpty { return lines }
      } else if !isHidden(scalar) {
        current.append(scalar)
      } else {
        current.append(" ")
      }
      previous = scalar
    }
    flush()
    if isCut { lines[limit - 1] += " …" }
    return lines.map(shortened)
  }

  /// Truncates a line of a comment or message to a thousand UTF-8 bytes, followed by `…`.
  static func shortened(_ line: String) -> String {
    let limit = 1_000
    if line.utf8.count <= limit { return line }
    var start = String.UnicodeScalarView()
    var length = 0
    for scalar in line.unicodeScalars {
      length += UTF8.width(scalar)
      if length > limit { return String(start) + " …" }
      start.append(scalar)
    }
    return line
  }

  /// Returns a string such as a file name as a single line for a `//` comment.
  static func commentLine(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { line.append(isHidden(scalar) ? "?" : scalar) }
    return String(line)
  }

  /// Returns whether a string is printable ASCII without characters that need escaping in a
  /// literal. Nearly every string is.
  private static func isPlain(_ text: String, allowsQuotes: Bool = false) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { isPlain($0, allowsQuotes: allowsQuotes) } ?? false
  }

  /// Tests eight bytes at a time. The high bit of each byte in `odd` is set if that byte is not
  /// plain.
  static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>, allowsQuotes: Bool = false) -> Bool {
    guard let base = UnsafeRawPointer(bytes.baseAddress) else { return true }
    let ones: UInt64 = 0x0101_0101_0101_0101
    func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
    func areOdd(_ word: UInt64) -> Bool {
      var odd = word | (word &- ones &* 0x20) & ~word | zeros(word ^ ones &* 0x7F)
      if !allowsQuotes { odd |= zeros(word ^ ones &* 0x22) | zeros(word ^ ones &* 0x5C) }
      return odd & (ones &* 0x80) != 0
    }
    var offset = 0
    while offset + 8 <= bytes.count {
      if areOdd(base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) { return false }
      offset += 8
    }
    // The remaining bytes, padded with leading spaces.
    var rest = ones &* 0x20
    for byte in bytes[offset...] { rest = rest << 8 | UInt64(byte) }
    return !areOdd(rest)
  }

  /// Writes a string literal with exactly this content.
  ///
  /// The literal spans several lines if it does not fit on the current one.
  ///
  /// - Parameter tail: The number of columns needed after the literal.
  static func write(literal content: borrowing UTF8Buffer, to text: inout UTF8Buffer, tail: Int) {
    let room = SwiftPrinter.lineLimit - text.column - tail
    guard content.count + 2 <= room, content.isPlain else {
      let literal = lineLiteral(content.text, allowsRaw: true)
      text += LongLiteral.split(literal, over: room)
      return
    }
    text += "\""
    text += content
    text += "\""
  }

  /// Splits a line at spaces into lines of at most `limit` bytes, except for longer words.
  static func wrapped(_ line: String, to limit: Int) -> [String] {
    var lines: [String] = []
    for word in line.split(separator: " ") {
      if let last = lines.last, last.utf8.count + 1 + word.utf8.count <= limit {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// Returns whether a scalar must be escaped in a literal. This applies to hidden scalars, and to
  /// combining marks, which would form one character with the opening quote.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    if isHidden(scalar) { return true }
    if scalar.isASCII { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return false
    }
  }

  /// Returns whether a scalar is a control, any kind of line end, or a formatting character, which
  /// includes bidirectional controls and joiners. Private-use and unassigned scalars count too.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x20 || scalar.value == 0x7F { return true }
    if scalar.isASCII { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      return true
    default: return false
    }
  }

  private static func isNewline(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  private static func trimmed(_ text: String) -> String {
    func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
    return isBlank(text.utf8.first) || isBlank(text.utf8.last) ? trimmed(text.unicodeScalars) : text
  }

  private static func trimmed(_ scalars: String.UnicodeScalarView) -> String {
    var slice = scalars[...]
    while let first = slice.first, first == " " || first == "\t" { slice.removeFirst() }
    while let last = slice.last, last == " " || last == "\t" { slice.removeLast() }
    return String(slice)
  }

  /// Returns the length of the longest run of number signs after a quote or backslash.
  private static func longestHashRun(after scalars: String.UnicodeScalarView) -> Int {
    var longest = 0
    var run: Int?
    for scalar in scalars {
      if scalar == "\"" || scalar == "\\" {
        run = 0
      } else if scalar == "#", let length = run {
        run = length + 1
        longest = max(longest, length + 1)
      } else {
        run = nil
      }
    }
    return longest
  }
}
