/// The line indices of the files that diagnostics are in, made when first needed.
final class FileIndices {
  private let workspace: Workspace
  private var indices: [SourceID: (source: Source, index: LineIndex)] = [:]

  init(_ workspace: Workspace) { self.workspace = workspace }

  /// A source and the lines of its file.
  func file(of id: SourceID) -> (source: Source, index: LineIndex)? {
    if let found = indices[id] { return found }
    guard let source = workspace[id] else { return nil }
    let found = (source, LineIndex(source.fileBytes))
    indices[id] = found
    return found
  }

  /// The place where a span starts.
  func location(of span: Span) -> SourceLocation? {
    guard let file = file(of: span.source) else { return nil }
    return file.index.location(
      path: file.source.path, offset: file.source.fileOffset(of: span.start))
  }
}
