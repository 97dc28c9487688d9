import GraphQLLanguage
import RelayCompiler

/// The names that may be written at a position, found by parsing the text before it with a name in the
/// position's place.
struct CompletionContext {
  /// The word around the position, in its document.
  let word: Span
  /// The occurrence that a name at the position would be; `nil` between definitions.
  let occurrence: Occurrence?
  /// The definition in which the position is, as far as it is written.
  let definition: Definition?
  /// Whether a `$` precedes the position.
  let isAfterDollar: Bool
  /// Whether the keyword `extend` precedes the position.
  let isAfterExtend: Bool

  private static let placeholder = "relayCompletion__"
  /// The texts that may have to follow a name to make it a whole: an argument's value, a variable's
  /// type, a selection set, a change of a type.
  private static let suffixes = ["", ": 1", ": Int", " { a }", " @a"]

  /// - Parameter offset: The offset in the document.
  /// - Returns: `nil` inside comments and strings.
  init?(_ document: Document, at offset: UInt32, in session: Session, _ language: LanguageContext) {
    let workspace = session.workspace
    guard let source = workspace[document.source] else { return nil }
    let bytes = source.bytes
    var start = Int(offset)
    while start > 0, Self.isName(bytes[start - 1]) { start -= 1 }
    var end = Int(offset)
    while end < bytes.count, Self.isName(bytes[end]) { end += 1 }
    word = Span(
      start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
      source: document.source)
    let prefix = TextPrefix(bytes[..<start], symbols: workspace.symbols)
    if prefix.isInsideToken { return nil }
    isAfterDollar = start > 0 && bytes[start - 1] == UInt8(ascii: "$")
    isAfterExtend = Self.word(before: bytes[..<start]) == "extend"
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

  /// Returns the texts that may close a definition whose brackets are closed by a text. A selection set
  /// follows the directives of an inline fragment; in a schema, a field's type follows its arguments,
  /// and a directive's locations.
  private static func endings(closing: String) -> [String] {
    let afterArguments =
      closing.contains(")")
      ? [
        closing.replacing(")", with: ") { a }", maxReplacements: 1),
        closing.replacing(")", with: "): Int"), closing + " on FIELD",
      ] : []
    return [closing, closing + " { a }"] + afterArguments
  }

  /// Returns the word before white space at the end of a text.
  private static func word(before text: ContiguousArray<UInt8>.SubSequence) -> String {
    guard let end = text.lastIndex(where: { $0 > 0x20 }) else { return "" }
    let rest = text[...end]
    let start = rest.lastIndex { !isName($0) }.map { $0 + 1 } ?? rest.startIndex
    return String(decoding: rest[start...], as: UTF8.self)
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
  /// The name; that of an alias is not known.
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
