/// A rule for a schema as a whole, after its documents were found in order.
typealias SchemaRule = @Sendable (inout SchemaCheck) -> Void

/// The namespace of the rules for schemas; each has a file of its own.
enum SchemaRules {
  /// The rules of the specification, in the order of the reference implementation, which leaves out the cycles of directives.
  static let all: [SchemaRule] = [
    rootTypes, directiveDefinitions, reservedNames, fields, interfaces, unions, enums, inputObjects,
    inputCycles, defaultValues, defaultValueCycles, directiveCycles,
    distinctRootTypes,
  ]
}

/// A schema being checked, and the errors found.
struct SchemaCheck {
  let schema: Schema
  private(set) var diagnostics: [Diagnostic] = []

  init(_ schema: Schema) { self.schema = schema }

  /// The types that documents define or extend.
  var types: some Sequence<NamedType> {
    schema.types.lazy.filter { !$0.isBuiltIn || !$0.extensions.isEmpty }
  }

  /// The text of a symbol.
  func text(_ symbol: Symbol) -> String { schema.symbols[symbol] }

  /// Reports an error.
  mutating func report(
    _ rule: String, _ message: String, at locations: Span..., help: String? = nil
  ) {
    report(rule, message, at: locations, help: help)
  }

  /// Reports an error, or what is none and deserves a look, at a list of places.
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
  /// The definition and the extensions.
  var parts: [TypeDefinition] { [definition] + extensions }

  /// Where the definition and the extensions stand.
  var partSpans: [Span] { parts.map(\.span) }
}
