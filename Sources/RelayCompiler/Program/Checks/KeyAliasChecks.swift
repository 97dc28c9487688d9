import GraphQLLanguage

/// A check for aliases named like an identifying field of the object, such as `id: number`.
///
/// The aliased field would take the identifying field's response key, and the record would lose its
/// identity.
struct KeyAliasChecks {
  let schema: Schema
  let keys: KeyFields

  func diagnostics(for definition: ExecutableDefinition) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    schema.forEachSelection(of: definition) { selection, type in
      guard case .field(let field) = selection, let alias = field.alias,
        alias.symbol != field.name.symbol, isKey(alias.symbol, of: type)
      else { return }
      let name = schema.symbols[alias.symbol]
      diagnostics.report(
        rule: "key-alias",
        message:
          "Another field cannot be called \"\(name)\": objects of type \"\(schema.symbols[type.symbol])\" "
          + "are identified by their \"\(name)\". Choose another alias.", at: alias.span)
    }
    return diagnostics
  }

  /// Returns whether `name` is an identifying field of a type or of one of its possible types.
  private func isKey(_ name: Symbol, of type: NamedType) -> Bool {
    if name == .typename || has(name, type) { return true }
    guard type.isAbstract, name == .idField || !keys.isEmpty else { return false }
    return schema.possibleTypes(of: type).contains { has(name, schema[$0]) }
  }

  private func has(_ name: Symbol, _ type: NamedType) -> Bool {
    if let own = keys.fields(of: type) { return own.contains(name) }
    return name == .idField && keys.hasID(type, in: schema)
  }
}
