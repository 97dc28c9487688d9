#if !FUZZING
  @testable import RelayNetwork
  @testable import RelayStore
#endif

/// Parsers for complete responses that violate neither their format nor a limit. They are short,
/// and written independently of the parsers that read a response in pieces.
enum WholeResponse {
  static func parts(of bytes: [UInt8], contentType: String) -> [StreamMessage] {
    switch MediaType(contentType)?.essence {
    case "text/event-stream": events(in: bytes)
    case "multipart/mixed":
      bodies(in: bytes, boundary: MediaType(contentType)?.parameters["boundary"] ?? "-")
    case "application/jsonl", "application/x-ndjson":
      bytes.split(separator: 0x0A).compactMap { payload($0, trims: false) }
    default: bytes.isBlank ? [] : [.payload(bytes)]
    }
  }

  private static func payload(_ bytes: ArraySlice<UInt8>, trims: Bool) -> StreamMessage? {
    var bytes = bytes
    if trims {
      while bytes.last?.isJSONSpace == true { bytes.removeLast() }
    } else if bytes.last == 0x0D {
      bytes.removeLast()
    }
    if Array(bytes).isBlank { return nil }
    let text = bytes.filter { !$0.isJSONSpace }
    return text.elementsEqual("{}".utf8) ? .heartbeat : .payload(Array(bytes))
  }

  private static func events(in bytes: [UInt8]) -> [StreamMessage] {
    // A line break after the last line would end it; without one, it does not count as a line.
    var text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    text = text.replacing([0x0D, 0x0A], with: [0x0A]).replacing([0x0D], with: [0x0A])
    var parts: [StreamMessage] = []
    var (event, values) = (ServerSentEvent(name: "", data: [], lastEventID: ""), [[UInt8]]())
    for line in text.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
      guard let first = line.first else {
        event.data = Array(values.joined(separator: [0x0A]))
        if !values.isEmpty || !event.name.isEmpty { parts.append(.event(event)) }
        (event.name, values) = ("", [])
        continue
      }
      if first == UInt8(ascii: ":") {
        parts.append(.heartbeat)
        continue
      }
      let field = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      var value = field.count == 2 ? field[1] : []
      if value.first == 0x20 { value.removeFirst() }
      let string = String(decoding: value, as: UTF8.self)
      switch String(decoding: field.first ?? [], as: UTF8.self) {
      case "event": event.name = string
      case "data": values.append(Array(value))
      case "id": if !value.contains(0) { event.lastEventID = string }
      case "retry":
        if string.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
          event.retry = Int(string) ?? event.retry
        }
      default: break
      }
    }
    return parts
  }

  private static func bodies(in bytes: [UInt8], boundary: String) -> [StreamMessage] {
    let delimiter = Array("--\(boundary)".utf8)
    var parts: [StreamMessage] = []
    var lines: [ArraySlice<UInt8>]?
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      guard line.starts(with: delimiter) else {
        lines?.append(line)
        continue
      }
      if let lines { body(of: lines).map { parts.append($0) } }
      lines = []
      if line.dropFirst(delimiter.count).starts(with: "--".utf8) { break }
    }
    return parts
  }

  private static func body(of lines: [ArraySlice<UInt8>]) -> StreamMessage? {
    guard let end = lines.firstIndex(where: { $0.isEmpty || $0 == [0x0D] }) else { return nil }
    var body = Array(lines[(end + 1)...].joined(separator: [0x0A]))[...]
    // The line break before the delimiter belongs to it.
    if body.last == 0x0D { body.removeLast() }
    let isObject = body.first { !$0.isJSONSpace } == UInt8(ascii: "{")
    return payload(body + (isObject ? [] : [0x0D]), trims: isObject)
  }
}
