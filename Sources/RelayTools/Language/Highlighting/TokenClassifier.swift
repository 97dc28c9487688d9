import GraphQLLanguage

/// Classifies the tokens of a document by the tokens around them.
///
/// Works without a syntax tree and a schema, so a document with syntax errors is classified too.
struct TokenClassifier {
  /// A classified range of the document.
  struct Result {
    let kind: SemanticToken.Kind
    let isDeclaration: Bool
    let range: Range<UInt32>
  }

  /// A pair of brackets, classified by the names in it.
  private enum Block: Equatable {
    /// A selection set.
    case selections
    /// The arguments of a field or directive; `@argumentDefinitions` declares its own.
    case arguments(areDeclared: Bool)
    /// The fields of an input object value.
    case object
    /// The variables that an operation defines.
    case variables
    /// The fields of a type, an input object or a schema definition.
    case fields
    /// The arguments that a field or directive definition declares.
    case parameters
    /// The values of an enum.
    case values
  }

  private static let fieldOwners: Set<Symbol> = [.type, .interface, .input, .schema]

  private let bytes: ContiguousArray<UInt8>
  private let tokens: [Token]
  /// The open brackets, outermost first.
  private var blocks: [Block] = []
  /// The last keyword that started a definition.
  private var definition = Symbol.empty
  /// Whether the name of the definition comes next.
  private var needsName = false
  /// Whether the innermost block is after an `=`, before the next name with a type.
  private var isDefault = false
  private var results: [Result] = []

  /// Returns the classified tokens and comments of a document, by offset.
  ///
  /// - Complexity: O(*n*) in the bytes.
  static func classify(_ bytes: ContiguousArray<UInt8>, symbols: SymbolTable) -> [Result] {
    let lexed = SourceTokens(bytes[...], symbols: symbols)
    var classifier = TokenClassifier(bytes: bytes, tokens: lexed.tokens)
    for index in lexed.tokens.indices { classifier.classify(index) }
    if lexed.comments.isEmpty { return classifier.results }
    let comments = lexed.comments.map { Result(kind: .comment, isDeclaration: false, range: $0) }
    return (classifier.results + comments).sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  private init(bytes: ContiguousArray<UInt8>, tokens: [Token]) {
    self.bytes = bytes
    self.tokens = tokens
  }

  private func kind(_ index: Int) -> Token.Kind {
    tokens.indices.contains(index) ? tokens[index].kind : .endOfText
  }

  private mutating func classify(_ index: Int) {
    let token = tokens[index]
    switch token.kind {
    case .name: classifyName(index)
    case .int, .float: add(.number, token)
    case .string, .blockString: add(.string, token)
    case .spread, .exclamationMark, .ampersand, .pipe: add(.operator, token)
    case .equals:
      add(.operator, token)
      isDefault = true
    case .braceLeft: openBrace()
    case .parenLeft: openParenthesis(index)
    case .parenRight: _ = blocks.popLast()
    case .braceRight:
      _ = blocks.popLast()
      if blocks.isEmpty { definition = .empty }
    case .dollar, .at, .colon, .bracketLeft, .bracketRight, .invalid, .endOfText: break
    }
  }

  private mutating func add(
    _ kind: SemanticToken.Kind, _ token: Token, after sign: Int? = nil, isDeclaration: Bool = false
  ) {
    let start = sign.map { tokens[$0].end == token.start ? tokens[$0].start : token.start }
    results.append(
      Result(
        kind: kind, isDeclaration: isDeclaration, range: (start ?? token.start)..<token.end))
  }

  // MARK: Brackets

  private mutating func openBrace() {
    needsName = false
    switch blocks.last {
    case nil where definition == .enum: blocks.append(.values)
    case nil where Self.fieldOwners.contains(definition): blocks.append(.fields)
    case nil, .selections: blocks.append(.selections)
    default: blocks.append(.object)
    }
    if blocks.count == 1 { isDefault = false }
  }

  private mutating func openParenthesis(_ index: Int) {
    needsName = false
    if kind(index - 1) == .name, kind(index - 2) == .at {
      let areDeclared = tokens[index - 1].symbol == .argumentDefinitions
      let isDefinition = blocks.isEmpty && definition == .directive
      blocks.append(isDefinition ? .parameters : .arguments(areDeclared: areDeclared))
    } else {
      switch blocks.last {
      case nil: blocks.append(.variables)
      case .fields: blocks.append(.parameters)
      default: blocks.append(.arguments(areDeclared: false))
      }
    }
    isDefault = false
  }

  // MARK: Names

  private mutating func classifyName(_ index: Int) {
    let token = tokens[index]
    if token.startsDefinition(in: bytes[...]) { blocks = [] }
    if kind(index - 1) == .at {
      let isDefinition = blocks.isEmpty && needsName && definition == .directive
      needsName = false
      return add(.decorator, token, after: index - 1, isDeclaration: isDefinition)
    }
    if kind(index - 1) == .dollar {
      let isDefinition = blocks.last == .variables
      if isDefinition { isDefault = false }
      return add(.variable, token, after: index - 1, isDeclaration: isDefinition)
    }
    let hasColon = kind(index + 1) == .colon
    switch blocks.last {
    case nil: classifyInDefinition(index)
    case .selections: classifySelection(index)
    case .arguments(let areDeclared):
      hasColon ? add(.parameter, token, isDeclaration: areDeclared) : addValue(token)
    case .object: hasColon ? add(.property, token) : addValue(token)
    case .variables: isDefault ? addValue(token) : add(.type, token)
    case .parameters, .fields: classifyMember(index)
    case .values: add(.enumMember, token, isDeclaration: true)
    }
  }

  private mutating func classifyInDefinition(_ index: Int) {
    let token = tokens[index]
    let isReference = [.pipe, .ampersand, .equals].contains(kind(index - 1))
    if needsName, token.symbol != .on {
      needsName = false
      let kind: SemanticToken.Kind =
        switch definition {
        case .query, .mutation, .subscription: .function
        case .fragment: .struct
        default: .type
        }
      add(kind, token, isDeclaration: true)
    } else if [.on, .implements, .repeatable].contains(token.symbol) {
      needsName = false
      add(.keyword, token)
    } else if !isReference, Token.definitionKeywords.contains(token.symbol) {
      definition = token.symbol
      needsName = definition != .schema && definition != .extend
      add(.keyword, token)
    } else {
      // After `on`, a directive definition has locations.
      add(definition == .directive ? .enumMember : .type, token)
    }
  }

  private mutating func classifySelection(_ index: Int) {
    let token = tokens[index]
    if kind(index - 1) == .spread {
      add(token.symbol == .on ? .keyword : .struct, token)
    } else if kind(index - 2) == .spread, tokens[index - 1].symbol == .on {
      add(.type, token)
    } else {
      add(.property, token, isDeclaration: kind(index + 1) == .colon)
    }
  }

  /// Classifies a name in the fields of a type or in the arguments that a definition declares.
  private mutating func classifyMember(_ index: Int) {
    let token = tokens[index]
    if [.colon, .parenLeft].contains(kind(index + 1)) {
      isDefault = false
      add(blocks.last == .fields ? .property : .parameter, token, isDeclaration: true)
    } else if isDefault {
      addValue(token)
    } else {
      add([.colon, .bracketLeft].contains(kind(index - 1)) ? .type : .property, token)
    }
  }

  private mutating func addValue(_ token: Token) {
    let isKeyword = [.true, .false, .null].contains(token.symbol)
    add(isKeyword ? .keyword : .enumMember, token)
  }
}
