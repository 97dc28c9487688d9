extension Rules {
  /// Requires the fields of a type and its extensions to have distinct names.
  static let uniqueFieldDefinitionNames: Rule = { context, visitors in
    var seen: [Symbol: [Symbol: Name]] = [:]
    visitors.typeSystem.append { definition in
      guard case .type(let type) = definition else { return }
      let names = type.fields.map(\.name) + type.inputFields.map(\.name)
      guard !names.isEmpty else { return }
      reportRepeated(names, seen: &seen[type.name.symbol, default: [:]]) { first, name in
        context.report(
          "unique-field-definition-names",
          "Field \"\(context.text(type.name.symbol)).\(context.text(name.symbol))\" can only be defined once.",
          at: first.span, name.span)
      }
    }
  }
}
