import GraphQLLanguage

/// Checks the derived fields that documents select: fields with `@derived(fragment:)` in a schema
/// extension.
struct DerivedChecks {
  private let program: IR.Program
  private let fragments: [Symbol: IR.Fragment]
  private var diagnostics: [Diagnostic] = []
  /// The fields that have been checked, by the spans of their `@derived` directives.
  private var checked: Set<Span> = []
  /// The outgoing edges of each fragment: its spreads, and the fragments of its derived fields.
  private var edges: [Symbol: [Edge]] = [:]
  /// The edges from the fragment where the search began to the current fragment.
  private var path: [Edge] = []
  /// For each fragment on ``path``, the index of its edge.
  private var depths: [Symbol: Int] = [:]
  /// The fragments that the search has visited.
  private var visited: Set<Symbol> = []

  /// An edge of the search: a spread of a fragment, or a derived field computed from it.
  private struct Edge {
    let fragment: Symbol
    /// The derived field that is computed from the fragment; `nil` for a spread.
    var field: (name: String, span: Span)?
    /// The index of the fragment's own edge to follow next.
    var next = 0
  }

  /// Checks the derived fields that a program selects.
  static func diagnostics(in program: IR.Program) -> [Diagnostic] {
    var checks = DerivedChecks(program: program, fragments: program.fragmentsByName())
    for operation in program.operations {
      _ = checks.edges(in: operation.selections, on: operation.root)
    }
    for fragment in program.fragments {
      checks.edges[fragment.name] = checks.edges(in: fragment.selections, on: fragment.type)
    }
    for fragment in program.fragments { checks.search(from: fragment.name) }
    return checks.diagnostics
  }

  private init(program: IR.Program, fragments: [Symbol: IR.Fragment]) {
    self.program = program
    self.fragments = fragments
  }

  private var schema: Schema { program.schema }

  /// Checks the derived fields among selections.
  ///
  /// - Returns: The fragments that the selections spread or compute derived fields from.
  private mutating func edges(in selections: [IR.Selection], on type: TypeID) -> [Edge] {
    var result: [Edge] = []
    for selection in selections {
      switch selection.content {
      case .field(let field):
        if let edge = field.derived.flatMap({ check(field, fragment: $0, on: type) }) {
          result.append(edge)
        }
        result += edges(in: field.selections, on: field.type.named)
      case .spread(let spread): result.append(Edge(fragment: spread.name))
      case .inlineFragment(let fragment):
        result += edges(in: fragment.selections, on: fragment.type)
      }
    }
    return result
  }

  private mutating func check(_ field: IR.Field, fragment: Symbol, on type: TypeID) -> Edge? {
    guard let definition = schema.field(named: field.name, on: schema[type]),
      let directive = definition.directives[named: .derived]
    else { return nil }
    let name = "\(schema.name(of: type)).\(schema.symbols[field.name])"
    if checked.insert(directive.span).inserted {
      for (message, help) in problems(
        of: field, definition: definition, fragment: fragment, on: type, named: name)
      {
        diagnostics.append(
          Diagnostic(rule: "derived-fields", message: message, at: directive.span, help: help))
      }
    }
    return Edge(fragment: fragment, field: (name, directive.span))
  }

  private func problems(
    of field: IR.Field, definition: SchemaField, fragment name: Symbol, on type: TypeID,
    named fieldName: String
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
    if !fragment.fragmentVariables.isEmpty || usesVariables(fragment) || fragment.isInline
      || fragment.isUpdatable
    {
      problems.append(
        (
          "Fragment \"\(fragmentName)\" of derived field \"\(fieldName)\" uses variables, or is @inline or "
            + "@updatable.",
          "A derived field is the same in every operation: remove variables, @inline and @updatable."
        ))
    }
    return problems
  }

  /// Whether a fragment, or a fragment reachable from it, uses variables.
  private func usesVariables(_ fragment: IR.Fragment) -> Bool {
    var dependencies = SelectionDependencies(fragment.selections)
    _ = dependencies.addFragments(among: fragments)
    return !dependencies.variables.isEmpty
  }

  /// Searches for cycles of fragments. The search uses a stack of its own, because chains of
  /// fragments may be too long for recursion.
  private mutating func search(from fragment: Symbol) {
    guard !visited.contains(fragment) else { return }
    enter(Edge(fragment: fragment))
    while var edge = path.popLast() {
      guard let below = edges[edge.fragment], edge.next < below.count else {
        depths[edge.fragment] = nil
        continue
      }
      let next = below[edge.next]
      edge.next += 1
      path.append(edge)
      if let depth = depths[next.fragment] {
        report(path[(depth + 1)...] + [next])
      } else if !visited.contains(next.fragment) {
        enter(next)
      }
    }
  }

  private mutating func enter(_ edge: Edge) {
    visited.insert(edge.fragment)
    depths[edge.fragment] = path.count
    path.append(edge)
  }

  /// Reports a cycle at its last derived field. A cycle of spreads alone is reported by validation.
  private mutating func report(_ cycle: ArraySlice<Edge>) {
    guard let edge = cycle.last(where: { $0.field != nil }), let field = edge.field else { return }
    diagnostics.append(
      Diagnostic(
        rule: "derived-fields",
        message: "Derived field \"\(field.name)\" is computed from itself: fragment "
          + "\"\(schema.symbols[edge.fragment])\" selects it.",
        at: field.span, help: "Take it out of the fragment."))
  }
}
