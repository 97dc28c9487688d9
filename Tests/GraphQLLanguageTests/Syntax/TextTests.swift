import Testing

@testable import GraphQLLanguage

@Suite("Source text", .timeLimit(.minutes(1))) struct TextTests {
  @Test("symbols are equal if and only if their texts have the same bytes")
  func symbols() {
    let symbols = SymbolTable()
    let names = (0..<20_000).map { "name\($0 % 10_000)" }
    let interned = names.map(symbols.intern)
    #expect(Set(interned).count == 10_000)
    #expect(zip(names, interned).allSatisfy { symbols[$1] == $0 })
    #expect(symbols.intern("\u{E9}") != symbols.intern("e\u{301}"))
    #expect(symbols.find("name1") == interned[1])
    #expect(symbols.find("absent") == nil)
    #expect(symbols[Symbol(index: .max)] == "")
  }

  @Test("every table interns the well-known texts as the constant symbols")
  func wellKnown() {
    let symbols = SymbolTable()
    let expected: [(Symbol, String)] = [
      (.empty, ""), (.query, "query"), (.true, "true"), (.repeatable, "repeatable"), (.id, "ID"),
      (.queryType, "Query"), (.typename, "__typename"),
      (.directiveLocationType, "__DirectiveLocation"),
      (.ifArgument, "if"), (.url, "url"), (.oneOf, "oneOf"),
    ]
    for (symbol, text) in expected {
      #expect(symbols[symbol] == text)
      #expect(symbols.intern(text) == symbol)
    }
    #expect(symbols.count == Symbol.wellKnownTexts.count)
    #expect(DirectiveLocation(symbols.intern("FRAGMENT_SPREAD")) == .fragmentSpread)
    #expect(DirectiveLocation(symbols.intern("INPUT_FIELD_DEFINITION")) == .inputFieldDefinition)
    #expect(DirectiveLocation(symbols.intern("field")) == nil)
    for location in DirectiveLocation.allCases {
      #expect(DirectiveLocation(location.symbol) == location)
    }
  }

  @Test("a symbol table can be used from several threads")
  func threads() async {
    let symbols = SymbolTable()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 {
        group.addTask {
          (0..<5_000).allSatisfy { symbols[symbols.intern("n\($0)")] == "n\($0)" }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(symbols.count == Symbol.wellKnownTexts.count + 5_000)
  }

  @Test("an error in an embedded document has its location in the file")
  func embedded() {
    let file = "let a = graphql(\"\"\"\n  {\n    b(c: \\\"x\\\" ?)\n  }\n\"\"\")\n"
    // The value of the literal, without its indentation. Each line and each escape starts a
    // segment.
    let document = "{\n  b(c: \"x\" ?)\n}\n"
    var map = OffsetMap(startingAt: 22)
    map.append(documentStart: 2, fileStart: 26)
    map.append(documentStart: 9, fileStart: 34)
    map.append(documentStart: 11, fileStart: 37)
    map.append(documentStart: 16, fileStart: 44)
    let workspace = Workspace()
    let source = Source(
      path: "A.swift", bytes: ContiguousArray(document.utf8),
      origin: .init(bytes: ContiguousArray(file.utf8), map: map))
    let parsed = workspace.parse(source)
    #expect(
      DiagnosticRenderer(workspace).text(parsed.diagnostics) == """
        A.swift:3:16: error: Unexpected character: "?". [syntax]
        3 |     b(c: \\"x\\" ?)
          |                ^

        """)
  }

  @Test("a type shape can be wrapped, unwrapped and printed around a name")
  func shapes() {
    let list = TypeShape.named.nonNull.list
    #expect(list?.text(around: "T") == "[T!]")
    #expect(list?.nonNull.text(around: "T") == "[T!]!")
    #expect(list?.nonNull.nullable == list)
    #expect(list?.nonNull.item == .named.nonNull)
    #expect(list?.list?.listDepth == 2)
    #expect(list?.isNonNull == false)
    #expect(TypeShape.named.item == nil)
    var shape: TypeShape? = .named
    for _ in 0..<TypeShape.listDepthLimit { shape = shape?.list?.nonNull }
    #expect(shape?.listDepth == TypeShape.listDepthLimit)
    #expect(shape?.list == nil)
  }

  @Test("columns count UTF-16 units in lines of any length")
  func longLines() {
    let text =
      String(repeating: "aé€𝄞\t", count: 2_000) + "\n" + String(repeating: "𝄞b", count: 900)
    let index = LineIndex(ContiguousArray(text.utf8))
    var (line, column, offset) = (1, 1, 0)
    for character in text {
      let place = index.location(path: "", offset: UInt32(offset))
      #expect(place.line == line && place.column == column, "at byte \(offset)")
      offset += character.utf8.count
      column += character.utf16.count
      if character == "\n" { (line, column) = (line + 1, 1) }
    }
    let end = index.location(path: "", offset: UInt32(text.utf8.count + 9))
    #expect(end.line == 2 && end.column == 2_701)
  }
}
