extension Rules {
  /// Requires the arguments that a field or directive defines to have distinct names.
  static let uniqueArgumentDefinitionNames: Rule = { context, visitors in
    func check(_ arguments: [InputValueDefinition], of owner: @autoclosure () -> String) {
      guard arguments.count > 1 else { return }
      for names in repeated(arguments.map(\.name)) {
        context.report(
          "unique-argument-definition-names",
          "Argument \"\(owner())(\(context.text(names[0].symbol)):)\" can only be defined once.",
          at: names.map(\.span))
      }
    }
    visitors.typeSystem.append { definition in
      switch definition {
      case .type(let type):
        for field in type.fields where field.arguments.count > 1 {
          check(
            field.arguments,
            of: "\(context.text(type.name.symbol)).\(context.text(field.name.symbol))")
        }
      case .directive(let directive):
        check(directive.arguments, of: "@\(context.text(directive.name.symbol))")
      default: return
      }
    }
  }
}
