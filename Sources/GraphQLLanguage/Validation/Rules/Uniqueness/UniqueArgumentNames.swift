extension Rules {
  /// Requires each argument of a field or directive to be given once.
  static let uniqueArgumentNames: Rule = { context, visitors in
    visitors.arguments.append { arguments in
      guard arguments.count > 1 else { return }
      for names in repeated(arguments.map(\.name)) {
        context.report(
          "unique-argument-names",
          "There can be only one argument named \"\(context.text(names[0].symbol))\".",
          at: names.map(\.span))
      }
    }
  }
}
