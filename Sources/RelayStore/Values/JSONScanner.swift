/// Reads JSON from bytes, once from front to back, without building a tree.
///
/// Strict RFC 8259: no trailing commas, no comments, no leading zeros, valid UTF-8, no lone
/// surrogates. The caller drives it by what it expects next; ``skipValue()`` passes over the rest.
package struct JSONScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// Where the next byte is read.
  package private(set) var position: Int
  /// How deep arrays and objects may be nested in one value.
  package var depthLimit = 512

  package init(_ bytes: UnsafeBufferPointer<UInt8>, position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// Why the bytes are no JSON, and where.
  package struct Failure: Error, Equatable {
    package var reason: String
    package var offset: Int
  }

  /// Goes back, to read something again.
  package mutating func rewind(to position: Int) { self.position = position }

  /// What a value starts as.
  package enum Kind { case object, array, string, number, bool, null }

  package func failure(_ reason: String) -> Failure { Failure(reason: reason, offset: position) }

  // MARK: Structure

  /// The kind of the value that comes next; nothing of it is read.
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

  /// Enters an object or array.
  package mutating func open(_ kind: Kind) throws(Failure) {
    try expect(kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
  }

  /// Whether another member or element follows; reads the comma, or the end.
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

  /// A member's key, and the colon.
  package mutating func key() throws(Failure) -> String {
    let key = try string()
    try expect(UInt8(ascii: ":"))
    return key
  }

  /// Whether the next member's key is these bytes; if it is, it is read with the colon.
  package mutating func takeKey(_ expected: [UInt8]) throws(Failure) -> Bool {
    skipSpace()
    let end = position + expected.count + 1
    guard end < bytes.count, bytes[position] == UInt8(ascii: "\""), bytes[end] == UInt8(ascii: "\"")
    else { return false }
    let found = UnsafeBufferPointer(rebasing: bytes[position + 1..<end])
    guard expected.withUnsafeBufferPointer({ $0.hasSameBytes(as: found) }) else { return false }
    position = end + 1
    try expect(UInt8(ascii: ":"))
    return true
  }

  /// Nothing but white space may be left.
  package mutating func end() throws(Failure) {
    skipSpace()
    if position < bytes.count { throw failure("text after the value") }
  }

  private mutating func expect(_ byte: UInt8) throws(Failure) {
    skipSpace()
    guard position < bytes.count, bytes[position] == byte else {
      throw failure(
        position < bytes.count
          ? "expected \"\(Character(Unicode.Scalar(byte)))\"" : "unexpected end")
    }
    position += 1
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  // MARK: Scalars

  /// `true` or `false`.
  package mutating func bool() throws(Failure) -> Bool {
    if takeWord("true") { return true }
    if takeWord("false") { return false }
    throw failure("unexpected character")
  }

  /// `null`.
  package mutating func null() throws(Failure) {
    if !takeWord("null") { throw failure("unexpected character") }
  }

  private mutating func takeWord(_ word: StaticString) -> Bool {
    skipSpace()
    let count = word.utf8CodeUnitCount
    guard position + count <= bytes.count,
      word.withUTF8Buffer({ $0.elementsEqual(bytes[position..<position + count]) })
    else { return false }
    position += count
    return true
  }

  /// A number's digits.
  package mutating func number() throws(Failure) -> JSONNumber {
    JSONNumber(digits: String(decoding: bytes[try numberRange()], as: UTF8.self))
  }

  private mutating func numberRange() throws(Failure) -> Range<Int> {
    skipSpace()
    let start = position
    takeByte { $0 == UInt8(ascii: "-") }
    let first = position
    try digits()
    if bytes[first] == UInt8(ascii: "0"), position > first + 1 { throw failure("leading zero") }
    if takeByte({ $0 == UInt8(ascii: ".") }) { try digits() }
    if takeByte({ $0 | 0x20 == UInt8(ascii: "e") }) {
      takeByte { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
      try digits()
    }
    return start..<position
  }

  private mutating func digits() throws(Failure) {
    let start = position
    while takeByte({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) {}
    if start == position { throw failure("expected a digit") }
  }

  @discardableResult
  private mutating func takeByte(_ matches: (UInt8) -> Bool) -> Bool {
    guard position < bytes.count, matches(bytes[position]) else { return false }
    position += 1
    return true
  }

  /// A string without its quotes, escapes resolved.
  package mutating func string() throws(Failure) -> String {
    try expect(UInt8(ascii: "\""))
    let start = position
    var isASCII = true
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let content = UnsafeBufferPointer(rebasing: bytes[start..<position])
        if !isASCII { try validate(content, at: start) }
        position += 1
        return String(decoding: content, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
      if byte < 0x20 { throw failure("control character in a string") }
      if byte >= 0x80 { isASCII = false }
      position += 1
    }
    throw failure("unexpected end")
  }

  private func validate(_ content: UnsafeBufferPointer<UInt8>, at start: Int) throws(Failure) {
    var decoder = UTF8.ForwardParser()
    var iterator = content.makeIterator()
    while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid: continue
      case .emptyInput: return
      case .error: throw Failure(reason: "bytes that are not UTF-8", offset: start)
      }
    }
  }

  private mutating func escapedString(from start: Int) throws(Failure) -> String {
    var content = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      if byte < 0x20 { throw failure("control character in a string") }
      position += 1
      if byte == UInt8(ascii: "\"") {
        let failure = content.withUnsafeBufferPointer { buffer -> Failure? in
          do throws(Failure) { try validate(buffer, at: start) } catch { return error }
          return nil
        }
        if let failure { throw failure }
        return String(decoding: content, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        content.append(contentsOf: try escape())
      } else {
        content.append(byte)
      }
    }
    throw failure("unexpected end")
  }

  private mutating func escape() throws(Failure) -> [UInt8] {
    guard position < bytes.count else { throw failure("unexpected end") }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return Array(String(Character(try unicodeEscape())).utf8)
    default:
      position -= 1
      throw failure("unknown escape")
    }
  }

  private mutating func unicodeEscape() throws(Failure) -> Unicode.Scalar {
    let first = try hexUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, takeByte({ $0 == UInt8(ascii: "\\") }),
      takeByte({ $0 == UInt8(ascii: "u") })
    else { throw failure("lone surrogate") }
    let second = try hexUnit()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw failure("lone surrogate") }
    return scalar
  }

  private mutating func hexUnit() throws(Failure) -> UInt32 {
    guard position + 4 <= bytes.count else { throw failure("unexpected end") }
    var value: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("expected four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
    }
    position += 4
    return value
  }

  // MARK: Whole values

  /// The next value, whatever it is.
  package mutating func value() throws(Failure) -> JSONValue {
    var open: [Container] = []
    while true {
      var whole = try scalar()
      if whole == nil {
        let kind = try peekKind()
        try enter(kind, depth: open.count)
        open.append(Container(kind: kind))
      }
      while true {
        guard let last = open.indices.last else { return whole ?? .null }
        if let value = whole { open[last].append(value) }
        if try next(in: open[last].kind, isFirst: open[last].isEmpty) {
          if open[last].kind == .object { open[last].key = try key() }
          break
        }
        whole = open.removeLast().value
      }
    }
  }

  /// The next value when it is neither array nor object; else nothing is read.
  private mutating func scalar() throws(Failure) -> JSONValue? {
    switch try peekKind() {
    case .null:
      try null()
      return .null
    case .bool: return .bool(try bool())
    case .number: return .number(try number())
    case .string: return .string(try string())
    case .array, .object: return nil
    }
  }

  /// An array or object being read: no recursion, since its depth is the sender's choice.
  private struct Container {
    let kind: Kind
    var elements: [JSONValue] = []
    var members = JSONObject()
    /// The key of the member being read.
    var key = ""

    var isEmpty: Bool { elements.isEmpty && members.isEmpty }
    var value: JSONValue { kind == .array ? .array(elements) : .object(members) }

    init(kind: Kind) { self.kind = kind }

    mutating func append(_ value: JSONValue) {
      if kind == .array { elements.append(value) } else { members[key] = value }
    }
  }

  private mutating func enter(_ kind: Kind, depth: Int) throws(Failure) {
    if depth >= depthLimit { throw failure("nested deeper than \(depthLimit) levels") }
    try open(kind)
  }

  /// Passes over the next value, checking that it is JSON.
  package mutating func skipValue() throws(Failure) {
    var open: [Kind] = []
    repeat {
      switch try peekKind() {
      case .null: try null()
      case .bool: _ = try bool()
      case .number: _ = try numberRange()
      case .string: _ = try string()
      case .array:
        try enter(.array, depth: open.count)
        open.append(.array)
        if try next(in: .array, isFirst: true) { continue }
        open.removeLast()
      case .object:
        try enter(.object, depth: open.count)
        open.append(.object)
        if try next(in: .object, isFirst: true) {
          _ = try key()
          continue
        }
        open.removeLast()
      }
      while let kind = open.last {
        if try next(in: kind, isFirst: false) {
          if kind == .object { _ = try key() }
          break
        }
        open.removeLast()
      }
    } while !open.isEmpty
  }
}

extension JSONValue {
  /// The JSON value that the bytes are.
  ///
  /// - Throws: `JSONScanner.Failure` with the place when they are not one.
  package init(parsing bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int = 512)
    throws(JSONScanner.Failure)
  {
    var scanner = JSONScanner(bytes)
    scanner.depthLimit = depthLimit
    self = try scanner.value()
    try scanner.end()
  }

  /// The JSON value that the bytes are.
  ///
  /// - Throws: ``RelayError`` with code `response` that says where they are no JSON.
  public init(parsing bytes: [UInt8]) throws {
    do {
      self = try bytes.withUnsafeBufferPointer { try JSONValue(parsing: $0) }
    } catch let failure as JSONScanner.Failure {
      throw RelayError(.response, "Not JSON: \(failure.reason) at byte \(failure.offset).")
    }
  }
}
