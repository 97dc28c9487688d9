import Foundation
import Testing

@testable import RelayStore

/// `make soak` runs many more cases, so the suite has 120 minutes.
@Suite(.timeLimit(.minutes(120))) struct StoreModelTests {
  /// The states that every run must reach.
  private static let states = [
    "all updates reverted", "batch", "availability check returns available",
    "availability check returns missing",
    "availability check returns stale", "client field", "garbage collection",
    "garbage collection under a hold", "garbage collection under updates",
    "garbage collection with observers",
    "commit that changes nothing", "commit that throws", "commit under an update", "deleted record",
    "delivery", "delivery of a list of records", "list element omitted", "field collected",
    "field collected with observers", "field error", "field retained by a selection",
    "field with arguments written by an updater", "load sends a request", "load with an error",
    "load with data",
    "list element left out", "row kept", "row of a list of records kept", "row of a load kept",
    "load fetches what is missing",
    "load with missing data", "two values for one field in a response", "missing data",
    "release buffer overflow", "update replaced",
    "response replaces its optimistic update", "response out of order",
    "store restored from a dump",
    "revert under a newer update", "garbage collection slice",
    "stale snapshot", "repeated response",
    "record replaced by another type", "write during a garbage collection",
  ]

  @Test("after any operations, the store has the same records and deliveries as a naive model")
  func agreement() async {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["RELAYSTORE_MODEL_OPERATIONS"].flatMap { Int($0) } ?? 3_000
    let seed = environment["RELAYSTORE_SEED"].flatMap { UInt64($0) } ?? 20_260_101
    // The run has its own thread, because other tests need the threads that tasks share.
    let result = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Self.compare(count, seed: seed)) }
    }
    if let problem = result.problem {
      Issue.record("\(problem)")
      return
    }
    let states = result.reached.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    print(
      "Store against a model: seed \(seed), \(count) operations; states reached:",
      states.joined(separator: ", "))
    for state in Self.states {
      #expect(result.reached[state, default: 0] > 0, "\(state) was never reached")
    }
  }

  /// The number of operations of a run.
  private static let length = 250

  /// Compares the store with the model over many short runs, each with its own seed.
  ///
  /// - Returns: The number of times each state was reached, and the first difference.
  private static func compare(_ count: Int, seed: UInt64)
    -> (reached: [String: Int], problem: String?)
  {
    var reached: [String: Int] = [:]
    for round in 0..<UInt64(max(1, count / length)) {
      var generator = OperationGenerator(seed: seed &+ round)
      let operations = (0..<length).map { _ in generator.next() }
      let outcome = run(operations, comparesAllEvery: 10)
      reached.merge(outcome.reached, uniquingKeysWith: +)
      guard let divergence = outcome.divergence else { continue }
      let shortest = shrink(Array(operations[...divergence.position]))
      let lines = shortest.map { "  \($0)," }.joined(separator: "\n")
      let problem = run(shortest).divergence?.problem ?? divergence.problem
      return (reached, "Seed \(seed &+ round): \(problem)\n[\n\(lines)\n]")
    }
    return (reached, nil)
  }

  /// Runs seeds that once found a difference.
  @Test(
    "the store and the model agree for the seeds that once found a difference",
    arguments: [33, 48, 289, 685, 1783, 2686, 20_260_159, 20_260_215, 20_261_832, 77_002_658])
  func knownSeeds(_ seed: UInt64) async {
    let problem = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: Self.compare(Self.length, seed: seed).problem)
      }
    }
    #expect(problem == nil)
  }

  private struct Outcome {
    var divergence: (position: Int, problem: String)?
    var reached: [String: Int] = [:]
  }

  private static func run(_ operations: [StoreOperation], comparesAllEvery period: Int = 1)
    -> Outcome
  {
    let run = StoreRun()
    for (position, operation) in operations.enumerated() {
      do {
        if let problem = try run.run(operation, comparesRecords: position % period == 0) {
          return Outcome(divergence: (position, problem), reached: run.reached)
        }
      } catch {
        return Outcome(divergence: (position, "\(error)"), reached: run.reached)
      }
    }
    let problem = run.finish()
    return Outcome(
      divergence: problem.map { (operations.count - 1, $0) }, reached: run.reached)
  }

  /// Returns a shorter sequence of operations that still ends in a difference between store and
  /// model.
  private static func shrink(_ operations: [StoreOperation]) -> [StoreOperation] {
    let flat = operations.flatMap { operation in
      if case .batch(let inner) = operation { inner } else { [operation] }
    }
    if run(flat).divergence == nil { return operations }
    var operations = flat
    var size = operations.count / 2
    while size > 0 {
      var start = 0
      while start < operations.count {
        var fewer = operations
        fewer.removeSubrange(start..<min(start + size, operations.count))
        if run(fewer).divergence == nil { start += size } else { operations = fewer }
      }
      size /= 2
    }
    return operations
  }
}
