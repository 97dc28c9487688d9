import Foundation
import RelayStore
import Testing

/// Stress tests that `make sanitize-thread` and `make sanitize-address` run under a sanitizer.
///
/// A sanitizer makes them several times slower, so the suite has 120 minutes.
@Suite(.timeLimit(.minutes(120))) struct StressTests {
  @Test(
    "eight threads read, write, observe and cancel, and every snapshot is consistent")
  func concurrentStoreUse() async throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["RELAYSTORE_STRESS_OPERATIONS"].flatMap { Int($0) } ?? 10_000
    let seed = environment["RELAYSTORE_SEED"].flatMap { UInt64($0) } ?? 1
    let stress = Stress()
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          await onThread { stress.work(count / 8, seed: seed &* 8 &+ UInt64(worker)) }
        }
      }
    }
    let consumers = try await checkLastSnapshots(stress)
    let pool = stress.pool.withValue { $0 }
    #expect(pool.problems.isEmpty)
    #expect(
      pool.performed.count == 15 && pool.deliveries > 0,
      "Seed \(seed) did not perform every operation.")
    print(
      "store under stress: seed \(seed), \(count) operations, \(pool.deliveries) deliveries,",
      "\(consumers) consumers at the end, \(pool.performed.sorted { $0.key < $1.key })")
    await checkNothingIsRetained(stress)
  }

  @Test(
    "eight tasks fetch, load, paginate, change and reset one environment, and release everything"
  )
  func concurrentEnvironmentUse() async throws {
    let environment = ProcessInfo.processInfo.environment
    let count = (environment["RELAYSTORE_STRESS_OPERATIONS"].flatMap { Int($0) } ?? 10_000) / 5
    let seed = environment["RELAYSTORE_SEED"].flatMap { UInt64($0) } ?? 1
    let stress = EnvironmentStress()
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask { await stress.work(count / 8, seed: seed &* 8 &+ UInt64(worker)) }
      }
    }
    let pool = stress.pool.withValue { $0 }
    #expect(pool.problems.isEmpty)
    #expect(
      pool.performed.count == EnvironmentStress.steps.count,
      "Seed \(seed) did not perform every operation.")
    print(
      "environment under stress: seed \(seed), \(count) operations, \(pool.performed.sorted { $0.key < $1.key })"
    )
    for task in pool.tasks { task.cancel() }
    for task in pool.tasks + pool.cancelled { await task.value }
    for loaded in pool.loads { loaded.release() }
    for handle in pool.handles { handle.cancel() }
    stress.pool.withValue { $0 = .init() }
    stress.environment.reset()
    let store = stress.environment.store
    #expect(store.dump(.base) == RecordStore().dump(.base))
  }

  /// Checks that the last snapshot delivered to each closure equals a read, after ending all loops.
  private func checkLastSnapshots(_ stress: Stress) async throws -> Int {
    let pool = stress.pool.withValue { $0 }
    for consumer in pool.consumers { consumer.cancel() }
    for consumer in pool.consumers + pool.cancelled { await consumer.value }
    for observation in pool.observations {
      guard let last = observation.last.withValue({ $0 }) else { continue }
      let fresh = stress.environment.read(FragmentRef<Item_item>(id: observation.id))
      #expect(last.data == fresh.data && last.isDeleted == fresh.isDeleted)
      #expect(last.missing == fresh.missing)
    }
    return pool.observations.count + pool.consumers.count
  }

  /// Releases every handle, and checks that the store retains no records.
  private func checkNothingIsRetained(_ stress: Stress) async {
    stress.pool.withValue { pool in
      for observation in pool.observations { observation.handle.cancel() }
      for update in pool.updates { update.revert() }
      for retention in pool.retentions { retention.release() }
      pool = Stress.Pool()
    }
    let store = stress.environment.store
    #expect(store.statistics.isEmpty)
    // A slice of a collection between the dumps would make them differ.
    let hold = store.garbageCollector.hold()
    #expect(store.dump(.visible) == store.dump(.base))
    hold.release()
  }
}

/// Runs a closure on its own thread, because tasks share one thread per core.
private func onThread(_ work: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      work()
      continuation.resume()
    }
  }
}
