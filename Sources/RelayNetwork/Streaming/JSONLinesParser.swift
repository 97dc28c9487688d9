import RelayStore

/// An incremental parser of lines that each contain a JSON value.
///
/// Lines end with LF or CRLF; blank lines are skipped.
struct JSONLinesParser: Sendable {
  private let byteLimit: Int
  /// The bytes of the current line received so far.
  private var line: [UInt8] = []

  /// Creates a parser at the start of a response.
  ///
  /// - Parameter byteLimit: The maximum number of bytes of a line, without its line break.
  init(byteLimit: Int) { self.byteLimit = min(max(0, byteLimit), .max / 2) }

  /// Parses the next bytes.
  ///
  /// - Parameter deliver: Called with each line that `chunk` completes.
  /// - Throws: ``StreamFailure`` (the parser must not be used afterwards); any error thrown
  ///   by `deliver`.
  mutating func append(
    _ chunk: UnsafeRawBufferPointer, _ deliver: ([UInt8]) throws -> Void
  ) throws {
    var rest = chunk[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      let piece = rest[..<(end ?? rest.endIndex)]
      // The byte beyond the limit may be a carriage return.
      guard piece.count <= byteLimit + 1 - line.count else {
        throw StreamFailure.messageTooLong(byteLimit: byteLimit)
      }
      line.append(contentsOf: piece)
      guard let end else { return }
      rest = rest[(end + 1)...]
      try finish(deliver)
    }
  }

  /// Delivers the current line, whether or not it ended with a line break.
  mutating func finish(_ deliver: ([UInt8]) throws -> Void) throws {
    defer { line = [] }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    if line.count > byteLimit { throw StreamFailure.messageTooLong(byteLimit: byteLimit) }
    if !line.isBlank { try deliver(line) }
  }
}

extension [UInt8] {
  /// Whether all bytes are JSON white space.
  var isBlank: Bool { allSatisfy(\.isJSONSpace) }
}

extension UInt8 {
  /// Whether this is white space between JSON tokens.
  package var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
