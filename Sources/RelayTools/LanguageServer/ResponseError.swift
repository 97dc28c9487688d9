import GraphQLLanguage

/// An error response to a message.
struct ResponseError: Error, Equatable {
  /// The codes of JSON-RPC and of the Language Server Protocol.
  enum Code: Int {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case serverNotInitialized = -32002
    case requestCancelled = -32800
    case requestFailed = -32803
    /// From the Model Context Protocol.
    case unsupportedProtocolVersion = -32022
  }

  let code: Code
  let message: String
  /// The details of the error, for programs.
  let data: JSON?

  init(_ code: Code, _ message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// The error as a response member.
  var json: JSON {
    let json: JSON = ["code": .int(code.rawValue), "message": .string(message)]
    return data.map { json.adding("data", $0) } ?? json
  }
}
