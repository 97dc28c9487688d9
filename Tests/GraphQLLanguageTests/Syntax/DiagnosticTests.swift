import GraphQLLanguage
import Testing

@Suite("Diagnostics", .timeLimit(.minutes(1))) struct DiagnosticTests {
  @Test("the text has the underlined source line, the labels and the help")
  func text() {
    let workspace = Workspace()
    let first = workspace.add(Source(path: "A.graphql", "fragment Feed on T {\n\ta\n}\n"))
    let second = workspace.add(
      Source(path: "B.graphql", "{ x }\n\n\n\n\n\n\n\n\nfragment Feed on T { a }"))
    let diagnostic = Diagnostic(
      rule: "unique-fragment-names", message: "There are two fragments \"Feed\".",
      at: Span(start: 23, end: 27, source: second),
      labels: [.init(Span(start: 9, end: 13, source: first), "previous definition here")],
      help: "Rename one.")
    #expect(
      DiagnosticRenderer(workspace).text([diagnostic]) == """
        B.graphql:10:10: error: There are two fragments "Feed". [unique-fragment-names]
        10 | fragment Feed on T { a }
           |          ^^^^
          --> A.graphql:1
         1 | fragment Feed on T {
           |          ---- previous definition here
          help: Rename one.

        """)
  }

  @Test(
    "tabs and non-ASCII characters keep the mark aligned, and control characters are replaced"
  )
  func columns() {
    let workspace = Workspace()
    let id = workspace.add(Source(path: "A", "\té\u{1B}[31m?"))
    let diagnostic = Diagnostic(
      severity: .warning, rule: "r", message: "m.", at: Span(start: 8, end: 9, source: id))
    #expect(
      DiagnosticRenderer(workspace).text([diagnostic])
        == "A:1:9: warning: m. [r]\n1 |  é?[31m?\n  |        ^\n")
  }

  @Test("of a long line the part around the mark is shown, with its cut ends marked")
  func longLines() {
    let workspace = Workspace()
    func text(before: String, after: String) -> [Substring] {
      let id = workspace.add(Source(path: "A", before + "bad" + after))
      let start = UInt32(before.utf8.count)
      let diagnostic = Diagnostic(
        rule: "r", message: "m.", at: Span(start: start, end: start + 3, source: id))
      return DiagnosticRenderer(workspace).text([diagnostic]).split(separator: "\n")
    }
    let long = String(repeating: "x", count: 900)
    for (before, after) in [(long, long), (long, ""), ("ab ", long), ("", "")] {
      let lines = text(before: before, after: after)
      #expect(lines.count == 3 && lines[0].hasPrefix("A:1:\(before.count + 1): error: "))
      let mark = lines[2].firstRange(of: "^^^")?.lowerBound ?? lines[2].endIndex
      let column = lines[2].distance(from: lines[2].startIndex, to: mark)
      #expect(lines[1].dropFirst(column).hasPrefix("bad"), "\(lines)")
      #expect(lines[1].count <= 4 + 201 && lines[1].hasSuffix("x…") == (after != ""))
      #expect(lines[1].hasPrefix("1 | …xx") == (before.count > 100))
    }
    // A mark that is longer than the window ends with it.
    let id = workspace.add(Source(path: "A", long))
    let all = Diagnostic(rule: "r", message: "m.", at: Span(start: 0, end: 900, source: id))
    let lines = DiagnosticRenderer(workspace).text([all]).split(separator: "\n")
    #expect(lines[2].count == 4 + 200 && lines[1].hasSuffix("x…"))
  }

  @Test("a mark after wide characters is under the mistake")
  func wideCharacters() {
    let workspace = Workspace()
    let id = workspace.add(Source(path: "A", "🐈漢é ?"))
    let diagnostic = Diagnostic(
      rule: "r", message: "m.", at: Span(start: 10, end: 11, source: id))
    #expect(
      DiagnosticRenderer(workspace).text([diagnostic])
        == "A:1:11: error: m. [r]\n1 | 🐈漢é ?\n  |       ^\n")
    #expect(DiagnosticRenderer(workspace).json([diagnostic]).contains("\"column\": 6}"))
  }

  @Test("a source line is shown without its terminator", arguments: ["\n", "\r\n", "\r", "\r\r\n"])
  func lineEnds(end: String) {
    let workspace = Workspace()
    let id = workspace.add(Source(path: "A", "a b" + end + "c"))
    let diagnostic = Diagnostic(
      rule: "r", message: "m.", at: Span(start: 2, end: 3, source: id))
    #expect(
      DiagnosticRenderer(workspace).text([diagnostic])
        == "A:1:3: error: m. [r]\n1 | a b\n  |   ^\n")
  }

  @Test("a brief diagnostic is one line")
  func brief() {
    let workspace = Workspace()
    let id = workspace.add(Source(path: "A", "a b"))
    var diagnostic = Diagnostic(
      severity: .warning, rule: "r", message: "m.", at: Span(start: 2, end: 3, source: id),
      help: "h")
    diagnostic.isOneLine = true
    #expect(DiagnosticRenderer(workspace).text([diagnostic]) == "A:1:3: warning: m. [r]\n")
  }

  @Test("a diagnostic without a location has no excerpt")
  func placeless() {
    let diagnostic = Diagnostic(rule: "r", message: "m.", at: .none)
    #expect(DiagnosticRenderer(Workspace()).text([diagnostic]) == "error: m. [r]\n")
  }

  @Test("JSON has the locations as lines and columns, and its strings are escaped")
  func json() {
    let workspace = Workspace()
    let id = workspace.add(Source(path: "a \"b\".graphql", "x\n  y"))
    let diagnostics = [
      Diagnostic(
        rule: "r", message: "tab\t \u{1} \\.", at: Span(start: 4, end: 5, source: id),
        Span(start: 0, end: 1, source: id), help: "h"),
      Diagnostic(rule: "s", message: "n.", at: .none),
    ]
    #expect(
      DiagnosticRenderer(workspace).json(diagnostics) == #"""
        {"diagnostics": [
          {"severity": "error", "rule": "r", "message": "tab\t \u0001 \\.", "locations": [{"file": "a \"b\".graphql", "line": 2, "column": 3}, {"file": "a \"b\".graphql", "line": 1, "column": 1}], "help": "h"},
          {"severity": "error", "rule": "s", "message": "n.", "locations": []}
        ]}

        """#)
    #expect(DiagnosticRenderer(workspace).json([]) == "{\"diagnostics\": []}\n")
  }

  @Test("diagnostics are sorted by file and position, and keep their order at equal positions")
  func order() {
    let (one, two) = (SourceID(index: 0), SourceID(index: 1))
    func diagnostic(rule: String, start: UInt32, source: SourceID) -> Diagnostic {
      Diagnostic(rule: rule, message: "", at: Span(start: start, end: start + 1, source: source))
    }
    let sorted = [
      diagnostic(rule: "d", start: 1, source: two), diagnostic(rule: "b", start: 5, source: one),
      diagnostic(rule: "c", start: 5, source: one),
      diagnostic(rule: "a", start: 2, source: one),
    ].sortedByLocation()
    #expect(sorted.map(\.rule) == ["a", "b", "c", "d"])
  }

  @Test("very long lines are truncated")
  func longLine() {
    let workspace = Workspace()
    let id = workspace.add(Source(String(repeating: "a", count: 1_000_000)))
    let span = Span(start: 500_000, end: 900_000, source: id)
    let text = DiagnosticRenderer(workspace).text([Diagnostic(rule: "r", message: "m.", at: span)])
    #expect(text.utf8.count < 1000)
  }
}
