/// A recursive-descent parser of GraphQL documents.
///
/// A method that meets an invalid construct reports the error and throws ``ParseFailure``. The
/// nearest enclosing block, or the loop over the definitions, catches it and skips to a likely
/// start of the next element (`Parser+Recovery.swift`). Errors before ``suppressionEnd`` are
/// suppressed, so that one mistake is one error.
struct Parser {
  /// The error that abandons an invalid construct after the problem has been reported.
  struct ParseFailure: Error {}

  var lexer: Lexer
  let source: SourceID
  let limits: ParserLimits
  /// Whether nodes have spans. Trees without spans can be compared across documents.
  let recordsSpans: Bool

  /// The next token, not yet consumed.
  var token = Token(kind: .endOfText, isFirstOnLine: true, start: 0, end: 0, symbol: .empty)
  /// The end offset of the last consumed token.
  var previousEnd: UInt32 = 0
  var depth = 0
  var tokenCount = 0
  /// The offsets of the open braces, innermost last.
  var openBraces: [UInt32] = []
  /// The zero-based column of the current definition, in bytes.
  var definitionColumn = 0
  /// The end of the range where errors are suppressed because they follow from a reported one.
  var suppressionEnd: UInt32 = 0
  var diagnostics: [Diagnostic] = []

  /// The maximum number of errors; the parser then skips the rest of the source.
  static let diagnosticLimit = 100

  /// Creates a parser at the first token of a source.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, source: SourceID, interner: SymbolTable.LockedInterner,
    limits: ParserLimits, recordsSpans: Bool = true
  ) {
    lexer = Lexer(bytes, interner: interner)
    self.source = source
    self.limits = limits
    self.recordsSpans = recordsSpans
    advance()
  }

  /// Parses all definitions.
  mutating func parseDefinitions() -> [Definition] {
    var definitions: [Definition] = []
    if token.kind == .endOfText {
      _ = reportFailure("The document is empty.", help: "Write a definition, or remove it.")
      return definitions
    }
    repeat {
      openBraces.removeAll(keepingCapacity: true)
      depth = 0
      definitionColumn = column
      let errorCount = diagnostics.count
      do throws(ParseFailure) {
        definitions.append(try parseDefinition())
        // The error may have left a brace unbalanced, so any error before the next definition would
        // only be a consequence.
        if diagnostics.count > errorCount, !isDefinitionStart { skipToDefinition() }
      } catch {
        skipToDefinition()
      }
    } while token.kind != .endOfText
    return definitions
  }

  // MARK: Tokens

  /// Advances to the next token.
  @inline(__always)
  mutating func advance() {
    previousEnd = token.end
    token = lexer.next()
    tokenCount += 1
    if tokenCount > limits.tokens { stopAtTokenLimit() }
  }

  /// Returns whether the next token has the given kind.
  @inline(__always)
  func peek(_ kind: Token.Kind) -> Bool { token.kind == kind }

  /// Returns whether the next token is the given keyword.
  @inline(__always)
  func peekKeyword(_ keyword: Symbol) -> Bool { token.kind == .name && token.symbol == keyword }

  /// Consumes the next token if it has the given kind; returns whether it did.
  @inline(__always)
  mutating func skip(_ kind: Token.Kind) -> Bool {
    guard token.kind == kind else { return false }
    advance()
    return true
  }

  /// Consumes the next token if it is the given keyword; returns whether it did.
  mutating func skipKeyword(_ keyword: Symbol) -> Bool {
    guard peekKeyword(keyword) else { return false }
    advance()
    return true
  }

  /// Consumes a token of the given kind; any other token is an error.
  @inline(__always)
  mutating func expect(_ kind: Token.Kind) throws(ParseFailure) {
    guard token.kind == kind else { throw reportExpected(kind.description) }
    advance()
  }

  /// Consumes the given keyword; any other token is an error.
  mutating func expect(keyword: Symbol, text: String) throws(ParseFailure) {
    guard skipKeyword(keyword) else { throw reportExpected("\"\(text)\"") }
  }

  /// Parses a name.
  @inline(__always)
  mutating func parseName() throws(ParseFailure) -> Name {
    guard token.kind == .name else { throw reportExpected("a name") }
    let name = Name(token.symbol, span: span(token.start, token.end))
    advance()
    return name
  }

  // MARK: Spans

  /// Returns the span from an offset to the end of the last consumed token.
  @inline(__always)
  func span(from start: UInt32) -> Span { span(start, previousEnd) }

  @inline(__always)
  func span(_ start: UInt32, _ end: UInt32) -> Span {
    recordsSpans ? Span(start: start, end: end, source: source) : .none
  }

  // MARK: Sequences

  /// Parses one or more elements between an opening and a closing token.
  @inline(__always)
  mutating func many<Element>(
    from open: Token.Kind, to close: Token.Kind,
    _ element: (inout Parser) throws(ParseFailure) -> Element
  ) throws(ParseFailure) -> [Element] {
    try expect(open)
    var elements: [Element] = []
    repeat { elements.append(try element(&self)) } while !skip(close)
    return elements
  }

  /// Parses elements like ``many(from:to:_:)`` if the opening token is next; otherwise returns no
  /// elements.
  @inline(__always)
  mutating func optionalMany<Element>(
    from open: Token.Kind, to close: Token.Kind,
    _ element: (inout Parser) throws(ParseFailure) -> Element
  ) throws(ParseFailure) -> [Element] {
    guard peek(open) else { return [] }
    return try many(from: open, to: close, element)
  }

  /// Parses one or more elements in braces. Skips invalid elements and continues after them.
  @inline(__always)
  mutating func block<Element>(
    _ element: (inout Parser) throws(ParseFailure) -> Element
  ) throws(ParseFailure) -> [Element] {
    let start = token.start
    try expect(.braceLeft)
    openBraces.append(start)
    let (level, depth) = (openBraces.count, depth)
    var elements: [Element] = []
    repeat {
      do throws(ParseFailure) {
        elements.append(try element(&self))
      } catch {
        self.depth = depth
        try skipToSibling(level: level)
      }
    } while !peek(.braceRight)
    openBraces.removeLast(openBraces.count - level + 1)
    advance()
    return elements
  }

  /// Parses a block if an opening brace is next; otherwise returns no elements.
  @inline(__always)
  mutating func optionalBlock<Element>(
    _ element: (inout Parser) throws(ParseFailure) -> Element
  ) throws(ParseFailure) -> [Element] {
    guard peek(.braceLeft) else { return [] }
    return try block(element)
  }
}
