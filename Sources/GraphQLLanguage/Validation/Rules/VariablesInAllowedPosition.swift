extension Rules {
  /// Requires every variable's type to be valid in the positions where it is used.
  static let variablesInAllowedPosition: Rule = { context, visitors in
    visitors.finish.append {
      for operation in context.operations where !operation.definition.variables.isEmpty {
        let variables = Dictionary(
          operation.definition.variables.map { ($0.name.symbol, $0) }, uniquingKeysWith: { $1 })
        context.forEachUsage(in: operation) { usage in
          guard let variable = variables[usage.symbol],
            let type = context.schema.resolve(variable.type)
          else { return }
          report(
            usage, type, hasDefault: variable.defaultValue?.isNonNullLiteral == true,
            at: variable.span, in: context)
        }
      }
      for fragment in context.fragments where !fragment.fragmentVariables.isEmpty {
        for usage in fragment.usages {
          guard
            let variable = fragment.fragmentVariables.first(where: {
              $0.name.symbol == usage.symbol
            }),
            let type = variable.type
          else { continue }
          report(
            usage, type, hasDefault: variable.defaultValue?.isNonNullLiteral == true,
            at: variable.name.span, in: context)
        }
      }
    }
  }

  private static func report(
    _ usage: VariableUsage, _ type: ResolvedType, hasDefault: Bool, at span: Span,
    in context: ValidationContext
  ) {
    guard let expected = usage.position.type else { return }
    let variable = "Variable \"$\(context.text(usage.symbol))\" of type"
    var required = expected
    if expected.isNonNull, !type.isNonNull, hasDefault || usage.position.hasDefault {
      required = expected.nullable
    }
    if !context.schema.isSubtype(type, of: required) {
      context.report(
        "variables-in-allowed-position",
        "\(variable) \"\(context.schema.text(of: type))\" used in position expecting type "
          + "\"\(context.schema.text(of: expected))\".",
        at: span, usage.span)
    }
    if let parent = usage.position.parent, parent.isOneOf, !type.isNonNull {
      context.report(
        "variables-in-allowed-position",
        "\(variable) \"\(context.schema.text(of: type))\" must be non-nullable to be used for "
          + "OneOf Input Object \"\(context.text(parent.symbol))\".",
        at: span, usage.span)
    }
  }
}
