import GraphQLLanguage

extension Session {
  /// Returns the locations that define the element at a position.
  package func definitions(at position: FilePosition) -> [FileRange] {
    let context = languageContext
    guard let occurrence = occurrence(at: position, context) else { return [] }
    return occurrences(of: occurrence.element, context).filter(\.isDefinition)
      .compactMap { fileRange(of: $0.span) }
  }

  /// Returns all references to the element at a position, by file and offset.
  ///
  /// An operation's variable is the same in every operation and fragment that shares it: in a
  /// fragment that uses it, and in the operations that spread the fragment.
  package func references(at position: FilePosition, includesDefinitions: Bool) -> [FileRange] {
    let context = languageContext
    guard let occurrence = occurrence(at: position, context) else { return [] }
    return occurrences(of: occurrence.element, context)
      .filter { includesDefinitions || !$0.isDefinition }
      .compactMap { fileRange(of: $0.span) }
  }

  /// Returns the occurrences of an element in all documents, or in some.
  func occurrences(
    of element: LanguageElement, _ context: LanguageContext, in documents: [Document]? = nil
  ) -> [Occurrence] {
    let documents = documents ?? allDocuments
    let isIncluded: (LanguageElement) -> Bool
    if case .variable(let scope, let name) = element {
      let scopes = VariableScopes(documents, context).scopes(sharing: name, with: scope)
      isIncluded = { candidate in
        guard case .variable(let other, name) = candidate else { return false }
        return scopes.contains(other)
      }
    } else {
      isIncluded = { $0 == element }
    }
    return documents.flatMap { document in
      OccurrenceWalker.occurrences(in: document, context).filter { isIncluded($0.element) }
    }
  }
}

extension Workspace {
  /// Returns the source of a span.
  func text(of span: Span) -> String {
    guard let bytes = self[span.source]?.bytes, Int(span.end) <= bytes.count else { return "" }
    return String(decoding: bytes[Int(span.start)..<Int(span.end)], as: UTF8.self)
  }
}
