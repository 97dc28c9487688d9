import RelayNetwork
import RelayStore

/// A `graphql-transport-ws` message that this client sends.
enum WebSocketClientMessage: Sendable {
  case initialization(JSONObject?)
  /// Starts an operation. The payload is the body of its GraphQL over HTTP request.
  case subscribe(WebSocketOperationID, GraphQLRequest)
  case complete(WebSocketOperationID)
  case ping
  /// Responds to a `ping`, with its JSON payload.
  case pong([UInt8]?)

  /// The message in JSON.
  var bytes: [UInt8] {
    switch self {
    case .initialization(nil): Array(#"{"type":"connection_init"}"#.utf8)
    case .initialization(let parameters?):
      Self.object("connection_init", payload: JSONValue.object(parameters).jsonBytes)
    case .subscribe(let id, let request):
      Self.object("subscribe", id: id, payload: request.httpBody)
    case .complete(let id): Self.object("complete", id: id)
    case .ping: Self.object("ping")
    case .pong(let payload): Self.object("pong", payload: payload)
    }
  }

  private static func object(
    _ type: String, id: WebSocketOperationID? = nil, payload: [UInt8]? = nil
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64 + (payload?.count ?? 0))
    bytes += "{".utf8
    if let id { bytes += "\"id\":\"\(id.rawValue)\",".utf8 }
    bytes += "\"type\":\"\(type)\"".utf8
    if let payload {
      bytes += ",\"payload\":".utf8
      bytes += payload
    }
    bytes += "}".utf8
    return bytes
  }
}
