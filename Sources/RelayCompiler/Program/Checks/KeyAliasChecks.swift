import GraphQLLanguage

/// Reports aliases that are the name of an identifying field of the object, such as `id: number`.
///
/// The aliased field would take the response key of the identifying field, and the record would
/// lose its identity.
struct KeyAliasChecks {
  private let schema: Schema
  private let keys: KeyFields
  private let id: Symbol
  private var diagnostics: [Diagnostic] = []

  static func diagnostics(
    for documents: [Document], schema: Schema, keys: KeyFields
  ) -> [Diagnostic] {
    var checks = KeyAliasChecks(schema: schema, keys: keys)
    for definition in documents.lazy.flatMap(\.definitions) {
      switch definition {
      case .operation(let operation):
        guard let root = schema.rootType(of: operation.operation) else { continue }
        checks.check(operation.selectionSet, on: root)
      case .fragment(let fragment):
        guard let type = schema.type(named: fragment.typeCondition.symbol) else { continue }
        checks.check(fragment.selectionSet, on: type)
      default: continue
      }
    }
    return checks.diagnostics
  }

  private init(schema: Schema, keys: KeyFields) {
    self.schema = schema
    self.keys = keys
    id = schema.symbols.intern("id")
  }

  private mutating func check(_ set: SelectionSet, on type: NamedType) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        if let alias = field.alias, alias.symbol != field.name.symbol { check(alias, on: type) }
        guard let inner = field.selectionSet,
          let definition = schema.field(named: field.name.symbol, on: type)
        else { continue }
        check(inner, on: schema[definition.type.named])
      case .inlineFragment(let fragment):
        let inner = fragment.typeCondition.flatMap { schema.type(named: $0.symbol) } ?? type
        check(fragment.selectionSet, on: inner)
      case .fragmentSpread: continue
      }
    }
  }

  private mutating func check(_ alias: Name, on type: NamedType) {
    guard isKey(alias.symbol, of: type) else { return }
    let name = schema.symbols[alias.symbol]
    diagnostics.append(
      Diagnostic(
        rule: "key-alias",
        message:
          "Another field cannot be called \"\(name)\": objects of type \"\(schema.symbols[type.symbol])\" "
          + "are identified by their \"\(name)\". Choose another alias.", at: alias.span))
  }

  /// Whether `name` is an identifying field of a type, or of one of its possible types.
  private func isKey(_ name: Symbol, of type: NamedType) -> Bool {
    if name == .typename || has(name, type) { return true }
    guard type.isAbstract, name == id || !keys.isEmpty else { return false }
    return schema.possibleTypes(of: type).contains { has(name, schema[$0]) }
  }

  private func has(_ name: Symbol, _ type: NamedType) -> Bool {
    if let own = keys.fields(of: type) { return own.contains(name) }
    return name == id && keys.hasID(type, named: id, in: schema)
  }
}
