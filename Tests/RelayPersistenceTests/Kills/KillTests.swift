import Foundation
import RelayPersistence
import RelayStore
import RelayStoreTesting
import SeededRandom
import Testing

/// Kills a process that uses a store, at random moments of each phase, and checks its files
/// afterwards.
///
/// The process is this test itself. It does the child's work when the environment names a
/// directory.
///
/// `make soak-storage` runs many more cases, so the suite has 60 minutes.
@Suite("Storage: killed processes", .timeLimit(.minutes(60)))
struct KillTests {
  private static let variables = (
    directory: "RELAYSTORE_KILLED_DIRECTORY", moment: "RELAYSTORE_KILLED_AT",
    number: "RELAYSTORE_KILLED_NUMBER"
  )

  @Test("nothing that was flushed or acknowledged is lost, torn or sent twice")
  func kills() async throws {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment[Self.variables.directory] {
      let moment = try #require(environment[Self.variables.moment].flatMap { KillMoment($0) })
      let number = try #require(environment[Self.variables.number].flatMap { Int($0) })
      if moment.phase == .migration { try KilledProcess.changeVersion(path) }
      return try await KilledProcess(path: path, killer: Killer(moment), number: number).run()
    }
    let directory = TemporaryDirectory()
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    let count = size("RELAYSTORE_KILLS", otherwise: 22)
    let seed = UInt64(size("RELAYSTORE_SEED", otherwise: .random(in: 0..<1_000_000)))
    var random = SeededGenerator(seed: seed)
    var (history, kills) = (KillHistory(), [KillPhase: Int]())
    for index in 0..<count {
      let phase = KillPhase.allCases[index % KillPhase.allCases.count]
      let moment = KillMoment(
        phase: phase, pass: phase == .migration ? 1 : Int.random(in: 1...3, using: &random),
        microseconds: Int.random(in: 0...history.duration(of: phase), using: &random))
      let lines = try run(directory, moment, number: history.number + 1)
      if history.add(lines, in: phase) { kills[phase, default: 0] += 1 }
      try await history.check(directory, after: phase)
    }
    let list = KillPhase.allCases.map { "\($0) \(kills[$0, default: 0])" }
    print(
      "Kills: \(count), seed \(seed), \(history.vanished) coalesced, \(history.creations) created, inside of phases: \(list.joined(separator: ", "))"
    )
    if count >= 100 * KillPhase.allCases.count {
      for phase in KillPhase.allCases { #expect(kills[phase, default: 0] >= 100, "\(phase)") }
    }
    #expect(kills.count > KillPhase.allCases.count / 2)
    try await checkRest(directory, history)
  }

  /// Checks that the next run applies every committed entry exactly once.
  private func checkRest(_ directory: TemporaryDirectory, _ history: KillHistory) async throws {
    let last = KilledProcess(path: directory.path, killer: nil)
    await last.environment.store.loaded()
    let outbox = try #require(last.environment.outbox)
    for await entries in outbox.observe() where entries.isEmpty && outbox.isLoaded { break }
    let applied = last.server.applied
    #expect(Set(applied).count == applied.count)
    #expect(Set(history.committed.keys).subtracting(applied).isEmpty)
    #expect(history.vanished > 0 && history.creations > 0)
    #expect(!applied.isEmpty && !applied.contains { $0.hasPrefix("torn") })
    // An object that was created, by an entry that may have been lost before it was persisted, is
    // known by both of its ids.
    for (placeholder, name) in history.created {
      let id = outbox.id(for: DataID(placeholder))
      #expect(id == nil || id == DataID(name))
    }
    let names = Set(history.created.values)
    #expect(
      history.committed.values.allSatisfy { entry in
        !names.contains(entry.counter)
          || history.created.contains { $1 == entry.counter && outbox.id(for: DataID($0)) != nil }
      })
    let uploads = directory.path + "/store/uploads"
    try await eventually(0) {
      (try? FileManager.default.contentsOfDirectory(atPath: uploads))?.count ?? 0
    }
    try await last.environment.store.suspend()
  }

  /// Runs the child until it has killed itself.
  ///
  /// - Returns: The lines that it printed.
  private func run(
    _ directory: TemporaryDirectory, _ moment: KillMoment, number: Int
  ) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [
      "--testing-library", "swift-testing", "--filter", "RelayPersistenceTests.KillTests",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging([
      Self.variables.directory: directory.path, Self.variables.moment: moment.text,
      Self.variables.number: "\(number)",
    ]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    // The test runner prints there why a test failed.
    let errors = directory.url.appending(path: "errors")
    try Data().write(to: errors)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    let text = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    let isKilled =
      process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    let (reason, status) = (process.terminationReason.rawValue, process.terminationStatus)
    if !isKilled {
      let text = try String(contentsOf: errors, encoding: .utf8)
      Issue.record("reason \(reason), status \(status), \(lines.suffix(5)), \(text.suffix(2000))")
    }
    return lines
  }
}
