import RelayStore

/// A message of a response that the server sends over time: a section of a multipart body, a
/// line, or an event of an event stream.
package enum StreamMessage: Sendable, Hashable {
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

/// The reason why no more messages of a response can be received.
enum StreamFailure: Error, Hashable {
  /// The response ended before the delimiter after its last message.
  case truncated
  /// A message has more bytes than the limit.
  case messageTooLong(byteLimit: Int)
  /// The header fields of a section, or the preamble, have more bytes than the limit.
  case headerTooLong(byteLimit: Int)
  /// The response has more bytes than the limit.
  case responseTooLong(byteLimit: Int)
  /// The response violates its format; the associated value follows "Response for … ".
  case malformed(String)

  /// The reason, as words that follow "Response for … ".
  var problem: String {
    switch self {
    case .truncated: "ended before its last message was complete"
    case .messageTooLong(let limit): "has a message of more than \(limit.counted("byte"))"
    case .headerTooLong(let limit): "has more than \(limit.counted("byte")) before a section's body"
    case .responseTooLong(let limit): "has more than \(limit.counted("byte"))"
    case .malformed(let problem): problem
    }
  }
}
