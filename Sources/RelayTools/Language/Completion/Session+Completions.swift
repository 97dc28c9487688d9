import GraphQLLanguage
import RelayCompiler

extension Session {
  /// Returns the names that may be written at a position, best first.
  func completions(at position: FilePosition) -> [Completion] {
    let language = languageContext
    guard let (document, offset) = document(at: position),
      let context = CompletionContext(document, at: offset, in: self, language),
      var range = fileRange(of: context.word)
    else { return [] }
    // The word may lie next to the position: at the end of a literal's document, or where white
    // space was stripped. In that case the completion only inserts.
    let isAdjacent =
      position.offset < range.bytes.lowerBound || range.bytes.upperBound < position.offset
    if isAdjacent {
      range = FileRange(path: position.path, bytes: position.offset..<position.offset)
    }
    let names = CompletionNames(
      language: language, fragments: names.fragments, range: range,
      snippets: snippets(for: context, in: document, language))
    guard let occurrence = context.occurrence else {
      return names.keywords(context.keywords)
    }
    return names.completions(
      for: occurrence, in: context.definition, isAfterDollar: context.isAfterDollar)
  }

  private func snippets(
    for context: CompletionContext, in document: Document, _ language: LanguageContext
  ) -> CompletionSnippets {
    let rest = workspace[document.source]?.bytes.dropFirst(Int(context.word.end)) ?? []
    let literal = tag(of: document)?.literal
    let isQuoted = literal.map { !$0.isMultiline && $0.hashes == 0 } ?? false
    return CompletionSnippets(
      language: language, definition: context.definition,
      following: FollowingTokens(rest, symbols: workspace.symbols),
      quote: isQuoted ? "\\\"" : "\"")
  }
}
