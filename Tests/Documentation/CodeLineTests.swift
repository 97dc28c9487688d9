import Foundation
import Testing

/// The code lines of the modules in a first build, as listed in Performance.md.
///
/// A module that outgrows its number has its first build measured again.
@Suite("Code lines of the first build", .timeLimit(.minutes(1)))
struct CodeLineTests {
  /// Returns the code lines by module, from the rows that start like `` | `RelayStore` | 27,123
  /// |``.
  private func listed() throws -> [String: Int] {
    var lines: [String: Int] = [:]
    let section = try Documents.text("Docs/Reference/Performance.md")
      .split(separator: "\n").drop { $0 != "## The first build" }.dropFirst()
      .prefix { !$0.hasPrefix("## ") }
    for row in section {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count > 2, cells[0].hasPrefix("`"),
        let count = Int(cells[1].filter { $0 != "," })
      else { continue }
      lines[cells[0].filter { $0 != "`" }] = count
    }
    return lines
  }

  private func codeLines(of module: String) throws -> Int {
    try Documents.sources(of: module).reduce(0) { sum, path in
      sum
        + (try Documents.text(path).split(separator: "\n").count {
          let line = $0.drop { $0 == " " }
          return !line.isEmpty && !line.hasPrefix("//")
        })
    }
  }

  @Test("no module has 3 % more than is listed, or 10 % less")
  func current() throws {
    let listed = try listed()
    #expect(
      Set(listed.keys) == [
        "GraphQLLanguage", "RelayCompiler", "RelayStore", "RelayNetwork", "RelayLive",
        "RelayPersistence", "RelayStoreTesting",
      ])
    for (module, count) in listed {
      let now = try codeLines(of: module)
      #expect(
        Double(now) <= 1.03 * Double(count) && Double(now) >= 0.9 * Double(count),
        "\(module) has \(now) code lines: list them in Performance.md, after make bench-build")
    }
  }
}
