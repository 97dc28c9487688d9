extension Rules {
  /// Requires every variable that an operation defines to be used by it or its fragments.
  static let noUnusedVariables: Rule = { context, visitors in
    visitors.finish.append {
      for operation in context.operations where !operation.definition.variables.isEmpty {
        var used: Set<Symbol> = []
        context.forEachUsage(in: operation) { used.insert($0.symbol) }
        for variable in operation.definition.variables where !used.contains(variable.name.symbol) {
          let subject = "Variable \"$\(context.text(variable.name.symbol))\" is never used"
          context.report(
            "no-unused-variables",
            operation.definition.name.map {
              "\(subject) in operation \"\(context.text($0.symbol))\"."
            } ?? "\(subject).",
            at: variable.span, help: "Use it, or remove it.")
        }
      }
    }
  }
}
