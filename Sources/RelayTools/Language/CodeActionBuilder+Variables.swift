import GraphQLLanguage

extension CodeActionBuilder {
  /// A literal that a variable can replace.
  private typealias Literal = (value: Value, name: Symbol, type: ResolvedType)

  /// Adds the change that turns the literal at the range into a variable, with the literal as its
  /// default value.
  mutating func addVariable(in definition: Definition) {
    guard let literal = literal(in: definition) else { return }
    let (type, value) = (schema.text(of: literal.type), symbols.text(of: literal.value))
    switch definition {
    case .operation(let operation):
      let name = free(literal.name, operation.variables.map(\.name))
      let variable = "$\(name): \(type) = \(value)"
      if let last = operation.variables.last {
        add(name, for: literal, declaredBy: ", " + variable, after: last.span)
      } else if let operationName = operation.name {
        add(name, for: literal, declaredBy: "(\(variable))", after: operationName.span)
      }
    case .fragment(let fragment):
      let variables = context.fragmentVariables(of: fragment.name.symbol)
      let name = free(literal.name, variables.map(\.name))
      let variable = "\(name): {type: \"\(type)\", defaultValue: \(value)}"
      let directive = fragment.directives.first {
        RelayDirectives.isArgumentDefinitions($0)
      }
      if let last = directive?.arguments.last {
        add(name, for: literal, declaredBy: ", " + variable, after: last.span)
      } else if directive == nil {
        add(
          name, for: literal, declaredBy: " @argumentDefinitions(\(variable))",
          after: fragment.typeCondition.span)
      }
    case .schema, .type, .directive: return
    }
  }

  private mutating func add(
    _ name: String, for literal: Literal, declaredBy declaration: String, after span: Span
  ) {
    let end = Span(start: span.end, end: span.end, source: span.source)
    actions.append(
      Action(
        title: "Make a variable \"$\(name)\"", kind: .extract,
        edits: [
          Edit(span: end, text: declaration),
          Edit(span: literal.value.span, text: "$\(name)"),
        ]))
  }

  /// Returns the name for a variable; appends a number if another variable has the name.
  private func free(_ name: Symbol, _ taken: [Name]) -> String {
    let (name, taken) = (symbols[name], Set(taken.map { symbols[$0.symbol] }))
    if !taken.contains(name) { return name }
    return (2...).lazy.map { "\(name)\($0)" }.first { !taken.contains($0) } ?? name
  }

  /// Returns the innermost literal at the range, if it can be a variable.
  private func literal(in definition: Definition) -> Literal? {
    guard let set = definition.selectionSet, contains(set.span) else { return nil }
    var walker = OccurrenceWalker(context)
    walker.collectsLiterals = true
    walker.walk(definition)
    guard let found = walker.literals.last(where: { contains($0.value.span) }),
      let type = found.type, !found.value.hasVariables, found.value.kind != .null
    else { return nil }
    return (found.value, found.name, type)
  }
}

extension Value {
  /// Whether the value is or contains a variable.
  fileprivate var hasVariables: Bool {
    switch kind {
    case .variable: true
    case .list(let items): items.contains(where: \.hasVariables)
    case .object(let fields): fields.contains { $0.value.hasVariables }
    default: false
    }
  }
}
