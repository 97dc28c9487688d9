/// A source text to parse: a whole GraphQL file, or a document embedded in another file, such as in
/// a Swift string literal.
///
///     let schema = Source(path: "schema.graphql", bytes: bytes)
///     let tag = Source(path: "Feed.swift", bytes: literal, origin: .init(bytes: file, map: map))
public struct Source: Sendable {
  /// The path of the file, as diagnostics show it.
  public let path: String
  /// The GraphQL text in UTF-8. Invalid UTF-8 is permitted; the parser reports it.
  public let bytes: ContiguousArray<UInt8>
  /// The file that contains the text, or `nil` if the text is the whole file.
  public let origin: Origin?

  /// The file that contains an embedded document.
  public struct Origin: Sendable {
    /// The bytes of the whole file. Documents embedded in one file share one array.
    public let bytes: ContiguousArray<UInt8>
    /// The map from offsets in the document to offsets in the file.
    public let map: OffsetMap

    /// Creates the origin of an embedded document.
    public init(bytes: ContiguousArray<UInt8>, map: OffsetMap) {
      self.bytes = bytes
      self.map = map
    }
  }

  /// Creates a source text, embedded in a larger file if `origin` is given.
  public init(path: String, bytes: ContiguousArray<UInt8>, origin: Origin? = nil) {
    self.path = path
    self.bytes = bytes
    self.origin = origin
  }

  /// Creates a source text from a string.
  public init(path: String = "GraphQL", _ text: String) {
    self.init(path: path, bytes: ContiguousArray(text.utf8))
  }

  /// The bytes of the whole file: the text itself, or the file that it is embedded in.
  public var fileBytes: ContiguousArray<UInt8> { origin?.bytes ?? bytes }

  /// Returns the offset in the text that corresponds to an offset in the file; `nil` if that is
  /// outside of the text. The end of the text is inside.
  package func documentOffset(of file: Int) -> UInt32? {
    guard let file = UInt32(exactly: file) else { return nil }
    let offset = origin.map { $0.map.documentOffset(of: file) } ?? file
    return offset.flatMap { $0 <= bytes.count ? $0 : nil }
  }

  /// Returns the offset in the file that corresponds to an offset in the text.
  public func fileOffset(of offset: UInt32) -> UInt32 {
    origin?.map.fileOffset(of: offset) ?? offset
  }
}
