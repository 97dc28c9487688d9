extension Parser {
  /// Parses one definition, executable or of the type system.
  mutating func parseDefinition() throws(Abandoned) -> Definition {
    let start = token
    if peek(.braceLeft) { return .operation(try parseShorthand(start.start)) }
    let description = parseDescription()
    if description != nil, token.kind == .braceLeft || peekKeyword(.extend) {
      let isExtension = peekKeyword(.extend)
      report(
        "Unexpected description.", from: start.start, to: start.end,
        help: isExtension
          ? "Extensions have no description: describe the definition."
          : "Write \"query\" before the brace.")
      throw Abandoned()
    }
    guard peek(.name) else { throw unexpected() }
    switch token.symbol {
    case .query, .mutation, .subscription:
      return .operation(try parseOperation(start.start, description))
    case .fragment: return .fragment(try parseFragment(start.start, description))
    case .extend: return try parseExtension(start.start)
    default: return try parseTypeSystemDefinition(start.start, description)
    }
  }

  private mutating func parseShorthand(_ start: UInt32) throws(Abandoned) -> OperationDefinition {
    let selections = try parseSelectionSet()
    return OperationDefinition(
      operation: .query, selectionSet: selections, span: span(from: start))
  }

  private mutating func parseOperation(_ start: UInt32, _ description: Description?)
    throws(Abandoned) -> OperationDefinition
  {
    let operation = try parseOperationType()
    let name = peek(.name) ? try parseName() : nil
    let variables = try optionalMany(.parenLeft, .parenRight) { (parser) throws(Abandoned) in
      try parser.parseVariableDefinition()
    }
    let directives = try parseDirectives(isConstant: false)
    let selections = try parseSelectionSet()
    return OperationDefinition(
      description: description, operation: operation, name: name, variables: variables,
      directives: directives, selectionSet: selections, span: span(from: start))
  }

  /// Parses `query`, `mutation` or `subscription`.
  mutating func parseOperationType() throws(Abandoned) -> OperationType {
    let type: OperationType
    switch token.kind == .name ? token.symbol : .empty {
    case .query: type = .query
    case .mutation: type = .mutation
    case .subscription: type = .subscription
    case .empty: throw expected("a name")
    default: throw unexpected(help: "The operation types are query, mutation and subscription.")
    }
    advance()
    return type
  }

  private mutating func parseVariableDefinition() throws(Abandoned) -> VariableDefinition {
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

  private mutating func parseFragment(_ start: UInt32, _ description: Description?)
    throws(Abandoned) -> FragmentDefinition
  {
    advance()
    guard !peekKeyword(.on) else { throw unexpected(help: "A fragment cannot be named \"on\".") }
    let name = try parseName()
    try expect(.on, "on")
    let typeCondition = try parseName()
    let directives = try parseDirectives(isConstant: false)
    let selections = try parseSelectionSet()
    return FragmentDefinition(
      description: description, name: name, typeCondition: typeCondition, directives: directives,
      selectionSet: selections, span: span(from: start))
  }

  // MARK: Selections

  private mutating func parseSelectionSet() throws(Abandoned) -> SelectionSet {
    let start = token.start
    if peek(.braceLeft) { try descend() }
    let level = depth
    let selections = try block { (parser) throws(Abandoned) in
      parser.depth = level
      return try parser.parseSelection()
    }
    depth = level - 1
    return SelectionSet(selections, span: span(from: start))
  }

  private mutating func parseSelection() throws(Abandoned) -> Selection {
    if peek(.spread) { return try parseSpread() }
    return .field(try parseField())
  }

  private mutating func parseField() throws(Abandoned) -> Field {
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

  private mutating func parseSpread() throws(Abandoned) -> Selection {
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
