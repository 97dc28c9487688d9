import Foundation
import Testing

/// `swift test` succeeds when its filter matches no test.
@Suite("Filters of tests in the Makefile", .timeLimit(.minutes(1)))
struct TestFilterTests {
  /// The folders of the package in Tests/Stress.
  private static let stressFolders = ["Tests/Stress/Tests/StressTests", "Tests/Properties"]

  /// Returns the names of the types and folders with tests in a folder of the package.
  private func names(in folder: String) throws -> Set<Substring> {
    let url = Documents.root.appendingPathComponent(folder)
    var names: Set<Substring> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: url.path) {
      if path.hasSuffix(".swift") {
        let text = try Documents.text("\(folder)/\(path)")
        names.formUnion(text.matches(of: /(?m)^(?:@Suite.*)?struct (\w+)/).map(\.1))
      } else {
        names.formUnion(path.split(separator: "/").suffix(1))
      }
    }
    return names
  }

  @Test("each name in a filter is a suite, or a target, of the package that the command tests")
  func suites() throws {
    let stress = try Self.stressFolders.reduce(into: Set()) { $0.formUnion(try names(in: $1)) }
    let all = try names(in: "Tests")
    let commands = try Documents.text("Makefile").replacing("\\\n", with: " ")
      .split(separator: "\n").filter { $0.contains("--filter") }
    #expect(commands.count > 10)
    for command in commands {
      let isStress = command.contains("(OPTIMIZED)") || command.contains("(STRESS_BUILD)")
      let filters = command.matches(of: /--filter '?([\w|]+)/).flatMap {
        $0.1.split(separator: "|")
      }
      for name in filters {
        #expect((isStress ? stress : all).contains(name), "No tests are in \(name): \(command)")
      }
    }
  }
}
