import GraphQLLanguage

extension Session {
  /// Returns the errors and warnings whose primary location is in a file.
  package func diagnostics(in path: String) -> [Diagnostic] {
    diagnostics.filter { workspace[$0.primarySpan.source]?.path == path }
  }

  /// Returns the range of a span in its file; `nil` if it is in no source.
  func fileRange(of span: Span) -> FileRange? {
    guard let source = workspace[span.source] else { return nil }
    let start = Int(source.fileOffset(of: span.start))
    var end = max(start, Int(source.fileOffset(of: span.end)))
    if source.origin != nil, span.end > span.start {
      // End the range after the last line of the literal's content, not after the white space
      // before the closing quotes.
      let last = Int(source.fileOffset(of: span.end - 1))
      let bytes = source.fileBytes
      while end > last + 1, end <= bytes.count, bytes[end - 1] <= 0x20 { end -= 1 }
    }
    return FileRange(path: source.path, bytes: start..<end)
  }
}
