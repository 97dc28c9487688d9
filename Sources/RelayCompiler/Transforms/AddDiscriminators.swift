import GraphQLLanguage

/// A pass that selects `__isA: __typename` first in every type condition on an abstract type `A`.
/// The store learns from it whether the object's type satisfies `A`.
///
/// The discriminator's guard is the disjunction of the guards in the condition: a fragment that is
/// not included does not select it either.
///
/// The pass runs after ``Flatten``, so that only the remaining conditions get a discriminator.
enum AddDiscriminators {
  package static func apply(to program: IR.Program) -> IR.Program {
    let schema = program.schema
    var fields: [TypeID: IR.Field] = [:]
    return program.replacingSelections { selection, _ in
      guard case .inlineFragment(let fragment) = selection.content,
        schema[fragment.type].isAbstract,
        let field = fields[fragment.type] ?? .discriminator(of: fragment.type, in: schema)
      else { return nil }
      fields[fragment.type] = field
      let first = fragment.selections.first?.condition ?? .always
      let condition = fragment.selections.dropFirst().reduce(first) { $0.or($1.condition) }
      return selection.with(
        fragment, [IR.Selection(field, condition: condition)] + fragment.selections)
    }
  }
}

extension IR.Field {
  /// Returns the field `__isA: __typename` for an abstract type `A`.
  static func discriminator(of type: TypeID, in schema: Schema) -> IR.Field? {
    typename(in: schema, responseKey: schema.symbols.intern("__is" + schema.name(of: type)))
  }
}
