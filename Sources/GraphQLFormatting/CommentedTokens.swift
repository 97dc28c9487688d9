import GraphQLLanguage

/// A document's tokens, each with the comments before it.
struct CommentedTokens {
  /// A comment, from its `#` through its last non-blank byte.
  struct Comment {
    let range: Range<Int>
    /// Whether the comment is the first thing on its line.
    let isFirstOnLine: Bool
    let isAfterBlankLine: Bool
  }

  /// A token and the comments before it.
  struct Element {
    let kind: Token.Kind
    let symbol: Symbol
    let range: Range<Int>
    /// The indices of the comments between the previous token and this one.
    let comments: Range<Int>
    /// Whether a blank line separates the token from the preceding comment or token.
    let isAfterBlankLine: Bool
  }

  let bytes: ContiguousArray<UInt8>
  /// The tokens, ending with ``Token/Kind/endOfText`` or the first invalid token.
  private(set) var elements: [Element] = []
  private(set) var comments: [Comment] = []
  /// Whether the entire document lexes without errors.
  private(set) var isValid = true

  /// Lexes a document.
  ///
  /// - Complexity: O(*n*) in the bytes.
  init(_ bytes: ContiguousArray<UInt8>, symbols: SymbolTable) {
    self.bytes = bytes
    var end = 0
    for token in SourceTokens(bytes[...], symbols: symbols).tokens {
      let range = Int(token.start)..<Int(token.end)
      add(token.kind, token.symbol, at: range, after: end)
      if token.kind == .invalid {
        isValid = false
        return
      }
      end = range.upperBound
    }
    add(.endOfText, .empty, at: bytes.count..<bytes.count, after: end)
  }

  private mutating func add(
    _ kind: Token.Kind, _ symbol: Symbol, at range: Range<Int>, after end: Int
  ) {
    let firstComment = comments.count
    let lineEnds = readGap(end..<range.lowerBound)
    elements.append(
      Element(
        kind: kind, symbol: symbol, range: range, comments: firstComment..<comments.count,
        isAfterBlankLine: lineEnds > 1))
  }

  /// Collects the comments in the ignored bytes between two tokens.
  ///
  /// - Returns: The number of line ends after the last comment.
  private mutating func readGap(_ gap: Range<Int>) -> Int {
    var lineEnds = 0
    var isFirstOnLine = gap.lowerBound == 0
    var position = gap.lowerBound
    while position < gap.upperBound {
      switch bytes[position] {
      case 0x0D where position + 1 < gap.upperBound && bytes[position + 1] == 0x0A: break
      case 0x0A, 0x0D:
        lineEnds += 1
        isFirstOnLine = true
      case UInt8(ascii: "#"):
        let start = position
        while position < gap.upperBound, bytes[position] != 0x0A, bytes[position] != 0x0D {
          position += 1
        }
        comments.append(
          Comment(
            range: trimmed(start..<position), isFirstOnLine: isFirstOnLine,
            isAfterBlankLine: lineEnds > 1))
        lineEnds = 0
        continue
      default: break
      }
      position += 1
    }
    return lineEnds
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, BlockString.isBlank(bytes[end - 1]) { end -= 1 }
    return range.lowerBound..<end
  }

  /// Returns the value of a block string.
  func blockStringValue(of element: Element) -> String {
    bytes[element.range.dropFirst(3).dropLast(3)].withUnsafeBufferPointer(BlockString.value)
  }

  /// Returns whether the token is a block string that contains a line end.
  func hasLineEnd(_ element: Element) -> Bool {
    element.kind == .blockString
      && bytes[element.range].contains { $0 == 0x0A || $0 == 0x0D }
  }

  /// Returns whether both documents have the same tokens and the same comments before each. Block
  /// strings are compared by value.
  func isEquivalent(to other: CommentedTokens) -> Bool {
    guard isValid, other.isValid, elements.count == other.elements.count,
      comments.count == other.comments.count
    else { return false }
    let haveSameComments = zip(comments, other.comments).allSatisfy {
      bytes[$0.range].elementsEqual(other.bytes[$1.range])
    }
    return haveSameComments
      && zip(elements, other.elements).allSatisfy { left, right in
        guard left.kind == right.kind, left.comments == right.comments else {
          return false
        }
        if left.kind == .blockString {
          return blockStringValue(of: left).utf8
            .elementsEqual(other.blockStringValue(of: right).utf8)
        }
        return bytes[left.range].elementsEqual(other.bytes[right.range])
      }
  }
}
