extension Rules {
  /// Requires the arguments of `@argumentDefinitions` to have the form
  /// `name: {type: "Type", defaultValue: …}` or `name: {type: "Type", provider: "SwiftType"}`. The
  /// quotes around the type are optional.
  static let fragmentArgumentDefinitions: Rule = { context, visitors in
    visitors.fragment.append { fragment in
      for directive in fragment.directives
      where RelayDirectives.isArgumentDefinitions(directive) {
        if directive.arguments.isEmpty {
          context.report(
            "fragment-argument-definitions", "\"@argumentDefinitions\" declares no arguments.",
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
      return report(
        "Argument \"\(name)\" must be declared with an object.", at: argument.value.span)
    }
    var type: Value?
    for field in fields {
      let key = context.text(field.name.symbol)
      switch key {
      case "type": type = field.value
      case "defaultValue":
        var variables: [Span] = []
        field.value.forEachVariable { variables.append($1) }
        if let variable = variables.first {
          report("The default of argument \"\(name)\" uses a variable.", at: variable)
        }
      case "provider": checkProvider(field.value, of: name, in: context)
      default:
        report(
          "The declaration of argument \"\(name)\" has an unknown key \"\(key)\".", at: field.span)
      }
    }
    checkDefault(in: fields, of: name, context: context)
    guard let type else {
      return report("Argument \"\(name)\" is declared without a type.", at: argument.value.span)
    }
    guard let reference = RelayDirectives.declaredType(type, in: context.schema.symbols) else {
      return report("The type of argument \"\(name)\" is not the name of a type.", at: type.span)
    }
    let resolved = context.schema.resolve(reference)
    if resolved.map({ context.schema[$0.named].isInput }) != true {
      let text = reference.shape.text(around: context.text(reference.name.symbol))
      report("The type of argument \"\(name)\", \"\(text)\", is not an input type.", at: type.span)
    }
  }
}

extension Rules {
  fileprivate static func checkDefault(
    in fields: [ObjectField], of name: String, context: ValidationContext
  ) {
    guard let provider = fields.first(where: { context.text($0.name.symbol) == "provider" }),
      let given = fields.first(where: { context.text($0.name.symbol) == "defaultValue" })
    else { return }
    context.report(
      "fragment-argument-definitions",
      "Argument \"\(name)\" has a provider and cannot have a default.", at: given.span,
      provider.span,
      help: "Remove one of them.")
  }

  fileprivate static func checkProvider(
    _ value: Value, of name: String, in context: ValidationContext
  ) {
    if case .string(let text, _) = value.kind, text.isTypeName { return }
    context.report(
      "fragment-argument-definitions",
      "The provider of argument \"\(name)\" is not the name of a Swift type.", at: value.span,
      help: "Name a type with a static func get(), such as provider: \"ScreenScale\".")
  }
}
