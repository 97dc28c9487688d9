extension Rules {
  /// Requires fragments to have distinct names.
  static let uniqueFragmentNames: Rule = { context, visitors in
    visitors.start.append {
      var seen: [Symbol: Name] = [:]
      for fragment in context.fragments {
        let name = fragment.definition.name
        guard let first = seen[name.symbol] else {
          seen[name.symbol] = name
          continue
        }
        context.report(
          "unique-fragment-names",
          "There can be only one fragment named \"\(context.text(name.symbol))\".",
          at: first.span, name.span, help: "Rename one of them.")
      }
    }
  }
}
