/// Reads definitions from tokens.
///
/// Where a construct cannot be read, it reports why and throws ``Abandoned``; the nearest enclosing block of fields or
/// definitions catches that and goes on at a likely place (`Parser+Recovery.swift`). An error at a place where reading was taken up
/// again is not reported, so one mistake is one error.
struct Parser {
  /// Thrown when a construct is given up; what was wrong has been reported.
  struct Abandoned: Error {}

  var lexer: Lexer
  let source: SourceID
  let limits: ParserLimits
  /// Whether nodes get spans; without them, trees of different texts can be compared.
  let recordsSpans: Bool

  /// The token to read next.
  var token = Token(kind: .endOfText, isFirstOnLine: true, start: 0, end: 0, symbol: .empty)
  /// The end of the token read last.
  var previousEnd: UInt32 = 0
  var depth = 0
  var tokenCount = 0
  /// The offsets of the braces that are open.
  var openBraces: [UInt32] = []
  /// The column of the definition being read, counted from 0 in bytes.
  var definitionColumn = 0
  /// Errors before this offset follow from one already reported.
  var silentBefore: UInt32 = 0
  var diagnostics: [Diagnostic] = []

  /// After this many errors the rest of a text is not read.
  static let diagnosticLimit = 100

  /// A parser at the first token of a text.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, source: SourceID, interning: SymbolTable.Interning,
    limits: ParserLimits, recordsSpans: Bool = true
  ) {
    lexer = Lexer(bytes, interning: interning)
    self.source = source
    self.limits = limits
    self.recordsSpans = recordsSpans
    advance()
  }

  /// Reads all definitions.
  mutating func parseDefinitions() -> [Definition] {
    var definitions: [Definition] = []
    if token.kind == .endOfText {
      _ = fail("There is no document here.", help: "Write a definition, or remove it.")
      return definitions
    }
    repeat {
      openBraces.removeAll(keepingCapacity: true)
      depth = 0
      definitionColumn = column
      let errorCount = diagnostics.count
      do throws(Abandoned) {
        definitions.append(try parseDefinition())
        // A mistake inside may have hidden a brace, so what follows tells nothing new.
        if diagnostics.count > errorCount, !isDefinitionStart { skipToDefinition() }
      } catch {
        skipToDefinition()
      }
    } while token.kind != .endOfText
    return definitions
  }

  // MARK: Tokens

  /// Goes to the next token.
  @inline(__always)
  mutating func advance() {
    previousEnd = token.end
    token = lexer.next()
    tokenCount += 1
    if tokenCount > limits.tokens { stopAtTokenLimit() }
  }

  /// True when the next token is of a kind.
  @inline(__always)
  func peek(_ kind: Token.Kind) -> Bool { token.kind == kind }

  /// True when the next token is a keyword.
  @inline(__always)
  func peekKeyword(_ keyword: Symbol) -> Bool { token.kind == .name && token.symbol == keyword }

  /// Skips a token of a kind, or leaves another where it is.
  @inline(__always)
  mutating func skip(_ kind: Token.Kind) -> Bool {
    guard token.kind == kind else { return false }
    advance()
    return true
  }

  /// Skips a keyword, or leaves another token where it is.
  mutating func skipKeyword(_ keyword: Symbol) -> Bool {
    guard peekKeyword(keyword) else { return false }
    advance()
    return true
  }

  /// Reads a token of a kind.
  @inline(__always)
  mutating func expect(_ kind: Token.Kind) throws(Abandoned) {
    guard token.kind == kind else { throw expected(kind.description) }
    advance()
  }

  /// Reads a keyword.
  mutating func expect(_ keyword: Symbol, _ text: String) throws(Abandoned) {
    guard skipKeyword(keyword) else { throw expected("\"\(text)\"") }
  }

  /// Reads a name.
  @inline(__always)
  mutating func parseName() throws(Abandoned) -> Name {
    guard token.kind == .name else { throw expected("a name") }
    let name = Name(token.symbol, span: span(token.start, token.end))
    advance()
    return name
  }

  // MARK: Spans

  /// The span from an offset to the end of the token read last.
  @inline(__always)
  func span(from start: UInt32) -> Span { span(start, previousEnd) }

  @inline(__always)
  func span(_ start: UInt32, _ end: UInt32) -> Span {
    recordsSpans ? Span(start: start, end: end, source: source) : .none
  }

  // MARK: Sequences

  /// Reads elements between an opening and a closing token; at least one.
  @inline(__always)
  mutating func many<Element>(
    _ open: Token.Kind, _ close: Token.Kind,
    _ element: (inout Parser) throws(Abandoned) -> Element
  ) throws(Abandoned) -> [Element] {
    try expect(open)
    var elements: [Element] = []
    repeat { elements.append(try element(&self)) } while !skip(close)
    return elements
  }

  /// Reads elements as ``many`` does where the opening token is next; otherwise nothing.
  @inline(__always)
  mutating func optionalMany<Element>(
    _ open: Token.Kind, _ close: Token.Kind,
    _ element: (inout Parser) throws(Abandoned) -> Element
  ) throws(Abandoned) -> [Element] {
    guard peek(open) else { return [] }
    return try many(open, close, element)
  }

  /// Reads elements between braces; one that cannot be read is left out, and reading goes on behind it.
  @inline(__always)
  mutating func block<Element>(
    _ element: (inout Parser) throws(Abandoned) -> Element
  ) throws(Abandoned) -> [Element] {
    let start = token.start
    try expect(.braceLeft)
    openBraces.append(start)
    let level = openBraces.count
    var elements: [Element] = []
    repeat {
      do throws(Abandoned) {
        elements.append(try element(&self))
      } catch {
        try skipToSibling(level: level)
      }
    } while !peek(.braceRight)
    openBraces.removeLast(openBraces.count - level + 1)
    advance()
    return elements
  }

  /// Reads a block where a brace is next; otherwise nothing.
  @inline(__always)
  mutating func optionalBlock<Element>(
    _ element: (inout Parser) throws(Abandoned) -> Element
  ) throws(Abandoned) -> [Element] {
    guard peek(.braceLeft) else { return [] }
    return try block(element)
  }
}
