import GraphQLLanguage

/// The operation variables that each fragment uses, either itself or through the fragments it
/// spreads.
///
/// Fragment references are compared by the values of these variables alone, so unrelated variables
/// do not make them differ.
struct VariableUses {
  /// The variables by fragment, sorted by name.
  private var used: [Symbol: [Symbol]] = [:]

  /// Collects the variables of all fragments of a program.
  ///
  /// - Complexity: O(*n*) in the selections, and in the variables of each fragment for each spread.
  package init(_ program: IR.Program) {
    let order = FragmentDependencyOrder(program)
    var variables: [Symbol: Set<Symbol>] = [:]
    for fragment in order.fragments {
      guard let own = order.dependencies[fragment.name] else { continue }
      let below = own.spreads.reduce(into: own.variables) { $0.formUnion(variables[$1] ?? []) }
      variables[fragment.name] = below.subtracting(fragment.fragmentVariables.map(\.name))
    }
    let symbols = program.symbols
    used = variables.mapValues { names in
      names.sorted(byText: { symbols[$0] })
    }
  }

  /// Creates an empty value, where no fragment uses any variables.
  package init() {}

  /// The variables that a fragment uses, sorted by name.
  package subscript(fragment: Symbol) -> [Symbol] { used[fragment] ?? [] }
}
