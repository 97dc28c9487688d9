/// The shared context of several documents: their sources and one symbol table.
///
///     let workspace = Workspace()
///     let schema = workspace.parse(Source(path: "schema.graphql", bytes: bytes))
///     let feed = workspace.parse(Source(path: "Feed.graphql", text))
///
/// Documents in one workspace can be compared by ``Symbol``, and their diagnostics can be rendered
/// together. A workspace can be used from any thread.
///
/// `@unchecked Sendable`: `storage` is accessed only under `lock`.
public final class Workspace: @unchecked Sendable {
  /// The symbol table of all documents.
  public let symbols: SymbolTable
  /// Guards `storage`. No other lock is taken while it is held.
  private let lock = Lock()
  private var storage: [Source] = []

  /// Creates an empty workspace.
  public init() { symbols = SymbolTable() }

  /// Adds a source and returns its identifier.
  public func add(_ source: Source) -> SourceID {
    lock.withLock {
      storage.append(source)
      return SourceID(index: UInt32(storage.count - 1))
    }
  }

  /// Releases the contents of sources that are no longer referenced. Their identifiers are not
  /// reused.
  ///
  /// - Parameter isRemoved: Whether to release the contents of a source.
  package func removeTexts(where isRemoved: (SourceID) -> Bool) {
    lock.withLock {
      for index in storage.indices where isRemoved(SourceID(index: UInt32(index))) {
        storage[index] = Source(path: "", bytes: [])
      }
    }
  }

  /// The number of sources.
  package var count: Int { lock.withLock { storage.count } }

  /// All sources in insertion order.
  public var sources: [Source] { lock.withLock { storage } }

  /// The source with an identifier, or `nil` if the workspace does not have it.
  public subscript(_ id: SourceID) -> Source? {
    lock.withLock { id.index < storage.count ? storage[Int(id.index)] : nil }
  }

  /// Returns the line and column where a span starts in its file, or `nil` if the span belongs to
  /// no source.
  ///
  /// - Complexity: O(*n*) in the size of the file. Use a ``LineIndex`` for several lookups.
  public func location(of span: Span) -> SourceLocation? {
    guard let source = self[span.source] else { return nil }
    let index = LineIndex(source.fileBytes)
    return index.location(path: source.path, offset: source.fileOffset(of: span.start))
  }
}
