// Reporting errors, and going on behind them.

extension Parser {
  /// Reports that something else was expected than the token that is next.
  func unexpectedText() -> String {
    switch token.kind {
    case .name, .int, .float:
      "\"\(String(decoding: lexer.slice(Int(token.start), min(Int(token.end), Int(token.start) + 80)), as: UTF8.self))\""
    default: token.kind.description
    }
  }

  /// Reports what was expected in place of the token that is next.
  mutating func expected(_ what: String) -> Abandoned {
    fail("Expected \(what), found \(unexpectedText()).", help: nil)
  }

  /// Reports that the token that is next cannot stand here.
  mutating func unexpected(help: String? = nil) -> Abandoned {
    if token.kind == .endOfText {
      return fail("The text ends where more was expected.", help: help)
    }
    return fail("Unexpected \(unexpectedText()).", help: help)
  }

  /// Reports an error at the token that is next; what the lexer found wrong with it goes first.
  mutating func fail(_ message: String, help: String?) -> Abandoned {
    if token.kind == .invalid, let failure = lexer.failure {
      report(failure.message, from: failure.offset, to: token.end, help: failure.help)
    } else {
      report(message, from: token.start, to: token.end, help: help)
    }
    return Abandoned()
  }

  /// Adds a diagnostic, unless it follows from one already reported.
  mutating func report(_ message: String, from start: UInt32, to end: UInt32, help: String? = nil) {
    guard start >= silentBefore else { return }
    var labels: [Diagnostic.Label] = []
    if token.kind == .endOfText, let brace = openBraces.last {
      labels.append(
        .init(Span(start: brace, end: brace + 1, source: source), "this brace is not closed"))
    }
    diagnostics.append(
      Diagnostic(
        rule: "syntax", message: message,
        at: Span(start: start, end: max(start, end), source: source), labels: labels, help: help))
    silentBefore = start == .max ? .max : start + 1
    if diagnostics.count >= Self.diagnosticLimit { stop() }
  }

  /// Makes the text end here, and nothing more be reported.
  mutating func stop() {
    lexer.position = lexer.bytes.count
    token = lexer.next()
    silentBefore = .max
  }

  /// Reports that the text has too many tokens.
  mutating func stopAtTokenLimit() {
    guard token.kind != .endOfText, silentBefore != .max else { return }
    report(
      "The text has more than \(limits.tokens) tokens.", from: token.start, to: token.end,
      help: "Split it into several files.")
    stop()
  }

  /// Goes one level deeper, or reports that this is too deep.
  mutating func descend() throws(Abandoned) {
    guard depth < limits.depth else {
      throw fail("Nested deeper than \(limits.depth) levels.", help: nil)
    }
    depth += 1
  }

  /// Skips to the next element of a block, or to the brace that closes it.
  ///
  /// - Parameter level: How many braces are open inside the block.
  /// - Throws: When the block does not seem to go on.
  mutating func skipToSibling(level: Int) throws(Abandoned) {
    while token.kind != .endOfText {
      if token.isFirstOnLine, isDefinitionStart, column <= definitionColumn {
        throw Abandoned()
      }
      if openBraces.count == level {
        if token.kind == .braceRight { return resume() }
        if token.isFirstOnLine, token.start >= silentBefore, isElementStart { return resume() }
      }
      trackBraces()
      advance()
    }
    silentBefore = .max
    throw Abandoned()
  }

  /// Skips to the next definition, or to the end.
  mutating func skipToDefinition() {
    var isFirst = true
    while token.kind != .endOfText {
      if !isFirst || token.start >= silentBefore, token.isFirstOnLine, isDefinitionStart,
        openBraces.isEmpty || column <= definitionColumn
      {
        return resume()
      }
      isFirst = false
      trackBraces()
      advance()
    }
    silentBefore = .max
  }

  private mutating func resume() {
    silentBefore = max(silentBefore, token.start == .max ? .max : token.start)
  }

  private mutating func trackBraces() {
    if token.kind == .braceLeft { openBraces.append(token.start) }
    if token.kind == .braceRight { _ = openBraces.popLast() }
  }

  private var isElementStart: Bool {
    switch token.kind {
    case .name, .spread, .string, .blockString: true
    default: false
    }
  }

  /// True when the next token may begin a definition.
  var isDefinitionStart: Bool {
    switch token.kind {
    case .string, .blockString: true
    case .name: Self.definitionKeywords.contains(token.symbol)
    default: false
    }
  }

  private static let definitionKeywords: Set<Symbol> = [
    .query, .mutation, .subscription, .fragment, .schema, .scalar, .type, .interface, .union,
    .enum, .input, .directive, .extend,
  ]

  /// The column of the next token, counted from 0 in bytes.
  var column: Int { Int(token.start) - lexer.lineStart }
}
