import GraphQLLanguage

/// A `graphql("""…""")` tag of a Swift file, with its document as Swift reads the literal.
package struct Tag: Sendable {
  /// The document, with escapes decoded, indentation removed, and every line end a `\n`.
  package let document: ContiguousArray<UInt8>
  /// The offset in the Swift file of each byte of the document.
  package let offsets: OffsetMap
}

/// An error in a tag or literal, at a byte offset of the Swift file.
package struct TagError: Error, Equatable, Sendable {
  package let message: String
  package let offset: Int
}
