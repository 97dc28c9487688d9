extension Rules {
  /// Requires operations to have distinct names.
  static let uniqueOperationNames: Rule = { context, visitors in
    visitors.start.append {
      var seen: [Symbol: Name] = [:]
      let names = context.operations.compactMap(\.definition.name)
      reportRepeated(names, seen: &seen) { first, name in
        context.report(
          "unique-operation-names",
          "There can be only one operation named \"\(context.text(name.symbol))\".",
          at: first.span, name.span, help: "Rename one of them.")
      }
    }
  }
}
