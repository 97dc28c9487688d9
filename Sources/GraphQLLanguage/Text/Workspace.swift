/// What the documents of one piece of work share: their source texts and the names in them.
///
///     let workspace = Workspace()
///     let schema = workspace.parse(Source(path: "schema.graphql", bytes: bytes))
///     let feed = workspace.parse(Source(path: "Feed.graphql", text))
///
/// Everything parsed in one workspace may be compared by ``Symbol`` and reported together. It may be used from any thread.
///
/// `@unchecked Sendable`: `storage` is read and changed under `lock` only.
public final class Workspace: @unchecked Sendable {
  /// The names of all documents.
  public let symbols: SymbolTable
  private let lock = Lock()
  private var storage: [Source] = []

  /// A workspace without sources.
  public init() { symbols = SymbolTable() }

  /// Adds a source text.
  public func add(_ source: Source) -> SourceID {
    lock.withLock {
      storage.append(source)
      return SourceID(index: UInt32(storage.count - 1))
    }
  }

  /// All sources, in the order of adding.
  public var sources: [Source] { lock.withLock { storage } }

  /// A source that was added, or `nil` when the id is not of this workspace.
  public subscript(_ id: SourceID) -> Source? {
    lock.withLock { Int(id.index) < storage.count ? storage[Int(id.index)] : nil }
  }

  /// The line and column in its file at which a span starts, or `nil` when the span is in no text.
  ///
  /// - Complexity: O(*n*) in the size of the file; ``LineIndex`` serves many look-ups.
  public func location(of span: Span) -> SourceLocation? {
    guard let source = self[span.source] else { return nil }
    let index = LineIndex(source.fileBytes)
    return index.location(path: source.path, offset: source.fileOffset(of: span.start))
  }
}
