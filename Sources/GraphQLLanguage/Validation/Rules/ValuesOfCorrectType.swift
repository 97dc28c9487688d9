extension Rules {
  /// Requires every value to be valid for the type expected at its position.
  static let valuesOfCorrectType: Rule = { context, visitors in
    let name = "values-of-correct-type"
    var variables: [Symbol: VariableDefinition] = [:]
    visitors.operation.append { operation in
      variables = Dictionary(
        operation.variables.map { ($0.name.symbol, $0) }, uniquingKeysWith: { $1 })
    }
    visitors.fragment.append { _ in variables = [:] }
    visitors.value.append { value, position in
      guard !position.isReported else { return }
      guard let type = position.type else {
        return
      }
      let named = context.schema[type.named]
      switch value.kind {
      case .null:
        guard type.isNonNull else { return }
        context.report(
          name, "Expected value of type \"\(context.schema.text(of: type))\", found null.",
          at: value.span)
      case .list where type.isList: return
      case .object(let fields) where named.kind == .inputObject:
        checkFields(fields, of: named, at: value.span, variables, in: context)
      default:
        let check = LiteralCheck(
          schema: context.schema, suggestionBudget: context.suggestionBudget)
        guard let problem = check.problem(with: value, as: type) else { return }
        context.report(
          name, problem.message, at: value.span, help: values(of: named, in: context),
          correction: .replacement(of: value.span, with: problem.suggestions))
      }
    }
  }

  /// Returns help that lists the values of an enum; `nil` for other types.
  private static func values(of type: NamedType, in context: ValidationContext) -> String? {
    guard type.kind == .enum, !type.enumValues.isEmpty else { return nil }
    let shown = type.enumValues.prefix(20).map { context.text($0.symbol) }
    let rest = type.enumValues.count - shown.count
    return "Use one of " + shown.joined(separator: ", ")
      + (rest > 0 ? " or \(rest) more." : ".")
  }

  private static func checkFields(
    _ fields: [ObjectField], of type: NamedType, at span: Span,
    _ variables: [Symbol: VariableDefinition], in context: ValidationContext
  ) {
    let name = "values-of-correct-type"
    let typeName = context.text(type.symbol)
    for definition in type.inputFields where definition.isRequired {
      if fields.contains(where: { $0.name.symbol == definition.symbol }) { continue }
      context.report(
        name,
        "Field \"\(typeName).\(context.text(definition.symbol))\" of required type "
          + "\"\(context.schema.text(of: definition.type))\" was not provided.",
        at: span)
    }
    for field in fields where type.inputFields[named: field.name.symbol] == nil {
      let fieldName = context.text(field.name.symbol)
      let names = type.inputFields.lazy.map { context.text($0.symbol) }
      context.report(
        name,
        "Field \"\(fieldName)\" is not defined by type \"\(typeName)\".", unknown: field.name,
        among: names, at: field.span)
    }
    if type.isOneOf { checkOneOf(fields, of: type, at: span, variables, in: context) }
  }

  private static func checkOneOf(
    _ fields: [ObjectField], of type: NamedType, at span: Span,
    _ variables: [Symbol: VariableDefinition], in context: ValidationContext
  ) {
    let name = "values-of-correct-type"
    let typeName = context.text(type.symbol)
    guard let field = fields.last, Set(fields.map(\.name.symbol)).count == 1 else {
      context.report(
        name, "OneOf Input Object \"\(typeName)\" must specify exactly one key.", at: span)
      return
    }
    switch field.value.kind {
    case .null:
      context.report(
        name, "Field \"\(typeName).\(context.text(field.name.symbol))\" must be non-null.",
        at: span)
    case .variable(let symbol):
      guard let variable = variables[symbol], !variable.type.shape.isNonNull else { return }
      context.report(
        name,
        "Variable \"\(context.text(symbol))\" must be non-nullable to be used for OneOf Input "
          + "Object \"\(typeName)\".",
        at: span)
    default: return
    }
  }
}
