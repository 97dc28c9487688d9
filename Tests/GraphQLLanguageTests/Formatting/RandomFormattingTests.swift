import Foundation
import GraphQLFormatting
import GraphQLLanguage
import SeededRandom
import Testing

@Suite("Formatting of random texts", .timeLimit(.minutes(1))) struct RandomFormattingTests {
  private static let seeds = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fuzz/Syntax/Seeds")

  /// The valid fuzzer seeds, without their comments.
  private static func documents() throws -> [String] {
    try FileManager.default.contentsOfDirectory(at: seeds, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "graphql" }.sorted { $0.path < $1.path }
      .map { try String(contentsOf: $0, encoding: .utf8) }
      .filter { errors($0).isEmpty }
  }

  /// A source made of a document's tokens, with random ignored tokens and comments between them.
  private struct Noise {
    private(set) var text = ""
    /// The numbers of the comments, in order.
    private(set) var commentCount = 0
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Appends a token, with a comment after it in `density` of 100 cases.
    mutating func append(_ token: String, density: Int) {
      text += token
      if Int.random(in: 0..<100, using: &generator) < density {
        text += Bool.random(using: &generator) ? " " : "\n"
        commentCount += 1
        text += "#~\(commentCount)~ \"{ é\t" + (Bool.random(using: &generator) ? "\n" : "\r\n")
      }
      let ignored = [" ", "\n", "\r\n", "\n\n", "\n\n\n", "\t", ",", "\u{FEFF}", " , ", "\n,\n"]
      repeat {
        text += ignored.randomElement(using: &generator) ?? " "
      } while Bool.random(
        using: &generator)
    }
  }

  @Test(
    "random ignored tokens and comments between all tokens change neither the tokens nor the comments",
    arguments: [0, 3, 30, 100])
  func noise(density: Int) throws {
    let documents = try Self.documents()
    #expect(documents.count > 4)
    var total = 0
    for (index, document) in documents.enumerated() {
      let workspace = Workspace()
      let expected = tree(document, workspace)
      let plain = tokens(document).tokens.map { $0.drop { $0 != " " }.dropFirst() }
      for seed in 0..<12 as Range<UInt64> {
        var noise = Noise(seed: seed * 100 + UInt64(index))
        noise.append("", density: density)
        for token in plain { noise.append(String(token), density: density) }
        total += noise.commentCount
        let context: Comment = "document \(index), seed \(seed), density \(density)"
        for width in [10, 40, 80] {
          let bytes = ContiguousArray(noise.text.utf8)
          let result = try #require(Formatting.format(bytes, width: width), context)
          let text = String(decoding: result, as: UTF8.self)
          #expect(tree(text, workspace) == expected, context)
          #expect(comments(text) == Array(0..<noise.commentCount).map { $0 + 1 }, context)
          #expect(Formatting.isEquivalent(bytes, to: result), context)
          #expect(Formatting.format(result, width: width) == result, context)
          let lineEnds = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
          let isTrimmed = lineEnds.allSatisfy { $0.last != 0x09 && $0.last != 0x20 }
          #expect(isTrimmed || document.contains("\"\"\""), context)
        }
      }
    }
    #expect(density == 0 || total > 100, "\(total) comments")
  }

  /// Returns the numbers of the comments in a source.
  private func comments(_ text: String) -> [Int] {
    text.split(separator: "#~", omittingEmptySubsequences: false).dropFirst().compactMap {
      Int($0.prefix { $0 != "~" })
    }
  }

  @Test("the layout does not depend on the ignored tokens, except for blank lines and comments")
  func canonical() throws {
    for document in try Self.documents() {
      let plain = tokens(document).tokens.map { String($0.drop { $0 != " " }.dropFirst()) }
      let texts = [plain.joined(separator: " "), plain.joined(separator: ",\n")]
      let results = texts.map { Formatting.format(ContiguousArray($0.utf8), lineEnd: [0x0A]) }
      #expect(results[0] != nil && results[0] == results[1])
    }
  }
}
