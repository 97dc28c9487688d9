extension SchemaRules {
  /// Forbids names that start with two underscores, which are reserved for introspection.
  static let reservedNames: SchemaRule = { check in
    func isReserved(_ symbol: Symbol) -> Bool {
      check.schema.symbols.hasReservedPrefix(symbol)
    }
    var found: [(Symbol, Span)] = []
    func collect(_ values: [InputValueDefinition]) {
      for value in values where isReserved(value.name.symbol) {
        found.append((value.name.symbol, value.span))
      }
    }
    for directive in check.schema.directives where !directive.isBuiltIn {
      if isReserved(directive.symbol) {
        found.append((directive.symbol, directive.definition.span))
      }
      collect(directive.definition.arguments)
    }
    for type in check.types {
      if !type.isBuiltIn, isReserved(type.symbol) {
        found.append((type.symbol, type.definition.span))
      }
      for definition in type.isBuiltIn ? type.extensions : type.definitions {
        for field in definition.fields {
          if isReserved(field.name.symbol) { found.append((field.name.symbol, field.span)) }
          collect(field.arguments)
        }
        for value in definition.enumValues where isReserved(value.name.symbol) {
          found.append((value.name.symbol, value.span))
        }
        collect(definition.inputFields)
      }
    }
    for (symbol, span) in found {
      check.report(
        "reserved-names",
        "Name \"\(check.text(symbol))\" must not begin with \"__\", which is reserved by GraphQL "
          + "introspection.", at: span)
    }
  }
}

extension SymbolTable {
  /// Returns whether a symbol's string starts with two underscores.
  func hasReservedPrefix(_ symbol: Symbol) -> Bool {
    var bytes = self[symbol].utf8.makeIterator()
    return bytes.next() == 0x5F && bytes.next() == 0x5F
  }
}
