import GraphQLLanguage

extension Session {
  /// Returns the arguments of the field, directive or spread whose parentheses are around a
  /// position; `nil` elsewhere, and if it is unknown or has no arguments.
  func signature(at position: FilePosition) -> Signature? {
    let language = languageContext
    guard let (document, offset) = document(at: position), let source = workspace[document.source],
      let parenthesis = OpenParenthesis(
        source.bytes.prefix(Int(offset)), symbols: workspace.symbols),
      let context = CompletionContext(document, at: parenthesis.end, in: self, language),
      let occurrence = context.occurrence
    else { return nil }
    return SignatureBuilder(language: language, parenthesis: parenthesis).signature(of: occurrence)
  }
}
