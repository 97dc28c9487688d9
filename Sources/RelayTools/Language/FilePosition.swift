/// A byte offset in a file of a session: either a GraphQL file or a Swift file with tags.
package struct FilePosition: Hashable, Sendable {
  package let path: String
  package let offset: Int
}

/// A byte range in a file of a session, in its schema or in its configuration.
package struct FileRange: Hashable, Sendable {
  package let path: String
  package let bytes: Range<Int>

  var start: FilePosition { FilePosition(path: path, offset: bytes.lowerBound) }
  var end: FilePosition { FilePosition(path: path, offset: bytes.upperBound) }
}

/// A replacement for a range of a file. The replacement is already encoded for the file, with the
/// escapes and the indentation of the enclosing Swift literal.
package struct FileEdit: Hashable, Sendable {
  package let range: FileRange
  package let text: String

  init(_ range: FileRange, _ text: String) {
    self.range = range
    self.text = text
  }
}
