/// Names one source text of a ``Workspace``.
public struct SourceID: Hashable, Sendable, Comparable {
  /// The source's position in its workspace, in the order of adding.
  public let index: UInt32

  /// The source at a position of a workspace.
  public init(index: UInt32) { self.index = index }

  /// Stands for no source: what has no place in any text.
  public static let none = SourceID(index: .max)

  /// Sources in the order in which they were added.
  public static func < (left: SourceID, right: SourceID) -> Bool { left.index < right.index }
}

/// A range of bytes in a source text.
///
/// Offsets count bytes of the source's own text. For a document that stands inside a Swift string literal that is the
/// document's text, not the file's: ``Workspace`` finds the place in the file.
public struct Span: Hashable, Sendable {
  /// The offset of the first byte.
  public let start: UInt32
  /// The offset after the last byte.
  public let end: UInt32
  /// The text the offsets count in.
  public let source: SourceID

  /// The bytes `start..<end` of a source.
  public init(start: UInt32, end: UInt32, source: SourceID) {
    self.start = start
    self.end = end
    self.source = source
  }

  /// The span of what stands in no text, such as a type read from introspection JSON.
  public static let none = Span(start: 0, end: 0, source: .none)

  /// True when this span is a place in a text.
  public var isKnown: Bool { source != .none }
}

extension Span: Comparable {
  /// Orders spans by source, then by start, then by end.
  public static func < (left: Span, right: Span) -> Bool {
    (left.source.index, left.start, left.end) < (right.source.index, right.start, right.end)
  }
}
