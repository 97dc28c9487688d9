/// A comparison of two fields with the same response key, without their selections.
struct FieldComparison {
  private let schema: Schema
  /// The variables that fragments declare for themselves. Their values differ from spread to
  /// spread, so the compiler compares them across definitions once the fragments are expanded.
  private let fragmentVariables: Set<Symbol>

  init(context: ValidationContext) {
    schema = context.schema
    fragmentVariables = Set(context.fragments.flatMap(\.fragmentVariables).map(\.name.symbol))
  }

  /// Returns the reason why two fields cannot be merged, regardless of their selections; `nil` when
  /// they can.
  ///
  /// - Parameter areInDifferentDefinitions: Whether the fields belong to different definitions, or
  ///   to different spreads of one definition.
  // Not inlined: conflicts are rare.
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
        !areInDifferentDefinitions || fragmentVariables.isEmpty
          || !(left.field.arguments + right.field.arguments).use(fragmentVariables)
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
}

extension [Argument] {
  /// Whether an argument contains one of the variables.
  fileprivate func use(_ variables: Set<Symbol>) -> Bool {
    contains { $0.value.uses(variables) }
  }
}

extension Value {
  fileprivate func uses(_ variables: Set<Symbol>) -> Bool {
    switch kind {
    case .variable(let name): variables.contains(name)
    case .list(let values): values.contains { $0.uses(variables) }
    case .object(let fields): fields.contains { $0.value.uses(variables) }
    default: false
    }
  }
}
