import GraphQLLanguage

/// The checks of derived fields that documents select: fields with `@derived(fragment:)` in a
/// schema extension.
struct DerivedChecks {
  private let program: IR.Program
  private let fragments: [Symbol: IR.Fragment]
  private var diagnostics: [Diagnostic] = []
  /// The fields already checked, by the spans of their `@derived` directives.
  private var checked: Set<Span> = []

  /// A use of a fragment: a spread, or a derived field computed from it.
  private struct Use {
    let fragment: Symbol
    /// The derived field computed from the fragment; `nil` for a spread.
    var field: (name: String, span: Span)?
  }

  /// Checks the derived fields that a program selects.
  static func diagnostics(in program: IR.Program) -> [Diagnostic] {
    var checks = DerivedChecks(program: program, fragments: program.fragmentsByName())
    for operation in program.operations {
      _ = checks.uses(in: operation.selections, on: operation.root)
    }
    var uses: [Symbol: [Use]] = [:]
    for fragment in program.fragments {
      uses[fragment.name] = checks.uses(in: fragment.selections, on: fragment.type)
    }
    var search = CycleSearch { [uses] fragment in
      (uses[fragment] ?? []).map { ($0.fragment, $0) }
    }
    for fragment in program.fragments {
      for cycle in search.cycles(from: fragment.name) { checks.report(cycle) }
    }
    return checks.diagnostics
  }

  private var schema: Schema { program.schema }

  /// Checks the derived fields in selections.
  ///
  /// - Returns: The fragments that the selections spread or compute derived fields from.
  private mutating func uses(in selections: [IR.Selection], on type: TypeID) -> [Use] {
    var result: [Use] = []
    for selection in selections {
      switch selection.content {
      case .field(let field):
        if let use = field.derived.flatMap({ check(field, fragment: $0, on: type) }) {
          result.append(use)
        }
        result += uses(in: field.selections, on: field.type.named)
      case .spread(let spread): result.append(Use(fragment: spread.name))
      case .inlineFragment(let fragment):
        result += uses(in: fragment.selections, on: fragment.type)
      }
    }
    return result
  }

  private mutating func check(_ field: IR.Field, fragment: Symbol, on type: TypeID) -> Use? {
    guard let definition = schema.field(named: field.name, on: schema[type]),
      let directive = definition.directives[named: .derived]
    else { return nil }
    let name = "\(schema.name(of: type)).\(schema.symbols[field.name])"
    if checked.insert(directive.span).inserted {
      check(field, definition, directive, fragment: fragment, on: type, named: name)
    }
    return Use(fragment: fragment, field: (name, directive.span))
  }

  private mutating func check(
    _ field: IR.Field, _ definition: SchemaField, _ directive: Directive, fragment name: Symbol,
    on type: TypeID, named fieldName: String
  ) {
    func report(_ message: String, help: String) {
      diagnostics.report(rule: "derived-fields", message: message, at: directive.span, help: help)
    }
    let fragmentName = schema.symbols[name]
    if schema[field.type.named].isComposite || !definition.arguments.isEmpty {
      report(
        "Derived field \"\(fieldName)\" has arguments, or is not a scalar or enum.",
        help: "Give it a scalar type or a list of scalars, and no arguments.")
    }
    guard let fragment = fragments[name] else {
      return report(
        "Fragment \"\(fragmentName)\" of derived field \"\(fieldName)\" is not defined.",
        help: "Define the fragment on \"\(schema.name(of: type))\".")
    }
    if !schema.isSubtype(type, of: fragment.type) {
      report(
        "Derived field \"\(fieldName)\" cannot be computed from fragment \"\(fragmentName)\" on "
          + "\"\(schema.name(of: fragment.type))\".",
        help: "Define the fragment on \"\(schema.name(of: type))\".")
    }
    if !fragment.fragmentVariables.isEmpty || usesVariables(fragment) || fragment.isInline
      || fragment.isUpdatable
    {
      report(
        "Fragment \"\(fragmentName)\" of derived field \"\(fieldName)\" uses variables, or is @inline or "
          + "@updatable.",
        help: "A derived field is the same in every operation: remove variables, @inline and "
          + "@updatable.")
    }
  }

  /// Returns whether a fragment, or a fragment reachable from it, uses variables.
  private func usesVariables(_ fragment: IR.Fragment) -> Bool {
    var dependencies = SelectionDependencies(fragment.selections)
    _ = dependencies.addFragments(among: fragments)
    return !dependencies.variables.isEmpty
  }

  /// Reports a cycle at its last derived field. Validation reports cycles that consist only of
  /// spreads.
  private mutating func report(_ cycle: [Use]) {
    guard let use = cycle.last(where: { $0.field != nil }), let field = use.field else { return }
    diagnostics.report(
      rule: "derived-fields",
      message: "Derived field \"\(field.name)\" is computed from itself: fragment "
        + "\"\(schema.symbols[use.fragment])\" selects it.",
      at: field.span, help: "Take it out of the fragment.")
  }
}
