/// A pull parser that reads JSON bytes once, from front to back, without building a tree.
///
/// The scanner follows RFC 8259 strictly: no trailing commas, no comments, no leading zeros, valid
/// UTF-8, no lone surrogates. It skips a byte order mark before the first value. The caller calls
/// the method for the kind of value that it expects next; ``skipValue()`` skips any value.
///
/// The scanner does not own `bytes`. Its creator must ensure that the buffer outlives it; every use
/// is inside `withUnsafeBufferPointer`.
package struct JSONScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// The index of the next byte to read.
  package internal(set) var position: Int
  /// The maximum nesting depth of arrays and objects in one value.
  package var depthLimit = 512

  package init(_ bytes: UnsafeBufferPointer<UInt8>, position: Int = 0) {
    self.bytes = bytes
    self.position = position
    if position == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { self.position = 3 }
  }

  /// The reason that the bytes are not valid JSON, and the offset of the error.
  package struct Failure: Error, Equatable {
    package var reason: String
    package var offset: Int
  }

  /// Returns the bytes in a range, without copying. They are valid while the scanner's buffer is.
  package func bytes(in range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range]))
  }

  /// The next byte, without consuming it; `nil` at the end.
  @inline(__always)
  var peekByte: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Returns the byte at an offset.
  ///
  /// - Precondition: `offset` is below ``count``.
  @inline(__always)
  package func byte(at offset: Int) -> UInt8 { bytes[offset] }

  /// The number of bytes.
  package var count: Int { bytes.count }

  /// Moves back to an earlier position, to read from there again.
  mutating func rewind(to position: Int) { self.position = position }

  /// The kind of a value, determined by its first byte.
  package enum Kind { case object, array, string, number, bool, null }

  package func failure(_ reason: String) -> Failure { Failure(reason: reason, offset: position) }

  /// The address of the first byte.
  ///
  /// - Precondition: The buffer is not empty. Callers compare an offset with `count` before
  ///   loading.
  @inline(__always)
  package var start: UnsafeRawPointer {
    UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped)
  }

  // MARK: Structure

  /// Returns the kind of the next value without consuming it.
  package mutating func peekKind() throws(Failure) -> Kind {
    skipSpace()
    guard position < bytes.count else { throw failure("unexpected end") }
    switch bytes[position] {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: throw failure("unexpected character")
    }
  }

  /// Consumes the opening brace or bracket.
  package mutating func open(_ kind: Kind) throws(Failure) {
    try expect(kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
  }

  /// Consumes the comma before the next member or element, or the closing brace or bracket.
  ///
  /// - Returns: Whether another member or element follows.
  @inline(__always)
  package mutating func next(in kind: Kind, isFirst: Bool) throws(Failure) -> Bool {
    skipSpace()
    let end = kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")
    guard position < bytes.count else { throw failure("unexpected end") }
    if bytes[position] == end {
      position += 1
      return false
    }
    if isFirst { return true }
    try expect(UInt8(ascii: ","))
    return true
  }

  /// Reads a member's key and consumes the colon.
  package mutating func key() throws(Failure) -> String {
    let key = try string()
    try expect(UInt8(ascii: ":"))
    return key
  }

  /// Consumes the next member's key and colon if the key, quotes included, equals `expected`.
  ///
  /// - Returns: Whether the key was equal; otherwise only white space is consumed.
  @inline(__always)
  mutating func consumeKey(_ expected: UnsafeBufferPointer<UInt8>) throws(Failure) -> Bool {
    skipSpace()
    let end = position + expected.count
    guard end < bytes.count else { return false }
    let found = UnsafeBufferPointer(rebasing: bytes[position..<end])
    guard expected.hasSameBytes(as: found) else { return false }
    position = end
    try expect(UInt8(ascii: ":"))
    return true
  }

  /// Checks that only white space is left.
  package mutating func end() throws(Failure) {
    skipSpace()
    if position < bytes.count { throw failure("characters after the value") }
  }

  @inline(__always)
  mutating func expect(_ byte: UInt8) throws(Failure) {
    if position < bytes.count, bytes[position] == byte {
      position += 1
      return
    }
    try expectAfterSpace(byte)
  }

  @inline(never)
  private mutating func expectAfterSpace(_ byte: UInt8) throws(Failure) {
    skipSpace()
    guard position < bytes.count, bytes[position] == byte else {
      throw failure(
        position < bytes.count
          ? "expected \"\(Character(Unicode.Scalar(byte)))\"" : "unexpected end")
    }
    position += 1
  }

  @inline(__always)
  mutating func skipSpace() {
    // No byte above a space is white space.
    while position < bytes.count, bytes[position] <= 0x20 {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  // MARK: Scalars

  /// Reads `true` or `false`.
  package mutating func bool() throws(Failure) -> Bool {
    if consumeWord("true") { return true }
    if consumeWord("false") { return false }
    throw failure("unexpected character")
  }

  /// Consumes `null`.
  package mutating func null() throws(Failure) {
    if !consumeWord("null") { throw failure("unexpected character") }
  }

  private mutating func consumeWord(_ word: StaticString) -> Bool {
    skipSpace()
    let count = word.utf8CodeUnitCount
    guard position + count <= bytes.count,
      word.withUTF8Buffer({
        UnsafeBufferPointer(rebasing: bytes[position..<position + count]).hasSameBytes(as: $0)
      })
    else { return false }
    position += count
    return true
  }

  /// Reads a number, preserving its digits as written.
  package mutating func number() throws(Failure) -> JSONNumber {
    JSONNumber(digits: String(decoding: bytes[try numberRange()], as: UTF8.self))
  }

  /// Reads a number and returns its byte range, with its value if the fast path can read it as an
  /// integer.
  mutating func numberToken() throws(Failure) -> (range: Range<Int>, int: Int?) {
    skipSpace()
    var end = position
    if let int = shortInteger(&end) {
      defer { position = end }
      return (position..<end, int)
    }
    return (try numberRange(), nil)
  }

  /// Whether a byte after digits continues the number.
  @inline(__always)
  static func continuesNumber(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
      || byte &- UInt8(ascii: "0") < 10
  }

  /// Skips a number, checking its grammar, and returns its byte range.
  mutating func numberRange() throws(Failure) -> Range<Int> {
    skipSpace()
    let start = position
    consumeByte { $0 == UInt8(ascii: "-") }
    let first = position
    try digits()
    if bytes[first] == UInt8(ascii: "0"), position > first + 1 { throw failure("leading zero") }
    if consumeByte({ $0 == UInt8(ascii: ".") }) { try digits() }
    if consumeByte({ $0 | 0x20 == UInt8(ascii: "e") }) {
      consumeByte { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
      try digits()
    }
    return start..<position
  }

  private mutating func digits() throws(Failure) {
    let start = position
    while consumeByte({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) {}
    if start == position { throw failure("expected a digit") }
  }

  @discardableResult
  private mutating func consumeByte(_ matches: (UInt8) -> Bool) -> Bool {
    guard position < bytes.count, matches(bytes[position]) else { return false }
    position += 1
    return true
  }
}
