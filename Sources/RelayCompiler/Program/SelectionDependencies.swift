import GraphQLLanguage

extension IR.Program {
  /// Whether the program selects a derived field.
  var hasDerivedFields: Bool {
    hasSelection { selection in
      if case .field(let field) = selection.content { field.derived != nil } else { false }
    }
  }
}

/// The fragments and variables that selections use. Spreads are in document order.
package struct SelectionDependencies {
  package private(set) var spreads: [Symbol] = []
  /// The fragments of derived fields, which are also in ``spreads``.
  private(set) var derived: Set<Symbol> = []
  private(set) var variables: Set<Symbol> = []

  package init(_ selections: [IR.Selection] = []) { add(selections) }

  /// Adds the dependencies of `other`.
  mutating func add(_ other: SelectionDependencies) {
    spreads += other.spreads
    variables.formUnion(other.variables)
    derived.formUnion(other.derived)
  }

  /// Adds the dependencies of all directly and indirectly spread fragments.
  ///
  /// - Parameter dependencies: Returns the dependencies of a fragment.
  /// - Returns: The fragments in order of first spread.
  mutating func addFragments(
    among fragments: [Symbol: IR.Fragment],
    _ dependencies: (IR.Fragment) -> SelectionDependencies = { .init($0.selections) }
  ) -> [IR.Fragment] {
    var seen: Set<Symbol> = []
    var found: [IR.Fragment] = []
    var next = 0
    while next < spreads.count {
      let name = spreads[next]
      next += 1
      guard seen.insert(name).inserted, let fragment = fragments[name] else { continue }
      found.append(fragment)
      add(dependencies(fragment))
    }
    return found
  }

  mutating func add(_ selections: [IR.Selection]) {
    for selection in selections {
      for case .variable(let name, _) in selection.condition.clauses.joined() {
        variables.insert(name)
      }
      switch selection.content {
      case .field(let field):
        for argument in field.arguments { add(argument.value) }
        add(field.directives)
        if let fragment = field.derived {
          spreads.append(fragment)
          derived.insert(fragment)
        }
        add(field.selections)
      case .spread(let spread):
        spreads.append(spread.name)
        for argument in spread.arguments { add(argument.value) }
        if let condition = spread.deferral?.condition { add(condition) }
      case .inlineFragment(let fragment): add(fragment.selections)
      }
    }
  }

  mutating func add(_ directives: [Directive]) {
    for argument in directives.flatMap(\.arguments) { add(argument.value) }
  }

  private mutating func add(_ value: Value) {
    value.forEachVariable { name, _ in variables.insert(name) }
  }
}
