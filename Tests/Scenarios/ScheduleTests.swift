import Foundation
import Testing

@Suite("Operations in flight", .timeLimit(.minutes(10)))
struct ScheduleTests {
  /// The states without which a run proves little.
  private static let states = [
    "4 in flight", "ended with data", "ended with cancelled", "ended with transport",
    "ended with graphQL", "overtaken", "written under a layer", "drafts",
  ]

  @Test("random schedules of them end in the store that the order of the contract says")
  func schedules() async throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["RELAYSTORE_SCHEDULES"].flatMap { Int($0) } ?? 10_000
    let first = environment["RELAYSTORE_SEED"].flatMap { UInt64($0) } ?? 20_260_601
    var reached: [String: Int] = [:]
    // Each step waits for a task, so that other tests get their turns.
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
    print("schedules: seed \(first), \(count) of them, \(reached.sorted { $0.key < $1.key })")
    for state in Self.states {
      #expect(reached[state, default: 0] > 0, "\(state) was never reached")
    }
  }
}
