/// A text to parse: a whole GraphQL file, or a document embedded in another file such as a Swift string literal.
///
///     let schema = Source(path: "schema.graphql", bytes: bytes)
///     let tag = Source(path: "Feed.swift", bytes: literal, origin: .init(bytes: file, map: map))
public struct Source: Sendable {
  /// What diagnostics call the file.
  public let path: String
  /// The GraphQL text in UTF-8. Other bytes are allowed and become diagnostics.
  public let bytes: ContiguousArray<UInt8>
  /// Where the text stands in a larger file, or `nil` when it is the file.
  public let origin: Origin?

  /// The file a document is embedded in.
  public struct Origin: Sendable {
    /// The bytes of the whole file; documents of one file share one array.
    public let bytes: ContiguousArray<UInt8>
    /// Maps offsets in the document to offsets in the file.
    public let map: OffsetMap

    /// A document's place in a file.
    public init(bytes: ContiguousArray<UInt8>, map: OffsetMap) {
      self.bytes = bytes
      self.map = map
    }
  }

  /// A text under a path, embedded in a larger file when `origin` is given.
  public init(path: String, bytes: ContiguousArray<UInt8>, origin: Origin? = nil) {
    self.path = path
    self.bytes = bytes
    self.origin = origin
  }

  /// A text held in a string.
  public init(path: String = "GraphQL", _ text: String) {
    self.init(path: path, bytes: ContiguousArray(text.utf8))
  }

  /// The bytes of the file: the text itself, or the file it is embedded in.
  public var fileBytes: ContiguousArray<UInt8> { origin?.bytes ?? bytes }

  /// The offset in the file of an offset in the text.
  public func fileOffset(of offset: UInt32) -> UInt32 {
    origin?.map.fileOffset(of: offset) ?? offset
  }
}
