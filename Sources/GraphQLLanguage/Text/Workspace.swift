/// The shared context of several documents: their source texts and one symbol table.
///
///     let workspace = Workspace()
///     let schema = workspace.parse(Source(path: "schema.graphql", bytes: bytes))
///     let feed = workspace.parse(Source(path: "Feed.graphql", text))
///
/// Documents of one workspace can be compared by ``Symbol``, and their diagnostics can be rendered
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

  /// Adds a source text and returns its identifier.
  public func add(_ source: Source) -> SourceID {
    lock.withLock {
      storage.append(source)
      return SourceID(index: UInt32(storage.count - 1))
    }
  }

  /// Removes the texts of sources, of which nothing refers to any more. Their identifiers are not
  /// given to other sources.
  ///
  /// - Parameter isRemoved: Whether the text of a source is removed.
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

  /// Returns the line and column where a span starts in its file, or `nil` if the span is in no
  /// source text.
  ///
  /// - Complexity: O(*n*) in the size of the file. Use a ``LineIndex`` for several lookups.
  public func location(of span: Span) -> SourceLocation? {
    guard let source = self[span.source] else { return nil }
    let index = LineIndex(source.fileBytes)
    return index.location(path: source.path, offset: source.fileOffset(of: span.start))
  }
}
