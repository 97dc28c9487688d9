import GraphQLLanguage

/// Selects `__isA: __typename` first in every type condition on an abstract type `A`. The store
/// learns from it whether the object's type satisfies `A`.
///
/// The discriminator's guard is the disjunction of the guards in the condition: a fragment that is
/// not included does not select it either.
///
/// The pass comes after ``Flatten``, so that only the remaining conditions get a discriminator.
struct AddDiscriminators {
  private let schema: Schema
  private let cache = Cache()

  /// The memoized discriminators, shared by all conditions on a type.
  private final class Cache {
    var fields: [TypeID: IR.Field] = [:]
  }

  package static func apply(to program: IR.Program) -> IR.Program {
    let pass = AddDiscriminators(schema: program.schema)
    return program.replacingSelections { selection, _ in
      guard case .inlineFragment(let fragment) = selection.content,
        let discriminator = pass.discriminator(fragment.type, for: fragment.selections)
      else { return nil }
      return selection.with(fragment, [discriminator] + fragment.selections)
    }
  }

  private func discriminator(
    _ type: TypeID, for selections: [IR.Selection]
  ) -> IR.Selection? {
    guard schema[type].isAbstract, let field = field(for: type) else { return nil }
    let condition = selections.dropFirst().reduce(selections.first?.condition ?? .always) {
      $0.or($1.condition)
    }
    return IR.Selection(field, condition: condition)
  }

  private func field(for type: TypeID) -> IR.Field? {
    if let field = cache.fields[type] { return field }
    let field = IR.Field.discriminator(of: type, in: schema)
    cache.fields[type] = field
    return field
  }
}

extension IR.Field {
  /// The field `__isA: __typename` of an abstract type `A`.
  static func discriminator(of type: TypeID, in schema: Schema) -> IR.Field? {
    typename(in: schema, responseKey: schema.symbols.intern("__is" + schema.name(of: type)))
  }
}
