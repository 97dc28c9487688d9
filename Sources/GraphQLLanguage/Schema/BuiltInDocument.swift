extension Document {
  /// Parses a text of our own: it is in no workspace and its nodes have no places.
  static func parse(builtIn text: String, in symbols: SymbolTable) -> Document {
    var text = text
    let definitions = text.withUTF8 { bytes in
      symbols.withInterning { interning in
        var parser = Parser(
          bytes, source: .none, interning: interning, limits: ParserLimits(), recordsSpans: false)
        return parser.parseDefinitions()
      }
    }
    return Document(definitions: definitions, symbols: symbols)
  }
}

extension TypeReference {
  /// Parses a type, such as `[ID!]!`; `nil` when the text is not one.
  static func parse(_ text: String, in symbols: SymbolTable) -> TypeReference? {
    let field = Document.parse(builtIn: "input A{a:\(text)}", in: symbols).definitions.first
    guard case .type(let type)? = field, type.inputFields.count == 1 else { return nil }
    return type.inputFields[0].type
  }
}
