extension Rules {
  /// Requires every fragment to be reachable from an operation.
  static let noUnusedFragments: Rule = { context, visitors in
    visitors.finish.append {
      let roots = context.operations.flatMap(\.spreads)
      let used = Set(
        context.reachableFragments(from: roots).map {
          context.fragments[$0].definition.name.symbol
        })
      for fragment in context.fragments where !used.contains(fragment.definition.name.symbol) {
        context.report(
          "no-unused-fragments",
          "Fragment \"\(context.text(fragment.definition.name.symbol))\" is never used.",
          at: fragment.definition.span, help: "Spread it in an operation, or remove it.")
      }
    }
  }
}
