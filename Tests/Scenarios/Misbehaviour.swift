import RelayStore

/// The ways a server can fail to send a valid response, named after the Python server's routes.
enum Misbehaviour: String, CaseIterable {
  case status500 = "status-500"
  case status404 = "status-404"
  case status401 = "status-401-json"
  case notJSON = "not-json"
  case htmlAsJSON = "html-as-json"
  case truncated = "truncated-json"
  case notUTF8 = "not-utf8"
  case array = "json-array"
  case noData = "no-data"
  case dataIsAList = "data-is-a-list"
  case objectIsAString = "object-is-a-string"
  case scalarIsAnObject = "scalar-is-an-object"
  case nullDataWithErrors = "null-data-with-errors"
  case emptyBody = "empty-body"
  case droppedConnection = "dropped-connection"

  /// The expected code of the error that a fetch of the viewer throws.
  var code: RelayError.Code {
    switch self {
    case .status500, .status404, .status401, .droppedConnection: .transport
    case .nullDataWithErrors: .graphQL
    default: .response
    }
  }

  /// The bytes of the body, for the in-process server; `nil` without a response.
  var body: [UInt8]? {
    switch self {
    case .status500, .status404, .status401, .droppedConnection: nil
    case .notJSON, .htmlAsJSON: Array("<html>Welcome!</html>".utf8)
    case .truncated: Array(#"{"data": {"viewer": {"id": "VX"#.utf8)
    case .notUTF8: Array(#"{"data": {"viewer": ""#.utf8) + [0xFF, 0xFE] + Array("\"}}".utf8)
    case .array: Array("[1,2,3]".utf8)
    case .noData: Array(#"{"message":"no data here"}"#.utf8)
    case .dataIsAList: Array(#"{"data":[1,2,3]}"#.utf8)
    case .objectIsAString: Array(#"{"data":{"viewer":"Ada","task":"Task"}}"#.utf8)
    case .scalarIsAnObject:
      Array(
        #"{"data":{"viewer":{"__typename":"User","id":"VXNlcjox","name":{"first":"Ada"}}}}"#.utf8)
    case .nullDataWithErrors:
      Array(
        #"{"data":null,"errors":[{"message":"The database is asleep.","path":["viewer"]}]}"#.utf8)
    case .emptyBody: []
    }
  }
}

/// A transport that responds to every request with a misbehaviour.
struct MisbehavingTransport: Transport {
  let misbehaviour: Misbehaviour

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    guard let body = misbehaviour.body else {
      throw RelayError(.transport, "There was no response: \(misbehaviour.rawValue).")
    }
    return GraphQLResponse(body: body)
  }
}
