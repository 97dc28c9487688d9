import Foundation
import RelayPersistence
import RelayStore
import SeededRandom
import Testing

/// Makes SQLite's calls to the disk fail, one after the other.
///
/// `make soak-storage` runs many more cases, so the suite has 60 minutes.
@Suite("Storage: a failing disk, below SQLite", .timeLimit(.minutes(60)))
struct DiskFaultTests {
  /// A way that the disk can fail.
  struct Failure: CustomTestStringConvertible {
    var name: String
    var kinds: Set<TestDisk.Call.Kind>
    var fault: TestDisk.Fault
    /// Whether all calls after the first failure fail too.
    var isLasting: Bool

    var testDescription: String { name + (isLasting ? ", and goes on to fail" : ", once") }

    private init(
      _ name: String, _ kinds: Set<TestDisk.Call.Kind>, _ fault: TestDisk.Fault, isLasting: Bool
    ) {
      (self.name, self.kinds, self.fault, self.isLasting) = (name, kinds, fault, isLasting)
    }

    static let all = [false, true].flatMap { isLasting in
      [
        Failure("the disk is full", [.write], .status(13), isLasting: isLasting),
        Failure("part of a write", [.write], .half(778), isLasting: isLasting),
        Failure(
          "an I/O error", Set(TestDisk.Call.Kind.allCases), .status(10), isLasting: isLasting),
        Failure("a sync fails", [.sync], .status(1034), isLasting: isLasting),
        Failure("a file is locked", [.lock], .status(5), isLasting: isLasting),
        Failure("read-only", [.write, .truncate, .delete], .status(8), isLasting: isLasting),
        Failure("a file cannot be opened", [.open], .status(14), isLasting: isLasting),
      ]
    }
  }

  @Test("a failure is reported, loses nothing, and the app goes on", arguments: Failure.all)
  func failures(failure: Failure) async throws {
    let template = try await Self.template()
    // The failing calls; the long form fails every one.
    let step = size("RELAYSTORE_DISK_FAULT_STEP", otherwise: 23)
    var (call, runs) = (0, 0)
    while try await run(failure, call: call, on: template) {
      call += call < 2 ? 1 : step
      runs += 1
    }
    #expect(runs > 0)
    print("Disk failures: \(failure.testDescription): \(runs) of \(call) calls")
  }

  /// A database of each kind, with entries in an outbox.
  private static func template() async throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    let environment = RelayEnvironment(
      store: RecordStore(
        configuration: .init(
          garbageCollection: .manual,
          persistence: .sqlite(directory: directory.path, library: testedLibrary))),
      transport: NoTransport(), outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
    for number in 1...3 {
      try environment.commit(number: number)
      try await environment.store.flush()
    }
    environment.outbox?.suspend()
    try await environment.add(.increment("old", to: 1))
    try await environment.store.suspend()
    await environment.outbox?.untilIdle()
    return try copy(directory)
  }

  private static func copy(_ directory: TemporaryDirectory) throws -> TemporaryDirectory {
    let copy = TemporaryDirectory()
    try FileManager.default.copyItem(at: directory.url, to: copy.url)
    return copy
  }

  /// Runs an app whose disk fails at a call.
  ///
  /// - Returns: Whether the run reached that call.
  private func run(
    _ failure: Failure, call: Int, on template: TemporaryDirectory
  ) async throws -> Bool {
    let directory = try Self.copy(template)
    let calls = Locked(0)
    let disk = try TestDisk(fault: { made in
      guard failure.kinds.contains(made.kind) else { return nil }
      let number = calls.withLock { calls in
        calls += 1
        return calls - 1
      }
      return number == call || number > call && failure.isLasting ? failure.fault : nil
    })
    let app = App(disk.persistence(directory))
    try await app.run()
    try await app.checkStored(in: try Self.copy(directory), after: failure)
    return calls.withLock { $0 } > call
  }
}

