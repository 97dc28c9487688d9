import GraphQLLanguage

extension Token {
  /// Whether the token is a definition's keyword at the start of a line, which ends the definition
  /// before it even if that has open brackets.
  func startsDefinition(in bytes: ContiguousArray<UInt8>.SubSequence) -> Bool {
    guard isFirstOnLine, Self.definitionKeywords.contains(symbol) else { return false }
    let start = bytes.startIndex + Int(start)
    return start == bytes.startIndex || bytes[start - 1] == 0x0A || bytes[start - 1] == 0x0D
  }

  /// The keywords that start a definition.
  static let definitionKeywords: Set<Symbol> = [
    .query, .mutation, .subscription, .fragment, .schema, .scalar, .type, .interface, .union,
    .enum, .input, .directive, .extend,
  ]
}
