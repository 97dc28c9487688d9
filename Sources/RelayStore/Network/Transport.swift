/// Carries one operation to a GraphQL server and brings its response back.
///
/// A transport answers any number of requests at once. It throws ``RelayError`` with code
/// ``RelayError/Code/transport`` when there is no response; a response that reports errors is
/// returned like any other, because it may still carry data. When the calling task is cancelled
/// it stops and throws `CancellationError`.
public protocol Transport: Sendable {
  /// Sends the request and waits for its response.
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse
}

/// One operation on its way to a server.
public struct GraphQLRequest: Sendable {
  /// The operation's name.
  public var operationName: String
  /// Whether it reads, changes or subscribes.
  public var kind: OperationKind
  /// The document to execute.
  public var text: String
  /// The values of the operation's variables, as the caller gave them: what was left out is
  /// absent, an explicit null is null.
  public var variables: JSONObject

  public init(
    operationName: String, kind: OperationKind, text: String, variables: JSONObject = [:]
  ) {
    self.operationName = operationName
    self.kind = kind
    self.text = text
    self.variables = variables
  }

  /// The request as GraphQL over HTTP sends it: `{"query":…,"operationName":…,"variables":{…}}`.
  public var httpBody: [UInt8] {
    var writer = JSONWriter()
    writer.raw("{")
    writer.key("query")
    writer.string(text)
    writer.raw(",")
    writer.key("operationName")
    writer.string(operationName)
    if !variables.isEmpty {
      writer.raw(",")
      writer.key("variables")
      writer.write(variables)
    }
    writer.raw("}")
    return writer.bytes
  }
}

/// What a server answered.
public struct GraphQLResponse: Sendable {
  /// The response, JSON in UTF-8: an object with `data`, `errors` or both.
  public var body: [UInt8]

  public init(body: [UInt8]) { self.body = body }

  /// A response from a JSON value, for transports that run in this process.
  public init(json: JSONValue) { body = json.jsonBytes }
}
