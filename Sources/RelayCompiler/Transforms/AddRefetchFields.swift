import GraphQLLanguage

/// A pass that selects the field that a `@refetchable` fragment's query uses to find its object,
/// unless it is the `id` that ``AddIDs`` adds anyway.
enum AddRefetchFields {
  static func apply(to program: IR.Program) -> IR.Program {
    let schema = program.schema
    var result = program
    for (index, fragment) in program.fragments.enumerated()
    where fragment.definition.directives[named: .refetchable] != nil {
      guard let name = RefetchRoot(for: fragment.definition, in: schema)?.identity?.field,
        let field = schema[fragment.type].field(named: name),
        name != .idField || mayLackID(fragment.type, in: program),
        !fragment.selections.contains(where: { $0.isUnconditionalSelection(of: name) })
      else { continue }
      let added = IR.Field(responseKey: name, name: name, type: field.type)
      result.fragments[index].selections.insert(IR.Selection(added), at: 0)
    }
    return result
  }

  /// Returns whether ``AddIDs`` may not add `id` to objects of a type, because other fields or
  /// their path identify them.
  private static func mayLackID(_ type: TypeID, in program: IR.Program) -> Bool {
    let (schema, keys) = (program.schema, program.keyFields)
    let named = schema[type]
    let possible = schema.possibleTypes(of: named).map { schema[$0] }
    return ([named] + possible).contains { keys.fields(of: $0) != nil }
      || (named.field(named: .idField) != nil && !keys.hasID(named, in: schema))
  }
}

extension IR.Selection {
  /// Returns whether this is an unconditional, unaliased selection of the field `name`.
  fileprivate func isUnconditionalSelection(of name: Symbol) -> Bool {
    guard case .field(let field) = content else { return false }
    return field.responseKey == name && field.name == name && condition.isAlways
  }
}