/// An app that uses a storage, continues when it fails, and tracks successful calls.
private final class App {
  let environment: RelayEnvironment
  private let events = PersistedStore.Events()
  private let server = KeyedServer()
  private var number = 3
  /// The last commit that was flushed.
  private var flushed = 3
  private var committed: Set<OutboxEntry.ID> = []
  /// The number of calls that threw.
  private var failures = 0

  init(_ persistence: Persistence) {
    let events = events
    var options = OutboxOptions(serverHonorsIdempotencyKeys: true)
    options.backOff = RetryPolicy(
      attempts: .max, delay: .milliseconds(1), longestDelay: .milliseconds(1),
      includesMutations: true)
    environment = RelayEnvironment(
      store: RecordStore(
        configuration: .init(
          garbageCollection: .manual, persistence: persistence, log: { events.append($0) })),
      transport: server, outbox: options)
  }

  func run() async throws {
    await environment.store.loaded()
    for round in 0..<3 {
      try await commit()
      await increment("counter-\(round)")
      if round == 1 {
        await attempt { try await $0.store.suspend() }
        await attempt { try await $0.store.resume() }
      }
    }
    environment.outbox?.suspend()
    await environment.outbox?.untilIdle()
    await attempt { try await $0.store.suspend() }
  }

  private func attempt(_ body: (RelayEnvironment) async throws -> Void) async {
    do { try await body(environment) } catch { failures += 1 }
  }

  private func commit() async throws {
    number += 1
    try environment.commit(number: number)
    await attempt { [number] environment in
      try await environment.store.flush()
      flushed = number
    }
    // The in-memory store is not affected.
    #expect(try environment.committedNumber() == number)
    #expect(environment.store.violatedInvariant == nil)
  }

  private func increment(_ counter: String) async {
    number += 1
    await attempt { [number] environment in
      guard let outbox = environment.outbox else { return }
      let entry = try await environment.add(.increment(counter, to: number))
      committed.insert(entry.id)
      // An entry that cannot be marked as sending waits.
      for await entries in outbox.observe() {
        guard let current = entries.first(where: { $0.id == entry.id }) else {
          #expect(environment.count(of: counter) == number)
          break
        }
        if current.attempts > 5 { break }
      }
    }
  }

  /// Checks the data that the next run finds.
  func checkStored(
    in directory: TemporaryDirectory, after failure: DiskFaultTests.Failure
  ) async throws {
    let isReported = failures > 0 || !events.problems.isEmpty
    let stored = PersistedStore(directory)
    await stored.store.loaded()
    #expect(stored.events.problems.isEmpty)
    let found = try stored.environment.committedNumber() ?? 0
    #expect(found >= flushed && found <= number, "\(found), \(flushed) was flushed")
    if !isReported { #expect(found == number - 1) }
    for event in events.problems {
      if case .persistenceReplaced = event { Issue.record("A failing disk counts as damage.") }
      if case .outboxRejected = event { Issue.record("A failing disk counts as damage.") }
    }
    let persistence = Persistence.sqlite(directory: directory.path, library: testedLibrary)
    let entries = try persistence.storedEntries().map(\.id)
    #expect(committed.subtracting(entries).isSubset(of: server.executed))
    // Apart from committed entries, only the previous run's entry may be there. The next write, if
    // any, overwrites a commit whose sync failed.
    let other = Set(entries).subtracting(committed)
    let isUncertain = failure.isLasting && failure.kinds.contains(.sync)
    #expect(other.count <= (isUncertain ? 2 : 1), "A commit that has thrown is stored.")
    if !isReported { #expect(entries.isEmpty) }
  }
}

/// A server that responds to all mutations.
private final class KeyedServer: Transport {
  private let keys = Locked<Set<OutboxEntry.ID>>([])
  var executed: Set<OutboxEntry.ID> { keys.withLock { $0 } }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    _ = keys.withLock { $0.insert(OutboxEntry.ID(request.key)) }
    return request.incremented
  }
}
