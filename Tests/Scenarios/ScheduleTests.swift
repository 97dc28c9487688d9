import Foundation
import Testing

/// `make soak` runs many more cases, so the suite has 20 minutes.
@Suite("Operations in flight", .timeLimit(.minutes(20)))
struct ScheduleTests {
  /// The states that every run must reach.
  private static let states = [
    "4 in flight", "ended with data", "ended with cancelled", "ended with transport",
    "ended with graphQL", "outdated response", "written under a layer", "drafts",
  ]

  @Test("after random schedules of operations, the store and a naive model have the same data")
  func schedules() async throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["RELAYSTORE_SCHEDULES"].flatMap { Int($0) } ?? 1_500
    let first = environment["RELAYSTORE_SEED"].flatMap { UInt64($0) } ?? 20_260_601
    var reached: [String: Int] = [:]
    // Each step awaits a task, so that other tests can run in between.
    for seed in first..<(first + UInt64(count)) {
      var schedule = try Schedule(seed: seed &* 0x2545_F491_4F6C_DD1D)
      let problem: String?
      do {
        problem = try await schedule.run()
      } catch {
        problem = "\(error)"
      }
      reached.merge(schedule.reached, uniquingKeysWith: +)
      if let problem {
        Issue.record("Seed \(seed): \(problem)")
        return
      }
    }
    let states = reached.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    print(
      "Schedules of operations: \(count) from seed \(first); states reached:",
      states.joined(separator: ", "))
    for state in Self.states {
      #expect(reached[state, default: 0] > 0, "\(state) was never reached")
    }
  }
}
