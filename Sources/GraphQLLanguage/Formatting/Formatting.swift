/// Formatting of GraphQL texts. Tokens and comments stay as they are; the white space between them
/// is replaced.
///
///     let formatted = Formatting.format(bytes)     // nil: the text has syntax errors
///
/// - A selection, a field or a value of a type is on a line of its own, indented by two spaces for
///   each level.
/// - Lists of arguments, variables and values are on one line with commas if that fits, and
///   otherwise on a line for each element, without commas. The same is true of directives, and of
///   the members of a union.
/// - One blank line is kept where the text has at least one between definitions, selections or
///   arguments.
/// - Comments keep their position among the tokens, on lines of their own or at the end of a line.
/// - Block strings of several lines are indented; their values stay the same.
package enum Formatting {
  /// Returns a text in canonical format, with a line end after the last line.
  ///
  /// Formatting is idempotent. A byte order mark at the beginning stays. A text that has no tokens
  /// is formatted too.
  ///
  /// - Parameters:
  ///   - bytes: The text in UTF-8.
  ///   - width: The number of characters of a line above which lists are broken.
  ///   - lineEnd: The line end; `nil` for that of the first line of `bytes`.
  /// - Returns: The formatted text; `nil` if the text has syntax errors.
  /// - Complexity: O(*n*) in the bytes.
  package static func format(
    _ bytes: ContiguousArray<UInt8>, width: Int = 80, lineEnd: [UInt8]? = nil
  ) -> ContiguousArray<UInt8>? {
    withTokens(of: bytes) { tokens in
      let text = LayoutPrinter.text(
        of: LayoutBuilder.layout(of: tokens), tokens: tokens, width: width,
        lineEnd: lineEnd ?? firstLineEnd(of: tokens.bytes))
      return bytes.starts(with: byteOrderMark) ? byteOrderMark + text : text
    }
  }

  /// Returns a text in canonical format on one line of any length, without a line end.
  ///
  /// - Returns: The formatted text; `nil` if the text has syntax errors, a comment, or a block
  ///   string of several lines.
  package static func formatOnOneLine(_ bytes: ContiguousArray<UInt8>) -> ContiguousArray<UInt8>? {
    withTokens(of: bytes) { tokens in
      LayoutPrinter.oneLine(of: LayoutBuilder.layout(of: tokens), tokens: tokens)
    }
  }

  /// Returns whether two texts have the same tokens with the same comments between them. Block
  /// strings are the same if their values are.
  package static func isEquivalent(
    _ left: ContiguousArray<UInt8>, to right: ContiguousArray<UInt8>
  ) -> Bool {
    let symbols = SymbolTable()
    return left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in
        symbols.withLockedInterner { interner in
          CommentedTokens(left, interner: interner)
            .isEquivalent(to: CommentedTokens(right, interner: interner))
        }
      }
    }
  }

  private static let byteOrderMark: ContiguousArray<UInt8> = [0xEF, 0xBB, 0xBF]

  /// Calls `body` with the tokens of a text; returns `nil` if the text has syntax errors.
  private static func withTokens<Result>(
    of bytes: ContiguousArray<UInt8>, _ body: (CommentedTokens) -> Result?
  ) -> Result? {
    let isValid = Workspace().parse(Source(path: "", bytes: bytes)).diagnostics.isEmpty
    let symbols = SymbolTable()
    return bytes.withUnsafeBufferPointer { buffer in
      symbols.withLockedInterner { interner in
        guard buffer.count < UInt32.max else { return nil }
        let tokens = CommentedTokens(buffer, interner: interner)
        // The parser rejects a text without tokens, which may be all comments.
        return isValid || tokens.isValid && tokens.elements.count == 1 ? body(tokens) : nil
      }
    }
  }

  private static func firstLineEnd(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    guard let index = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return [0x0A] }
    if bytes[index] == 0x0A { return [0x0A] }
    return index + 1 < bytes.count && bytes[index + 1] == 0x0A ? [0x0D, 0x0A] : [0x0D]
  }
}
