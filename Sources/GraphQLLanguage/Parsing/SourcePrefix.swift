/// A source up to a position where a name may be inserted.
package struct SourcePrefix {
  /// The brackets that close those still open at the position.
  package let closing: String
  /// Whether the position is inside a comment or string, where no name can be inserted.
  package let isInsideToken: Bool
  /// The last two tokens before the position.
  package let lastTokens: [Token]

  /// Scans the tokens before a position.
  ///
  /// A definition's keyword at the start of a line ends the definition before it, even if that one
  /// still has open brackets.
  package init(_ bytes: ContiguousArray<UInt8>.SubSequence, symbols: SymbolTable) {
    var open: [Token.Kind] = []
    var isInside = false
    var last: (Token?, Token?)
    bytes.withUnsafeBufferPointer { bytes in
      symbols.withLockedInterner { interner in
        var lexer = Lexer(bytes, interner: interner)
        var end = 0
        while true {
          let before = lexer
          let token = lexer.next()
          if token.kind == .endOfText { break }
          end = min(Int(token.end), bytes.count)
          last = (last.1, token)
          isInside = token.kind == .invalid && before.isBeforeOpenString
          switch token.kind {
          case .braceLeft, .parenLeft, .bracketLeft: open.append(token.kind)
          case .braceRight, .parenRight, .bracketRight: _ = open.popLast()
          case .name
          where token.isFirstOnLine && Int(token.start) == lexer.lineStart
            && Parser.definitionKeywords.contains(token.symbol):
            open = []
          default: break
          }
        }
        if Self.endsInComment(bytes.dropFirst(end)) { isInside = true }
      }
    }
    isInsideToken = isInside
    lastTokens = [last.0, last.1].compactMap(\.self)
    closing = String(
      open.reversed().map { kind -> Character in
        switch kind {
        case .parenLeft: ")"
        case .bracketLeft: "]"
        default: "}"
        }
      })
  }

  /// Whether white space and comments end inside a comment.
  private static func endsInComment(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    bytes.last { $0 == UInt8(ascii: "#") || $0 == 0x0A || $0 == 0x0D } == UInt8(ascii: "#")
  }
}
