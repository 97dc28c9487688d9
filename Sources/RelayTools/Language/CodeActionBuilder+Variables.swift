import GraphQLLanguage

extension CodeActionBuilder {
  /// A literal at an argument or input field, with the type that is expected there.
  private struct Literal {
    let value: Value
    let name: Symbol
    let type: ResolvedType
  }

  /// Adds the change that makes a variable of the literal at the range, with the literal as its
  /// default value.
  mutating func addVariable(in definition: Definition) {
    switch definition {
    case .operation(let operation):
      let root = schema.rootType(of: operation.operation)
      guard let literal = literal(in: operation.selectionSet, on: root) else { return }
      let taken = Set(operation.variables.map { symbols[$0.name.symbol] })
      let name = free(symbols[literal.name], taken)
      let variable =
        "$\(name): \(schema.text(of: literal.type)) = \(symbols.text(of: literal.value))"
      if let last = operation.variables.last {
        add(name, for: literal, declaredBy: Edit(span: last.span.atEnd, text: ", " + variable))
      } else if let operationName = operation.name {
        add(
          name, for: literal,
          declaredBy: Edit(span: operationName.span.atEnd, text: "(\(variable))"))
      }
    case .fragment(let fragment):
      let type = context.composite(fragment.typeCondition.symbol)
      guard let literal = literal(in: fragment.selectionSet, on: type) else { return }
      let variables = context.fragmentVariables(of: fragment.name.symbol)
      let name = free(symbols[literal.name], Set(variables.map { symbols[$0.name.symbol] }))
      let variable =
        "\(name): {type: \"\(schema.text(of: literal.type))\", "
        + "defaultValue: \(symbols.text(of: literal.value))}"
      let directive = fragment.directives.first {
        RelayDirectives.isArgumentDefinitions($0)
      }
      if let last = directive?.arguments.last {
        add(name, for: literal, declaredBy: Edit(span: last.span.atEnd, text: ", " + variable))
      } else if directive == nil {
        add(
          name, for: literal,
          declaredBy: Edit(
            span: fragment.typeCondition.span.atEnd, text: " @argumentDefinitions(\(variable))"))
      }
    case .schema, .type, .directive: return
    }
  }

  private mutating func add(_ name: String, for literal: Literal, declaredBy declaration: Edit) {
    append(
      Action(
        title: "Make a variable \"$\(name)\"", kind: .extract,
        edits: [declaration, Edit(span: literal.value.span, text: "$\(name)")]))
  }

  private func free(_ name: String, _ taken: Set<String>) -> String {
    if !taken.contains(name) { return name }
    return (2...).lazy.map { "\(name)\($0)" }.first { !taken.contains($0) } ?? name
  }

  // MARK: Literals

  private func literal(in set: SelectionSet, on parent: NamedType?) -> Literal? {
    for selection in set.selections where contains(selection.span) {
      switch selection {
      case .field(let field):
        let definition = parent.flatMap { context.field(named: field.name.symbol, on: $0) }
        if let found = literal(in: field.arguments, of: definition?.arguments)
          ?? literal(in: field.directives)
        {
          return found
        }
        return field.selectionSet.flatMap { set in
          literal(in: set, on: definition.map { schema[$0.type.named] })
        }
      case .inlineFragment(let fragment):
        let type = fragment.typeCondition.map { context.composite($0.symbol) } ?? parent
        return literal(in: fragment.directives) ?? literal(in: fragment.selectionSet, on: type)
      case .fragmentSpread(let spread): return literal(in: spread.directives)
      }
    }
    return nil
  }

  private func literal(in directives: [Directive]) -> Literal? {
    for directive in directives where contains(directive.span) {
      // The compiler reads the arguments of its own directives, which cannot be variables.
      guard let definition = schema.directives[named: directive.name.symbol] else { continue }
      return literal(in: directive.arguments, of: definition.arguments)
    }
    return nil
  }

  private func literal(
    in arguments: [Argument], of definitions: NamedList<SchemaInputValue>?
  ) -> Literal? {
    for argument in arguments where contains(argument.value.span) {
      let type = definitions?[named: argument.name.symbol]?.type
      return literal(argument.value, named: argument.name.symbol, expecting: type)
    }
    return nil
  }

  private func literal(_ value: Value, named name: Symbol, expecting type: ResolvedType?)
    -> Literal?
  {
    if case .object(let fields) = value.kind, let type {
      for field in fields where contains(field.value.span) {
        let definition = schema[type.named].inputFields[named: field.name.symbol]
        return literal(field.value, named: field.name.symbol, expecting: definition?.type)
      }
    }
    guard let type, !value.hasVariables, value.kind != .null else { return nil }
    return Literal(value: value, name: name, type: type)
  }
}

extension Span {
  /// The empty span at the end.
  fileprivate var atEnd: Span { Span(start: end, end: end, source: source) }
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
