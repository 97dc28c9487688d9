import GraphQLLanguage

/// The directives that are for the compiler and not for the server.
package enum ClientDirectives {
  /// Those the compiler knows by name and does not support yet.
  package static let unsupported: Set<String> = [
    "alias", "appendEdge", "appendNode", "assignable", "catch", "connection", "defer", "deleteEdge",
    "deleteRecord", "inline", "match", "module",
    "no_inline", "prependEdge", "prependNode", "preloadable", "raw_response_type", "refetchable",
    "relay", "relay_test_operation", "required", "stream", "stream_connection",
    "throwOnFieldError", "uncheckedArguments_DEPRECATED", "unmasked", "updatable", "waterfall",
  ]

  /// Those the compiler takes out of what is sent, because it does what they say.
  package static let supported: Set<String> = [
    "include", "skip", "argumentDefinitions", "arguments",
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
