import RelayStoreTesting
import Testing

@Suite("Waiting for gates and clocks", .timeLimit(.minutes(1)))
struct WaitingTests {
  @Test("arrivals(_:) returns at once when enough tasks have arrived")
  func arrivals() async throws {
    let gate = Gate()
    let tasks = (0..<2).map { _ in Task { try await gate.wait() } }
    try await gate.arrivals(2)
    for count in 0...2 { try await gate.arrivals(count) }
    gate.open()
    for task in tasks { try await task.value }
    try await gate.wait()
    try await gate.arrivals(3)
  }

  @Test("sleepers(_:) returns at once when enough tasks sleep, and resumes each waiter once")
  func sleepers() async throws {
    let clock = VirtualClock()
    try await clock.sleepers(0)
    let tasks = (1...3).map { seconds in
      Task { try await clock.sleep(for: .seconds(seconds)) }
    }
    try await clock.sleepers(3)
    for count in 0...3 { try await clock.sleepers(count) }
    let late = Task { try await clock.sleep(for: .seconds(4)) }
    try await clock.sleepers(4)
    #expect(clock.sleeperCount == 4 && clock.nextDeadline == .seconds(1))
    clock.advance(by: .seconds(4))
    for task in tasks + [late] { try await task.value }
    #expect(clock.sleeperCount == 0)
  }
}
