extension Rules {
  /// Requires every selected field to exist on its parent type.
  static let fieldsOnCorrectType: Rule = { context, visitors in
    visitors.field.append { field, parent, definition in
      guard let parent, definition == nil else { return }
      let name = context.text(field.name.symbol)
      let message = "Cannot query field \"\(name)\" on type \"\(context.text(parent.symbol))\"."
      let types = typesWithField(field.name.symbol, under: parent, in: context)
        .prefix(5).map { context.text($0.symbol) }
      if let hint = didYouMean(types, subject: "to use an inline fragment on") {
        context.report(
          "fields-on-correct-type", message + " " + hint, at: field.nameSpan,
          correction: .inlineFragment(on: types))
      } else {
        context.report(
          "fields-on-correct-type", message, unknown: field.name,
          among: parent.fields.lazy.map { context.text($0.symbol) }, at: field.nameSpan)
      }
    }
  }

  /// Returns the types on which an inline fragment could select the field: the most widely
  /// implemented interfaces first, then object types.
  private static func typesWithField(
    _ name: Symbol, under parent: NamedType, in context: ValidationContext
  ) -> [NamedType] {
    let schema = context.schema
    guard parent.isAbstract,
      context.suggestionBudget.spend(schema.possibleTypes(of: parent).count)
    else { return [] }
    var interfaces: [TypeID: Int] = [:]
    var found: [NamedType] = []
    for id in schema.possibleTypes(of: parent) {
      let type = schema[id]
      guard type.fields[named: name] != nil else { continue }
      found.append(type)
      for id in type.interfaces where schema[id].fields[named: name] != nil {
        interfaces[id, default: 0] += 1
      }
    }
    let types = found + interfaces.keys.sorted().map { schema[$0] }
    return types.sorted { left, right in
      let counts = (interfaces[left.id] ?? 0, interfaces[right.id] ?? 0)
      if counts.0 != counts.1 { return counts.0 > counts.1 }
      if schema.isSubtype(right.id, of: left.id) { return true }
      if schema.isSubtype(left.id, of: right.id) { return false }
      return schema.symbols[left.symbol] < schema.symbols[right.symbol]
    }
  }
}
