import GraphQLLanguage
import RelayCompiler

/// The types that generated code refers to, each with the number of files that do.
struct UsedTypeCounts {
  private var leaves: [TypeID: Int] = [:]
  private var fieldLeaves: [TypeID: Int] = [:]
  private var inputs: [TypeID: Int] = [:]
  private var abstractConditions: [TypeID: Int] = [:]
  private var selected: [TypeID: Int] = [:]
  private var named: [TypeID: Int] = [:]

  /// Adds the types of one file, or removes them again.
  ///
  /// - Parameter sign: 1 to add, -1 to remove.
  mutating func add(_ types: UsedTypes, _ sign: Int) {
    Self.add(types.leaves, sign, to: &leaves)
    Self.add(types.fieldLeaves, sign, to: &fieldLeaves)
    Self.add(types.inputs, sign, to: &inputs)
    Self.add(types.abstractConditions, sign, to: &abstractConditions)
    Self.add(types.selected, sign, to: &selected)
    Self.add(types.named, sign, to: &named)
  }

  private static func add(_ types: Set<TypeID>, _ sign: Int, to counts: inout [TypeID: Int]) {
    for type in types {
      let count = counts[type, default: 0] + sign
      counts[type] = count > 0 ? count : nil
    }
  }

  /// Returns the types of all files.
  func types(of schema: Schema) -> UsedTypes {
    UsedTypes(
      schema: schema, leaves: Set(leaves.keys), fieldLeaves: Set(fieldLeaves.keys),
      inputs: Set(inputs.keys),
      abstractConditions: Set(abstractConditions.keys), selected: Set(selected.keys),
      named: Set(named.keys))
  }
}
