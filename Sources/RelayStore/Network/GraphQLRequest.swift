/// One operation on its way to a server.
public struct GraphQLRequest: Sendable {
  /// The operation's name.
  public var operationName: String
  /// Whether it reads, changes or subscribes.
  public var kind: OperationKind
  /// The document to execute; empty where generated code has only its ``id``.
  public var text: String
  /// What a server that persists operations knows the document by: the SHA-256 of its text in
  /// hexadecimal digits.
  public var id: String?
  /// Whether the document is sent; a server that knows it by its hash needs only that.
  public var includesText = true
  /// The values of the operation's variables, as the caller gave them: what was left out is
  /// absent, an explicit null is null. Null stands where a file belongs.
  public var variables: JSONObject
  /// The files among the variables.
  public var uploads: [UploadPart] = []
  /// What is sent beside the operation, by agreement with the server.
  public var extensions: JSONObject = [:]
  /// The most bytes of the response, decoded or as they are sent: a transport receives no more, and throws
  /// ``RelayError`` with code `response`. An environment sets it to its store's `responseLimits`.
  public var responseByteLimit = ResponseLimits().bytes
  /// Header fields for this request.
  public var headers: [String: String] = [:]
  /// What the caller handed along.
  public var context = RequestContext()

  public init(
    operationName: String, kind: OperationKind, text: String, variables: JSONObject = [:]
  ) {
    self.operationName = operationName
    self.kind = kind
    self.text = text
    self.variables = variables
  }

  /// The request as GraphQL over HTTP sends it:
  /// `{"query":…,"operationName":…,"variables":{…},"extensions":{…}}`, a persisted one with
  /// `"documentId":"sha256:…"` in place of the query.
  ///
  /// Source: GraphQL over HTTP, appendix "Persisted Documents".
  public var httpBody: [UInt8] {
    var writer = JSONWriter()
    writer.raw("{")
    if includesText {
      writer.key("query")
      writer.string(text)
      writer.raw(",")
    } else if let documentID {
      writer.key("documentId")
      writer.string(documentID)
      writer.raw(",")
    }
    writer.key("operationName")
    writer.string(operationName)
    if !variables.isEmpty {
      writer.raw(",")
      writer.key("variables")
      writer.write(variables)
    }
    if !extensions.isEmpty {
      writer.raw(",")
      writer.key("extensions")
      writer.write(extensions)
    }
    writer.raw("}")
    return writer.bytes
  }

  /// The id as it is sent where nothing else names the document.
  var documentID: String? {
    if includesText || extensions["persistedQuery"] != nil { return nil }
    return id.map { "sha256:" + $0 }
  }

  /// This request with header fields; those that it has stay.
  func adding(headers added: [String: String]) -> GraphQLRequest {
    var request = self
    request.headers.merge(added) { own, _ in own }
    return request
  }
}
