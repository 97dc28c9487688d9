extension Rules {
  /// Requires an anonymous operation to be the only operation.
  static let loneAnonymousOperation: Rule = { context, visitors in
    visitors.start.append {
      guard context.operations.count > 1 else { return }
      for operation in context.operations where operation.definition.name == nil {
        context.report(
          "lone-anonymous-operation",
          "This anonymous operation must be the only defined operation.",
          at: operation.definition.span, help: "Give it a name.")
      }
    }
  }
}
