extension Rules {
  /// Requires a document to contain only operations and fragments.
  static let executableDefinitions: Rule = { context, visitors in
    visitors.typeSystem.append { definition in
      let subject =
        switch definition {
        case .type(let type): "\"\(context.text(type.name.symbol))\" definition"
        case .directive(let directive): "\"\(context.text(directive.name.symbol))\" definition"
        default: "schema definition"
        }
      context.report(
        "executable-definitions", "The \(subject) is not executable.", at: definition.span,
        help: "Move it to a schema file.")
    }
  }
}
