import GraphQLLanguage

/// The directives that address the compiler. Any other directive is the server's, and is sent.
package enum ClientDirectives {
  /// The directives that the compiler recognizes but does not support yet.
  package static let unsupported: Set<String> = [
    "exec_time_resolvers", "ignoreThrowOnFieldError", "live_query", "match", "module", "no_inline",
    "preloadable", "stream_connection", "uncheckedArguments_DEPRECATED",
    "unmasked", "waterfall",
  ]

  /// Returns why the compiler refuses a directive; `nil` if it does not.
  package static func refusal(of name: String) -> String? {
    guard unsupported.contains(name) else { return nil }
    return name == "match" || name == "module"
      ? "\"@\(name)\" is not supported: Swift cannot load components by name. Spread the "
        + "fragments instead and look at \"asType\"."
      : "The compiler does not support \"@\(name)\" yet. Remove it."
  }

  /// Returns the values of an argument whose enum type is Relay's; `nil` for other arguments.
  package static func values(of argument: String, in directive: String) -> [String]? {
    switch (directive, argument) {
    case ("required", "action"): IR.RequiredAction.allCases.map(\.rawValue)
    case ("catch", "to"): IR.CatchTarget.allCases.map(\.rawValue)
    default: nil
    }
  }

  /// The directives that the compiler implements itself and removes from the operation text.
  package static let implemented: Set<String> = [
    "include", "skip", "alias", "appendEdge", "appendNode", "argumentDefinitions", "arguments",
    "assignable", "catch", "connection", "defer", "deleteEdge", "deleteRecord", "prependEdge",
    "prependNode", "refetchable", "stream",
    "dangerously_unaliased_fixme", "inline", "raw_response_type",
    "relay", "relay_test_operation", "required", "throwOnFieldError", "updatable",
  ]
}

extension Schema {
  /// The directives to send to the server: all but the compiler's own.
  func serverDirectives(_ directives: [Directive]) -> [Directive] {
    directives.filter { directive in
      let name = symbols[directive.name.symbol]
      return !ClientDirectives.implemented.contains(name)
        && !ClientDirectives.unsupported.contains(name)
    }
  }
}

extension Directive {
  /// The value of the argument called `name`; `nil` without such an argument.
  package func argument(_ name: String, in symbols: SymbolTable) -> Value? {
    arguments.first { symbols[$0.name.symbol] == name }?.value
  }

  /// Returns the text of a string argument of the directive.
  func text(_ name: String, in symbols: SymbolTable) -> String? {
    guard case .string(let text, _) = argument(name, in: symbols)?.kind else { return nil }
    return text
  }
}
