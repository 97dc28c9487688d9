extension Parser {
  /// Parses a type system definition or extension from its keyword on.
  mutating func parseTypeSystemDefinition(
    from start: UInt32, description: Description?, isExtension: Bool = false
  ) throws(ParseFailure) -> Definition {
    switch token.symbol {
    case .schema:
      return .schema(
        try parseSchema(from: start, description: description, isExtension: isExtension))
    case .directive where !isExtension:
      return .directive(try parseDirectiveDefinition(from: start, description: description))
    case let symbol:
      guard let kind = Self.typeKind(symbol) else {
        throw reportUnexpected(help: suggestedKeyword())
      }
      return .type(
        try parseTypeDefinition(
          kind, from: start, description: description, isExtension: isExtension))
    }
  }

  /// Parses a type system extension from `extend` on.
  mutating func parseExtension(from start: UInt32) throws(ParseFailure) -> Definition {
    advance()
    guard peek(.name) else { throw reportUnexpected() }
    return try parseTypeSystemDefinition(from: start, description: nil, isExtension: true)
  }

  private static func typeKind(_ symbol: Symbol) -> TypeDefinition.Kind? {
    switch symbol {
    case .scalar: .scalar
    case .type: .object
    case .interface: .interface
    case .union: .union
    case .enum: .enum
    case .input: .inputObject
    default: nil
    }
  }

  private func suggestedKeyword() -> String? {
    let found = nextTokenText().dropFirst().dropLast()
    let keywords = Self.definitionKeywords.map { Symbol.wellKnownTexts[Int($0.index)].description }
    return didYouMean(suggestions(for: String(found), among: keywords))
  }

  private mutating func parseSchema(
    from start: UInt32, description: Description?, isExtension: Bool
  ) throws(ParseFailure) -> SchemaDefinition {
    advance()
    let directives = try parseDirectives(isConstant: true)
    let types =
      isExtension
      ? try optionalBlock { (parser) throws(ParseFailure) in
        try parser.parseOperationTypeDefinition()
      }
      : try block { (parser) throws(ParseFailure) in try parser.parseOperationTypeDefinition() }
    if isExtension, directives.isEmpty, types.isEmpty { throw reportUnexpected() }
    return SchemaDefinition(
      isExtension: isExtension, description: description, directives: directives,
      operationTypes: types, span: span(from: start))
  }

  private mutating func parseOperationTypeDefinition() throws(ParseFailure)
    -> OperationTypeDefinition
  {
    let start = token.start
    let operation = try parseOperationType()
    try expect(.colon)
    let type = try parseName()
    return OperationTypeDefinition(operation: operation, type: type, span: span(from: start))
  }

  private mutating func parseTypeDefinition(
    _ kind: TypeDefinition.Kind, from start: UInt32, description: Description?, isExtension: Bool
  ) throws(ParseFailure) -> TypeDefinition {
    advance()
    var type = TypeDefinition(
      kind: kind, isExtension: isExtension, description: description, name: try parseName())
    if kind == .object || kind == .interface, skipKeyword(.implements) {
      type.interfaces = try parseNames(separatedBy: .ampersand)
    }
    type.directives = try parseDirectives(isConstant: true)
    switch kind {
    case .scalar: break
    case .object, .interface:
      type.fields = try optionalBlock { (parser) throws(ParseFailure) in
        try parser.parseFieldDefinition()
      }
    case .union: if skip(.equals) { type.memberTypes = try parseNames(separatedBy: .pipe) }
    case .enum:
      type.enumValues = try optionalBlock { (parser) throws(ParseFailure) in
        try parser.parseEnumValueDefinition()
      }
    case .inputObject:
      type.inputFields = try optionalBlock { (parser) throws(ParseFailure) in
        try parser.parseInputValueDefinition()
      }
    }
    if isExtension, type.isEmpty { throw reportUnexpected(help: "This extension is empty.") }
    type.span = span(from: start)
    return type
  }

  private mutating func parseNames(separatedBy separator: Token.Kind) throws(ParseFailure) -> [Name]
  {
    _ = skip(separator)
    var names: [Name] = []
    repeat { names.append(try parseName()) } while skip(separator)
    return names
  }

  private mutating func parseFieldDefinition() throws(ParseFailure) -> FieldDefinition {
    let start = token.start
    let description = parseDescription()
    let name = try parseName()
    let arguments = try parseArgumentDefinitions()
    try expect(.colon)
    let type = try parseType()
    let directives = try parseDirectives(isConstant: true)
    return FieldDefinition(
      description: description, name: name, arguments: arguments, type: type,
      directives: directives, span: span(from: start))
  }

  private mutating func parseArgumentDefinitions() throws(ParseFailure) -> [InputValueDefinition] {
    try optionalMany(from: .parenLeft, to: .parenRight) { (parser) throws(ParseFailure) in
      try parser.parseInputValueDefinition()
    }
  }

  private mutating func parseInputValueDefinition() throws(ParseFailure) -> InputValueDefinition {
    let start = token.start
    let description = parseDescription()
    let name = try parseName()
    try expect(.colon)
    let type = try parseType()
    let defaultValue = skip(.equals) ? try parseValue(isConstant: true) : nil
    let directives = try parseDirectives(isConstant: true)
    return InputValueDefinition(
      description: description, name: name, type: type, defaultValue: defaultValue,
      directives: directives, span: span(from: start))
  }

  private mutating func parseEnumValueDefinition() throws(ParseFailure) -> EnumValueDefinition {
    let start = token.start
    let description = parseDescription()
    if peekKeyword(.true) || peekKeyword(.false) || peekKeyword(.null) {
      throw reportFailure(
        "The name \(nextTokenText()) is reserved and cannot be an enum value.", help: nil)
    }
    let name = try parseName()
    let directives = try parseDirectives(isConstant: true)
    return EnumValueDefinition(
      description: description, name: name, directives: directives, span: span(from: start))
  }

  private mutating func parseDirectiveDefinition(from start: UInt32, description: Description?)
    throws(ParseFailure) -> DirectiveDefinition
  {
    advance()
    try expect(.at)
    let name = try parseName()
    let arguments = try parseArgumentDefinitions()
    let isRepeatable = skipKeyword(.repeatable)
    try expect(keyword: .on, text: "on")
    _ = skip(.pipe)
    var locations: [DirectiveLocation] = []
    repeat { locations.append(try parseDirectiveLocation()) } while skip(.pipe)
    return DirectiveDefinition(
      description: description, name: name, arguments: arguments, isRepeatable: isRepeatable,
      locations: locations, span: span(from: start))
  }

  private mutating func parseDirectiveLocation() throws(ParseFailure) -> DirectiveLocation {
    guard peek(.name) else { throw reportExpected("a name") }
    guard let location = DirectiveLocation(token.symbol) else {
      throw reportUnexpected(help: "This is not a directive location.")
    }
    advance()
    return location
  }
}

extension TypeDefinition {
  /// Whether the definition consists of the type's name alone.
  var isEmpty: Bool {
    interfaces.isEmpty && directives.isEmpty && fields.isEmpty && memberTypes.isEmpty
      && enumValues.isEmpty && inputFields.isEmpty
  }
}
