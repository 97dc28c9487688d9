import GraphQLLanguage
import RelayStore

/// One element of a response's `errors`.
struct ExecutionError: Error {
  var message: String
  /// Where in the document.
  var span: Span = .none
  /// Where in the response; `nil` for an error of the whole request.
  var path: ResponsePath?
  var extensions: JSONObject = [:]

  /// The error as section 7.1.7 of the specification describes it.
  func json(in workspace: Workspace) -> JSONValue {
    var members: JSONObject = ["message": .string(message)]
    if let place = workspace.location(of: span) {
      members["locations"] = [
        ["line": .number(JSONNumber(place.line)), "column": .number(JSONNumber(place.column))]
      ]
    }
    if let path { members["path"] = .array(path.components.map(\.json)) }
    if !extensions.isEmpty { members["extensions"] = .object(extensions) }
    return .object(members)
  }
}

extension ResponsePath.Component {
  /// The component as responses write it: a name or a number.
  fileprivate var json: JSONValue {
    switch self {
    case .field(let name): .string(name)
    case .index(let index): .number(JSONNumber(index))
    }
  }
}

/// Why a request is not executed at all: a request error of the specification.
struct RequestFailure: Error {
  var errors: [ExecutionError]

  init(_ errors: [ExecutionError]) { self.errors = errors }

  init(_ message: String, at span: Span = .none) {
    errors = [ExecutionError(message: message, span: span)]
  }
}

extension Workspace {
  /// A diagnostic with its place, on one line.
  func text(of diagnostic: Diagnostic) -> String {
    guard let place = location(of: diagnostic.primary) else { return diagnostic.message }
    return "\(place.path):\(place.line):\(place.column): \(diagnostic.message)"
  }
}
