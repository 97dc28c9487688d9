extension Rules {
  /// Requires every type that a document names to be defined.
  static let knownTypeNames: Rule = { context, visitors in
    var defined: Set<Symbol> = []
    visitors.start.append {
      for document in context.documents {
        for case .type(let type) in document.definitions where !type.isExtension {
          defined.insert(type.name.symbol)
        }
      }
    }
    visitors.typeName.append { name, isTypeSystem in
      let symbol = name.symbol
      if context.schema.type(named: symbol) != nil || defined.contains(symbol) { return }
      if isTypeSystem, Schema.isStandardName(symbol) { return }
      func names() -> [String] {
        var names = context.schema.types.map(\.symbol)
        for symbol in defined.sorted() where context.schema.type(named: symbol) == nil {
          names.append(symbol)
        }
        if isTypeSystem {
          names += [.int, .float, .id].filter { context.schema.type(named: $0) == nil }
        }
        return names.map(context.text)
      }
      context.report(
        "known-type-names", "Unknown type \"\(context.text(symbol))\".", unknown: name,
        among: names())
    }
  }
}

extension Schema {
  /// Returns whether a name belongs to a built-in scalar or an introspection type, which need no
  /// definition.
  static func isStandardName(_ symbol: Symbol) -> Bool {
    switch symbol {
    case .int, .float, .string, .boolean, .id, .schemaType, .typeType, .fieldType, .inputValueType,
      .enumValueType, .typeKindType, .directiveType, .directiveLocationType:
      true
    default: false
    }
  }
}
