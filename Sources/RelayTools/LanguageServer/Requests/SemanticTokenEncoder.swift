import GraphQLLanguage

/// Encodes semantic tokens as the protocol's numbers, in one pass over the file.
struct SemanticTokenEncoder {
  /// Five numbers for each token: the lines and characters since the start of the last token, its
  /// length, its type and its modifiers.
  private(set) var data: [Int] = []
  private let bytes: ContiguousArray<UInt8>
  private let encoding: PositionEncoding
  /// The offset that has been reached, and its position.
  private var offset = 0
  private var position = LinePosition(line: 0, character: 0)
  /// The start of the last token.
  private var last = LinePosition(line: 0, character: 0)

  private static let kinds = Dictionary(
    uniqueKeysWithValues: SemanticToken.Kind.allCases.enumerated().map { ($1, $0) })

  init(_ bytes: ContiguousArray<UInt8>, encoding: PositionEncoding) {
    self.bytes = bytes
    self.encoding = encoding
  }

  /// Appends a token. Each token starts after the end of the one before it.
  mutating func append(_ token: SemanticToken) {
    advance(to: token.range.bytes.lowerBound)
    let start = position
    advance(to: token.range.bytes.upperBound)
    guard position.line == start.line, position.character > start.character,
      let kind = Self.kinds[token.kind]
    else { return }
    data += [
      start.line - last.line,
      start.line == last.line ? start.character - last.character : start.character,
      position.character - start.character, kind, token.isDeclaration ? 1 : 0,
    ]
    last = start
  }

  private mutating func advance(to end: Int) {
    var (line, character) = (position.line, position.character)
    let end = min(end, bytes.count)
    while offset < end {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case 0x0D where offset < bytes.count && bytes[offset] == 0x0A: break
      case 0x0A, 0x0D: (line, character) = (line + 1, 0)
      case _ where encoding == .utf8: character += 1
      case 0x80..<0xC0: break
      default: character += byte >= 0xF0 ? 2 : 1
      }
    }
    position = LinePosition(line: line, character: character)
  }
}
