/// The tokens and comments of a source, for callers that also handle sources with syntax errors.
package struct SourceTokens {
  /// The tokens, without the end of the source. Some may be ``Token/Kind/invalid``.
  package private(set) var tokens: [Token] = []
  package private(set) var comments: [Range<UInt32>] = []

  /// Lexes a source. Offsets count from the start of `bytes`.
  ///
  /// - Parameter limit: The largest number of tokens to read.
  /// - Complexity: O(*n*) in the bytes read.
  package init(
    _ bytes: ContiguousArray<UInt8>.SubSequence, symbols: SymbolTable, limit: Int = .max
  ) {
    bytes.withUnsafeBufferPointer { bytes in
      symbols.withLockedInterner { interner in
        var lexer = Lexer(bytes, interner: interner)
        var end = 0
        while tokens.count < limit {
          let token = lexer.next()
          addComments(in: end..<max(end, Int(clamping: token.start)), of: bytes)
          if token.kind == .endOfText { break }
          tokens.append(token)
          end = min(Int(clamping: token.end), bytes.count)
        }
      }
    }
  }

  /// Adds the comments in the bytes between two tokens. A quote outside comments starts a string
  /// that is not closed, and the rest belongs to it.
  private mutating func addComments(in gap: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>) {
    var rest = bytes[gap]
    while let start = rest.firstIndex(where: { $0 == UInt8(ascii: "#") || $0 == 0x22 }) {
      if rest[start] == 0x22 { return }
      rest = rest[start...]
      let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? rest.endIndex
      comments.append(UInt32(truncatingIfNeeded: start)..<UInt32(truncatingIfNeeded: end))
      rest = rest[end...]
    }
  }
}
