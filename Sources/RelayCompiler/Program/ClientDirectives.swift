import GraphQLLanguage

/// The directives that address the compiler, not the server.
package enum ClientDirectives {
  /// The directives that the compiler recognizes but does not support yet.
  package static let unsupported: Set<String> = [
    "exec_time_resolvers", "ignoreThrowOnFieldError", "live_query", "match", "module", "no_inline",
    "preloadable", "stream_connection", "uncheckedArguments_DEPRECATED",
    "unmasked", "waterfall",
  ]

  /// The directives that the compiler implements itself and removes from the operation text.
  package static let supported: Set<String> = [
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
      return !ClientDirectives.supported.contains(name)
        && !ClientDirectives.unsupported.contains(name)
    }
  }
}

extension Directive {
  /// The value of the argument called `name`; `nil` without such an argument.
  func argument(_ name: String, in symbols: SymbolTable) -> Value? {
    arguments.first { symbols[$0.name.symbol] == name }?.value
  }
}
