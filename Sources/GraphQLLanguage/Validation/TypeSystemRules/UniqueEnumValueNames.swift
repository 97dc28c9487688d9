extension Rules {
  /// Requires the values of an enum and its extensions to have distinct names.
  static let uniqueEnumValueNames: Rule = { context, visitors in
    var seen: [Symbol: [Symbol: Name]] = [:]
    visitors.typeSystem.append { definition in
      guard case .type(let type) = definition, !type.enumValues.isEmpty else { return }
      reportRepeated(type.enumValues.map(\.name), seen: &seen[type.name.symbol, default: [:]]) {
        first, name in
        context.report(
          "unique-enum-value-names",
          "Enum value \"\(context.text(type.name.symbol)).\(context.text(name.symbol))\" can only be defined once.",
          at: first.span, name.span)
      }
    }
  }

  /// Calls `report` for each repetition of a name, passing the first occurrence and the repeated
  /// one.
  static func reportRepeated(
    _ names: [Name], seen: inout [Symbol: Name], report: (Name, Name) -> Void
  ) {
    for name in names {
      if let first = seen[name.symbol] { report(first, name) } else { seen[name.symbol] = name }
    }
  }
}
