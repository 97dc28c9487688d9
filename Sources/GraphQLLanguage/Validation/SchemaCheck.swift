/// A rule for a complete schema, applied when its documents have no errors.
typealias SchemaRule = @Sendable (inout SchemaCheck) -> Void

/// The namespace for schema rules, one per file.
enum SchemaRules {
  /// The specification's rules in the order of the reference implementation, which does not check
  /// for directive cycles.
  static let all: [SchemaRule] = [
    rootTypes, directiveDefinitions, reservedNames, members, fields, interfaces, unions,
    inputObjects, inputCycles, defaultValues, defaultValueCycles, directiveCycles,
    distinctRootTypes,
  ]
}

/// A schema being validated, and its diagnostics.
struct SchemaCheck {
  let schema: Schema
  private(set) var diagnostics: [Diagnostic] = []

  init(_ schema: Schema) { self.schema = schema }

  /// The types that documents define or extend.
  var types: some Sequence<NamedType> {
    schema.types.lazy.filter { !$0.isBuiltIn || !$0.extensions.isEmpty }
  }

  /// Returns the string of a symbol.
  func text(_ symbol: Symbol) -> String { schema.symbols[symbol] }

  /// Reports an error.
  mutating func report(
    _ rule: String, _ message: String, at locations: Span..., help: String? = nil
  ) {
    report(rule, message, at: locations, help: help)
  }

  /// Reports an error or a warning at a list of source locations.
  // Not inlined: every rule calls it, but diagnostics are rare.
  @inline(never)
  mutating func report(
    _ rule: String, _ message: String, at locations: [Span], help: String? = nil,
    severity: Severity = .error
  ) {
    diagnostics.append(
      Diagnostic(
        severity: severity, rule: rule, message: message, locations: locations, help: help))
  }
}

extension NamedType {
  /// The definition and the extensions of the type.
  var definitions: [TypeDefinition] { [definition] + extensions }

  /// The source ranges of the definition and the extensions.
  var definitionSpans: [Span] { definitions.map(\.span) }
}
