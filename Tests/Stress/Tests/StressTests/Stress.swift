import Foundation
import RelayStore
import SeededRandom

/// Operations of all kinds on one store. Several threads perform them concurrently, and check each
/// snapshot that they see.
final class Stress: Sendable {
  /// The handles that the threads share.
  struct Pool {
    var observations: [Observation] = []
    var consumers: [Task<Void, Never>] = []
    /// The cancelled consumers; some of them may not have ended yet.
    var cancelled: [Task<Void, Never>] = []
    var updates: [OptimisticUpdate] = []
    var retentions: [Retention] = []
    var problems: Set<String> = []
    /// The number of operations performed, by name.
    var performed: [String: Int] = [:]
    var deliveries = 0
  }

  /// An observation with a closure, and the last snapshot delivered to it.
  struct Observation {
    let id: DataID
    let handle: ObservationHandle
    let last: Shared<Snapshot<Item_item>?>
  }

  static let ids = (0..<24).map { DataID("item\($0)") }
  let environment = RelayEnvironment(
    store: RecordStore(configuration: .init(releaseBufferSize: 2, garbageCollectionThreshold: 20)),
    transport: FeedTransport())
  let pool = Shared(Pool())

  /// Performs operations chosen by the seed.
  func work(_ count: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for operation in 1...max(1, count) {
      do { try step(&random) } catch { report("An operation threw: \(error)") }
      if let violation = StoreInvariants.violation(in: environment.store, after: operation) {
        report(violation)
      }
    }
  }

  func report(_ problem: String) { pool.withValue { _ = $0.problems.insert(problem) } }

  private func step(_ random: inout SeededGenerator) throws {
    let choice = Int.random(in: 0..<100, using: &random)
    let name: String
    switch choice {
    case 0..<18: (name, _) = ("write", try write(&random))
    case 18..<30: (name, _) = ("update", try update(&random))
    case 30..<36: (name, _) = ("apply", try apply(&random))
    case 36..<44: (name, _) = ("revert", revert(&random))
    case 44..<60: (name, _) = ("read", read(&random))
    case 60..<66: (name, _) = ("observe", observe(&random))
    case 66..<73: (name, _) = ("cancel", cancel(&random))
    case 73..<77: (name, _) = ("follow", follow(&random))
    case 77..<82: (name, _) = ("end", end(&random))
    case 82..<87: (name, _) = ("retain", retain(&random))
    case 87..<92: (name, _) = ("release", release(&random))
    case 92..<94: (name, _) = ("batch", try batch(&random))
    case 94..<97: (name, _) = ("check", check(&random))
    case 97..<99: (name, _) = ("collect", collect(&random))
    default: (name, _) = ("fetch", fetch(&random))
    }
    pool.withValue { $0.performed[name, default: 0] += 1 }
  }

  // MARK: Changes

  private func write(_ random: inout SeededGenerator) throws {
    let data = FeedTransport.data(&random)
    try environment.commitPayload(FeedQuery(page: .random(in: 0..<4, using: &random)), data: data)
  }

  private func update(_ random: inout SeededGenerator) throws {
    let updater = self.updater(&random)
    try environment.commitUpdate(updater)
  }

  private func updater(_ random: inout SeededGenerator) -> StoreUpdater {
    let (id, friend) = (pick(&random), pick(&random))
    let number = Int.random(in: 0..<1_000, using: &random)
    let choice = Int.random(in: 0..<8, using: &random)
    return { store in
      guard let record = try store[id] else { return }
      if choice == 0 { return try store.delete(id) }
      if choice == 1 { return try record.invalidateRecord() }
      try record.setValue(number, for: "number")
      try record.setValue(ItemInvariant.label(number), for: "label")
      if choice == 2 { try record.setLinkedRecord(store[friend], for: "friend") }
    }
  }

  private func apply(_ random: inout SeededGenerator) throws {
    let update = try environment.applyUpdate(updater(&random))
    pool.withValue { $0.updates.append(update) }
  }

  /// Reverts or replaces optimistic updates, which limits their number.
  private func revert(_ random: inout SeededGenerator) {
    let count = pool.withValue { $0.updates.count }
    for _ in 0..<max(1, count - 4) {
      guard let update = take(\.updates, &random) else { return }
      if Int.random(in: 0..<4, using: &random) == 0 {
        // No other thread can have reverted the update, because it was removed from the pool.
        do { try update.replace(updater(&random)) } catch {
          report("An update's replacement threw: \(error)")
        }
      }
      update.revert()
    }
  }

