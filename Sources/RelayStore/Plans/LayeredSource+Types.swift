extension LayeredSource {
  /// Whether a concrete type satisfies an abstract one, by the one rule for all who ask: what the server said last,
  /// else the possible types of the schema compiled against; `nil` where neither knows.
  ///
  /// - Parameters:
  ///   - discriminator: The storage key of `__isA` for the abstract type `A`; `nil` where the store has none.
  ///   - types: The table of the plan that asks.
  /// - Returns: Also the record that has what the server said of the type, if there is one.
  package func satisfies(
    _ typeName: String, _ abstract: String, discriminator: FieldKey?, types: AbstractTypes?
  ) -> (answer: Bool?, record: RecordIndex?) {
    let record = index(of: .typeSchema(typeName))
    if let record, let discriminator, case .bool(let said)? = self[record][discriminator] {
      return (said, record)
    }
    return (types?.satisfies(typeName, abstract), record)
  }

  /// Whether a concrete type is that of a plan, or satisfies it; `nil` where nobody knows.
  package func satisfies(_ typeName: String, _ plan: SelectionPlan) -> (
    answer: Bool?, record: RecordIndex?
  ) {
    if !plan.isAbstract { return (typeName.hasSameBytes(as: plan.typeName), nil) }
    // Types of the store's own records satisfy nothing that a schema has.
    if typeName.hasPrefix("__") { return (false, nil) }
    return satisfies(
      typeName, plan.typeName, discriminator: keys.key(of: "__is" + plan.typeName),
      types: plan.types)
  }
}
