/// A cache of line indices for files with diagnostics. Each index is created on first use.
final class FileIndices {
  private let workspace: Workspace
  /// The sources already looked up, each with the line index of its file.
  private var indices: [SourceID: (source: Source, index: LineIndex)] = [:]
  /// The line index of each file, shared by the documents embedded in it.
  private var files: [FileBytes: LineIndex] = [:]

  /// The identity of a file's bytes: their address and count. The line index retains the buffer, so
  /// the address cannot be reused.
  private struct FileBytes: Hashable {
    private let address: UnsafeRawPointer?
    private let count: Int

    init(_ bytes: ContiguousArray<UInt8>) {
      (address, count) = bytes.withUnsafeBytes { ($0.baseAddress, $0.count) }
    }
  }

  init(_ workspace: Workspace) { self.workspace = workspace }

  /// Returns a source and the line index of its file.
  func file(of id: SourceID) -> (source: Source, index: LineIndex)? {
    if let found = indices[id] { return found }
    guard let source = workspace[id] else { return nil }
    let bytes = source.fileBytes
    let index = files[FileBytes(bytes)] ?? LineIndex(bytes)
    files[FileBytes(bytes)] = index
    indices[id] = (source, index)
    return (source, index)
  }

  /// Returns the location where a span starts.
  func location(of span: Span) -> SourceLocation? {
    guard let file = file(of: span.source) else { return nil }
    return file.index.location(
      path: file.source.path, offset: file.source.fileOffset(of: span.start))
  }
}