  private func batch(_ random: inout SeededGenerator) throws {
    try environment.batch {
      try update(&random)
      try write(&random)
      revert(&random)
    }
  }

  // MARK: Reading

  private func read(_ random: inout SeededGenerator) {
    let ref = FragmentRef<Item_item>(id: pick(&random))
    let item = environment.read(ref)
    if let data = item.data, !ItemInvariant.holds(data) { report("A read shows a partial write.") }
    let feed = environment.read(FeedQuery(page: .random(in: 0..<4, using: &random)))
    if let data = feed.data, !ItemInvariant.holds(data) { report("A query shows a partial write.") }
    if feed.revision < item.revision {
      report("A read has an older revision than the read before it.")
    }
  }

  private func check(_ random: inout SeededGenerator) {
    _ = environment.check(FeedQuery(page: .random(in: 0..<4, using: &random)))
    _ = environment.store.explain(pick(&random))
  }

  private func collect(_ random: inout SeededGenerator) {
    if Int.random(in: 0..<8, using: &random) == 0 {
      _ = environment.store.garbageCollector.finish()
    } else {
      _ = environment.store.garbageCollector.step(records: 5)
    }
  }

  private func retain(_ random: inout SeededGenerator) {
    let retention = environment.retain(FeedQuery(page: .random(in: 0..<4, using: &random)))
    pool.withValue { $0.retentions.append(retention) }
  }

  private func release(_ random: inout SeededGenerator) { take(\.retentions, &random)?.release() }

  // MARK: Observing

  private func observe(_ random: inout SeededGenerator) {
    let id = pick(&random)
    let last = Shared<Snapshot<Item_item>?>(nil)
    let handle = environment.observe(FragmentRef<Item_item>(id: id)) { [weak self] snapshot in
      let before = last.withValue { last in
        defer { last = snapshot }
        return last
      }
      self?.checkDelivery(of: snapshot, after: before)
    }
    pool.withValue { $0.observations.append(Observation(id: id, handle: handle, last: last)) }
  }

  private func checkDelivery(of snapshot: Snapshot<Item_item>, after before: Snapshot<Item_item>?) {
    pool.withValue { $0.deliveries += 1 }
    if let before, snapshot.revision <= before.revision {
      report("A delivered snapshot is not newer than the one before it.")
    }
    if let data = snapshot.data, !ItemInvariant.holds(data) {
      report("A delivered snapshot shows a partial write.")
    }
  }

  /// Ends observations started by any thread, which limits their number.
  private func cancel(_ random: inout SeededGenerator) {
    let count = pool.withValue { $0.observations.count }
    for _ in 0..<max(1, count - 32) { take(\.observations, &random)?.handle.cancel() }
  }

  /// Starts a task that iterates over the snapshots of an item.
  private func follow(_ random: inout SeededGenerator) {
    let snapshots = environment.observe(FragmentRef<Item_item>(id: pick(&random)))
    let consumer = Task { [weak self] in
      var last: Snapshot<Item_item>?
      for await snapshot in snapshots {
        self?.checkDelivery(of: snapshot, after: last)
        last = snapshot
      }
    }
    pool.withValue { $0.consumers.append(consumer) }
  }

  private func end(_ random: inout SeededGenerator) {
    let count = pool.withValue { $0.consumers.count }
    for _ in 0..<max(1, count - 16) {
      guard let consumer = take(\.consumers, &random) else { return }
      consumer.cancel()
      pool.withValue { $0.cancelled.append(consumer) }
    }
  }

  /// Starts a task that fetches; `end` may cancel it.
  private func fetch(_ random: inout SeededGenerator) {
    let query = FeedQuery(page: .random(in: 0..<4, using: &random))
    let fetch = Task { [environment] in
      _ = try? await environment.fetch(query)
      return
    }
    pool.withValue { $0.consumers.append(fetch) }
  }

  // MARK: Random choices

  private func pick(_ random: inout SeededGenerator) -> DataID {
    Self.ids[Int.random(in: 0..<Self.ids.count, using: &random)]
  }

  private func take<Element: Sendable>(
    _ list: WritableKeyPath<Pool, [Element]> & Sendable, _ random: inout SeededGenerator
  ) -> Element? {
    let number = random.next()
    return pool.withValue { pool in
      let count = pool[keyPath: list].count
      return count == 0 ? nil : pool[keyPath: list].remove(at: Int(number % UInt64(count)))
    }
  }
}
