import GraphQLLanguage

/// The Apollo iOS directives that only its code generator understands.
enum ApolloDirectives {
  static let localCacheMutation = "apollo_client_ios_localCacheMutation"
  static let `import` = "import"
  static let typePolicy = "typePolicy"
  static let fieldPolicy = "fieldPolicy"
  static let nonnull = "nonnull"
  static let connection = "connection"

  /// The directives whose definitions are dropped: Apollo's own, and those that RelayStore's
  /// directives replace.
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
  /// Returns the value of a string argument; `nil` if it is missing.
  func string(_ name: String, in symbols: SymbolTable) -> String? {
    if case .string(let text, _)? = argument(name, in: symbols)?.kind { text } else { nil }
  }
}
