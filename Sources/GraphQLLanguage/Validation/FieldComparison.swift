/// A comparison of two fields with the same response key, ignoring their selections.
struct FieldComparison {
  private let context: ValidationContext
  private var schema: Schema { context.schema }

  init(context: ValidationContext) { self.context = context }

  /// Returns the reason why two fields cannot be merged, regardless of their selections; `nil` when
  /// they can.
  ///
  /// - Parameter areInDifferentDefinitions: Whether the fields belong to different definitions, or
  ///   to different spreads of one definition.
  // Not inlined: conflicts are rare, and each caller would get a copy of the code for messages.
  @inline(never)
  func reason(
    _ left: CollectedField, _ right: CollectedField, areExclusive: Bool,
    areInDifferentDefinitions: Bool
  ) -> String? {
    if !areExclusive {
      let (name, other) = (left.field.name.symbol, right.field.name.symbol)
      if name != other {
        return "\"\(schema.symbols[name])\" and \"\(schema.symbols[other])\" are different fields"
      }
      if !left.field.arguments.isSame(as: right.field.arguments),
        !areInDifferentDefinitions
          || !(usesFragmentVariables(left) || usesFragmentVariables(right))
      {
        return "they have differing arguments"
      }
    }
    guard let type = left.definition?.type, let other = right.definition?.type, type != other
    else { return nil }
    let isLeaf = schema[type.named].isLeaf || schema[other.named].isLeaf
    guard type.shape != other.shape || isLeaf else { return nil }
    return "they return conflicting types \"\(schema.text(of: type))\" and "
      + "\"\(schema.text(of: other))\""
  }

  /// Returns whether a field's arguments use variables declared by the enclosing fragment. Their
  /// values differ from spread to spread, so the compiler compares such arguments across
  /// definitions after expanding the fragments.
  private func usesFragmentVariables(_ field: CollectedField) -> Bool {
    guard let owner = field.owner else { return false }
    let variables = Set(context.fragments[owner].fragmentVariables.map(\.name.symbol))
    if variables.isEmpty { return false }
    return field.field.arguments.contains { argument in
      var usesVariable = false
      argument.value.forEachVariable { symbol, _ in
        if variables.contains(symbol) { usesVariable = true }
      }
      return usesVariable
    }
  }
}
