extension Rules {
  /// Requires operations to have distinct names.
  static let uniqueOperationNames: Rule = { context, visitors in
    visitors.start.append {
      var seen: [Symbol: Name] = [:]
      for name in context.operations.compactMap(\.definition.name) {
        guard let first = seen[name.symbol] else {
          seen[name.symbol] = name
          continue
        }
        context.report(
          "unique-operation-names",
          "There can be only one operation named \"\(context.text(name.symbol))\".",
          at: first.span, name.span, help: "Rename one of them.")
      }
    }
  }
}
