import GraphQLLanguage

/// Selects the field by which the query of a `@refetchable` fragment finds its object, unless it is
/// the `id` that ``AddIDs`` adds anyway.
enum AddRefetchFields {
  static func apply(to program: IR.Program) -> IR.Program {
    let schema = program.schema
    let (directive, id) = (schema.symbols.intern("refetchable"), schema.symbols.intern("id"))
    var result = program
    for (index, fragment) in program.fragments.enumerated()
    where fragment.definition.directives[named: directive] != nil {
      guard let name = RefetchRoot(for: fragment.definition, in: schema)?.identity?.field,
        let field = schema[fragment.type].field(named: name),
        name != id || hasOtherKeys(fragment.type, in: program),
        !fragment.selections.contains(where: { $0.isUnconditionalSelection(of: name) })
      else { continue }
      let added = IR.Field(responseKey: name, name: name, type: field.type)
      result.fragments[index].selections.insert(IR.Selection(content: .field(added)), at: 0)
    }
    return result
  }

  /// Whether objects of a type may be identified by other fields than `id`. ``AddIDs`` does not add
  /// `id` to them.
  private static func hasOtherKeys(_ type: TypeID, in program: IR.Program) -> Bool {
    let named = program.schema[type]
    let types = [named] + program.schema.possibleTypes(of: named).map { program.schema[$0] }
    return types.contains { program.keyFields.fields(of: $0) != nil }
  }
}

extension IR.Selection {
  /// Whether this is an unconditional field whose response key is its own name, `name`.
  fileprivate func isUnconditionalSelection(of name: Symbol) -> Bool {
    guard case .field(let field) = content else { return false }
    return field.responseKey == name && field.name == name && condition.isAlways
  }
}
