extension LayeredSource {
  /// Returns whether a concrete type satisfies an abstract one. All callers share this rule.
  ///
  /// The server's last result, in the type's record, takes precedence over the possible types of
  /// the compiled schema.
  ///
  /// - Parameters:
  ///   - schema: The type schema record of the concrete type; `nil` if there is none.
  ///   - discriminator: The field `__isA` of the abstract type `A`; `nil` if the store has no such
  ///     key.
  ///   - types: The possible types that the calling plan was compiled with.
  /// - Returns: The result, `nil` if neither source has one, and the type schema record.
  package func satisfies(
    _ typeName: String, _ abstract: String, schema: RecordIndex?, discriminator: FieldKey?,
    types: AbstractTypes?
  ) -> (isSatisfied: Bool?, schema: RecordIndex?) {
    if let schema, let discriminator, case .bool(let isSatisfied)? = self[schema][discriminator] {
      return (isSatisfied, schema)
    }
    return (types?.satisfies(typeName, abstract), schema)
  }

  /// Returns whether a concrete type satisfies an abstract one, for callers without the concrete
  /// type's record.
  package func satisfies(
    _ typeName: String, _ abstract: String, discriminator: FieldKey?, types: AbstractTypes?
  ) -> (isSatisfied: Bool?, schema: RecordIndex?) {
    satisfies(
      typeName, abstract, schema: index(of: .typeSchema(typeName)), discriminator: discriminator,
      types: types)
  }

  /// Returns whether a concrete type equals or satisfies a plan's type; `nil` if unknown.
  package func satisfies(_ typeName: String, _ plan: SelectionPlan) -> (
    isSatisfied: Bool?, schema: RecordIndex?
  ) {
    if !plan.isAbstract { return (typeName.hasSameBytes(as: plan.typeName), nil) }
    // The types of the store's own records satisfy no type of a schema.
    if typeName.hasPrefix("__") { return (false, nil) }
    return satisfies(
      typeName, plan.typeName, discriminator: keys.key(of: "__is" + plan.typeName),
      types: plan.types)
  }
}
