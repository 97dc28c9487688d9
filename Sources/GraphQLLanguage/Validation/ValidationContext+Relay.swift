extension ValidationContext {
  /// Returns the field that a document selects on a type. In Relay mode, this includes the fields
  /// that Relay adds to every type.
  func field(named symbol: Symbol, on type: NamedType) -> SchemaField? {
    schema.field(named: symbol, on: type) ?? (isRelay ? relayFields[named: symbol] : nil)
  }

  /// Returns the variables that a fragment declares.
  func fragmentVariables(of fragment: Symbol) -> [FragmentVariable] {
    fragmentPosition(fragment).map { fragments[$0].fragmentVariables } ?? []
  }

  /// Calls `body` for each usage of an operation's variables in the operation and the fragments it
  /// reaches, excluding the fragments' own variables.
  func forEachUsage(in operation: OperationUses, _ body: (VariableUsage) -> Void) {
    operation.usages.forEach(body)
    for fragment in reachableFragments(from: operation.spreads).map({ fragments[$0] }) {
      let own = fragment.fragmentVariables
      for usage in fragment.usages where !own.contains(where: { $0.name.symbol == usage.symbol }) {
        body(usage)
      }
    }
  }
}
