import GraphQLLanguage

/// The directives that are for the compiler and not for the server.
package enum ClientDirectives {
  /// Those the compiler knows by name and does not support yet.
  package static let unsupported: Set<String> = [
    "exec_time_resolvers", "ignoreThrowOnFieldError", "live_query", "match", "module", "no_inline",
    "preloadable", "stream_connection", "uncheckedArguments_DEPRECATED",
    "unmasked", "waterfall",
  ]

  /// Those the compiler takes out of what is sent, because it does what they say.
  package static let supported: Set<String> = [
    "include", "skip", "alias", "appendEdge", "appendNode", "argumentDefinitions", "arguments",
    "assignable", "catch", "connection", "defer", "deleteEdge", "deleteRecord", "prependEdge",
    "prependNode", "refetchable", "stream",
    "dangerously_unaliased_fixme", "inline", "raw_response_type",
    "relay", "relay_test_operation", "required", "throwOnFieldError", "updatable",
  ]
}

extension Schema {
  /// The directives among these that the schema defines for the server.
  func serverDirectives(_ directives: [Directive]) -> [Directive] {
    directives.filter { directive in
      let name = symbols[directive.name.symbol]
      return !ClientDirectives.supported.contains(name)
        && !ClientDirectives.unsupported.contains(name)
    }
  }
}

extension Directive {
  /// The value of an argument.
  func argument(_ name: String, in symbols: SymbolTable) -> Value? {
    arguments.first { symbols[$0.name.symbol] == name }?.value
  }
}
