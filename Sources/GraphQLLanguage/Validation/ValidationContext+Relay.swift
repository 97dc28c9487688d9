extension ValidationContext {
  /// The field a document may select on a type; in Relay's mode with the fields Relay adds to every type.
  func field(named symbol: Symbol, on type: NamedType) -> SchemaField? {
    schema.field(named: symbol, on: type) ?? (isRelay ? relayFields[named: symbol] : nil)
  }

  /// The variables that a fragment declares for itself.
  func localVariables(of fragment: Symbol) -> [LocalVariable] {
    fragmentPosition(fragment).map { fragments[$0].localVariables } ?? []
  }

  /// What a fragment uses of the variables of the operations that spread it.
  func globalUsages(ofFragmentAt position: Int) -> [VariableUsage] {
    let fragment = fragments[position]
    guard !fragment.localVariables.isEmpty else { return fragment.usages }
    return fragment.usages.filter { usage in
      !fragment.localVariables.contains { $0.name.symbol == usage.symbol }
    }
  }
}
