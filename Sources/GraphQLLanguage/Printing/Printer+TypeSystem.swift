extension Printer {
  mutating func write(_ schema: SchemaDefinition) {
    write(schema.description)
    write(schema.isExtension ? "extend schema" : "schema")
    write(schema.directives)
    if !schema.operationTypes.isEmpty { write(" ") }
    block(schema.operationTypes) { printer, entry in
      printer.write(entry.operation.rawValue)
      printer.write(": ")
      printer.write(entry.type)
    }
  }

  mutating func write(_ type: TypeDefinition) {
    write(type.description)
    if type.isExtension { write("extend ") }
    write(type.kind.keyword)
    write(" ")
    write(type.name)
    if !type.interfaces.isEmpty {
      write(" implements ")
      join(type.interfaces, separator: " & ") { $0.write($1) }
    }
    write(type.directives)
    if !type.memberTypes.isEmpty {
      write(" = ")
      join(type.memberTypes, separator: " | ") { $0.write($1) }
    }
    if !type.fields.isEmpty || !type.enumValues.isEmpty || !type.inputFields.isEmpty { write(" ") }
    block(type.fields) { $0.write($1) }
    block(type.enumValues) { $0.write($1) }
    block(type.inputFields) { $0.write($1) }
  }

  mutating func write(_ field: FieldDefinition) {
    write(field.description)
    write(field.name)
    write(field.arguments)
    write(": ")
    write(field.type)
    write(field.directives)
  }

  mutating func write(_ value: EnumValueDefinition) {
    write(value.description)
    write(value.name)
    write(value.directives)
  }

  /// Writes argument definitions in parentheses, one per line if any of them spans several lines.
  mutating func write(_ arguments: [InputValueDefinition]) {
    let hasSeveralLines = { (printer: Printer, start: Int) in
      printer.output[start...].contains(0x0A)
    }
    parenthesized(arguments, breaks: hasSeveralLines) { $0.write($1) }
  }

  mutating func write(_ input: InputValueDefinition) {
    write(input.description)
    writeInput(input.name, input.type, default: input.defaultValue, input.directives)
  }

  mutating func write(_ directive: DirectiveDefinition) {
    write(directive.description)
    write("directive @")
    write(directive.name)
    write(directive.arguments)
    if directive.isRepeatable { write(" repeatable") }
    write(" on ")
    join(directive.locations, separator: " | ") { $0.write($1.symbol) }
  }
}

extension TypeDefinition.Kind {
  /// The keyword that starts a definition of this kind.
  public var keyword: String {
    switch self {
    case .scalar: "scalar"
    case .object: "type"
    case .interface: "interface"
    case .union: "union"
    case .enum: "enum"
    case .inputObject: "input"
    }
  }
}
