import Foundation
import GraphQLLanguage
import SeededRandom
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("The language server's positions", .timeLimit(.minutes(1)))
struct LanguageServerPositionTests {
  private static let pieces = [
    "a", "é", "€", "😀", "👩‍👩‍👧", "\n", "\r\n", "\r", " ", "{", "\"\"\"", "\u{301}",
  ]

  private func text(_ count: Int, _ random: inout SeededGenerator) -> String {
    (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
  }

  /// The lines of a string with their terminators, as UTF-16 units.
  private func lines(_ text: String) -> [[UInt16]] {
    var lines: [[UInt16]] = [[]]
    let units = Array(text.utf16)
    for (index, unit) in units.enumerated() {
      lines[lines.count - 1].append(unit)
      let isPair = unit == 0x0D && index + 1 < units.count && units[index + 1] == 0x0A
      if unit == 0x0A || unit == 0x0D && !isPair { lines.append([]) }
    }
    return lines
  }

  /// Returns the number of UTF-16 units before a position.
  private func units(before position: LinePosition, _ encoding: PositionEncoding, in text: String)
    -> Int
  {
    let lines = lines(text)
    if position.line >= lines.count { return text.utf16.count }
    let before = lines[..<position.line].joined().count
    let line = lines[position.line].filter { $0 != 0x0A && $0 != 0x0D }
    // Complete characters that fit.
    var (count, used) = (0, 0)
    for scalar in String(decoding: line, as: UTF16.self).unicodeScalars {
      let width = encoding == .utf16 ? UTF16.width(scalar) : UTF8.width(scalar)
      if used + width > position.character { break }
      used += width
      count += UTF16.width(scalar)
    }
    return before + count
  }

  @Test(
    "a document is the same as a string after random edits", arguments: 1...20,
    [PositionEncoding.utf8, .utf16])
  func edits(seed: Int, encoding: PositionEncoding) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var expected = text(30, &random)
    var document = TextDocument(uri: "file:///a.swift", version: 0, text: expected)
    for step in 1...60 {
      if Int.random(in: 0..<25, using: &random) == 0 {
        expected = text(30, &random)
        document.apply([["text": .string(expected)]], version: step, encoding: encoding)
        continue
      }
      func position() -> LinePosition {
        let count = lines(expected).count
        return LinePosition(
          line: .random(in: 0...count, using: &random),
          character: .random(in: 0..<20, using: &random))
      }
      let ends = [position(), position()].sorted {
        ($0.line, $0.character) < ($1.line, $1.character)
      }
      let new = text(Int.random(in: 0..<4, using: &random), &random)
      document.apply(
        [["range": ["start": ends[0].json, "end": ends[1].json], "text": .string(new)]],
        version: step, encoding: encoding)
      let offsets = ends.map { units(before: $0, encoding, in: expected) }
      var changed = Array(expected.utf16)
      changed.replaceSubrange(offsets[0]..<max(offsets[0], offsets[1]), with: new.utf16)
      expected = String(decoding: changed, as: UTF16.self)
      try #require(
        String(decoding: document.bytes, as: UTF8.self) == expected, "seed \(seed), step \(step)")
      #expect(document.version == step)
    }
  }

  @Test("each byte offset has the position from which it came", arguments: 1...20)
  func roundTrip(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let text = text(60, &random)
    let index = LineIndex(ContiguousArray(text.utf8))
    var offset = 0
    for scalar in text.unicodeScalars + ["\n"] {
      // No position lies between the two characters of a terminator.
      let bytes = Array(text.utf8)
      let isInside =
        offset > 0 && offset < bytes.count && bytes[offset] == 0x0A && bytes[offset - 1] == 0x0D
      for encoding in [PositionEncoding.utf8, .utf16] {
        let position = index.position(of: offset, in: encoding)
        #expect(index.offset(of: position, in: encoding) == (isInside ? offset - 1 : offset))
        for inside in 1..<max(UTF8.width(scalar), 2)
        where offset + inside < bytes.count && UTF8.width(scalar) > 1 {
          #expect(index.position(of: offset + inside, in: encoding) == position)
        }
      }
      offset += UTF8.width(scalar)
    }
  }

  @Test(
    "paths with any characters are the same after they were a URI",
    arguments: ["/a/b.swift", "/a b/ü/😀%/c#d?e.graphql", "/x/\n/%41/+&=[]\"<>.swift"])
  func uris(path: String) {
    #expect(FileURI.path(of: FileURI.uri(of: path)) == path)
  }

  @Test(
    "URIs are read as editors write them",
    arguments: [
      ("file:///tmp/a%20b.swift", "/tmp/a b.swift"), ("FILE://localhost/a", "/a"),
      ("file:///caf%c3%a9/%F0%9F%98%80", "/café/😀"), ("file:///a b", "/a b"),
      ("file:///100%", "/100%"), ("file:///%zz", "/%zz"), ("untitled:Untitled-1", nil),
      ("file://server/share", nil), ("file:///%ff", nil), ("file:///a%00b", nil), ("", nil),
    ])
  func foreignURIs(uri: String, path: String?) {
    #expect(FileURI.path(of: uri) == path)
  }
}
