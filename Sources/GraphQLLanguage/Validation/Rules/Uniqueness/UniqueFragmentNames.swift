extension Rules {
  /// Requires fragments to have distinct names.
  static let uniqueFragmentNames: Rule = { context, visitors in
    visitors.start.append {
      var seen: [Symbol: Name] = [:]
      reportRepeated(context.fragments.map(\.definition.name), seen: &seen) { first, name in
        context.report(
          "unique-fragment-names",
          "There can be only one fragment named \"\(context.text(name.symbol))\".",
          at: first.span, name.span, help: "Rename one of them.")
      }
    }
  }
}
