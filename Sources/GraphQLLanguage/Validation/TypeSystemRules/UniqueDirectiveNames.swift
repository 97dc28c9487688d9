extension Rules {
  /// Requires directives to have distinct names.
  static let uniqueDirectiveNames: Rule = { context, visitors in
    var seen: [Symbol: Name] = [:]
    visitors.typeSystem.append { definition in
      guard case .directive(let directive) = definition else { return }
      reportRepeated([directive.name], seen: &seen) { first, name in
        context.report(
          "unique-directive-names",
          "There can be only one directive named \"@\(context.text(name.symbol))\".",
          at: first.span, name.span)
      }
    }
  }
}
