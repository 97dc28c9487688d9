/// One `graphql("""…""")` tag of a Swift file: its document as Swift reads the literal.
package struct Tag: Sendable {
  /// The document: escapes decoded, indentation removed, every line end a `\n`.
  package let document: String
  /// Where each byte of the document stands in the Swift file.
  package let places: OffsetMap
}

/// What is wrong with a tag or a literal, at a byte offset of the Swift file.
package struct TagError: Error, Equatable, Sendable {
  package let message: String
  package let offset: Int
}

/// Maps byte offsets of a decoded literal to byte offsets of the file it was written in.
package struct OffsetMap: Sendable, Equatable {
  private struct Segment: Sendable, Equatable {
    let decoded: Int
    let file: Int
  }

  private var segments: [Segment] = []

  package init() {}

  /// Records that the decoded bytes from `decoded` on were written at `file` on.
  package mutating func add(decoded: Int, file: Int) {
    if let last = segments.last {
      if last.file - last.decoded == file - decoded { return }
      if last.decoded == decoded { segments.removeLast() }
    }
    segments.append(Segment(decoded: decoded, file: file))
  }

  /// The file offset of a decoded offset; an offset past the end continues the last segment.
  ///
  /// - Complexity: O(log *n*) in the lines and escapes of the literal.
  package subscript(decoded: Int) -> Int {
    var low = 0
    var high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].decoded <= decoded { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return decoded }
    let segment = segments[low - 1]
    return segment.file + decoded - segment.decoded
  }
}
