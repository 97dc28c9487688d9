extension Parser {
  /// Parses a type system definition, beginning with its keyword.
  mutating func parseTypeSystemDefinition(_ start: UInt32, _ description: Description?)
    throws(Abandoned) -> Definition
  {
    switch token.symbol {
    case .schema:
      return .schema(try parseSchema(start, description, isExtension: false))
    case .directive:
      return .directive(try parseDirectiveDefinition(start, description))
    case let symbol:
      guard let kind = Self.typeKind(symbol) else {
        throw unexpected(help: suggestedKeyword())
      }
      return .type(try parseTypeDefinition(kind, start, description, isExtension: false))
    }
  }

  /// Parses a type system extension, beginning with `extend`.
  mutating func parseExtension(_ start: UInt32) throws(Abandoned) -> Definition {
    advance()
    guard peek(.name) else { throw unexpected() }
    if peekKeyword(.schema) { return .schema(try parseSchema(start, nil, isExtension: true)) }
    guard let kind = Self.typeKind(token.symbol) else {
      throw unexpected(help: suggestedKeyword())
    }
    return .type(try parseTypeDefinition(kind, start, nil, isExtension: true))
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
    let keywords = [
      "query", "mutation", "subscription", "fragment", "schema", "scalar", "type", "interface",
      "union", "enum", "input", "directive", "extend",
    ]
    let found = unexpectedText().dropFirst().dropLast()
    return didYouMean(suggestions(for: String(found), among: keywords))
  }

  private mutating func parseSchema(
    _ start: UInt32, _ description: Description?, isExtension: Bool
  ) throws(Abandoned) -> SchemaDefinition {
    advance()
    let directives = try parseDirectives(isConstant: true)
    let types =
      isExtension
      ? try optionalBlock { (parser) throws(Abandoned) in try parser.parseOperationTypeDefinition()
      }
      : try block { (parser) throws(Abandoned) in try parser.parseOperationTypeDefinition() }
    if isExtension, directives.isEmpty, types.isEmpty { throw unexpected() }
    return SchemaDefinition(
      isExtension: isExtension, description: description, directives: directives,
      operationTypes: types, span: span(from: start))
  }

  private mutating func parseOperationTypeDefinition() throws(Abandoned) -> OperationTypeDefinition
  {
    let start = token.start
    let operation = try parseOperationType()
    try expect(.colon)
    let type = try parseName()
    return OperationTypeDefinition(operation: operation, type: type, span: span(from: start))
  }

  private mutating func parseTypeDefinition(
    _ kind: TypeDefinition.Kind, _ start: UInt32, _ description: Description?, isExtension: Bool
  ) throws(Abandoned) -> TypeDefinition {
    advance()
    var type = TypeDefinition(
      kind: kind, isExtension: isExtension, description: description, name: try parseName())
    if kind == .object || kind == .interface { type.interfaces = try parseInterfaces() }
    type.directives = try parseDirectives(isConstant: true)
    switch kind {
    case .scalar: break
    case .object, .interface:
      type.fields = try optionalBlock { (parser) throws(Abandoned) in
        try parser.parseFieldDefinition()
      }
    case .union: type.memberTypes = try parseMemberTypes()
    case .enum:
      type.enumValues = try optionalBlock { (parser) throws(Abandoned) in
        try parser.parseEnumValueDefinition()
      }
    case .inputObject:
      type.inputFields = try optionalBlock { (parser) throws(Abandoned) in
        try parser.parseInputValueDefinition()
      }
    }
    if isExtension, type.isEmpty { throw unexpected(help: "This extension adds nothing.") }
    type.span = span(from: start)
    return type
  }

  private mutating func parseInterfaces() throws(Abandoned) -> [Name] {
    guard skipKeyword(.implements) else { return [] }
    return try parseNames(separatedBy: .ampersand)
  }

  private mutating func parseMemberTypes() throws(Abandoned) -> [Name] {
    guard skip(.equals) else { return [] }
    return try parseNames(separatedBy: .pipe)
  }

  private mutating func parseNames(separatedBy separator: Token.Kind) throws(Abandoned) -> [Name] {
    _ = skip(separator)
    var names: [Name] = []
    repeat { names.append(try parseName()) } while skip(separator)
    return names
  }

  private mutating func parseFieldDefinition() throws(Abandoned) -> FieldDefinition {
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

  private mutating func parseArgumentDefinitions() throws(Abandoned) -> [InputValueDefinition] {
    try optionalMany(.parenLeft, .parenRight) { (parser) throws(Abandoned) in
      try parser.parseInputValueDefinition()
    }
  }

  private mutating func parseInputValueDefinition() throws(Abandoned) -> InputValueDefinition {
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

  private mutating func parseEnumValueDefinition() throws(Abandoned) -> EnumValueDefinition {
    let start = token.start
    let description = parseDescription()
    if peekKeyword(.true) || peekKeyword(.false) || peekKeyword(.null) {
      throw fail(
        "The name \(unexpectedText()) is reserved and cannot be an enum value.", help: nil)
    }
    let name = try parseName()
    let directives = try parseDirectives(isConstant: true)
    return EnumValueDefinition(
      description: description, name: name, directives: directives, span: span(from: start))
  }

  private mutating func parseDirectiveDefinition(_ start: UInt32, _ description: Description?)
    throws(Abandoned) -> DirectiveDefinition
  {
    advance()
    try expect(.at)
    let name = try parseName()
    let arguments = try parseArgumentDefinitions()
    let isRepeatable = skipKeyword(.repeatable)
    try expect(.on, "on")
    _ = skip(.pipe)
    var locations: [DirectiveLocation] = []
    repeat { locations.append(try parseDirectiveLocation()) } while skip(.pipe)
    return DirectiveDefinition(
      description: description, name: name, arguments: arguments, isRepeatable: isRepeatable,
      locations: locations, span: span(from: start))
  }

  private mutating func parseDirectiveLocation() throws(Abandoned) -> DirectiveLocation {
    guard peek(.name) else { throw expected("a name") }
    guard let location = DirectiveLocation(token.symbol) else {
      throw unexpected(help: "It is not a place where directives can stand.")
    }
    advance()
    return location
  }
}

extension TypeDefinition {
  /// Whether the definition has nothing beyond the type's name.
  var isEmpty: Bool {
    interfaces.isEmpty && directives.isEmpty && fields.isEmpty && memberTypes.isEmpty
      && enumValues.isEmpty && inputFields.isEmpty
  }
}
