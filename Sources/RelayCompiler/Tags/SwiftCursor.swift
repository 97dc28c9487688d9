/// A cursor over Swift source that skips tokens that can contain quotes: comments, string literals
/// and regex literals.
package struct SwiftCursor {
  /// The opening of a string literal.
  package struct Literal: Equatable {
    /// The offset of the first `#` or quote.
    let start: Int
    package let hashes: Int
    package let isMultiline: Bool
    /// The offset of the first byte after the opening quotes.
    package var contentStart: Int { start + hashes + (isMultiline ? 3 : 1) }
    /// The length of the closing quotes and `#`.
    var closingLength: Int { hashes + (isMultiline ? 3 : 1) }
  }

  /// The maximum nesting depth of interpolations, because the scanner recurses into them.
  static let nestingLimit = 100

  let bytes: UnsafeBufferPointer<UInt8>
  /// Failed searches, memoized to bound the total work.
  private let failures = Failures()

  private final class Failures {
    /// The start of the first failed search for the end of an extended regex, by number of `#`.
    var extendedRegexes: [Int: Int] = [:]
    /// The offset where the last failed search for the end of a regex stopped. No regex ends before
    /// it on that line.
    var endOfLine = 0
    /// The offset where reading the last unterminated literal stopped.
    var unterminatedEnd = 0
    /// The number of bytes read in unterminated literals.
    var unterminatedBytes = 0
  }

  package init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  package var count: Int { bytes.count }
  package subscript(position: Int) -> UInt8 { bytes[position] }

  package static func isIdentifier(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
      true
    default: false
    }
  }

  package func endOfIdentifier(_ start: Int) -> Int {
    var end = start + 1
    while end < count, Self.isIdentifier(bytes[end]) { end += 1 }
    return end
  }

  func text(_ range: Range<Int>, equals word: StaticString) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { $0.elementsEqual(bytes[range]) }
  }

  func isBlank(_ range: Range<Int>) -> Bool {
    range.allSatisfy { bytes[$0] <= 0x20 }
  }

  func has(_ byte: UInt8, at position: Int) -> Bool {
    position < count && bytes[position] == byte
  }

  /// Returns the end of the token at `start`: a comment, a literal, a regex, or a single byte.
  package func endOfToken(_ start: Int, depth: Int = 0) throws(TagError) -> Int {
    switch bytes[start] {
    case UInt8(ascii: "/"):
      if has(UInt8(ascii: "/"), at: start + 1) || has(UInt8(ascii: "*"), at: start + 1) {
        return try endOfComment(start)
      }
      return endOfRegex(start) ?? start + 1
    case UInt8(ascii: "\""):
      return try endOfNonTagLiteral(start, depth: depth)
    case UInt8(ascii: "#"):
      let quote = endOfHashes(start)
      if has(UInt8(ascii: "\""), at: quote) { return try endOfNonTagLiteral(start, depth: depth) }
      if has(UInt8(ascii: "/"), at: quote) {
        return endOfExtendedRegex(start, hashes: quote - start) ?? quote
      }
      return quote
    default:
      return start + 1
    }
  }

  /// Returns the offset after white space and comments.
  package func skipTrivia(_ start: Int) throws(TagError) -> Int {
    var position = start
    while position < count {
      if bytes[position] <= 0x20 {
        position += 1
      } else if bytes[position] == UInt8(ascii: "/"),
        has(UInt8(ascii: "/"), at: position + 1) || has(UInt8(ascii: "*"), at: position + 1)
      {
        position = try endOfComment(position)
      } else {
        break
      }
    }
    return position
  }

  private func endOfComment(_ start: Int) throws(TagError) -> Int {
    if bytes[start + 1] == UInt8(ascii: "/") { return endOfLine(start) }
    var depth = 1
    var position = start + 2
    while position + 1 < count {
      switch (bytes[position], bytes[position + 1]) {
      case (UInt8(ascii: "*"), UInt8(ascii: "/")):
        depth -= 1
        position += 2
        if depth == 0 { return position }
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        depth += 1
        position += 2
      default: position += 1
      }
    }
    failures.unterminatedEnd = count
    throw TagError(message: "Unterminated comment. Close it with \"*/\".", offset: start)
  }

  func endOfLine(_ start: Int) -> Int {
    var position = start
    while position < count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
    return position
  }

  private func endOfHashes(_ start: Int) -> Int {
    var end = start
    while has(UInt8(ascii: "#"), at: end) { end += 1 }
    return end
  }
}

// MARK: - String literals

extension SwiftCursor {
  /// Returns the string literal that opens at `start`; `nil` if there is none.
  func literal(at start: Int) -> Literal? {
    let quote = endOfHashes(start)
    guard has(UInt8(ascii: "\""), at: quote) else { return nil }
    let hashes = quote - start
    let isTriple = has(UInt8(ascii: "\""), at: quote + 1) && has(UInt8(ascii: "\""), at: quote + 2)
    let isMultiline = isTriple && !(hashes > 0 && closesOnLine(quote + 1, hashes: hashes))
    return Literal(start: start, hashes: hashes, isMultiline: isMultiline)
  }

  /// Returns whether a literal that opens with `#"""` closes on the same line. Swift reads `#"""#`
  /// as a one-line literal that contains a quote.
  private func closesOnLine(_ start: Int, hashes: Int) -> Bool {
    var position = start
    while position < count, bytes[position] != 0x0A, bytes[position] != 0x0D {
      if bytes[position] == UInt8(ascii: "\""), hasHashes(hashes, at: position + 1) { return true }
      position += 1
    }
    return false
  }

