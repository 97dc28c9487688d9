import GraphQLLanguage

extension IR.Program {
  /// Whether the program selects a derived field.
  var hasDerivedFields: Bool {
    (operations.map(\.selections) + fragments.map(\.selections)).contains(where: hasDerived)
  }

  private func hasDerived(_ selections: [IR.Selection]) -> Bool {
    selections.contains { selection in
      if case .field(let field) = selection.content, field.derived != nil { return true }
      return hasDerived(selection.selections)
    }
  }
}

/// The fragments and variables that selections use. Spreads are in document order.
package struct SelectionDependencies {
  package private(set) var spreads: [Symbol] = []
  /// The fragments of derived fields, which are among ``spreads`` too.
  private(set) var derived: Set<Symbol> = []
  private(set) var variables: Set<Symbol> = []

  package init() {}

  /// Adds the uses of `other`.
  mutating func add(_ other: SelectionDependencies) {
    spreads += other.spreads
    variables.formUnion(other.variables)
    derived.formUnion(other.derived)
  }

  package mutating func add(_ selections: [IR.Selection]) {
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
    switch value.kind {
    case .variable(let name): variables.insert(name)
    case .list(let values): for value in values { add(value) }
    case .object(let fields): for field in fields { add(field.value) }
    default: break
    }
  }
}
