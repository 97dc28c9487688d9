import GraphQLLanguage

/// The directives addressed to the compiler. Any other directive is for the server and is sent.
package enum ClientDirectives {
  /// The directives that the compiler recognizes but does not support yet.
  package static let unsupported: Set<String> = [
    "exec_time_resolvers", "ignoreThrowOnFieldError", "live_query", "match", "module", "no_inline",
    "preloadable", "stream_connection", "uncheckedArguments_DEPRECATED",
    "unmasked", "waterfall",
  ]

  /// Returns the error message for an unsupported directive; `nil` for others.
  package static func refusal(of name: String) -> String? {
    guard unsupported.contains(name) else { return nil }
    return name == "match" || name == "module"
      ? "\"@\(name)\" is not supported: Swift cannot load components by name. Spread the "
        + "fragments instead and look at \"asType\"."
      : "The compiler does not support \"@\(name)\" yet. Remove it."
  }

  /// Returns the values allowed for an argument whose type is one of Relay's enums; `nil` for other
  /// arguments.
  package static func values(of argument: String, in directive: String) -> [String]? {
    switch (directive, argument) {
    case ("required", "action"): IR.RequiredAction.allCases.map(\.rawValue)
    case ("catch", "to"): IR.CatchTarget.allCases.map(\.rawValue)
    default: nil
    }
  }

  /// The directives that the compiler implements and removes from the operation text.
  package static let implemented: Set<String> = [
    "include", "skip", "alias", "appendEdge", "appendNode", "argumentDefinitions", "arguments",
    "assignable", "catch", "connection", "defer", "deleteEdge", "deleteRecord", "prependEdge",
    "prependNode", "refetchable", "stream",
    "dangerously_unaliased_fixme", "inline", "raw_response_type",
    "relay", "relay_test_operation", "required", "throwOnFieldError", "updatable",
  ]
}

extension Schema {
  /// Returns the directives to send to the server: all except the compiler's own.
  func serverDirectives(_ directives: [Directive]) -> [Directive] {
    directives.filter { directive in
      let name = symbols[directive.name.symbol]
      return !ClientDirectives.implemented.contains(name)
        && !ClientDirectives.unsupported.contains(name)
    }
  }
}

extension Directive {
  /// Returns the value of the argument named `name`; `nil` if it is missing.
  package func argument(_ name: String, in symbols: SymbolTable) -> Value? {
    arguments.first { symbols[$0.name.symbol] == name }?.value
  }

  /// Returns the value of a string argument of the directive.
  func text(_ name: String, in symbols: SymbolTable) -> String? {
    guard case .string(let text, _) = argument(name, in: symbols)?.kind else { return nil }
    return text
  }
}
