extension Parser {
  /// Parses a value. Variables are errors if `isConstant` is true.
  mutating func parseValue(isConstant: Bool) throws(ParseFailure) -> Value {
    let start = token.start
    let symbol = token.symbol
    switch token.kind {
    case .bracketLeft: return try parseList(isConstant: isConstant)
    case .braceLeft: return try parseObject(isConstant: isConstant)
    case .int:
      advance()
      return Value(.int(symbol), span: span(from: start))
    case .float:
      advance()
      return Value(.float(symbol), span: span(from: start))
    case .string, .blockString:
      let isBlock = token.kind == .blockString
      let text = stringValue()
      advance()
      return Value(.string(text, isBlock: isBlock), span: span(from: start))
    case .name:
      advance()
      return Value(Self.namedValue(symbol), span: span(from: start))
    case .dollar: return try parseVariable(isConstant: isConstant)
    default: throw reportUnexpected()
    }
  }

  private static func namedValue(_ symbol: Symbol) -> Value.Kind {
    switch symbol {
    case .true: .boolean(true)
    case .false: .boolean(false)
    case .null: .null
    default: .enumValue(symbol)
    }
  }

  private mutating func parseVariable(isConstant: Bool) throws(ParseFailure) -> Value {
    let dollar = token
    advance()
    if isConstant, token.kind != .invalid {
      let end = token.kind == .name ? token.end : dollar.end
      let name = token.kind == .name ? nextTokenText().dropFirst().dropLast() : ""
      report(
        "Unexpected variable \"$\(name)\" in a constant value.", from: dollar.start, to: end,
        help: "Default values and directives of the type system cannot use variables.")
      throw ParseFailure()
    }
    let name = try parseName()
    return Value(.variable(name.symbol), span: span(from: dollar.start))
  }

  private mutating func parseList(isConstant: Bool) throws(ParseFailure) -> Value {
    let start = token.start
    try enterLevel()
    advance()
    var values: [Value] = []
    while !skip(.bracketRight) { values.append(try parseValue(isConstant: isConstant)) }
    depth -= 1
    return Value(.list(values), span: span(from: start))
  }

  private mutating func parseObject(isConstant: Bool) throws(ParseFailure) -> Value {
    let start = token.start
    try enterLevel()
    openBraces.append(start)
    advance()
    var fields: [ObjectField] = []
    while !peek(.braceRight) {
      let fieldStart = token.start
      let name = try parseName()
      try expect(.colon)
      let value = try parseValue(isConstant: isConstant)
      fields.append(ObjectField(name: name, value: value, span: span(from: fieldStart)))
    }
    openBraces.removeLast()
    advance()
    depth -= 1
    return Value(.object(fields), span: span(from: start))
  }

  /// Evaluates the next token, which is a string or block string.
  func stringValue() -> String {
    let quotes = token.kind == .blockString ? 3 : 1
    let text = lexer.slice(Int(token.start) + quotes, Int(token.end) - quotes)
    return quotes == 3 ? BlockString.value(text) : StringLiteral.value(text)
  }

  /// Parses the optional arguments of a field or directive.
  @inline(never)
  mutating func parseArguments(isConstant: Bool) throws(ParseFailure) -> [Argument] {
    try optionalMany(from: .parenLeft, to: .parenRight) { (parser) throws(ParseFailure) in
      let start = parser.token.start
      let name = try parser.parseName()
      try parser.expect(.colon)
      let value = try parser.parseValue(isConstant: isConstant)
      return Argument(name: name, value: value, span: parser.span(from: start))
    }
  }

  /// Parses zero or more directives.
  @inline(never)
  mutating func parseDirectives(isConstant: Bool) throws(ParseFailure) -> [Directive] {
    guard peek(.at) else { return [] }
    var directives: [Directive] = []
    while peek(.at) {
      let start = token.start
      advance()
      let name = try parseName()
      let arguments = try parseArguments(isConstant: isConstant)
      directives.append(Directive(name: name, arguments: arguments, span: span(from: start)))
    }
    return directives
  }

  /// Parses a type reference.
  mutating func parseType() throws(ParseFailure) -> TypeReference {
    let start = token.start
    var lists = 0
    while peek(.bracketLeft) {
      guard lists < TypeShape.listDepthLimit else {
        throw reportFailure("Lists nest deeper than \(TypeShape.listDepthLimit) levels.", help: nil)
      }
      lists += 1
      advance()
    }
    let name = try parseName()
    var shape = TypeShape.named
    if skip(.exclamationMark) { shape = shape.nonNull }
    for _ in 0..<lists {
      try expect(.bracketRight)
      shape = shape.list ?? shape
      if skip(.exclamationMark) { shape = shape.nonNull }
    }
    return TypeReference(name, shape: shape, span: span(from: start))
  }

  /// Parses an optional description.
  @inline(__always)
  mutating func parseDescription() -> Description? {
    guard peek(.blockString) || peek(.string) else { return nil }
    let start = token.start
    let isBlock = token.kind == .blockString
    let text = stringValue()
    advance()
    return Description(text, isBlock: isBlock, span: span(from: start))
  }
}
