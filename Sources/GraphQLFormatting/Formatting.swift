import GraphQLLanguage

/// Formatting of GraphQL documents. Replaces the white space between tokens and comments and leaves
/// everything else unchanged.
///
///     let formatted = Formatting.format(bytes)     // nil: the document has syntax errors
///
/// - Each selection, field and enum value goes on its own line, indented by two spaces a level.
/// - Argument, variable and value lists go on one line with commas if they fit, and otherwise on
///   one line per element without commas. Directives and union members break the same way.
/// - Blank lines between definitions, selections or arguments collapse into one.
/// - Comments keep their position relative to the tokens, on their own lines or at the end of one.
/// - Block strings of several lines are indented; their values do not change.
package enum Formatting {
  /// Returns a document in canonical format, with a line end after the last line.
  ///
  /// Formatting is idempotent. It preserves a leading byte order mark, and it accepts a document
  /// without tokens.
  ///
  /// - Parameters:
  ///   - bytes: The document in UTF-8.
  ///   - width: The maximum line width in characters; lists that exceed it are broken.
  ///   - lineEnd: The line end; `nil` copies the first one in `bytes`.
  /// - Returns: The formatted document; `nil` if it has syntax errors.
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

  /// Returns a document in canonical format on one line of any length, without a line end.
  ///
  /// - Returns: The formatted document; `nil` if it has syntax errors, a comment, or a block string
  ///   of several lines.
  package static func formatOnOneLine(_ bytes: ContiguousArray<UInt8>) -> ContiguousArray<UInt8>? {
    withTokens(of: bytes) { tokens in
      LayoutPrinter.oneLine(of: LayoutBuilder.layout(of: tokens), tokens: tokens)
    }
  }

  /// Returns whether two documents have the same tokens with the same comments between them. Block
  /// strings are compared by value.
  package static func isEquivalent(
    _ left: ContiguousArray<UInt8>, to right: ContiguousArray<UInt8>
  ) -> Bool {
    let symbols = SymbolTable()
    return CommentedTokens(left, symbols: symbols)
      .isEquivalent(to: CommentedTokens(right, symbols: symbols))
  }

  private static let byteOrderMark: ContiguousArray<UInt8> = [0xEF, 0xBB, 0xBF]

  /// Calls `body` with a document's tokens; returns `nil` if it has syntax errors.
  private static func withTokens<Result>(
    of bytes: ContiguousArray<UInt8>, _ body: (CommentedTokens) -> Result?
  ) -> Result? {
    guard bytes.count < UInt32.max else { return nil }
    let workspace = Workspace()
    let isValid = workspace.parse(Source(path: "", bytes: bytes)).diagnostics.isEmpty
    let tokens = CommentedTokens(bytes, symbols: workspace.symbols)
    // The parser rejects a document without tokens, but it may still hold comments to format.
    return isValid || tokens.isValid && tokens.elements.count == 1 ? body(tokens) : nil
  }

  /// Returns the first line end in the bytes; a line feed if there is none.
  package static func firstLineEnd(of bytes: some Collection<UInt8>) -> [UInt8] {
    guard let index = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return [0x0A] }
    let end = bytes[index...].prefix(2)
    return end.elementsEqual([0x0D, 0x0A]) ? Array(end) : Array(end.prefix(1))
  }
}
