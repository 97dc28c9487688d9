extension Printer {
  mutating func write(_ document: Document) {
    var previous: Definition?
    join(document.definitions, separator: "\n\n") { printer, definition in
      printer.allowsShorthand = !(previous?.canBeFollowedByBlock ?? false)
      printer.write(definition)
      previous = definition
    }
    allowsShorthand = true
  }

  mutating func write(_ definition: Definition) {
    switch definition {
    case .operation(let operation): write(operation)
    case .fragment(let fragment): write(fragment)
    case .schema(let schema): write(schema)
    case .type(let type): write(type)
    case .directive(let directive): write(directive)
    }
  }

  mutating func write(_ operation: OperationDefinition) {
    write(operation.description)
    let isShorthand =
      allowsShorthand && operation.operation == .query && operation.name == nil
      && operation.variables.isEmpty
      && operation.directives.isEmpty && operation.description == nil
    if !isShorthand {
      write(operation.operation.rawValue)
      if let name = operation.name {
        write(" ")
        write(name)
      } else if !operation.variables.isEmpty {
        write(" ")
      }
      let hasDescription = operation.variables.contains { $0.description != nil }
      parenthesized(operation.variables, breaks: { _, _ in hasDescription }) { $0.write($1) }
      write(operation.directives)
      write(" ")
    }
    write(operation.selectionSet)
  }

  mutating func write(_ variable: VariableDefinition) {
    write(variable.description)
    write("$")
    writeInput(variable.name, variable.type, default: variable.defaultValue, variable.directives)
  }

  /// Writes a variable or an argument without its description.
  mutating func writeInput(
    _ name: Name, _ type: TypeReference, default defaultValue: Value?, _ directives: [Directive]
  ) {
    write(name)
    write(": ")
    write(type)
    if let defaultValue {
      write(" = ")
      write(defaultValue)
    }
    write(directives)
  }

  mutating func write(_ fragment: FragmentDefinition) {
    write(fragment.description)
    write("fragment ")
    write(fragment.name)
    write(" on ")
    write(fragment.typeCondition)
    write(fragment.directives)
    write(" ")
    write(fragment.selectionSet)
  }

  mutating func write(_ selections: SelectionSet) {
    block(selections.selections) { $0.write($1) }
  }

  mutating func write(_ selection: Selection) {
    switch selection {
    case .field(let field): write(field)
    case .fragmentSpread(let spread):
      write("...")
      write(spread.name)
      write(spread.directives)
    case .inlineFragment(let fragment):
      write("...")
      if let type = fragment.typeCondition {
        write(" on ")
        write(type)
      }
      write(fragment.directives)
      write(" ")
      write(fragment.selectionSet)
    }
  }

  mutating func write(_ field: Field) {
    let start = output.count
    let indentation = indentationCount
    if let alias = field.alias {
      write(alias)
      write(": ")
    }
    write(field.name)
    let isLong = { (printer: Printer, _: Int) in
      printer.length(since: start, indentation: indentation) > Self.lineLength
    }
    parenthesized(field.arguments, breaks: isLong) { $0.write($1) }
    write(field.directives)
    if let selections = field.selectionSet {
      write(" ")
      write(selections)
    }
  }
}

extension Definition {
  /// Whether an opening brace after the definition would be parsed as its block.
  var canBeFollowedByBlock: Bool {
    switch self {
    case .operation, .fragment, .directive: return false
    case .schema(let schema): return schema.operationTypes.isEmpty
    case .type(let type):
      switch type.kind {
      case .scalar, .union: return false
      case .object, .interface, .enum, .inputObject:
        return type.fields.isEmpty && type.enumValues.isEmpty && type.inputFields.isEmpty
      }
    }
  }
}
