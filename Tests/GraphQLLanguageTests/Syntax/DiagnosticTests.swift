import Testing

@testable import GraphQLLanguage

@Suite("Diagnostics", .timeLimit(.minutes(10))) struct DiagnosticTests {
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
        == "A:1:8: warning: m. [r]\n1 |  é?[31m?\n  |        ^\n")
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
