import RelayStore

/// An incremental parser of event streams.
///
/// It deviates from the standard in one case: an event with a name but without a `data` field is
/// delivered. GraphQL servers end an operation with the event `complete`, and some omit its data.
///
/// Source: HTML Living Standard, section 9.2.6, "Interpreting an event stream".
struct ServerSentEventParser: Sendable {
  /// The latest event ID, from which a client may ask the server to continue; empty when there is
  /// none.
  private(set) var lastEventID = ""
  /// The latest reconnection time set by the server, in milliseconds.
  private(set) var retry: Int?

  private let byteLimit: Int
  /// The bytes of the current line received so far.
  private var line: [UInt8] = []
  private var isFirstLine = true
  /// Whether the previous line ended with a carriage return. A line feed that follows is part of
  /// the same line break.
  private var skipsLineFeed = false

  private var name = ""
  private var data: [UInt8] = []
  private var hasData = false
  private var id = ""

  /// The number of bytes that a line may have in addition to its data: enough for the longest field
  /// name, the colon, a space and a byte order mark.
  private static let lineOverhead = 16

  /// Creates a parser at the start of a stream.
  ///
  /// - Parameter byteLimit: The maximum number of bytes of an event's data, and of a line.
  init(byteLimit: Int) { self.byteLimit = min(max(0, byteLimit), .max / 2) }

  /// Parses the next bytes.
  ///
  /// - Parameter deliver: Called with each event and heartbeat that `chunk` completes.
  /// - Throws: ``StreamFailure`` (the parser must not be used afterwards); any error thrown
  ///   by `deliver`.
  mutating func append(
    _ chunk: UnsafeRawBufferPointer, _ deliver: (StreamMessage) throws -> Void
  ) throws {
    var rest = chunk[...]
    while let first = rest.first {
      if skipsLineFeed {
        skipsLineFeed = false
        if first == UInt8(ascii: "\n") {
          rest.removeFirst()
          continue
        }
      }
      let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      let piece = rest[..<(end ?? rest.endIndex)]
      guard piece.count <= byteLimit + Self.lineOverhead - line.count else {
        throw StreamFailure.messageTooLong(byteLimit: byteLimit)
      }
      line.append(contentsOf: piece)
      guard let end else { return }
      skipsLineFeed = rest[end] == UInt8(ascii: "\r")
      rest = rest[(end + 1)...]
      try endLine(deliver)
    }
  }

  private mutating func endLine(_ deliver: (StreamMessage) throws -> Void) throws {
    defer { line.removeAll(keepingCapacity: line.capacity <= 1 << 16) }
    var text = line[...]
    if isFirstLine, text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    isFirstLine = false
    if text.isEmpty {
      if let event = endEvent() { try deliver(.event(event)) }
    } else if text.first == UInt8(ascii: ":") {
      try deliver(.heartbeat)
    } else {
      let field = text.prefix { $0 != UInt8(ascii: ":") }
      var value = text[field.endIndex...].dropFirst()
      if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
      try set(field, to: value)
    }
  }

  private mutating func set(_ field: ArraySlice<UInt8>, to value: ArraySlice<UInt8>) throws {
    switch String(decoding: field, as: UTF8.self) {
    case "event": name = String(decoding: value, as: UTF8.self)
    case "data":
      if hasData { data.append(UInt8(ascii: "\n")) }
      hasData = true
      data.append(contentsOf: value)
      if data.count > byteLimit { throw StreamFailure.messageTooLong(byteLimit: byteLimit) }
    case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    case "retry":
      if value.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
        retry = Int(String(decoding: value, as: UTF8.self)) ?? retry
      }
    default: break
    }
  }

  /// Ends an event at a blank line. Returns the event if it has data or a name.
  private mutating func endEvent() -> ServerSentEvent? {
    lastEventID = id
    defer { (name, data, hasData) = ("", [], false) }
    guard hasData || !name.isEmpty else { return nil }
    return ServerSentEvent(name: name, data: data, lastEventID: id, retry: retry)
  }
}
