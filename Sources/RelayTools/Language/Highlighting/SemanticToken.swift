/// A name, literal, operator or comment of a document, classified for highlighting.
struct SemanticToken: Hashable, Sendable {
  /// The kinds, named as the token types of the Language Server Protocol.
  enum Kind: String, CaseIterable, Sendable {
    case keyword, type, function, `struct`, property, parameter, variable, enumMember, decorator,
      string, number, comment, `operator`
  }

  let kind: Kind
  let isDeclaration: Bool
  /// The range in the file, within one line.
  let range: FileRange
}
