extension SchemaRules {
  /// Forbids an input field's default value from containing itself through the default values of
  /// omitted fields.
  static let defaultValueCycles: SchemaRule = { check in
    let schema = check.schema
    var search = CycleSearch<InputFieldID, InputFieldID> { input in
      guard let field = input.field(in: schema), let value = field.defaultValue else { return [] }
      return schema.defaultDependencies(of: value, as: field.type).reversed().map { ($0, input) }
    }
    for type in check.types where type.kind == .inputObject {
      for field in type.inputFields where field.defaultValue != nil {
        for cycle in search.cycles(from: InputFieldID(type: type.id, name: field.symbol)) {
          check.report(
            "default-value-cycles",
            "The default value of \"\(cycle[0].text(in: schema))\" contains itself through the "
              + "default values of fields it leaves out.",
            at: cycle.compactMap { $0.field(in: schema)?.definition.span })
        }
      }
    }
  }
}

private struct InputFieldID: Hashable {
  let type: TypeID
  let name: Symbol

  func field(in schema: Schema) -> SchemaInputValue? { schema[type].inputFields[named: name] }

  func text(in schema: Schema) -> String { "\(schema.name(of: type)).\(schema.symbols[name])" }
}

extension Schema {
  /// Returns the input fields whose default values apply because a value omits them.
  fileprivate func defaultDependencies(of value: Value, as type: ResolvedType) -> [InputFieldID] {
    let named = self[type.named]
    guard named.kind == .inputObject else { return [] }
    switch value.kind {
    case .list(let items): return items.flatMap { defaultDependencies(of: $0, as: type) }
    case .object(let fields):
      return named.inputFields.flatMap { definition -> [InputFieldID] in
        if let given = fields.first(where: { $0.name.symbol == definition.symbol }) {
          return defaultDependencies(of: given.value, as: definition.type)
        }
        if definition.defaultValue == nil { return [] }
        return [InputFieldID(type: named.id, name: definition.symbol)]
      }
    default: return []
    }
  }
}
