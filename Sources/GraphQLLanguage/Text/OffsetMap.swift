/// Maps offsets in an embedded document to offsets in its file.
///
/// The document is cut into segments; within each the bytes of document and file correspond one to one. A literal without
/// escapes or stripped indentation needs one segment; each stripped line start and each escape sequence begins another.
public struct OffsetMap: Hashable, Sendable {
  /// From here on, document and file advance together.
  public struct Segment: Hashable, Sendable {
    /// Where the segment begins in the document.
    public let document: UInt32
    /// Where the segment begins in the file.
    public let file: UInt32

    /// A segment that begins at these offsets.
    public init(document: UInt32, file: UInt32) {
      self.document = document
      self.file = file
    }
  }

  /// The segments, by increasing document offset.
  public private(set) var segments: [Segment]

  /// A map of one segment: the document stands in the file as it is, from an offset on.
  public init(startingAt file: UInt32) { segments = [Segment(document: 0, file: file)] }

  /// Begins a segment; `document` is not less than that of the last one.
  public mutating func append(document: UInt32, file: UInt32) {
    if segments.last?.document == document { segments.removeLast() }
    segments.append(Segment(document: document, file: file))
  }

  /// The offset in the file of an offset in the document.
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
