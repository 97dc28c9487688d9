import GraphQLLanguage
import RelayCompiler
import Testing

@Suite("Line length of generated code", .timeLimit(.minutes(1)))
struct LongLineTests {
  private func lines(_ document: String, schema: String) throws -> [Substring] {
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", schema)]))
    #expect(compilation.diagnostics == [])
    return compilation.files.flatMap {
      $0.text.split(separator: "\n", omittingEmptySubsequences: false)
    }
  }

  @Test("no line is longer than 120 bytes but for the reason of a deprecation")
  func limit() throws {
    let names = (0..<400).map { "aFieldWithALongName\($0)" }
    let prose = String(repeating: "word ", count: 1_000)
    let schema = """
      enum Kind { \(names.map { $0.uppercased() }.joined(separator: " ")) }
      input Filter { \(names.map { $0 + ": Int" }.joined(separator: " ")) kind: Kind }
      "\(prose)"
      type User { id: ID! kind: Kind \(names.map { $0 + "(text: String): String @deprecated(reason: \"\(prose)\")" }.joined(separator: " ")) friend: User }
      type Query { me(filter: Filter): User }
      type Mutation { change: User }
      """
    let text = String(repeating: "\\\"é\\u200D", count: 700)
    let document = """
      query Q($filter: Filter, \(names.map { "$\($0): String = \"x\"" }.joined(separator: ", "))) {
        me(filter: $filter) { \(names.map { "\($0)(text: $\($0))" }.joined(separator: " ")) kind ...F }
      }
      fragment F on User { friend { \(names.joined(separator: " ")) long: \(names[0])(text: "\(text)") } }
      mutation M { change { \(names.joined(separator: " ")) ...F } }
      """
    let found = try lines(document, schema: schema)
    #expect(found.count > 1_000)
    let long = found.filter { $0.utf8.count > 120 && !$0.contains("message: ") }
    #expect(long.map { $0.prefix(80) } == [])
  }

  @Test("a literal that is split over lines keeps its content")
  func content() {
    for text in [
      String(repeating: "name ", count: 500), String(repeating: "x", count: 5_000),
      String(repeating: "\"a\" \\", count: 900), String(repeating: "\\", count: 3_001),
      String(repeating: "\n\\\"", count: 3_001), String(repeating: "é\u{200D}\"#", count: 999),
      String(repeating: "\"\"\"#", count: 999),
      String(repeating: "\\", count: 498) + "\u{200D}" + String(repeating: "x", count: 999),
    ] {
      let literal = SwiftEscaping.literal(text)
      #expect(literal.split(separator: "\n").count > 2)
      #expect(literal.split(separator: "\n").allSatisfy { $0.utf8.count <= 110 })
      #expect(content(of: literal) == text)
    }
  }

  /// Decodes a multi-line literal as Swift does; `nil` if it is invalid.
  private func content(of literal: String) -> String? {
    let hashes = String(literal.prefix { $0 == "#" })
    guard literal.hasPrefix(hashes + "\"\"\"\n"), literal.hasSuffix("\n\"\"\"" + hashes) else {
      return nil
    }
    var rest = literal.unicodeScalars.dropFirst(hashes.count + 4).dropLast(hashes.count + 4)[...]
    let escape = "\\" + hashes
    var result = ""
    while let scalar = rest.first {
      guard scalar == "\\", String(String.UnicodeScalarView(rest.prefix(escape.count))) == escape
      else {
        result.unicodeScalars.append(scalar)
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst(escape.count)
      guard let kind = rest.popFirst() else { return nil }
      switch kind {
      case "\n": continue
      case "n": result += "\n"
      case "r": result += "\r"
      case "t": result += "\t"
      case "\"", "\\": result.unicodeScalars.append(kind)
      case "u":
        let digits = String(String.UnicodeScalarView(rest.dropFirst().prefix { $0 != "}" }))
        guard let value = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) else { return nil }
        result.unicodeScalars.append(value)
        rest = rest.dropFirst(digits.count + 2)
      default: return nil
      }
    }
    return result
  }
}
