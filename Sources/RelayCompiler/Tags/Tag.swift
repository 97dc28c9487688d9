import GraphQLLanguage

/// A `graphql("""…""")` tag in a Swift file, with its document as Swift decodes the literal.
package struct Tag: Sendable {
  /// The document, with escapes decoded, indentation removed, and every line end a `\n`.
  package let document: ContiguousArray<UInt8>
  /// The offset in the Swift file of each byte in the document.
  package let offsets: OffsetMap
  /// The opening of the literal.
  package let literal: SwiftCursor.Literal
  /// The offset of the literal's closing quotes in the Swift file.
  package let contentEnd: Int
  /// The name of the file-scope constant or variable that the tag initializes; `nil` for other
  /// tags.
  var fileScopeName: Name?

  /// Whether the literal is the only argument of the call; anything else after it is an error.
  package var isOnlyArgument = true

  /// A name and its byte offset in the Swift file.
  package struct Name: Equatable, Sendable {
    package let text: String
    package let offset: UInt32
  }
}

/// An error in a tag or literal, at a byte offset in the Swift file.
package struct TagError: Error, Equatable, Sendable {
  package let message: String
  package let offset: Int
}

extension TagError {
  /// Returns the error as a diagnostic in `source`, which must be the entire Swift file.
  package func diagnostic(in source: SourceID) -> Diagnostic {
    let offset = UInt32(truncatingIfNeeded: offset)
    return Diagnostic(
      rule: "graphql-tag", message: message,
      at: Span(start: offset, end: offset + 1, source: source))
  }
}
