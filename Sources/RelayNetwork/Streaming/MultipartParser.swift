import RelayStore

/// An incremental parser of `multipart/mixed` responses.
///
/// A section with a JSON object is delivered at the closing bracket, because many servers send the
/// following delimiter only with the next section. Any other section is delivered at its delimiter.
/// The `Content-Length` field of a section is unreliable and not needed, so it is ignored.
///
/// Lines may end with LF instead of CRLF. The boundary counts only at the start of a line, where it
/// cannot be inside a JSON string.
///
/// Source: RFC 2046, section 5.1.
struct MultipartParser: Sendable {
  private enum State {
    /// Before the first delimiter.
    case preamble
    /// After the boundary of a delimiter, on the same line.
    case delimiter
    case header
    case body
    /// After a body that was delivered before its delimiter.
    case padding
    /// After the closing delimiter.
    case epilogue
  }

  private let byteLimit: Int
  private let headerByteLimit: Int
  private var state = State.preamble
  private var boundary: LineStart
  /// The part of a header line received until now; in the `delimiter` state, the last byte.
  private var line: [UInt8] = []
  /// The number of bytes of the preamble or the header fields.
  private var headerSize = 0
  private var body: [UInt8] = []
  private var objectEnd = JSONObjectEnd()

  /// Creates a parser at the start of a response.
  ///
  /// - Parameters:
  ///   - boundary: The `boundary` parameter of the media type.
  ///   - byteLimit: The maximum number of bytes of a section's body.
  ///   - headerByteLimit: The maximum number of bytes of a section's header fields, and of the
  ///     preamble.
  /// - Throws: ``StreamFailure`` for an invalid boundary.
  init(boundary: String, byteLimit: Int, headerByteLimit: Int) throws {
    let bytes = Array(boundary.utf8)
    guard (1...70).contains(bytes.count), bytes.allSatisfy({ 0x20...0x7E ~= $0 }),
      bytes.last != 0x20
    else { throw StreamFailure.malformed("has an invalid boundary between its sections") }
    self.boundary = LineStart(of: Array("--".utf8) + bytes)
    self.byteLimit = min(max(0, byteLimit), .max / 2)
    self.headerByteLimit = max(0, headerByteLimit)
  }

  /// Whether the closing delimiter was received. Bytes after it are ignored.
  var isComplete: Bool { state == .epilogue }

  /// Parses the next bytes.
  ///
  /// - Parameter deliver: Called with the body of each section that `chunk` completes.
  /// - Throws: ``StreamFailure`` (the parser must not be used afterwards); any error thrown
  ///   by `deliver`.
  mutating func append(
    _ chunk: UnsafeRawBufferPointer, _ deliver: ([UInt8]) throws -> Void
  ) throws {
    var rest = chunk[...]
    while let byte = rest.first {
      switch state {
      case .epilogue: return
      case .body: try readBody(&rest, deliver)
      case .preamble, .delimiter, .header, .padding:
        rest.removeFirst()
        try read(byte)
      }
    }
  }

  /// Ends the response.
  ///
  /// - Throws: ``StreamFailure/truncated`` when the closing delimiter is missing.
  func finish() throws {
    if !isComplete { throw StreamFailure.truncated }
  }

  private mutating func read(_ byte: UInt8) throws {
    switch state {
    case .preamble:
      try countHeaderByte()
      if boundary.ends(with: byte) { state = .delimiter }
    case .delimiter: try readDelimiter(byte)
    case .header: try readHeader(byte)
    case .padding: try readPadding(byte)
    case .body, .epilogue: break
    }
  }

  private mutating func readPadding(_ byte: UInt8) throws {
    let wasMatching = boundary.isMatching
    if boundary.ends(with: byte) {
      state = .delimiter
    } else if !boundary.isMatching, wasMatching || !byte.isJSONSpace {
      throw StreamFailure.malformed("has data after the JSON of a section")
    }
  }

  /// Reads the rest of a delimiter line: two hyphens for the closing delimiter, white space
  /// otherwise.
  private mutating func readDelimiter(_ byte: UInt8) throws {
    switch (line.first, byte) {
    case (nil, UInt8(ascii: "-")): line = [byte]
    case (UInt8(ascii: "-"), UInt8(ascii: "-")): (state, line) = (.epilogue, [])
    case (UInt8(ascii: "-"), _):
      throw StreamFailure.malformed("has data after a boundary between its sections")
    case (_, UInt8(ascii: "\n")):
      boundary.beginLine()
      (state, line, headerSize) = (.header, [], 0)
    case (_, _) where byte.isJSONSpace: line = [byte]
    default: throw StreamFailure.malformed("has data after a boundary between its sections")
    }
  }

