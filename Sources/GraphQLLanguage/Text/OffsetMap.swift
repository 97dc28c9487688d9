/// A map from byte offsets in an embedded document to byte offsets in its file.
///
/// The document is divided into segments that match the file byte for byte. A literal without
/// escapes or stripped indentation needs one segment. Each line with stripped indentation and each
/// escape sequence starts another.
public struct OffsetMap: Hashable, Sendable {
  /// A run of bytes shared by document and file; it extends to the next segment.
  public struct Segment: Hashable, Sendable {
    /// The offset of the segment's start in the document.
    public let documentStart: UInt32
    /// The offset of the segment's start in the file.
    public let fileStart: UInt32

    /// Creates a segment from its start offsets.
    public init(documentStart: UInt32, fileStart: UInt32) {
      self.documentStart = documentStart
      self.fileStart = fileStart
    }
  }

  /// The segments, ordered by document offset.
  public private(set) var segments: [Segment]

  /// Creates a map with one segment, for a document that appears verbatim in the file from
  /// `fileStart` on.
  public init(startingAt fileStart: UInt32) {
    segments = [Segment(documentStart: 0, fileStart: fileStart)]
  }

  /// Appends a segment. `documentStart` must not be less than the last segment's; if both are
  /// equal, the new segment replaces the last one.
  public mutating func append(documentStart: UInt32, fileStart: UInt32) {
    if segments.last?.documentStart == documentStart { segments.removeLast() }
    segments.append(Segment(documentStart: documentStart, fileStart: fileStart))
  }

  /// Returns the document offset for a file offset. An offset inside an escape sequence or stripped
  /// indentation maps to the next byte of the document.
  ///
  /// - Returns: `nil` before the document.
  /// - Complexity: O(log *n*) in the number of segments.
  package func documentOffset(of file: UInt32) -> UInt32? {
    let next = segments.prefixCount { $0.fileStart <= file }
    guard next > 0 else { return nil }
    let offset = segments[next - 1].documentStart + (file - segments[next - 1].fileStart)
    return next < segments.count ? min(offset, segments[next].documentStart) : offset
  }

  /// Returns the file offset for a document offset.
  ///
  /// - Complexity: O(log *n*) in the number of segments.
  public func fileOffset(of document: UInt32) -> UInt32 {
    let next = segments.prefixCount { $0.documentStart <= document }
    guard next > 0 else { return document }
    let segment = segments[next - 1]
    let (sum, overflow) = segment.fileStart.addingReportingOverflow(
      document - segment.documentStart)
    return overflow ? .max : sum
  }
}
