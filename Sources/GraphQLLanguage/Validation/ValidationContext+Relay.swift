extension ValidationContext {
  /// Returns the field that a document may select on a type. In Relay's mode this includes the
  /// fields that Relay adds to every type.
  func field(named symbol: Symbol, on type: NamedType) -> SchemaField? {
    schema.field(named: symbol, on: type) ?? (isRelay ? relayFields[named: symbol] : nil)
  }

  /// Returns the variables that a fragment declares for itself.
  func fragmentVariables(of fragment: Symbol) -> [FragmentVariable] {
    fragmentPosition(fragment).map { fragments[$0].fragmentVariables } ?? []
  }

  /// Calls a function for each usage of an operation's variables, in the operation and in the
  /// fragments that it reaches. Usages of a fragment's own variables are not among them.
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
