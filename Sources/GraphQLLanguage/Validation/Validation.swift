/// Which rules documents are checked by.
public enum ValidationMode: Hashable, Sendable {
  /// Exactly those of the specification.
  case specification
  /// Those of Relay: fragments may be unused, operations have names, and Relay's directives and fields are known.
  case relay
}

/// A schema and what is wrong with it.
public struct ValidatedSchema: Sendable {
  /// The schema. When there are errors, what is wrong is left out of it.
  public let schema: Schema
  /// What is wrong, ordered by file and place.
  public let diagnostics: [Diagnostic]

  /// A schema and what is wrong with it.
  public init(schema: Schema, diagnostics: [Diagnostic]) {
    self.schema = schema
    self.diagnostics = diagnostics
  }
}

extension Schema {
  /// Builds a schema from documents and checks it by every rule of the specification.
  ///
  /// - Parameters:
  ///   - documents: The documents of one schema, parsed in `workspace` without errors.
  ///   - mode: In ``ValidationMode/relay``, Relay's directives may be used without being defined.
  ///   - servers: The sources whose default values and uses of directives are not the caller's to mend: what is wrong with
  ///     them is a warning, one for each cause.
  /// - Complexity: O(*n*) in the size of the documents.
  public static func validated(
    from documents: [Document], in workspace: Workspace, mode: ValidationMode = .specification,
    servers: Set<SourceID> = []
  ) -> ValidatedSchema {
    let schema = build(from: documents, in: workspace)
    let context = ValidationContext(schema: schema, documents: documents, isRelay: mode == .relay)
    DocumentWalker.run(Rules.typeSystem, in: context)
    var diagnostics = ServerMistakes.softened(context.diagnostics, in: servers)
    if !diagnostics.hasErrors {
      var check = SchemaCheck(schema)
      for rule in SchemaRules.all { rule(&check) }
      diagnostics += ServerMistakes.softened(check.diagnostics, in: servers)
    }
    return ValidatedSchema(schema: schema, diagnostics: diagnostics.sortedByPlace())
  }

  /// Checks documents, all taken together as one.
  ///
  /// - Parameter documents: Documents parsed in the same workspace as the schema, without errors.
  /// - Returns: Every error, ordered by file and place; a mistake is reported once.
  /// - Complexity: O(*n*) in the size of the documents, but for fields that overlap in many ways, whose comparisons have a limit.
  public func validate(_ documents: [Document], mode: ValidationMode) -> [Diagnostic] {
    let context = ValidationContext(schema: self, documents: documents, isRelay: mode == .relay)
    DocumentWalker.run(mode == .relay ? Rules.relay : Rules.executable, in: context)
    return context.diagnostics.sortedByPlace()
  }
}
