import RelayStore

/// A part of a response that the server sends over time.
package enum ResponsePart: Sendable, Hashable {
  /// A GraphQL response, or an envelope around one: unparsed JSON in UTF-8.
  case payload([UInt8])
  /// An event of an event stream.
  case event(ServerSentEvent)
  /// A sign that the server is alive: a comment of an event stream, or the empty object `{}`
  /// instead of a payload.
  case heartbeat
}

/// An event of an event stream.
package struct ServerSentEvent: Sendable, Hashable {
  /// The value of the field `event`; empty when it is missing and `message` is implied.
  package var name: String
  /// The values of the `data` fields, joined by line feeds.
  package var data: [UInt8]
  /// The latest `id` value of this event or an earlier one; empty when there is none.
  var lastEventID: String
  /// The latest reconnection time set by a `retry` field, in milliseconds.
  var retry: Int?
}

/// The reason why no more parts of a response can be received.
enum ResponsePartFailure: Error, Hashable {
  /// The response ended before the delimiter after its last part.
  case truncated
  /// A part has more bytes than the limit.
  case partTooLong(byteLimit: Int)
  /// The header fields of a section, or the preamble, have more bytes than the limit.
  case headerTooLong(byteLimit: Int)
  /// The response has more bytes than the limit.
  case responseTooLong(byteLimit: Int)
  /// The response violates its format; the associated value follows "Response for … ".
  case malformed(String)

  /// The reason, as words that follow "Response for … ".
  var problem: String {
    switch self {
    case .truncated: "ended before its last part was complete"
    case .partTooLong(let limit): "has a part of more than \(limit.counted("byte"))"
    case .headerTooLong(let limit): "has more than \(limit.counted("byte")) before a part's body"
    case .responseTooLong(let limit): "has more than \(limit.counted("byte"))"
    case .malformed(let problem): problem
    }
  }
}
