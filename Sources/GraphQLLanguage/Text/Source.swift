/// A source to parse: an entire GraphQL file, or a document embedded in another file, such as a
/// Swift string literal.
///
///     let schema = Source(path: "schema.graphql", bytes: bytes)
///     let tag = Source(path: "Feed.swift", bytes: literal, origin: .init(bytes: file, map: map))
public struct Source: Sendable {
  /// The file's path as shown in diagnostics.
  public let path: String
  /// The GraphQL document in UTF-8. Invalid UTF-8 is permitted; the parser reports it.
  public let bytes: ContiguousArray<UInt8>
  /// The enclosing file of an embedded document, or `nil` if the document is the entire file.
  public let origin: Origin?

  /// The file that contains an embedded document.
  public struct Origin: Sendable {
    /// The bytes of the entire file. Documents embedded in the same file share one array.
    public let bytes: ContiguousArray<UInt8>
    /// The map from offsets in the document to offsets in the file.
    public let map: OffsetMap

    /// Creates the origin of an embedded document.
    public init(bytes: ContiguousArray<UInt8>, map: OffsetMap) {
      self.bytes = bytes
      self.map = map
    }
  }

  /// Creates a source, embedded in a larger file if `origin` is given.
  public init(path: String, bytes: ContiguousArray<UInt8>, origin: Origin? = nil) {
    self.path = path
    self.bytes = bytes
    self.origin = origin
  }

  /// Creates a source from a string.
  public init(path: String = "GraphQL", _ text: String) {
    self.init(path: path, bytes: ContiguousArray(text.utf8))
  }

  /// The bytes of the entire file: the enclosing file of an embedded document, otherwise the
  /// document itself.
  public var fileBytes: ContiguousArray<UInt8> { origin?.bytes ?? bytes }

  /// Returns the document offset for a file offset; `nil` outside the document. The document's end
  /// counts as inside.
  package func documentOffset(of file: Int) -> UInt32? {
    guard let file = UInt32(exactly: file) else { return nil }
    let offset = origin.map { $0.map.documentOffset(of: file) } ?? file
    return offset.flatMap { $0 <= bytes.count ? $0 : nil }
  }

  /// Returns the file offset for a document offset.
  public func fileOffset(of offset: UInt32) -> UInt32 {
    origin?.map.fileOffset(of: offset) ?? offset
  }
}
