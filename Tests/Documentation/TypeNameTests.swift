import Foundation
import Testing

@Suite("Public types in the documentation", .timeLimit(.minutes(1)))
struct TypeNameTests {
  /// The names of types that a protocol of the standard library requires.
  private static let required: Set<String> = ["Element", "Failure", "Iterator"]

  /// Returns the words in code blocks and code spans of the guides.
  private func words() throws -> Set<Substring> {
    var words: Set<Substring> = []
    for guide in try Documents.guides {
      let (code, prose) = try Documents.lines(of: guide)
      let spans = prose.flatMap { $0.matches(of: /`[^`]+`/).map(\.0) }
      for text in code + spans { words.formUnion(text.matches(of: /\w+/).map(\.0)) }
    }
    return words
  }

  /// Returns the names of the public types of a file, except types that start with an underscore or
  /// have an underscored attribute such as `@_spi`.
  private func publicTypes(of file: String) throws -> [String] {
    let declaration =
      /^\s*(?:@\w\S*\s+)*public (?:(?:final|indirect|nonisolated) )*(?:struct|class|enum|protocol|actor|typealias|macro) `?(\w+)/
    var types: [String] = []
    var isHidden = false
    for line in try Documents.text(file).split(separator: "\n") {
      if let match = line.firstMatch(of: declaration) {
        let name = String(match.1)
        if !isHidden, !line.contains("@_"), !name.hasPrefix("_"), !Self.required.contains(name) {
          types.append(name)
        }
      }
      isHidden = line.drop { $0 == " " }.hasPrefix("@_")
    }
    return types
  }

  @Test(
    "the README or a page of Docs names every public type",
    arguments: [
      ("RelayStore", 100), ("RelayNetwork", 3), ("RelayLive", 3), ("RelayPersistence", 15),
      ("RelayLocalQueries", 8), ("RelayRecording", 7), ("RelayStoreTesting", 10),
      ("RelaySwiftUI", 4), ("RelayInspector", 1),
    ])
  func named(module: String, minimum: Int) throws {
    let words = try words()
    var count = 0
    for file in try Documents.sources(of: module) {
      for type in try publicTypes(of: file) {
        count += 1
        if !words.contains(Substring(type)) { Issue.record("No guide names \(type) of \(file).") }
      }
    }
    #expect(count >= minimum)
  }
}
