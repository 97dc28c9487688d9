/// A strict JSON reader that builds a tree. It reads introspection results, configurations and
/// language server messages, all small enough to hold in memory.
package struct JSONReader {
  /// A syntax error and its byte offset.
  package struct Failure: Error {
    package let message: String
    package let offset: Int
  }

  /// The maximum nesting depth of lists and objects.
  package static let depthLimit = 256

  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0
  private var depth = 0
  private let replacesLoneSurrogates: Bool
  private let allowsTrailingCommas: Bool

  /// Reads a single JSON value; only white space may surround it.
  ///
  /// - Parameters:
  ///   - replacesLoneSurrogates: Whether an escaped lone surrogate, which is not a Unicode scalar,
  ///     is read as U+FFFD.
  ///   - allowsTrailingCommas: Whether a comma may follow the last member or element, as in
  ///     Foundation's decoder.
  /// - Throws: ``Failure`` at the first byte that cannot be read.
  /// - Complexity: O(*n*) in the bytes.
  package static func read(
    _ bytes: ContiguousArray<UInt8>, replacesLoneSurrogates: Bool = false,
    allowsTrailingCommas: Bool = false
  ) throws(Failure) -> InputValue {
    let result: Result<InputValue, Failure> = bytes.withUnsafeBufferPointer { buffer in
      var reader = JSONReader(
        bytes: buffer, replacesLoneSurrogates: replacesLoneSurrogates,
        allowsTrailingCommas: allowsTrailingCommas)
      do throws(Failure) { return .success(try reader.readText()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  private mutating func readText() throws(Failure) -> InputValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    let value = try readValue()
    skipSpace()
    guard offset == bytes.count else {
      throw failure("Unexpected characters after the JSON value.")
    }
    return value
  }

  private func failure(_ message: String) -> Failure { Failure(message: message, offset: offset) }

  private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
  }

  /// Skips white space and then `character`, if it is next.
  ///
  /// - Returns: Whether the character was next.
  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard byte == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func readValue() throws(Failure) -> InputValue {
    skipSpace()
    switch byte {
    case UInt8(ascii: "{"):
      return try nested { (reader) throws(Failure) in try reader.readObject() }
    case UInt8(ascii: "["): return try nested { (reader) throws(Failure) in try reader.readList() }
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try readWord("true", .boolean(true))
    case UInt8(ascii: "f"): return try readWord("false", .boolean(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default: return try readNumber()
    }
  }

  private mutating func nested(_ read: (inout JSONReader) throws(Failure) -> InputValue)
    throws(Failure) -> InputValue
  {
    depth += 1
    guard depth <= Self.depthLimit else { throw failure("The JSON nests too deeply.") }
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func readObject() throws(Failure) -> InputValue {
    offset += 1
    var members: [InputValue.Member] = []
    if skip("}") { return .object(members) }
    repeat {
      skipSpace()
      if allowsTrailingCommas, !members.isEmpty, byte == UInt8(ascii: "}") { break }
      guard byte == UInt8(ascii: "\"") else { throw failure("Expected a member name.") }
      let name = try readString()
      guard skip(":") else { throw failure("Expected \":\".") }
      members.append(.init(name, try readValue()))
    } while skip(",")
    guard skip("}") else { throw failure("Expected \",\" or \"}\".") }
    return .object(members)
  }

  private mutating func readList() throws(Failure) -> InputValue {
    offset += 1
    var items: [InputValue] = []
    if skip("]") { return .list(items) }
    repeat {
      skipSpace()
      if allowsTrailingCommas, !items.isEmpty, byte == UInt8(ascii: "]") { break }
      items.append(try readValue())
    } while skip(",")
    guard skip("]") else { throw failure("Expected \",\" or \"]\".") }
    return .list(items)
  }

  private mutating func readWord(_ word: StaticString, _ value: InputValue) throws(Failure)
    -> InputValue
  {
    let end = offset + word.utf8CodeUnitCount
    guard end <= bytes.count,
      bytes[offset..<end].elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    else { throw failure("Expected a JSON value.") }
    offset = end
    return value
  }

  private mutating func readNumber() throws(Failure) -> InputValue {
    let start = offset
    if skipNumber() {
      let text = String(decoding: bytes[start..<offset], as: UTF8.self)
      if let number = Int(text) { return .int(number) }
      if let number = Double(text), number.isFinite { return .float(number) }
    }
    offset = start
    throw failure("Expected a JSON value.")
  }

  /// Skips a number in JSON's grammar: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
  ///
  /// - Returns: Whether a number was found. If not, the offset is undefined.
  private mutating func skipNumber() -> Bool {
    if byte == UInt8(ascii: "-") { offset += 1 }
    let hasLeadingZero = byte == UInt8(ascii: "0")
    let integerDigits = skipDigits()
    guard integerDigits == 1 || integerDigits > 1 && !hasLeadingZero else { return false }
    if byte == UInt8(ascii: ".") {
      offset += 1
      if skipDigits() == 0 { return false }
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      offset += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset += 1 }
      if skipDigits() == 0 { return false }
    }
    return true
  }

  /// Skips decimal digits and returns how many there were.
  private mutating func skipDigits() -> Int {
    let start = offset
    while let byte, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { offset += 1 }
    return offset - start
  }
}

extension JSONReader {
  private mutating func readString() throws(Failure) -> String {
    offset += 1
    var text: [UInt8] = []
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        guard let string = String(validUTF8: text) else {
          throw failure("A string is not UTF-8.")
        }
        return string
      case UInt8(ascii: "\\"):
        offset += 1
        text.append(contentsOf: String(try readEscape()).utf8)
      case 0..<0x20: throw failure("A control character in a string must be escaped.")
      default:
        text.append(byte)
        offset += 1
      }
    }
    throw failure("Unterminated string.")
  }

  private mutating func readEscape() throws(Failure) -> Unicode.Scalar {
    // GraphQL shares JSON's escapes and adds `\u{…}`, which JSON does not allow.
    let isVariableWidth = bytes[offset...].starts(with: "u{".utf8)
    if !isVariableWidth, let escape = StringLiteral.escape(bytes, at: offset - 1) {
      offset += escape.length - 1
      return escape.scalar
    }
    guard let byte else { throw failure("Unterminated string.") }
    offset += 1
    guard byte == UInt8(ascii: "u") else { throw failure("Unknown escape.") }
    guard StringLiteral.fourDigits(bytes, at: offset) != nil else {
      throw failure("Expected four hexadecimal digits.")
    }
    offset += 4
    if replacesLoneSurrogates { return "\u{FFFD}" }
    throw failure("Lone surrogate.")
  }
}
