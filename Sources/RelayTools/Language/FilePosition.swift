/// A byte offset in a file of a session: in a GraphQL file, or in a Swift file with tags.
package struct FilePosition: Hashable, Sendable {
  package let path: String
  package let offset: Int
}

/// A range of bytes in a file of a session, in its schema or in its configuration.
package struct FileRange: Hashable, Sendable {
  package let path: String
  package let bytes: Range<Int>

  var start: FilePosition { FilePosition(path: path, offset: bytes.lowerBound) }
  var end: FilePosition { FilePosition(path: path, offset: bytes.upperBound) }
}

/// A replacement of a range of a file. The text is written as the file needs it: with the escapes
/// and the indentation of the Swift literal that it is in.
package struct FileEdit: Hashable, Sendable {
  package let range: FileRange
  package let text: String

  init(_ range: FileRange, _ text: String) {
    self.range = range
    self.text = text
  }
}
