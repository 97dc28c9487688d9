import GraphQLLanguage

/// One `graphql("""…""")` tag of a Swift file: its document as Swift reads the literal.
package struct Tag: Sendable {
  /// The document: escapes decoded, indentation removed, every line end a `\n`.
  package let document: ContiguousArray<UInt8>
  /// Where each byte of the document stands in the Swift file.
  package let places: OffsetMap
}

/// What is wrong with a tag or a literal, at a byte offset of the Swift file.
package struct TagError: Error, Equatable, Sendable {
  package let message: String
  package let offset: Int
}
