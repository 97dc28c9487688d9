import GraphQLLanguage

/// The tokens after a completed word.
struct FollowingTokens {
  /// The kind of the next token.
  let kind: Token.Kind
  /// The directives that follow the word and its arguments.
  let directives: Set<Symbol>

  private static let limit = 200

  init(_ bytes: ContiguousArray<UInt8>.SubSequence, symbols: SymbolTable) {
    let tokens = SourceTokens(bytes, symbols: symbols, limit: Self.limit).tokens
    kind = tokens.first?.kind ?? .endOfText
    var found: Set<Symbol> = []
    var rest = tokens[...]
    while let token = rest.popFirst() {
      if token.kind == .parenLeft {
        rest = rest.drop { $0.kind != .parenRight }.dropFirst()
      } else if token.kind == .at, rest.first?.kind == .name, let name = rest.popFirst() {
        found.insert(name.symbol)
      } else {
        break
      }
    }
    directives = found
  }
}
