import GraphQLLanguage
import RelayStore

/// An element of a response's `errors`.
struct ExecutionError: Error {
  var message: String
  /// The source range in the document.
  var span: Span = .none
  /// The path in the response; `nil` for a request error.
  var path: ResponsePath?
  var extensions: JSONObject = [:]

  /// The error in the form of the GraphQL specification, section 7.1.7.
  func json(in workspace: Workspace) -> JSONValue {
    var members: JSONObject = ["message": .string(message)]
    if let location = workspace.location(of: span) {
      members["locations"] = [
        [
          "line": .number(JSONNumber(location.line)),
          "column": .number(JSONNumber(location.column)),
        ]
      ]
    }
    if let path { members["path"] = .array(path.components.map(\.json)) }
    if !extensions.isEmpty { members["extensions"] = .object(extensions) }
    return .object(members)
  }
}

extension ResponsePath.Component {
  /// The component in the form that responses use: a response key or an index.
  fileprivate var json: JSONValue {
    switch self {
    case .field(let name): .string(name)
    case .index(let index): .number(JSONNumber(index))
    }
  }
}

/// A request error: the reason why a request is not executed at all.
struct RequestFailure: Error {
  var errors: [ExecutionError]

  init(_ errors: [ExecutionError]) { self.errors = errors }

  init(_ message: String, at span: Span = .none) {
    errors = [ExecutionError(message: message, span: span)]
  }
}

extension Workspace {
  /// Returns a diagnostic with its source location, on one line.
  func text(of diagnostic: Diagnostic) -> String {
    guard let location = location(of: diagnostic.primarySpan) else { return diagnostic.message }
    return "\(location.path):\(location.line):\(location.column): \(diagnostic.message)"
  }
}
