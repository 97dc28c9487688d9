/// The removal of ignored tokens from a document.
enum TokenCompactor {
  /// Returns a document without white space, commas and comments, except for the spaces that
  /// separate tokens. Block strings remain block strings, with only the line breaks they need.
  ///
  /// - Parameter symbols: The symbol table that interned the document's names.
  static func compact(_ text: [UInt8], symbols: SymbolTable) -> String {
    text.withUnsafeBufferPointer { bytes in
      symbols.withLockedInterner { interner in
        var lexer = Lexer(bytes, interner: interner)
        var output: [UInt8] = []
        var previousIsWord = false
        while true {
          let token = lexer.next()
          if token.kind == .endOfText { break }
          let isWord = !token.isPunctuator
          if previousIsWord, isWord || token.kind == .spread { output.append(0x20) }
          let content = lexer.slice(Int(token.start), Int(token.end))
          if token.kind == .blockString {
            let value = BlockString.value(
              UnsafeBufferPointer(rebasing: content[3..<content.count - 3]))
            output.append(contentsOf: BlockString.text(of: value, isMinimal: true).utf8)
          } else {
            output.append(contentsOf: content)
          }
          previousIsWord = isWord
        }
        return String(decoding: output, as: UTF8.self)
      }
    }
  }
}
