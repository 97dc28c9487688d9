import RelayStore

/// A part of a response that the server sends over time.
package enum ResponsePart: Sendable, Hashable {
  /// A GraphQL response, or an envelope around one: JSON in UTF-8, not parsed yet.
  case payload([UInt8])
  /// An event of an event stream.
  case event(ServerSentEvent)
  /// A sign that the server is alive: a comment of an event stream, or the empty object `{}` in
  /// place of a payload.
  case heartbeat
}

/// An event of an event stream.
package struct ServerSentEvent: Sendable, Hashable {
  /// The value of the field `event`; empty when there is none, which stands for `message`.
  package var name: String
  /// The values of the fields `data`, joined by line feeds.
  package var data: [UInt8]
  /// The newest value of a field `id`, of this event or an earlier one; empty when there is none.
  var lastEventID: String
  /// The newest reconnection time that a field `retry` sets, in milliseconds.
  var retry: Int?
}

/// The reason why no more parts of a response can be received.
enum ResponsePartFailure: Error, Hashable {
  /// The response ended before the delimiter after its last part.
  case truncated
  /// A part has more bytes than the limit.
  case partTooLong(byteLimit: Int)
  /// The header fields of a part, or the text before the first part, have more bytes than the limit.
  case headerTooLong(byteLimit: Int)
  /// The response has more bytes than the limit.
  case responseTooLong(byteLimit: Int)
  /// The response violates its format; the words follow "Response for … ".
  case malformed(String)

  /// The reason in words that follow "Response for … ".
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
