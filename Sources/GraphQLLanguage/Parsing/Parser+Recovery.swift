// Error reporting and error recovery.

extension Parser {
  /// Returns the next token in the form used in messages. Names and numbers are quoted and
  /// truncated after 80 bytes.
  func nextTokenText() -> String {
    switch token.kind {
    case .name, .int, .float:
      "\"\(String(decoding: lexer.slice(Int(token.start), min(Int(token.end), Int(token.start) + 80)), as: UTF8.self))\""
    default: token.kind.description
    }
  }

  /// Reports that `what` was expected instead of the next token; returns the error to throw.
  mutating func reportExpected(_ what: String) -> ParseFailure {
    reportFailure("Expected \(what), found \(nextTokenText()).", help: nil)
  }

  /// Reports that the next token is not allowed here; returns the error to throw.
  mutating func reportUnexpected(help: String? = nil) -> ParseFailure {
    if token.kind == .endOfText {
      return reportFailure("Unexpected end of document.", help: help)
    }
    return reportFailure("Unexpected \(nextTokenText()).", help: help)
  }

  /// Reports an error at the next token; returns the error to throw. If the token is invalid, the
  /// lexer's failure is reported instead.
  mutating func reportFailure(_ message: String, help: String?) -> ParseFailure {
    if token.kind == .invalid, let failure = lexer.failure {
      report(failure.message, from: failure.offset, to: token.end, help: failure.help)
    } else {
      report(message, from: token.start, to: token.end, help: help)
    }
    return ParseFailure()
  }

  /// Appends a diagnostic, unless it starts before `suppressionEnd` and so follows from an earlier
  /// one.
  ///
  /// At the end of the source, the innermost open brace is labelled. Parsing stops at
  /// ``diagnosticLimit`` diagnostics.
  // Not inlined: errors are rare, and the function has many callers.
  @inline(never)
  mutating func report(_ message: String, from start: UInt32, to end: UInt32, help: String? = nil) {
    guard start >= suppressionEnd else { return }
    var labels: [Diagnostic.Label] = []
    if token.kind == .endOfText, let brace = openBraces.last {
      labels.append(
        .init(Span(start: brace, end: brace + 1, source: source), "this brace is not closed"))
    }
    diagnostics.append(
      Diagnostic(
        rule: "syntax", message: message,
        at: Span(start: start, end: max(start, end), source: source), labels: labels, help: help))
    suppressionEnd = start == .max ? .max : start + 1
    if diagnostics.count >= Self.diagnosticLimit { skipToEnd() }
  }

  /// Moves to the end of the source and suppresses all further errors.
  mutating func skipToEnd() {
    lexer.position = lexer.bytes.count
    token = lexer.next()
    suppressionEnd = .max
  }

  /// Reports that the document exceeds the token limit, and stops.
  // Not inlined: every advance calls it at most once.
  @inline(never)
  mutating func stopAtTokenLimit() {
    guard token.kind != .endOfText, suppressionEnd != .max else { return }
    report(
      "The document has more than \(limits.tokens.counted("token")).", from: token.start,
      to: token.end,
      help: "Split it into several files.")
    skipToEnd()
  }

  /// Increments the nesting depth; reports an error if that exceeds the limit.
  mutating func enterLevel() throws(ParseFailure) {
    guard depth < limits.depth else {
      throw reportFailure("Nested deeper than \(limits.depth.counted("level")).", help: nil)
    }
    depth += 1
  }

  /// Skips to the next element of a block or to its closing brace.
  ///
  /// - Parameter level: The number of open braces inside the block.
  /// - Throws: ``ParseFailure`` if another definition or the end of the source comes first.
  mutating func skipToSibling(level: Int) throws(ParseFailure) {
    while token.kind != .endOfText {
      if token.isFirstOnLine, isDefinitionStart, column <= definitionColumn {
        throw ParseFailure()
      }
      if openBraces.count == level {
        if token.kind == .braceRight { return resume() }
        if token.isFirstOnLine, token.start >= suppressionEnd, isElementStart { return resume() }
      }
      trackBraces()
      advance()
    }
    suppressionEnd = .max
    throw ParseFailure()
  }

  /// Skips to the next definition or to the end of the source.
  mutating func skipToDefinition() {
    var isFirst = true
    while token.kind != .endOfText {
      if !isFirst || token.start >= suppressionEnd, token.isFirstOnLine, isDefinitionStart,
        openBraces.isEmpty || column <= definitionColumn
      {
        return resume()
      }
      isFirst = false
      trackBraces()
      advance()
    }
    suppressionEnd = .max
  }

  private mutating func resume() {
    suppressionEnd = max(suppressionEnd, token.start == .max ? .max : token.start)
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

  /// Whether the next token can start a definition.
  var isDefinitionStart: Bool {
    switch token.kind {
    case .string, .blockString: true
    case .name: Self.definitionKeywords.contains(token.symbol)
    default: false
    }
  }

  /// The keywords that start a definition.
  static let definitionKeywords: Set<Symbol> = [
    .query, .mutation, .subscription, .fragment, .schema, .scalar, .type, .interface, .union,
    .enum, .input, .directive, .extend,
  ]

  /// The zero-based column of the next token, in bytes.
  var column: Int { Int(token.start) - lexer.lineStart }
}
