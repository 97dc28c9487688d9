extension Rules {
  /// Requires every directive to be defined and allowed at its location.
  static let knownDirectives: Rule = { context, visitors in
    // Memoized, because a schema can have the same unknown directive on every field.
    var unknown: [DirectiveLocation: [Symbol: [String]]] = [:]
    func suggestions(for symbol: Symbol, at location: DirectiveLocation) -> [String] {
      if let suggestions = unknown[location]?[symbol] { return suggestions }
      let names = context.directives.symbols.filter {
        context.directives[$0]?.locations.contains(location) == true
      }.map { "@" + context.text($0) }
      let suggestions = context.suggestionBudget.suggestions(
        for: "@" + context.text(symbol), among: names)
      unknown[location, default: [:]][symbol] = suggestions
      return suggestions
    }
    visitors.directives.append { directives, location in
      for directive in directives {
        let name = context.text(directive.name.symbol)
        guard let definition = context.directives[directive.name.symbol] else {
          let names = suggestions(for: directive.name.symbol, at: location)
          context.report(
            "known-directives",
            "Unknown directive \"@\(name)\"." + (didYouMean(names).map { " " + $0 } ?? ""),
            at: directive.span,
            correction: .replacement(
              of: directive.name.span, with: names.map { String($0.dropFirst()) }))
          continue
        }
        guard !definition.locations.contains(location) else { continue }
        let allowed = definition.locations.map { context.text($0.symbol) }
        context.report(
          "known-directives",
          "Directive \"@\(name)\" may not be used on \(context.text(location.symbol)).",
          at: directive.span, help: "It is allowed on \(allowed.joined(separator: ", ")).")
      }
    }
  }
}
