import GraphQLLanguage
import RelayCompiler

/// The names that may be written at a position. To find them, the document up to the position is
/// parsed with a placeholder name at the position.
struct CompletionContext {
  /// The word that is being typed at the position, in its document. Empty before a word.
  let word: Span
  /// The occurrence of the placeholder name; `nil` between definitions.
  let occurrence: Occurrence?
  /// The definition around the position, possibly incomplete.
  let definition: Definition?
  /// Whether a `$` precedes the position.
  let isAfterDollar: Bool
  /// The keywords that may be written at the position between definitions, or in an incomplete one.
  let keywords: [String]

  private static let placeholder = "relayCompletion__"
  /// The suffixes that may complete the placeholder name: an argument's value, a variable's type, a
  /// selection set, or a change to a type.
  private static let suffixes = ["", ": 1", ": Int", " { a }", " @a"]

  /// - Parameter offset: The offset in the document.
  /// - Returns: `nil` inside comments and strings.
  init?(_ document: Document, at offset: UInt32, in session: Session, _ language: LanguageContext) {
    let workspace = session.workspace
    guard let source = workspace[document.source] else { return nil }
    let bytes = source.bytes
    var start = Int(offset)
    while start > 0, Self.isName(bytes[start - 1]) { start -= 1 }
    isAfterDollar = start > 0 && bytes[start - 1] == UInt8(ascii: "$")
    var end = Int(offset)
    let isTyped = start < end || isAfterDollar
    while isTyped, end < bytes.count, Self.isName(bytes[end]) { end += 1 }
    word = Span(
      start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
      source: document.source)
    let prefix = SourcePrefix(bytes[..<start], symbols: workspace.symbols)
    if prefix.isInsideToken { return nil }
    keywords =
      session.schema.documents.contains { $0.source == document.source }
      ? Self.typeSystemKeywords(after: prefix.lastTokens.last)
      : Self.executableKeywords(
        after: prefix.lastTokens, isFirstOnLine: Self.isFirstOnLine(bytes[..<start]))
    let symbol = workspace.symbols.intern(Self.placeholder)
    for ending in Self.endings(closing: prefix.closing) {
      for suffix in Self.suffixes {
        let text =
          ContiguousArray(bytes[..<start])
          + Array((" " + Self.placeholder + suffix + " " + ending).utf8)
        let parsed = workspace.parse(Source(path: "", bytes: text)).document
        workspace.removeTexts { $0 == parsed.source }
        guard
          let definition = parsed.definitions.last,
          let found = Self.occurrence(of: symbol, in: definition, language)
        else { continue }
        (occurrence, self.definition) = (found, definition)
        return
      }
    }
    guard prefix.closing.isEmpty else { return nil }
    (occurrence, definition) = (nil, nil)
  }

  /// Returns the endings that may close a definition, given the `closing` brackets. A selection set
  /// follows an inline fragment's directives. In a schema, a field's type follows its arguments,
  /// and locations follow a directive's arguments.
  private static func endings(closing: String) -> [String] {
    let afterArguments =
      closing.contains(")")
      ? [
        closing.replacing(")", with: ") { a }", maxReplacements: 1),
        closing.replacing(")", with: "): Int"), closing + " on FIELD",
      ] : []
    return [closing, closing + " { a }"] + afterArguments
  }

  private static func typeSystemKeywords(after last: Token?) -> [String] {
    let types = ["type", "interface", "union", "enum", "input", "scalar"]
    return types + (last?.symbol == .extend ? ["schema"] : ["directive", "schema", "extend"])
  }

  private static func executableKeywords(after last: [Token], isFirstOnLine: Bool) -> [String] {
    if last.map(\.kind) == [.name, .name], last[0].symbol == .fragment { return ["on"] }
    switch last.last?.kind {
    case nil, .braceRight, .string, .blockString: break
    default: if !isFirstOnLine { return [] }
    }
    return ["query", "mutation", "subscription", "fragment"]
  }

  /// Whether there is only white space between the end of the bytes and the start of their last
  /// line.
  private static func isFirstOnLine(_ bytes: ContiguousArray<UInt8>.SubSequence) -> Bool {
    let last = bytes.last { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return last == nil || last == 0x0A || last == 0x0D
  }

  static func isName(_ byte: UInt8) -> Bool { byte < 0x80 && SwiftCursor.isIdentifier(byte) }

  private static func occurrence(
    of name: Symbol, in definition: Definition, _ language: LanguageContext
  ) -> Occurrence? {
    var walker = OccurrenceWalker(language)
    walker.walk(definition)
    return walker.occurrences.first { $0.element.name == name }
  }
}

extension LanguageElement {
  /// The name; `nil` for an alias.
  var name: Symbol? {
    switch self {
    case .type(let name), .directive(let name), .fragment(let name), .operation(let name),
      .field(_, let name), .argument(_, _, let name), .directiveArgument(_, let name),
      .inputField(_, let name), .enumValue(_, let name), .variable(_, let name),
      .fragmentVariable(_, let name):
      name
    case .alias: nil
    }
  }
}
