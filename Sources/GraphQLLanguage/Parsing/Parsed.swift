/// Limits on a parser's input, so that no document can exhaust memory or overflow the stack.
public struct ParserLimits: Hashable, Sendable {
  /// The maximum nesting depth, counting selection sets, list values and object values together. At
  /// the default, an optimized build parses, compares and prints the deepest document in half of a
  /// 512 KiB stack.
  public var depth: Int
  /// The maximum number of tokens in a document.
  public var tokens: Int

  /// Creates limits. The defaults far exceed any realistic document.
  public init(depth: Int = 128, tokens: Int = 10_000_000) {
    self.depth = depth
    self.tokens = tokens
  }
}

/// The result of parsing: the valid definitions, and the diagnostics for everything else.
public struct Parsed: Sendable {
  /// The definitions that could be parsed; complete if there are no diagnostics.
  public let document: Document
  /// The errors, in source order. GraphQL syntax errors have the rule `syntax`.
  public let diagnostics: [Diagnostic]
}

extension Workspace {
  /// Adds a source to the workspace and parses it.
  ///
  /// Parsing never fails: an invalid construct is reported and left out of the tree. The first
  /// diagnostic is the actual syntax error; later ones are found after error recovery.
  ///
  /// - Complexity: O(*n*) in the bytes.
  public func parse(_ source: Source, limits: ParserLimits = ParserLimits()) -> Parsed {
    parse(source, limits: limits, recordsSpans: true)
  }

  /// Parses a source. Without spans, documents that differ only in ignored tokens have equal trees.
  func parse(_ source: Source, limits: ParserLimits, recordsSpans: Bool) -> Parsed {
    let id = add(source)
    var document = Document(definitions: [], source: id, symbols: symbols)
    guard source.bytes.count < UInt32.max else {
      return Parsed(document: document, diagnostics: [Self.tooLarge(id)])
    }
    let diagnostics = source.bytes.withUnsafeBufferPointer { bytes in
      symbols.withLockedInterner { interner in
        var parser = Parser(
          bytes, source: id, interner: interner, limits: limits, recordsSpans: recordsSpans)
        document.definitions = parser.parseDefinitions()
        return parser.diagnostics
      }
    }
    return Parsed(document: document, diagnostics: diagnostics)
  }

  private static func tooLarge(_ source: SourceID) -> Diagnostic {
    Diagnostic(
      rule: "syntax", message: "The document is larger than 4 GB.",
      at: Span(start: 0, end: 0, source: source))
  }
}
