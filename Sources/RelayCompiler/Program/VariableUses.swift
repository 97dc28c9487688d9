import GraphQLLanguage

/// The operation variables that each fragment uses, itself and through the fragments it spreads.
///
/// A fragment reference is compared by the values of these variables alone, so other variables do
/// not make references differ.
package struct VariableUses {
  /// The variables by fragment, sorted by name.
  private var used: [Symbol: [Symbol]] = [:]

  /// Collects the variables of all fragments of a program.
  ///
  /// - Complexity: O(*n*) in the selections, and in the variables of each fragment for each spread.
  package init(_ program: IR.Program) {
    let order = SpreadOrder(program)
    var known: [Symbol: Set<Symbol>] = [:]
    for fragment in order.fragments {
      guard let use = order.uses[fragment.name] else { continue }
      let below = use.spreads.reduce(into: use.variables) { $0.formUnion(known[$1] ?? []) }
      known[fragment.name] = below.subtracting(fragment.locals.map(\.name))
    }
    let symbols = program.symbols
    used = known.mapValues { variables in
      variables.sorted { symbols[$0].utf8.lexicographicallyPrecedes(symbols[$1].utf8) }
    }
  }

  /// Makes an empty value, by which no fragment uses a variable.
  package init() {}

  /// The variables that a fragment uses, sorted by name.
  package subscript(fragment: Symbol) -> [Symbol] { used[fragment] ?? [] }
}