  func hasHashes(_ hashes: Int, at position: Int) -> Bool {
    guard position + hashes <= count else { return false }
    return (position..<position + hashes).allSatisfy { bytes[$0] == UInt8(ascii: "#") }
  }

  /// Returns whether the literal's closing quotes are at `position`.
  func closes(_ literal: Literal, at position: Int) -> Bool {
    let quotes = literal.isMultiline ? 3 : 1
    guard position + quotes <= count,
      (position..<position + quotes).allSatisfy({ bytes[$0] == UInt8(ascii: "\"") })
    else { return false }
    return hasHashes(literal.hashes, at: position + quotes)
  }

  /// Returns the offset after the literal that opens at `start`.
  ///
  /// - Throws: ``TagError`` if the literal is unterminated or its interpolations nest too deep.
  func endOfLiteral(_ start: Int, depth: Int = 0) throws(TagError) -> Int {
    guard let literal = literal(at: start) else { return start + 1 }
    guard depth < Self.nestingLimit else {
      failures.unterminatedEnd = start
      throw TagError(message: "String interpolations are nested too deep.", offset: start)
    }
    var position = literal.contentStart
    while position < count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        if closes(literal, at: position) { return position + literal.closingLength }
        position += 1
      case UInt8(ascii: "\\") where hasHashes(literal.hashes, at: position + 1):
        position += 1 + literal.hashes
        if has(UInt8(ascii: "("), at: position) {
          position = try endOfInterpolation(position, depth: depth + 1)
        } else {
          position += 1
        }
      case 0x0A, 0x0D:
        guard literal.isMultiline else {
          failures.unterminatedEnd = position
          throw TagError(message: "Unterminated string literal.", offset: start)
        }
        position += 1
      default: position += 1
      }
    }
    failures.unterminatedEnd = count
    throw TagError(message: "Unterminated string literal.", offset: start)
  }

  /// Returns the end of a literal that is not a tag. Skips an unterminated one-line literal,
  /// because the Swift compiler reports it.
  private func endOfNonTagLiteral(_ start: Int, depth: Int) throws(TagError) -> Int {
    do {
      return try endOfLiteral(start, depth: depth)
    } catch {
      guard let literal = literal(at: start), !literal.isMultiline, depth == 0 else { throw error }
      // Each unterminated literal may be read to the end of the file. Once this budget is spent,
      // scanning stops with the error.
      failures.unterminatedBytes += max(0, failures.unterminatedEnd - start)
      guard failures.unterminatedBytes <= 8 * count else { throw error }
      return recovery(from: start, literal: literal)
    }
  }

  /// Returns the offset where scanning resumes after an unterminated literal.
  func recovery(from start: Int, literal: Literal) -> Int {
    literal.isMultiline ? count : endOfLine(literal.contentStart)
  }

  private func endOfInterpolation(_ open: Int, depth: Int) throws(TagError) -> Int {
    var parentheses = 0
    var position = open
    while position < count {
      switch bytes[position] {
      case UInt8(ascii: "("):
        parentheses += 1
        position += 1
      case UInt8(ascii: ")"):
        parentheses -= 1
        position += 1
        if parentheses == 0 { return position }
      default: position = try endOfToken(position, depth: depth)
      }
    }
    failures.unterminatedEnd = count
    throw TagError(message: "Unterminated string interpolation.", offset: open)
  }
}

// MARK: - Regular expressions

extension SwiftCursor {
  /// Returns the end of the regex `/…/` at `start`; `nil` if the slash is an operator.
  private func endOfRegex(_ start: Int) -> Int? {
    guard start >= failures.endOfLine, start + 1 < count, bytes[start + 1] > 0x20,
      mayStartOperand(start)
    else { return nil }
    var position = start + 1
    while position < count {
      switch bytes[position] {
      case UInt8(ascii: "\\"): position += 2
      case UInt8(ascii: "/"): return position + 1
      case 0x0A, 0x0D:
        failures.endOfLine = position
        return nil
      default: position += 1
      }
    }
    failures.endOfLine = count
    return nil
  }

  /// Returns whether an operand rather than an operator can be at `start`, judging by the preceding
  /// token.
  private func mayStartOperand(_ start: Int) -> Bool {
    var before = start - 1
    while before >= 0, bytes[before] == 0x20 || bytes[before] == 0x09 { before -= 1 }
    guard before >= 0 else { return true }
    switch bytes[before] {
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "\""),
      UInt8(ascii: "`"), UInt8(ascii: "/"):
      return false
    case let byte where Self.isIdentifier(byte):
      var wordStart = before
      while wordStart > 0, Self.isIdentifier(bytes[wordStart - 1]) { wordStart -= 1 }
      let words: [StaticString] = ["return", "in", "case", "try", "await", "where", "if", "switch"]
      return words.contains { text(wordStart..<before + 1, equals: $0) }
    default: return true
    }
  }

  private func endOfExtendedRegex(_ start: Int, hashes: Int) -> Int? {
    if let failure = failures.extendedRegexes[hashes], failure <= start { return nil }
    var position = start + hashes + 1
    while position < count {
      if bytes[position] == UInt8(ascii: "\\") {
        position += 2
      } else if bytes[position] == UInt8(ascii: "/"), hasHashes(hashes, at: position + 1) {
        return position + 1 + hashes
      } else {
        position += 1
      }
    }
    failures.extendedRegexes[hashes] = start
    return nil
  }
}
