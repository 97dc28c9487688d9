import Foundation
import Testing

@testable import GraphQLLanguage

@Suite("Syntax conformance", .timeLimit(.minutes(1))) struct SyntaxConformanceTests {
  private func location(_ error: Any?) -> [Int]? {
    let locations = (error as? [String: Any])?["locations"] as? [[String: Int]]
    return locations?.first.flatMap { place in
      place["line"].flatMap { line in place["column"].map { [line, $0] } }
    }
  }

  @Test("the lexer produces the tokens of the reference, or fails at the same location")
  func lexer() throws {
    guard let cases = try ConformanceCases.load("lexer.jsonl") else { return }
    for item in cases {
      var text = try #require(item["source"] as? String)
      // Foundation on Linux drops a byte order mark at the start of a string.
      let isMarked = (item["name"] as? String)?.contains("BOM") == true
      if isMarked, text.unicodeScalars.first != "\u{FEFF}" { text = "\u{FEFF}" + text }
      let bytes = ContiguousArray(text.utf8)
      let (found, failure) = Self.lex(bytes)
      let expected = try #require(item["tokens"] as? [[String: Any]])
      if item["ok"] as? Bool == true {
        #expect(failure == nil, "\(text.debugDescription)")
        let rows = expected.filter { $0["kind"] as? String != "Comment" }.map { token in
          "\(token["kind"] ?? "") \(token["line"] ?? 0):\(token["column"] ?? 0) \(token["value"] as? String ?? "")"
        }
        #expect(found == rows, "\(text.debugDescription)")
      } else {
        let offset = try #require(failure?.offset, "\(text.debugDescription)")
        let place = LineIndex(bytes).location(path: "", offset: offset)
        #expect([place.line, place.column] == location(item["error"]), "\(text.debugDescription)")
      }
    }
    #expect(cases.count >= 167)
  }

  /// Returns the tokens as `kind line:column value`.
  private static func lex(_ bytes: ContiguousArray<UInt8>) -> ([String], Lexer.Failure?) {
    let index = LineIndex(bytes)
    let symbols = SymbolTable()
    return bytes.withUnsafeBufferPointer { buffer in
      symbols.withLockedInterner { interner in
        var lexer = Lexer(buffer, interner: interner)
        var rows: [String] = []
        while true {
          let token = lexer.next()
          if token.kind == .invalid { return (rows, lexer.failure) }
          let place = index.location(path: "", offset: token.start)
          let content = lexer.slice(Int(token.start), Int(token.end))
          rows.append("\(name(token.kind)) \(place.line):\(place.column) \(value(token, content))")
          if token.kind == .endOfText { return (rows, nil) }
        }
      }
    }
  }

  private static func name(_ kind: Token.Kind) -> String {
    switch kind {
    case .endOfText: "<EOF>"
    case .name: "Name"
    case .int: "Int"
    case .float: "Float"
    case .string: "String"
    case .blockString: "BlockString"
    default: String(kind.description.dropFirst().dropLast())
    }
  }

  private static func value(_ token: Token, _ text: UnsafeBufferPointer<UInt8>) -> String {
    switch token.kind {
    case .string:
      StringLiteral.value(UnsafeBufferPointer(rebasing: text[1..<text.count - 1]))
    case .blockString:
      BlockString.value(UnsafeBufferPointer(rebasing: text[3..<text.count - 3]))
    case .name, .int, .float: String(decoding: text, as: UTF8.self)
    default: ""
    }
  }

  @Test("documents are printed as by the reference, or rejected at the same location")
  func parse() throws {
    guard let cases = try ConformanceCases.load("parse.jsonl") else { return }
    for item in cases {
      let text = try #require(item["source"] as? String)
      let workspace = Workspace()
      let parsed = workspace.parse(Source(text))
      if let expected = item["printed"] as? String {
        #expect(parsed.diagnostics.isEmpty, "\(text)")
        #expect(parsed.document.text() == expected)
        let compact = parsed.document.compactText()
        #expect(tree(compact, workspace) == tree(text, workspace), "\(text)")
      } else {
        let place = parsed.diagnostics.first.flatMap { workspace.location(of: $0.primarySpan) }
        #expect(place.map { [$0.line, $0.column] } == location(item["error"]), "\(text)")
      }
    }
    #expect(cases.count >= 747)
  }

  @Test("block strings are parsed and printed as by the reference")
  func blockStrings() throws {
    guard let cases = try ConformanceCases.load("block_string.jsonl") else { return }
    for item in cases {
      let arguments = try #require(item["args"] as? [Any])
      switch item["kind"] as? String {
      case "dedentBlockStringLines":
        let lines = try #require(arguments[0] as? [String])
        let expected = try #require(item["result"] as? [String])
        let raw = ContiguousArray(lines.joined(separator: "\n").utf8)
        #expect(
          raw.withUnsafeBufferPointer(BlockString.value) == expected.joined(separator: "\n"))
      case "isPrintableAsBlockString": continue
      default:
        let text = try #require(arguments[0] as? String)
        let options = arguments.dropFirst().first as? [String: Bool]
        let printed = BlockString.text(of: text, isMinimal: options?["minimize"] ?? false)
        #expect(printed == item["result"] as? String)
      }
    }
    #expect(cases.count >= 59)
  }

  @Test("strings are printed as by the reference")
  func strings() throws {
    guard let cases = try ConformanceCases.load("print_string.jsonl") else { return }
    for item in cases {
      let text = try #require((item["args"] as? [String])?.first)
      #expect(StringLiteral.text(of: text) == item["result"] as? String)
    }
    #expect(cases.count >= 10)
  }

  @Test("suggestions equal those of the reference, in the same order")
  func suggestionCases() throws {
    guard let cases = try ConformanceCases.load("suggestions.jsonl") else { return }
    for item in cases {
      let arguments = try #require(item["args"] as? [Any])
      switch item["kind"] as? String {
      case "naturalCompare":
        let names = try #require(arguments as? [String]).map { Array($0.utf8) }
        #expect(naturalOrder(names[0], names[1]).signum() == item["result"] as? Int, "\(arguments)")
      case "suggestionList":
        let input = try #require(arguments[0] as? String)
        let options = try #require(arguments[1] as? [String])
        #expect(suggestions(for: input, among: options) == item["result"] as? [String])
      default:
        let names = try #require(arguments.last as? [String])
        let subject = arguments.count > 1 ? arguments.first as? String : nil
        let sentence = didYouMean(names, subject: subject).map { " " + $0 } ?? ""
        #expect(sentence == item["result"] as? String)
      }
    }
    #expect(cases.count >= 59)
  }
}
