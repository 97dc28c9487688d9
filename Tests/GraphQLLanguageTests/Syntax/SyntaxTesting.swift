@testable import GraphQLLanguage

/// Returns the tokens before the first invalid one, as `kind text`, and the failure of the invalid
/// one.
func tokens(_ text: String) -> (tokens: [String], failure: Lexer.Failure?) {
  tokens(ContiguousArray(text.utf8))
}

func tokens(_ bytes: ContiguousArray<UInt8>) -> (tokens: [String], failure: Lexer.Failure?) {
  let symbols = SymbolTable()
  return bytes.withUnsafeBufferPointer { bytes in
    symbols.withLockedInterner { interner in
      var lexer = Lexer(bytes, interner: interner)
      var found: [String] = []
      while true {
        let token = lexer.next()
        if token.kind == .endOfText { return (found, nil) }
        if token.kind == .invalid { return (found, lexer.failure) }
        let text = lexer.slice(Int(token.start), Int(token.end))
        found.append("\(token.kind) \(String(decoding: text, as: UTF8.self))")
      }
    }
  }
}

/// Returns the syntax errors of a source as `line:column message`.
func errors(_ text: String, limits: ParserLimits = ParserLimits()) -> [String] {
  errors(ContiguousArray(text.utf8), limits: limits)
}

func errors(_ bytes: ContiguousArray<UInt8>, limits: ParserLimits = ParserLimits()) -> [String] {
  let workspace = Workspace()
  let parsed = workspace.parse(Source(path: "t", bytes: bytes), limits: limits)
  return parsed.diagnostics.map { diagnostic in
    let location = workspace.location(of: diagnostic.primarySpan)
    return "\(location?.line ?? 0):\(location?.column ?? 0) \(diagnostic.message)"
  }
}

/// Returns the value of the argument in `{ f(a: <text>) }`.
func value(_ text: String) -> (value: Value?, symbols: SymbolTable) {
  let workspace = Workspace()
  let document = workspace.parse(Source("{ f(a: \(text)) }")).document
  guard case .operation(let operation) = document.definitions.first,
    case .field(let field) = operation.selectionSet.selections.first
  else { return (nil, workspace.symbols) }
  return (field.arguments.first?.value, workspace.symbols)
}

/// Returns the value of a string literal, or `nil` if it is invalid.
func string(_ literal: String) -> String? {
  guard case .string(let text, _) = value(literal).value?.kind else { return nil }
  return text
}

/// Returns the canonical form of a document, or its first error.
func printed(_ text: String) -> String {
  let parsed = Workspace().parse(Source(text))
  return parsed.diagnostics.first?.message ?? parsed.document.text()
}

/// Returns the definitions in a source without spans, so that they can be compared with other
/// definitions.
func tree(_ text: String, _ workspace: Workspace) -> [Definition] {
  workspace.parse(Source(text), limits: ParserLimits(), recordsSpans: false).document.definitions
}
