import RelayCompiler
import Testing

@Suite("Tag scanner", .timeLimit(.minutes(1)))
struct TagScannerTests {
  private func documents(_ source: String) -> [String] {
    TagScanner.scan(ContiguousArray(source.utf8)).tags.map {
      String(decoding: $0.document, as: UTF8.self)
    }
  }

  private func errors(_ source: String) -> [String] {
    TagScanner.scan(ContiguousArray(source.utf8)).errors.map {
      "\(place($0.offset, in: source)) \($0.message)"
    }
  }

  private func place(_ offset: Int, in source: String) -> String {
    let before = Array(source.utf8).prefix(offset)
    let line = before.count { $0 == 0x0A } + 1
    let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
    return "\(line):\(column)"
  }

  @Test("a multi-line literal is stripped of its indentation")
  func multiline() {
    let source = #"""
      private let a = graphql("""
          query A {
            b
          }
          """)
      """#
    #expect(documents(source) == ["query A {\n  b\n}"])
  }

  @Test(
    "white space, line ends and comments may precede the literal",
    arguments: [
      "graphql(\"{ a }\")", "graphql (\"{ a }\")", "graphql(\n  \"{ a }\"\n)",
      "graphql( /* x */ \"{ a }\" /* y */ )", "graphql(// x\n\"{ a }\")", "graphql(\"{ a }\",)",
      "graphql(#\"{ a }\"#)", "graphql(##\"{ a }\"##)", "RelayStore.graphql(\"{ a }\")",
      "graphql(\n  \"\"\"\n  { a }\n  \"\"\")", "graphql(#\"\"\"\n{ a }\n\"\"\"#)",
      "\u{FEFF}let é=graphql(\"{ a }\")",
    ])
  func forms(source: String) {
    #expect(documents(source) == ["{ a }"])
    #expect(errors(source) == [])
  }

  @Test(
    "code that only looks like a tag is ignored",
    arguments: [
      "// graphql(\"{ a }\")", "/* /* */ graphql(\"{ a }\") */", "mygraphql(\"{ a }\")",
      "graphqlX(\"{ a }\")", "_graphql(\"{ a }\")", "client.graphql(\"{ a }\")",
      "func graphql(\"{ a }\")", "func  graphql(_ x: String) {}", "graphql(document)", "graphql()",
      "\"graphql(\\\"{ a }\\\")\"", "#\"graphql(\"{ a }\")\"#", "\"\\(f(\"graphql(\\\"a\\\")\"))\"",
      "\"\"\"\ngraphql(\"{ a }\")\n\"\"\"", "#graphql(\"{ a }\")", "@graphql(\"{ a }\")",
      "`graphql`(\"{ a }\")", "let r = /graphql(\"{ a }\")/", "#/graphql(\"{ a }\")/#",
      "let graphql = 1", "graphql",
    ])
  func noTags(source: String) {
    #expect(documents(source) == [])
    #expect(errors(source) == [])
  }

  @Test(
    "a tag after code with misleading quotes is found",
    arguments: [
      "let a = \"\\(b(\"\\(c)\"))\"; ", "let q = #\"\"\"#; ", "let r = /\"/; ", "let d = a / b; ",
      "/* \" */ ", "let u = \"unterminated\n", "let e = \"\"; ", "let m = \"\"\"\n\"\n\"\"\"; ",
      "let r = #/\"\"\"/#; ", "x = a/b + c/d; ", "let c = \"\\\"\"; ",
      "let n = \"\\(/* ) \" */ f(\")\"))\"; ",
    ])
  func afterCode(prefix: String) {
    #expect(documents(prefix + "graphql(\"{ a }\")") == ["{ a }"])
  }

  @Test("all tags of a file are found, in source order")
  func several() {
    #expect(
      documents("a(graphql(\"1\"), graphql(#\"2\"#)) // graphql(\"x\")\ngraphql(\"3\")").count == 3)
  }

  @Test("escapes are decoded as Swift does, and only with the literal's number signs")
  func escapes() {
    #expect(documents(#"graphql("\t\u{E9}\"\\\n")"#) == ["\té\"\\\n"])
    #expect(documents(##"graphql(#"\t\#t"#)"##) == ["\\t\t"])
    #expect(documents(#"graphql("\u{0001F600}\u{1}")"#) == ["\u{1F600}\u{1}"])
    #expect(documents("graphql(\"\"\"\n  a \\  \n  b\n\n  c\n  \"\"\")") == ["a b\n\nc"])
    #expect(documents("graphql(\"\"\"\r\n  a\r\n   b\r\n  \"\"\")") == ["a\n b"])
    #expect(documents("graphql(\"\"\"\n  \"\"\")") == [""])
  }

  @Test(
    "errors are reported at their location",
    arguments: [
      ("graphql(\"{ \\(name) }\")", "1:12 A graphql tag must not contain an interpolation."),
      ("graphql(\"\"\"\n  { \\(n) }\n  \"\"\")", "2:5 A graphql tag must not contain"),
      ("graphql(#\"{ \\#(n) }\"#)", "1:13 A graphql tag must not contain"),
      ("graphql(\"{ a }", "1:9 Unterminated string literal."),
      ("graphql(\"\"\"\n{ a }", "1:9 Unterminated string literal."),
      ("/* graphql", "1:1 Unterminated comment."),
      ("graphql(\"a\" + \"b\")", "1:13 A graphql tag takes exactly one string literal"),
      ("graphql(\"\\q\")", "1:10 Invalid escape"),
      ("graphql(\"\\u{110000}\")", "1:10 Invalid escape"),
      ("graphql(\"\\u{000000061}\")", "1:10 Invalid escape"),
      ("graphql(\"\"\"\n   a\n b\n  \"\"\")", "3:2 A line of the literal is indented less"),
      ("graphql(\"\"\"a\n\"\"\")", "1:12 Multi-line string literal content"),
      ("graphql(\"\"\"\na\"\"\")", "2:2 Multi-line string literal closing"),
    ])
  func errorPlaces(source: String, message: String) {
    let found = errors(source)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(message) == true, "\(found)")
  }

  @Test("a tag after a broken one is still found")
  func recovery() {
    let result = TagScanner.scan(ContiguousArray("graphql(\"{ a\ngraphql(\"{ b }\")".utf8))
    #expect(result.errors.count == 1)
    #expect(result.tags.map { String(decoding: $0.document, as: UTF8.self) } == ["{ b }"])
  }

  @Test("every byte of a document maps to its location in the file")
  func places() {
    let source = "let a = graphql(\"\"\"\n    q\\t{\n      \\u{61}b\n    }\n    \"\"\")"
    let tag = TagScanner.scan(ContiguousArray(source.utf8)).tags[0]
    #expect(String(decoding: tag.document, as: UTF8.self) == "q\t{\n  ab\n}")
    let places = tag.document.indices.map {
      place(Int(tag.offsets.fileOffset(of: UInt32($0))), in: source)
    }
    #expect(
      places == ["2:5", "2:6", "2:8", "2:9", "3:5", "3:6", "3:7", "3:13", "3:14", "4:5"])
    #expect(place(Int(tag.offsets.fileOffset(of: 10)), in: source) == "5:5")
  }

  @Test("deeply nested interpolations do not overflow the stack")
  func deep() {
    let source = String(repeating: "\"\\(", count: 5_000) + "graphql"
    #expect(errors(source).count <= 1)
  }

  @Test(
    "the end of an unterminated token is searched for once, however often such a token begins",
    arguments: [
      "#/ ", "##/ ", "\\/", "(/a", "\"\\(/*\n", "\"\\( #\"\"\"\n", "#\"\"\"", "/* ",
      "(/\\/\\", "#\"",
    ])
  func unterminated(piece: String) {
    let source = "graphql(\"{ a }\")\n" + String(repeating: piece, count: 20_000)
    #expect(documents(source) == ["{ a }"])
  }

  @Test("an unterminated regex hides no tag")
  func tagsAfterUnterminated() {
    #expect(documents("let a = #/ x\n#/ y\ngraphql(\"{ a }\")") == ["{ a }"])
    #expect(documents("f(/a\n); f(/b/); f(/\\/\n); graphql(\"{ a }\")") == ["{ a }"])
  }

  @Test("unterminated literals on many lines hide no tag, even after an unterminated comment")
  func tagsAfterOpenQuotes() {
    let source =
      "let a = \"\\(/*\n" + String(repeating: "let b = \"open\n", count: 50)
      + "graphql(\"{ a }\")"
    #expect(documents(source) == ["{ a }"])
    #expect(errors(source) == [])
  }
}
