import GraphQLLanguage

/// Which of an operation's variables each fragment uses, itself and through the fragments it spreads.
///
/// References are told apart by these, so that a variable a fragment has nothing to do with makes no
/// difference to it.
package struct VariableUses {
  /// By fragment; sorted by name.
  private var used: [Symbol: [Symbol]] = [:]

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

  /// Nothing is known to use any.
  package init() {}

  /// The variables that a fragment uses.
  package subscript(fragment: Symbol) -> [Symbol] { used[fragment] ?? [] }
}
