import GraphQLLanguage

/// A search for identity fields that conflict with other fields under their response key.
///
/// A server rejects an operation that selects two types under one response key, even on object
/// types that exclude each other:
///
///     pet{__typename ...on Dog{id} ...on Cat{id}}        Dog.id is of type ID, Cat.id of type ID!
///     pet{__typename ...on Dog{__id_ID:id} ...on Cat{__id_ID_NonNull:id}}
///
/// Fields in documents retain their response keys; fields added by ``AddIDs`` can use any.
struct KeyConflicts {
  /// A field with a type.
  struct Field: Hashable {
    let name: Symbol
    let type: ResolvedType

    /// Returns a response key used only for fields with this name and type.
    func alias(in schema: Schema) -> Symbol {
      schema.symbols.intern(
        "__\(schema.symbols[name])_\(schema.name(of: type.named))\(type.isNonNull ? "_NonNull" : "")"
      )
    }
  }

  private let fragments: [Symbol: IR.Fragment]
  /// The names of the fields that ``AddIDs`` adds.
  private let names: Set<Symbol>
  /// Whether any fields can conflict, because such a name has several types in the schema or is
  /// used as an alias.
  let isNeeded: Bool
  private var found: Set<Field> = []

  /// - Parameter program: The program that is sent. Its fragments contain selections that no object
  ///   satisfies where they are spread, but a server validates these as well.
  init(sent program: IR.Program) {
    fragments = program.fragmentsByName()
    let schema = program.schema
    let names = program.keyFields.names.union([.idField])
    self.names = names
    var types: [Symbol: ResolvedType] = [:]
    let hasSeveralTypes = schema.types.contains { type in
      names.contains { name in
        guard let field = type.field(named: name) else { return false }
        defer { types[name] = field.type }
        return types[name].map { $0 != field.type } ?? false
      }
    }
    isNeeded =
      hasSeveralTypes
      || program.hasSelection { selection in
        guard case .field(let field) = selection.content else { return false }
        return field.responseKey != field.name && names.contains(field.responseKey)
      }
  }

  /// Returns the conflicting fields in an operation.
  func conflicts(in operation: IR.Operation) -> Set<Field> {
    var search = self
    search.visit([operation.selections])
    return search.found
  }

  /// Visits the selection sets that can apply to one response object.
  // Not inlined: inlining a recursive function would copy each level into the one above.
  @inline(never)
  private mutating func visit(_ sets: [[IR.Selection]]) {
    var fields: [Symbol: [IR.Field]] = [:]
    var order: [Symbol] = []
    var expanded: Set<Symbol> = []
    // A work list instead of recursion, because chains of spreads can be long.
    var sets = sets
    while let selections = sets.popLast() {
      for selection in selections {
        switch selection.content {
        case .field(let field):
          if fields[field.responseKey] == nil { order.append(field.responseKey) }
          fields[field.responseKey, default: []].append(field)
        case .inlineFragment(let fragment): sets.append(fragment.selections)
        case .spread(let spread):
          guard expanded.insert(spread.name).inserted, let fragment = fragments[spread.name] else {
            continue
          }
          sets.append(fragment.selections)
        }
      }
    }
    for key in order {
      let same = fields[key] ?? []
      if names.contains(key), Set(same.map(\.type)).count > 1 {
        found.formUnion(same.map { Field(name: $0.name, type: $0.type) })
      }
      let inner = same.map(\.selections).filter { !$0.isEmpty }
      if !inner.isEmpty { visit(inner) }
    }
  }
}
