import Foundation
import RelayNetwork
import Testing

@testable import RelayPersistence
@testable import RelayStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(
  "Scenarios: the outbox before a hostile server", .timeLimit(.minutes(1)),
  .enabled(
    if: PythonProcess.isInstalled || PythonProcess.isRequired,
    "the real server needs .venv, which make test creates"))
struct OutboxFaultScenarios {
  /// A row of the table in Docs/Offline.md.
  private struct Row {
    let statuses: [Int]
    let bodies: [String]
    let states: (withKeys: String, withoutKeys: String)
    let isRedirect: Bool

    init?(_ line: Substring) {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4, cells[0].first?.isNumber == true else { return nil }
      statuses = cells[0].split { !$0.isNumber }.compactMap { Int($0) }.filter { $0 > 99 }
      isRedirect = cells[0].contains("not followed")
      let words = [
        "data": ["data"], "GraphQL errors and no data": ["errors"], "none": ["empty"],
        "HTML": ["html"], "empty": ["empty"], "cut off": ["cut"], "other JSON": ["json"],
        "any": ["errors", "html", "empty", "json"],
      ]
      bodies =
        words[cells[1]] ?? cells[1].components(separatedBy: ", ").flatMap { words[$0] ?? [] }
      func state(_ cell: String) -> String { cell.replacingOccurrences(of: "`", with: "") }
      states = (state(cells[2]), state(cells[3]))
    }

    /// The faults of the server that the row describes.
    var faults: [String] {
      if isRedirect { return statuses.map { "redirect/\($0)" } }
      return statuses.flatMap { status in bodies.map { "respond/\(status)/\($0)" } }
    }
  }

  private static let ends = ["end", "reset"].flatMap { how in
    ["request", "start", "status", "header", "body"].map { "\(how)/\($0)" }
  }

  /// The state of an entry after each fault, by the table in Docs/Offline.md.
  private static func expected(withKeys: Bool) throws -> [String: String] {
    let guide = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Docs/Offline.md").standardized
    let rows = try String(contentsOf: guide, encoding: .utf8)
      .split(separator: "\n").compactMap(Row.init)
    var expected: [String: String] = [:]
    for row in rows {
      for fault in row.faults {
        expected[fault] = withKeys ? row.states.withKeys : row.states.withoutKeys
      }
    }
    for fault in ends + ["follow/307", "follow/308"] {
      expected[fault] = withKeys ? "queued" : "unknown"
    }
    return expected
  }

  @Test("what follows each fault is what the guide says", arguments: [true, false])
  func table(withKeys: Bool) async throws {
    let expected = try Self.expected(withKeys: withKeys)
    #expect(expected.count > 80)
    let server = try await PythonProcess("HostileServer")
    let url = try #require(URL(string: server.line))
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    var options = OutboxOptions(serverHonorsIdempotencyKeys: withKeys)
    options.backOff = RetryPolicy(
      attempts: .max, delay: .milliseconds(1), longestDelay: .milliseconds(10),
      includesMutations: true)
    let environment = RelayEnvironment(
      store: RecordStore(configuration: .init(persistence: .sqlite(directory: directory))),
      transport: HTTPTransport(url: url.appending(path: withKeys ? "keys" : "graphql")),
      outbox: options)
    let outbox = try #require(environment.outbox)

    var names: [OutboxEntry.ID: String] = [:]
    for (index, fault) in expected.keys.sorted().enumerated() {
      let entry = try await outbox.add(.addComment("\(index) \(fault)"), after: [])
      names[entry.id] = fault
    }
    // Each second delivery gets a response.
    for await entries in outbox.observe() where entries.allSatisfy(\.hasEnded) { break }

    let states = Dictionary(
      outbox.entries.map { (names[$0.id] ?? "", "\($0.state)") }, uniquingKeysWith: { $1 })
    let effects = try JSONDecoder().decode(
      [String: Int].self,
      from: try await URLSession.shared.data(from: url.appending(path: "effects")).0)
    for (index, fault) in expected.keys.sorted().enumerated() {
      let count = effects["\(index)"] ?? 0
      switch expected[fault] {
      case "queued", "gone": #expect(states[fault] == nil && count == 1, "\(fault): \(count)")
      case "unknown": #expect(states[fault] == "unknown" && count <= 1, "\(fault): \(count)")
      case let state: #expect(states[fault] == state && count == 0, "\(fault): \(count)")
      }
    }
    withExtendedLifetime(server) {}
  }
}

extension OutboxEntry {
  /// Whether the entry changes no more by itself.
  fileprivate var hasEnded: Bool {
    switch state {
    case .failed, .unknown, .blockedOnAuthentication: true
    default: false
    }
  }
}
