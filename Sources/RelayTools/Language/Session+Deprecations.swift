import GraphQLLanguage
import RelayCompiler

extension Session {
  /// Returns the uses of deprecated fields, arguments, input fields and enum values in a file, with
  /// a message about each.
  func deprecations(in path: String) -> [(range: FileRange, message: String)] {
    let context = languageContext
    let text = ElementText(context)
    let schemas = Set(schema.documents.map(\.source))
    return documents(in: path).filter { !schemas.contains($0.source) }.flatMap { document in
      OccurrenceWalker.occurrences(in: document, context).compactMap { occurrence in
        guard !occurrence.isDefinition, let reason = text.deprecation(of: occurrence),
          let range = fileRange(of: occurrence.span)
        else { return nil }
        return (range, "\"\(workspace.text(of: occurrence.span))\" is deprecated: \(reason)")
      }
    }
  }
}
