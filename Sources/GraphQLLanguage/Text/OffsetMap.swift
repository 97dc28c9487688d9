/// A map from byte offsets in an embedded document to byte offsets in its file.
///
/// The document is divided into segments, within which document and file correspond byte for byte.
/// A literal without escapes or stripped indentation needs one segment. Each line whose indentation
/// is stripped and each escape sequence begins another.
public struct OffsetMap: Hashable, Sendable {
  /// A run of bytes that document and file have in common; it extends to the next segment.
  public struct Segment: Hashable, Sendable {
    /// The offset of the segment's start in the document.
    public let document: UInt32
    /// The offset of the segment's start in the file.
    public let file: UInt32

    /// Creates a segment from its start offsets.
    public init(document: UInt32, file: UInt32) {
      self.document = document
      self.file = file
    }
  }

  /// The segments in increasing order of their document offsets.
  public private(set) var segments: [Segment]

  /// Creates a map with one segment: the document is a verbatim part of the file, from offset
  /// `file` on.
  public init(startingAt file: UInt32) { segments = [Segment(document: 0, file: file)] }

  /// Appends a segment. `document` must not be less than the last segment's document offset; if
  /// both are equal, the new segment replaces the last one.
  public mutating func append(document: UInt32, file: UInt32) {
    if segments.last?.document == document { segments.removeLast() }
    segments.append(Segment(document: document, file: file))
  }

  /// Returns the file offset that corresponds to a document offset.
  ///
  /// - Complexity: O(log *n*) in the number of segments.
  public func fileOffset(of document: UInt32) -> UInt32 {
    var low = 0
    var high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].document <= document { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return document }
    let segment = segments[low - 1]
    let (sum, overflow) = segment.file.addingReportingOverflow(document - segment.document)
    return overflow ? .max : sum
  }
}
