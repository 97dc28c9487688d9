import GraphQLLanguage

extension Session {
  /// Returns the errors and warnings whose primary location is in a file.
  package func diagnostics(in path: String) -> [Diagnostic] {
    diagnostics.filter { workspace[$0.primarySpan.source]?.path == path }
  }

  /// Returns the range of a span in its file; `nil` if it is in no source text.
  package func fileRange(of span: Span) -> FileRange? {
    guard let source = workspace[span.source] else { return nil }
    let start = Int(source.fileOffset(of: span.start))
    return FileRange(
      path: source.path, bytes: start..<max(start, Int(source.fileOffset(of: span.end))))
  }

  /// Returns what a position refers to; `nil` outside of documents and where there is nothing to say.
  package func hover(at position: FilePosition) -> Hover? { nil }

  /// Returns the places that define what a position refers to.
  package func definitions(at position: FilePosition) -> [FileRange] { [] }

  /// Returns all places that refer to what a position refers to.
  package func references(at position: FilePosition, includesDefinitions: Bool) -> [FileRange] {
    []
  }

  /// Returns the name that would be renamed at a position; `nil` if nothing there can be.
  package func renamed(at position: FilePosition) -> (range: FileRange, name: String)? { nil }

  /// Returns the edits that rename what a position refers to.
  ///
  /// - Throws: ``RenameError`` if the name is none, is taken, or nothing there can be renamed.
  package func rename(
    at position: FilePosition, to name: String
  ) throws(RenameError) -> [FileEdit] {
    []
  }

  /// Returns the names that may be written at a position, best first.
  package func completions(at position: FilePosition) -> [Completion] { [] }

  /// Returns the changes that can be offered at a range.
  package func codeActions(in range: FileRange) -> [CodeAction] { [] }

  /// Returns the ranges that can be folded: definitions and selection sets of several lines.
  package func foldingRanges(in path: String) -> [FileRange] { [] }

  /// Returns the types of the fields in a range.
  package func inlayHints(in range: FileRange) -> [InlayHint] { [] }

  /// Returns the definitions in a file with their fields.
  package func outline(of path: String) -> [OutlineItem] { [] }

  /// Returns the text as sent of the operation at a position, or of the operations that reach the
  /// fragment there; `nil` outside of definitions, and where there are errors.
  package func operationText(at position: FilePosition) -> String? { nil }
}
