extension Rules {
  /// What `@argumentDefinitions` declares has the form `name: {type: "Type", defaultValue: …}`.
  static let fragmentArgumentDefinitions: Rule = { context, visitors in
    visitors.fragment.append { fragment in
      for directive in fragment.directives
      where RelayDirectives.isArgumentDefinitions(directive, in: context.schema.symbols) {
        if directive.arguments.isEmpty {
          context.report(
            "fragment-argument-definitions", "\"@argumentDefinitions\" declares nothing.",
            at: directive.span, help: "Remove it, or declare an argument.")
        }
        for argument in directive.arguments { check(argument, in: context) }
      }
    }
  }

  private static func check(_ argument: Argument, in context: ValidationContext) {
    let name = context.text(argument.name.symbol)
    func report(_ message: String, at span: Span) {
      context.report(
        "fragment-argument-definitions", message, at: span,
        help: "Write it as \(name): {type: \"Int\", defaultValue: 10}.")
    }
    guard case .object(let fields) = argument.value.kind else {
      return report("Argument \"\(name)\" is not declared by an object.", at: argument.value.span)
    }
    var type: Value?
    for field in fields {
      let key = context.text(field.name.symbol)
      switch key {
      case "type": type = field.value
      case "defaultValue":
        if let variable = field.value.firstVariable {
          report("The default of argument \"\(name)\" has a variable.", at: variable)
        }
      default:
        report(
          key == "provider"
            ? "Argument \"\(name)\" has a provider, which is not supported yet."
            : "The declaration of argument \"\(name)\" has an unknown key \"\(key)\".",
          at: field.span)
      }
    }
    guard let type else {
      return report("Argument \"\(name)\" is declared without a type.", at: argument.value.span)
    }
    guard case .string(let text, _) = type.kind else {
      return report("The type of argument \"\(name)\" is not a string.", at: type.span)
    }
    let resolved = TypeReference.parse(text, in: context.schema.symbols)
      .flatMap(context.schema.resolve)
    if resolved.map({ context.schema[$0.named].isInput }) != true {
      report("The type of argument \"\(name)\", \"\(text)\", is no input type.", at: type.span)
    }
  }
}

extension Value {
  /// Where its first variable stands.
  fileprivate var firstVariable: Span? {
    switch kind {
    case .variable: span
    case .list(let values): values.lazy.compactMap(\.firstVariable).first
    case .object(let fields): fields.lazy.compactMap(\.value.firstVariable).first
    default: nil
    }
  }
}
