import GraphQLLanguage

/// The directives of Apollo iOS that its code generator alone understands.
enum ApolloDirectives {
  static let localCacheMutation = "apollo_client_ios_localCacheMutation"
  static let `import` = "import"
  static let typePolicy = "typePolicy"
  static let fieldPolicy = "fieldPolicy"
  static let nonnull = "nonnull"
  static let connection = "connection"

  /// The directives whose definitions are not passed on: Apollo's own, and those that are replaced
  /// by RelayStore's.
  static let dropped: Set<String> = [
    localCacheMutation, `import`, typePolicy, fieldPolicy, nonnull, connection,
  ]
}

extension [Directive] {
  /// Returns the directives with a name.
  func named(_ name: String, in symbols: SymbolTable) -> [Directive] {
    filter { symbols[$0.name.symbol] == name }
  }
}

extension Directive {
  /// Returns the text of a string argument; `nil` if there is none.
  func string(_ name: String, in symbols: SymbolTable) -> String? {
    if case .string(let text, _)? = argument(name, in: symbols)?.kind { text } else { nil }
  }
}
