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

  init(
    message: String, span: Span = .none, path: ResponsePath? = nil, extensions: JSONObject = [:]
  ) {
    self.message = message
    self.span = span
    self.path = path
    self.extensions = extensions
  }

  /// Creates the error of a field from what was thrown.
  init(_ error: any Error, at span: Span, path: ResponsePath?) {
    switch error {
    case let error as GraphQLError:
      self.init(message: error.message, extensions: error.extensions)
    case let error as CoercionFailure: self.init(message: error.message)
    default: self.init(message: "\(error)")
    }
    self.span = span
    self.path = path
  }

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
    if let path { members["path"] = path.json }
    if !extensions.isEmpty { members["extensions"] = .object(extensions) }
    return .object(members)
  }
}

extension ResponsePath {
  /// The path in the form that responses use: an array of response keys and indices.
  var json: JSONValue { .array(components.map(\.json)) }
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

  /// The response of the request.
  func response(in workspace: Workspace) -> JSONValue {
    ["errors": .array(errors.map { $0.json(in: workspace) })]
  }
}

extension Workspace {
  /// Returns a diagnostic with its source location, on one line.
  func text(of diagnostic: Diagnostic) -> String {
    guard let location = location(of: diagnostic.primarySpan) else { return diagnostic.message }
    return "\(location): \(diagnostic.message)"
  }
}
