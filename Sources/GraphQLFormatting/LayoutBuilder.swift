import GraphQLLanguage

/// A recursive descent over the tokens of a valid document that builds its layout.
///
/// Each method appends the elements of one construct and moves past its tokens. Every token is
/// appended exactly once, in order and with its comments, so formatting never loses one.
struct LayoutBuilder {
  let tokens: CommentedTokens
  private(set) var layout = Layout()
  private var index = 0
  /// Whether the layout already includes the comments before the next token.
  private var hasComments = false

  /// Returns the layout of a document.
  ///
  /// - Complexity: O(*n*) in the tokens.
  static func layout(of tokens: CommentedTokens) -> Layout {
    var builder = LayoutBuilder(tokens: tokens)
    builder.addDocument()
    return builder.layout
  }

  private init(tokens: CommentedTokens) { self.tokens = tokens }

  // MARK: Tokens

  var kind: Token.Kind { tokens.elements[index].kind }

  func isAtKeyword(_ keyword: Symbol) -> Bool {
    kind == .name && tokens.elements[index].symbol == keyword
  }

  var isAtEnd: Bool { kind == .endOfText }

  /// Appends the next token with its comments and moves past it.
  mutating func addToken() {
    addComments()
    // Every loop ends at the end-of-text token, so it is never consumed.
    guard !isAtEnd else { return }
    layout.elements.append(.token(index))
    index += 1
    hasComments = false
  }

  /// Appends the comments of the next token unless the layout already includes them.
  mutating func addComments() {
    guard !hasComments else { return }
    hasComments = true
    if !tokens.elements[index].comments.isEmpty { layout.elements.append(.comments(index)) }
  }

  /// Appends the next token if it has the given kind; returns whether it did.
  @discardableResult
  mutating func addToken(ifOf kind: Token.Kind) -> Bool {
    guard self.kind == kind else { return false }
    addToken()
    return true
  }

  // MARK: Separators

  /// Appends the next token, then a space.
  mutating func addTokenAndSpace() {
    addToken()
    addSpace()
  }

  mutating func addSpace() { layout.elements.append(.space) }

  mutating func addLine(_ separator: Layout.Separator, keepsBlankLine: Bool = false) {
    layout.elements.append(.line(separator, keepsBlankLine: keepsBlankLine))
  }

  mutating func addHardLine(keepsBlankLine: Bool = false) {
    layout.elements.append(.hardLine(keepsBlankLine: keepsBlankLine))
  }

  /// Appends a group. Comments before its first token go outside the group and do not break it.
  mutating func addGroup(_ body: (inout LayoutBuilder) -> Void) {
    layout.elements.append(.beginGroup)
    body(&self)
    layout.elements.append(.endGroup)
  }

  /// Appends the elements from `body` with their lines indented by one more level.
  mutating func addIndented(_ body: (inout LayoutBuilder) -> Void) {
    layout.elements.append(.indent)
    body(&self)
    layout.elements.append(.dedent)
  }

  /// Appends a bracketed list as a group: on one line with commas, or one element per line.
  ///
  /// - Parameter padding: The separator inside the brackets when the list is on one line.
  mutating func addList(
    to close: Token.Kind, padding: Layout.Separator = .none,
    _ element: (inout LayoutBuilder) -> Void
  ) {
    addComments()
    addGroup { builder in
      builder.addToken()
      builder.layout.elements.append(.indent)
      var separator = builder.kind == close ? Layout.Separator.none : padding
      while builder.kind != close, !builder.isAtEnd {
        builder.addLine(separator, keepsBlankLine: true)
        element(&builder)
        separator = .comma
      }
      separator = separator == .comma ? padding : .none
      // Comments before the closing bracket are indented like elements.
      builder.addLine(separator, keepsBlankLine: true)
      builder.addComments()
      builder.layout.elements.append(.dedent)
      builder.addLine(separator)
      builder.addToken()
    }
  }

  /// Appends a space and a block in braces, with one element per line.
  mutating func addBlock(_ element: (inout LayoutBuilder) -> Void) {
    addSpace()
    addToken()
    layout.elements.append(.indent)
    while kind != .braceRight, !isAtEnd {
      addHardLine(keepsBlankLine: true)
      element(&self)
    }
    addHardLine(keepsBlankLine: true)
    addComments()
    layout.elements.append(.dedent)
    addHardLine()
    addToken()
  }

  // MARK: Document

  private mutating func addDocument() {
    while !isAtEnd {
      addHardLine(keepsBlankLine: true)
      addDefinition()
    }
    addHardLine(keepsBlankLine: true)
    addComments()
  }

  private mutating func addDefinition() {
    addDescription()
    if kind == .braceLeft { return addSelectionSet() }
    if isAtKeyword(.extend) { addTokenAndSpace() }
    guard kind == .name else { return addToken() }
    switch tokens.elements[index].symbol {
    case .query, .mutation, .subscription: addOperation()
    case .fragment: addFragment()
    case .schema: addSchema()
    case .directive: addDirectiveDefinition()
    default: addTypeDefinition()
    }
  }

  /// Appends a description, if there is one, on its own lines.
  mutating func addDescription() {
    guard kind == .string || kind == .blockString else { return }
    addToken()
    addHardLine()
  }
}
