import Foundation
import RelayStoreTesting
import SeededRandom
import Testing

@testable import RelayStore

/// `make soak` runs many more steps, so the suite has 120 minutes.
@Suite("Published versions, compared with the store", .timeLimit(.minutes(120)))
struct VersionModelTests {
  /// The number of steps of a run.
  private static let length = 200
  private static let seeds: Range<UInt64> = 0..<20

  @Test(
    "every version reads as the store did when it was published, and observers have the newest",
    arguments: seeds)
  func agreement(seed: UInt64) async throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["RELAYSTORE_MODEL_OPERATIONS"].flatMap { Int($0) } ?? 0
    let runs = max(1, count / Self.length / Self.seeds.count)
    let first = environment["RELAYSTORE_SEED"].flatMap { UInt64($0) } ?? 0
    for run in 0..<runs {
      let run = VersionRun(seed: first &+ seed &+ UInt64(run * Self.seeds.count))
      for step in 0..<Self.length {
        try run.perform(step)
        if let problem = run.difference {
          Issue.record("Seed \(run.seed), step \(step): \(problem)")
          return
        }
      }
      run.finish()
      try #require(run.test.store.statistics.observers == 0, "seed \(run.seed)")
    }
  }
}

/// Random changes of a store, with readers of earlier versions and observers.
private final class VersionRun {
  let seed: UInt64
  let test = TestStore(releaseBufferSize: 2)
  private var random: SeededGenerator
  private var readers: [(reader: VersionReader, values: [TargetValue])] = []
  private var observers: [LastValue] = []
  private var updates: [OptimisticUpdate] = []
  private var retentions: [Retention] = []

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
  }

  private static let ids = (0..<12).map { DataID("\($0)") }
  private static let targets: [ReadTarget] =
    ids.map(VersionFixture.target) + [
      .record(
        .root, VersionFixture.search.reader, in: VariableScope(operation: ["ids": ["a"]]))
    ]

  private var versions: PublishedVersions { test.store.state.versions }

  private func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private var id: DataID { Self.ids[number(0..<Self.ids.count)] }

  // MARK: Steps

  func perform(_ step: Int) throws {
    switch number(0..<20) {
    case 0..<4:
      let names = (0...number(0..<6)).map { _ in (id.rawValue, "\(step)") }
      try VersionFixture.write(Dictionary(names) { $1 }, in: test)
    case 4:
      let id = id
      updates.append(
        try test.environment.applyUpdate { store in
          try store[id]?.setValue(.string("optimistic \(step)"), for: "name")
        })
    case 5: if !updates.isEmpty { updates.remove(at: number(updates.indices)).revert() }
    case 6: try test.environment.commitUpdate { [id] in try $0.delete(id) }
    case 7: try test.environment.commitUpdate { [id] in try $0[id]?.invalidateRecord() }
    case 8 where seed % 4 == 0: test.store.reset()
    case 9: retentions.append(retain())
    case 10: if !retentions.isEmpty { retentions.removeFirst().release() }
    case 11: test.store.collectGarbage()
    case 12: _ = test.store.garbageCollector.step(records: 3)
    case 13: observers.append(LastValue(id, in: test))
    case 14: try observe(during: step)
    case 15: if !observers.isEmpty { observers.remove(at: number(observers.indices)).cancel() }
    case 16...19 where readers.count > 3:
      _ = versions.end(readers.remove(at: number(readers.indices)).reader)
    default:
      let reader = versions.begin()
      let values = Self.targets.map { target in
        test.store.withState { TargetValue($0.read(target)) }
      }
      readers.append((reader, values))
    }
  }

  /// Observes a record and cancels the observation of another while a change is written.
  private func observe(during step: Int) throws {
    let (id, other) = (id, id)
    // An observer of an id without an index waits for the store.
    guard test.store.withState({ $0.source.index(of: id) != nil }) else { return }
    let ended = observers.isEmpty ? nil : observers.remove(at: number(observers.indices))
    let test = test
    let added = Locked<LastValue?>(nil)
    try test.environment.commitUpdate { store in
      let observer = VersionFixture.onThread {
        ended?.cancel()
        return LastValue(id, in: test)
      }
      added.withLock { $0 = observer }
      try store[other]?.setValue(.string("\(step)"), for: "name")
      if step % 3 == 0 { try store.delete(id) }
    }
    added.withLock { $0 }.map { observers.append($0) }
  }

  private func retain() -> Retention {
    let plan = VersionFixture.search.normalization
    return test.store.retain(
      RequestIdentity(documentHash: plan.documentHash, variables: ["ids": ["a"]]),
      test.store.bind(plan, variables: ["ids": ["a"]]), root: .root)
  }

  // MARK: Comparing

  /// What reads other than it should.
  var difference: String? {
    for (reader, values) in readers {
      let read = self.values(reader)
      if read != values { return "A version has \(read), not \(values)." }
    }
    let current = versions.begin()
    defer { _ = versions.end(current) }
    let values = values(current)
    let expected = Self.targets.map { target in
      test.store.withState { TargetValue($0.read(target)) }
    }
    if values != expected { return "The newest version has \(values), not \(expected)." }
    for observer in observers {
      guard let position = Self.ids.firstIndex(of: observer.id) else { continue }
      if !observer.agrees(with: values[position]) {
        return
          "An observer of \(observer.id) has \(String(describing: observer.value)), not \(values[position])."
      }
    }
    return nil
  }

  private func values(_ reader: VersionReader) -> [TargetValue] {
    Self.targets.map { target in
      var effects = ReadEffects(areReadsWanted: false)
      return TargetValue(reader.read(target, test.store.bindings, &effects))
    }
  }

  /// Ends the readers and the observers.
  func finish() {
    for (reader, _) in readers { _ = versions.end(reader) }
    observers.forEach { $0.cancel() }
  }
}

/// The value of a target.
private struct TargetValue: Equatable {
  let json: JSONValue?
  let isDeleted, isOptimistic, isStale: Bool
  let missing: [ResponsePath]
  let revision: UInt64

  init(_ snapshot: RowSnapshot) {
    json = snapshot.row.map { .object($0.json) }
    (isDeleted, isOptimistic) = (snapshot.isDeleted, snapshot.isOptimistic)
    (isStale, missing, revision) = (snapshot.isStale, snapshot.missing, snapshot.revision)
  }
}

/// The last value of an observer.
private final class LastValue: Sendable {
  let id: DataID
  private let last = Locked<TargetValue?>(nil)
  private let handle = Locked<ObservationHandle?>(nil)

  init(_ id: DataID, in test: TestStore) {
    self.id = id
    let (first, handle) = test.store.readAndObserve(VersionFixture.target(id)) { [last] new in
      last.withLock { $0 = TargetValue(new) }
    }
    last.withLock { $0 = TargetValue(first) }
    self.handle.withLock { $0 = handle }
  }

  var value: TargetValue? { last.withLock { $0 } }

  func cancel() { handle.withLock { $0?.cancel() } }

  /// Whether the last value is that of a current read. A row that was whole is shown on when its
  /// data is collected, and an invalidation is not delivered.
  func agrees(with current: TargetValue) -> Bool {
    guard let value else { return false }
    return value.missing == current.missing && value.isDeleted == current.isDeleted
      && value.isOptimistic == current.isOptimistic
      && (value.json == current.json || !current.missing.isEmpty)
  }
}
