import Foundation
import Testing

@Suite("Declarations with package access", .timeLimit(.minutes(1)))
struct PackageAccessTests {
  @Test("each is named outside of its module")
  func needed() throws {
    let files = try ["Sources", "Tests"].flatMap { folder in
      let root = ModuleLayers.root.appending(path: folder)
      return try FileManager.default.subpathsOfDirectory(atPath: root.path)
        .filter { $0.hasSuffix(".swift") && !$0.contains(".build") }
        .map { path in
          PackageAccess.File(
            path: "\(folder)/\(path)",
            text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
        }
    }
    try #require(files.count > 1_000)
    let found = LayeringTests.modules.flatMap { PackageAccess.unneeded(in: $0.name, of: files) }
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
  }

  @Test("the check finds what only its own module and its testable tests name")
  func checkWorks() {
    let own = """
      package struct Used {
        package private(set) var count: Int
        package static func hidden<T>(_ value: T) {}
        let plain = 1
        package init() {}
      }
      """
    let found = PackageAccess.unneeded(
      in: "M",
      of: [
        .init(path: "Sources/M/F.swift", text: own),
        .init(path: "Sources/N/F.swift", text: "import M\nlet a = Used()"),
        .init(path: "Tests/T.swift", text: "@testable import M\nlet b = a.count, c = hidden"),
      ])
    #expect(
      found == [
        "Sources/M/F.swift:2: \"count\" is internal: no other module names it",
        "Sources/M/F.swift:3: \"hidden\" is internal: no other module names it",
      ])
  }
}
