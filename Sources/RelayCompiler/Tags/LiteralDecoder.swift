import GraphQLLanguage

/// A decoder of Swift string literals. It handles escapes, line ends, and the indentation of
/// multi-line literals.
struct LiteralDecoder {
  private let cursor: SwiftCursor
  private let literal: SwiftCursor.Literal
  private let contentEnd: Int
  private var output: ContiguousArray<UInt8> = []
  private var offsets: OffsetMap
  /// The file offset minus the document offset in the last segment of `offsets`.
  private var shift: Int

  /// Decodes a literal whose closing quotes end at `end`.
  ///
  /// - Throws: ``TagError`` at an interpolation, an unknown escape or a wrongly indented line.
  static func decode(
    _ literal: SwiftCursor.Literal, end: Int, in cursor: SwiftCursor
  ) throws(TagError) -> Tag {
    var decoder = LiteralDecoder(
      cursor: cursor, literal: literal, contentEnd: end - literal.closingLength)
    if literal.isMultiline {
      try decoder.decodeLines()
    } else {
      try decoder.decode(literal.contentStart..<decoder.contentEnd)
    }
    decoder.recordOffset(decoder.contentEnd)
    return Tag(
      document: decoder.output, offsets: decoder.offsets, literal: literal,
      contentEnd: decoder.contentEnd)
  }

  private init(cursor: SwiftCursor, literal: SwiftCursor.Literal, contentEnd: Int) {
    self.cursor = cursor
    self.literal = literal
    self.contentEnd = contentEnd
    offsets = OffsetMap(startingAt: UInt32(truncatingIfNeeded: literal.contentStart))
    shift = literal.contentStart
    output.reserveCapacity(contentEnd - literal.contentStart)
  }

  // MARK: Lines

  private mutating func decodeLines() throws(TagError) {
    let firstEnd = cursor.endOfLine(literal.contentStart)
    guard firstEnd < contentEnd, cursor.isBlank(literal.contentStart..<firstEnd) else {
      throw TagError(
        message: "Multi-line string literal content must begin on a new line.",
        offset: literal.contentStart)
    }
    let indentation = try closingIndentation()
    var line = afterLineEnd(firstEnd)
    var joinsLine = true
    while line <= indentation.lowerBound {
      let end = min(cursor.endOfLine(line), indentation.upperBound)
      if line == indentation.lowerBound { break }
      if !joinsLine { append(0x0A, from: line - 1) }
      let text = try strip(indentation, from: line..<end)
      joinsLine = try decode(text)
      line = afterLineEnd(end)
    }
  }

  /// Returns the range of the white space before the closing quotes.
  private func closingIndentation() throws(TagError) -> Range<Int> {
    var start = contentEnd
    while start > literal.contentStart, isSpace(cursor[start - 1]) { start -= 1 }
    guard cursor[start - 1] == 0x0A || cursor[start - 1] == 0x0D else {
      throw TagError(
        message: "Multi-line string literal closing delimiter must begin on a new line.",
        offset: contentEnd)
    }
    return start..<contentEnd
  }

  private func strip(
    _ indentation: Range<Int>, from line: Range<Int>
  ) throws(TagError) -> Range<Int> {
    var matched = 0
    while matched < indentation.count, line.lowerBound + matched < line.upperBound,
      cursor[line.lowerBound + matched] == cursor[indentation.lowerBound + matched]
    { matched += 1 }
    if matched == indentation.count { return line.lowerBound + matched..<line.upperBound }
    guard line.allSatisfy({ isSpace(cursor[$0]) }) else {
      throw TagError(
        message: "A line of the literal is indented less than its closing quotes.",
        offset: line.lowerBound + matched)
    }
    return line.upperBound..<line.upperBound
  }

  private func afterLineEnd(_ end: Int) -> Int {
    guard end < cursor.count else { return end + 1 }
    return cursor[end] == 0x0D && cursor.has(0x0A, at: end + 1) ? end + 2 : end + 1
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  // MARK: Escapes

  /// Decodes one line.
  ///
  /// - Returns: Whether the line ends with a backslash, which joins it with the next line.
  @discardableResult
  private mutating func decode(_ range: Range<Int>) throws(TagError) -> Bool {
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = cursor[position]
      guard byte == UInt8(ascii: "\\"), cursor.hasHashes(literal.hashes, at: position + 1) else {
        append(byte, from: position)
        position += 1
        continue
      }
      let escape = position + 1 + literal.hashes
      if escape >= range.upperBound || isSpace(cursor[escape]) {
        guard literal.isMultiline, cursor.isBlank(escape..<range.upperBound) else {
          throw invalidEscapeError(position)
        }
        return true
      }
      position = try decodeEscape(escape, from: position)
    }
    return false
  }

  /// Decodes the escape whose letter is at `escape`.
  ///
  /// - Returns: The offset after the escape.
  private mutating func decodeEscape(_ escape: Int, from start: Int) throws(TagError) -> Int {
    switch cursor[escape] {
    case UInt8(ascii: "0"): append(0, from: start)
    case UInt8(ascii: "n"): append(0x0A, from: start)
    case UInt8(ascii: "r"): append(0x0D, from: start)
    case UInt8(ascii: "t"): append(0x09, from: start)
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"):
      append(cursor[escape], from: start)
    case UInt8(ascii: "u"): return try decodeScalar(escape, from: start)
    case UInt8(ascii: "("):
      throw TagError(
        message: "A graphql tag must not contain an interpolation. "
          + "Use a GraphQL variable, or a fragment.", offset: start)
    default: throw invalidEscapeError(start)
    }
    return escape + 1
  }

  private mutating func decodeScalar(_ escape: Int, from start: Int) throws(TagError) -> Int {
    var position = escape + 2
    var value: UInt32 = 0
    guard cursor.has(UInt8(ascii: "{"), at: escape + 1) else { throw invalidEscapeError(start) }
    while position < contentEnd, position < escape + 10,
      let digit = Character(Unicode.Scalar(cursor[position])).hexDigitValue
    {
      value = value << 4 | UInt32(digit)
      position += 1
    }
    guard cursor.has(UInt8(ascii: "}"), at: position), position > escape + 2,
      let scalar = Unicode.Scalar(value)
    else { throw invalidEscapeError(start) }
    for byte in UTF8.encode(scalar).map(Array.init) ?? [] { append(byte, from: start) }
    return position + 1
  }

  private func invalidEscapeError(_ offset: Int) -> TagError {
    TagError(message: "Invalid escape in a string literal.", offset: offset)
  }

  private mutating func append(_ byte: UInt8, from file: Int) {
    recordOffset(file)
    output.append(byte)
  }

  /// Maps the next byte of the document to the offset `file`.
  private mutating func recordOffset(_ file: Int) {
    guard file - output.count != shift else { return }
    shift = file - output.count
    offsets.append(
      documentStart: UInt32(truncatingIfNeeded: output.count),
      fileStart: UInt32(truncatingIfNeeded: file))
  }
}
