extension Rules {
  /// Requires every variable that an operation or its fragments use to be defined by the operation.
  static let noUndefinedVariables: Rule = { context, visitors in
    visitors.finish.append {
      for operation in context.operations {
        let defined = Set(operation.definition.variables.map(\.name.symbol))
        context.forEachUsage(in: operation) { usage in
          if defined.contains(usage.symbol) { return }
          let names = operation.definition.variables.map { context.text($0.name.symbol) }
          let similar = context.suggestionBudget.suggestions(
            for: context.text(usage.symbol), among: names)
          let variable = "Variable \"$\(context.text(usage.symbol))\" is not defined"
          context.report(
            "no-undefined-variables",
            operation.definition.name.map {
              "\(variable) by operation \"\(context.text($0.symbol))\"."
            } ?? "\(variable).",
            at: usage.span, operation.definition.span,
            correction: .replacement(of: usage.span, with: similar.map { "$" + $0 }))
        }
      }
    }
  }
}