  private mutating func readHeader(_ byte: UInt8) throws {
    try countHeaderByte()
    if boundary.ends(with: byte) {
      // A section without a body.
      (state, line) = (.delimiter, [])
      return
    }
    guard byte == UInt8(ascii: "\n") else { return line.append(byte) }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    if line.isEmpty {
      (state, body, objectEnd) = (.body, [], JSONObjectEnd())
    } else {
      try check(field: line)
    }
    line = []
  }

  private mutating func countHeaderByte() throws {
    headerSize += 1
    if headerSize > headerByteLimit {
      throw StreamFailure.headerTooLong(byteLimit: headerByteLimit)
    }
  }

  /// Checks a header line, rejecting a section that is not JSON.
  private func check(field line: [UInt8]) throws {
    // A continuation of the previous line.
    if line.first == 0x20 || line.first == 0x09 { return }
    let text = String(decoding: line, as: UTF8.self)
    let name = text.prefix { $0 != ":" }
    guard name.endIndex < text.endIndex, !name.isEmpty,
      name.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") })
    else { throw StreamFailure.malformed("has a section with an invalid header field") }
    guard name.lowercased() == "content-type" else { return }
    if MediaType(text[text.index(after: name.endIndex)...])?.isJSON != true {
      throw StreamFailure.malformed("has a section that is not JSON")
    }
  }

  /// Reads the body of a section up to its end or the end of `rest`.
  private mutating func readBody(
    _ rest: inout Slice<UnsafeRawBufferPointer>, _ deliver: ([UInt8]) throws -> Void
  ) throws {
    let start = rest.startIndex
    let bytes = rest.base
    for index in rest.indices {
      let byte = bytes[index]
      let isDelimiter = boundary.ends(with: byte)
      // No JSON has two hyphens at the start of a line.
      let isObject = objectEnd.advance(byte) && !boundary.isMatching
      guard isDelimiter || isObject else { continue }
      try appendToBody(bytes[start...index])
      rest = bytes[(index + 1)...]
      if isDelimiter { dropDelimiter() }
      state = isDelimiter ? .delimiter : .padding
      return try deliverBody(deliver)
    }
    try appendToBody(rest)
    rest = bytes[bytes.endIndex...]
  }

  /// Appends bytes, leaving room for the delimiter and the line break before it.
  private mutating func appendToBody(_ bytes: Slice<UnsafeRawBufferPointer>) throws {
    guard bytes.count <= byteLimit + boundary.delimiter.count + 2 - body.count else {
      throw StreamFailure.messageTooLong(byteLimit: byteLimit)
    }
    body.append(contentsOf: bytes)
  }

  /// Removes the delimiter and its preceding line break from the end of the body.
  private mutating func dropDelimiter() {
    body.removeLast(boundary.delimiter.count)
    if body.last == UInt8(ascii: "\n") { body.removeLast() }
    if body.last == UInt8(ascii: "\r") { body.removeLast() }
  }

  private mutating func deliverBody(_ deliver: ([UInt8]) throws -> Void) throws {
    defer { body = [] }
    if body.count > byteLimit { throw StreamFailure.messageTooLong(byteLimit: byteLimit) }
    if !body.isBlank { try deliver(body) }
  }
}

/// A matcher of a delimiter at the start of a line.
private struct LineStart: Sendable {
  let delimiter: [UInt8]
  /// The number of matching bytes in the current line; `nil` after a mismatch.
  private var count: Int? = 0

  /// - Parameter delimiter: Bytes without line feeds, not empty.
  init(of delimiter: [UInt8]) { self.delimiter = delimiter }

  /// Whether the current line is a non-empty prefix of the delimiter.
  var isMatching: Bool { count.map { $0 > 0 } ?? false }

  mutating func beginLine() { count = 0 }

  /// Reads the next byte. Returns whether it completes the delimiter.
  mutating func ends(with byte: UInt8) -> Bool {
    if byte == UInt8(ascii: "\n") {
      count = 0
      return false
    }
    guard let count else { return false }
    guard byte == delimiter[count] else {
      self.count = nil
      return false
    }
    let isWhole = count + 1 == delimiter.count
    self.count = isWhole ? nil : count + 1
    return isWhole
  }
}
