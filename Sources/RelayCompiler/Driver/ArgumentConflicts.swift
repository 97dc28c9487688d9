import GraphQLLanguage

/// What validation cannot see, because fragment arguments are not values yet: fields of one response key
/// that they make differ.
enum ArgumentConflicts {
  /// The conflicts in documents that passed validation, as `compile` reports them.
  ///
  /// - Complexity: That of deriving all programs, where a fragment has variables of its own; else O(*n*) in the
  ///   definitions.
  static func diagnostics(in documents: [Document], schema: Schema) -> [Diagnostic] {
    let directive = schema.symbols.intern("argumentDefinitions")
    let hasArguments = documents.lazy.flatMap(\.definitions).contains { definition in
      guard case .fragment(let fragment) = definition else { return false }
      return fragment.directives[named: directive] != nil
    }
    guard hasArguments, !Checks.diagnostics(for: documents, schema: schema).hasErrors else {
      return []
    }
    var found: [Diagnostic] = []
    let program = Lowering.program(of: documents, schema: schema, clientSources: [])
    _ = Pipeline(program, diagnostics: &found)
    return found.filter { $0.rule == "overlapping-fields-can-be-merged" }
  }
}
