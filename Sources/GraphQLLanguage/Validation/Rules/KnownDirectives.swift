extension Rules {
  /// Requires every directive to be defined and allowed at its location.
  static let knownDirectives: Rule = { context, visitors in
    // Memoized, because a schema can have the same unknown directive on every field.
    var unknown: [DirectiveLocation: [Symbol: String]] = [:]
    func message(for symbol: Symbol, at location: DirectiveLocation) -> String {
      if let message = unknown[location]?[symbol] { return message }
      let name = "@" + context.text(symbol)
      let names = context.directives.symbols.filter {
        context.directives[$0]?.locations.contains(location) == true
      }.map { "@" + context.text($0) }
      let message =
        "Unknown directive \"\(name)\"." + context.didYouMean(name, among: names)
      unknown[location, default: [:]][symbol] = message
      return message
    }
    visitors.directives.append { directives, location in
      for directive in directives {
        let name = context.text(directive.name.symbol)
        guard let definition = context.directives[directive.name.symbol] else {
          context.report(
            "known-directives", message(for: directive.name.symbol, at: location),
            at: directive.span)
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
