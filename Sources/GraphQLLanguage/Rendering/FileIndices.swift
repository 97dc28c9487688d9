/// The line indices of the files that diagnostics are in, made when first needed.
final class FileIndices {
  private let workspace: Workspace
  private var indices: [SourceID: (source: Source, index: LineIndex)] = [:]
  /// The line indices by file, shared by the documents embedded in it.
  private var files: [FileBytes: LineIndex] = [:]

  /// The bytes of a file by where they are; an index keeps them there.
  private struct FileBytes: Hashable {
    private let address: UnsafeRawPointer?
    private let count: Int

    init(_ bytes: ContiguousArray<UInt8>) {
      (address, count) = bytes.withUnsafeBytes { ($0.baseAddress, $0.count) }
    }
  }

  init(_ workspace: Workspace) { self.workspace = workspace }

  /// A source and the lines of its file.
  func file(of id: SourceID) -> (source: Source, index: LineIndex)? {
    if let found = indices[id] { return found }
    guard let source = workspace[id] else { return nil }
    let bytes = source.fileBytes
    let index = files[FileBytes(bytes)] ?? LineIndex(bytes)
    files[FileBytes(bytes)] = index
    indices[id] = (source, index)
    return (source, index)
  }

  /// The place where a span starts.
  func location(of span: Span) -> SourceLocation? {
    guard let file = file(of: span.source) else { return nil }
    return file.index.location(
      path: file.source.path, offset: file.source.fileOffset(of: span.start))
  }
}
