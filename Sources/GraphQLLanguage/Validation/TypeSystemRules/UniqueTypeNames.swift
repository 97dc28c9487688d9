extension Rules {
  /// Requires types to have distinct names.
  static let uniqueTypeNames: Rule = { context, visitors in
    var seen: [Symbol: Span] = [:]
    visitors.typeSystem.append { definition in
      guard case .type(let type) = definition, !type.isExtension else { return }
      guard let first = seen[type.name.symbol] else {
        seen[type.name.symbol] = type.name.span
        return
      }
      context.report(
        "unique-type-names",
        "There can be only one type named \"\(context.text(type.name.symbol))\".",
        at: first, type.name.span, help: "Rename one, or make it an extension.")
    }
  }
}
