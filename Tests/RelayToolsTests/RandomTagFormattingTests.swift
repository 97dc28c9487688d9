import Foundation
import GraphQLFormatting
import GraphQLLanguage
import SeededRandom
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("Formatting of random Swift files", .timeLimit(.minutes(1)))
struct RandomTagFormattingTests {
  /// A random Swift file with tags.
  private struct RandomFile {
    private(set) var text = ""
    /// The portions of the file outside the literals' contents.
    private(set) var outside: [String] = [""]
    private(set) var documents: [String] = []
    private var generator: SeededGenerator
    private let lineEnd: String

    init(seed: UInt64) {
      generator = SeededGenerator(seed: seed)
      lineEnd = Bool.random(using: &generator) ? "\r\n" : "\n"
      if Bool.random(using: &generator) { append("\u{FEFF}") }
      for index in 0..<4 {
        append(
          pick(["// \"\"\" 👩‍👩‍👧", "let s = #\"graphql(\"{a}\")\"#", "\tlet t = 1 ", ""]) + lineEnd)
        append("let tag\(index) = graphql(" + pick(["", " ", lineEnd + "\t "]))
        appendLiteral()
        append(pick(["", " ", ","]) + ")" + lineEnd)
      }
    }

    private mutating func append(_ text: String) {
      self.text += text
      outside[outside.count - 1] += text
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: elements.indices, using: &generator)]
    }

    private mutating func appendLiteral() {
      let hashes = String(repeating: "#", count: pick([0, 0, 1, 2]))
      let isMultiline = pick([true, true, false])
      let document = document(isMultiline: isMultiline)
      documents.append(document)
      let quotes = isMultiline ? "\"\"\"" : "\""
      let indentation = isMultiline ? pick(["", "  ", "\t", " \t "]) : ""
      append(hashes + quotes + (isMultiline ? lineEnd : ""))
      var content = ""
      for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
        if !line.isEmpty || Bool.random(using: &generator) { content += indentation }
        for scalar in line.unicodeScalars { content += encoded(scalar, hashes, isMultiline) }
        if isMultiline { content += lineEnd }
      }
      text += content
      outside.append("")
      append((isMultiline ? indentation : "") + quotes + hashes)
    }

    private mutating func encoded(
      _ scalar: Unicode.Scalar, _ hashes: String, _ isMultiline: Bool
    ) -> String {
      let mustEscape =
        scalar == "\"" && (!isMultiline || Bool.random(using: &generator))
        || scalar == "\\" || scalar.value < 0x20 && scalar != "\t" || scalar == "\""
      if scalar == "\"" || scalar == "\\", mustEscape { return "\\\(hashes)\(scalar)" }
      if mustEscape || Int.random(in: 0..<30, using: &generator) == 0 {
        return "\\\(hashes)u{\(String(scalar.value, radix: 16))}"
      }
      return String(Character(scalar))
    }

    private mutating func document(isMultiline: Bool) -> String {
      let pieces = [
        "query", "name", "...", "F", "alias: x(a: 1)",
        "first(after: \"\\n \\\\ \\\" é 😀 \\u00e9\")",
        "user(id: [1, {a: $b}], text: \"#\\\"\") @include(if: $a) { id }", "{ }", "...on X { y }",
      ]
      let longPieces = [
        "list(text: \"\"\"\n  one \\#n\n\n    \\\"\"\"# two\n  \"\"\") { z }",
        "# it's \"\"\"## \\#( \\ \u{1} \u{7F} 👩‍👩‍👧\t\n", "\n\n\n", "a # \\(x)\n",
      ]
      var text = pick(["{ a ", "query Q($a: Int) @live{ b ", "fragment F on X { c "])
      for _ in 0..<Int.random(in: 0..<8, using: &generator) {
        text += pick(isMultiline ? pieces + longPieces : pieces) + pick([" ", ", ", "\t"])
      }
      return text + "}"
    }
  }

  @Test("literals keep their kind and their documents, and the rest of the file stays")
  func random() throws {
    var counts = (changed: 0, kept: 0)
    for seed in 0..<400 as Range<UInt64> {
      let file = RandomFile(seed: seed)
      let before = ContiguousArray(file.text.utf8)
      let context: Comment = "seed \(seed)"
      let scanned = TagScanner.scan(before)
      try #require(scanned.errors.isEmpty, context)
      #expect(
        scanned.tags.map { String(decoding: $0.document, as: UTF8.self) } == file.documents, context
      )
      let formatted = FormattedFile(path: "A.swift", bytes: before, in: Workspace())
      let after = TagScanner.scan(formatted.bytes)
      #expect(!formatted.diagnostics.contains { $0.rule == "formatting" }, context)
      #expect(outside(of: formatted.bytes, after.tags) == file.outside, context)
      let literals = zip(scanned.tags, after.tags).allSatisfy {
        $0.literal.hashes == $1.literal.hashes && $0.literal.isMultiline == $1.literal.isMultiline
      }
      #expect(literals && after.tags.count == 4, context)
      for (old, new) in zip(scanned.tags, after.tags) {
        #expect(
          Formatting.isEquivalent(old.document, to: new.document) || old.document == new.document)
        if old.document == new.document { counts.kept += 1 } else { counts.changed += 1 }
      }
      let again = FormattedFile(path: "A.swift", bytes: formatted.bytes, in: Workspace())
      #expect(!again.isChanged, context)
    }
    #expect(counts.changed > 300 && counts.kept > 300, "\(counts)")
  }

  private func outside(of file: ContiguousArray<UInt8>, _ tags: [RelayCompiler.Tag]) -> [String] {
    var parts: [String] = []
    var end = 0
    for tag in tags {
      let start = tag.literal.contentStart
      let lineEnd = file[start...].firstIndex(of: 0x0A) ?? start
      let contentStart = tag.literal.isMultiline ? lineEnd + 1 : start
      let indentation = tag.literal.isMultiline ? tag.closingIndentation(in: file).count : 0
      parts.append(String(decoding: file[end..<contentStart], as: UTF8.self))
      end = tag.contentEnd - indentation
    }
    return parts + [String(decoding: file[end...], as: UTF8.self)]
  }
}
