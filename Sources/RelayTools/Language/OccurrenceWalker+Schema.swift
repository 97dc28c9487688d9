import GraphQLLanguage

extension OccurrenceWalker {
  mutating func walkTypeSystem(_ definition: Definition) {
    walkConstant { $0.walkConstantTypeSystem(definition) }
  }

  private mutating func walkConstantTypeSystem(_ definition: Definition) {
    switch definition {
    case .schema(let schema):
      walk(schema.directives, at: .schema)
      for root in schema.operationTypes { addType(root.type, .kind(.object)) }
    case .type(let type): walk(type)
    case .directive(let directive):
      add(.directive(directive.name.symbol), directive.name, isDefinition: true)
      for argument in directive.arguments {
        let element = LanguageElement.directiveArgument(
          directive: directive.name.symbol, name: argument.name.symbol)
        walk(argument, element, at: .argumentDefinition)
      }
    case .operation, .fragment: break
    }
  }

  private mutating func addType(_ name: Name, _ place: TypePlace) {
    add(.type(name.symbol), name, place: place)
  }

  private mutating func walk(_ type: TypeDefinition) {
    let owner = type.name.symbol
    add(
      .type(owner), type.name, isDefinition: true,
      place: type.isExtension ? .kind(type.kind) : .new)
    for name in type.interfaces { addType(name, .kind(.interface)) }
    for name in type.memberTypes { addType(name, .kind(.object)) }
    walk(type.directives, at: type.kind.directiveLocation)
    for field in type.fields {
      add(
        .field(type: owner, name: field.name.symbol), field.name, isDefinition: true,
        parent: context.schema.type(named: owner), type: context.schema.resolve(field.type))
      for argument in field.arguments {
        let element = LanguageElement.argument(
          type: owner, field: field.name.symbol, name: argument.name.symbol)
        walk(argument, element, at: .argumentDefinition)
      }
      addType(field.type.name, .output)
      walk(field.directives, at: .fieldDefinition)
    }
    for value in type.enumValues {
      add(.enumValue(type: owner, name: value.name.symbol), value.name, isDefinition: true)
      walk(value.directives, at: .enumValue)
    }
    for field in type.inputFields {
      let element = LanguageElement.inputField(type: owner, name: field.name.symbol)
      walk(field, element, at: .inputFieldDefinition)
    }
  }

  private mutating func walk(
    _ value: InputValueDefinition, _ element: LanguageElement, at location: DirectiveLocation
  ) {
    let type = context.schema.resolve(value.type)
    add(element, value.name, isDefinition: true, type: type)
    addType(value.type.name, .input)
    if let value = value.defaultValue { walk(value, expecting: type) }
    walk(value.directives, at: location)
  }
}
