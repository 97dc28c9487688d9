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
}
