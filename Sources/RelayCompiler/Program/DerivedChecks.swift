import GraphQLLanguage

/// What derived fields, `@derived(fragment:)` in a schema extension, must be like where documents select them.
struct DerivedChecks {
  private let program: IR.Program
  private let fragments: [Symbol: IR.Fragment]
  private var diagnostics: [Diagnostic] = []
  /// Those that were looked at, by the places of their definitions.
  private var known: Set<Span> = []
  /// The fragments around, outermost first.
  private var open: [Symbol] = []
  /// The fragments that lead back to none of those around them.
  private var closed: Set<Symbol> = []

  /// Checks the derived fields that a program selects.
  static func diagnostics(in program: IR.Program) -> [Diagnostic] {
    var checks = DerivedChecks(program: program, fragments: program.fragmentsByName())
    for operation in program.operations { checks.check(operation.selections, operation.root) }
    for fragment in program.fragments { checks.enter(fragment.name, from: nil) }
    return checks.diagnostics
  }

  private init(program: IR.Program, fragments: [Symbol: IR.Fragment]) {
    self.program = program
    self.fragments = fragments
  }

  private var schema: Schema { program.schema }

  private mutating func check(_ selections: [IR.Selection], _ type: TypeID) {
    for selection in selections {
      switch selection.content {
      case .field(let field):
        if let fragment = field.derived { check(field, fragment, type) }
        check(field.selections, field.type.named)
      case .spread(let spread): if !open.isEmpty { enter(spread.name, from: nil) }
      case .condition(let condition): check(condition.selections, condition.type)
      }
    }
  }

  private mutating func check(_ field: IR.Field, _ fragment: Symbol, _ type: TypeID) {
    guard let definition = schema.field(named: field.name, on: schema[type]),
      let directive = definition.directives[named: schema.symbols.intern("derived")]
    else { return }
    let name = "\(schema.name(of: type)).\(schema.symbols[field.name])"
    if known.insert(directive.span).inserted {
      for (message, help) in problems(of: field, definition, fragment, type, called: name) {
        diagnostics.append(
          Diagnostic(rule: "derived-fields", message: message, at: directive.span, help: help))
      }
    }
    enter(fragment, from: (name, directive.span))
  }

  private func problems(
    of field: IR.Field, _ definition: SchemaField, _ name: Symbol, _ type: TypeID,
    called fieldName: String
  ) -> [(String, String)] {
    let fragmentName = schema.symbols[name]
    var problems: [(String, String)] = []
    if schema[field.type.named].isComposite || !definition.arguments.isEmpty {
      problems.append(
        (
          "Derived field \"\(fieldName)\" is no scalar or enum, or has arguments.",
          "Give it the type of a scalar, or of a list of them, and no arguments."
        ))
    }
    guard let fragment = fragments[name] else {
      return problems + [
        (
          "Derived field \"\(fieldName)\" is computed from fragment \"\(fragmentName)\", which is not defined.",
          "Define the fragment on \"\(schema.name(of: type))\"."
        )
      ]
    }
    if !schema.isSubtype(type, of: fragment.type) {
      problems.append(
        (
          "Derived field \"\(fieldName)\" cannot be computed from fragment \"\(fragmentName)\" on "
            + "\"\(schema.name(of: fragment.type))\".",
          "Define the fragment on \"\(schema.name(of: type))\"."
        ))
    }
    if !fragment.locals.isEmpty || usesVariables(fragment) || fragment.isInline
      || fragment.isUpdatable
    {
      problems.append(
        (
          "Fragment \"\(fragmentName)\" of derived field \"\(fieldName)\" uses variables, or is @inline or "
            + "@updatable.",
          "A derived field is the same in every operation: take variables, @inline and @updatable away."
        ))
    }
    return problems
  }

  /// Whether a fragment, or one below it, uses variables.
  private func usesVariables(_ fragment: IR.Fragment) -> Bool {
    var use = SelectionUse()
    use.add(fragment.selections)
    var (next, seen) = (0, Set([fragment.name]))
    while next < use.spreads.count {
      if seen.insert(use.spreads[next]).inserted, let fragment = fragments[use.spreads[next]] {
        use.add(fragment.selections)
      }
      next += 1
    }
    return !use.variables.isEmpty
  }

  /// Follows what a fragment selects.
  ///
  /// - Parameter field: The derived field that leads to it.
  private mutating func enter(_ name: Symbol, from field: (name: String, place: Span)?) {
    if open.contains(name) {
      // Without a derived field it is a cycle of spreads, which validation reports.
      guard let field else { return }
      diagnostics.append(
        Diagnostic(
          rule: "derived-fields",
          message: "Derived field \"\(field.name)\" is computed from itself: fragment "
            + "\"\(schema.symbols[name])\" selects it.",
          at: field.place, help: "Take it out of the fragment."))
      return
    }
    guard !closed.contains(name), let fragment = fragments[name] else { return }
    open.append(name)
    check(fragment.selections, fragment.type)
    open.removeLast()
    closed.insert(name)
  }
}
