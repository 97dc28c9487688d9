import GraphQLLanguage

/// The innermost parenthesis that is still open at a position, and the arguments after it.
struct OpenParenthesis {
  /// The offset after the parenthesis.
  let end: UInt32
  /// The names of the arguments before the position, in source order.
  private(set) var given: [Symbol] = []
  /// The argument whose name or value is at the position; `nil` if the next one is not named yet.
  private(set) var current: Symbol?
  /// The start of the name at the position, if no colon follows it.
  private(set) var prefix = Symbol.empty

  /// - Parameter bytes: The document before the position.
  init?(_ bytes: ContiguousArray<UInt8>.SubSequence, symbols: SymbolTable) {
    let tokens = SourceTokens(bytes, symbols: symbols).tokens
    guard let start = Self.open(in: tokens, bytes).last(where: { tokens[$0].kind == .parenLeft })
    else { return nil }
    end = tokens[start].end
    read(tokens[(start + 1)...], until: UInt32(truncatingIfNeeded: bytes.count))
  }

  /// Returns the indices of the brackets that are open at the end. A definition's keyword at the
  /// start of a line ends the definition before it.
  private static func open(
    in tokens: [Token], _ bytes: ContiguousArray<UInt8>.SubSequence
  ) -> [Int] {
    var open: [Int] = []
    for (index, token) in tokens.enumerated() {
      switch token.kind {
      case .braceLeft, .parenLeft, .bracketLeft: open.append(index)
      case .braceRight, .parenRight, .bracketRight: _ = open.popLast()
      case .name where token.startsDefinition(in: bytes): open = []
      default: continue
      }
    }
    return open
  }

  private mutating func read(_ tokens: ArraySlice<Token>, until end: UInt32) {
    var depth = 0
    var hasValue = false
    for index in tokens.indices {
      let token = tokens[index]
      let isNext = index + 1 < tokens.endIndex
      if depth == 0, token.kind == .name, isNext, tokens[index + 1].kind == .colon {
        current = token.symbol
        given.append(token.symbol)
        hasValue = false
        continue
      }
      switch token.kind {
      case .braceLeft, .bracketLeft: depth += 1
      case .braceRight, .bracketRight: depth -= 1
      case .colon where depth == 0: continue
      default: break
      }
      let isLast = !isNext && token.end == end
      // A name after a complete value is the start of the next argument.
      if depth == 0, token.kind == .name, hasValue || current == nil {
        let isVariable = tokens.startIndex < index && tokens[index - 1].kind == .dollar
        if isLast, !isVariable { (current, prefix) = (nil, token.symbol) }
      }
      hasValue = true
    }
    if depth == 0, hasValue, let last = tokens.last, last.end < end { current = nil }
  }
}
