import GraphQLLanguage

/// A pass that selects `id` on every object that it may identify, or the key fields configured
/// instead. An `id` of a scalar that is not an id type is treated like any other field.
///
/// These fields come first, so that an object is identified before the objects below it are read.
struct AddIDs {
  private let schema: Schema
  private let node: NamedType?
  private let keys: KeyFields
  private let conflicts: Set<KeyConflicts.Field>
  /// The memoized selections and conditions, by type.
  private var cachedIDs: [TypeID: [IR.Selection]] = [:]
  private var cachedKeyConditions: [TypeID: [IR.Selection]] = [:]

  /// - Parameter conflicts: The fields to select under a distinct alias.
  static func apply(
    to program: IR.Program, aliasing conflicts: Set<KeyConflicts.Field> = []
  ) -> IR.Program {
    var pass = AddIDs(
      schema: program.schema, keys: program.keyFields, conflicts: conflicts)
    return program.replacingSelections { selection, _ in
      guard case .field(let field) = selection.content, !field.selections.isEmpty else {
        return nil
      }
      let missing = pass.missing(in: field)
      if missing.isEmpty { return nil }
      return selection.with(field.with(selections: missing + field.selections))
    }
  }

  private init(schema: Schema, keys: KeyFields, conflicts: Set<KeyConflicts.Field>) {
    self.schema = schema
    self.keys = keys
    self.conflicts = conflicts
    node = schema.type(named: "Node").flatMap { $0.kind == .interface ? $0 : nil }
  }

  /// Returns the identity fields to add to a linked field. An `id` that the field already selects
  /// unconditionally is not added again.
  private mutating func missing(in field: IR.Field) -> [IR.Selection] {
    if keys.isEmpty { return missingID(in: field) }
    let type = schema[field.type.named]
    let own = keys.fields(of: type).map { keyFields($0, of: type) }
    return (own ?? missingID(in: field)) + keyConditions(in: type)
  }

  private mutating func missingID(in field: IR.Field) -> [IR.Selection] {
    let hasKey = field.selections.contains {
      guard case .field(let inner) = $0.content else { return false }
      return inner.responseKey == .idField && $0.condition.isAlways && !$0.isImplicit
    }
    return hasKey ? [] : ids(of: field.type.named)
  }

  /// Returns the `id` selection of a type. For an abstract type without `id`, returns type
  /// conditions that select the `id` of its possible types.
  private mutating func ids(of type: TypeID) -> [IR.Selection] {
    if let cached = cachedIDs[type] { return cached }
    let named = schema[type]
    let ids = idField(of: named).map { [$0] } ?? (named.isAbstract ? conditionalIDs(of: named) : [])
    cachedIDs[type] = ids
    return ids
  }

  /// Returns selections of the key fields that identify a type's objects.
  private func keyFields(_ names: [Symbol], of type: NamedType) -> [IR.Selection] {
    names.compactMap { name in
      type.field(named: name).map { field in
        IR.Selection(
          IR.Field(
            responseKey: responseKey(name, field.type), name: name, type: field.type,
            details: .init(isKey: true)))
      }
    }
  }

  /// Returns type conditions that select the key fields of possible types with different key fields
  /// than the abstract type.
  private mutating func keyConditions(in type: NamedType) -> [IR.Selection] {
    guard type.isAbstract else { return [] }
    if let cached = cachedKeyConditions[type.id] { return cached }
    let own = keys.fields(of: type)
    let conditions = schema.possibleTypes(of: type).compactMap { concrete -> IR.Selection? in
      guard let names = keys.fields(of: schema[concrete]), names != own else { return nil }
      return IR.Selection(on: concrete, keyFields(names, of: schema[concrete]))
    }
    cachedKeyConditions[type.id] = conditions
    return conditions
  }

  private func idField(of type: NamedType) -> IR.Selection? {
    guard let field = type.field(named: .idField), keys.hasID(type, in: schema) else {
      return nil
    }
    return IR.Selection(
      IR.Field(responseKey: responseKey(.idField, field.type), name: .idField, type: field.type))
  }

  private func responseKey(_ name: Symbol, _ type: ResolvedType) -> Symbol {
    let field = KeyConflicts.Field(name: name, type: type)
    return conflicts.contains(field) ? field.alias(in: schema) : name
  }

  /// Returns type conditions that select `id` for an abstract type without that field: one on
  /// `Node`, and one on each other possible type with an `id`.
  private func conditionalIDs(of type: NamedType) -> [IR.Selection] {
    var result: [IR.Selection] = []
    let possible = schema.possibleTypes(of: type)
    if let node, let selection = idField(of: node),
      possible.contains(where: { schema.isSubtype($0, of: node.id) })
    {
      result.append(IR.Selection(on: node.id, [selection]))
    }
    for concrete in possible {
      if let node, schema.isSubtype(concrete, of: node.id) { continue }
      if keys.fields(of: schema[concrete]) != nil { continue }
      if let selection = idField(of: schema[concrete]) {
        result.append(IR.Selection(on: concrete, [selection]))
      }
    }
    return result
  }
}
