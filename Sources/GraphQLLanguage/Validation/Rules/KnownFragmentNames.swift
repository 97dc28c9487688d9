extension Rules {
  /// Requires every spread fragment to be defined.
  static let knownFragmentNames: Rule = { context, visitors in
    visitors.fragmentSpread.append { spread, _ in
      let symbol = spread.name.symbol
      guard context.fragmentPosition(symbol) == nil else { return }
      let names = context.otherFragments.union(
        context.fragments.map(\.definition.name.symbol))
      context.report(
        "known-fragment-names", "Unknown fragment \"\(context.text(symbol))\".",
        unknown: spread.name, among: names.map(context.text))
    }
  }
}
