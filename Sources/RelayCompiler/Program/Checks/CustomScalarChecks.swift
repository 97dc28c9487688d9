import GraphQLLanguage

/// The check of `customScalarTypes` of the configuration.
enum CustomScalarChecks {
  /// Returns a warning for each name that is no scalar of the schema. It is no error, because
  /// configurations of several schemas may share their scalars.
  ///
  /// - Parameter configuration: The file in which warnings are located; `nil` if there is none.
  static func diagnostics(
    for names: some Collection<String>, schema: Schema, in configuration: ConfigurationText?
  ) -> [Diagnostic] {
    let unknown = names.filter { schema.type(named: $0)?.kind != .scalar }.sorted()
    if unknown.isEmpty { return [] }
    let scalars = schema.types.filter { $0.kind == .scalar }.map { schema.symbols[$0.symbol] }
    let suggestionBudget = SuggestionBudget()
    return unknown.map { name in
      let location = configuration?.location(of: name, in: "customScalarTypes")
      return Diagnostic(
        severity: .warning, rule: "custom-scalars",
        message: "\"customScalarTypes\" names \"\(name)\", which is no scalar of the schema.",
        locations: location.map { [$0] } ?? [],
        help: suggestionBudget.didYouMean(name, among: scalars))
    }
  }
}
