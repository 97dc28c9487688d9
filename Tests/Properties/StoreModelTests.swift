import Foundation
import Testing

@testable import RelayStore

@Suite struct StoreModelTests {
  /// The states without which a run proves little.
  private static let states = [
    "batch", "check says available", "check says missing", "check says stale", "collection",
    "collection under updates", "collection with observers",
    "commit that changes nothing", "commit that throws", "commit under an update", "deleted",
    "delivery", "field error", "missing data", "release buffer overflows", "replace",
    "response out of order", "revert under a newer update", "slice of a collection",
    "stale snapshot",
    "type replaced", "write during a collection",
  ]

  @Test("the store does what a naive model does")
  func agreement() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["RELAYSTORE_MODEL_OPERATIONS"].flatMap { Int($0) } ?? 50_000
    let seed = environment["RELAYSTORE_SEED"].flatMap { UInt64($0) } ?? 20_260_101
    var reached: [String: Int] = [:]
    let length = 250
    for round in 0..<UInt64(max(1, count / length)) {
      var generator = OperationGenerator(seed: seed &+ round)
      let operations = (0..<length).map { _ in generator.next() }
      let outcome = Self.run(operations, comparesAllEvery: 10)
      reached.merge(outcome.reached, uniquingKeysWith: +)
      if let divergence = outcome.divergence {
        let shortest = Self.shrink(Array(operations[...divergence.position]))
        let lines = shortest.map { "  \($0)," }.joined(separator: "\n")
        Issue.record(
          "Seed \(seed &+ round): \(Self.run(shortest).divergence?.problem ?? "")\n[\n\(lines)\n]")
        return
      }
    }
    print("model: seed \(seed), \(count) operations, \(reached.sorted { $0.key < $1.key })")
    for state in Self.states {
      #expect(reached[state, default: 0] > 0, "\(state) was never reached")
    }
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
        if let problem = try run.run(operation, isThorough: position % period == 0) {
          return Outcome(divergence: (position, problem), reached: run.reached)
        }
      } catch {
        return Outcome(divergence: (position, "\(error)"), reached: run.reached)
      }
    }
    return Outcome(reached: run.reached)
  }

  /// Leaves out what is not needed to make the store and the model differ.
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
