/// The identifier of a source in a ``Workspace``.
public struct SourceID: Hashable, Sendable, Comparable {
  /// The index of the source in its workspace, in insertion order.
  public let index: UInt32

  /// Creates the identifier of the source at an index.
  public init(index: UInt32) { self.index = index }

  /// The identifier for nodes that belong to no source.
  public static let none = SourceID(index: .max)

  /// Orders sources by insertion.
  public static func < (left: SourceID, right: SourceID) -> Bool { left.index < right.index }
}

/// A range of bytes in a source.
///
/// For a document embedded in a Swift string literal, offsets count from the start of the document,
/// not the file. ``Workspace/location(of:)`` converts a span to a location in the file.
public struct Span: Hashable, Sendable {
  /// The offset of the first byte.
  public let start: UInt32
  /// The offset past the last byte.
  public let end: UInt32
  /// The source that the offsets refer to.
  public let source: SourceID

  /// Creates a span of the bytes `start..<end` of a source.
  public init(start: UInt32, end: UInt32, source: SourceID) {
    self.start = start
    self.end = end
    self.source = source
  }

  /// The span of nodes that belong to no source, such as a type read from introspection JSON.
  public static let none = Span(start: 0, end: 0, source: .none)

  /// Whether the span refers to a source.
  public var isKnown: Bool { source != .none }
}

extension Span: Comparable {
  /// Orders spans by source, then by start, then by end.
  public static func < (left: Span, right: Span) -> Bool {
    (left.source.index, left.start, left.end) < (right.source.index, right.start, right.end)
  }
}
