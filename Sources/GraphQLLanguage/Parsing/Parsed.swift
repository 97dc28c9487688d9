/// Bounds on what a parser reads, so that no text can exhaust memory or the stack.
public struct ParserLimits: Hashable, Sendable {
  /// The deepest nesting of selection sets, and of list and object values. At the default an
  /// optimized build parses, compares and prints the deepest document in half of a stack of 512 KiB.
  public var depth: Int
  /// The most tokens of one text.
  public var tokens: Int

  /// Bounds; the defaults are far above what documents need.
  public init(depth: Int = 128, tokens: Int = 10_000_000) {
    self.depth = depth
    self.tokens = tokens
  }
}

/// The result of parsing: as much of the tree as could be made out, and what is wrong.
public struct Parsed: Sendable {
  /// The definitions that could be read. Complete when there are no diagnostics.
  public let document: Document
  /// The syntax errors, in the order of the text, each of the rule `syntax`.
  public let diagnostics: [Diagnostic]
}

extension Workspace {
  /// Parses a text: adds it to the workspace and reads its definitions.
  ///
  /// It never fails: what cannot be read is left out and reported. The first error is the one that makes the text
  /// invalid; later ones are those found after taking up reading at a likely place.
  ///
  /// - Complexity: O(*n*) in the size of the text.
  public func parse(_ source: Source, limits: ParserLimits = ParserLimits()) -> Parsed {
    parse(source, limits: limits, recordsSpans: true)
  }

  /// Parses a text; without spans the trees of texts that differ in white space only are equal.
  func parse(_ source: Source, limits: ParserLimits, recordsSpans: Bool) -> Parsed {
    let id = add(source)
    var document = Document(definitions: [], source: id, symbols: symbols)
    guard source.bytes.count < UInt32.max else {
      return Parsed(document: document, diagnostics: [Self.tooLarge(id)])
    }
    let diagnostics = source.bytes.withUnsafeBufferPointer { bytes in
      symbols.withInterning { interning in
        var parser = Parser(
          bytes, source: id, interning: interning, limits: limits, recordsSpans: recordsSpans)
        document.definitions = parser.parseDefinitions()
        return parser.diagnostics
      }
    }
    return Parsed(document: document, diagnostics: diagnostics)
  }

  private static func tooLarge(_ source: SourceID) -> Diagnostic {
    Diagnostic(
      rule: "syntax", message: "The text is larger than 4 GB.",
      at: Span(start: 0, end: 0, source: source))
  }
}
