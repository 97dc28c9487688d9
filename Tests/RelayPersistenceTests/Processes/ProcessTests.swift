import Foundation
import RelayPersistence
import RelayStore
import SeededRandom
import Testing

/// An app and its extensions as separate processes.
///
/// `make soak-storage` runs many more cases, so the suite has 60 minutes.
@Suite("Processes", .serialized, .timeLimit(.minutes(60)))
struct ProcessTests {
  @Test("two extensions and the app run at once: nothing is torn, lost or sent twice")
  func concurrent() async throws {
    if let role = ExtensionProcess.role { return try await ExtensionProcess.run(role) }
    let directory = TemporaryDirectory()
    let count = size("RELAYSTORE_PROCESS_ROUNDS", otherwise: 60)
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    let inbox = ExtensionProcess.inbox(directory.path)
    let app = ExtensionProcess.app(directory.path, inbox, entryLimit: 50)
    let outbox = try #require(app.outbox)
    try await outbox.loaded()
    try await export(0, of: app, directory)
    let processes = try (0..<2).map { _ in
      try ExtensionProcess.start(.extending, in: directory, count: count)
    }
    let ended = Locked<[[[String]]]>([])
    for process in processes {
      let process = UncheckedProcess(process)
      Thread.detachNewThread {
        let lines = process.value.finish().lines
        ended.withLock { $0.append(lines) }
      }
    }
    var (taken, exports) = ([String](), 0)
    while true {
      let isLast = ended.withLock { $0.count } == processes.count
      let report = try await outbox.importFiles()
      #expect(report.rejected.isEmpty)
      taken += report.entries.map(\.id.rawValue)
      exports += 1
      try await export(exports, of: app, directory)
      // The outbox only has room for some of the added mutations.
      for await entries in outbox.observe() where entries.isEmpty { break }
      if isLast, report.waitingCount == 0 { break }
    }

    let lines = ended.withLock { $0 }
    let added = lines.map { $0.filter { $0.first == "added" }.map { $0[1] } }
    #expect(added.map(\.count) == [count, count])
    for keys in added { #expect(taken.filter { Set(keys).contains($0) } == keys) }
    let torn = lines.joined().filter { $0.first == "torn" }
    #expect(torn.isEmpty, "\(torn.prefix(2))")
    let executed = ExecutedMutations(path: directory.path + "/executed").executed
    #expect(executed.count == 2 * count && Set(executed) == Set(added.joined()))
    print("Processes: \(2 * count) mutations, \(exports) exports")
    try await app.store.suspend()
  }

  /// Exports fifty todos with the same text.
  private func export(
    _ number: Int, of app: RelayEnvironment, _ directory: TemporaryDirectory
  ) async throws {
    try app.receive((0..<50).map { ("todo-\($0)", "\(number)") })
    try await app.exportSnapshot(
      of: [TodosQuery("a")], to: ExtensionProcess.snapshot(directory.path))
  }

  @Test("whoever is killed at whichever call, nothing is lost or executed twice")
  func kills() async throws {
    if ExtensionProcess.role != nil { return }
    let directory = TemporaryDirectory()
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    let seed = UInt64(size("RELAYSTORE_SEED", otherwise: .random(in: 0..<1_000_000)))
    var random = SeededGenerator(seed: seed)
    var added: Set<String> = []
    var kills = 0
    for _ in 0..<size("RELAYSTORE_PROCESS_KILLS", otherwise: 8) {
      let extending = try ExtensionProcess.start(
        .extending, in: directory, count: 3, killedAt: .random(in: 0..<45, using: &random)
      ).finish()
      for line in extending.lines where line.first == "added" { added.insert(line[1]) }
      let app = try ExtensionProcess.start(
        .app, in: directory, killedAt: .random(in: 0..<24, using: &random)
      ).finish()
      for isKilled in [extending.isKilled, app.isKilled] where isKilled { kills += 1 }
    }
    let extending = try ExtensionProcess.start(.extending, in: directory, count: 3).finish()
    for line in extending.lines where line.first == "added" { added.insert(line[1]) }
    let last = try ExtensionProcess.start(.app, in: directory).finish()
    #expect(!extending.isKilled && !last.isKilled)
    let executed = ExecutedMutations(path: directory.path + "/executed").executed
    #expect(Set(executed).count == executed.count, "seed \(seed)")
    let left = try Persistence.sqlite(directory: directory.url.appending(path: "store"))
      .storedEntries()
    // Killed between the mark and the response; such entries are read as unknown.
    #expect(left.allSatisfy { $0.state == .unknown || $0.state == .sending })
    let lost = added.subtracting(executed).subtracting(left.map(\.id.rawValue))
    #expect(lost.isEmpty, "seed \(seed)")
    let inbox = ExtensionProcess.inbox(directory.path).directory.path
    let pending = try FileSystem().names(in: inbox).filter { $0.hasSuffix(".mutation") }
    #expect(pending.isEmpty)
    #expect(kills > 0 && executed.count >= 3)
    print(
      "Processes: \(kills) kills, \(added.count) mutations, \(left.count) unknown, seed \(seed)")
  }
}

/// A process that one thread waits for.
private struct UncheckedProcess: @unchecked Sendable {
  let value: RunningProcess
  init(_ value: RunningProcess) { self.value = value }
}
