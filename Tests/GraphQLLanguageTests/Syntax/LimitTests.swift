import GraphQLLanguage
import Testing

@Suite("Parser limits", .timeLimit(.minutes(1))) struct LimitTests {
  private func nested(
    open: String, inner: String = "", close: String, depth: Int
  ) -> String {
    String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
  }

  @Test("selection sets nest up to the depth limit")
  func selections() {
    let limits = ParserLimits(depth: 8)
    #expect(errors(nested(open: "{a", close: "}", depth: 8), limits: limits) == [])
    #expect(
      errors(nested(open: "{a", close: "}", depth: 9), limits: limits) == [
        "1:17 Nested deeper than 8 levels."
      ])
  }

  @Test("a limit of one is named in the singular")
  func singular() {
    #expect(errors("{a{b}}", limits: ParserLimits(depth: 1)) == ["1:3 Nested deeper than 1 level."])
    #expect(
      errors("{a}", limits: ParserLimits(tokens: 1)) == ["1:2 The document has more than 1 token."])
  }

  @Test("list and object values nest up to the depth limit")
  func values() {
    let limits = ParserLimits(depth: 8)
    #expect(errors("{ f(a: \(nested(open: "[", close: "]", depth: 7))) }", limits: limits) == [])
    #expect(
      errors("{ f(a: \(nested(open: "[", close: "]", depth: 8))) }", limits: limits).count == 1)
    #expect(
      errors("{ f(a: \(nested(open: "{b:", inner: "1", close: "}", depth: 7))) }", limits: limits)
        == [])
    #expect(
      errors("{ f(a: \(nested(open: "{b:", inner: "1", close: "}", depth: 8))) }", limits: limits)
        .count == 1)
  }

  @Test("list types nest up to the depth limit of type shapes")
  func listTypes() {
    let limit = TypeShape.listDepthLimit
    #expect(
      errors("type T { a: \(nested(open: "[", inner: "A", close: "]!", depth: limit)) }") == [])
    #expect(
      errors("type T { a: \(nested(open: "[", inner: "A", close: "]", depth: limit + 1)) }") == [
        "1:\(13 + limit) Lists nest deeper than \(limit) levels."
      ])
  }

  @Test("depth counts nesting, not the number of fields")
  func siblings() {
    let text = "{" + String(repeating: "a{b} c(d:[[1]]) ", count: 100) + "}"
    #expect(errors(text, limits: ParserLimits(depth: 4)) == [])
  }

  @Test("broken values do not add to the depth of the elements after them")
  func brokenSiblings() {
    let limits = ParserLimits(depth: 4)
    for (open, close) in [("type T {", "}"), ("input T {", "}"), ("query Q {", "}")] {
      let field = open.hasPrefix("type") ? "a(b: X = [[ : ): Int" : "a: X = [[ :"
      let line = open.hasPrefix("query") ? "a(b: [[ : ) { c }" : field
      let text = ([open] + Array(repeating: line, count: 5) + [close]).joined(separator: "\n")
      let found = errors(text, limits: limits)
      #expect(
        found.count == 5 && found.allSatisfy { $0.hasSuffix("Unexpected \":\".") }, "\(found)")
    }
  }

  @Test(
    "100,000 unclosed brackets of any kind are one error",
    arguments: [
      ("", "{"), ("", "{a"), ("", "{...{"), ("", "{a(b:{c:"), ("query Q(", "$a:["),
      ("{ f(a: ", "["), ("{ f(a: {b: ", "{c:"), ("type T { a: ", "["),
    ])
  func hostile(prefix: String, piece: String) {
    let text = prefix + String(repeating: piece, count: 100_000)
    #expect(errors(text).count == 1)
  }

  @Test("many definitions on one line are parsed in linear time", .timeLimit(.minutes(1)))
  func oneLine() {
    let text = String(repeating: "query Q{a(b:\"c\")} ", count: 50_000)
    #expect(errors(text) == [])
  }

  @Test("a text that exceeds the token limit has one error")
  func tokenCount() {
    let text = "{ a b c d e }"
    #expect(errors(text, limits: ParserLimits(tokens: 8)) == [])
    #expect(
      errors(text, limits: ParserLimits(tokens: 5)) == ["1:11 The document has more than 5 tokens."]
    )
  }

  @Test(
    "the deepest allowed tree can be parsed, compared, hashed, printed and freed on a small stack")
  func smallStack() {
    let depth = ParserLimits().depth
    #if DEBUG
      let stackSize = 1536 << 10
    #else
      let stackSize = 512 << 10
    #endif
    let text =
      nested(open: "{a", close: "}", depth: depth - 1)
      + "\n{ f(a: \(nested(open: "[", close: "]", depth: depth - 1))) }"
    let isEqual = onThread(stackSize: stackSize) {
      let workspace = Workspace()
      let trees = (tree(text, workspace), tree(text, workspace))
      let printed = Document(definitions: trees.0, symbols: workspace.symbols).text()
      return trees.0 == trees.1 && trees.0.hashValue == trees.1.hashValue && !printed.isEmpty
    }
    #expect(isEqual)
  }
}
