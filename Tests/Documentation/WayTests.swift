import Foundation
import Testing

/// The paths in Internals.md: trees of files, in blocks that start with `files` and a module.
@Suite("The ways through the sources", .timeLimit(.minutes(1)))
struct WayTests {
  /// A line of a tree.
  struct Step {
    let indentation: Int
    /// The path below the module, without the extension.
    let path: String
    /// The file without its comments.
    let code: String

    /// The types that the file declares or extends.
    var types: [String] {
      code.matches(of: /\b(?:struct|class|enum|protocol|actor|extension)\s+([A-Z]\w*)/)
        .map { String($0.output.1) }
    }

    func names(_ type: String) -> Bool {
      code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == type }
    }
  }

  /// The trees, each with its module.
  static func ways() throws -> [[Step]] {
    var ways: [[Step]] = []
    var module: String?
    for line in try Documents.text("Docs/Reference/Internals.md").split(separator: "\n") {
      if line.hasPrefix("```files ") {
        module = String(line.dropFirst("```files ".count))
        ways.append([])
      } else if line.hasPrefix("```") {
        module = nil
      } else if let module {
        let tree = line.prefix { " │├└─".contains($0) }
        let path = String(line.dropFirst(tree.count).prefix { $0 != " " })
        let text = try Documents.text("Sources/\(module)/\(path).swift")
        let code = text.split(separator: "\n")
          .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        ways[ways.count - 1].append(Step(indentation: tree.count, path: path, code: code))
      }
    }
    return ways
  }

  @Test("each file of a way exists, and names a type of those below it")
  func steps() throws {
    let ways = try Self.ways()
    #expect(ways.count == 3 && ways.allSatisfy { $0.count > 10 })
    for way in ways {
      var above: [Step] = []
      for step in way {
        above.removeAll { $0.indentation >= step.indentation }
        if let parent = above.last {
          #expect(
            step.types.contains(where: parent.names),
            "\(parent.path) names no type of \(step.path)")
        }
        above.append(step)
      }
    }
  }

  @Test("at most 30 files lead from the bytes of a response to a snapshot")
  func length() throws {
    #expect(try #require(Self.ways().first).count <= 30)
  }
}
