/// The set of rules used to validate documents.
public enum ValidationMode: Hashable, Sendable {
  /// Exactly the specification's rules.
  case specification
  /// The rules for documents that Relay compiles: fragments may be unused, operations must be
  /// named, and Relay's directives and fields are defined.
  case relay
}

/// A schema and the diagnostics of its validation.
public struct ValidatedSchema: Sendable {
  /// The schema. If there are errors, its invalid definitions and members are omitted.
  public let schema: Schema
  /// The diagnostics, ordered by file and position.
  public let diagnostics: [Diagnostic]

  /// Creates a validated schema.
  public init(schema: Schema, diagnostics: [Diagnostic]) {
    self.schema = schema
    self.diagnostics = diagnostics
  }
}

extension Schema {
  /// Builds a schema from documents and validates it against every rule of the specification.
  ///
  /// - Parameters:
  ///   - documents: The documents of one schema, parsed in `workspace` without errors.
  ///   - mode: With ``ValidationMode/relay``, Relay's directives need no definition.
  ///   - servers: The sources that the caller cannot fix. Mistakes in their default values and uses
  ///     of directives become warnings, one per cause.
  /// - Complexity: O(*n*) in the size of the documents.
  public static func validated(
    from documents: [Document], in workspace: Workspace, mode: ValidationMode = .specification,
    servers: Set<SourceID> = []
  ) -> ValidatedSchema {
    let schema = build(from: documents, in: workspace)
    let context = ValidationContext(schema: schema, documents: documents, isRelay: mode == .relay)
    DocumentWalker.run(Rules.typeSystem, in: context)
    var diagnostics = ServerMistakes.downgraded(context.diagnostics, in: servers)
    if !diagnostics.hasErrors {
      var check = SchemaCheck(schema)
      for rule in SchemaRules.all { rule(&check) }
      diagnostics += ServerMistakes.downgraded(check.diagnostics, in: servers)
    }
    return ValidatedSchema(schema: schema, diagnostics: diagnostics.sortedByLocation())
  }

  /// Validates documents, treating them as one combined document.
  ///
  /// - Parameter documents: Documents parsed in the schema's workspace without errors.
  /// - Returns: All diagnostics, ordered by file and position; each mistake is reported once.
  /// - Complexity: O(*n*) in the size of the documents, except for fields that overlap in many
  ///   ways. Their comparisons are limited.
  public func validate(_ documents: [Document], mode: ValidationMode) -> [Diagnostic] {
    validate(documents, mode: mode, fragments: [])
  }

  /// Validates documents like ``validate(_:mode:)``.
  ///
  /// - Parameter fragments: The names of other fragments, used as suggestions for misspelled ones.
  package func validate(
    _ documents: [Document], mode: ValidationMode, fragments: Set<Symbol>
  ) -> [Diagnostic] {
    let context = ValidationContext(
      schema: self, documents: documents, isRelay: mode == .relay, otherFragments: fragments)
    DocumentWalker.run(mode == .relay ? Rules.relay : Rules.executable, in: context)
    return context.diagnostics.sortedByLocation()
  }
}
