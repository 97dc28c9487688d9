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

  /// Returns a fragment's usages of the variables of operations, without those of its own
  /// variables.
  func globalUsages(ofFragmentAt position: Int) -> [VariableUsage] {
    let fragment = fragments[position]
    guard !fragment.fragmentVariables.isEmpty else { return fragment.usages }
    return fragment.usages.filter { usage in
      !fragment.fragmentVariables.contains { $0.name.symbol == usage.symbol }
    }
  }
}
