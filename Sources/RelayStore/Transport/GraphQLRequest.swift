/// A request to execute an operation on a server.
public struct GraphQLRequest: Sendable {
  /// The operation's name.
  public var operationName: String
  /// The kind of the operation: query, mutation or subscription.
  public var kind: OperationKind
  /// The document to execute; empty if generated code contains only its ``id``.
  public var text: String
  /// The document's identifier on a server that persists operations: its SHA-256 hash in
  /// hexadecimal digits.
  public var id: String?
  /// Whether the document is sent. A server that has persisted it only needs its hash.
  public var includesText = true
  /// The values of the operation's variables as passed by the caller: an omitted variable is
  /// absent, an explicit null is null. A file is represented by null; see ``uploads``.
  public var variables: JSONObject
  /// The files in the variables.
  public var uploads: [VariableUpload] = []
  /// The `extensions` of the request: additional data agreed with the server.
  public var extensions: JSONObject = [:]
  /// The maximum number of bytes of the response, both as received and after content decoding.
  ///
  /// A transport stops receiving at the limit and throws ``RelayError`` with code `response`. An
  /// environment sets this property to the limit in its store's `responseLimits`.
  public var responseByteLimit = ResponseLimits().bytes
  /// Whether the document has `@defer` or `@stream`, so that the server may send the response in
  /// parts. An environment sends such a request with ``Transport/stream(_:_:)``, like a
  /// subscription.
  public var allowsIncrementalDelivery = false
  /// The header fields of this request.
  public var headers: [String: String] = [:]
  /// The context that the caller passed with the request.
  public var context = RequestContext()

  /// Creates a request without files, extensions or header fields.
  ///
  /// - Parameters:
  ///   - operationName: The name of the operation in `text`.
  ///   - kind: The kind of the operation.
  ///   - text: The document to execute.
  ///   - variables: The values of the operation's variables; an omitted variable is absent.
  public init(
    operationName: String, kind: OperationKind, text: String, variables: JSONObject = [:]
  ) {
    self.operationName = operationName
    self.kind = kind
    self.text = text
    self.variables = variables
  }

  /// The body of a GraphQL over HTTP request:
  /// `{"query":…,"operationName":…,"variables":{…},"extensions":{…}}`. For a persisted document,
  /// `"documentId":"sha256:…"` replaces `query`.
  ///
  /// Source: GraphQL over HTTP, appendix "Persisted Documents".
  public var httpBody: [UInt8] {
    var body = JSONObject()
    if includesText {
      body["query"] = .string(text)
    } else if let documentID {
      body["documentId"] = .string(documentID)
    }
    body["operationName"] = .string(operationName)
    if !variables.isEmpty { body["variables"] = .object(variables) }
    if !extensions.isEmpty { body["extensions"] = .object(extensions) }
    return JSONValue.object(body).jsonBytes
  }

  /// The document identifier to send; `nil` if the document itself is sent or the `persistedQuery`
  /// extension identifies it.
  package var documentID: String? {
    if includesText || extensions["persistedQuery"] != nil { return nil }
    return id.map { "sha256:" + $0 }
  }

  /// Returns this request with additional header fields. Existing fields take precedence.
  package func adding(headers added: [String: String]) -> GraphQLRequest {
    var request = self
    request.headers.merge(added) { own, _ in own }
    return request
  }
}
