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
}

extension ExecutionError {
  /// Creates a field's error from a thrown error.
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

  /// Returns the error in the form of the GraphQL specification, section 7.1.7.
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

extension [ExecutionError] {
  /// Returns the value of a response's `errors`.
  func json(in workspace: Workspace) -> JSONValue { .array(map { $0.json(in: workspace) }) }
}

/// A request error: the reason why a request is not executed at all.
struct RequestFailure: Error {
  var errors: [ExecutionError]

  init(_ errors: [ExecutionError]) { self.errors = errors }

  init(_ message: String, at span: Span = .none) {
    errors = [ExecutionError(message: message, span: span)]
  }

  /// Returns the response of the request.
  func response(in workspace: Workspace) -> JSONValue { ["errors": errors.json(in: workspace)] }
}

extension SchemaServerFailure {
  /// Creates the failure of a schema from its diagnostics and their source locations.
  init(_ diagnostics: [Diagnostic], in workspace: Workspace) {
    problems = diagnostics.map { diagnostic in
      workspace.location(of: diagnostic.primarySpan).map { "\($0): \(diagnostic.message)" }
        ?? diagnostic.message
    }
  }
}
