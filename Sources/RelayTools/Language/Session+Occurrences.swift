import GraphQLLanguage
import RelayCompiler

extension Session {
  /// The schema and fragments used to resolve names.
  var languageContext: LanguageContext {
    LanguageContext(schema: schema.schema, keys: schema.keyFields, relay: relay) {
      fragment(named: $0)
    }
  }

  /// Returns the fragment named `symbol`; the first by path if there are several.
  func fragment(named symbol: Symbol) -> FragmentDefinition? {
    let files = graph.files(defining: symbol)
    let file = files.count < 2 ? files.first : files.min { $0.path < $1.path }
    for document in file.flatMap({ entries[$0] })?.parsed.documents ?? [] {
      for case .fragment(let fragment) in document.definitions
      where fragment.name.symbol == symbol {
        return fragment
      }
    }
    return nil
  }

  /// Returns a file's documents; the file may be a source, another module's source, or the schema.
  func documents(in path: String) -> [Document] {
    parsedFile(at: path)?.documents
      ?? schema.documents.filter { workspace[$0.source]?.path == path }
  }

  /// Returns a source, or another module's source.
  private func parsedFile(at path: String) -> ParsedFile? {
    let keys = [FileKey(path: path)] + input.modules.map { FileKey(module: $0.name, path: path) }
    return keys.lazy.compactMap { entries[$0]?.parsed }.first
  }

  /// Returns the tag of a document in a Swift file; `nil` for other documents.
  func tag(of document: Document) -> Tag? { tag(of: document.source) }

  func tag(of source: SourceID) -> Tag? {
    guard let path = workspace[source]?.path, let parsed = parsedFile(at: path) else { return nil }
    return zip(parsed.tags, parsed.documents).first { $1.source == source }?.0
  }

  /// All documents: the module's own, those in other modules, and the schema's.
  var allDocuments: [Document] { executableDocuments + schema.documents }

  /// The documents of the module and of other modules.
  var executableDocuments: [Document] { executableFiles.flatMap(\.documents) }

  /// The sources of the module and of other modules.
  var executableFiles: [ParsedFile] {
    names.files
      + input.modules.flatMap { module in
        module.sources.compactMap {
          entries[FileKey(module: module.name, path: $0.path)]?.parsed
        }
      }
  }

  /// Returns the document at a position, and the offset in the document; `nil` outside documents.
  func document(at position: FilePosition) -> (document: Document, offset: UInt32)? {
    for document in documents(in: position.path) {
      guard let source = workspace[document.source],
        let offset = source.documentOffset(of: position.offset)
      else { continue }
      return (document, offset)
    }
    // The indentation of a literal's first line precedes its document.
    guard let parsed = parsedFile(at: position.path) else { return nil }
    let found = zip(parsed.tags, parsed.documents).first { tag, _ in
      (tag.literal.contentStart...tag.contentEnd).contains(position.offset)
    }
    return found.map { ($1, 0) }
  }

  /// Returns the occurrence whose name contains the position or ends there.
  func occurrence(at position: FilePosition, _ context: LanguageContext) -> Occurrence? {
    guard let (document, offset) = document(at: position) else { return nil }
    let found = OccurrenceWalker.occurrences(in: document, context).filter {
      $0.span.start <= offset && offset <= $0.span.end
    }
    // If two names touch, the one that starts here.
    return found.max { $0.span.start < $1.span.start }
  }
}
