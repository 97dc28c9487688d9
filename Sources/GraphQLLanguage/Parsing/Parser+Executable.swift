extension Parser {
  /// Parses one executable or type system definition.
  mutating func parseDefinition() throws(ParseFailure) -> Definition {
    let start = token
    if peek(.braceLeft) {
      let selections = try parseSelectionSet()
      return .operation(
        OperationDefinition(
          operation: .query, selectionSet: selections, span: span(from: start.start)))
    }
    let description = parseDescription()
    if description != nil, token.kind == .braceLeft || peekKeyword(.extend) {
      let isExtension = peekKeyword(.extend)
      report(
        "Unexpected description.", from: start.start, to: start.end,
        help: isExtension
          ? "Extensions cannot have descriptions: describe the definition."
          : "Write \"query\" before the brace.")
      throw ParseFailure()
    }
    guard peek(.name) else { throw reportUnexpected() }
    switch token.symbol {
    case .query, .mutation, .subscription:
      return .operation(try parseOperation(from: start.start, description: description))
    case .fragment: return .fragment(try parseFragment(from: start.start, description: description))
    case .extend: return try parseExtension(from: start.start)
    default: return try parseTypeSystemDefinition(from: start.start, description: description)
    }
  }

  private mutating func parseOperation(from start: UInt32, description: Description?)
    throws(ParseFailure) -> OperationDefinition
  {
    let operation = try parseOperationType()
    let name = peek(.name) ? try parseName() : nil
    let variables = try optionalMany(from: .parenLeft, to: .parenRight) {
      (parser) throws(ParseFailure) in
      try parser.parseVariableDefinition()
    }
    let directives = try parseDirectives(isConstant: false)
    let selections = try parseSelectionSet()
    return OperationDefinition(
      description: description, operation: operation, name: name, variables: variables,
      directives: directives, selectionSet: selections, span: span(from: start))
  }

  /// Parses `query`, `mutation` or `subscription`.
  mutating func parseOperationType() throws(ParseFailure) -> OperationType {
    let type: OperationType
    switch token.kind == .name ? token.symbol : .empty {
    case .query: type = .query
    case .mutation: type = .mutation
    case .subscription: type = .subscription
    case .empty: throw reportExpected("a name")
    default:
      throw reportUnexpected(help: "The operation types are query, mutation and subscription.")
    }
    advance()
    return type
  }

  private mutating func parseVariableDefinition() throws(ParseFailure) -> VariableDefinition {
    let start = token.start
    let description = parseDescription()
    let dollar = token.start
    try expect(.dollar)
    let name = try parseName()
    let variableSpan = span(from: dollar)
    try expect(.colon)
    let type = try parseType()
    let defaultValue = skip(.equals) ? try parseValue(isConstant: true) : nil
    let directives = try parseDirectives(isConstant: true)
    return VariableDefinition(
      description: description, name: name, variableSpan: variableSpan, type: type,
      defaultValue: defaultValue, directives: directives, span: span(from: start))
  }

  private mutating func parseFragment(from start: UInt32, description: Description?)
    throws(ParseFailure) -> FragmentDefinition
  {
    advance()
    guard !peekKeyword(.on) else {
      throw reportUnexpected(help: "A fragment cannot be named \"on\".")
    }
    let name = try parseName()
    try expect(keyword: .on, text: "on")
    let typeCondition = try parseName()
    let directives = try parseDirectives(isConstant: false)
    let selections = try parseSelectionSet()
    return FragmentDefinition(
      description: description, name: name, typeCondition: typeCondition, directives: directives,
      selectionSet: selections, span: span(from: start))
  }

  // MARK: Selections

  private mutating func parseSelectionSet() throws(ParseFailure) -> SelectionSet {
    let start = token.start
    if peek(.braceLeft) { try enterLevel() }
    let selections = try block { (parser) throws(ParseFailure) in
      parser.peek(.spread) ? try parser.parseSpread() : .field(try parser.parseField())
    }
    depth -= 1
    return SelectionSet(selections, span: span(from: start))
  }

  private mutating func parseField() throws(ParseFailure) -> Field {
    let start = token.start
    var name = try parseName()
    var alias: Name?
    if skip(.colon) {
      alias = name
      name = try parseName()
    }
    let arguments = try parseArguments(isConstant: false)
    let directives = try parseDirectives(isConstant: false)
    let selections = peek(.braceLeft) ? try parseSelectionSet() : nil
    return Field(
      alias: alias, name: name, arguments: arguments, directives: directives,
      selectionSet: selections, span: span(from: start))
  }

  private mutating func parseSpread() throws(ParseFailure) -> Selection {
    let start = token.start
    advance()
    let hasTypeCondition = skipKeyword(.on)
    if !hasTypeCondition, peek(.name) {
      let name = try parseName()
      let directives = try parseDirectives(isConstant: false)
      return .fragmentSpread(
        FragmentSpread(name: name, directives: directives, span: span(from: start)))
    }
    let typeCondition = hasTypeCondition ? try parseName() : nil
    let directives = try parseDirectives(isConstant: false)
    let selections = try parseSelectionSet()
    return .inlineFragment(
      InlineFragment(
        typeCondition: typeCondition, directives: directives, selectionSet: selections,
        span: span(from: start)))
  }
}
