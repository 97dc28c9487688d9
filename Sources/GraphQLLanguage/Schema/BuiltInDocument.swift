extension Document {
  /// Parses a built-in document. It belongs to no workspace, and its nodes have no spans.
  static func parse(builtIn text: String, in symbols: SymbolTable) -> Document {
    let definitions = symbols.parse(text) { $0.parseDefinitions() }
    return Document(definitions: definitions, symbols: symbols)
  }
}

extension TypeReference {
  /// Parses a type reference such as `[ID!]!`. Returns `nil` if the string is not a type reference.
  static func parse(_ text: String, in symbols: SymbolTable) -> TypeReference? {
    symbols.parseWhole(text) { (parser) throws(Parser.ParseFailure) in try parser.parseType() }
  }
}

extension Value {
  /// Parses a value without variables. Returns `nil` if the string is not such a value.
  static func parse(_ text: String, in symbols: SymbolTable) -> Value? {
    symbols.parseWhole(text) { (parser) throws(Parser.ParseFailure) in
      try parser.parseValue(isConstant: true)
    }
  }
}

extension SymbolTable {
  fileprivate func parse<Node>(_ text: String, _ read: (inout Parser) -> Node) -> Node {
    var text = text
    return text.withUTF8 { bytes in
      withLockedInterner { interner in
        var parser = Parser(
          bytes, source: .none, interner: interner, limits: ParserLimits(), recordsSpans: false)
        return read(&parser)
      }
    }
  }

  /// Parses an entire string. Returns `nil` if there is an error or a token is left over.
  fileprivate func parseWhole<Node>(
    _ text: String, _ read: (inout Parser) throws(Parser.ParseFailure) -> Node
  ) -> Node? {
    parse(text) { parser in
      do throws(Parser.ParseFailure) {
        let node = try read(&parser)
        return parser.token.kind == .endOfText && parser.diagnostics.isEmpty ? node : nil
      } catch {
        return nil
      }
    }
  }
}
